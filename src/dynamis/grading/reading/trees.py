"""The right side of a line as a tree: what is written, before any name has a meaning.

Every node has `start`, its place in the text, so that whatever goes wrong later can be shown there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dynamis.grading.values import Written


@dataclass(frozen=True)
class Number:
    """A number; a decimal of two digits and more is `written`, and may be read as what it rounds."""

    value: Fraction
    start: int
    written: Written | None = None


@dataclass(frozen=True)
class Name:
    """m1, or with an index M(1,2), q[1]; `of_state` is the (q, dq) of C(q, dq)."""

    text: str
    start: int
    index: tuple[int, ...] = ()
    of_state: bool = False


@dataclass(frozen=True)
class Call:
    """sin, cos, sqrt or sign of a scalar, with the power of cos^2(q1)."""

    function: str
    argument: Tree
    exponent: int
    start: int


@dataclass(frozen=True)
class Sum:
    """Terms with their signs, +1 or -1."""

    terms: tuple[tuple[int, Tree], ...]
    start: int


@dataclass(frozen=True)
class Product:
    """first, then operators `*`, `/`, `.*` or `./` with their operands."""

    first: Tree
    rest: tuple[tuple[str, Tree], ...]
    start: int


@dataclass(frozen=True)
class Power:
    """base ^ exponent, or entry by entry .^."""

    base: Tree
    exponent: int
    by_entry: bool
    start: int


@dataclass(frozen=True)
class Transpose:
    """M'."""

    inner: Tree
    start: int


@dataclass(frozen=True)
class Rows:
    """A matrix written out; its rows are equally long."""

    rows: tuple[tuple[Tree, ...], ...]
    start: int


Tree = Number | Name | Call | Sum | Product | Power | Transpose | Rows


def walk(tree: Tree) -> Iterator[Tree]:
    """The tree and all that it is made of, in the order of the text."""
    yield tree
    match tree:
        case Number() | Name():
            return
        case Call(argument=inner) | Power(base=inner) | Transpose(inner):
            yield from walk(inner)
        case Sum(terms):
            for _, term in terms:
                yield from walk(term)
        case Product(first, rest):
            yield from walk(first)
            for _, factor in rest:
                yield from walk(factor)
        case Rows(rows):
            for row in rows:
                for cell in row:
                    yield from walk(cell)
