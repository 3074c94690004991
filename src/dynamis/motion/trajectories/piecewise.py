"""Motions of joints as polynomials piece by piece: what all joint-space trajectories are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import factorial
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from dynamis.motion.trajectories.piece_table import PieceTable
from dynamis.motion.trajectories.trajectory import Array, Motion, MotionError, Peaks, joints, measure, times


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

    def values(self, t: Array, orders: int = 3) -> list[Array]:
        """The motion and its derivatives at times within the breaks; orders 3 is q, qd, qdd."""
        flat = t.ravel()
        found = [np.empty(flat.shape) for _ in range(orders)]
        for part, coefficients, start in self._parts(flat):
            u = flat[part] - start
            for out in found:
                out[part] = _horner(coefficients, u)
                coefficients = _derivative(coefficients)
        first, last = flat <= self.breaks[0], flat >= self.breaks[-1]
        found[0][last] = self.end
        for out, (begin, end) in zip(found[1:], self.rates.T, strict=False):
            out[first], out[last] = begin, end
        return [out.reshape(t.shape) for out in found]

    def _parts(self, t: Array) -> Iterator[tuple[slice, Array, Array | float]]:
        """Which times lie in which pieces; slices where the times are in order."""
        inner = self.breaks[1:-1]
        if t.size > 4 * self.breaks.size and bool((t[1:] >= t[:-1]).all()):
            edges = [0, *np.searchsorted(t, inner, side="left").tolist(), t.size]
            for i, row in enumerate(self.coefficients):
                if edges[i] < edges[i + 1]:
                    yield slice(edges[i], edges[i + 1]), row, float(self.breaks[i])
        else:
            piece = np.searchsorted(inner, t, side="right")
            yield slice(None), np.moveaxis(self.coefficients[piece], -1, 0), self.breaks[piece]

    def extremes(self, order: int) -> tuple[float, float]:
        """The lowest and the highest value of a derivative, from its stationary points: exact, not sampled."""
        c = self.coefficients.T
        for _ in range(order):
            c = _derivative(c)
        h = np.diff(self.breaks)
        # Real parts, held to the piece: where no stationary point lies, just another point of it.
        where = np.clip(_roots(_derivative(c), h), 0.0, h)
        found = [_horner(c, u) for u in (0.0 * h, h, *where)]
        return float(np.min(found)), float(np.max(found))

    @np.errstate(all="ignore")
    def stretched(self, factor: float) -> Profile:
        """The same motion, `factor` times as long; not finite where that is beyond numbers."""
        powers = factor ** -np.arange(self.coefficients.shape[1], dtype=np.float64)
        rates = self.rates * factor ** -np.arange(1.0, self.rates.shape[1] + 1)
        return replace(self, breaks=self.breaks * factor, coefficients=self.coefficients * powers, rates=rates)


@dataclass(frozen=True, eq=False)
class JointTrajectory:
    """A trajectory in joint space: one piecewise polynomial a joint; `kind` is its name.

    `differentiation` says where the velocities and accelerations come from.
    """

    kind: str
    profiles: tuple[Profile, ...]
    differentiation: str = "exact derivatives of the polynomials"

    @property
    def duration(self) -> float:
        """The time [s] that the slowest joint takes."""
        return max(float(profile.breaks[-1]) for profile in self.profiles)

    @property
    def n(self) -> int:
        """The number of joints."""
        return len(self.profiles)

    def __repr__(self) -> str:
        return f"<JointTrajectory {self.kind}: {joints(self.n)}, {self.duration:g} s>"

    def sentences(self) -> list[str]:
        """What is to be known of the motion: how samples were differentiated; else nothing."""
        return [self.differentiation] if self.kind == "sampled" else []

    def at(self, t: ArrayLike) -> Motion:
        """q, qd, qdd at times t [s] of any shape: t.shape + (n,) each. Beyond its ends a joint stands still."""
        table = self._table
        if table is not None and isinstance(t, (float, np.ndarray)):
            given: Array = np.asarray(t)
            # At the ends themselves each profile meets its values to the last bit.
            if given.dtype == np.float64 and table.within(flat := given.ravel()):
                q, qd, qdd = (values.reshape((*given.shape, self.n)) for values in table.at(flat))
                return q, qd, qdd
        q, qd, qdd, _ = self._evaluate(cast(ArrayLike, t), 3)
        return q, qd, qdd

    @cached_property
    def _table(self) -> PieceTable | None:
        own = self.profiles
        return PieceTable.of([p.breaks for p in own], [p.coefficients for p in own], [p.end for p in own])

    def jerk(self, t: ArrayLike) -> Array:
        """The third derivative at times t: t.shape + (n,)."""
        return self._evaluate(t, 4)[3]

    def _evaluate(self, t: ArrayLike, orders: int) -> list[Array]:
        out = [np.zeros((*times(t, 0.0)[0].shape, self.n)) for _ in range(4)]
        for j, profile in enumerate(self.profiles):
            inside, outside = times(t, float(profile.breaks[-1]))
            for k, values in enumerate(profile.values(inside, orders)):
                out[k][..., j] = np.where(outside, 0.0, values) if k and outside.any() else values
        return out

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
        """The same, or an error where times and values are so far apart that coefficients are beyond 1e308."""
        for j, own in enumerate(self.profiles):
            if not all(np.isfinite(x).all() for x in (own.breaks, own.coefficients, own.rates)):
                raise MotionError(
                    f"the {self.kind} of joint {j + 1} has derivatives beyond 1e308; give times and values that are "
                    "nearer to each other in size",
                    joint=j + 1,
                )
        return self

    @property
    def breaks(self) -> Array:
        """The times [s] where a piece of any joint ends."""
        return np.unique(np.concatenate([profile.breaks for profile in self.profiles]))


def profile(durations: Sequence[float], coefficients: Sequence[Sequence[float]], end: float, order: int) -> Profile:
    """Pieces one after the other, from rest to rest in the derivatives below `order`; those that take no time are left
    out."""
    taken = [(h, row) for h, row in zip(durations, coefficients, strict=True) if h > 0]
    width = max(len(row) for _, row in taken)
    rows = np.array([[*row, *[0.0] * (width - len(row))] for _, row in taken], dtype=np.float64)
    return Profile(
        np.concatenate([[0.0], np.cumsum([h for h, _ in taken])]), rows, float(end), np.zeros((2, order - 1))
    )


def resting(position: float, duration: float) -> Profile:
    """A joint that stays where it is."""
    return Profile(np.array([0.0, duration]), np.array([[position]]), position)


def integrated(start: float, end: float, durations: Sequence[float], highest: Sequence[float], order: int) -> Profile:
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
    whole = duration or least
    return JointTrajectory(kind, tuple(p.stretched(whole / float(p.breaks[-1])) for p in profiles)).computable()


def _roots(c: Array, h: Array) -> Array:
    """Real parts of the roots of the polynomials c (d + 1, k), lowest power first, on pieces of length h: (d, k)."""
    d, k = len(c) - 1, c.shape[1]
    scaled = c * h ** np.arange(d + 1.0)[:, None]
    small = np.abs(scaled) <= 1e-15 * np.abs(scaled).max(axis=0)
    degree = d - np.argmin(small[::-1], axis=0)
    found = np.zeros((d, k))
    for e in range(1, d + 1):
        these = np.flatnonzero((degree == e) & ~small.all(axis=0))
        if these.size:
            companion = np.zeros((these.size, e, e))
            companion[:, np.arange(1, e), np.arange(e - 1)] = 1.0
            companion[:, :, -1] = -(scaled[:e, these] / scaled[e, these]).T
            found[:e, these] = (np.linalg.eigvals(companion).real * h[these, None]).T
    return found


def _horner(coefficients: Array, u: Array) -> Array:
    value = np.zeros_like(u) + coefficients[-1]
    for c in coefficients[-2::-1]:
        value = value * u + c
    return value


def _derivative(coefficients: Array) -> Array:
    if len(coefficients) == 1:
        return np.zeros_like(coefficients)
    powers = np.arange(1, len(coefficients), dtype=np.float64)
    return coefficients[1:] * powers.reshape(-1, *[1] * (coefficients.ndim - 1))
