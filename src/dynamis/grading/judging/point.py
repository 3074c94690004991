"""A point of small numbers where the student's value and the true one differ, with both values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from dynamis.grading.values import Value
from dynamis.scalars.exact.counterexample import angle_at, differing_point, value
from dynamis.scalars.exact.ring import Exact


@dataclass(frozen=True)
class Point:
    """The numbers of the symbols by their names, and both values there."""

    values: Mapping[str, str]
    yours: float
    true: float

    def text(self) -> str:
        """`at q2 = pi/2, m1 = 2, all other symbols 1: yours is 2, it should be 1`.

        Six digits, more where these do not show the difference.
        """
        named = [f"{name} = {number}" for name, number in self.values.items() if number != "1"]
        where = ", ".join([*named, "all other symbols 1" if named else "all symbols 1"])
        digits = next((k for k in range(6, 17) if f"{self.yours:.{k}g}" != f"{self.true:.{k}g}"), 17)
        return f"at {where}: yours is {self.yours:.{digits}g}, it should be {self.true:.{digits}g}"


def find_point(yours: Value, read: Exact, true: Exact, names: Mapping[str, str]) -> Point | None:
    """A point where the values differ; None where floats cannot show it.

    The point is looked for with the student's decimals read as what they round (`read` is that top), so that it does
    not show mere rounding; the values are those of the numbers as written. `names` gives symbols the student's names.
    """
    found = differing_point(read, yours.times_bottom(true))
    if found is None:
        return None
    point = found[0]
    try:
        below = Fraction(1) if yours.bottom is None else value(yours.bottom, point)
        left, right = float(value(yours.top, point) / below), float(value(true, point))
    except (OverflowError, ZeroDivisionError):
        return None
    shown: dict[str, str] = {}
    for symbol, number in point.items():
        if symbol.kind == "sine":
            shown[names.get(symbol.of, symbol.of)] = angle_at(symbol, point)
        elif symbol.kind != "cosine":
            plain = "d" * symbol.order + symbol.of if symbol.kind == "coordinate" else symbol
            shown[names.get(symbol, plain)] = str(number)
    return Point(shown, left, right) if left != right else None
