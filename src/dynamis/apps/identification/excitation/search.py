"""The search for an exciting motion: quasi-Newton steps on a criterion and a barrier, the best motion that keeps all
limits kept.

    minimise   f(X) + mu b(X)      over the coefficients X of a periodic curve, mu smaller from stage to stage

A step may leave the limits a little. What is kept is the motion shrunk towards its mean until it keeps them, also
between its samples, so that the search can be stopped at any time. It starts from the best of some random motions,
and is D-optimal at first whatever the criterion: log det is smooth everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from math import log
from typing import Any

import numpy as np

from dynamis.apps.identification.excitation.curves import Curve, Matrices, instants, motion_of, smaller
from dynamis.apps.identification.excitation.information import CONDITION_WEIGHT, Information
from dynamis.apps.identification.excitation.limits import MotionLimits
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError

Stage = tuple[str, int, float]
"""Criterion, power of its p-norm, and mu."""
STAGES: dict[str, tuple[Stage, ...]] = {
    "balanced": (("determinant", 1, 1e-1), ("balanced", 8, 1e-2), ("balanced", 8, 1e-2)),
    "determinant": (("determinant", 1, 1e-1), ("determinant", 1, 1e-2), ("determinant", 1, 1e-2)),
    "condition": (("determinant", 1, 1e-1), ("condition", 4, 1e-2), ("condition", 12, 1e-2)),
}
"""Each has its share of the iterations that are left."""
RANDOM_STARTS = 30
"""Random motions that are tried: the best of them has half the condition number of a typical one."""
RANDOM_POSES = 2000
"""Random poses among which their means are."""
CHECK_REFINEMENT, MAX_OVERSHOOT = 4, 1.002
"""Limits are checked at so many times the samples of the search, or more: so that none is missed by more than this."""
BISECTION_STEPS = 12
"""What is lost of a motion that torques or the tool hold back: at most 1/4096."""


@dataclass(frozen=True)
class Iteration:
    """A motion that kept all limits: its condition number and log det(W^T W), scaled to all samples of a period."""

    number: int
    condition: float
    log_determinant: float


@dataclass
class Search:
    """The state of a search."""

    information: Information
    limits: MotionLimits
    curve: Curve
    criterion: str
    points: int
    """Samples of a period in the search."""
    count: int
    """Samples of a period for the controller."""
    best: Array = field(default_factory=lambda: np.empty(0))
    best_value: float = np.inf
    history: list[Iteration] = field(default_factory=list[Iteration])
    ended: str = ""

    def __post_init__(self) -> None:
        self.samples = self.curve.matrices(instants(self.curve, self.points))
        finer = CHECK_REFINEMENT * self.points
        while self.curve.overshoot(finer) > MAX_OVERSHOOT:
            finer = 5 * finer // 4
        self.finer = self.curve.matrices(instants(self.curve, finer))
        limits, n = self.limits, self.limits.robot.n
        span = (limits.upper - limits.lower)[:n] / 2
        bounds = span, limits.velocity[:n], limits.acceleration[:n]
        largest = [np.maximum(np.abs(B).max(axis=0), 1e-12) for B in self.samples]
        # What a coefficient can be at most, alone: all steps are then of one size.
        self.scale: Array = np.min([b / size[:, None] for b, size in zip(bounds, largest, strict=True)], axis=0)

    def run(self, iterations: int, seed: int, progress: Callable[[str], None]) -> None:
        """Search; Ctrl-C ends it, and the best motion so far stays."""
        rng = np.random.default_rng(seed)
        try:
            x = self._start(rng)
            self._keep(x, 0)
            stages = STAGES[self.criterion]
            for k, stage in enumerate(stages):
                count = (iterations - self.number) // (len(stages) - k)
                x = self._stage(x, stage, count, lambda at: progress(f"{self.number} of {iterations} iterations, {at}"))
            self.ended = f"after {self.number} iterations{', converged' * (self.number < iterations)}"
        except KeyboardInterrupt:
            if not self.history:
                raise
            self.ended = f"interrupted after {self.number} of {iterations} iterations"

    @property
    def number(self) -> int:
        """Of iterations so far."""
        return self.history[-1].number

    def _stage(self, X: Array, stage: Stage, count: int, progress: Callable[[str], None]) -> Array:
        """At most `count` iterations from coefficients X, and those that it ends with."""
        if not count:
            return X

        def told(x: Array) -> None:
            self._keep(self._coefficients(x), self.number + 1)
            at = self.history[-1]
            progress(f"condition {at.condition:.4g}, log det {at.log_determinant:.5g}")

        minimize: Any = import_module("scipy.optimize").minimize
        x0 = np.divide(X - self._offset, self.scale, out=np.zeros_like(X), where=self.scale > 0)
        with np.errstate(over="ignore", invalid="ignore"):
            options = {"maxiter": count, "gtol": 1e-7}
            found = minimize(self.value, x0.ravel(), stage, "BFGS", jac=True, callback=told, options=options)
        return self._coefficients(found.x)

    def value(self, x: Array, criterion: str, power: int, mu: float) -> tuple[float, Array]:
        """f + mu b at coefficients over their scales, and its gradient."""
        motion = motion_of(self._coefficients(x), self.samples)
        f, along = self.information.value(motion, criterion, power)
        b, away = self.limits.penalty(motion)
        gradient = sum(B.T @ (u + mu * v) for B, u, v in zip(self.samples, along, away, strict=True))
        return f + mu * b, (gradient * self.scale).ravel()

    def shrunk(self, X: Array, matrices: Matrices) -> Array | None:
        """The motion shrunk towards its mean until it keeps all limits; None where the mean itself does not."""
        overshoot = self.curve.overshoot(len(matrices[0]))

        def keeps(share: float) -> bool:
            return self.limits.beyond(motion_of(smaller(self.curve, X, share), matrices), overshoot) <= 0

        low, high = 0.0, self.limits.linear_share(motion_of(X, matrices), overshoot)
        if keeps(high):
            return smaller(self.curve, X, high)
        if not keeps(0.0):
            return None
        for _ in range(BISECTION_STEPS):
            middle = (low + high) / 2
            low, high = (middle, high) if keeps(middle) else (low, middle)
        return smaller(self.curve, X, low)

    def _keep(self, X: Array, number: int) -> None:
        """Take a motion into the history and, where it is better, as the best one."""
        inside = self.shrunk(X, self.finer)
        if inside is None:
            if self.history:
                self.history.append(Iteration(number, self.history[-1].condition, self.history[-1].log_determinant))
            return
        condition, log_determinant = self.information.figures(motion_of(inside, self.samples))
        told = self.information.directions.shape[1]
        log_determinant += told * log(self.count / self.points)
        self.history.append(Iteration(number, condition, log_determinant))
        value = condition if self.criterion == "condition" else -log_determinant / told
        if self.criterion == "balanced":
            value += CONDITION_WEIGHT * log(condition)
        if value < self.best_value or not self.best.size:
            self.best, self.best_value = inside, value

    def _start(self, rng: np.random.Generator) -> Array:
        """The best of random motions around poses that keep all limits."""
        best, least = None, np.inf
        for pose in self._poses(rng):
            around = 0.5 * self.scale * rng.normal(size=self.scale.shape)
            around -= smaller(self.curve, around, 0.0)
            X = self.shrunk(np.outer(self.curve.level, pose) + around, self.samples)
            if X is None:
                continue
            f = -self.information.figures(motion_of(X, self.samples))[1]
            best, least = (X, f) if best is None or f < least else (best, least)
        assert best is not None  # a pose keeps all limits, and a motion around it can be small
        return best

    def _poses(self, rng: np.random.Generator) -> Iterator[Array]:
        """Means of the random motions: poses far from all limits; without a tool's region the middle is one."""
        limits, n = self.limits, self.limits.robot.n
        half = (limits.upper - limits.lower)[:n] / 2
        tried = limits.middle + 0.7 * half * rng.uniform(-1, 1, (RANDOM_POSES, n))
        tried[0] = limits.middle
        room = _room(limits, tried)
        if room.max() <= 0:
            nearest = [_nearer(limits, pose) for pose in tried[np.argsort(-room)[:5]]]
            tried = np.vstack([tried, nearest])
            room = _room(limits, tried)
        if room.max() <= 0:
            raise ArgumentError(
                "no pose was found in which the robot stands still within its limits"
                + (" with its tool where the box and the planes allow it" if len(limits.planes) else "")
                + "; make them wider",
                key="box" if len(limits.planes) else "torque",
            )
        order = np.argsort(-room)
        good = tried[order[: max(1, min(int((room > 0).sum()), 10 * RANDOM_STARTS))]]
        for k in range(RANDOM_STARTS):
            yield good[k % len(good)] if k % 2 else good[int(rng.integers(len(good)))]

    @property
    def _offset(self) -> Array:
        return np.outer(self.curve.level, self.limits.middle)

    def _coefficients(self, x: Array) -> Array:
        return self._offset + self.scale * x.reshape(self.scale.shape)


