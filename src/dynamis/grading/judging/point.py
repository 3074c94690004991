"""A point of small numbers where two scalars differ, with both values."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dynamis.grading.common_ring import as_function, check_time
from dynamis.grading.values import Value
from dynamis.scalars.exact.counterexample import fixed_value
from dynamis.scalars.exact.ring import Exact, Ring

ANGLES = {"0": 0.0, "pi/2": math.pi / 2, "pi/6": math.pi / 6, "pi/3": math.pi / 3, "-pi/2": -math.pi / 2}
SAME = 1e-9
FINEST = 1e-11
TRIES = 60
# A difference that is no rounding of decimals.
PLAIN = 0.05


@dataclass(frozen=True)
class Point:
    """The numbers of the letters; those that are not named are 1."""

    values: Mapping[str, str]
    yours: float
    true: float

    def text(self) -> str:
        """`at q2 = pi/2, m1 = 2, all other symbols 1: yours is 2, it should be 1`.

        Six digits, more where these do not show the difference.
        """
        named = [f"{name} = {value}" for name, value in self.values.items() if value != "1"]
        where = ", ".join([*named, "all other symbols 1" if named else "all symbols 1"])
        digits = next((k for k in range(6, 17) if f"{self.yours:.{k}g}" != f"{self.true:.{k}g}"), 17)
        return f"at {where}: yours is {self.yours:.{digits}g}, it should be {self.true:.{digits}g}"


def find_point(value: Value, true: Exact, symbols: Mapping[str, str], apart_by: float = SAME) -> Point | None:
    """A point where the two values differ by more than `apart_by`; None where floats overflow.

    `symbols` gives symbols of the ring other names.
    """
    try:
        found = _find_point(value, true, symbols, apart_by)
        return found if found or apart_by != SAME else _find_point(value, true, symbols, FINEST)
    except OverflowError:
        return None


def _find_point(value: Value, true: Exact, symbols: Mapping[str, str], apart_by: float) -> Point | None:
    """The first of ever less simple points where the two values differ."""
    yours, ring = value.top, true.ring
    below = value.bottom if value.bottom is not None else ring.number(1)
    present = yours.letters() | true.letters() | below.letters()
    letters = [name for name in ring.letters.names if name in present]
    angles = list(dict.fromkeys(name[4:-1] for name in letters if name.startswith(("sin(", "cos("))))
    named = [name for name in letters if not name.startswith(("sin(", "cos(", "root ", "1/"))]
    named = [name for name in named if name != "pi" and name not in angles]  # the angle itself is the sine's
    fixed = {name: angle for name in angles if (angle := _fixed_angle(name, ring)) is not None}
    free = [name for name in angles if name not in fixed]
    start = dict.fromkeys(free, "0") | dict.fromkeys(named, "1")
    value_of = as_function(yours), as_function(true), as_function(below)

    def values(at: Mapping[str, str]) -> tuple[float, float]:
        check_time(ring)
        whole = _values(ring, {n: ANGLES[at[n]] for n in free} | fixed, {n: int(at[n]) for n in named})
        divisor = value_of[2](whole)
        right = value_of[1](whole)
        return (value_of[0](whole) / divisor if abs(divisor) > SAME else right), right

    def differ(at: Mapping[str, str]) -> bool:
        a, b = values(at)
        scale = max(1.0, abs(a), abs(b)) if apart_by <= SAME else max(abs(a), abs(b))
        return math.isfinite(scale) and abs(a - b) > max(apart_by * scale, min(apart_by, SAME))

    for turned, numbers in _tries(len(free), len(named)):
        at = dict(zip(free, turned, strict=True)) | dict(zip(named, numbers, strict=True))
        if differ(at):
            for name, simple in start.items():  # as simple as it can be
                at = {**at, name: simple} if differ({**at, name: simple}) else at
            a, b = values(at)
            return Point({_shown(symbols, name): value for name, value in at.items()}, _clean(a), _clean(b))
    return None


def _tries(angles: int, numbers: int) -> Iterator[tuple[list[str], list[str]]]:
    texts, chance = list(ANGLES), random.Random(1)
    for text in texts:
        yield [text] * angles, ["1"] * numbers
    for _ in range(TRIES):
        yield chance.choices(texts, k=angles), chance.choices("123", k=numbers)


def _values(ring: Ring, angles: Mapping[str, float], values: Mapping[str, int]) -> dict[str, float]:
    """Every letter of the ring at a point."""
    found: dict[str, float] = {}
    for name in ring.letters.names:
        if name.startswith(("sin(", "cos(")):
            angle = angles.get(name[4:-1], 0.0)
            found[name] = math.sin(angle) if name.startswith("sin") else math.cos(angle)
        elif name.startswith("root "):
            found[name] = math.sqrt(float(name[5:]))
        elif name.startswith("1/"):
            found[name] = 0.0 if name in ring.sums else 1 / values.get(name[2:], 1)
        else:
            found[name] = math.pi if name == "pi" else angles.get(name, float(values.get(name, 1)))
    for name, below in ring.sums.items():
        value = as_function(below)(found)
        found[name] = 1 / value if value else math.inf
    return found


def _clean(value: float) -> float:
    """Without the noise of rounding."""
    return round(value, 12) + 0.0


def _fixed_angle(name: str, ring: Ring) -> float | None:
    """The value of an angle that is a number, from -pi to pi: `3/10`, `1/7*pi`."""
    for pair in ring.angles:
        sine, cosine = (fixed_value(symbol, ring) for symbol in pair)
        if pair[0].of == name and sine is not None and cosine is not None:
            return math.atan2(sine, cosine)
    return None


def _shown(symbols: Mapping[str, str], name: str) -> str:
    return symbols.get(name, name.replace("(", "").rstrip(")") if name.startswith(("d(", "dd(")) else name)
