"""The cells of a map: which of them a state belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, cast

import numpy as np

from dynamis.apps.sweeps.derived import TOOL, tool_variable
from dynamis.apps.sweeps.ranges import MAX_MAGNITUDE, Ranges
from dynamis.apps.sweeps.reach import reach
from dynamis.base.arguments import integer, mapping, number
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.compute.quantities.robot_at_state import RobotAtState

MOST_CELLS = 10**7
RESERVED = ("count", "value", "unit", "bin", "point", "of")
"""Names that results have anyway."""


@dataclass(frozen=True)
class Axis:
    """`bins` equal cells of a variable from `least` to `greatest`."""

    name: str
    variable: str
    unit: str
    bins: int
    least: float
    greatest: float
    holds_all: bool
    """Whether no state can be outside."""

    @property
    def centres(self) -> Array:
        return self.least + (np.arange(self.bins) + 0.5) * (self.greatest - self.least) / self.bins

    @property
    def label(self) -> str:
        """Of a figure."""
        return f"{self.variable} [{self.unit}]"

    @property
    def data(self) -> dict[str, Any]:
        """In JSON."""
        return {"name": self.name, "variable": self.variable, "unit": self.unit, "cells": self.bins,
                "from": self.least, "to": self.greatest}  # fmt: skip


def layout(map_axes: Sequence[Axis], panels: int) -> tuple[int, float]:
    """The columns of the panels of a map, and their height [in]; three columns where lengths make it high and slim."""
    spans = [x.greatest - x.least for x in map_axes[:2]]
    slim = len({x.unit for x in map_axes[:2]}) == 1 and spans[-1] > 1.5 * spans[0]
    return min(panels, 3 if slim else 2), 3.2 if slim else 2.6


def axes(robot: Any, ranges: Ranges, by: Mapping[str, Any], taken: Iterable[str] = ()) -> tuple[Axis, ...]:
    """The axes of a map: name -> (variable, bins) or (variable, bins, least, greatest); no name is one of `taken`."""
    swept = {x.label: x for x in ranges.dimensions}
    result = list[Axis]()
    others = {*taken, *(name for name, _ in ranges.cases)}
    for name, spec in mapping("by", by, '{"r": ("tool.radius", 60)}').items():
        if not isinstance(name, str) or not name:
            raise ArgumentError(f"every axis of by must have a name, got {literal(name)}", key="by")
        if name in others or name.rstrip("0123456789") in RESERVED:
            raise ArgumentError(f'"{name}" is a name that results have already; give this axis of by another', key="by")
        if not isinstance(spec, list | tuple) or len(cast("Sequence[Any]", spec)) not in (2, 4):
            raise ArgumentError(
                f"by[{name!r}] must be (variable, bins[, least, greatest]), got {literal(spec)}", key="by"
            )
        spec = cast("Sequence[Any]", spec)
        variable, bins = str(spec[0]), integer(f"bins of {name}", spec[1])
        if variable not in TOOL and variable not in swept:
            raise UnknownNameError("cell variable", variable, [*TOOL, *swept], key="by")
        unit = "m" if variable in TOOL else swept[variable].unit
        holds_all = len(spec) == 2
        if len(spec) == 4:
            least, greatest = (number(side, x, least=-MAX_MAGNITUDE, most=MAX_MAGNITUDE)
                               for side, x in zip(("least", "greatest"), spec[2:], strict=True))  # fmt: skip
        elif variable in TOOL:
            greatest, holds_all = reach(robot, ranges)
            least = 0.0 if variable in ("tool.radius", "tool.distance") else -greatest
        elif swept[variable].spread is None:
            least, greatest = swept[variable].least, swept[variable].greatest
        else:
            raise ArgumentError(f"the cells of {variable} need bounds: ({variable!r}, bins, least, greatest)", key="by")
        if not least < greatest:
            raise ArgumentError(
                f"the cells of {variable} need least < greatest, got {least:g} and {greatest:g}", key="by"
            )
        result.append(Axis(name, variable, unit, bins, least, greatest, holds_all))
    if (cells := prod(x.bins for x in result)) > MOST_CELLS:
        raise ArgumentError(f"a map has at most {MOST_CELLS:.0e} cells, got {min(cells, 10**300):.3g}", key="by")
    return tuple(result)


def cell_number(at: RobotAtState, swept: Mapping[str, Any], map_axes: Sequence[Axis]) -> Any:
    """The number of a state's cell, row by row; negative, NaN or beyond all cells where it is in none.

    A value at an edge belongs to the cell below it, and the least to the first: the greatest one is in the last cell.
    """
    scalars, total, outside = at.m.scalars, 0.0, 0.0
    for axis in map_axes:
        scale = axis.bins / (axis.greatest - axis.least) * (1 - 2.0**-44)
        variable = swept[axis.variable] if axis.variable in swept else tool_variable(at, axis.variable)
        number = scalars.nearest(variable * scale - (axis.least * scale + 0.5))
        if not axis.holds_all:
            out = scalars.greatest(-number, 0.0) + scalars.greatest(number - (axis.bins - 1.0), 0.0)
            outside = outside + out
        total = total * float(axis.bins) + number
    return total + outside * (2.0 * prod(x.bins for x in map_axes) + 2.0)
