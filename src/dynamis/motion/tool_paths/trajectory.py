"""A tool that moves along a line or an arc, and the joints that make it do so.

With the tool's pose as a function of s, the joints as q(s) (`steps`: inverse kinematics followed from the start)
and s as a function of time,

    qd = q' sd,   qdd = q'' sd^2 + q' sdd

exactly.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.library import require_robot
from dynamis.motion.inverse_kinematics.numerical import lever
from dynamis.motion.inverse_kinematics.targets import target_array
from dynamis.motion.tool_paths.path import Arc, Curve, Line, Turn
from dynamis.motion.tool_paths.steps import follow, largest_errors
from dynamis.motion.tool_paths.task import ToolTask, general_rank, tool_task
from dynamis.motion.trajectories.document import trajectory_document
from dynamis.motion.trajectories.piecewise import JointTrajectory, Profile
from dynamis.motion.trajectories.polynomials import quintic
from dynamis.motion.trajectories.trajectory import (
    Motion,
    MotionError,
    Peaks,
    joint_count,
    joint_values,
    measure,
    sampled_peaks,
)
from dynamis.motion.trajectories.trapezoidal import trapezoidal
from dynamis.robot import Robot
from dynamis.telling.blocks import Document
from dynamis.telling.result import Result

UNIFORM = JointTrajectory("uniform", (Profile(np.array([0.0, 1.0]), np.array([[0.0, 1.0]]), 1.0),))
"""s = t, over 1 s: the way itself, as `shortest_time` wants it."""


@dataclass(frozen=True, eq=False)
class ToolTrajectory(Result):
    """A motion of the tool along the way of `task`, with s from 0 to 1 by the time law `law`."""

    kind: str
    task: ToolTask
    joints: JointTrajectory
    """The joints as a trajectory over s."""
    law: JointTrajectory
    position_error: float
    """How far [m] the tool is from its line or arc at most."""
    orientation_error: float
    """How far [rad] its orientation is from the one on the way at most; 0 where that is free."""

    @property
    def duration(self) -> float:
        """[s]"""
        return self.law.duration

    @property
    def n(self) -> int:
        """The number of joints."""
        return self.joints.n

    @property
    def length(self) -> float:
        """The way of the tool's point [m]."""
        return self.task.curve.length

    def __repr__(self) -> str:
        return f"<ToolTrajectory {self.kind}: {joint_count(self.n)}, {self.length:g} m in {self.duration:g} s>"

    def document(self) -> Document:
        """The ends and peaks of every joint, and the motion over time."""
        return trajectory_document(self, self.kind)

    def sentences(self) -> list[str]:
        """What is to be known of the motion: how long the way is, and how near to it the tool stays."""
        turned = "" if self.task.turn is None else f" and {self.orientation_error:.1e} rad"
        return [f"{self.kind} of {self.length:.6g} m, never more than {self.position_error:.1e} m{turned} off it"]

    def at(self, t: ArrayLike) -> Motion:
        """q, qd, qdd at times t [s]: t.shape + (n,) each."""
        s, sd, sdd = self.law.at(t)
        q, first, second = self.joints.at(np.clip(s[..., 0], 0.0, 1.0))
        # + 0.0: what is at rest has no sign.
        return q, first * sd + 0.0, second * sd**2 + first * sdd + 0.0

    def peaks(self) -> Peaks:
        """The range of q and the largest |qd|, |qdd| of every joint, sampled at thousands of instants; no jerk."""
        return sampled_peaks(self, self.law.breaks)

    def uniform(self) -> ToolTrajectory:
        """The same way with s = t over 1 s, so that velocities are those over s."""
        return replace(self, law=UNIFORM)


def tool_line(
    robot: Robot, start: ArrayLike, goal: ArrayLike, duration: float | None = None, *, speed: float | None = None,
    acceleration: float | None = None, frame: str = "tool", orientation: bool | None = None,
    law: JointTrajectory | None = None,
) -> ToolTrajectory:  # fmt: skip
    """The tool on a straight line from where joint values `start` have it to `goal`, a position or a pose.

    For any robot. Joints that are not determined by the tool take the smallest velocities.

    start           joint values (n,)
    goal            a position (3,) or a pose (4, 4) of the frame; to a pose the tool turns about one axis
    duration        [s]: a quintic in time
    speed           [m/s] with `acceleration` [m/s^2] of the tool's point: a trapezoidal velocity
    frame           that is led
    orientation     on the way to a position: True keeps it, False leaves it free; default: kept if the robot can hold
                    every orientation
    law             s(t) of your own, a trajectory of one joint from 0 to 1

    >>> import dynamis
    >>> puma = dynamis.load("puma560")
    >>> q = [0.1, -0.7, 0.3, 0.4, 0.5, 0.6]
    >>> moving = tool_line(puma, q, puma.forward_kinematics(q)[:3, 3] + [0.1, 0.0, 0.05], 2.0)
    >>> half = puma.forward_kinematics(moving.at(1.0)[0])[:3, 3] - puma.forward_kinematics(q)[:3, 3]
    >>> half.round(12) + 0.0
    array([0.05 , 0.   , 0.025])
    """
    q, T, end, turn = _ends(robot, start, goal, frame, orientation)
    task = tool_task(robot, frame, Line(T[:3, 3], end), turn)
    return _motion("tool on a line", task, q, _law(task.curve, duration, speed, acceleration, law))


