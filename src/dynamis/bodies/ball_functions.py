"""Functions of Taylor series of balls, and the world in which expressions become such series.

A function f of a series a has the value f(a_0) and, from f(a)' = f'(a) a', the coefficients

    c_k = 1/k sum_(i=1..k) i a_i d_(k-i)        d the series of f'(a)

(Moore 1979, section 3.4). Where f' grows beyond all bounds (sqrt at 0) or f has a corner or a jump (abs, sign at 0),
the higher coefficients are unknown, and only the value and, for abs, the first derivative are bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from dynamis.arrays import Array
from dynamis.bodies.balls import EPS, Balls, between, dot
from dynamis.errors import ArgumentError
from dynamis.expressions.expression import Expression, evaluate

Monotone = Callable[[Array], Array]


@dataclass(frozen=True)
class BallWorld:
    """The world of series with `length` coefficients; `values` are those of the letters, `known` sines were found."""

    values: Mapping[str, Balls]
    length: int = 1
    known: dict[Expression, tuple[Balls, Balls]] = field(default_factory=dict[Expression, tuple[Balls, Balls]])

    def number(self, value: Fraction) -> Balls:
        """A rational number."""
        return Balls.constant(value, self.length)

    def pi(self) -> Balls:
        """The number pi."""
        found = Balls.constant(np.pi, self.length)
        return Balls(found.mid, np.where(found.mid > 0, 2 * EPS, 0.0))

    def parameter(self, name: str) -> Balls:
        """The value of a letter."""
        return self.values[name]

    def cos_sin(self, angle: Expression) -> tuple[Balls, Balls]:
        """Cosine and sine of an expression."""
        if angle not in self.known:
            self.known[angle] = cos_sin(evaluate(angle, self))
        return self.known[angle]

    def sqrt(self, argument: Expression) -> Balls:
        """The square root of an expression."""
        return self.function("sqrt", argument)

    def function(self, name: str, argument: Expression) -> Balls:
        """One of FUNCTIONS of an expression."""
        value = evaluate(argument, self)
        try:
            return FUNCTIONS[name](value)
        except _OutsideError as error:
            raise ArgumentError(f"{name}({argument}) is {error} inside the body", key="density") from None


class _OutsideError(Exception):
    """Nothing of a ball lies where the function is defined."""


def exp(a: Balls) -> Balls:
    """e^a."""
    found = _start(a, _monotone(np.exp, a))
    for k in _orders(a):
        _fill(found, k, _term(a, found, k))
    return found


def log(a: Balls) -> Balls:
    """The natural logarithm."""
    if np.any(a.high <= 0):
        raise _OutsideError("the logarithm of a number that is not positive")
    with np.errstate(all="ignore"):
        value = between(np.log(np.maximum(a.low, 0.0)), np.log(a.high))
    return _integrated(value, _one(a) / a, a)


def sqrt(a: Balls) -> Balls:
    """The square root; unknown derivatives where a may be 0."""
    if np.any(a.high < 0):
        raise _OutsideError("the root of a negative number")
    found = _start(a, between(np.sqrt(np.maximum(a.low, 0.0)), np.sqrt(np.maximum(a.high, 0.0))))
    half = Balls.constant(0.5, 1) / found.first
    for k in _orders(a):
        # From s^2 = a: s_k = (a_k - sum of s_i s_(k-i) for 0 < i < k) / (2 s_0).
        rest = Balls(a.mid[k : k + 1], a.rad[k : k + 1]) - dot(found, found, k)
        _fill(found, k, rest * half)
    return found


def cos_sin(a: Balls) -> tuple[Balls, Balls]:
    """Cosine and sine together, each the derivative of the other."""
    width = a.rad[:1]
    values: list[Balls] = []
    for function in (np.cos, np.sin):
        middle = function(a.mid[0])
        reach = np.minimum(width[0], 2.0) + 8 * EPS * (1 + np.abs(a.mid[0]))
        values.append(between(np.maximum(middle - reach, -1.0), np.minimum(middle + reach, 1.0)))
    cosine, sine = _start(a, values[0]), _start(a, values[1])
    for k in _orders(a):
        _fill(cosine, k, -_term(a, sine, k))
        _fill(sine, k, _term(a, cosine, k))
    return cosine, sine


def absolute(a: Balls) -> Balls:
    """|a|; where a may be 0, its slope is at most that of a and the rest is unknown."""
    sign = np.where(a.low >= 0, 1.0, np.where(a.high <= 0, -1.0, 0.0))
    least = np.where(sign == 0, 0.0, np.minimum(np.abs(a.low), np.abs(a.high)))
    value = between(least, np.maximum(np.abs(a.low), np.abs(a.high)))
    mid, rad = sign * a.mid, np.where(sign == 0, _jump(a), a.rad)
    mid[0], rad[0] = np.where(sign == 0, value.mid[0], mid[0]), np.where(sign == 0, value.rad[0], rad[0])
    if a.length > 1:
        rad[1] = np.where(sign == 0, a.size[1], rad[1])
    return Balls(mid, rad)


def sign(a: Balls) -> Balls:
    """-1, 0 or 1; where a may be 0, anything between -1 and 1."""
    known = np.where(a.low > 0, 1.0, np.where(a.high < 0, -1.0, 0.0))
    zero = (a.low == 0) & (a.high == 0)
    mid, rad = np.zeros(a.mid.shape), np.where((known == 0) & ~zero, _jump(a), 0.0)
    mid[0], rad[0] = known, np.where((known == 0) & ~zero, 1.0, 0.0)
    return Balls(mid, rad)


def tan(a: Balls) -> Balls:
    """Sine over cosine."""
    cosine, sine = cos_sin(a)
    return sine / cosine


def atan(a: Balls) -> Balls:
    """The angle with the tangent a."""
    return _integrated(_monotone(np.arctan, a), _one(a) / (_one(a) + a * a), a)


def asin(a: Balls) -> Balls:
    """The angle with the sine a."""
    if np.any(a.low > 1) or np.any(a.high < -1):
        raise _OutsideError("the angle of a sine beyond 1")
    value = between(np.arcsin(np.clip(a.low, -1, 1)), np.arcsin(np.clip(a.high, -1, 1)))
    # Rounding at the ends, where the slope is infinite, stays inside the value of the clipped ends.
    return value if a.length == 1 else _integrated(value, _one(a) / sqrt(_one(a) - a * a), a)


def acos(a: Balls) -> Balls:
    """pi/2 - asin."""
    half = Balls.constant(np.pi / 2, a.length)
    return Balls(half.mid, np.where(half.mid > 0, EPS, 0.0)) - asin(a)


def sinh(a: Balls) -> Balls:
    """The hyperbolic sine."""
    return Balls.constant(0.5, a.length) * (exp(a) - exp(-a))


def cosh(a: Balls) -> Balls:
    """The hyperbolic cosine."""
    return Balls.constant(0.5, a.length) * (exp(a) + exp(-a))


def tanh(a: Balls) -> Balls:
    """The hyperbolic tangent; 1/cosh^2 is its slope."""
    value = _monotone(np.tanh, a)
    if a.length == 1:
        return value
    slope = _one(a) / cosh(a)
    return _integrated(value, slope * slope, a)


FUNCTIONS: Mapping[str, Callable[[Balls], Balls]] = {
    "sin": lambda a: cos_sin(a)[1], "cos": lambda a: cos_sin(a)[0], "tan": tan, "sqrt": sqrt, "exp": exp, "log": log,
    "abs": absolute, "sign": sign, "asin": asin, "acos": acos, "atan": atan, "sinh": sinh, "cosh": cosh, "tanh": tanh,
}  # fmt: skip


def _monotone(function: Monotone, a: Balls) -> Balls:
    with np.errstate(all="ignore"):
        return between(function(a.low), function(a.high))


def _one(a: Balls) -> Balls:
    return Balls.constant(1.0, a.length)


def _start(a: Balls, value: Balls) -> Balls:
    """A series to be filled in, with its value."""
    found = Balls(np.zeros(a.mid.shape), np.zeros(a.mid.shape))
    found.mid[0], found.rad[0] = value.mid[0], value.rad[0]
    return found


def _fill(series: Balls, k: int, value: Balls) -> None:
    series.mid[k], series.rad[k] = value.mid[0], value.rad[0]


def _orders(a: Balls) -> range:
    """The coefficients after the first; none of a series that does not change."""
    return range(1, a.length if a.mid[1:].any() or a.rad[1:].any() else 1)


def _term(a: Balls, slope: Balls, k: int) -> Balls:
    """1/k sum_(i=1..k) i a_i d_(k-i)."""
    count = np.arange(k + 1)[:, None] / k
    return dot(Balls(count * a.mid[: k + 1], count * (a.rad[: k + 1] + 2 * EPS * np.abs(a.mid[: k + 1]))), slope, k)


def _integrated(value: Balls, slope: Balls, a: Balls) -> Balls:
    """The series that starts at `value` and has the derivative slope a'."""
    found = _start(a, value)
    for k in _orders(a):
        _fill(found, k, _term(a, slope, k))
    return found


def _jump(a: Balls) -> Array:
    """Radii of derivatives: 0 where a does not change along the series, unknown elsewhere."""
    return np.where(a.is_constant, 0.0, np.inf) + np.zeros(a.mid.shape)
