"""Scalars and matrices of an answer together: `M*[qdd1; qdd2] + C*dq + g`, `1/2*dq'*M*dq`.

A matrix of one entry is a scalar. `*` between matrices is the product of rows and columns, `.*` goes entry by entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dynamis.errors import ArgumentError
from dynamis.grading.values import Arithmetic, Value

# 50 joints: a hostile product of a column and a row must not fill the memory.
MAX_CELLS = 2500


@dataclass(frozen=True)
class Cell:
    """One scalar of an answer and where it is written."""

    value: Value
    start: int


Rows = list[list[Cell]]


@dataclass(frozen=True)
class Matrix:
    """Rows of equal length."""

    rows: Rows

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @property
    def T(self) -> Matrix:
        return Matrix([list(column) for column in zip(*self.rows, strict=True)])

    @property
    def cells(self) -> list[Cell]:
        """All entries, row by row."""
        return [cell for row in self.rows for cell in row]

    def each(self, change: Callable[[Value], Value]) -> Matrix:
        """With every entry changed."""
        return Matrix([[Cell(change(cell.value), cell.start) for cell in row] for row in self.rows])


Operand = Value | Matrix


def operand(rows: Sequence[Sequence[Cell]]) -> Operand:
    """Rows as a matrix; one entry is a scalar."""
    if any(len(row) != len(rows[0]) for row in rows):
        raise ArgumentError("the rows of this matrix are not equally long")
    if len(rows) == len(rows[0]) == 1:
        return rows[0][0].value
    return Matrix([list(row) for row in rows])


def size(a: Operand) -> str:
    """What an operand is, in a sentence."""
    return "a scalar" if isinstance(a, Value) else f"a {a.shape[0]}x{a.shape[1]} matrix"


@dataclass(frozen=True)
class MatrixArithmetic:
    """The operations on scalars and matrices; those on scalars are `scalars`'."""

    scalars: Arithmetic

    def plus(self, a: Operand, b: Operand, sign: int = 1) -> Operand:
        """a + b, or a - b."""
        if isinstance(a, Value) and isinstance(b, Value):
            return self.scalars.plus(a, b, sign)
        return self.paired(a, b, lambda x, y: self.scalars.plus(x, y, sign), "added")

    def paired(self, a: Operand, b: Operand, join: Callable[[Value, Value], Value], verb: str) -> Operand:
        """Entry by entry."""
        if isinstance(a, Value) or isinstance(b, Value) or a.shape != b.shape:
            raise ArgumentError(f"{size(a)} and {size(b)} cannot be {verb}")
        pairs = [zip(x, y, strict=True) for x, y in zip(a.rows, b.rows, strict=True)]
        return Matrix([[Cell(join(x.value, y.value), x.start) for x, y in row] for row in pairs])

    def product(self, a: Operand, b: Operand, by_entry: bool = False) -> Operand:
        """a b; entry by entry for `.*`."""
        times = self.scalars.product
        if isinstance(a, Value) and isinstance(b, Value):
            return times(a, b)
        if isinstance(a, Value) and isinstance(b, Matrix):
            return b.each(lambda x: times(a, x))
        if isinstance(b, Value) and isinstance(a, Matrix):
            return a.each(lambda x: times(x, b))
        if by_entry:
            return self.paired(a, b, times, "multiplied entry by entry")
        assert isinstance(a, Matrix)
        assert isinstance(b, Matrix)
        if a.shape[1] != b.shape[0] or a.shape[0] * b.shape[1] > MAX_CELLS:
            hint = "; write * between scalars, or transpose one with '" if a.shape == b.shape else ""
            raise ArgumentError(f"{size(a)} times {size(b)} is not a product{hint}")
        return operand([[Cell(self.inner(row, column), row[0].start) for column in b.T.rows] for row in a.rows])

    def inner(self, row: Sequence[Cell], column: Sequence[Cell]) -> Value:
        """The sum of the products of two lists of entries."""
        first, *rest = (self.scalars.product(x.value, y.value) for x, y in zip(row, column, strict=True))
        for term in rest:
            first = self.scalars.plus(first, term)
        return first

    def quotient(self, a: Operand, b: Operand, by_entry: bool = False) -> Operand:
        """a / b for a scalar b; entry by entry for `./`."""
        if isinstance(b, Value):
            return (
                self.scalars.quotient(a, b) if isinstance(a, Value) else a.each(lambda x: self.scalars.quotient(x, b))
            )
        if not by_entry:
            raise ArgumentError(f"{size(a)} cannot be divided by {size(b)}; write ./ to divide entry by entry")
        return self.paired(a, b, self.scalars.quotient, "divided entry by entry")

    def power(self, a: Operand, exponent: int, by_entry: bool = False) -> Operand:
        """a ^ exponent."""
        if isinstance(a, Value):
            return self.scalars.power(a, exponent)
        if by_entry:
            return a.each(lambda x: self.scalars.power(x, exponent))
        raise ArgumentError(f"{size(a)} has no power here; write .^ for the powers of its entries")

    def negative(self, a: Operand) -> Operand:
        """-a."""
        return self.scalars.negative(a) if isinstance(a, Value) else a.each(self.scalars.negative)

    def transposed(self, a: Operand) -> Operand:
        """a'; of a scalar it is refused, as q1' may be meant as a derivative."""
        if isinstance(a, Value):
            raise ArgumentError("' transposes a matrix, and this is a scalar; write dq1 for the velocity")
        return a.T
