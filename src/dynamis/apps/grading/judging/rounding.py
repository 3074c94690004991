"""Decimals as what they round: 0.0833 is 1/12 to four digits.

A decimal is exact as it is written. It is read as another number only where that makes an entry
equal, and then the verdict says so. The number must round to the very digits that are written: two
significant ones where it is a fraction that has no short decimal (1/3, 5/12, 3/8), three otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from dynamis.apps.grading.judging.formulas import number_text
from dynamis.apps.grading.values import Decimal, Value
from dynamis.scalars.exact.linear_system import LinearSystem
from dynamis.scalars.exact.ring import Exact, Exponents, Ring

MAX_SIMPLE_DENOMINATOR = 100
Column = dict[Exponents, Fraction]
Readings = dict[Decimal, Fraction]
"""Decimal -> the number that it is read as, where that is not the number as written."""


def may_stand_for(decimal: Decimal, value: Fraction) -> bool:
    """Whether the decimal may stand for the number."""
    if value == decimal.value:
        return True
    simple = value.denominator <= MAX_SIMPLE_DENOMINATOR and value.denominator % 5 != 0
    return decimal.digits >= (2 if simple else 3) and abs(value - decimal.value) <= decimal.reach


def simplest(decimal: Decimal) -> Fraction:
    """The fraction of smallest denominator that rounds to the decimal; the decimal itself if it may not be read so.

    >>> [str(simplest(Decimal(text, "", 0))) for text in ("0.0833", "0.5", "0.42", "0.3")]
    ['1/12', '1/2', '5/12', '3/10']
    """
    low, high = decimal.value - decimal.half, decimal.value + decimal.half
    fraction = _between(low, high) if low > 0 else decimal.value
    return fraction if may_stand_for(decimal, fraction) else decimal.value


def _between(low: Fraction, high: Fraction) -> Fraction:
    """The simplest fraction in [low, high], by continued fractions."""
    ceiling = -(-low.numerator // low.denominator)
    if ceiling <= high:
        return Fraction(ceiling)
    floor = low.numerator // low.denominator
    return floor + 1 / _between(1 / (high - floor), 1 / (low - floor))


def readings(value: Value, true: Exact) -> Readings | None:
    """How to read the decimals so that the value is the true scalar; None if there is no way.

    Solves sum of e_i slope_i = true bottom - top exactly. Decimals of one text have one reading if that
    is possible, else each its own.
    """
    true.ring.check_time()
    missing = (value.times_bottom(true) - value.top).terms()
    open_ones = [decimal for decimal in value.slopes if decimal not in value.curved]
    columns = {decimal: value.slopes[decimal].terms() for decimal in open_ones}
    covered = {key for column in columns.values() for key in column}
    if any(key not in covered for key in missing):
        return None
    by_text: dict[str, list[Decimal]] = {}
    for decimal in open_ones:
        by_text.setdefault(decimal.text, []).append(decimal)
    together = {same[0]: _sum(columns[decimal] for decimal in same) for same in by_text.values()}
    solution = _solve_groups(together, missing, true.ring)
    if solution is not None:
        return {decimal: solution[same[0]] for same in by_text.values() for decimal in same if same[0] in solution}
    return _solve_groups(columns, missing, true.ring) if len(together) < len(columns) else None


def _sum(columns: Iterable[Column]) -> Column:
    total: Column = {}
    for column in columns:
        for key, x in column.items():
            total[key] = total.get(key, Fraction(0)) + x
    return {key: x for key, x in total.items() if x}


def _solve_groups(columns: Mapping[Decimal, Column], missing: Column, ring: Ring) -> Readings | None:
    """The same, for each group of decimals that share terms."""
    readings: Readings = {}
    left = dict(columns)
    while left:
        part = dict([left.popitem()])
        keys = {key for column in part.values() for key in column}
        while touching := [k for k, column in left.items() if not keys.isdisjoint(column)]:
            part |= {k: left.pop(k) for k in touching}
            keys |= {key for column in part.values() for key in column}
        rest = {key: missing[key] for key in keys if key in missing}
        if not rest:
            continue  # as written
        system = LinearSystem[Decimal, Fraction](Fraction(0))
        for key in keys:
            ring.check_time()
            row = {k: column[key] for k, column in part.items() if key in column}
            if not system.add(row, rest.get(key, Fraction(0))):
                return None
        # Decimals that are left open are as written, or else the simplest fractions.
        as_written = dict.fromkeys(part, Fraction(0))
        for free in (as_written, {decimal: simplest(decimal) - decimal.value for decimal in part}):
            solution = system.solution(free)
            if all(may_stand_for(k, k.value + e) for k, e in solution.items()):
                readings |= {k: k.value + e for k, e in solution.items() if e}
                break
        else:
            return None
    return readings


def nearest_readings(value: Value, true: Exact) -> Readings:
    """Readings of the decimals of a wrong value that make terms right, one decimal after the other."""
    missing = (value.times_bottom(true) - value.top).terms()
    readings: Readings = {}
    for decimal, slope in value.slopes.items():
        if decimal in value.curved or not missing:
            continue
        true.ring.check_time()
        column = slope.terms()
        tries = {missing[key] / x for key, x in column.items() if key in missing}
        for e in sorted(tries, key=abs):
            if not may_stand_for(decimal, decimal.value + e):
                continue
            after = _sum([missing, {key: -e * x for key, x in column.items()}])
            if len(after) < len(missing):
                missing, readings[decimal] = after, decimal.value + e
                break
    return readings


def apply_readings(value: Value, readings: Mapping[Decimal, Fraction]) -> Exact:
    """The top with its decimals read so."""
    top = value.top
    for decimal, number in readings.items():
        top = top + value.slopes[decimal].times(number - decimal.value)
    return top


def reading_text(readings: Mapping[Decimal, Fraction | Exact], text: Callable[[Exact], str] = str) -> str:
    """`reading 0.333 as 1/3`; `text` writes numbers with roots and angles."""
    numbers = ((decimal.text, text(x) if isinstance(x, Exact) else number_text(x)) for decimal, x in readings.items())
    pairs = dict.fromkeys(numbers)
    return "reading " + ", ".join(f"{text} as {number}" for text, number in pairs)
