"""Formulas as data: rules with names in them, and the same rules with a robot's quantities in their place.

A formula is a row of pieces. Symbols and signs are pieces; so are scalars, vectors and matrices of the
exact world. How a piece looks is the business of `notation`: whether the mass matrix is M, B or D, the symbols of
coordinates, brackets around a sum that is a factor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.vectors import Matrix, Vector
from dynamis.telling.forms.tree import Power, Tree

Value = Exact | Tree | list[Exact] | list[list[Exact]]


@dataclass(frozen=True)
class Sym:
    """A symbol: a letter (`omega`, `m`), its index, dots above it, whether it is transposed and bold, its power.

    One with a `meaning` (`dynamis.telling.symbols`) is written with the letter that the notation has for that.
    """

    letter: str
    index: str = ""
    dots: int = 0
    transposed: bool = False
    bold: bool = False
    meaning: str = ""
    power: int = 1
    applied: bool = False
    """Whether its arguments are written: M(q), c(q, qd)."""

    def at(self, index: int | str) -> Sym:
        """The symbol with an index: `m.at("ij")`."""
        return replace(self, index=str(index))

    @property
    def dot(self) -> Sym:
        """The rate of change."""
        return replace(self, dots=self.dots + 1)

    @property
    def T(self) -> Sym:
        """The transpose."""
        return replace(self, transposed=True)

    @property
    def of_state(self) -> Sym:
        """The symbol with its arguments."""
        return replace(self, applied=True)

    def to(self, power: int) -> Sym:
        """The symbol to a power, such as the inverse `T.to(-1)`."""
        return replace(self, power=power)


@dataclass(frozen=True)
class Word:
    """A numeral, a bracket or a word, the same in every notation."""

    text: str


@dataclass(frozen=True)
class Coordinates:
    """The coordinates of a robot in general, or the one with an index such as `i`: q_i, its rate, its acceleration."""

    order: int = 0
    index: str = ""


@dataclass(frozen=True)
class Val:
    """A quantity of the robot: a scalar, a vector (a list) or a matrix (a list of rows)."""

    value: Value


@dataclass(frozen=True)
class Op:
    """A sign: + - = x (cross) . (dot) and comma, or the d of a partial derivative."""

    sign: Literal["+", "-", "=", "x", ".", "partial", "partial2", ","]


@dataclass(frozen=True)
class Frac:
    """above / below."""

    above: Formula
    below: Formula


@dataclass(frozen=True)
class Group:
    """In brackets."""

    inner: Formula
    transposed: bool = False


@dataclass(frozen=True)
class Grid:
    """A matrix of formulas, such as the symbols of its entries."""

    rows: tuple[tuple[Formula, ...], ...]


@dataclass(frozen=True)
class Velocities:
    """The terms of the velocities: `vector` in a notation that has a vector c, `matrix` in one that has C qd."""

    vector: Formula
    matrix: Formula


@dataclass(frozen=True)
class Total:
    """The sum sign over an index."""

    over: str


@dataclass(frozen=True)
class Integral:
    """The integral sign."""


@dataclass(frozen=True)
class Reference:
    """The number of an equation by its label; `words` on a page that does not have it."""

    label: str
    words: str


Piece = Sym | Word | Coordinates | Val | Op | Frac | Group | Total | Integral | Velocities | Grid
Formula = tuple[Piece, ...]
Prose = tuple[str | Piece | Formula | Reference, ...]
"""Words, with symbols, formulas and references between them."""

PLUS, MINUS, EQUALS, CROSS, DOT, COMMA = Op("+"), Op("-"), Op("="), Op("x"), Op("."), Op(",")
PARTIAL = Op("partial")
ONE, TWO = Word("1"), Word("2")
HALF_OF: Formula = (Frac((ONE,), (TWO,)),)


def sum_formulas(parts: Iterable[Formula]) -> Formula:
    """part + part - part ...: a part that begins with a minus needs no plus."""
    pieces: list[Piece] = []
    for part in parts:
        pieces += [PLUS, *part] if pieces and part[0] != MINUS else part
    return tuple(pieces)


def vector(v: Vector[Exact]) -> Val:
    return Val(list(v))


def matrix(m: Matrix[Exact]) -> Val:
    return Val([list(row) for row in m])


def by(above: Formula, *below: Formula) -> Formula:
    """The partial derivative of `above` by one thing, or by two."""
    if len(below) == 1:
        return (Frac((PARTIAL, *above), (PARTIAL, *below[0])),)
    if below[0] == below[1]:
        return (Frac((Op("partial2"), *above), (PARTIAL, *square_rate(below[0]))),)
    return (Frac((Op("partial2"), *above), (PARTIAL, *below[0], PARTIAL, *below[1])),)


def rate(formula: Formula) -> Formula:
    """d/dt of something."""
    return Frac((Word("d"),), (Word("dt"),)), Group(formula)


def square_rate(rate: Formula) -> Formula:
    """The square of a joint's coordinate or velocity."""
    (piece,) = rate
    assert isinstance(piece, Val)
    assert not isinstance(piece.value, Exact | list)
    return (Val(Power(piece.value, 2)),)


def parts(values: Iterable[Exact]) -> Formula:
    """a + b + c."""
    return sum_formulas((Val(value),) for value in values)


def terms(formula: Formula) -> int:
    """How many terms the quantities in a formula have."""
    total = 0
    for piece in formula:
        match piece:
            case Val(value):
                total += _terms(value)
            case Group(inner):
                total += terms(inner)
            case Frac(above, below):
                total += terms(above) + terms(below)
            case _:
                pass
    return total


def _terms(value: Value) -> int:
    if isinstance(value, Exact):
        return max(len(value), 1)
    if isinstance(value, Sequence):
        return sum(map(_terms, value))
    return 1


def index(*numbers: int) -> str:
    """121; with commas where a number has two digits."""
    return ("," if max(numbers) > 9 else "").join(map(str, numbers))
