"""The right side of a line as a tree: what is written, before any name has a meaning.

Every node has `start`, its place in the text, so that whatever goes wrong later can be shown there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dynamis.apps.grading.values import Decimal

BELOW = "@"
"""In a matrix of our own pages, the name of an entry that has a line of its own below the matrix."""


@dataclass(frozen=True)
class Number:
    """A number; a decimal of two digits and more may be read as what it rounds."""

    value: Fraction
    start: int
    decimal: Decimal | None = None


@dataclass(frozen=True)
class Name:
    """m1, or with an index M(1,2), q[1]; `of_state` is the (q, dq) of C(q, dq)."""

    text: str
    start: int
    index: tuple[int, ...] = ()
    of_state: bool = False


@dataclass(frozen=True)
class Call:
    """`function` is sin, cos, sqrt or sign with the power of cos^2(q1), ^ or .^ with its exponent, -, ' or diag."""

    function: str
    argument: Tree
    start: int
    exponent: int = 1


@dataclass(frozen=True)
class Chain:
    """Terms or factors: the first, then the others, each behind its sign: + and -, or * / .* ./ @ cross."""

    first: Tree
    rest: tuple[tuple[str, Tree], ...]
    start: int


@dataclass(frozen=True)
class Rows:
    """A matrix written out; its rows are equally long. `axes` is that of `values.Matrix`."""

    rows: tuple[tuple[Tree, ...], ...]
    start: int
    axes: int | None = None


@dataclass(frozen=True)
class Item:
    """(v.T*v)[0]: an entry of a formula, counted from 1, or from -1 at the end; without an index the only one."""

    argument: Tree
    index: tuple[int, ...]
    start: int


@dataclass(frozen=True)
class Reshaped:
    """v.reshape(2, 1), v.flatten(): the same entries, row by row, in another shape; -1 is what is left."""

    argument: Tree
    shape: tuple[int, ...]
    start: int


@dataclass(frozen=True)
class Derivative:
    """diff(T, dq1, t), one after the other; jacobian, gradient or hessian by all coordinates of a list.

    Also LagrangesMethod, and without a list the mass_matrix and the forcing of its equations.
    """

    function: str
    argument: Tree
    by: tuple[Tree, ...]
    start: int


Tree = Number | Name | Call | Chain | Rows | Item | Reshaped | Derivative


def walk(tree: Tree) -> Iterator[Tree]:
    """The tree and all that it is made of, in the order of the text."""
    yield tree
    match tree:
        case Call(argument=inner) | Derivative(argument=inner) | Item(argument=inner) | Reshaped(argument=inner):
            yield from walk(inner)
        case Chain(first, rest):
            for part in (first, *(part for _, part in rest)):
                yield from walk(part)
        case Rows(rows):
            for row in rows:
                for cell in row:
                    yield from walk(cell)
        case _:
            pass
