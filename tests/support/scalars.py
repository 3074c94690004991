"""Kinds of scalars that only tests use, and states in exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from dynamis.compute.mechanics.mechanism import Mechanism, State, state_at
from dynamis.scalars.scalars import Scalars


class Symbols(Scalars[Any]):
    """SymPy symbols for every parameter."""

    def constant(self, value: Fraction) -> Any:
        return sympy.Rational(value.numerator, value.denominator)

    def pi(self) -> Any:
        return sympy.pi

    def parameter(self, name: str) -> Any:
        return sympy.Symbol(name)

    def cos_sin(self, x: Any, /) -> tuple[Any, Any]:
        return sympy.cos(x), sympy.sin(x)

    def sqrt(self, x: Any, /) -> Any:
        return sympy.sqrt(x)


# cos q and sin q on Pythagorean triples, so that q itself is never needed.
TRIPLES = [(3, 4, 5), (-5, 12, 13), (8, -15, 17), (7, 24, 25), (-20, -21, 29), (12, 35, 37)]


def rational_state(m: Mechanism[Fraction], qd: list[Fraction], qdd: list[Fraction]) -> State[Fraction]:
    pairs = [(Fraction(c, r), Fraction(s, r)) for c, s, r in TRIPLES[: m.n]]
    return state_at(m, [Fraction(k + 1, 7) for k in range(m.n)], qd, qdd, cos_sin=pairs)
