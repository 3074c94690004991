"""A task: what a robot shall do, from a task file. Its points become joint values, its words a trajectory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, DynamisError
from dynamis.base.shipped_files import Shipped
from dynamis.base.toml_table import parse_toml, read_text
from dynamis.base.verb import Origin
from dynamis.compute.mechanics.coupling import mixed_joints
from dynamis.model.formats.tasks.motion_file import TaskFile, TaskPoint
from dynamis.model.formats.tasks.motion_file import read_task as read_table
from dynamis.model.joint_limits import joint_limits
from dynamis.model.payload import Payload
from dynamis.motion.inverse_kinematics.branches import Branches
from dynamis.motion.inverse_kinematics.numerical import inverse_kinematics
from dynamis.motion.inverse_kinematics.planar import planar_inverse_kinematics
from dynamis.motion.inverse_kinematics.screws import StructureError
from dynamis.motion.inverse_kinematics.spherical_wrist import spherical_wrist_inverse_kinematics
from dynamis.motion.load_over_time import AnyLoad, LoadOverTime
from dynamis.motion.shortest_time.shortest_time import shortest_time
from dynamis.motion.tool_paths.trajectory import holds_orientation, tool_arc, tool_line
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.motion.torque_budget.torque_budget import Budget
from dynamis.motion.trajectories.double_s import double_s
from dynamis.motion.trajectories.parabolic_blends import parabolic_blends
from dynamis.motion.trajectories.polynomials import cubic, quintic, septic
from dynamis.motion.trajectories.sampled import sampled_file
from dynamis.motion.trajectories.sequence import sequence
from dynamis.motion.trajectories.spline import spline
from dynamis.motion.trajectories.trajectory import joint_count
from dynamis.motion.trajectories.trapezoidal import trapezoidal
from dynamis.robot import Robot

_SHIPPED = Shipped("task", "motion/tasks")


@dataclass(frozen=True)
class Task:
    """A motion of a robot under loads; `points` are the joint values of its start, via points and goal.

    The robot holds the payload of the task. One that comes and goes is in `payload`: from when to when [s], and which.
    """

    robot: Robot
    trajectory: Any
    points: tuple[Array, ...]
    loads: tuple[AnyLoad, ...]
    gravity: bool | list[float]
    frame: str | None
    samples: int
    payload: tuple[tuple[float, float, Payload], ...] = ()
    efficiency: float | list[float] | None = None
    file: str = ""
    """The name or the path that it was loaded by."""
    degrees: bool = False
    """Whether its file speaks degrees, and so tables of it that are printed."""

    @property
    def held(self) -> Robot:
        """The robot with its payload; raises where that comes and goes."""
        if self.payload:
            raise ArgumentError(
                "the payload comes and goes during the cycle; learn holds one payload all the time: take payload out "
                "of the segments, or learn them one by one (torque budgets and simulations take all)",
                key="payload",
            )
        return self.robot

    @property
    def question(self) -> Budget:
        """The torque budget of the task, to be asked for."""
        return Budget(
            self.robot, self.trajectory, loads=self.loads, tool=self.frame, gravity=self.gravity, samples=self.samples,
            payload=self.payload or None, efficiency=self.efficiency,
        )  # fmt: skip

    def budget(self, progress: Callable[[str], None] | None = None, keep: str | None = None) -> TorqueBudget:
        """The torque budget of the task."""
        return self.question.run(progress=progress, keep=keep)


def tasks() -> list[str]:
    """The names of the tasks that ship with dynamis; the first lines of each say which robot it is for.

    >>> "two-bar-reach" in tasks()
    True
    """
    return _SHIPPED.names()


def load_task(name: str | Path, robot: Robot, payload: Payload | None = None) -> Task:
    """A task for a robot: the name of a shipped one, or the path of a TOML file; docs/torque-budget.md says what such a
    file has. A `payload` takes the place of the file's: all the time, or in the segments that carry that.

    >>> import dynamis
    >>> load_task("two-bar-reach", dynamis.load("bar-2r")).trajectory.duration
    4.0
    """
    path = _SHIPPED.path(name)
    file = read_table(parse_toml(read_text(path), str(path)), robot)
    task = task_of(file if payload is None else file.carrying(payload), robot)
    return replace(task, file=str(name), degrees=file.speaks_degrees)


def load_budget(name: str | Path, robot: Robot, payload: Payload | None = None) -> Budget:
    """The torque budget of a task, to be asked for.

    >>> import dynamis
    >>> load_budget("two-bar-reach", dynamis.load("bar-2r")).run(samples=101).joints
    ('q1', 'q2')
    """
    task = load_task(name, robot, payload)
    return task.question.read_from(Origin(degrees=task.degrees))


def task_of(file: TaskFile, robot: Robot) -> Task:
    """What a file says, for this robot."""
    if file.segments:
        return _cycle(file, robot)
    robot = held_robot(file, robot)
    trajectory, points = _one_motion(file, robot)
    return Task(
        robot, trajectory, tuple(points), **_acting(file), frame=file.frame, samples=file.samples or 1001,
        efficiency=file.efficiency,
    )  # fmt: skip


def held_robot(file: TaskFile, robot: Robot) -> Robot:
    """The robot with the payload of a file."""
    if file.payload is None:
        return robot
    try:
        return file.payload.held_by(robot)
    except DynamisError as error:
        raise error.at(file.file, file.payload_line) from None


def _cycle(file: TaskFile, robot: Robot) -> Task:
    """Segments as one trajectory, with the payloads that they carry."""
    parts: list[Any] = []
    points: list[Array] = []
    for segment in file.segments:
        if segment.task is None:
            parts.append(segment.dwell)
            continue
        holding = held_robot(replace(file, payload=file.carried(segment)), robot)
        motion, places = _one_motion(segment.task, holding, points[-1] if points else None)
        parts.append(motion)
        points += places
    try:
        trajectory = sequence(parts)
    except DynamisError as error:
        raise error.at(file.file, file.line) from None
    payloads = [file.carried(segment) for segment in file.segments]
    constant = all(payload == payloads[0] for payload in payloads)
    spans = zip(trajectory.ends[:-1].tolist(), trajectory.ends[1:].tolist(), payloads, strict=True)
    carried = () if constant else tuple((a, b, payload) for a, b, payload in spans if payload is not None)
    return Task(
        held_robot(replace(file, payload=payloads[0] if constant else None), robot), trajectory, tuple(points),
        **_acting(file), frame=file.frame, samples=file.samples or 1001, payload=carried, efficiency=file.efficiency,
    )  # fmt: skip


def _one_motion(file: TaskFile, robot: Robot, before: Array | None = None) -> tuple[Any, list[Array]]:
    """The trajectory of one motion, and the joint values of its points; `before` is where the robot stands."""
    points: list[Array] = []
    frame = file.frame or "tool"
    for point in file.points[:1] if file.curve else file.points:
        try:
            points.append(_joint_values(point, robot, frame, points[-1] if points else before))
        except DynamisError as error:
            raise error.at(file.file, point.line) from None
    try:
        if file.curve:
            trajectory: Any = _of_tool(file, points[0], robot, frame)
            points += [trajectory.at(trajectory.duration)[0]]
        elif file.kind == "shortest-time":
            trajectory = shortest_time(robot, points, **file.options, **_acting(file))
        else:
            trajectory = _trajectory(file, points)
        if trajectory.n != robot.n:
            raise ArgumentError(f'the motion has {joint_count(trajectory.n)}; robot "{robot.name}" has {robot.n}')
    except DynamisError as error:
        raise error.at(file.file, file.line) from None
    return trajectory, points


def loads_of(file: TaskFile) -> tuple[AnyLoad, ...]:
    """The loads of a file, constant or over time."""
    return tuple(
        load if course is None else LoadOverTime(load, (course.times, course.values))
        for load, course in zip(file.loads, file.courses, strict=True)
    )


def _trajectory(task: TaskFile, points: list[Array]) -> Any:
    options = task.options
    if task.samples_file is not None:
        return sampled_file(task.samples_file)
    if task.kind == "spline":
        return spline(points, **options)
    polynomials: dict[str, Any] = {"cubic": cubic, "quintic": quintic, "septic": septic}
    if task.kind in polynomials:
        return polynomials[task.kind](points[0], points[-1], **options)
    make, required = {
        "parabolic-blends": (partial(parabolic_blends, via=points[1:-1] or None), ("acceleration",)),
        "trapezoidal": (trapezoidal, ("velocity", "acceleration")),
    }.get(task.kind, (double_s, ("velocity", "acceleration", "jerk")))
    for key in required:
        if key not in options:
            raise ArgumentError(f"[motion] has no {key}; {task.kind} needs one", key=key)
    return make(points[0], points[-1], synchronised=task.synchronised, **options)


def _of_tool(task: TaskFile, start: Array, robot: Robot, frame: str) -> Any:
    """The tool on a line, or on an arc through one point; in the time that is given, or in the shortest."""
    via, goal = task.points[1:-1], _target(task.points[-1], robot, frame)
    options: dict[str, Any] = task.options
    if task.kind == "shortest-time":
        options = {"duration": 1.0, **{key: options[key] for key in ("orientation",) if key in options}}
    if task.curve == "line":
        motion = tool_line(robot, start, goal, frame=frame, **options)
    elif len(via) != 1 or via[0].position is None:
        raise ArgumentError("an arc has one via point, a position: via = [{ tool = [x, y, z] }]", key="via")
    else:
        motion = tool_arc(robot, start, via[0].position, goal, frame=frame, **options)
    if task.kind != "shortest-time":
        return motion
    limits = {key: x for key, x in task.options.items() if key != "orientation"}
    return shortest_time(robot, motion, **limits, **_acting(task))


def _acting(task: TaskFile) -> dict[str, Any]:
    """The loads and the gravity of a task, for motions that depend on torques."""
    return {"loads": loads_of(task), "gravity": True if task.gravity is None else task.gravity}


def _target(point: TaskPoint, robot: Robot, frame: str) -> Array:
    """Where the tool shall be: a position or, of a robot that can hold every orientation, a pose."""
    if point.branch is not None:
        raise ArgumentError("a tool on a way stays on the branch of its start; leave branch out of the goal")
    if point.q is not None:
        pose = robot.forward_kinematics(point.q, frame)
        return pose if holds_orientation(robot, frame) else pose[:3, 3]
    return np.array(point.position) if point.pose is None else _pose(point, robot)


def _joint_values(point: TaskPoint, robot: Robot, frame: str, before: Array | None) -> Array:
    """The joint values of a point: given, or by inverse kinematics, or where the robot stands."""
    if point.q is None and point.position is None and point.pose is None:
        if before is None:
            raise ArgumentError("the first motion of a cycle has no start; give start = [...]", key="start")
        return before
    if point.q is not None:
        if point.branch is not None:
            raise ArgumentError("branch goes with tool or pose; joint values have no branches", key="branch")
        return np.array(point.q)
    target = np.array(point.position) if point.pose is None else _pose(point, robot)
    closed = _closed_form(robot, target, frame)
    if closed is not None:
        return _branch_joints(closed, point.branch, before)
    if point.branch is not None:
        raise ArgumentError(
            f'robot "{robot.name}" has no closed form for this point, so it has no branches; leave branch out',
            key="branch",
        )
    solution = inverse_kinematics(robot, target, frame=frame, start=_middle(robot) if before is None else before)
    if not bool(solution.success):
        raise ArgumentError(f"the point cannot be reached: {solution.message}")
    return solution.q


def _middle(robot: Robot) -> Array:
    """The middle of the joints' ranges, far from their ends; 0 of a joint without.

    Where a joint with a range follows several coordinates, the middles cannot all be met: the least squares of their
    distances, each over its range, are.
    """
    mixed = mixed_joints(robot)
    limits = joint_limits(robot, [*robot.coordinates, *mixed.joints])
    bounded = np.isfinite(limits.lower) & np.isfinite(limits.upper)
    A, b = np.vstack([np.eye(robot.n), mixed.A])[bounded], np.concatenate([np.zeros(robot.n), mixed.b])[bounded]
    lower, upper = limits.lower[bounded], limits.upper[bounded]
    weight = 1 / np.maximum(upper - lower, 1e-9)
    return np.asarray(
        np.linalg.lstsq(A * weight[:, None], ((lower + upper) / 2 - b) * weight, rcond=None)[0], dtype=np.float64
    )


def _closed_form(robot: Robot, target: Array, frame: str) -> Branches | None:
    """All branches, or None where no closed form is known."""
    planar, wrist = planar_inverse_kinematics, spherical_wrist_inverse_kinematics
    solve = {(2, 1): planar, (3, 2): planar, (6, 2): wrist}.get((robot.n, target.ndim))
    try:
        return None if solve is None else solve(robot, target, frame=frame)
    except StructureError:
        return None


def _branch_joints(branches: Branches, branch: str | None, before: Array | None) -> Array:
    """The named branch, or of those within the joint limits the one nearest to the point before, else the first."""
    if not branches.exists.any():
        raise ArgumentError(branches.message)
    if branch is not None:
        q = branches.branch(branch)
        if not np.isfinite(q).all():
            raise ArgumentError(f'the point has no branch "{branch}": {branches.message}', key="branch")
        return q
    allowed = np.flatnonzero(branches.exists & branches.within_limits)
    q = branches.q[allowed if allowed.size else np.flatnonzero(branches.exists)]
    return q[0] if before is None else q[int(np.argmin(np.abs(q - before).max(axis=-1)))]


def _pose(point: TaskPoint, robot: Robot) -> Array:
    assert point.pose is not None
    R, p = point.pose.evaluate(robot.floats())
    return np.array([*([*row, x] for row, x in zip(R, p, strict=True)), [0.0, 0.0, 0.0, 1.0]])