def _room(limits: MotionLimits, poses: Array) -> Array:
    """How far poses (k, n) are from the nearest limit when the robot stands still there, relative."""
    still = np.zeros_like(poses)
    room = np.full(len(poses), np.inf)
    for signal in limits.signals((poses, still, still)):
        if signal.name in ("velocity", "acceleration"):
            continue
        locked = signal.upper == signal.lower
        least = np.minimum(signal.values - signal.lower, signal.upper - signal.values) / signal.scale
        room = np.minimum(room, np.where(locked, np.inf, least).min(axis=1, initial=np.inf))
    return room


def _nearer(limits: MotionLimits, pose: Array) -> Array:
    """The pose moved until the barrier is least: inside of the limits, where there is a way."""
    half = (limits.upper - limits.lower)[: limits.robot.n] / 2

    def value(x: Array) -> tuple[float, Array]:
        q = (limits.middle + half * x)[None]
        f, (gradient, _, _) = limits.penalty((q, np.zeros_like(q), np.zeros_like(q)))
        return f, gradient[0] * half

    x0 = np.divide(pose - limits.middle, half, out=np.zeros_like(pose), where=half > 0)
    minimize: Any = import_module("scipy.optimize").minimize
    return limits.middle + half * minimize(value, x0, method="L-BFGS-B", jac=True).x
