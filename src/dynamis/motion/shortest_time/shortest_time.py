"""The shortest time along a path under limits of velocity, acceleration and torque (TOPP-RA).

Between the points of a grid over s, sdd is constant, so that s(t), and with it q, qd, qdd, is exact. The largest
speeds come from TOPP-RA (`speeds.py`), with the limits at both ends of every step (`limits.py`) and narrow steps
around the reversals of joints with dry friction (`grid.py`). The limits are then checked within the steps too: a
step that exceeds one gets less of it in the next round, and what is left at last, some 1e-5, is taken off by slowing
down the whole motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arguments import integer
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.coupling import mixed_joints
from dynamis.compute.quantities.arguments import Gravity
from dynamis.library import require_robot
from dynamis.model.joint_limits import joint_limits
from dynamis.model.loads import Load, check_loads
from dynamis.motion.load_over_time import LoadOverTime
from dynamis.motion.position_limits import PositionLimits
from dynamis.motion.shortest_time.grid import REVERSAL_HALF_WIDTH, path_grid
from dynamis.motion.shortest_time.limits import PathLimits
from dynamis.motion.shortest_time.speeds import NoSpeedError, largest_speeds
from dynamis.motion.tool_paths.trajectory import ToolTrajectory
from dynamis.motion.trajectories.document import motion_figure
from dynamis.motion.trajectories.piecewise import JointTrajectory, Profile
from dynamis.motion.trajectories.sampled import end_slope
from dynamis.motion.trajectories.spline import chord_times, of_any_times, through, waypoint_array
from dynamis.motion.trajectories.trajectory import (
    Motion,
    MotionError,
    Peaks,
    Trajectory,
    joint_count,
    positive_limits,
    sampled_peaks,
)
from dynamis.robot import Robot
from dynamis.telling.blocks import Column, Document, Items, Section, Table
from dynamis.telling.result import Result
from dynamis.telling.series import motion_columns

MAX_ROUNDS = 8
"""Each with the viscous friction and the margins that the one before showed to be needed."""
VISCOUS_ROUNDS = 3
"""Rounds at first, where there is viscous friction, until its speeds are about right and margins mean something."""
LIMIT_TOLERANCE = 3e-5
"""Beyond a limit by no more than this, the motion is slowed down instead."""
LISTED_PHASES = 20
"""Phases that a table names."""
SLOWDOWN_MARGIN = 1e-6
"""Slower by this, for what lies between the points where the limits are checked."""


@dataclass(frozen=True, eq=False)
class Phase:
    """From `start` to `end` [s] the motion is held back by `limit`, such as "torque of joint 2"."""

    start: float
    end: float
    limit: str


@dataclass(frozen=True, eq=False)
class ShortestTime(Result):
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
        return f"<ShortestTime: {joint_count(self.n)}, {self.duration:g} s, {count} phase{'s' * (count != 1)}>"

    def sentences(self) -> list[str]:
        """What is to be known of the motion: which limit holds it back, and when."""
        lines = [f"{phase.start:.3f} .. {phase.end:.3f} s: held back by the {phase.limit}" for phase in self.phases()]
        left = len(lines) - LISTED_PHASES
        return lines if left <= 0 else [*lines[:LISTED_PHASES], f"... and {left} more: see phases() of the motion"]

    def document(self) -> Document:
        """What holds the motion back, and how far and how fast every joint moves; CSV has the motion over time."""
        coordinates, peaks = self.limits.robot.coordinates, self.peaks()
        values = zip(peaks.lowest, peaks.highest, peaks.velocity, peaks.acceleration, strict=True)
        rows = tuple(
            (j, c.name, float(low), float(high), c.length, float(v), f"{c.length}/s", float(a), f"{c.length}/s^2")
            for j, (c, (low, high, v, a)) in enumerate(zip(coordinates, values, strict=True), 1)
        )
        low, high, v, a = (Column(head, form="fixed") for head in ("lowest", "highest", "peak |qd|", "peak |qdd|"))
        table = Table(("", "joint", low, high, "unit", v, "unit", a, "unit"), rows, keys=2)
        title = f"{self.limits.robot.name}: {self.duration:.6g} s along its path"
        phases = Section(title, (Items(tuple(self.sentences())),), "phases")
        joints = Section("How far and how fast", (table,), "joints")
        blocks = phases, joints, motion_figure(self)
        return Document("", blocks, data=self._data, columns=self._columns, methods=("shortest-time",))

    def _data(self) -> dict[str, Any]:
        coordinates = self.limits.robot.coordinates
        return {
            "robot": self.limits.robot.name, "duration": self.duration, "joints": [c.name for c in coordinates],
            "lengths": [c.length for c in coordinates], "phases": [asdict(phase) for phase in self.phases()],
            "peaks": asdict(self.peaks()),
        }  # fmt: skip

    def _columns(self) -> dict[str, Array]:
        t, lengths = self.grid, [c.length for c in self.limits.robot.coordinates]
        return {"t [s]": t} | motion_columns(lengths, *self.at(t))

    def at(self, t: ArrayLike) -> Motion:
        """q, qd, qdd at times t [s]: t.shape + (n,) each."""
        s, sd, sdd = self.law.at(t)
        q, first, second = self.limits.path.at(np.clip(s[..., 0], 0.0, self.limits.path.duration))
        # + 0.0: what is at rest has no sign.
        return q, first * sd + 0.0, first * sdd + second * sd**2 + 0.0

    def peaks(self) -> Peaks:
        """The range of q and the largest |qd|, |qdd| of every joint, sampled at thousands of instants; no jerk."""
        return sampled_peaks(self, self.law.breaks)

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

    path            waypoints (k, n), joined by a cubic spline; a tool's path (`tool_line`, `tool_arc`); or any
                    trajectory that nowhere stands still
    velocity        limit [rad/s or m/s], one for all joints or (n,); default: the robot's own; joints that follow
                    several coordinates keep their own in any case
    acceleration    limit [rad/s^2 or m/s^2]; default: none
    effort          limit of the torques [N m or N]; default: the robot's own
    steps           of the grid over the path
    loads, gravity  under which the torques are taken; the loads are constant
    """
    require_robot(robot)
    way = _way(path)
    if way.n != robot.n:
        raise ArgumentError(f'the path has {joint_count(way.n)}; robot "{robot.name}" has {robot.n}', key="path")
    integer("steps", steps, 10)
    if any(isinstance(load, LoadOverTime) for load in loads):
        raise ArgumentError("a load over time has no place here: when the robot is where, is sought", key="loads")
    check_loads(robot, loads)
    robot_limits = joint_limits(robot)
    v = robot_limits.velocity if velocity is None else positive_limits("velocity", velocity, robot.n)
    a = np.full(robot.n, np.inf) if acceleration is None else positive_limits("acceleration", acceleration, robot.n)
    tau = robot_limits.effort if effort is None else positive_limits("effort", effort, robot.n)
    if not (np.isfinite(a).any() or np.isfinite(tau).any()):
        raise MotionError("nothing bounds the acceleration; give acceleration=... or effort=...")
    v = np.concatenate([v, mixed_joints(robot).limits.velocity])
    limits = PathLimits(robot, way, v, a, tau, tuple(loads), gravity)
    s = path_grid(way, steps, limits.coulomb > 0)
    _check(limits, s)
    return _fastest(limits, s)


