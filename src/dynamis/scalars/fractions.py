"""Exact fractions: numbers, and rotations by right angles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dynamis.base.expressions.expression import Expression, multiple_of_pi
from dynamis.scalars.cosines import cosine_and_sine
from dynamis.scalars.scalars import Scalars, evaluate


@dataclass(frozen=True)
class Fractions(Scalars[Fraction]):
    """Rational numbers, with the values of parameters; what is not rational is refused.

    >>> Fractions().sign(Fraction(-2, 3))
    Fraction(-1, 1)
    """

    values: Mapping[str, Expression] = field(default_factory=dict[str, Expression])

    def constant(self, value: Fraction) -> Fraction:
        return value

    def parameter(self, name: str) -> Fraction:
        return evaluate(self.values[name], self) if name in self.values else self.refuse(f"value of {name}")

    def cos_sin_of(self, angle: Expression) -> tuple[Fraction, Fraction]:
        turn = multiple_of_pi(angle, self.values)
        pair = None if turn is None else cosine_and_sine(turn)
        if pair is None or any(radicand > 1 for _, radicand in pair):
            self.refuse(f"cosine of {angle}")
        return pair[0][0], pair[1][0]

    def sign(self, x: Fraction, /) -> Fraction:
        return Fraction((x > 0) - (x < 0))

    def least(self, x: Fraction, y: Fraction, /) -> Fraction:
        return min(x, y)

    def greatest(self, x: Fraction, y: Fraction, /) -> Fraction:
        return max(x, y)

    def nearest(self, x: Fraction, /) -> Fraction:
        return Fraction(round(x))
