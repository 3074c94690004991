"""A sweep by operations on whole arrays, for a device whose library has NumPy's names: states, values, folds.

It does what the machine code of `SweepFunction` does, block after block: `robot.on("cuda")` sweeps so with CuPy, and
`robot.on("numpy")` with NumPy, by the same lines. Folds of a block come back to the host and are merged as those of any
other part. On a GPU sums are made in no fixed order, so that they may differ in their last bits from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.sweeps.fronts import of_term
from dynamis.apps.sweeps.reductions import Totals
from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.backend import ArrayFunction
from dynamis.compute.ir.folds import Box, Fold

AT_ONCE = 2**20
"""States of a block: with twelve dimensions and six values some 300 MB while they are folded."""
SIGN = np.uint64(1 << 63)
LIBRARIES = {"numpy": "numpy", "cuda": "cupy"}
"""The array library of the backends that sweep in this way."""


def library(backend: str) -> Any:
    """The module."""
    try:
        return import_module(LIBRARIES[backend])
    except ImportError:
        raise ArgumentError(
            f'a sweep on "{backend}" needs CuPy; install it with: pip install cupy-cuda12x', key="backend"
        ) from None


class ArraySweep:
    """A range of states, made, computed and reduced; `row` is how many words a row of values takes."""

    def __init__(self, function: ArrayFunction, box: Box | None, folds: Sequence[Fold], backend: str) -> None:
        self.function, self.box, self.folds, self.xp = function, box, tuple(folds), library(backend)
        self.values = self.row = function.program.outputs[0].count
        self._host: Callable[[Any], Any] = getattr(self.xp, "asnumpy", self.xp.asarray)

    def __call__(
        self, table: NDArray[Any], bases: NDArray[Any] | None, rows: int, index: int, arrays: Sequence[NDArray[Any]]
    ) -> None:
        """Fold `rows` states, of which the first has this index, into arrays of (cells + 2, words)."""
        totals, cells, first = Totals(self.folds, tuple(arrays)), len(arrays[0]) - 2, index
        for x in self._states(table, bases, rows):
            values, number = self.function(x)
            xp = self.xp
            inside = (number >= 0) & (number < cells)
            cell = xp.where(inside, number, float(cells)).astype(xp.int64)
            made = [array for fold in self.folds for array in self._folded(fold, values, cell, cells + 2, first)]
            shapes = [array.shape for array in arrays]
            back = [self._host(array).reshape(shape) for array, shape in zip(made, shapes, strict=True)]
            totals.merge(Totals(self.folds, tuple(back)))
            first += len(x)

    def _states(self, table: NDArray[Any], bases: NDArray[Any] | None, rows: int) -> Iterator[Any]:
        """Blocks of states, as `sweep_kernel` makes them."""
        xp = self.xp
        if self.box is None or bases is None:
            yield from (xp.asarray(table[k : k + AT_ONCE]) for k in range(0, rows, AT_ONCE))
            return
        start, width = xp.asarray(self.box.least), xp.asarray(self.box.width)
        points, block = xp.asarray(table), len(table)
        step = max(1, AT_ONCE // block)
        for k in range(0, len(bases), step):
            base = xp.asarray(bases[k : k + step])[:, None]
            bits = (points ^ base if self.box.way == "xor" else points + base).reshape(-1, points.shape[1])
            unit = (bits[: rows - k * block] >> xp.uint64(12)).astype(xp.float64) * 2.0**-52
            yield unit * width + start

    def _folded(self, fold: Fold, values: Any, cell: Any, cells: int, first: int) -> list[Any]:
        """The arrays of a fold, each with `cells` times its words."""
        xp, v = self.xp, self.values
        if fold.kind == "count":
            return [xp.bincount(cell, minlength=cells)]
        if fold.kind == "nan":
            return [xp.bincount(cell[xp.isnan(values).any(1)], minlength=cells)]
        if fold.kind == "front":
            u, w = (of_term(term, values) for term in fold.pair)
            words = fold.bins + 2
            slot = cell * words + self._bin(u, fold.numbers[0], fold.numbers[1], fold.bins)
            real = ~(xp.isnan(u) | xp.isnan(w))
            return self._best(slot, (w, u), real, cells * words, first)
        slot = cell[:, None] * v + xp.arange(v)
        if fold.kind in ("max", "min"):
            sign = 1.0 if fold.kind == "max" else -1.0
            best, place = self._best(slot, (sign * values,), sign * values > -xp.inf, cells * v, first)
            return [sign * best, place]
        if fold.kind == "beyond":
            return [xp.bincount(slot[abs(values) > xp.asarray(fold.numbers)], minlength=cells * v)]
        if fold.kind == "bins":
            least, scale = (xp.asarray(fold.numbers[side::2]) for side in (0, 1))
            word = slot * (fold.bins + 2) + self._bin(values, least, scale, fold.bins)
            return [xp.bincount(word.ravel(), minlength=cells * v * (fold.bins + 2))]
        added = values if fold.kind == "sum" else (values - xp.asarray(fold.numbers)) ** 2
        return [xp.bincount(slot.ravel(), added.ravel(), cells * v)]

    def _bin(self, x: Any, least: Any, scale: Any, bins: int) -> Any:
        """Bin 0 is for what is below the first edge, the last for what is not below the last edge, and for NaN."""
        xp = self.xp
        place = (x - least) * scale + 1.0
        return xp.where(place < 1, 0.0, xp.where(place < bins + 1.0, place, bins + 1.0)).astype(xp.int64)

    def _best(self, slot: Any, keys: Sequence[Any], real: Any, size: int, first: int) -> list[Any]:
        """Of every slot the greatest first key, of equal ones that with the greatest second, and then the first state.

        The first key, the index of its state (-1 where there is none), and the other keys.
        """
        xp = self.xp
        state = xp.broadcast_to(xp.arange(len(slot)).reshape(-1, *[1] * (slot.ndim - 1)), slot.shape)[real]
        slot, left, chosen = slot[real], [key[real] for key in keys], list[Any]()
        for k in range(len(keys)):
            greatest = self._greatest(slot, left[k], size)
            winners = left[k] == greatest[slot]
            slot, state, left = slot[winners], state[winners], [key[winners] for key in left]
            chosen.append(greatest)
        before = self._greatest(slot, -state.astype(xp.float64), size)
        return [chosen[0], xp.where(xp.isinf(before), -1.0, first - before).astype(xp.int64), *chosen[1:]]

    def _greatest(self, slot: Any, key: Any, size: int) -> Any:
        """The greatest key of every slot, -inf where there is none."""
        greatest = self._ordered(self.xp.full(size, -self.xp.inf))
        self.xp.maximum.at(greatest, slot, self._ordered(key))
        sign = greatest & SIGN
        return self.xp.where(sign, greatest ^ SIGN, ~greatest).view(self.xp.float64)

    def _ordered(self, x: Any) -> Any:
        """Whole numbers in the order of these doubles, as CuPy's maximum of doubles rounds them to single precision."""
        bits = (x + 0.0).view(self.xp.uint64)  # -0 becomes 0, which it equals
        return self.xp.where(bits & SIGN, ~bits, bits | SIGN)
