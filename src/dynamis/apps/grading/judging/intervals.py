"""Decimals as all the numbers that round to them: is an entry right for some of them?

With every e_i at most half a unit of the last digit of decimal i, and for every monomial in the free symbols,

    sum of e_i slope_i = true bottom - top

Both sides are numbers, with roots and sines of fixed angles in them: 0.7071 is half the root of 2. Bounds on the e_i
follow from one equation after the other. An equation with decimals that are multiplied with each other, or stand in an
angle, holds to first order, and is given the room of the second.

Of several decimals in one equation one could make up for a mistake in the other. So there those that round a number
of the robot (`known`: its parameters, roots, sines of its fixed angles) stand for nothing beyond that number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count

from dynamis.apps.grading.common_ring import CommonRing, is_invertible, product, quotient
from dynamis.apps.grading.judging.formulas import FormulaStyle
from dynamis.apps.grading.judging.rounding import may_stand_for, simplest
from dynamis.apps.grading.values import Decimal, Value
from dynamis.base.errors import name_list
from dynamis.model.map_expressions import expressions_in
from dynamis.scalars.exact.numbers import BALL_DIGITS, as_fraction, by_monomial, value
from dynamis.scalars.exact.ring import Exact, Exponents
from dynamis.scalars.scalars import evaluate

Bounds = tuple[Fraction, Fraction]
# Decimals of fewer digits are as written, or a simple fraction.
FEWEST_DIGITS = 3
# What 100 digits leave open is zero.
TINY = Fraction(1, 10 ** (BALL_DIGITS - 20))
# A longer number is not written out.
MAX_NAMED = 40
# Rounds of bounds; the entries of a textbook need two.
MAX_ROUNDS = 20
# The second order is at most this part of the first, whatever the number of factors.
MOST_CURVED = Fraction(1, 4)


class KnownNumbers:
    """The numbers that decimals of an answer may stand for: those of the robot's file, its roots and fixed angles."""

    def __init__(self, ring: CommonRing) -> None:
        self.ring = ring

    @cached_property
    def values(self) -> list[Fraction]:
        """Their sizes."""
        robot, scalars = self.ring.equations.robot, self.ring.scalars
        exact = list(map(self.ring.ring.scalar, self.ring.ring.roots))
        exact += [self.ring.ring.scalar(x) for pair in self.ring.ring.angles for x in pair if x.is_number]
        turns = (self.ring.ring.scalar("pi").times(Fraction(k, 12)) for k in range(1, 12))
        exact += [x for turn in turns for x in (turn, *self.ring.cos_sin(turn))]
        exact += [quotient(self.ring.ring.one, x) for x in exact if is_invertible(x)]
        numbers = {site.expression for site in expressions_in(robot) if not site.parameters}
        for expression in (*numbers, *robot.values.values()):
            try:
                exact.append(evaluate(expression, scalars))
            except (KeyError, ArithmeticError, ValueError):  # an angle or a root that the ring does not have
                continue
        return sorted({abs(real(x)) for x in exact if x.symbols() <= self.ring.ring.numbers})

    def near(self, decimal: Decimal) -> list[Fraction]:
        """Those that round to a decimal, less it; 0 alone where it is one of them exactly."""
        size, sign = abs(decimal.value), 1 if decimal.value > 0 else -1
        near = [sign * x - decimal.value for x in self.values if abs(x - size) <= decimal.reach]
        return [Fraction(0)] if 0 in near else near


