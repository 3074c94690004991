"""The shortest time along a path under limits of velocity, acceleration and torque (TOPP-RA).

A backward pass finds from which speeds the end can still be reached, a forward pass takes the largest speed that can;
each step is a linear program in (sdd, sd^2), solved by the toppra package. Between grid points sdd is constant, so that
s(t), and with it q, qd, qdd, is exact. The limits are then looked at between the grid points too, and where a motion
exceeds them there (by the square of the grid's step), it is slowed down as a whole until it does not.

Source: H. Pham, Q.-C. Pham, A new approach to time-optimal path parameterization based on reachability analysis,
IEEE Trans. Robotics 34(3), 2018.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from dynamis.errors import ArgumentError
from dynamis.model.loads import Load, check_loads
from dynamis.motion.limits import joint_limits
from dynamis.motion.load_over_time import LoadOverTime
from dynamis.motion.path_limits import PathLimits
from dynamis.motion.piecewise import JointTrajectory, Profile
from dynamis.motion.sampled import end_slope
from dynamis.motion.spline import chord_times, through, waypoint_array
from dynamis.motion.targets import check_robot
from dynamis.motion.tool_trajectory import ToolTrajectory
from dynamis.motion.trajectory import (
    Array,
    Motion,
    MotionError,
    Peaks,
    Trajectory,
    joints,
    peaks_of_looks,
    positive_limits,
)
from dynamis.plain import Gravity
from dynamis.robot import Robot

ROUNDS = 5
"""Of viscous friction, where there is any, at the speeds of the round before."""
LARGEST = 1e8
"""sd^2 where no velocity limit bounds it."""
SAID = 20
"""Of the phases, how many a table names."""
BETWEEN = 1e-6
"""Slower by this, for what lies between those points."""
WITHIN = 9
"""Points in every step of the grid where the limits are looked at."""


@dataclass(frozen=True, eq=False)
class Phase:
    """From `start` to `end` [s] the motion is held back by `limit`, such as "torque of joint 2"."""

    start: float
    end: float
    limit: str


@dataclass(frozen=True, eq=False)
class ShortestTime:
    """The fastest motion along a path: `law` is s(t), `limits` what it keeps."""

    limits: PathLimits
    law: JointTrajectory
    active: tuple[str, ...]
    """What holds the motion back in each step of the grid: the limit that is used most there."""
    share: Array
    """How much of that limit is used in each step, 1 at the limit."""

    @property
    def duration(self) -> float:
        """[s]"""
        return self.law.duration

    @property
    def n(self) -> int:
        """The number of joints."""
        return self.limits.path.n

    @property
    def grid(self) -> Array:
        """The times [s] where the steps of the grid begin, and the last one's end."""
        return self.law.profiles[0].breaks

    def __repr__(self) -> str:
        count = len(self.phases())
        return f"<ShortestTime: {joints(self.n)}, {self.duration:g} s, {count} phase{'s' * (count != 1)}>"

    def sentences(self) -> list[str]:
        """What is to be known of the motion: which limit holds it back, and when."""
        found = [f"{phase.start:.3f} .. {phase.end:.3f} s: held back by the {phase.limit}" for phase in self.phases()]
        left = len(found) - SAID
        return found if left <= 0 else [*found[:SAID], f"... and {left} more: see phases() of the motion"]

    def at(self, t: ArrayLike) -> Motion:
        """q, qd, qdd at times t [s]: t.shape + (n,) each."""
        s, sd, sdd = self.law.at(t)
        q, first, second = self.limits.path.at(np.clip(s[..., 0], 0.0, self.limits.path.duration))
        # + 0.0: what is at rest has no sign.
        return q, first * sd + 0.0, first * sdd + second * sd**2 + 0.0

    def peaks(self) -> Peaks:
        """The range of q and the largest |qd|, |qdd| of every joint, looked for at thousands of instants; no jerk."""
        return peaks_of_looks(self, self.law.breaks)

    def phases(self) -> list[Phase]:
        """What holds the motion back, in order of time."""
        steps = list(enumerate(self.active))
        runs = [(name, [k for k, _ in run]) for name, run in groupby(steps, key=lambda step: step[1])]
        return [Phase(float(self.grid[run[0]]), float(self.grid[run[-1] + 1]), name) for name, run in runs]