def tool_arc(
    robot: Robot, start: ArrayLike, via: ArrayLike, goal: ArrayLike, duration: float | None = None, *,
    speed: float | None = None, acceleration: float | None = None, frame: str = "tool",
    orientation: bool | None = None, law: JointTrajectory | None = None,
) -> ToolTrajectory:  # fmt: skip
    """The tool on the circular arc from where joint values `start` have it, through the point `via`, to `goal`.

    All else as for `tool_line`.
    """
    q, T, end, turn = _ends(robot, start, goal, frame, orientation)
    between, is_pose = target_array(via, "via")
    if is_pose or between.shape != (3,):
        raise ArgumentError(f"via must be a point (3) [m], got shape {between.shape}", key="via")
    task = tool_task(robot, frame, Arc.through(T[:3, 3], between, end), turn)
    return _motion("tool on an arc", task, q, _law(task.curve, duration, speed, acceleration, law))


def _motion(kind: str, task: ToolTask, q: Array, law: JointTrajectory) -> ToolTrajectory:
    joints = follow(task, q)
    return ToolTrajectory(kind, task, joints, law, *largest_errors(task, joints))


def holds_orientation(robot: Robot, frame: str) -> bool:
    """Whether the robot can bring the frame to every orientation near the one that it has, wherever it is."""
    return general_rank(robot, frame, True, lever(robot, frame)) == 6


def _ends(
    robot: Robot, start: Any, goal: Any, frame: str, orientation: bool | None
) -> tuple[Array, Array, Array, Turn | None]:
    """Joint values and pose at the start; the position of the goal, and how the tool turns."""
    require_robot(robot)
    if orientation not in (None, True, False):
        raise ArgumentError(f"orientation must be True, False or None, got {orientation!r}", key="orientation")
    if not robot.n:
        raise ArgumentError(f'robot "{robot.name}" has no moving joints, so its tool has no way')
    q = joint_values("start", start, robot.n)
    T = robot.forward_kinematics(q, frame)
    end, pose = target_array(goal, "goal")
    if end.ndim != (2 if pose else 1):
        raise ArgumentError(f"goal must be one position (3) or one pose (4, 4), got shape {end.shape}", key="goal")
    if orientation is None:
        orientation = pose or holds_orientation(robot, frame)
    turn = Turn.between(T[:3, :3], end[:3, :3] if pose else T[:3, :3]) if orientation else None
    return q, T, end[:3, 3] if pose else end, turn


def _law(
    curve: Curve, duration: float | None, speed: float | None, acceleration: float | None, law: JointTrajectory | None
) -> JointTrajectory:
    if law is not None:
        single = isinstance(cast(Any, law), JointTrajectory) and law.n == 1
        if not single or [float(law.at(t)[0][0]) for t in (0.0, law.duration)] != [0.0, 1.0]:
            raise ArgumentError("law is not a trajectory of one joint from 0 to 1", key="law")
        return law
    if speed is None and acceleration is None:
        if duration is None:
            raise MotionError("the motion has no duration; give duration=..., or speed=... and acceleration=...")
        return quintic([0.0], [1.0], duration)
    if speed is None or acceleration is None:
        raise MotionError("a trapezoidal velocity of the tool needs both speed=... and acceleration=...")
    v, a = measure("speed", speed, "m/s"), measure("acceleration", acceleration, "m/s^2")
    if not curve.length:
        raise MotionError("the tool's point does not move, so it has no speed; give duration=...")
    try:
        return trapezoidal([0.0], [1.0], v / curve.length, a / curve.length, duration=duration)
    except MotionError as error:
        least = error.needs["duration"]
        raise MotionError(
            f"the tool cannot make {curve.length:.6g} m in {duration:g} s with a speed of {v:g} and an acceleration of "
            f"{a:g}; it needs T >= {least:.6g} s", needs=error.needs,
        ) from None  # fmt: skip
