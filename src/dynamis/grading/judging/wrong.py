"""A wrong entry in sentences: as it is written, with decimals read as what they round where that is plainly meant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from dynamis.grading.common_ring import check_time
from dynamis.grading.judging.differences import differences
from dynamis.grading.judging.formulas import FormulaStyle, number_text
from dynamis.grading.judging.point import Point, telling_point
from dynamis.grading.judging.rounding import SIMPLE, applied, nearest, simplest
from dynamis.grading.values import Value, Written
from dynamis.scalars.exact.ring import Exact

PLAINLY = 0.05


def wrong(yours: Value, true: Exact, style: FormulaStyle, decimals: bool) -> tuple[list[str], Point | None, list[str]]:
    """The sentences, a point that shows it with the numbers as they are written, and how decimals were read."""
    whole = yours.times_bottom(true)
    near = nearest(yours, true)
    best: tuple[int, list[str], dict[Written, Fraction]] | None = None
    fractions = {d: simplest(d) for d in yours.slopes if d not in yours.curved}
    simple = {d: x - d.value for d, x in fractions.items() if x != d.value and x.denominator <= SIMPLE}
    for changes in (near, simple | near) if not simple.keys() <= near.keys() else (near,):
        check_time(true.ring)
        written = {d.value + changes.get(d, Fraction(0)): d.text for d in yours.decimals}
        student = replace(style, written=written, decimals=decimals)
        found = differences(applied(yours, changes), whole, style, student)
        if found and (best is None or len(found) < best[0]):
            best = len(found), found, changes
    _, sentences, changes = best or (0, ["yours is not equal to it"], {})
    if yours.bottom is not None:
        sentences = [f"compared after both were multiplied by {style.short(yours.bottom)}:", *sentences]
    reading = [reading_text({d: d.value + e for d, e in changes.items()})] if changes else []
    # Not a point where only the rounding of decimals is seen, if there is another.
    plain = telling_point(yours.top, yours.bottom, true, style.symbols, PLAINLY) if decimals else None
    return sentences, plain or telling_point(yours.top, yours.bottom, true, style.symbols), reading


def reading_text(readings: Mapping[Written, Fraction]) -> str:
    """`reading 0.333 as 1/3`."""
    pairs = dict.fromkeys((decimal.text, value) for decimal, value in readings.items())
    return "reading " + ", ".join(f"{text} as {number_text(value)}" for text, value in pairs)
