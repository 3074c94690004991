"""Exact scalars: a model's expressions as polynomials of a ring that has the symbols they need.

Fixed angles are exact: multiples of 15 degrees through the roots of 2 and 3, any other angle as a
named angle with a sine and a cosine of its own, sums of angles by the addition theorems. So
nothing is ever rounded. Fixed angles that are up to four times another one, up to right angles (37, 53, 111 degrees),
share its symbols; other named angles are taken as independent of each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import Expression, Number, Quotient
from dynamis.scalars.cosines import HALF, cosine_and_sine
from dynamis.scalars.exact.angles import MAX_MULTIPLE, angle_of, multiple_of, prime_factors, turns_and_radians
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import PI, angle_text, root
from dynamis.scalars.scalars import Scalars, evaluate

Pair = tuple[Exact, Exact]


@dataclass(frozen=True)
class ExactScalars(Scalars[Exact]):
    """The elements of `ring`; parameters in `values` are numbers, others symbols.

    `units` says which fraction of a parameter is the named angle, so that alpha/2 and alpha share one.
    """

    ring: Ring
    values: Mapping[str, Expression]
    units: Mapping[str, int]

    @property
    def zero(self) -> Exact:
        return self.ring.zero

    @property
    def one(self) -> Exact:
        return self.ring.one

    def constant(self, value: Fraction) -> Exact:
        return self.ring.number(value)

    def pi(self) -> Exact:
        return self.ring.scalar(PI)

    def parameter(self, name: str) -> Exact:
        return evaluate(self.values[name], self) if name in self.values else self.ring.scalar(name)

    def cos_sin_of(self, angle: Expression) -> Pair:
        parts = angle_of(angle, self.values)
        pair = self._of_pi(parts.pi)
        for named, factor in parts.named.items():
            unit, steps = self._unit(named)
            pair = added_angles(pair, multiple_angle(self._pair(unit), int(factor * steps), self))
        return pair

    def _pair(self, angle: str) -> Pair:
        return self.ring.scalar(f"cos({angle})"), self.ring.scalar(f"sin({angle})")

    def _unit(self, named: Expression) -> tuple[str, int]:
        """(the text of the angle that has symbols, how many times it is taken) for a named angle."""
        unit, angle = angle_text(unit_angle(named, self.units)), turns_and_radians(named)
        if unit not in self._angles and angle is not None:
            for other, fixed in self._angles.items():
                radians = fixed[1] if fixed is not None else 0
                if radians and 1 < angle[1] / radians <= MAX_MULTIPLE and (angle[1] / radians).denominator == 1:
                    return other, int(angle[1] / radians)
        return unit, self.units.get(str(named), 1)

    @cached_property
    def _angles(self) -> dict[str, tuple[Fraction, Fraction] | None]:
        """The angles of the ring; those that are numbers with their multiple of pi and their radians."""
        return {sine.of: turns_and_radians(sine.angle) for sine, _ in self.ring.angles}

    def sqrt_of(self, argument: Expression) -> Exact:
        value = evaluate(argument, self).terms()
        constant = value.get(next(iter(value), ()), Fraction(0))
        if len(value) > 1 or any(e for exponents in value for e in exponents):
            raise ArgumentError(f"sqrt({argument}) has symbols under the root; give them values, or name the root")
        if constant < 0:
            raise ArgumentError(f"sqrt({argument}) is the root of a negative number")
        result = self.ring.number(Fraction(1, constant.denominator))
        for prime, power in prime_factors(constant.numerator * constant.denominator).items():
            result = result.times(prime ** (power // 2))
            if power % 2:
                result = result * self.ring.scalar(root(prime))
        return result if constant else self.ring.zero

    def _of_pi(self, turn: Fraction) -> Pair:
        """cos and sin of turn * pi."""
        if (pair := cosine_and_sine(turn)) is not None:
            return self._rooted(*pair[0]), self._rooted(*pair[1])
        quarter, rest = divmod(turn % 2, HALF)
        if 12 % rest.denominator == 0:
            pair = added_angles(self._of_pi(rest - Fraction(1, 4)), self._of_pi(Fraction(1, 4)))
        else:
            pair = self._of_fixed(rest)
        return added_angles(pair, self._of_pi(quarter * HALF)) if quarter else pair

    def _of_fixed(self, turn: Fraction) -> Pair:
        """cos and sin of turn * pi by those of an angle with symbols, of which it is a multiple up to right angles."""
        units = {name: fixed[0] for name, fixed in self._angles.items() if fixed is not None and fixed[0]}
        ways = [(*way, name) for name, unit in units.items() if (way := multiple_of(turn, unit, MAX_MULTIPLE))]
        if not ways:
            return self._pair(f"{turn}*pi")
        times, rest, name = min(ways, key=lambda way: abs(way[0]))
        return added_angles(multiple_angle(self._pair(name), times, self), self._of_pi(rest))

    def _rooted(self, factor: Fraction, radicand: int) -> Exact:
        return self.ring.scalar(root(radicand)).times(factor) if radicand > 1 else self.ring.number(factor)


def unit_angle(named: Expression, units: Mapping[str, int]) -> Expression:
    """The fraction of a named angle that has symbols."""
    parts = units.get(str(named), 1)
    return named if parts == 1 else Quotient(named, Number(Fraction(parts)))


def added_angles(a: Pair, b: Pair) -> Pair:
    """cos and sin of the sum of two angles."""
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


def multiple_angle(pair: Pair, times: int, scalars: ExactScalars) -> Pair:
    if times < 0:
        pair, times = (pair[0], -pair[1]), -times
    total = scalars.ring.number(1), scalars.ring.zero
    for _ in range(times):
        total = added_angles(total, pair)
    return total
