"""Brackets of a sweep's values: the largest one seen, with its state, and a bound that no state of the box exceeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import Any, Literal

import numpy as np

from dynamis.apps.sweeps.bounds.branch_and_bound import Bounded, Boxes, largest
from dynamis.apps.sweeps.bounds.expansion import Expansion, expansions
from dynamis.apps.sweeps.bounds.intervals import Interval
from dynamis.apps.sweeps.bounds.local_search import climb_in_box
from dynamis.apps.sweeps.parts import Parts
from dynamis.apps.sweeps.ranges import Dimension
from dynamis.apps.sweeps.run import Progress, totals_of
from dynamis.apps.sweeps.sweep import Sweep
from dynamis.base.arguments import number
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, check_name, literal
from dynamis.compute.backends.numpy_backend import evaluate_program
from dynamis.telling.blocks import Column, Document, Items, Section, Table
from dynamis.telling.result import Result

Side = Literal["max", "min"]
LOOSE_BOUND_RATIO = 1.05
"""A bound this many times the value that was seen is called loose."""
ZERO_BOUND = 1e-300
"""What rounding outward makes of an exact zero is below this."""
RELATIVE_ROUNDING = 1e-9
"""A value seen that is this small beside its bound is a zero that was rounded."""


@dataclass(frozen=True)
class Bracket:
    """Of one value: between `seen`, which the state has, and `bound` lies the largest (least) of the whole box."""

    value: str
    unit: str
    side: Side
    seen: float
    bound: float
    state: dict[str, Any]
    boxes: int

    @property
    def gap(self) -> float:
        """How far the bound is from what was seen, relative to the latter's size; infinite for a size of 0."""
        if abs(self.bound - self.seen) <= ZERO_BOUND:
            return 0.0
        return (
            abs(self.bound - self.seen) / abs(self.seen)
            if abs(self.seen) > RELATIVE_ROUNDING * abs(self.bound)
            else np.inf
        )


@dataclass(frozen=True)
class Brackets(Result):
    """The brackets of all values of a sweep."""

    robot: Any
    quantity: str
    brackets: tuple[Bracket, ...]
    draws: int
    seconds: float

    def of(self, value: str, side: Side = "max") -> Bracket:
        """The bracket of one value."""
        names = [(x.value, x.side) for x in self.brackets]
        check_name("value", value, dict(names))
        check_name("side", side, {x for name, x in names if name == value})
        return self.brackets[names.index((value, side))]

    def document(self) -> Document:
        """A row for every value and side, and how tight they are in words."""
        heads = ("value", "", Column("seen", form=".6g"), Column("certified bound", form=".6g"), Column("gap", "", "%"),
                 "unit", Column("boxes", form="d"))  # fmt: skip
        rows = tuple((x.value, x.side, x.seen, x.bound, x.gap, x.unit, x.boxes) for x in self.brackets)
        sections = (
            Section("Brackets", (Table(heads, rows, keys=2),), "brackets"),
            Section("What to know", (Items(tuple(self._words())),), "words"),
        )
        return Document(f"{self.robot.name}: brackets of {self.quantity}", sections, data=self._json)

    def _words(self) -> Iterator[str]:
        yield (
            f"Seen: the best of {self.draws:,} states of the sweep, and of a search from there. Certified: no state of "
            "the box exceeds it, by interval arithmetic."
        )
        if loose := [f"{x.side} of {x.value}" for x in self.brackets if x.gap > LOOSE_BOUND_RATIO - 1]:
            yield (
                f"Loose by more than {100 * (LOOSE_BOUND_RATIO - 1):.0f} %: {', '.join(loose)}. The true extreme may "
                "be anywhere "
                "between; more seconds, or a smaller box, bring both together."
            )

    def _json(self) -> dict[str, Any]:
        rows = [
            {"value": x.value, "unit": x.unit, "side": x.side, "seen": x.seen, "bound": x.bound, "boxes": x.boxes,
             "state": {name: np.asarray(at).tolist() for name, at in x.state.items()}}
            for x in self.brackets
        ]  # fmt: skip
        return {"robot": self.robot.name, "quantity": self.quantity, "draws": self.draws, "brackets": rows}


