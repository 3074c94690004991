"""Masses of parts as symbols beside their formulas: every quantity in both at once, and the shorter one on the page.

The inertia of a box is 1/12 m (a^2 + c^2) or 1/12 rho a b c (a^2 + c^2). A `Both` has the second as `whole` and the
first as `by_mass`; sums, products and quotients keep them side by side, so that both are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dynamis.base.expressions.expression import Expression, Parameter
from dynamis.model.bodies.body import Body, Parts
from dynamis.model.bodies.density import varies
from dynamis.model.bodies.shapes import size_of
from dynamis.model.bodies.solid import Solid
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.scalars import ExactScalars
from dynamis.scalars.scalars import Scalars, evaluate

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def part_number(k: int, index: str) -> str:
    """The number of a part in the whole (1, 2, ...), or in the part `index` (1a, 1b, ...)."""
    if not index:
        return f"{k + 1}"
    return f"{index}{ALPHABET[k] if k < 26 else f'{ALPHABET[k // 26 - 1]}{ALPHABET[k % 26]}'}"


def part_masses(body: Body) -> dict[str, tuple[str, Expression]]:
    """By the number of a solid: the symbol of its mass, and its mass as density times size, where that has symbols.

    Empty where the body itself uses one of these symbols.

    >>> part_masses(Body.box(["a", "b", "c"], density="rho"))[""][0]
    'm'
    """
    solids = list(_solids(body, ""))
    masses: dict[str, tuple[str, Expression]] = {}
    for number, solid in solids:
        if solid is None or solid.density is None or varies(solid.density):
            continue
        size = solid.volume if solid.volume is not None else size_of(solid.kind, dict(solid.sizes))
        if (mass := solid.density * size).parameters():
            masses[number] = (f"m{number}" if len(solids) > 1 else "m", mass)
    used = body.parameters() & {name for name, _ in masses.values()}
    return {} if used else masses


def with_masses(body: Body, masses: Mapping[str, tuple[str, Expression]], index: str = "") -> Body:
    """The body whose solids have these symbols as their masses."""
    content: Any = body.content
    if isinstance(content, Parts):
        parts = enumerate(content.signed)
        content = Parts(tuple((sign, with_masses(part, masses, part_number(k, index))) for k, (sign, part) in parts))
    elif index in masses:
        content = replace(content, mass=Parameter(masses[index][0]), density=None)
    return replace(body, content=content)


def _solids(body: Body, index: str) -> Iterator[tuple[str, Solid | None]]:
    """Every solid with its number; None for a mesh or data from CAD."""
    if isinstance(body.content, Parts):
        for k, (_, part) in enumerate(body.content.signed):
            yield from _solids(part, part_number(k, index))
    else:
        yield index, body.content if isinstance(body.content, Solid) else None


@dataclass(frozen=True)
class Both:
    """A quantity by densities and sizes, and by the masses of parts."""

    whole: Exact
    by_mass: Exact

    def __add__(self, other: Both) -> Both:
        return Both(self.whole + other.whole, self.by_mass + other.by_mass)

    def __sub__(self, other: Both) -> Both:
        return Both(self.whole - other.whole, self.by_mass - other.by_mass)

    def __mul__(self, other: Both) -> Both:
        return Both(self.whole * other.whole, self.by_mass * other.by_mass)

    def __truediv__(self, other: Both) -> Both:
        return Both(self.whole / other.whole, self.by_mass / other.by_mass)

    def __neg__(self) -> Both:
        return Both(-self.whole, -self.by_mass)

    def __bool__(self) -> bool:
        return bool(self.whole)


@dataclass(frozen=True)
class BothScalars(Scalars[Both]):
    """Exact scalars, twice; the symbols of `masses` stand for their formulas."""

    exact: ExactScalars
    masses: Mapping[str, Expression]

    def constant(self, value: Fraction) -> Both:
        return _same(self.exact.constant(value))

    def pi(self) -> Both:
        return _same(self.exact.pi())

    def parameter(self, name: str) -> Both:
        symbol = self.exact.parameter(name)
        return Both(evaluate(self.masses[name], self.exact), symbol) if name in self.masses else _same(symbol)

    def cos_sin_of(self, angle: Expression) -> tuple[Both, Both]:
        cosine, sine = self.exact.cos_sin_of(angle)
        return _same(cosine), _same(sine)

    def sqrt_of(self, argument: Expression) -> Both:
        return _same(self.exact.sqrt_of(argument))


def _same(value: Exact) -> Both:
    return Both(value, value)


def shorter(values: Sequence[Both]) -> list[Exact]:
    """All of them by masses if that takes fewer symbols, else all by densities and sizes."""
    ways = [x.whole for x in values], [x.by_mass for x in values]
    return min(ways, key=lambda way: sum(map(_length, way)))


def _length(value: Exact) -> int:
    """The symbols of all terms, multiplied out: a measure that takes no time; 1/(m1 + m2) counts its own."""
    weights = [1 + sum(map(str(symbol).count, "+-*")) for symbol in value.ring.symbols]
    return sum(sum(e * weight for e, weight in zip(term, weights, strict=True)) for term in value.terms())
