"""What a sweep is made of: boxes, which make states of points, and folds, which keep something of their values.

Machine code does both in one loop (llvm/sweep_kernel.py), devices by operations on arrays (apps/sweeps/array_sweep.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Box:
    """How a row of the table becomes a state: the point x of row and base is at least + width x."""

    way: Literal["xor", "add"]
    least: tuple[float, ...]
    width: tuple[float, ...]


@dataclass(frozen=True)
class Term:
    """A value by its place, its size or itself, and its sign."""

    place: int
    size: bool
    negative: bool


@dataclass(frozen=True)
class Fold:
    """What is kept of the values in a cell, in one or two arrays of 8-byte words.

    kind: "count" of states and "nan", those with a NaN: one word per cell; "sum", "squares" and "beyond": a row;
        "max" and "min": a row, and in a second array the indices of the states that had them first;
        "bins": `bins` + 2 words per value; "front": `bins` + 2 words, in each bin of one value u the greatest of
        another w (of equals that with the greater u), in a second array its index, in a third its u
    numbers: "squares" are about these, "beyond" counts the values whose size exceeds these, "bins": the least value and
        1/width, for each value; "front": the same for u
    pair: u and w of "front"
    """

    kind: Literal["count", "nan", "sum", "squares", "beyond", "max", "min", "bins", "front"]
    numbers: tuple[float, ...] = ()
    bins: int = 0
    pair: tuple[Term, ...] = ()

    @property
    def arrays(self) -> int:
        return {"max": 2, "min": 2, "front": 3}.get(self.kind, 1)

    def words(self, row: int, values: int) -> int:
        """Of a cell, in each array."""
        each = {"count": 1, "nan": 1, "bins": values * (self.bins + 2), "front": self.bins + 2}
        return each.get(self.kind, row)
