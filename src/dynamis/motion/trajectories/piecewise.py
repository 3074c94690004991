"""Joint motions as piecewise polynomials, which all joint-space trajectories are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import factorial
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.base.arrays import Array
from dynamis.motion.trajectories.document import trajectory_document
from dynamis.motion.trajectories.trajectory import Motion, MotionError, Peaks, clip_times, joint_count, measure
from dynamis.telling.blocks import Document
from dynamis.telling.result import Result

EXACT = "exact derivatives of the polynomials"
MAX_STACKED_COEFFICIENTS = 2**20
"""Coefficients (8 MB) up to which q, qd and qdd are evaluated together, in half the time for one instant: 10 us instead
of 20. Long sampled motions would need as much memory again."""


@dataclass(frozen=True, eq=False)
class Profile:
    """The motion of one joint: on [breaks_i, breaks_i+1] it is sum_p coefficients_ip u^p, u = t - breaks_i.

    `end` is its value at the last break and `rates` (2, k) are its derivatives from the first on at both ends, as many
    as are known, so that they are met to the last bit.
    """

    breaks: Array
    coefficients: Array
    end: float
    rates: Array = field(default_factory=lambda: np.empty((2, 0)))

    def extremes(self, order: int) -> tuple[float, float]:
        """The lowest and the highest value of a derivative, from its stationary points: exact, not sampled."""
        c, h = self.coefficients.T, np.diff(self.breaks)
        for _ in range(order):
            c = _derivative(c)
        # Real parts, held to the piece: where no stationary point lies, just another point of it.
        where = np.clip(_roots(_derivative(c), h), 0.0, h)
        values = np.polyval(c[::-1], np.stack([0.0 * h, h, *where]))
        return float(values.min()), float(values.max())

    @np.errstate(all="ignore")
    def stretched(self, factor: float) -> Profile:
        """The same motion, `factor` times as long; not finite where that is beyond numbers."""
        powers = factor ** -np.arange(self.coefficients.shape[1], dtype=np.float64)
        rates = self.rates * factor ** -np.arange(1.0, self.rates.shape[1] + 1)
        return replace(self, breaks=self.breaks * factor, coefficients=self.coefficients * powers, rates=rates)

    def on(self, breaks: Array, powers: int) -> Array:
        """Coefficients (powers, pieces) between other breaks that include its own; after the last of its own the joint
        stands still."""
        c = np.zeros((powers, len(breaks) - 1))
        moving = breaks[:-1] < self.breaks[-1]
        start, row = breaks[:-1][moving], self.coefficients.T
        for order in range(len(row)):
            c[order, moving] = _evaluate_polynomials(row, self.breaks, start) / factorial(order)
            row = _derivative(row)
        c[0, ~moving] = self.end
        return c


@dataclass(frozen=True, eq=False)
class JointTrajectory(Result):
    """A trajectory in joint space: one piecewise polynomial per joint; `kind` is its name.

    `differentiation` says where the velocities and accelerations come from.
    """

    kind: str
    profiles: tuple[Profile, ...]
    differentiation: str = EXACT

    @property
    def duration(self) -> float:
        """The time [s] that the slowest joint takes."""
        return float(self.breaks[-1])

    @property
    def n(self) -> int:
        """The number of joints."""
        return len(self.profiles)

    def __repr__(self) -> str:
        return f"<JointTrajectory {self.kind}: {joint_count(self.n)}, {self.duration:g} s>"

    def document(self) -> Document:
        """The ends and peaks of every joint, and the motion over time."""
        return trajectory_document(self, self.kind)

    def sentences(self) -> list[str]:
        """How samples were differentiated; nothing for other motions."""
        return [self.differentiation] if self.kind == "sampled" else []

    def at(self, t: ArrayLike) -> Motion:
        """q, qd, qdd at times t [s] of any shape: t.shape + (n,) each. Beyond its ends a joint stands still."""
        values = self._evaluate(t, slice(0, 3))
        return values[..., 0, :], values[..., 1, :], values[..., 2, :]

    def jerk(self, t: ArrayLike) -> Array:
        """The third derivative at times t: t.shape + (n,)."""
        return self._evaluate(t, slice(3, 4))[..., 0, :]

    def _evaluate(self, t: ArrayLike, orders: slice) -> Array:
        """The derivatives of these orders: t.shape + (orders, n)."""
        stacked = self._stacked if orders.start == 0 else None
        if stacked is not None and _is_between(t, self.duration):
            return _evaluate_polynomials(stacked, self.breaks, t)
        inside, outside = clip_times(t, self.duration)
        if stacked is not None:
            values = _evaluate_polynomials(stacked, self.breaks, inside)
        else:
            values = np.stack(
                [_evaluate_polynomials(c, self.breaks, inside) for c in self._derivatives[orders]], axis=-2
            )
        for k, end in enumerate((0.0, self.duration)):
            if (there := inside == end).any():
                values[there] = self._ends[k, orders]
        if outside.any():
            values[outside, max(0, 1 - orders.start) :] = 0.0
        return values

    @cached_property
    def _derivatives(self) -> list[Array]:
        """Coefficients (powers, pieces, n) of q, qd, qdd and the jerk between the breaks of all joints."""
        powers = max(profile.coefficients.shape[1] for profile in self.profiles)
        rows = [x.coefficients.T if x.breaks is self.breaks else x.on(self.breaks, powers) for x in self.profiles]
        derivatives = [np.stack(rows, axis=-1)]
        for _ in range(3):
            derivatives.append(_derivative(derivatives[-1]))
        return derivatives

    @cached_property
    def _stacked(self) -> Array | None:
        """Those of q, qd, qdd side by side (powers, pieces, 3, n); None where that would be large."""
        q, *_ = three = self._derivatives[:3]
        if 3 * q.size > MAX_STACKED_COEFFICIENTS:
            return None
        stacked = np.zeros((*q.shape[:2], 3, self.n))
        for k, c in enumerate(three):
            stacked[: len(c), :, k] = c
        return stacked

    @cached_property
    def _ends(self) -> Array:
        """q, qd, qdd and the jerk at both ends, (2, 4, n): those that were asked for, to the last bit."""
        both = np.array([0.0, self.duration])
        ends = np.stack([_evaluate_polynomials(c, self.breaks, both) for c in self._derivatives], axis=1)
        for j, profile in enumerate(self.profiles):
            orders = profile.rates.shape[1] + 1
            ends[0, 1:orders, j] = profile.rates[0]
            if profile.breaks[-1] == self.duration:
                ends[1, :orders, j] = profile.end, *profile.rates[1]
        return ends

    def peaks(self) -> Peaks:
        """The range of q and the largest |qd|, |qdd|, |jerk| of every joint, from stationary points."""
        ranges = np.array([[profile.extremes(order) for order in range(4)] for profile in self.profiles])
        largest = np.abs(ranges).max(axis=-1)
        return Peaks(ranges[:, 0, 0], ranges[:, 0, 1], largest[:, 1], largest[:, 2], largest[:, 3])

    def with_duration(self, duration: float) -> JointTrajectory:
        """The same motion in another time: velocities scale with 1/T, accelerations with 1/T^2."""
        factor = measure("duration", duration, "s") / self.duration
        return replace(self, profiles=tuple(profile.stretched(factor) for profile in self.profiles)).computable()

    def computable(self) -> JointTrajectory:
        """This trajectory; raises where times and values are so far apart that coefficients are beyond 1e308."""
        for j, profile in enumerate(self.profiles, 1):
            if not all(np.isfinite(x).all() for x in (profile.breaks, profile.coefficients, profile.rates)):
                raise MotionError(
                    f"the {self.kind} of joint {j} has derivatives beyond 1e308; give times and values that are nearer "
                    "to each other in size",
                    joint=j,
                )
        return self

    @cached_property
    def breaks(self) -> Array:
        """The times [s] where a piece of any joint ends."""
        first = self.profiles[0].breaks
        if all(profile.breaks is first for profile in self.profiles):
            return first
        return np.unique(np.concatenate([profile.breaks for profile in self.profiles]))


def profile(durations: Sequence[float], coefficients: Sequence[Sequence[float]], end: float, order: int) -> Profile:
    """Pieces one after the other, from rest to rest in the derivatives below `order`; those that take no time are left
    out."""
    pieces = [(h, row) for h, row in zip(durations, coefficients, strict=True) if h > 0]
    width = max(len(row) for _, row in pieces)
    rows = np.array([[*row, *[0.0] * (width - len(row))] for _, row in pieces], dtype=np.float64)
    return Profile(
        np.concatenate([[0.0], np.cumsum([h for h, _ in pieces])]), rows, float(end), np.zeros((2, order - 1))
    )


def resting(position: float, duration: float) -> Profile:
    """A joint that stays where it is."""
    return Profile(np.array([0.0, duration]), np.array([[position]]), position)


def integrate_pieces(
    start: float, end: float, durations: Sequence[float], highest: Sequence[float], order: int
) -> Profile:
    """From rest with a constant derivative of the given order (2: acceleration, 3: jerk) in every piece."""
    state = [start, *[0.0] * (order - 1)]
    rows: list[list[float]] = []
    for h, x in zip(durations, highest, strict=True):
        row = [*state, x]
        rows.append([value / factorial(p) for p, value in enumerate(row)])
        state = [sum(row[k + p] * h**p / factorial(p) for p in range(order + 1 - k)) for k in range(order)]
    return profile(durations, rows, end, order)


def same_duration(kind: str, profiles: Sequence[Profile], duration: float | None) -> JointTrajectory:
    """The joints slowed down so that all take as long as the slowest, or `duration`, which is not shorter."""
    slowest = max(range(len(profiles)), key=lambda j: profiles[j].breaks[-1])
    least = float(profiles[slowest].breaks[-1])
    if duration is not None and duration < least:
        raise MotionError(
            f"joint {slowest + 1} cannot make its way in {duration:g} s within its limits; it needs T >= {least:.6g} s",
            joint=slowest + 1, needs={"duration": least},
        )  # fmt: skip
    T = duration or least
    return JointTrajectory(kind, tuple(p.stretched(T / float(p.breaks[-1])) for p in profiles)).computable()


def _evaluate_polynomials(c: Array, breaks: Array, t: Any) -> Array:
    """Polynomials c (powers, pieces, ...), lowest power first, at times t: t.shape + (...), by Horner's scheme."""
    piece = cast("NDArray[np.int64]", breaks[1:-1].searchsorted(t, side="right"))
    u = (t - breaks[piece]).reshape(np.shape(t) + (1,) * (c.ndim - 2))
    value: Array = c[-1].take(piece, axis=0)
    for row in c[-2::-1]:
        value = value * u
        value += row.take(piece, axis=0)
    return value


