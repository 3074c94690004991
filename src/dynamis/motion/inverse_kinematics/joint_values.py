"""Joint values of many targets as blocks and as columns: one row per solution, one column per coordinate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.model.coordinate import Coordinate
from dynamis.telling.blocks import Block, Column, Items, Table
from dynamis.telling.series import numbered_columns

MOST_ROWS = 40
"""More are counted, not listed; CSV has them all."""
SIDE_BY_SIDE = 6
"""Coordinates in a row, where the table is too wide."""
FORMS = {"f": ".3g", "i": "d", "b": "", "U": ""}
"""How the kinds of NumPy's numbers are printed."""

Marks = Mapping[str, NDArray[Any]]
"""What else there is to say of every row, by the head of its column; truth values are printed as yes and no."""


def values_blocks(
    coordinates: Sequence[Coordinate], q: Array, before: Marks, after: Marks | None = None
) -> tuple[Block, ...]:
    """A table of q (rows, n), with columns before it and after it; nothing where there are no rows."""
    if not len(q):
        return ()
    after = after or {}
    values = [Column(coordinate.name, coordinate.length, "fixed", decimals=6) for coordinate in coordinates]
    columns = [*_heads(before), *values, *_heads(after)]
    listed = [_cells(x[:MOST_ROWS]) for x in before.values()], [_cells(x[:MOST_ROWS]) for x in after.values()]
    rows = zip(*listed[0], *q[:MOST_ROWS].T.tolist(), *listed[1], strict=True)
    more = len(q) - MOST_ROWS
    rest = (Items((f"... and {more} more: to_csv writes all of them",)),) if more > 0 else ()
    ends = (*range(len(before), len(before) + len(values), SIDE_BY_SIDE)[1:], len(before) + len(values))
    return Table(tuple(columns), tuple(rows), len(before), ends), *rest


def values_columns(coordinates: Sequence[Coordinate], q: Array, marks: Marks) -> dict[str, Array]:
    """The same for CSV, as numbers."""
    numbers = {name: x.astype(np.float64) for name, x in marks.items() if x.dtype.kind != "U"}
    return numbers | numbered_columns("q", q, [coordinate.length for coordinate in coordinates])


def _heads(marks: Marks) -> list[Column]:
    return [Column(name, form=FORMS[x.dtype.kind]) for name, x in marks.items()]


def _cells(values: NDArray[Any]) -> list[Any]:
    return np.where(values, "yes", "no").tolist() if values.dtype.kind == "b" else values.tolist()
