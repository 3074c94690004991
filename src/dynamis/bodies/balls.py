"""Ball arithmetic on Taylor series: numbers that know how far off they may be.

A ball mid +- rad holds every value that a quantity may have, rounding included (van der Hoeven, Ball arithmetic,
2009). Here a quantity is a Taylor series sum_m c_m t^m along one direction of a cell, each coefficient a ball that
holds c_m at every point of the cell (Moore, Methods and Applications of Interval Analysis, 1979, chapter 3): the
last coefficient then bounds a derivative over the whole cell. Arrays are over many cells at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dynamis.arrays import Array

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Balls:
    """Coefficients mid +- rad, shape (order + 1, k); a radius is inf where nothing is known.

    >>> x = Balls.of([0.5, 1.0, 0.0], [0.5, 0.0, 0.0])  # x + t, x anywhere in [0, 1]
    >>> square = x * x  # x^2 + 2 x t + t^2
    >>> square.mid[:, 0], square.rad[:, 0].round(9)
    (array([0.5, 1. , 1. ]), array([0.5, 1. , 0. ]))
    """

    mid: Array
    rad: Array

    @classmethod
    def of(cls, mid: object, rad: object = 0.0) -> Balls:
        """From the coefficients of one series, or of many: shape (order + 1,) or (order + 1, k)."""
        middle = np.asarray(mid, dtype=np.float64)
        middle = middle[:, None] if middle.ndim == 1 else middle
        radius = np.asarray(rad, dtype=np.float64)
        radius = radius[:, None] if radius.ndim == 1 else radius
        return cls(middle, np.broadcast_to(radius, middle.shape))

    @classmethod
    def constant(cls, value: Fraction | float, length: int) -> Balls:
        """A number as a series of `length` coefficients."""
        mid, rad = np.zeros((length, 1)), np.zeros((length, 1))
        mid[0] = near = float(value)
        rad[0] = 0.0 if Fraction(near) == value else EPS * abs(near)
        return cls(mid, rad)

    @property
    def length(self) -> int:
        """The number of coefficients: 1 for plain numbers."""
        return len(self.mid)

    def __add__(self, other: Balls) -> Balls:
        mid = self.mid + other.mid
        return _sound(mid, self.rad + other.rad + EPS * np.abs(mid))

    def __neg__(self) -> Balls:
        return Balls(-self.mid, self.rad)

    def __sub__(self, other: Balls) -> Balls:
        return self + -other

    def __mul__(self, other: Balls) -> Balls:
        """c_k = sum_i a_i b_(k-i); 1 times a is a itself, and the square of a is not negative."""
        if self._is_one():
            return other
        n = self.length
        a, b = np.abs(self.mid), np.abs(other.mid)
        mid = _convolved(self.mid, other.mid)
        rounding = other.rad + (n + 2) * EPS * b
        found = _sound(mid, _convolved(a, rounding) + _convolved(self.rad, b + other.rad))
        if self is other:
            least = np.where((self.low < 0) & (self.high > 0), 0.0, np.minimum(np.abs(self.low), np.abs(self.high)))
            with np.errstate(over="ignore"):
                square = between(least**2, self.size[0] ** 2)
            found.mid[0], found.rad[0] = square.mid[0], square.rad[0]
        return found

    def _is_one(self) -> bool:
        return self.mid.shape[1] == 1 and self.mid[0, 0] == 1 and not (self.mid[1:].any() or self.rad.any())

    def __truediv__(self, other: Balls) -> Balls:
        """q_k = (a_k - sum_(i>0) b_i q_(k-i)) / b_0; nothing is known where b_0 may be 0."""
        inverse = reciprocal(other.first)
        mid, rad = _broad(self, other)
        for k in range(self.length):
            left = Balls(self.mid[k : k + 1], self.rad[k : k + 1])
            if k:
                left = left - dot(other, Balls(mid, rad), k)
            found = left * inverse
            mid[k], rad[k] = found.mid[0], found.rad[0]
        return Balls(mid, rad)

    @property
    def first(self) -> Balls:
        """The value, without its derivatives."""
        return Balls(self.mid[:1], self.rad[:1])

    @property
    def low(self) -> Array:
        """No value is below, shape (k,)."""
        low: Array = self.mid[0] - self.rad[0]
        return low - EPS * np.abs(low)

    @property
    def high(self) -> Array:
        """No value is above, shape (k,)."""
        high: Array = self.mid[0] + self.rad[0]
        return high + EPS * np.abs(high)

    @property
    def size(self) -> Array:
        """The largest size that each coefficient may have."""
        return (np.abs(self.mid) + self.rad) * (1 + EPS)

    @property
    def is_constant(self) -> Array:
        """Where the derivatives are exactly 0, shape (k,)."""
        return np.all(self.size[1:] == 0, axis=0)


def between(low: Array, high: Array) -> Balls:
    """The balls around intervals that were found with a few roundings."""
    with np.errstate(invalid="ignore"):
        mid, rad = (low + high) / 2, (high - low) / 2 + 8 * EPS * np.maximum(np.abs(low), np.abs(high))
    return _sound(mid[None], rad[None])


def reciprocal(value: Balls) -> Balls:
    """1 / value of plain numbers."""
    low, high = value.low, value.high
    away = (low > 0) | (high < 0)
    with np.errstate(all="ignore"):
        found = between(1 / np.where(away, high, 1.0), 1 / np.where(away, low, 1.0))
    return Balls(np.where(away, found.mid, 0.0), np.where(away, found.rad, np.inf))


def dot(a: Balls, b: Balls, k: int) -> Balls:
    """sum_(i=1..k) a_i b_(k-i), a plain number."""
    first = Balls(a.mid[1 : k + 1], a.rad[1 : k + 1])
    second = Balls(b.mid[k - 1 :: -1] if k else b.mid[:0], b.rad[k - 1 :: -1] if k else b.rad[:0])
    size = np.abs(second.mid)
    mid = np.sum(first.mid * second.mid, axis=0)
    rad = np.sum(
        _product(np.abs(first.mid), second.rad + (k + 2) * EPS * size) + _product(first.rad, size + second.rad), axis=0
    )
    return _sound(mid[None], rad[None])


def _convolved(a: Array, b: Array) -> Array:
    """sum_i a_i b_(k-i), for every k."""
    n = len(a)
    found = np.zeros((n, np.broadcast_shapes(a.shape[1:], b.shape[1:])[0]))
    rows, others = np.flatnonzero(a.any(axis=1)), np.flatnonzero(b.any(axis=1))
    if len(others) < len(rows):
        a, b, rows = b, a, others
    product = _product if np.isinf(a).any() or np.isinf(b).any() else np.multiply
    with np.errstate(all="ignore"):
        for i in rows:
            found[i:] += product(a[i], b[: n - i])
    return found


def _product(a: Array, b: Array) -> Array:
    """What is exactly 0 stays 0 beside what is unknown."""
    with np.errstate(all="ignore"):
        found: Array = a * b
    found[np.isnan(found)] = 0.0
    return found


def _sound(mid: Array, rad: Array) -> Balls:
    """With the rounding of the radius itself; what overflowed is unknown."""
    with np.errstate(all="ignore"):
        wrong = ~np.isfinite(mid) | np.isnan(rad)
        if wrong.any():
            return Balls(np.where(wrong, 0.0, mid), np.where(wrong, np.inf, rad * (1 + 64 * EPS)))
        return Balls(mid, rad * (1 + 64 * EPS))


def _broad(a: Balls, b: Balls) -> tuple[Array, Array]:
    shape = (a.length, np.broadcast_shapes(a.mid.shape[1:], b.mid.shape[1:])[0])
    return np.zeros(shape), np.zeros(shape)
