"""Fixed angles taken apart: a rational multiple of pi, and multiples of named angles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import Expression, Number, Parameter, Pi, Product, Quotient, Sum

RIGHT_ANGLES: Mapping[tuple[Any, Any], str] = {(0, 1): "0", (1, 0): "pi/2", (0, -1): "pi", (-1, 0): "-pi/2"}
"""(sine, cosine) -> the angle."""
MAX_MULTIPLE = 24
MAX_PRIME = 100_000
# A fixed angle that is at most so many times another one has no symbols of its own.
MAX_SHARED = 4


@dataclass(frozen=True)
class Angle:
    """pi * (a rational) + the sum of (a rational) * (a named angle) [rad].

    A named angle is a parameter, another expression in parameters, or a number of radians.
    """

    pi: Fraction = Fraction(0)
    named: Mapping[Expression, Fraction] = field(default_factory=dict[Expression, Fraction])

    def __add__(self, other: Angle) -> Angle:
        named = dict(self.named)
        for name, factor in other.named.items():
            named[name] = named.get(name, Fraction(0)) + factor
        return Angle(self.pi + other.pi, {name: factor for name, factor in named.items() if factor})

    def __mul__(self, factor: Fraction) -> Angle:
        return Angle(self.pi * factor, {name: f * factor for name, f in self.named.items() if factor})


def angle_of(expression: Expression, values: Mapping[str, Expression]) -> Angle:
    """An angle's expression taken apart; parameters in `values` stand for their values.

    >>> from dynamis.base.expressions.parser import parse
    >>> angle_of(parse("pi/2 - 2*alpha"), {})
    Angle(pi=Fraction(1, 2), named={alpha: Fraction(-2, 1)})
    """
    constant, angle = _parts(expression, values)
    if constant:
        angle = angle + Angle(named={Number(abs(constant)): Fraction(1 if constant > 0 else -1)})
    if any(abs(factor.numerator) > MAX_MULTIPLE for factor in angle.named.values()):
        raise ArgumentError(f'angle "{expression}" takes a named angle more than {MAX_MULTIPLE} times')
    return angle


def _parts(expression: Expression, values: Mapping[str, Expression]) -> tuple[Fraction, Angle]:
    """(radians, the rest): numbers are kept apart until all of them are added up."""
    match expression:
        case Number(v):
            return v, Angle()
        case Pi():
            return Fraction(0), Angle(Fraction(1))
        case Parameter(name) if name in values:
            return _parts(values[name], {})
        case Sum(a, b):
            left, right = _parts(a, values), _parts(b, values)
            return left[0] + right[0], left[1] + right[1]
        case Product(Number(v), b):
            constant, angle = _parts(b, values)
            return constant * v, angle * v
        case Quotient(a, Number(v)):
            constant, angle = _parts(a, values)
            return constant / v, angle * (1 / v)
        case _:
            return Fraction(0), Angle(named={expression: Fraction(1)})


def turns_and_radians(angle: Expression | None) -> tuple[Fraction, Fraction] | None:
    """(multiple of pi, radians), one of them 0, of an angle that is a rational number of one of the two; else None.

    >>> from dynamis.base.expressions.parser import parse
    >>> turns_and_radians(parse("37/180*pi")), turns_and_radians(parse("3/10")), turns_and_radians(parse("alpha"))
    ((Fraction(37, 180), Fraction(0, 1)), (Fraction(0, 1), Fraction(3, 10)), None)
    """
    match angle:
        case Number(radians):
            return Fraction(0), radians
        case Product(Number(turns), Pi()):
            return turns, Fraction(0)
        case _:
            return None


def octant(turn: Fraction) -> Fraction:
    """The angle from 0 to pi/4, in units of pi, that has the same sine and cosine up to order and sign.

    >>> [str(octant(Fraction(degrees, 180)) * 180) for degrees in (37, 53, 127, -37, 233)]
    ['37', '37', '37', '37', '37']
    """
    rest = turn % Fraction(1, 2)
    return min(rest, Fraction(1, 2) - rest)


def multiple_of(angle: Fraction, unit: Fraction, most: int = MAX_SHARED) -> tuple[int, Fraction] | None:
    """(k, t) with angle = k unit + t, t a multiple of 1/2 (a right angle, in units of pi) and |k| <= most."""
    for k in range(1, most + 1):
        for times in (k, -k):
            rest = angle - times * unit
            if 2 % rest.denominator == 0:
                return times, rest
    return None


def generators(turns: Iterable[Fraction]) -> list[Fraction]:
    """Angles of the first quadrant of which all of `turns` are small multiples, up to right angles.

    Of angles with the same sines and cosines the smallest is taken that is written.

    >>> [str(180 * x) for x in generators(Fraction(degrees, 180) for degrees in (37, 53, 36, 72, 111))]
    ['72', '37']
    """
    written: dict[Fraction, Fraction] = {}
    for rest in sorted((turn % Fraction(1, 2) for turn in turns), reverse=True):
        written[octant(rest)] = rest
    kept = sorted(written)
    parents: set[Fraction] = set()
    for angle in kept[::-1]:
        others = [unit for unit in kept if unit != angle and multiple_of(angle, unit) is not None]
        if others and angle not in parents:
            parents.add(others[0])
            kept.remove(angle)
    return [written[angle] for angle in kept]


def prime_factors(n: int) -> dict[int, int]:
    """The primes of n with their powers; a cofactor without small primes counts as one."""
    powers: dict[int, int] = {}
    prime = 2
    while prime * prime <= n and prime < MAX_PRIME:
        while n % prime == 0:
            powers[prime] = powers.get(prime, 0) + 1
            n //= prime
        prime += 1 + (prime > 2)
    if n > 1:
        powers[n] = powers.get(n, 0) + 1
    return powers
