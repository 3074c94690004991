"""Inverse kinematics of any robot: damped least squares from several starts, a batch of targets at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.base.arguments import integer, per_joint, positive, real_array
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.coupling import coupling_matrix, mixed_joints
from dynamis.library import require_robot
from dynamis.model.coordinate import Coordinate
from dynamis.model.joint_limits import JointLimits, joint_limits
from dynamis.motion.inverse_kinematics.damped_step import damped_step
from dynamis.motion.inverse_kinematics.joint_values import values_blocks, values_columns
from dynamis.motion.inverse_kinematics.targets import angle_between, target_array
from dynamis.robot import Robot
from dynamis.telling.blocks import Document, Words
from dynamis.telling.result import Result

MAX_BATCH_STARTS = 256
"""Hard targets are tried from several starts at once, up to so many in a call of the compiled step."""
START_GROWTH = 2
"""Times as many starts as were tried before are tried next, side by side."""
POLISHING_STEPS = 200
"""Steps more from the best pose found of a target that was not reached."""
ONE = np.ones(1)
LIMIT_PENALTY = 1e9
"""Added to the error of a pose that breaks a limit, far above any error in turns and lengths of the arm."""
RANDOM_STREAM = 0x1CE5
"""Sets the random starts apart from other numbers drawn with the same seed."""


@dataclass(frozen=True, eq=False)
class InverseKinematics(Result):
    """Joint values for targets; all fields have the targets' leading axes.

    Where `success` is False, `q` is the nearest pose that was found, and the errors are its distance.
    """

    q: Array
    success: NDArray[np.bool_]
    position_error: Array
    """[m]"""
    orientation_error: Array
    """[rad]; 0 where only a position was asked for."""
    iterations: NDArray[np.int64]
    """The steps from the start that led to `q`."""
    starts: NDArray[np.int64]
    """The starts that were tried; several are tried side by side, and one of them led to `q`."""
    tolerance: float
    oriented: bool
    """Whether orientations were asked for."""
    coordinates: tuple[Coordinate, ...]
    """Those of the robot, which the values `q` are of."""

    def _short(self) -> str:
        return f"{int(self.success.sum())} of {_count(np.array(self.success.size), 'target')} reached"

    def document(self) -> Document:
        """The message, and one row per target: joint values, errors, steps and starts."""
        q = self.q.reshape(-1, self.q.shape[-1])
        before = {"target": np.arange(1, len(q) + 1)}
        turn = {"orientation error [rad]": self.orientation_error.ravel()} if self.oriented else {}
        after = {
            "reached": self.success.ravel(), "position error [m]": self.position_error.ravel(), **turn,
            "steps": self.iterations.ravel(), "starts": self.starts.ravel(),
        }  # fmt: skip
        return Document(
            "",
            (Words(self.message), *values_blocks(self.coordinates, q, before, after)),
            data=self._data,
            columns=lambda: values_columns(self.coordinates, q, {**before, **after}),
            methods=("inverse-kinematics",),
        )

    def _data(self) -> dict[str, Any]:
        return {
            "message": self.message, "joints": [c.name for c in self.coordinates],
            "lengths": [c.length for c in self.coordinates], "q": self.q, "success": self.success,
            "position_error": self.position_error, "orientation_error": self.orientation_error,
            "steps": self.iterations, "starts": self.starts, "tolerance": self.tolerance,
        }  # fmt: skip

    @property
    def message(self) -> str:
        """What was reached, how closely, in how many steps, and how many starts were tried."""
        count = self.success.size
        if count == 0:
            return "no targets"
        if count == 1:
            return self._one()
        if self.success.all():
            most = "at most " if np.ptp(self.starts) else ""
            return (
                f"all {count} targets are reached to {self._worst(self.success)} in at most "
                f"{_count(self.iterations, 'step')} each ({most}{_count(self.starts, 'start')} tried)"
            )
        k = int(np.flatnonzero(~self.success)[0])
        return (
            f"{int(self.success.sum())} of {count} targets are reached; of the others (the first is target {k + 1}) "
            f"the nearest pose found is given, at most {self._worst(~self.success)} away "
            f"({_count(self.starts, 'start')} tried)"
        )

    def _one(self) -> str:
        starts = f"({_count(self.starts, 'start')} tried)"
        if self.success.all():
            return f"the target is reached to {self._worst(self.success)} in {_count(self.iterations, 'step')} {starts}"
        return f"the target is not reached: the nearest pose found is {self._worst(~self.success)} away {starts}"

    def _worst(self, of: NDArray[np.bool_]) -> str:
        position = f"{self.position_error[of].max():.3g} m"
        return f"{position} and {self.orientation_error[of].max():.3g} rad" if self.oriented else position


def inverse_kinematics(
    robot: Robot, target: ArrayLike, *, frame: str = "tool", start: ArrayLike | None = None, tolerance: float = 1e-8,
    starts: int = 100, iterations: int = 40, limits: bool = True, seed: int = 0,
) -> InverseKinematics:  # fmt: skip
    """Joint values (..., n) that bring `frame` to positions (..., 3) [m] or poses (..., 4, 4) in the base frame.

    A target that cannot be reached gives the nearest pose that was found, and `message` says so.

    frame           that is to be there
    start           joint values (..., n) of the first start; default: a random one
    tolerance       [m and rad] within which a target counts as reached
    starts          at most so many; after the first they are drawn within the joint limits, from `seed`
    iterations      at most so many steps per start
    limits          False ignores the joint limits

    >>> import dynamis
    >>> robot = dynamis.load("puma560")
    >>> pose = robot.forward_kinematics([0.1, 0.2, -0.3, 0.4, 0.5, 0.6])
    >>> solution = inverse_kinematics(robot, pose)
    >>> bool(solution.success), bool(abs(robot.forward_kinematics(solution.q) - pose).max() < 1e-7)
    (True, True)
    """
    require_robot(robot)
    targets, oriented = target_array(target)
    positive("tolerance", tolerance, "m and rad")
    integer("starts", starts)
    integer("iterations", iterations)
    integer("seed", seed, 0)
    if not robot.n:
        raise ArgumentError(f'robot "{robot.name}" has no moving joints; no target can be asked of it', key="target")
    batch = targets.shape[: targets.ndim - (2 if oriented else 1)]
    first = None if start is None else _starts(start, batch, robot.n)
    flat = targets.reshape(-1, *targets.shape[len(batch) :])
    search = _Search(robot, frame, flat, limits, tolerance, iterations, seed)
    search.run(first, starts)
    return search.result(batch)


def _starts(start: ArrayLike, batch: tuple[int, ...], n: int) -> Array:
    """One start for every target: (targets, n)."""
    first = real_array("start", start)
    if first is None or first.ndim < 2:
        first = per_joint("start", start, n)
    try:
        values = np.broadcast_to(first, (*batch, n)).reshape(-1, n)
    except ValueError:
        shape = f"({', '.join(map(str, (*batch, n)))})"
        raise ArgumentError(f"start must have the shape {shape}, got {first.shape}", key="start") from None
    if not np.isfinite(values).all():
        raise ArgumentError("start has values that are not finite", key="start")
    return values


class _Search:
    """The targets of a robot's frame, its compiled step, and the best joint values of every target so far."""

    def __init__(
        self, robot: Robot, frame: str, targets: Array, limited: bool, tolerance: float, iterations: int, seed: int
    ) -> None:
        self.robot, self.frame, self.targets, self.oriented = robot, frame, targets, targets.ndim == 3
        self.tolerance, self.most_steps = tolerance, iterations
        # A stream of its own: targets drawn by a test from default_rng(seed) must not be the starts.
        self.rng = np.random.default_rng([seed, RANDOM_STREAM])
        limits, wide = joint_limits(robot), np.full(robot.n, np.inf)
        self.limits = limits if limited else replace(limits, lower=-wide, upper=wide)
        # A joint that reaches every angle is not held back: whole turns are taken off at the end. But not if others are
        # coupled to it: a turn of it need not be one of theirs.
        self.A, _ = coupling_matrix(robot)
        self.turning = self.limits.whole_turn & (np.count_nonzero(self.A, axis=0) == 1)
        self.lower = np.where(self.turning, -np.inf, self.limits.lower)
        self.upper = np.where(self.turning, np.inf, self.limits.upper)
        self.mixed = mixed_joints(robot) if limited else None
        self.length = robot.memo(("lever", frame), lambda: lever(robot, frame))
        self.step = robot.memo(
            ("damped step", frame, self.oriented, limited),
            lambda: damped_step(robot, frame, self.oriented, self.length, self.lower, self.upper),
        )
        count = len(targets)
        self.rows = targets[:, :3, [3, 0, 1, 2]].swapaxes(1, 2).reshape(count, 12) if self.oriented else targets
        self.q, self.cost, self.done = np.zeros((count, robot.n)), np.full(count, np.inf), np.zeros(count, np.bool_)
        self.iterations, self.starts = np.zeros(count, np.int64), np.zeros(count, np.int64)

    def draw(self, count: int) -> Array:
        """Joint values anywhere within the limits, or so that every joint makes a whole turn."""
        slowest = np.where(self.A != 0, np.abs(self.A), 1.0).min(axis=0)
        reach = np.where(self.limits.revolute, np.pi / np.minimum(slowest, 1.0), self.length)
        low = np.where(np.isfinite(self.lower), self.lower, np.minimum(-reach, self.upper - reach))
        high = np.where(np.isfinite(self.upper), self.upper, np.maximum(reach, low + reach))
        return self.rng.uniform(low, high, (count, self.robot.n))

    def run(self, start: Array | None, starts: int) -> None:
        """From `start`, then from more and more random ones at once; the last word is a descent from the best pose."""
        count = len(self.targets)
        self._round(np.arange(count), self.draw(count) if start is None else np.clip(start, self.lower, self.upper))
        attempts = 1
        while attempts < starts and not self.done.all():
            missed = np.flatnonzero(~self.done)
            # Few at first: most targets take one or two, and what was tried in vain is work.
            times = min(starts - attempts, max(1, MAX_BATCH_STARTS // len(missed)), START_GROWTH * attempts)
            self._round(np.repeat(missed, times), self.draw(times * len(missed)))
            attempts += times
        if not self.done.all():
            self._polish(np.flatnonzero(~self.done))
        self.q = whole_turns(self.q, np.zeros(self.robot.n) if start is None else start, self.limits, self.turning)

    def _round(self, which: NDArray[np.intp], q: Array) -> None:
        """From one start for each of `which` (a target may stand there several times, side by side)."""
        np.add.at(self.starts, which, 1)
        target, near = self.rows[which], self.tolerance**2
        for steps in range(self.most_steps + 1):
            dq, error = self.step(q, target, ONE)
            cost = self._cost(q, error)
            better = cost < self.cost[which]
            if better.any():
                # Of several starts of a target the best is written last.
                order = np.flatnonzero(better)[np.argsort(-cost[better], kind="stable")]
                self.q[which[order]], self.cost[which[order]] = q[order], cost[order]
                self.iterations[which[order]] = steps
            self.done[which[(error[:, 1] <= near) & (error[:, 2] <= near) & (cost < LIMIT_PENALTY)]] = True
            moved = np.clip(q + dq, self.lower, self.upper)
            keep = ~self.done[which] & (np.abs(moved - q).max(axis=1) > 1e-13)
            if keep.all():
                q = moved
            else:
                if not keep.any():
                    return
                q, which, target = moved[keep], which[keep], target[keep]

    def _cost(self, q: Array, error: Array) -> Array:
        """E of the damped step, with FORBIDDEN added where a joint that follows several coordinates is at fault."""
        if self.mixed is None or not self.mixed.joints:
            return error[:, 0]
        allowed = self.mixed.limits.within(self.mixed.positions(q))
        return np.where(allowed, error[:, 0], error[:, 0] + LIMIT_PENALTY)

    def _polish(self, which: NDArray[np.intp]) -> None:
        """Down to the bottom from the best pose: Levenberg-Marquardt, whose damping follows what its steps do."""
        q, cost, target = self.q[which], self.cost[which], self.rows[which]
        k = np.ones((len(which), 1))
        for _ in range(POLISHING_STEPS):
            dq, _ = self.step(q, target, k)
            moved = np.clip(q + dq, self.lower, self.upper)
            _, error = self.step(moved, target, k)
            new = self._cost(moved, error)
            better = new < cost
            q, cost = np.where(better[:, None], moved, q), np.where(better, new, cost)
            k = np.where(better[:, None], k / 3, k * 5)
            reached = (error[:, 1:] <= self.tolerance**2).all(axis=1) & (new < LIMIT_PENALTY)
            self.done[which] |= better & reached
            self.iterations[which] += 1
            if np.abs(moved - q).max() <= 1e-13 and np.abs(dq).max() < 1e-13:
                break
        self.q[which], self.cost[which] = q, cost

    def result(self, batch: tuple[int, ...]) -> InverseKinematics:
        """The errors of the joint values as they are given, measured again."""
        pose = self.robot.forward_kinematics(self.q, self.frame)
        p = self.targets[..., :3, 3] if self.oriented else self.targets
        position, turn = np.linalg.norm(pose[..., :3, 3] - p, axis=-1), np.zeros(len(self.q))
        if self.oriented:
            turn = angle_between(pose[..., :3, :3], self.targets[..., :3, :3])
        # Twice the tolerance: whole turns taken off cost a few ulp.
        success = self.done & (position <= 2 * self.tolerance) & (turn <= 2 * self.tolerance)
        return InverseKinematics(
            self.q.reshape(*batch, self.robot.n), success.reshape(batch), position.reshape(batch),
            turn.reshape(batch), self.iterations.reshape(batch), self.starts.reshape(batch), self.tolerance,
            self.oriented, self.robot.coordinates,
        )  # fmt: skip


def _count(numbers: NDArray[np.int64], what: str) -> str:
    """The largest number of something."""
    most = int(numbers.max())
    return f"{most} {what}{'s' * (most != 1)}"


def lever(robot: Robot, frame: str) -> float:
    """The lever of the joints on the frame [m], to weigh metres against radians."""
    q = np.random.default_rng(0).uniform(-np.pi, np.pi, (64, robot.n))
    turns = joint_limits(robot).revolute
    levers = np.linalg.norm(robot.jacobian(q, frame)[:, :3, turns], axis=1)
    length = float(np.sqrt((levers**2).mean())) if levers.size else 1.0
    return length if length > 1e-9 else 1.0


def whole_turns(q: Array, centre: Array, limits: JointLimits, turning: NDArray[np.bool_]) -> Array:
    """Angles of `turning` joints, which reach every one, brought within half a turn of `centre` by whole turns."""
    lower, upper = limits.lower + np.pi, limits.upper - np.pi
    middle = np.clip(centre, np.minimum(lower, upper), np.maximum(lower, upper))
    near = q - 2 * np.pi * np.round((q - middle) / (2 * np.pi))
    return np.where(turning, np.clip(near, limits.lower, limits.upper), q)
