"""Intervals, many at a time: arrays of lower and upper ends that hold every real result, rounding included.

Sums, products, quotients and roots of IEEE 754 are right to half a unit in the last place, so that the next number
outward is a bound. NumPy promises less for sines and cosines: these come from FLINT, whose balls are rigorous.

Source: R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval Analysis, 2009, chapters 2 and 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb

from dynamis.base.arrays import Array

UNIT_ROUNDOFF, LEAST_POSITIVE = 2.3e-16, 5e-324
"""More than 2^-52, and the least positive number."""
ANGLE_MARGIN = 1e-9
"""How near to a multiple of pi an end must be [rad] for the extreme there to count as inside."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From `lo` to `hi`, entry by entry; either may be infinite."""

    lo: Array
    hi: Array

    def __add__(self, other: Interval) -> Interval:
        return _outward(self.lo + other.lo, self.hi + other.hi)

    def __sub__(self, other: Interval) -> Interval:
        return _outward(self.lo - other.hi, self.hi - other.lo)

    def __neg__(self) -> Interval:
        return Interval(-self.hi, -self.lo)

    def __mul__(self, other: Interval) -> Interval:
        a, b, c, d = self.lo * other.lo, self.lo * other.hi, self.hi * other.lo, self.hi * other.hi
        return _outward(np.minimum(np.minimum(a, b), np.minimum(c, d)), np.maximum(np.maximum(a, b), np.maximum(c, d)))

    def __truediv__(self, other: Interval) -> Interval:
        """All numbers where the divisor may be 0."""
        whole = (other.lo <= 0) & (other.hi >= 0)
        inverse = _outward(1 / np.where(whole, 1.0, other.hi), 1 / np.where(whole, 1.0, other.lo))
        x = self * inverse
        return Interval(np.where(whole, -np.inf, x.lo), np.where(whole, np.inf, x.hi))

    @property
    def square(self) -> Interval:
        """Never negative, as x * x would be."""
        a, b = self.lo * self.lo, self.hi * self.hi
        least = np.where((self.lo <= 0) & (self.hi >= 0), 0.0, np.minimum(a, b))
        return Interval(np.maximum(np.nextafter(least, -np.inf), 0.0), np.nextafter(np.maximum(a, b), np.inf))

    @property
    def size(self) -> Array:
        """The largest |x|."""
        return np.maximum(np.abs(self.lo), np.abs(self.hi))

    def sqrt(self) -> Interval:
        """Of the part that is not negative."""
        lo, hi = np.sqrt(np.maximum(self.lo, 0.0)), np.sqrt(np.maximum(self.hi, 0.0))
        return Interval(np.maximum(np.nextafter(lo, -np.inf), 0.0), np.nextafter(hi, np.inf))

    def cos(self) -> Interval:
        return self._wave(0.0)

    def sin(self) -> Interval:
        return self._wave(0.5)

    def _wave(self, at: float) -> Interval:
        """cos(x - at pi), whose extremes are at x = (k + at) pi."""
        ends = _cosines if at == 0 else _sines
        (a, b), (c, d) = ends(self.lo), ends(self.hi)
        lo, hi = np.minimum(a, c), np.maximum(b, d)

        def holds(place: float) -> Any:
            return np.floor((self.hi + ANGLE_MARGIN) / (2 * np.pi) - place) >= np.ceil(
                (self.lo - ANGLE_MARGIN) / (2 * np.pi) - place
            )

        return Interval(np.where(holds(at / 2 + 0.5), -1.0, lo), np.where(holds(at / 2), 1.0, hi))

    def least(self, other: Interval) -> Interval:
        return Interval(np.minimum(self.lo, other.lo), np.minimum(self.hi, other.hi))

    def greatest(self, other: Interval) -> Interval:
        return Interval(np.maximum(self.lo, other.lo), np.maximum(self.hi, other.hi))

    def hull(self, other: Interval) -> Interval:
        """The smallest that holds both."""
        return Interval(np.minimum(self.lo, other.lo), np.maximum(self.hi, other.hi))

    def sign(self) -> Interval:
        return Interval(np.sign(self.lo), np.sign(self.hi))

    def rounded(self) -> Interval:
        return Interval(np.rint(self.lo), np.rint(self.hi))


def exactly(x: Any) -> Interval:
    """The interval of one number, or of one for each entry."""
    value = np.asarray(x, float)
    return Interval(value, value)


ZERO = exactly(0.0)


def _outward(lo: Array, hi: Array) -> Interval:
    """One number further out at least: a unit in the last place is at most 2^-52 |x|. NumPy's nextafter is slower."""
    return Interval(
        lo - (np.abs(lo) * UNIT_ROUNDOFF + LEAST_POSITIVE), hi + (np.abs(hi) * UNIT_ROUNDOFF + LEAST_POSITIVE)
    )


def _cosines(x: Array) -> tuple[Array, Array]:
    return _by_flint(x, 0)


def _sines(x: Array) -> tuple[Array, Array]:
    return _by_flint(x, 1)


def _by_flint(x: Array, which: int) -> tuple[Array, Array]:
    """Bounds of cos x or sin x; ends of boxes are few different numbers."""
    numbers, places = np.unique(x, return_inverse=True)
    pairs = np.array([_bounds(float(value))[which] for value in numbers])
    return pairs[places, 0].reshape(np.shape(x)), pairs[places, 1].reshape(np.shape(x))


@lru_cache(maxsize=2**17)
def _bounds(x: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Bounds of cos x and of sin x."""
    if not np.isfinite(x):
        return (-1.0, 1.0), (-1.0, 1.0)
    s, c = arb(x).sin_cos()
    return _ends(c), _ends(s)


def _ends(ball: arb) -> tuple[float, float]:
    return float(np.nextafter(float(ball.lower()), -2.0)), float(np.nextafter(float(ball.upper()), 2.0))