def shortest_time(
    robot: Robot, path: ArrayLike | Trajectory, *, velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None, effort: ArrayLike | None = None, steps: int = 500,
    loads: Sequence[Load] = (), gravity: Gravity = True,
) -> ShortestTime:  # fmt: skip
    """From rest to rest along a path in the shortest time within limits of velocity, acceleration and torque.

    `path` is a list of waypoints (k, n), joined by a cubic spline, a tool's way (`tool_line`, `tool_arc`), or any
    trajectory that does not stand still on its way. Limits that are not given are the robot's own (it has none of
    acceleration). The torques are those under `loads`, which are constant, in `gravity`. Needs
    `pip install "dynamis[motion]"`.
    """
    check_robot(robot)
    way = _way(path)
    if way.n != robot.n:
        raise ArgumentError(f'the path is of {joints(way.n)}; robot "{robot.name}" has {robot.n}', key="path")
    if isinstance(cast(Any, steps), bool) or not isinstance(cast(Any, steps), int) or steps < 10:
        raise ArgumentError(f"steps is {steps!r}; it is a whole number from 10", key="steps")
    if any(isinstance(load, LoadOverTime) for load in loads):
        raise ArgumentError("a load over time has no place here: when the robot is where, is sought", key="loads")
    check_loads(robot, loads)
    known = joint_limits(robot)
    v = known.velocity if velocity is None else positive_limits("velocity", velocity, robot.n)
    a = np.full(robot.n, np.inf) if acceleration is None else positive_limits("acceleration", acceleration, robot.n)
    tau = known.effort if effort is None else positive_limits("effort", effort, robot.n)
    if not (np.isfinite(a).any() or np.isfinite(tau).any()):
        raise MotionError("nothing bounds the acceleration; give acceleration=... or effort=...")
    limits = PathLimits(robot, way, v, a, tau, tuple(loads), gravity)
    s = _grid(way, steps)
    _check(limits, s)
    sd = _speeds(limits, s, None)
    if limits.damping().any():
        for _ in range(ROUNDS):
            sd = _speeds(limits, s, sd)
    return _within(limits, s, sd)


def _way(path: Any) -> Trajectory:
    """The path over s with q' not 0: a tool's way over 1, waypoints over their distances."""
    if isinstance(path, ToolTrajectory):
        return path.uniform()
    if isinstance(path, Trajectory):
        return path
    q = waypoint_array(path)
    t = chord_times(q, None)
    return through(q, t, 3, end_slope(t[:5], q[:5], 0), end_slope(t[-5:], q[-5:], -1))


def _check(limits: PathLimits, s: Array) -> None:
    """The path moves everywhere, and the robot can stand still everywhere on it."""
    q, first, _ = limits.path.at(s)
    speed = np.abs(first).max(axis=-1)
    if speed.min() <= 1e-9 * speed.max():
        k = int(np.argmin(speed))
        raise MotionError(
            f"the path stands still at {s[k] / s[-1]:.0%} of its way, where it gives no direction; "
            "give waypoints, or the way of a tool"
        )
    hold = np.abs(limits.robot.inverse_dynamics(q, loads=limits.loads, gravity=limits.gravity)) / limits.effort
    if hold.max() >= 1:
        k, j = np.unravel_index(int(np.argmax(hold)), hold.shape)
        needs = float(hold[k, j] * limits.effort[j])
        what = "gravity and loads take" if limits.loads else "gravity takes"
        raise MotionError(
            f"joint {j + 1} cannot hold the arm at {s[k] / s[-1]:.0%} of the way: {what} {needs:.4g} of its "
            f"{limits.effort[j]:.4g} {limits.robot.joints[int(j)].unit}; it needs an effort > {needs:.4g}",
            joint=int(j) + 1, needs={"effort": needs},
        )  # fmt: skip


def _grid(way: Trajectory, steps: int) -> Array:
    """About `steps` equal steps, with a point wherever a piece of the path ends (there q'' has a corner)."""
    ends = way.breaks if isinstance(way, JointTrajectory) else np.array([0.0, way.duration])
    counts = np.maximum(np.ceil(np.diff(ends) / way.duration * steps), 2).astype(np.intp)
    points = [a + (b - a) * i / k for a, b, k in zip(ends[:-1], ends[1:], counts, strict=True) for i in range(k)]
    return np.array([*points, ends[-1]], dtype=np.float64)


