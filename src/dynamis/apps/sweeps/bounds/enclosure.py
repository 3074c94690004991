"""What a program's results can be over boxes, with their derivatives: forward mode, in intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.apps.sweeps.bounds.intervals import ZERO, Interval, exactly
from dynamis.compute.program.program import Program

Slopes = Interval | None
"""(d, boxes): the derivative by each of d inputs; None where all are 0."""
UNKNOWN = Interval(np.array(-np.inf), np.array(np.inf))


@dataclass(frozen=True)
class Enclosed:
    """A result over boxes: values (boxes,) and slopes (d, boxes)."""

    value: Interval
    slopes: Slopes


def enclose_program(program: Program, box: Interval, by: Sequence[int] = ()) -> list[Enclosed]:
    """The results of a program of one input x over boxes (inputs, boxes), and their slopes by these entries of x."""
    units = np.eye(len(box.lo))[list(by)]
    values, rates = list[Any](), list[Any]()
    last = _last_uses(program)
    for place, (op, a, b, _) in enumerate(program.operations):
        if op == "input":
            k = int(a.split(":")[1])
            values.append(Interval(box.lo[k], box.hi[k]))
            rates.append(exactly(units[:, k, None]) if k in by else None)
        elif op == "constant":
            values.append(exactly(a))
            rates.append(None)
        else:
            x, y = values[a], None if b is None else values[b]
            value = _value(op, x, y, a == b)
            values.append(value)
            rates.append(_rate(op, x, y, value, rates[a], None if b is None else rates[b]))
        for old in last.get(place, ()):
            values[old] = rates[old] = None
    return [Enclosed(values[k], rates[k]) for places in program.results for k in places]


def _last_uses(program: Program) -> dict[int, list[int]]:
    """After which operation each value is not needed any more."""
    last = dict[int, int]()
    for place, (op, a, b, _) in enumerate(program.operations):
        if op not in ("input", "constant"):
            last |= {k: place for k in (a, b) if k is not None}
    kept = {k for places in program.results for k in places}
    after = dict[int, list[int]]()
    for value, place in last.items():
        if value not in kept:
            after.setdefault(place, []).append(value)
    return after


_ONE: dict[str, Callable[[Interval], Interval]] = {
    "neg": lambda x: -x, "sin": Interval.sin, "cos": Interval.cos, "sqrt": Interval.sqrt, "sign": Interval.sign,
    "round": Interval.rounded,
}  # fmt: skip
_TWO: dict[str, Callable[[Interval, Interval], Interval]] = {
    "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "/": lambda x, y: x / y,
    "min": Interval.least, "max": Interval.greatest,
}  # fmt: skip


def _value(op: str, x: Interval, y: Interval | None, same: bool) -> Interval:
    if y is None:
        return _ONE[op](x)
    return x.square if same and op == "*" else _TWO[op](x, y)


def _rate(op: str, x: Interval, y: Interval | None, value: Interval, dx: Slopes, dy: Slopes) -> Slopes:
    """The slopes of an operation; those of a minimum are between those of its operands (Clarke's gradient)."""
    if dx is None and dy is None:
        return None
    match op:
        case "+":
            return dx if dy is None else dy if dx is None else dx + dy
        case "-":
            return dx if dy is None else -dy if dx is None else dx - dy
        case "neg":
            return -_slopes_or_default(dx)
        case "*":
            assert y is not None
            return (
                dx * y
                if dy is None and dx is not None
                else x * _slopes_or_default(dy)
                if dx is None
                else dx * y + x * _slopes_or_default(dy)
            )
        case "/":
            assert y is not None
            above = dx if dy is None else -(value * dy) if dx is None else dx - value * dy
            return _slopes_or_default(above) / y
        case "sin":
            return x.cos() * _slopes_or_default(dx)
        case "cos":
            return -(x.sin() * _slopes_or_default(dx))
        case "sqrt":
            return _slopes_or_default(dx) / (value + value)
        case "min" | "max":
            return _slopes_or_default(dx, ZERO).hull(_slopes_or_default(dy, ZERO))
        case _:  # a sign or a rounded number: flat where it does not jump
            jumps = value.lo < value.hi
            return Interval(np.where(jumps, -np.inf, 0.0), np.where(jumps, np.inf, 0.0)) + _slopes_or_default(dx) * ZERO


def _slopes_or_default(x: Slopes, otherwise: Interval = UNKNOWN) -> Interval:
    return otherwise if x is None else x