def _way(path: Any) -> Trajectory:
    """The path over s with q' not 0: a tool's way over 1, waypoints over their distances."""
    if isinstance(path, ToolTrajectory):
        return path.uniform()
    if isinstance(path, Trajectory):
        return path
    q = waypoint_array(path)
    t = chord_times(q, None)
    with of_any_times():
        return through(q, t, 3, end_slope(t[:5], q[:5], 0), end_slope(t[-5:], q[-5:], -1)).computable()


def _check(limits: PathLimits, s: Array) -> None:
    """The path moves everywhere, the robot can stand still everywhere on it, and joints that follow several coordinates
    stay within their limits; of coordinates themselves the torque budget says when they leave them.
    """
    q, first, _ = limits.path.at(s)
    PositionLimits(limits.robot, "choose another path").check(q, s / s[-1], coordinates=False)
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
            f"{limits.effort[j]:.4g} {limits.robot.coordinates[int(j)].unit}; it needs an effort > {needs:.4g}",
            joint=int(j) + 1, needs={"effort": needs},
        )  # fmt: skip


def _fastest(limits: PathLimits, s: Array) -> ShortestTime:
    """The fastest motion over a grid.

    Limits hold at the ends of every step; where one does not hold within a step, or where viscous friction was not as
    its tangent said, the step has less of that limit in the next round. What is left after the last round is slowed
    down as a whole.
    """
    h = np.diff(s)
    margins = np.ones((len(h), len(limits.names)))
    sd, sdd, peaks = np.empty(0), np.empty(0), np.empty(0)
    for k in range(MAX_ROUNDS):
        speeds = sd if k and limits.damping.any() else None
        try:
            sd, sdd = largest_speeds(h, *limits.rows(s, speeds, margins), limits.largest_x(s, margins))
        except NoSpeedError as error:
            raise MotionError(
                f"no motion along the path keeps the limits at {s[error.step] / s[-1]:.0%} of its way: the torques "
                "that hold the arm there leave nothing to move it; give more effort or acceleration"
            ) from None
        peaks = limits.peaks(s, sd, sdd)
        if k < VISCOUS_ROUNDS and limits.damping.any():
            continue
        if peaks.max() <= 1 + LIMIT_TOLERANCE:
            break
        margins = np.minimum(margins / np.maximum(peaks, 0.5), 1.0)  # down where it is needed, and up again
    slower = _slower(limits, s, sd, sdd)
    return _motion(limits, s, sd / slower, sdd / slower**2)


