"""Numbers, vectors, matrices and poses of a state as tables, with the names and units of their rows and columns."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from math import floor, log10
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, name_list
from dynamis.base.numbers import short
from dynamis.telling.blocks import Block, Column, Document, Note, Table, Words
from dynamis.telling.result import Result

MIN_DIGITS = 4
"""The digits that the largest number of a column has at least."""
MAX_DIGITS = 9
"""The most digits that small columns give the largest number of a matrix: six columns fit 80 characters."""
RELATIVE_NOISE = 1e-12
"""What is smaller, relative to the largest number of a table, is the rounding of larger ones."""
COLUMNS_PER_PART = 6
"""The columns of a wide matrix that stand side by side: those of an arm with six joints fit 80 characters."""


def decimals(values: Array) -> int:
    """So many decimals that the largest of the values has DIGITS digits.

    >>> decimals(np.array([12.5, -0.1])), decimals(np.array([0.0012])), decimals(np.zeros(2))
    (2, 6, 0)
    """
    finite = np.abs(values[np.isfinite(values)])
    largest = float(finite.max(initial=0.0))
    return min(12, max(0, MIN_DIGITS - 1 - floor(log10(largest)))) if largest else 0


def common_decimals(entries: Array) -> int:
    """The decimals of every entry of a matrix: enough for its smallest column, unless the largest becomes too long.

    >>> common_decimals(np.array([[2.32, -0.0000342], [-0.0000342, 0.0001321]])), common_decimals(np.diag([2e8, 0.1]))
    (7, 0)
    """
    finite = np.abs(entries[np.isfinite(entries)])
    whole = len(str(int(finite.max(initial=0.0))))
    return min(max(map(decimals, entries.T), default=0), max(decimals(entries), MAX_DIGITS - whole))


@dataclass(frozen=True)
class Entries(Result):
    """A number, a vector or a matrix of a state: `values` with named rows and columns, in one unit or one per column.

    Where there are three axes, rows are all pairs of the first two. `transposed`: the rows of the table are the columns
    of `values`.
    """

    values: Array
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    unit: str = ""
    column_units: tuple[str, ...] = ()
    transposed: bool = False
    notes: tuple[str, ...] = ()
    axes: tuple[tuple[str, ...], ...] = ()
    """Names along the axes of `values`, where they are not those of the columns, or of the rows and the columns."""

    def entry(self, name: str, indices: tuple[str, ...]) -> Entries:
        """One entry by its indices, each a number from 1 or the name of a row or column; `name` is for errors.

        Of several matrices one of them, by all indices but those of its row and column.
        """
        vector = self.row_names == ("",)
        axes = list(self.axes or ((self.column_names,) if vector else (self.row_names, self.column_names)))
        matrix = len(indices) == len(axes) - 2 > 0
        if len(indices) != len(axes) and not matrix:
            example = f"{name}[{','.join('1' if axis[0].isdigit() else axis[0] for axis in axes)}]"
            count = f"{len(axes)} {'index' if len(axes) == 1 else 'indices'}"
            raise ArgumentError(f"{name} has {count}, not {len(indices)}; write {example}", key="only")
        at = tuple(_position(name, index, axis) for index, axis in zip(indices, axes, strict=False))
        if matrix:
            values = self.values[(..., *at, slice(None), slice(None))]
            return replace(self, values=values, row_names=axes[-2], column_names=axes[-1], axes=())
        unit = self.column_units[at[0]] if vector and self.column_units else self.unit
        return replace(
            self, values=self.values[(..., *at)], row_names=("",), column_names=(name,), unit=unit, column_units=(),
            transposed=False, axes=(),
        )  # fmt: skip

    def document(self) -> Document:
        """A table, or the number."""
        height, width = len(self.row_names), len(self.column_names)
        # Of a batch the first state, as other results do.
        if self.transposed:
            entries = np.reshape(self.values, (-1, width, height))[0].T
        else:
            entries = np.reshape(self.values, (-1, height, width))[0]
        units = self.column_units or [""] * len(self.column_names)
        entries = np.where(np.abs(entries) < RELATIVE_NOISE * np.abs(entries).max(initial=0.0), 0.0, entries)
        vector = self.row_names == ("",)
        places = [decimals(column) if vector else common_decimals(entries) for column in entries.T]
        heads = [Column(name, unit, "fixed", n) for name, unit, n in zip(self.column_names, units, places, strict=True)]
        if entries.size == 1 and not self.column_units:
            table: Block = Words((short(float(entries[0, 0])),))
        elif vector:
            table = Table(tuple(heads), tuple(map(tuple, entries.tolist())), keys=0)
        else:
            rows = zip(self.row_names, entries.tolist(), strict=True)
            splits = tuple(range(1 + COLUMNS_PER_PART, 1 + width, COLUMNS_PER_PART))
            table = Table(("", *heads), tuple((name, *row) for name, row in rows), splits=splits)
        return Document("", (table, *map(Note, self.notes)), data=lambda: {"values": self.values})


def _position(name: str, index: str, names: tuple[str, ...]) -> int:
    """The place of an index: a number from 1, or a name."""
    if re.fullmatch("[1-9][0-9]{0,5}", index) and int(index) <= len(names):
        return int(index) - 1
    if index in names:
        return names.index(index)
    own = "" if names[0].isdigit() else f" or one of {name_list(names)}"
    raise ArgumentError(
        f'{name} has no index "{index[:40]}" there; write a number from 1 to {len(names)}{own}', key="only"
    )


@dataclass(frozen=True)
class Poses(Result):
    """Transforms (..., frames, 4, 4) of frames and CoMs (..., links, 3) of links, in the base frame [m]."""

    frames: tuple[str, ...]
    links: tuple[str, ...]
    poses: Array
    coms: Array

    def document(self) -> Document:
        """Three rows per frame: its axes as columns, its origin, and the CoM where it is a link's frame."""
        places = decimals(np.concatenate([self.poses[..., :3, 3].ravel(), self.coms.ravel()]))
        rows: list[tuple[Any, ...]] = []
        first = (0,) * (self.poses.ndim - 3)
        for frame, pose in zip(self.frames, self.poses[first], strict=True):
            com: list[Any] = self.coms[first][self.links.index(frame)].tolist() if frame in self.links else [None] * 3
            rows += [(frame if k == 0 else "", "xyz"[k], *pose[k].tolist(), com[k]) for k in range(3)]
        axes = (Column(f"{axis} axis", form="fixed", decimals=MIN_DIGITS) for axis in "xyz")
        points = (Column(name, "m", "fixed", places) for name in ("origin", "CoM"))
        return Document("", (Table(("frame", "", *axes, *points), tuple(rows), keys=2),), data=self._data)

    def _data(self) -> dict[str, Any]:
        frames = dict(zip(self.frames, np.moveaxis(self.poses, -3, 0), strict=True))
        return {"frames": frames, "coms": dict(zip(self.links, np.moveaxis(self.coms, -2, 0), strict=True))}
