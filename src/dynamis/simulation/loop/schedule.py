"""What comes from outside over time: torques, the goal, loads, and the noise of measurements, as inputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import numpy as np

from dynamis.base.arguments import real_array
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.program.quantity_program import parametric_loads
from dynamis.compute.quantities.arguments import joint_values
from dynamis.model.loads import Load
from dynamis.model.robot import RobotModel
from dynamis.motion.load_over_time import PLACES, WIDTH, AnyLoad, LoadOverTime, constant_loads
from dynamis.motion.load_over_time import corners as load_corners
from dynamis.motion.trajectories.trajectory import Trajectory
from dynamis.robot import Robot
from dynamis.scalars.scalars import evaluate
from dynamis.simulation.loop.closed_loop import ClosedLoop
from dynamis.simulation.loop.payloads import PayloadSchedule


@dataclass(frozen=True)
class TorqueSamples:
    """Torques at times, (k,) [s] and (k, n) [N m or N]; between them a straight line, or `hold` the last value."""

    times: Any
    torques: Any
    hold: bool = False

    def check(self, n: int) -> TorqueSamples:
        """The same as arrays for n joints, or an error that says what is wrong."""
        times, torques = real_array("times", self.times), real_array("torques", self.torques)
        if times is None or torques is None:
            raise ArgumentError("torques over time are arrays: times (k,) and torques (k, n)", key="control")
        if times.ndim != 1 or torques.shape != (times.size, n) or not times.size:
            raise ArgumentError(
                f"torques over time have shapes {times.shape} and {torques.shape}; they are times (k,) and torques "
                f"(k, {n})",
                key="control",
            )
        if not (np.isfinite(times).all() and np.isfinite(torques).all()):
            raise ArgumentError("torques over time have values that are not finite", key="control")
        if (np.diff(times) <= 0).any():
            k = int(np.argmax(np.diff(times) <= 0))
            raise ArgumentError(
                f"the times of the torques do not increase: {times[k]:g} s, then {times[k + 1]:g} s", key="control"
            )
        return TorqueSamples(times, torques, self.hold)

    def at(self, t: Array, before: bool = False) -> Array:
        """Torques at times, or just before them; before the first and after the last they stay as they are there."""
        if self.hold:
            times: Array = self.times
            slack = 1e-9 * float(np.diff(times).min(initial=1.0))  # k h and k / 60 are not the same to the last bit
            places = np.searchsorted(times, t - slack if before else t + slack, "right")
            return self.torques[np.clip(places - 1, 0, None)]
        columns: list[Any] = [np.interp(t, self.times, column) for column in self.torques.T]
        return np.stack(columns, axis=-1)


@dataclass(frozen=True)
class LoadSchedule:
    """Loads over time: `loads` have a parameter in every place that holds a value, and `names` are those of them.

    `source` are the loads as they came, `numbers` the values in them, where they do not change.
    """

    loads: tuple[Load, ...] = ()
    names: tuple[str, ...] = ()
    source: tuple[AnyLoad, ...] = ()
    numbers: Array | None = None

    @property
    def constant(self) -> bool:
        return not any(isinstance(x, LoadOverTime) for x in self.source)

    def values(self, times: Array) -> Array:
        """The numbers in the loads at times: (k, len(names)), or (1, len(names)) if they do not change."""
        assert self.numbers is not None
        if self.constant:
            return self.numbers[None]
        values = np.tile(self.numbers, (len(times), 1))
        place = 0
        for original, load in zip(self.source, self.loads, strict=True):
            if isinstance(original, LoadOverTime):
                values[:, place : place + WIDTH[type(load)]] = original.at(times)
            place += PLACES[type(load)]
        return values


def load_schedule(robot: Robot, loads: Any) -> LoadSchedule:
    """Loads, some of which may change over time, for one robot."""
    if isinstance(loads, Iterable):
        loads = tuple(cast(Iterable[Any], loads))  # an iterator is not read twice
    bare = constant_loads(robot, loads)
    if not bare:
        return LoadSchedule()
    symbolic, operand, expressions = parametric_loads(bare)
    assert operand is not None
    numbers = np.array([float(evaluate(x, robot.floats())) for x in expressions])
    return LoadSchedule(symbolic, operand.entries, tuple(loads), numbers)


@dataclass(frozen=True)
class Trajectories:
    """A trajectory of its own for each robot of a batch, (k,); one that ends before the others rests at its goal."""

    each: tuple[Trajectory, ...]

    @property
    def batch(self) -> tuple[int, ...]:
        return (len(self.each),)

    @property
    def duration(self) -> float:
        """[s], of the longest."""
        return max(x.duration for x in self.each)

    @property
    def n(self) -> int:
        return self.each[0].n

    def at(self, t: Any) -> Any:
        """q, qd, qdd at times (m,): (k, m, n) each."""
        return tuple(np.stack(values) for values in zip(*(x.at(t) for x in self.each), strict=True))

    def of_robot(self, at: tuple[int, ...], batch: tuple[int, ...]) -> Trajectory:
        """That of one robot of a batch, to whose last axis they belong."""
        return self.each[int(np.broadcast_to(np.arange(len(self.each)), batch)[at])]


@dataclass(frozen=True)
class InputSchedule:
    """The inputs of a loop over time. `torque` and `goal` are arrays, things with `at(t)`, or None."""

    loop: ClosedLoop
    torque: Any
    goal: Any
    loads: LoadSchedule
    payload: PayloadSchedule | None = None

    @property
    def constant(self) -> bool:
        """Whether all inputs are the same, but for noise."""
        over_time = hasattr(self.torque, "at") or hasattr(self.goal, "at") or self.payload is not None
        return not over_time and self.loads.constant

    @property
    def jumps(self) -> bool:
        """Whether torques are held or the payload changes, so that they differ on both sides of a time."""
        return (isinstance(self.torque, TorqueSamples) and self.torque.hold) or self.payload is not None

    @cached_property
    def corners(self) -> Array:
        """The times [s] where torques, loads, payload or goal have a corner or jump, which no step should pass over."""
        torque_times = [np.asarray(self.torque.times, np.float64)] if isinstance(self.torque, TorqueSamples) else []
        goal = np.asarray(getattr(getattr(self.goal, "law", self.goal), "breaks", ()), np.float64)
        changes = np.empty(0) if self.payload is None else self.payload.times
        return np.unique(np.concatenate([changes, *torque_times, load_corners(self.loads.source), goal.ravel()]))

    def inputs(self, times: Array, before: bool = False) -> Array:
        """The inputs at times: (..., k, size); zeros for the torques of a function and the directions of sliding.

        `before` are the inputs just before the times, where torques that are held, or the payload, jump.
        """
        layout = self.loop.inputs
        parts: list[tuple[str, Any]] = []
        if self.torque is not None:
            over_time = hasattr(self.torque, "at")
            parts.append(("torque", self.torque.at(times, before) if over_time else self.torque[..., None, :]))
        if self.goal is not None and self.loop.controller is not None:
            if hasattr(self.goal, "at"):
                parts += list(zip(("goal_q", "goal_qd", "goal_qdd"), self.goal.at(times), strict=True))
            else:
                parts.append(("goal_q", self.goal[..., None, :]))
        if self.loads.source:
            parts.append(("loads", self.loads.values(times)))
        if self.payload is not None:
            parts.append(("payload", self.payload.values[self.payload.index(times, before)]))
        shape = np.broadcast_shapes((len(times), 1), *((*value.shape[:-1], 1) for _, value in parts))
        inputs = np.zeros((*shape[:-1], layout.size))
        for name, value in parts:
            inputs[..., layout.slices[name]] = value
        return inputs


def check_goal(robot: RobotModel, goal: Any) -> Any:
    """Joint values as an array (..., n), or trajectories of as many joints as the robot has: one, or one per robot."""
    if isinstance(goal, list | tuple) and goal and any(isinstance(x, Trajectory) for x in cast(list[Any], goal)):
        goal = tuple(cast(list[Any], goal))
        if not all(isinstance(x, Trajectory) for x in goal):
            raise ArgumentError("goal must have a trajectory for every robot where it has one for some", key="goal")
        for x in goal:
            check_goal(robot, x)
        return Trajectories(goal)
    if isinstance(goal, Trajectory):
        if goal.n != robot.n:
            raise ArgumentError(f'the goal moves {goal.n} joints; robot "{robot.name}" has {robot.n}', key="goal")
        return goal
    return joint_values("goal", goal, robot, finite=True)
