"""The values of an answer: fractions of exact scalars that know how they depend on decimals, and matrices of them.

    value(e) = (top + sum of e_i slope_i) / bottom

e_i is what must be added to the i-th decimal when it is read as the number that it rounds. In decimals that
are `curved` the value is not linear: their slopes, if they have any, are those at e = 0. Equality of fractions is
decided by cross-multiplication, which is exact: the ring has no divisors of zero.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from math import prod

from dynamis.apps.grading.common_ring import is_invertible, product, quotient
from dynamis.base.errors import ArgumentError
from dynamis.scalars.exact.numbers import sign
from dynamis.scalars.exact.ring import Exact

# Of more decimals all are exact as written: the readings of one entry are a linear system with this many unknowns.
MAX_SLOPES = 400
# 50 joints: a hostile product of a column and a row must not fill the memory.
MAX_CELLS = 2500
# A decimal of so many digits is what a computer prints of a number in double precision, with some errors of 2^-53.
PRINTED_DIGITS, PRINTED_ERROR = 15, Fraction(1, 2**50)


@dataclass(frozen=True)
class Decimal:
    """A decimal of the answer: its text and its place."""

    text: str
    file: str
    start: int

    @property
    def value(self) -> Fraction:
        """The number as written."""
        return Fraction(self.text)

    @property
    def digits(self) -> int:
        """The number of significant digits."""
        return len(self.text.lower().partition("e")[0].replace(".", "").lstrip("0"))

    @property
    def half(self) -> Fraction:
        """Half a unit of the last digit."""
        number, _, exponent = self.text.lower().partition("e")
        return Fraction(10) ** (int(exponent or 0) - len(number.partition(".")[2])) / 2

    @property
    def reach(self) -> Fraction:
        """How far the numbers are away at most that it may stand for."""
        return self.half + (abs(self.value) * PRINTED_ERROR if self.digits >= PRINTED_DIGITS else 0)


Slopes = Mapping[Decimal, Exact]


@dataclass(frozen=True)
class Value:
    """top / bottom; no bottom is 1. A result that would be too large is refused."""

    top: Exact
    bottom: Exact | None = None
    slopes: Slopes = field(default_factory=dict[Decimal, Exact])
    curved: frozenset[Decimal] = frozenset()

    @property
    def decimals(self) -> set[Decimal]:
        """The decimals that it depends on."""
        return {*self.slopes, *self.curved}

    def each(self, change: Callable[[Exact], Exact]) -> Value:
        """The value after a linear change of all its scalars."""
        bottom = None if self.bottom is None else change(self.bottom)
        return replace(self, top=change(self.top), bottom=bottom, slopes={k: change(x) for k, x in self.slopes.items()})

    def equals(self, true: Exact) -> bool:
        """Whether it is equal to the true scalar, as written."""
        return self.top == self.times_bottom(true)

    def times_bottom(self, scalar: Exact) -> Exact:
        """A scalar times the bottom."""
        return scalar if self.bottom is None else scalar * self.bottom

    def __neg__(self) -> Value:
        return Value(-self.top, self.bottom, {k: -x for k, x in self.slopes.items()}, self.curved)

    def __add__(self, other: Value) -> Value:
        a, b = self, other
        if a.bottom != b.bottom:
            a, b = a._expanded(b.bottom), b._expanded(a.bottom)
        return _limit_slopes(Value(a.top + b.top, a.bottom, _sum(a.slopes, b.slopes), a.curved | b.curved))

    def __sub__(self, other: Value) -> Value:
        return self + -other

    def __mul__(self, other: Value) -> Value:
        """Decimals that are multiplied with each other are curved."""
        a, b = self, other
        left, right = ({k: product(x, y.top) for k, x in x.slopes.items()} for x, y in ((a, b), (b, a)))
        curved = {*a.slopes, *b.slopes} if a.slopes and b.slopes else set[Decimal]()
        bottom = _product(a.bottom, b.bottom)
        return _limit_slopes(Value(product(a.top, b.top), bottom, _sum(left, right), a.curved | b.curved | curved))

    def __truediv__(self, other: Value) -> Value:
        """By anything that is not zero; decimals below are read as written."""
        below = other.top
        if not below or (below.symbols() <= below.ring.numbers and sign(below) == 0):
            raise ArgumentError("division by zero")
        above = self if other.bottom is None else self * Value(other.bottom)
        curved = above.curved | other.curved | frozenset(other.slopes)
        if not is_invertible(below):
            return replace(above, bottom=_product(above.bottom, below), curved=curved)
        result = replace(above.each(lambda x: quotient(x, below)), bottom=above.bottom, curved=curved)
        if not other.slopes:
            return result
        slopes = {k: -product(result.top, quotient(x, below)) for k, x in other.slopes.items()}
        return _limit_slopes(replace(result, slopes=_sum(result.slopes, slopes)))

    def __pow__(self, exponent: int) -> Value:
        one = Value(self.top.ring.one)
        power = reduce(operator.mul, [self] * abs(exponent), one)
        return power if exponent >= 0 else one / power

    def _expanded(self, bottom: Exact | None) -> Value:
        """Top and bottom times another bottom."""
        return (
            self
            if bottom is None
            else replace(self.each(lambda x: product(x, bottom)), bottom=_product(self.bottom, bottom))
        )


def _product(a: Exact | None, b: Exact | None) -> Exact | None:
    """The product of two bottoms."""
    return b if a is None else a if b is None else product(a, b)


def _sum(a: Slopes, b: Slopes) -> Slopes:
    return {**a, **{k: a[k] + x if k in a else x for k, x in b.items()}}


def _limit_slopes(value: Value) -> Value:
    if len(value.slopes) <= MAX_SLOPES:
        return value
    return replace(value, slopes={}, curved=value.curved | frozenset(value.slopes))


@dataclass(frozen=True)
class Matrix:
    """Rows of equal length."""

    rows: tuple[tuple[Value, ...], ...]
    axes: int | None = field(default=None, compare=False)
    """Of an array of NumPy 1 or 2: its shape is (2,) or (2, 1), both a column here; None where that is not known."""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @property
    def T(self) -> Matrix:
        return Matrix(tuple(zip(*self.rows, strict=True)), None if self.axes == 1 else self.axes)

    @property
    def cells(self) -> list[Value]:
        """All entries, row by row."""
        return [cell for row in self.rows for cell in row]

    def __neg__(self) -> Matrix:
        return self.each(operator.neg)

    def each(self, change: Callable[[Value], Value]) -> Matrix:
        """With every entry changed."""
        return Matrix(tuple(tuple(map(change, row)) for row in self.rows), self.axes)


Operand = Value | Matrix


def operand(rows: Sequence[Sequence[Value]], axes: int | None = None) -> Operand:
    """Rows as a matrix; one entry is a scalar."""
    return rows[0][0] if len(rows) == len(rows[0]) == 1 else Matrix(tuple(map(tuple, rows)), axes)


def rows_of(value: Operand) -> tuple[tuple[Value, ...], ...]:
    """The rows of a matrix; of a scalar one row of one entry."""
    return value.rows if isinstance(value, Matrix) else ((value,),)


def describe_operand(a: Operand) -> str:
    """`a scalar`, `a 2x1 matrix`, `an array of shape (2,)`."""
    if isinstance(a, Value):
        return "a scalar"
    return f"an array of shape ({a.shape[0]},)" if a.axes == 1 else f"a {a.shape[0]}x{a.shape[1]} matrix"


_BY_ENTRY: dict[str, tuple[Callable[[Value, Value], Value], str]] = {
    "+": (operator.add, "added"),
    "-": (operator.sub, "added"),
    ".*": (operator.mul, "multiplied entry by entry"),
    "./": (lambda a, b: a / b, "divided entry by entry"),
}


def operate(sign: str, a: Operand, b: Operand) -> Operand:
    """a + b, a - b, a * b and a @ b (rows times columns), a / b, a cross b, and entry by entry a .* b, a ./ b."""
    if sign == "@":
        return _numpy_product(a, b)
    if sign == "cross":
        return _cross(a, b)
    by_entry, verb = _BY_ENTRY[sign if sign in _BY_ENTRY else f".{sign}"]
    if isinstance(a, Value) and isinstance(b, Value):
        return by_entry(a, b)
    if isinstance(a, Value) and isinstance(b, Matrix) and sign in ("*", ".*"):
        return b.each(lambda x: a * x)
    if isinstance(b, Value) and isinstance(a, Matrix) and sign not in ("+", "-"):
        return a.each(lambda x: by_entry(x, b))
    if sign == "/":
        raise ArgumentError(
            f"{describe_operand(a)} cannot be divided by {describe_operand(b)}; write ./ to divide entry by entry"
        )
    if isinstance(a, Matrix) and isinstance(b, Matrix) and sign == "*":
        return _rows_times_columns(a, b)
    if isinstance(a, Value) or isinstance(b, Value) or a.shape != b.shape:
        hint = "; the product of matrices is @ in NumPy, * in MATLAB" if sign == ".*" else ""
        raise ArgumentError(f"{describe_operand(a)} and {describe_operand(b)} cannot be {verb}{hint}")
    if {a.axes, b.axes} == {1, 2}:
        n = a.shape[0]
        raise ArgumentError(f"arrays of shapes ({n},) and ({n}, 1) give {n}x{n} in NumPy; give both the same shape")
    rows = zip(a.rows, b.rows, strict=True)
    return Matrix(tuple(tuple(map(by_entry, x, y)) for x, y in rows), a.axes or b.axes)


def _numpy_product(a: Operand, b: Operand) -> Operand:
    """v @ w of two vectors is a scalar, whatever v was written as, unless both are columns of NumPy; v @ M is a row."""
    if isinstance(a, Value) or isinstance(b, Value):
        return operate("*", a, b)
    is_vector = a.shape[1] == 1 and a.shape[0] == b.shape[0] > 1 and not a.axes == b.axes == 2
    value = _rows_times_columns(a.T if is_vector else a, b)
    if isinstance(value, Value):
        return value
    if a.axes == 1:
        return Matrix(tuple((cell,) for cell in value.cells), 1)
    return replace(value, axes=b.axes)


def _cross(a: Operand, b: Operand) -> Operand:
    """The vector product; of a and b with two entries its third entry, as in NumPy."""
    x, y = ([cell for row in rows_of(value) for cell in row] for value in (a, b))
    if len(x) != len(y) or len(x) not in (2, 3):
        raise ArgumentError(
            f"{describe_operand(a)} and {describe_operand(b)} have no vector product; both must have 3 entries"
        )
    if len(x) == 2:
        return x[0] * y[1] - x[1] * y[0]
    cells = [x[i - 2] * y[i - 1] - x[i - 1] * y[i - 2] for i in range(3)]
    return operand([[cell] for cell in cells], b.axes if isinstance(b, Matrix) else None)


def _rows_times_columns(a: Matrix, b: Matrix) -> Operand:
    if a.shape[1] != b.shape[0] or a.shape[0] * b.shape[1] > MAX_CELLS:
        hint = "; write * between scalars, or transpose one with '" if a.shape == b.shape else ""
        raise ArgumentError(f"{describe_operand(a)} times {describe_operand(b)} is not a product{hint}")
    return operand([[reduce(operator.add, map(operator.mul, row, column)) for column in b.T.rows] for row in a.rows])


def operand_power(a: Operand, exponent: int, by_entry: bool) -> Operand:
    """a ^ exponent; of a matrix entry by entry only."""
    if isinstance(a, Value):
        return a**exponent
    if not by_entry:
        raise ArgumentError(f"{describe_operand(a)} has no power here; write .^ for the powers of its entries")
    return a.each(lambda x: x**exponent)


def transpose_operand(a: Operand) -> Operand:
    """a', which an array of one axis is itself; of a scalar it is refused, as q1' may be meant as a derivative."""
    if isinstance(a, Value):
        raise ArgumentError("' transposes a matrix, and this is a scalar; write dq1 for the velocity")
    return a if a.axes == 1 else a.T


def diagonal(a: Operand) -> Operand:
    """The diagonal matrix of a vector, and the diagonal of a matrix."""
    rows = rows_of(a)
    cells = [cell for row in rows for cell in row]
    if 1 < len(rows) == len(rows[0]):
        return Matrix(tuple((row[k],) for k, row in enumerate(rows)), 1 if isinstance(a, Matrix) and a.axes else None)
    if 1 not in (len(rows), len(rows[0])) or len(cells) ** 2 > MAX_CELLS:
        raise ArgumentError(f"{describe_operand(a)} has no diagonal matrix; write diag([a, b])")
    zero = Value(cells[0].top.ring.zero)
    axes = 2 if isinstance(a, Matrix) and a.axes else None
    return operand([[cell if j == k else zero for j in range(len(cells))] for k, cell in enumerate(cells)], axes)


def reshape_operand(a: Operand, shape: Sequence[int]) -> Operand:
    """The entries of a, row by row, in another shape; one number of it may be -1, which is what is left."""
    cells = [cell for row in rows_of(a) for cell in row]
    known = prod(count for count in shape if count > 0)
    sizes = [count if count > 0 else len(cells) // max(known, 1) for count in shape]
    if not 1 <= len(sizes) <= 2 or prod(sizes) != len(cells):
        raise ArgumentError(f"{describe_operand(a)} has no shape ({', '.join(map(str, shape))})")
    columns = sizes[1] if len(sizes) == 2 else 1
    return operand([cells[k : k + columns] for k in range(0, len(cells), columns)], len(sizes))


def item(a: Operand, index: Sequence[int], by_columns: bool = False) -> Operand | None:
    """The entry at an index, from 1 or, at the end, from -1; None where there is none.

    One number counts the entries of a vector, the rows of an array of NumPy, and the entries of another matrix row by
    row, `by_columns` column by column, as in MATLAB.
    """
    rows = rows_of(a)
    shape = [len(rows), len(rows[0])]
    if len(index) == 1 and isinstance(a, Matrix) and a.axes == 2 and shape[1] > 1:
        i = _place(index[0], shape[0])
        return None if i is None else Matrix(tuple((cell,) for cell in rows[i]), 1)
    if len(index) < 2:
        cells = [cell for row in (zip(*rows, strict=True) if by_columns else rows) for cell in row]
        i = _place(index[0], len(cells)) if index else 0 if len(cells) == 1 else None
        return None if i is None else cells[i]
    places = [_place(i, size) for i, size in zip(index, shape, strict=False)]
    i, j = places
    return rows[i][j] if i is not None and j is not None and len(index) == 2 else None


def _place(i: int, size: int) -> int | None:
    """An index from 1 or from -1 as one from 0."""
    return i - 1 if 1 <= i <= size else size + i if -size <= i < 0 else None
