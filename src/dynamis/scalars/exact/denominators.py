"""Denominators: what a ring may divide by, and the relations that keep quotients in normal form.

The inverse of a parameter l is the letter 1/l, that of a sum the letter 1/(a + b); each has the
relation (inverse)(denominator) = 1. Where a denominator is a sum, the relations' leading terms may
have letters in common; then they are completed to a Groebner basis (B. Buchberger, 1965), so that
equal scalars still have equal polynomials: (1/a)(1/(a + b)) b becomes 1/a - 1/(a + b).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from dynamis.errors import ArgumentError
from dynamis.expressions.expression import Expression
from dynamis.expressions.parser import parse
from dynamis.scalars.exact.processes import groebner
from dynamis.scalars.scalars import Scalars, evaluate

if TYPE_CHECKING:
    from dynamis.scalars.exact.ring import Ring

# More relations than any robot needs; a completion that grows beyond is refused.
MOST_RELATIONS, MOST_TERMS, MOST_BITS = 200, 500, 4000


class _Symbols(Scalars[Any]):
    """A denominator's own text: every name is a symbol of the ring."""

    def __init__(self, letter: Callable[[str], Any], number: Callable[[Fraction], Any]) -> None:
        self.letter, self.number = letter, number

    def constant(self, value: Fraction) -> Any:
        return self.number(value)

    def pi(self) -> Any:
        return self.letter("pi")

    def parameter(self, name: str) -> Any:
        return self.letter(name)

    def cos_sin_of(self, angle: Expression) -> tuple[Any, Any]:
        return self.letter(f"cos({angle})"), self.letter(f"sin({angle})")

    def sqrt_of(self, argument: Expression) -> Any:
        return self.letter(f"root {argument}")


def is_sum(inverse: str) -> bool:
    """Whether 1/`inverse` is the inverse of a sum, such as `(a + b)`, and not of one letter."""
    return inverse.startswith("(")


def denominator(inverse: str, letter: Callable[[str], Any], number: Callable[[Fraction], Any]) -> Any:
    """What 1/`inverse` is the inverse of: a letter, or the sum that its text says."""
    return evaluate(parse(inverse), _Symbols(letter, number)) if is_sum(inverse) else letter(inverse)


def text_of(terms: Sequence[tuple[Sequence[tuple[str, int]], Fraction]]) -> str:
    """`(2*a - b^2)`: a sum with whole coefficients as a name, which `denominator` reads again."""
    scale = lcm(*(number.denominator for _, number in terms))
    text = ""
    for powers, number in terms:
        whole = int(number * scale)
        letters = [f"{_plain(name)}^{e}" if e > 1 else _plain(name) for name, e in powers]
        text += (" + " if whole > 0 else " - ") if text else "-" * (whole < 0)
        text += "*".join([*([str(abs(whole))] if abs(whole) != 1 or not letters else []), *letters])
    return f"({text})"


def _plain(name: str) -> str:
    return f"sqrt({name[5:]})" if name.startswith("root ") else name


def completed(relations: Sequence[Any], sums: Sequence[Any], ring: Ring) -> list[Any]:
    """The relations with those of `sums` among them as a Groebner basis; those apart from them stay as they are."""
    near, apart = list(sums), [r for r in relations if r not in sums]
    while touching := [r for r in apart if any(_used(r) & _used(other) for other in near)]:
        near += touching
        apart = [r for r in apart if r not in touching]
    found, done = groebner(near, (MOST_RELATIONS, MOST_TERMS, MOST_BITS), ring)
    if not done:
        raise ArgumentError("the denominators of this robot are too many; give some of their parameters values")
    return apart + found


def _used(polynomial: Any) -> set[int]:
    return {k for k, degree in enumerate(polynomial.degrees()) if degree}