def bracket(
    swept: Sweep,
    seconds: float = 10.0,
    tolerance: float = 1e-3,
    sides: str = "max min",
    progress: Progress | None = None,
) -> Brackets:
    """Certified brackets of all values of a sweep over its whole box, not only the states that it draws.

    Beside the largest (least) value seen, a lower bound of what can happen, stands an upper bound from the equations by
    interval arithmetic and branch and bound. It is always valid, and loose where time runs out.

    swept: a sweep over boxes; lists of values count as the box that they span
    seconds: for all values together, 10 by default; the sweep itself comes on top
    tolerance: the relative gap at which a value is done
    sides: "max min", "max" or "min"
    progress: is called with the bounds that are done and all bounds
    """
    limit, close = number("seconds", seconds, least=0), number("tolerance", tolerance, least=0)
    words = str(sides).split()
    if not words or not set(words) <= {"max", "min"}:
        raise ArgumentError('sides must be "max", "min" or "max min"', key="sides")
    if not isinstance(swept, Sweep):  # type: ignore[redundant-expr]
        raise ArgumentError(f"swept must be what dynamis.sweep gives, got {literal(swept)}", key="swept")
    begin = perf_counter()
    parts = _over_boxes(swept.parts)
    goals = [(k, value, side) for k, value in enumerate(expansions(parts)) for side in words]
    seen = _extreme_states(parts)
    brackets = list[Bracket]()
    stop = perf_counter() + limit
    for left, (k, value, side) in zip(range(len(goals), 0, -1), goals, strict=True):
        sign = 1 if side == "max" else -1
        result = _goal(parts, value, k, sign, seen[sign][k], close, max(0.0, stop - perf_counter()) / left)
        state = parts.named(result.place)
        name, unit = parts.names[k], parts.units[k]
        brackets.append(
            Bracket(
                name, unit, "max" if sign > 0 else "min", sign * result.found, sign * result.bound, state, result.boxes
            )
        )
        if progress:
            progress(len(brackets), len(goals))
    return Brackets(parts.robot, parts.measure.name, tuple(brackets), parts.states, perf_counter() - begin)


def _over_boxes(parts: Parts) -> Parts:
    """The same sweep over boxes alone, without cells; whole turns once."""
    ranges = parts.ranges
    if any(x.spread is not None and x.spread.kind == "given" for x in ranges.dimensions):
        raise ArgumentError("samples have no bounds between them; give the sweep boxes instead", key="swept")
    if ranges.groups or any(x.spread is not None and x.spread.kind == "normal" for x in ranges.dimensions):
        raise ArgumentError("a normal distribution has no bounds; give the sweep a box instead", key="swept")
    coupled = any(joint.coupling for joint in parts.robot.joints)
    turning = {f"q:{k}" for k, x in enumerate(parts.robot.coordinates) if x.revolute and not coupled}
    dimensions = list[Dimension]()
    for x in ranges.dimensions:
        if x.spread is not None:  # triangular
            x = replace(x, least=x.spread.numbers[0], greatest=x.spread.numbers[2], spread=None)
        if x.name in turning and x.greatest - x.least >= 2 * np.pi:
            x = replace(x, least=-np.pi, greatest=np.pi)
        dimensions.append(x)
    for name, values in ranges.cases:
        dimensions.append(Dimension(name, name, "", min(values), max(values)))
    return replace(
        parts, ranges=replace(ranges, dimensions=tuple(dimensions), cases=()), axes=(),
        keep=("max", "argmax", "min", "argmin"),
    )  # fmt: skip


def _extreme_states(parts: Parts) -> dict[int, list[Array]]:
    """The states with the largest and with the least of every value."""
    (totals,) = totals_of(parts)
    count = len(parts.names)
    return {
        sign: [parts.values(int(index), int(index) + 1)[0] if index >= 0 else parts.values(0, 1)[0]
               for index in totals.of(kind)[1][0, :count]]
        for sign, kind in ((1, "max"), (-1, "min"))
    }  # fmt: skip


def _goal(parts: Parts, value: Expansion, k: int, sign: int, start: Array, tolerance: float, seconds: float) -> Bounded:
    dimensions, program = parts.ranges.dimensions, parts.program(0).program
    least, greatest = (np.array([getattr(x, side) for x in dimensions]) for side in ("least", "greatest"))

    def at(points: Array) -> Array:
        return evaluate_program(program, (points,), "float64")[0][..., k]

    def climb(points: Array) -> Array:
        return sign * at(points)

    found = climb_in_box(climb, start, least, greatest)
    boxes = Boxes(value, [x.name for x in dimensions], dict(parts.ranges.fixed), sign)
    whole = Interval(least[:, None], greatest[:, None])
    with np.errstate(all="ignore"):
        return largest(boxes, whole, partial(at), found, max(ZERO_BOUND, tolerance * abs(found[0])), seconds)