def _speeds(limits: PathLimits, s: Array, sd: Array | None) -> Array:
    """sd at the grid's points, by toppra."""
    try:
        toppra: Any = import_module("toppra")
    except ImportError:
        raise ArgumentError('shortest_time needs the package toppra: pip install "dynamis[motion]"') from None
    a, b, c, limit, largest_x = limits.rows(s, sd)
    # Each step of the grid keeps its limits at both of its ends: x at the far end is x + 2 h u.
    after, h = np.minimum(np.arange(1, len(s) + 1), len(s) - 1), np.append(np.diff(s), 0.0)[:, None]
    a, b, c = np.hstack([a, a[after] + 2 * h * b[after]]), np.hstack([b, b[after]]), np.hstack([c, c[after]])
    m = a.shape[1]
    F = np.vstack([np.eye(m), -np.eye(m)])
    g = np.concatenate([limit[0]] * 4)
    x = np.stack([np.zeros(len(s)), np.minimum(largest_x, LARGEST)], axis=1)
    base: Any = toppra.constraint.LinearConstraint

    class Rows(base):
        """The rows as toppra wants them: F (a u + b x + c) <= g."""

        def compute_constraint_params(self, path: Any, gridpoints: Any, *_: Any, **__: Any) -> Any:
            """What toppra asks for."""
            return a, b, c, F, g, None, x

    rows: Any = Rows()
    rows.identical = True
    instance = toppra.algorithm.TOPPRA([rows], _Geometry(limits.path), gridpoints=s, solver_wrapper="seidel")
    _, found, _, _ = instance.compute_parameterization(0.0, 0.0, return_data=True)
    if found is None or not np.isfinite(found).all():
        raise MotionError(
            "no motion along the path keeps the limits: somewhere the torques that hold the arm on it leave nothing; "
            "give more effort or acceleration"
        )
    return np.asarray(found, dtype=np.float64)


class _Geometry:
    """A path as toppra asks for it."""

    def __init__(self, path: Trajectory) -> None:
        self.path = path
        self.dof = path.n
        self.path_interval = np.array([0.0, path.duration])

    def __call__(self, s: Any, order: int = 0) -> Any:
        return self.path.at(s)[order]


def _within(limits: PathLimits, s: Array, sd: Array) -> ShortestTime:
    """The motion of these speeds, slowed down as a whole until its limits hold between the grid's points too."""
    h = np.diff(s)
    u = np.diff(sd**2) / (2 * h)
    x = np.linspace(0.0, 1.0, WITHIN)
    inside = s[:-1, None] + h[:, None] * x
    speed = np.sqrt(np.maximum(sd[:-1, None] ** 2 + 2 * u[:, None] * h[:, None] * x, 0.0))
    across = np.broadcast_to(u[:, None], inside.shape)

    def shares(factor: float) -> Array:
        return limits.shares(inside.ravel(), speed.ravel() / factor, across.ravel() / factor**2)

    slower = 1.0
    if (shares(1.0).max()) > 1.0:
        low, slower = 1.0, 1.001
        while shares(slower).max() > 1.0:
            low, slower = slower, 1 + 2 * (slower - 1)
            if slower > 1e3:
                raise MotionError("the motion could not be brought within its limits; give more effort or more steps")
        for _ in range(30):
            middle = (low + slower) / 2
            low, slower = (low, middle) if shares(middle).max() <= 1.0 else (middle, slower)
    slower *= 1 + BETWEEN
    used = shares(slower).reshape(len(h), WITHIN, -1).mean(axis=1)
    most = [int(k) for k in used.argmax(axis=1)]
    durations = 2 * h / (sd[:-1] + sd[1:]) * slower
    coefficients = np.stack([s[:-1], sd[:-1] / slower, u / slower**2 / 2], axis=1)
    breaks = np.concatenate([[0.0], np.cumsum(durations)])
    law = JointTrajectory("shortest time", (Profile(breaks, coefficients, float(s[-1]), np.zeros((2, 1))),))
    names = limits.names
    return ShortestTime(limits, law, tuple(names[k] for k in most), used[np.arange(len(h)), most])