def _derivative(c: Array) -> Array:
    """The coefficients of the derivative, lowest power first along the first axis."""
    if len(c) == 1:
        return np.zeros_like(c)
    return c[1:] * np.arange(1.0, len(c)).reshape(-1, *[1] * (c.ndim - 1))


def _roots(c: Array, h: Array) -> Array:
    """Real parts of the roots of the polynomials c (d + 1, k), lowest power first, on pieces of length h: (d, k)."""
    d, k = len(c) - 1, c.shape[1]
    scaled = c * h ** np.arange(d + 1.0)[:, None]
    small = np.abs(scaled) <= 1e-15 * np.abs(scaled).max(axis=0)
    degree = d - np.argmin(small[::-1], axis=0)
    roots = np.zeros((d, k))
    live = ~small.all(axis=0)
    for e in {*degree[live].tolist()} - {0}:
        these = np.flatnonzero((degree == e) & live)
        companion = np.zeros((these.size, e, e))
        companion[:, np.arange(1, e), np.arange(e - 1)] = 1.0
        companion[:, :, -1] = -(scaled[:e, these] / scaled[e, these]).T
        roots[:e, these] = (np.linalg.eigvals(companion).real * h[these, None]).T
    return roots


def _is_between(t: Any, duration: float) -> bool:
    """Whether floats lie strictly between 0 and the end, where nothing is to be checked or met: a simulation asks for
    one such instant at a time, and the checks would take longer than the polynomials."""
    if not isinstance(t, np.ndarray):
        return isinstance(t, float) and 0.0 < t < duration
    times = cast(Array, t)
    return times.dtype == np.float64 and times.size > 0 and bool(times.min() > 0.0 and times.max() < duration)
