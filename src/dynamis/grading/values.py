"""The values of an answer: fractions of ring scalars that remember how they depend on their decimals.

    value(e) = (top + sum of e_i slope_i) / bottom

e_i is what must be added to the i-th decimal when it is read as the number that it rounds. Decimals in
which the value is not linear are `curved`. Equality of fractions is decided by cross-multiplication,
which is exact: the ring has no divisors of zero.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from dynamis.errors import ArgumentError
from dynamis.grading.common_ring import Meeting
from dynamis.scalars.exact.numbers import sign
from dynamis.scalars.exact.ring import Exact

MAX_SLOPES = 400


@dataclass(frozen=True)
class Written:
    """A decimal of the answer: its text, and where it stands."""

    text: str
    file: str
    start: int

    @property
    def value(self) -> Fraction:
        """The number that it writes."""
        return Fraction(self.text)

    @property
    def digits(self) -> int:
        """Its significant digits."""
        return len(self.text.lower().partition("e")[0].replace(".", "").lstrip("0"))

    @property
    def half(self) -> Fraction:
        """Half a unit of its last digit."""
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
        """With a linear change made of all its scalars."""
        bottom = None if self.bottom is None else change(self.bottom)
        return replace(self, top=change(self.top), bottom=bottom, slopes={k: change(x) for k, x in self.slopes.items()})

    def equals(self, true: Exact) -> bool:
        """Whether it is the true scalar, as written."""
        return self.top == self.times_bottom(true)

    def times_bottom(self, scalar: Exact) -> Exact:
        """A scalar over the same bottom."""
        return scalar if self.bottom is None else scalar * self.bottom


@dataclass(frozen=True)
class Arithmetic:
    """The four operations on values, refused when the result would be too large."""

    meeting: Meeting

    def plus(self, a: Value, b: Value, sign: int = 1) -> Value:
        """a + b, or a - b."""
        if a.bottom != b.bottom:
            a, b = self.over(a, b.bottom), self.over(b, a.bottom)
        slopes = dict(a.slopes)
        for k, x in b.slopes.items():
            signed = x if sign > 0 else -x
            slopes[k] = slopes[k] + signed if k in slopes else signed
        top = a.top + b.top if sign > 0 else a.top - b.top
        return _bounded(Value(top, a.bottom, slopes, a.curved | b.curved))

    def over(self, a: Value, bottom: Exact | None) -> Value:
        """Top and bottom times another bottom."""
        if bottom is None:
            return a
        whole = self.meeting.product
        below = bottom if a.bottom is None else whole(a.bottom, bottom)
        return replace(a.each(lambda x: whole(x, bottom)), bottom=below)

    def negative(self, a: Value) -> Value:
        """-a."""
        return Value(-a.top, a.bottom, {k: -x for k, x in a.slopes.items()}, a.curved)

    def product(self, a: Value, b: Value) -> Value:
        """a b; decimals that meet decimals are curved."""
        whole = self.meeting.product
        slopes = {k: whole(x, b.top) for k, x in a.slopes.items()}
        for k, x in b.slopes.items():
            slopes[k] = slopes[k] + whole(x, a.top) if k in slopes else whole(x, a.top)
        bottom = a.bottom if b.bottom is None else b.bottom if a.bottom is None else whole(a.bottom, b.bottom)
        curved = a.curved | b.curved
        curved |= {*a.slopes, *b.slopes} if a.slopes and b.slopes else set[Written]()
        return _bounded(Value(whole(a.top, b.top), bottom, slopes, curved))

    def quotient(self, a: Value, b: Value) -> Value:
        """a / b for any b that is not zero; decimals below are read as written."""
        if not b.top or (b.top.letters() <= b.top.ring.numbers and sign(b.top) == 0):
            raise ArgumentError("division by zero")
        curved = b.curved | frozenset(b.slopes)
        if b.bottom is not None:
            a = self.product(a, Value(b.bottom))
        if self.meeting.divides(b.top):
            found = a.each(lambda x: self.meeting.quotient(x, b.top))
            return replace(found, bottom=a.bottom, curved=a.curved | curved)
        below = b.top if a.bottom is None else self.meeting.product(a.bottom, b.top)
        return replace(a, bottom=below, curved=a.curved | curved)

    def power(self, base: Value, exponent: int) -> Value:
        """base ^ exponent."""
        found = one = Value(self.meeting.ring.number(1))
        for _ in range(abs(exponent)):
            found = self.product(found, base)
        return found if exponent >= 0 else self.quotient(one, found)


def _bounded(value: Value) -> Value:
    """Of too many decimals all are read as written."""
    if len(value.slopes) <= MAX_SLOPES:
        return value
    return replace(value, slopes={}, curved=value.curved | frozenset(value.slopes))
