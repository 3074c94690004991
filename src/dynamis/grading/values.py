"""The values of an answer: fractions of exact scalars that know how they depend on decimals, and matrices of them.

    value(e) = (top + sum of e_i slope_i) / bottom

e_i is what must be added to the i-th decimal when it is read as the number that it rounds. Decimals in
which the value is not linear are `curved`. Equality of fractions is decided by cross-multiplication,
which is exact: the ring has no divisors of zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dynamis.errors import ArgumentError
from dynamis.grading.common_ring import CommonRing
from dynamis.scalars.exact.numbers import sign
from dynamis.scalars.exact.ring import Exact

# Of more decimals all are exact as written: the readings of one entry are a linear system with this many unknowns.
MAX_SLOPES = 400
# 50 joints: a hostile product of a column and a row must not fill the memory.
MAX_CELLS = 2500


@dataclass(frozen=True)
class Written:
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


@dataclass(frozen=True)
class Value:
    """top / bottom; no bottom is 1."""

    top: Exact
    bottom: Exact | None = None
    slopes: Mapping[Written, Exact] = field(default_factory=dict[Written, Exact])
    curved: frozenset[Written] = frozenset()

    @property
    def decimals(self) -> set[Written]:
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


@dataclass(frozen=True)
class Matrix:
    """Rows of equal length."""

    rows: tuple[tuple[Value, ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @property
    def T(self) -> Matrix:
        return Matrix(tuple(zip(*self.rows, strict=True)))

    @property
    def cells(self) -> list[Value]:
        """All entries, row by row."""
        return [cell for row in self.rows for cell in row]

    def each(self, change: Callable[[Value], Value]) -> Matrix:
        """With every entry changed."""
        return Matrix(tuple(tuple(map(change, row)) for row in self.rows))


Operand = Value | Matrix


def operand(rows: Sequence[Sequence[Value]]) -> Operand:
    """Rows as a matrix; one entry is a scalar."""
    return rows[0][0] if len(rows) == len(rows[0]) == 1 else Matrix(tuple(map(tuple, rows)))


def rows_of(value: Operand) -> tuple[tuple[Value, ...], ...]:
    """The rows of a matrix; of a scalar one row of one entry."""
    return value.rows if isinstance(value, Matrix) else ((value,),)


def described(a: Operand) -> str:
    """`a scalar`, `a 2x1 matrix`."""
    return "a scalar" if isinstance(a, Value) else f"a {a.shape[0]}x{a.shape[1]} matrix"


@dataclass(frozen=True)
class Arithmetic:
    """The operations on scalars and matrices; a result that would be too large is refused."""

    ring: CommonRing

    def plus(self, a: Operand, b: Operand, sign: int = 1) -> Operand:
        """a + b, or a - b."""
        if isinstance(a, Value) and isinstance(b, Value):
            return self._plus(a, b, sign)
        return _paired(a, b, lambda x, y: self._plus(x, y, sign), "added")

    def product(self, a: Operand, b: Operand, by_entry: bool = False) -> Operand:
        """a b: rows times columns, entry by entry for `.*`."""
        if isinstance(a, Value) and isinstance(b, Value):
            return self._times(a, b)
        if isinstance(a, Value) and isinstance(b, Matrix):
            return b.each(lambda x: self._times(a, x))
        if isinstance(b, Value) and isinstance(a, Matrix):
            return a.each(lambda x: self._times(x, b))
        if by_entry:
            return _paired(a, b, self._times, "multiplied entry by entry")
        assert isinstance(a, Matrix)
        assert isinstance(b, Matrix)
        if a.shape[1] != b.shape[0] or a.shape[0] * b.shape[1] > MAX_CELLS:
            hint = "; write * between scalars, or transpose one with '" if a.shape == b.shape else ""
            raise ArgumentError(f"{described(a)} times {described(b)} is not a product{hint}")
        return operand([[self._inner(row, column) for column in b.T.rows] for row in a.rows])

    def quotient(self, a: Operand, b: Operand, by_entry: bool = False) -> Operand:
        """a / b for a scalar b; entry by entry for `./`."""
        if isinstance(b, Value):
            return self._over(a, b) if isinstance(a, Value) else a.each(lambda x: self._over(x, b))
        if not by_entry:
            raise ArgumentError(
                f"{described(a)} cannot be divided by {described(b)}; write ./ to divide entry by entry"
            )
        return _paired(a, b, self._over, "divided entry by entry")

    def power(self, a: Operand, exponent: int, by_entry: bool = False) -> Operand:
        """a ^ exponent; of a matrix entry by entry only."""
        if isinstance(a, Value):
            return self.scalar_power(a, exponent)
        if by_entry:
            return a.each(lambda x: self.scalar_power(x, exponent))
        raise ArgumentError(f"{described(a)} has no power here; write .^ for the powers of its entries")

    def scalar_power(self, base: Value, exponent: int) -> Value:
        """base ^ exponent."""
        power = one = Value(self.ring.ring.number(1))
        for _ in range(abs(exponent)):
            power = self._times(power, base)
        return power if exponent >= 0 else self._over(one, power)

    def transposed(self, a: Operand) -> Operand:
        """a'; of a scalar it is refused, as q1' may be meant as a derivative."""
        if isinstance(a, Value):
            raise ArgumentError("' transposes a matrix, and this is a scalar; write dq1 for the velocity")
        return a.T

    def _plus(self, a: Value, b: Value, sign: int = 1) -> Value:
        if a.bottom != b.bottom:
            a, b = self._expanded(a, b.bottom), self._expanded(b, a.bottom)
        slopes = dict(a.slopes)
        for k, x in b.slopes.items():
            signed = x if sign > 0 else -x
            slopes[k] = slopes[k] + signed if k in slopes else signed
        top = a.top + b.top if sign > 0 else a.top - b.top
        return _bounded(Value(top, a.bottom, slopes, a.curved | b.curved))

    def _expanded(self, a: Value, bottom: Exact | None) -> Value:
        """Top and bottom times another bottom."""
        if bottom is None:
            return a
        times = self.ring.product
        below = bottom if a.bottom is None else times(a.bottom, bottom)
        return replace(a.each(lambda x: times(x, bottom)), bottom=below)

    def _times(self, a: Value, b: Value) -> Value:
        """a b; decimals that are multiplied with each other are curved."""
        times = self.ring.product
        slopes = {k: times(x, b.top) for k, x in a.slopes.items()}
        for k, x in b.slopes.items():
            slopes[k] = slopes[k] + times(x, a.top) if k in slopes else times(x, a.top)
        bottom = a.bottom if b.bottom is None else b.bottom if a.bottom is None else times(a.bottom, b.bottom)
        curved = a.curved | b.curved
        curved |= {*a.slopes, *b.slopes} if a.slopes and b.slopes else set[Written]()
        return _bounded(Value(times(a.top, b.top), bottom, slopes, curved))

    def _over(self, a: Value, b: Value) -> Value:
        """a / b for any b that is not zero; decimals below are read as written."""
        if not b.top or (b.top.symbols() <= b.top.ring.numbers and sign(b.top) == 0):
            raise ArgumentError("division by zero")
        curved = b.curved | frozenset(b.slopes)
        if b.bottom is not None:
            a = self._times(a, Value(b.bottom))
        if self.ring.is_invertible(b.top):
            divided = a.each(lambda x: self.ring.quotient(x, b.top))
            return replace(divided, bottom=a.bottom, curved=a.curved | curved)
        below = b.top if a.bottom is None else self.ring.product(a.bottom, b.top)
        return replace(a, bottom=below, curved=a.curved | curved)

    def _inner(self, row: Sequence[Value], column: Sequence[Value]) -> Value:
        """The sum of the products of two lists of entries."""
        total, *rest = (self._times(x, y) for x, y in zip(row, column, strict=True))
        for term in rest:
            total = self._plus(total, term)
        return total


def _paired(a: Operand, b: Operand, join: Callable[[Value, Value], Value], verb: str) -> Operand:
    """Entry by entry."""
    if isinstance(a, Value) or isinstance(b, Value) or a.shape != b.shape:
        raise ArgumentError(f"{described(a)} and {described(b)} cannot be {verb}")
    return Matrix(tuple(tuple(map(join, x, y)) for x, y in zip(a.rows, b.rows, strict=True)))


def _bounded(value: Value) -> Value:
    if len(value.slopes) <= MAX_SLOPES:
        return value
    return replace(value, slopes={}, curved=value.curved | frozenset(value.slopes))
