"""What comes from outside over time: torques, the goal, loads, and the noise of measurements, as rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.compiled.traced import open_loads
from dynamis.errors import ArgumentError
from dynamis.model.expression import evaluate
from dynamis.model.loads import Load, check_loads
from dynamis.model.robot import RobotModel
from dynamis.motion.trajectory import Trajectory
from dynamis.simulation.layout import Layout
from dynamis.simulation.system import ClosedLoop

Array = NDArray[np.float64]


@dataclass(frozen=True)
class TorqueSamples:
    """Torques at times, (k,) [s] and (k, n) [N m or N]; between them a straight line, or `hold` the last value."""

    times: Any
    torques: Any
    hold: bool = False

    def check(self, n: int) -> TorqueSamples:
        """The same as arrays for n joints, or an error that says what is wrong."""
        try:
            times, torques = np.asarray(self.times, np.float64), np.asarray(self.torques, np.float64)
        except (TypeError, ValueError):
            raise ArgumentError("torques over time are arrays: times (k,) and torques (k, n)", key="control") from None
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

    def at(self, t: Array) -> Array:
        """Torques at times; before the first and after the last they stay as they are there."""
        if self.hold:
            return self.torques[np.clip(np.searchsorted(self.times, t, "right") - 1, 0, None)]
        columns: Any = self.torques.T
        return np.stack([np.interp(t, self.times, column) for column in columns], axis=-1)


@dataclass(frozen=True)
class LoadCourse:
    """Loads over time: `values(t)` are the numbers in them, of the same loads at all times."""

    loads: tuple[Load, ...] = ()
    names: tuple[str, ...] = ()
    values: Callable[[float], list[float]] | None = None
    constant: bool = True


def load_course(robot: RobotModel, loads: Any) -> LoadCourse:
    """Loads that are a list, or a function of time that gives a list of the same kinds of loads."""
    if not callable(loads):
        given = tuple(loads or ())
        check_loads(robot, given)
        if not given:
            return LoadCourse()
        opened, names, expressions = open_loads(given)
        found = [float(evaluate(x, robot.world())) for x in expressions]
        return LoadCourse(opened, tuple(names), lambda t: found)
    first = _loads_at(robot, loads, 0.0)
    opened, names, _ = open_loads(first)

    def values(t: float) -> list[float]:
        now, _, expressions = open_loads(_loads_at(robot, loads, t))
        if now != opened:
            raise ArgumentError(f"the loads at t = {t:g} s are other kinds of loads than at t = 0", key="loads")
        return [float(evaluate(x, robot.world())) for x in expressions]

    return LoadCourse(opened, tuple(names), values, False)


def _loads_at(robot: RobotModel, loads: Callable[[float], Any], t: float) -> tuple[Load, ...]:
    try:
        given = tuple(loads(t))
    except TypeError as error:
        raise ArgumentError(f"loads(t) gave no list of loads at t = {t:g} s: {error}", key="loads") from None
    check_loads(robot, given)
    return given


@dataclass(frozen=True)
class Course:
    """The rows of a loop over time. `torque` and `goal` are arrays, things with `at(t)`, or None."""

    loop: ClosedLoop
    torque: Any
    goal: Any
    loads: LoadCourse

    @property
    def constant(self) -> bool:
        """Whether all rows are the same, but for noise."""
        return not hasattr(self.torque, "at") and not hasattr(self.goal, "at") and self.loads.constant

    def rows(self, times: Array, layout: Layout | None = None) -> Array:
        """A row a time: (..., k, size), zeros where `layout` has parts that are not known here."""
        layout = layout or self.loop.row
        parts: list[tuple[str, Any]] = []
        if self.torque is not None:
            parts.append(("torque", self._over(self.torque, times)))
        if self.goal is not None and self.loop.controller is not None:
            if hasattr(self.goal, "at"):
                parts += list(zip(("goal_q", "goal_qd", "goal_qdd"), self.goal.at(times), strict=True))
            else:
                parts.append(("goal_q", self.goal[..., None, :]))
        if self.loads.values is not None:
            instants: Sequence[float] = [0.0] if self.loads.constant else times.tolist()
            parts.append(("loads", np.array([self.loads.values(t) for t in instants])))
        shape = np.broadcast_shapes((len(times), 1), *((*value.shape[:-1], 1) for _, value in parts))
        found = np.zeros((*shape[:-1], layout.size))
        for name, value in parts:
            found[..., layout.slices[name]] = value
        return found

    def _over(self, given: Any, times: Array) -> Array:
        return given.at(times) if hasattr(given, "at") else given[..., None, :]


def check_goal(robot: RobotModel, goal: Any) -> Any:
    """Joint values as an array (..., n), or a trajectory of as many joints as the robot has."""
    if isinstance(goal, Trajectory):
        if goal.n != robot.n:
            raise ArgumentError(f'the goal moves {goal.n} joints; robot "{robot.name}" has {robot.n}', key="goal")
        return goal
    try:
        values = np.asarray(goal, np.float64)
    except (TypeError, ValueError):
        raise ArgumentError("goal is neither joint values nor a trajectory", key="goal") from None
    if values.ndim == 0 or values.shape[-1] != robot.n:
        raise ArgumentError(
            f'goal has shape {values.shape}; robot "{robot.name}" has {robot.n} joints: joint values have shape '
            f"(..., {robot.n})",
            key="goal",
        )
    if not np.isfinite(values).all():
        raise ArgumentError("goal has values that are not finite", key="goal")
    return values
