"""How the quantities of a body become scalars of a page: exact formulas, or numbers with so many digits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol

from dynamis.base.expressions.expression import Expression
from dynamis.exact.derivations.bodies.exact_body import scalars_of
from dynamis.exact.derivations.bodies.masses import Both, BothScalars, part_masses, shorter, with_masses
from dynamis.model.bodies.body import Body
from dynamis.model.bodies.composite import Piece, piece
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import coordinate
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import Scalars
from dynamis.scalars.vectors import Matrix, Vector

# What is smaller than this share of the largest entry beside it is rounding.
RELATIVE_NOISE = 1e-13


class Figures(Protocol):
    """Scalars to compute in, and how they are shown."""

    @property
    def scalars(self) -> Scalars[Any]: ...
    @property
    def ring(self) -> Ring: ...
    @property
    def masses(self) -> Mapping[str, tuple[str, Expression]]: ...
    def piece(self, body: Body, index: str) -> Piece[Any]: ...
    def scalar(self, value: Any) -> Exact: ...
    def vector(self, value: Vector[Any], scale: float = 0.0) -> list[Exact]: ...
    def matrix(self, value: Matrix[Any]) -> list[list[Exact]]: ...


@dataclass(frozen=True)
class ExactFigures:
    """Scalars of the exact ring, by the masses of parts where that is shorter; a number alone is written out."""

    scalars: BothScalars
    masses: Mapping[str, tuple[str, Expression]]

    @property
    def ring(self) -> Ring:
        return self.scalars.exact.ring

    def piece(self, body: Body, index: str) -> Piece[Both]:
        content: Any = with_masses(body, self.masses, index).content
        return piece(content.inertial, self.scalars)

    def scalar(self, value: Both) -> Exact:
        return value.whole

    def vector(self, value: Vector[Both], scale: float = 0.0) -> list[Exact]:
        return shorter([*value])

    def matrix(self, value: Matrix[Both]) -> list[list[Exact]]:
        entries = shorter([entry for row in value for entry in row])
        return [entries[0:3], entries[3:6], entries[6:9]]


@dataclass(frozen=True)
class RoundedFigures:
    """Floats, shown with `digits` digits; the entries of a matrix share the last place of its largest entry."""

    digits: int = 6
    scalars: Scalars[float] = field(default_factory=lambda: Floats({}))
    # A ring with a joint and without parameters is that of a model in numbers: all of them are written as decimals.
    ring: Ring = field(default_factory=lambda: Ring((coordinate("q", 1),)))
    masses: Mapping[str, tuple[str, Expression]] = field(default_factory=dict[str, tuple[str, Expression]])

    def piece(self, body: Body, index: str) -> Piece[float]:
        content: Any = body.content
        return piece(content.inertial, self.scalars)

    def scalar(self, value: float) -> Exact:
        return self.ring.number(rounded_fraction(value, self.digits))

    def vector(self, value: Vector[float], scale: float = 0.0) -> list[Exact]:
        return self._together([*value], scale)

    def matrix(self, value: Matrix[float]) -> list[list[Exact]]:
        entries = self._together([entry for row in value for entry in row])
        return [entries[0:3], entries[3:6], entries[6:9]]

    def _together(self, values: list[float], scale: float = 0.0) -> list[Exact]:
        largest = max(scale, *(abs(value) for value in values))
        return [self.scalar(0.0 if abs(value) <= RELATIVE_NOISE * largest else value) for value in values]


def rounded_fraction(value: float, digits: int) -> Fraction:
    """The float with so many significant digits, as an exact decimal.

    >>> rounded_fraction(2.6248628390877173, 6), rounded_fraction(0.0, 6)
    (Fraction(131243, 50000), Fraction(0, 1))
    """
    return Fraction(Decimal(f"{value:.{digits - 1}e}"))


def figures(body: Body, more: Iterable[Expression] = (), digits: int = 6) -> ExactFigures | RoundedFigures:
    """Symbols exactly; a body of numbers with `digits` digits."""
    extra = [*more]
    if not body.parameters().union(*(entry.parameters() for entry in extra)):
        return RoundedFigures(digits)
    masses = part_masses(body)
    scalars = scalars_of(body, extra, also=(with_masses(body, masses),))
    return ExactFigures(BothScalars(scalars, dict(masses.values())), masses)