def _slower(limits: PathLimits, s: Array, sd: Array, sdd: Array) -> float:
    """By which factor the motion must be slower for its limits to hold at all points that are checked."""

    def most(factor: float) -> float:
        return float(limits.peaks(s, sd / factor, sdd / factor**2).max())

    excess = most(1.0)
    if excess <= 1.0:
        return 1 + SLOWDOWN_MARGIN
    low, high = 1.0, max(float(np.sqrt(excess)), 1 + SLOWDOWN_MARGIN)  # enough where gravity and friction have no part
    while most(high) > 1.0:
        low, high = high, 1 + 2 * (high - 1)
        if high > 1e3:
            raise MotionError("the motion could not be brought within its limits; give more effort or more steps")
    for _ in range(8 if low > 1.0 else 0):
        middle = (low + high) / 2
        low, high = (low, middle) if most(middle) <= 1.0 else (middle, high)
    return high * (1 + SLOWDOWN_MARGIN)


def _motion(limits: PathLimits, s: Array, sd: Array, sdd: Array) -> ShortestTime:
    """The motion with these speeds, and what holds it back."""
    h = np.diff(s)
    shares = limits.shares(s, sd, sdd).mean(axis=1)
    # A narrow step around a reversal is no phase of its own: it goes with the step before.
    wide = h > 4 * REVERSAL_HALF_WIDTH * s[-1]
    place = np.maximum.accumulate(np.where(wide, np.arange(len(h)), int(np.argmax(wide))))
    most: list[int] = shares.argmax(axis=1)[place].tolist()
    breaks = np.concatenate([[0.0], np.cumsum(2 * h / (sd[:-1] + sd[1:]))])
    coefficients = np.stack([s[:-1], sd[:-1], sdd / 2], axis=1)
    law = JointTrajectory("shortest time", (Profile(breaks, coefficients, float(s[-1]), np.zeros((2, 1))),))
    names = limits.names
    return ShortestTime(limits, law, tuple(names[k] for k in most), shares[np.arange(len(h)), most])