@dataclass(frozen=True)
class Equations:
    """The equations of one entry: monomial in the free symbols -> what is missing, and the slopes of the decimals."""

    missing: Mapping[Exponents, Exact]
    slopes: Mapping[Decimal, Mapping[Exponents, Exact]]
    curved: frozenset[Decimal]

    @staticmethod
    def of(yours: Value, true: Exact) -> Equations:
        slopes = {decimal: by_monomial(slope) for decimal, slope in yours.slopes.items()}
        return Equations(by_monomial(yours.times_bottom(true) - yours.top), slopes, yours.curved)

    @cached_property
    def rows(self) -> dict[Exponents, dict[Decimal, Fraction]]:
        """Monomial -> the decimals in its number, with their slopes."""
        rows: dict[Exponents, dict[Decimal, Fraction]] = {key: {} for key in self.missing}
        for decimal, column in self.slopes.items():
            for key, number in column.items():
                if slope := real(number):
                    rows.setdefault(key, {})[decimal] = slope
        return rows

    @cached_property
    def together(self) -> frozenset[Decimal]:
        """The decimals that share an equation with others."""
        return frozenset(decimal for row in self.rows.values() if len(row) > 1 for decimal in row)

    def bounds(self, known: KnownNumbers) -> dict[Decimal, Bounds] | None:
        """What has to be added to each decimal, from and to; None if nothing makes the entry right."""
        bounds = {decimal: self._room(decimal, known) for row in self.rows.values() for decimal in row}
        missing = {key: real(number) for key, number in self.missing.items()}
        rows = [(row, missing.get(key, Fraction(0))) for key, row in self.rows.items()]
        if any(not row and abs(number) > TINY for row, number in rows):
            return None
        rows = [(row, number, self._second_order(row, bounds)) for row, number in rows]
        for turn in count():
            before = dict(bounds)
            for row, number, curved in rows:
                known.ring.check_time()
                if not _narrow_bounds(bounds, row, number, curved):
                    return None
            if bounds == before or turn >= MAX_ROUNDS:
                break
        return bounds if all(map(_may_be, bounds, bounds.values())) else None

    def _room(self, decimal: Decimal, known: KnownNumbers) -> Bounds:
        """The bounds of a decimal before any equation."""
        if decimal in self.together and (near := known.near(decimal)):
            return min(Fraction(0), *near), max(Fraction(0), *near)
        if decimal.digits >= FEWEST_DIGITS:
            return -decimal.reach, decimal.reach
        other = simplest(decimal) - decimal.value
        return min(Fraction(0), other), max(Fraction(0), other)

    def _second_order(self, row: Mapping[Decimal, Fraction], bounds: Mapping[Decimal, Bounds]) -> Fraction:
        """How far an equation may be off because it is one of the first order."""
        widths = {decimal: max(map(abs, bounds[decimal])) for decimal in row}
        curved = (d for d in row if d in self.curved)
        part = sum((widths[d] * (1 + (1 / abs(d.value) if d.value else 0)) for d in curved), Fraction(0))
        return min(part, MOST_CURVED) * sum((abs(s) * widths[d] for d, s in row.items()), Fraction(0))

    def text(self, bounds: Mapping[Decimal, Bounds], style: FormulaStyle) -> str:
        """`reading 0.7071 as 1/2*sqrt(2), to the digits of 0.612`; of decimals that may not be as written."""
        open_rows = (row for key, row in self.rows.items() if key in self.missing)
        decimals = dict.fromkeys(d for row in open_rows for d in row if bounds[d] != (0, 0))
        numbers = {d: style.short(x) for d, x in self.alone().items()}
        named = {d.text: numbers[d] for d in decimals if d in numbers and len(numbers[d]) <= MAX_NAMED}
        others = list(dict.fromkeys(d.text for d in decimals if d.text not in named))
        parts = ["reading " + ", ".join(f"{text} as {number}" for text, number in named.items())] if named else []
        return ", ".join([*parts, *([f"to the digits of {name_list(others)}"] if others else [])])

    def alone(self) -> dict[Decimal, Exact]:
        """Exactly what those decimals are that share no equation, and that make all of theirs true."""
        numbers: dict[Decimal, Exact] = {}
        for decimal, column in self.slopes.items():
            if decimal in self.together or decimal in self.curved or not column:
                continue
            missing = {key: self.missing.get(key, x.ring.zero) for key, x in column.items()}
            error = next((quotient(missing[key], x) for key, x in column.items() if is_invertible(x)), None)
            if error is None or any(error * x != missing[key] for key, x in column.items()):
                continue
            if fits(decimal, error):
                numbers[decimal] = error + error.ring.number(decimal.value)
        return numbers


def with_numbers(value: Value, numbers: Mapping[Decimal, Exact]) -> Value:
    """A value with numbers in the place of decimals in which it is linear."""
    top = value.top
    for decimal, x in numbers.items():
        top = top + product(value.slopes[decimal], x - x.ring.number(decimal.value))
    return replace(value, top=top, slopes={k: x for k, x in value.slopes.items() if k not in numbers})


def _may_be(decimal: Decimal, bounds: Bounds) -> bool:
    """Whether a decimal of few digits is as written, or the simple fraction that it rounds."""
    few = decimal.digits < FEWEST_DIGITS
    others = Fraction(0), simplest(decimal) - decimal.value
    return not few or any(bounds[0] - TINY <= other <= bounds[1] + TINY for other in others)


def _narrow_bounds(
    bounds: dict[Decimal, Bounds], row: Mapping[Decimal, Fraction], total: Fraction, room: Fraction
) -> bool:
    """Whether an equation can hold within the bounds, which it narrows."""
    parts = {d: sorted((slope * bounds[d][0], slope * bounds[d][1])) for d, slope in row.items()}
    low, high = (sum((part[k] for part in parts.values()), Fraction(0)) for k in (0, 1))
    room += TINY
    if not low - room <= total <= high + room:
        return False
    for decimal, slope in row.items():
        own_low, own_high = parts[decimal]
        ends = sorted(((total - room - (high - own_high)) / slope, (total + room - (low - own_low)) / slope))
        bounds[decimal] = max(bounds[decimal][0], ends[0]), min(bounds[decimal][1], ends[1])
    return True


def fits(decimal: Decimal, error: Exact) -> bool:
    """Whether a decimal may stand for the number that is larger by `error`."""
    if not error.symbols():
        return may_stand_for(decimal, decimal.value + next(iter(error.terms().values()), Fraction(0)))
    return decimal.digits >= FEWEST_DIGITS and abs(real(error)) <= decimal.reach


def real(number: Exact) -> Fraction:
    """A number with roots and sines of fixed angles as a fraction that is equal to DIGITS digits."""
    if not number.symbols():
        return next(iter(number.terms().values()), Fraction(0))
    return as_fraction(value(number))
