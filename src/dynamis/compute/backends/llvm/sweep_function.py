"""Sweeps as functions of arrays: a range of states, made, computed and reduced in one call without Python's lock."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from dynamis.compute.backends.llvm import machine
from dynamis.compute.backends.llvm.source import sweep_source
from dynamis.compute.ir.cpu.sweep_kernel import in_columns, row_words
from dynamis.compute.ir.folds import Box, Fold
from dynamis.compute.ir.lanes import lanes_for
from dynamis.compute.program.program import Program

_KIND = ctypes.CFUNCTYPE(
    None,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_int64,
    ctypes.c_double,
    ctypes.c_void_p,
)


class SweepFunction:
    """The machine code of a sweep; `row` is how many words a row of values takes."""

    def __init__(self, program: Program, box: Box | None, folds: Sequence[Fold]) -> None:
        self.values, self.row = program.outputs[0].count, row_words(program.outputs[0].count, lanes())
        addresses, self._keep = sweep_source(program, box, folds, machine.host()).link()
        self._run = _KIND(addresses["sweep"])
        self._table: tuple[NDArray[Any], NDArray[Any]] | None = None

    def __call__(
        self, table: NDArray[Any], bases: NDArray[Any] | None, rows: int, index: int, arrays: Sequence[NDArray[Any]]
    ) -> None:
        """Fold `rows` states, of which the first has this index, into arrays of (cells + 2, words)."""
        block = len(table)
        if bases is not None:
            table = self._columns(table)
        pointers = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        base = None if bases is None else bases.ctypes.data
        cells = float(len(arrays[0]) - 2)
        self._run(table.ctypes.data, base, block, rows, index, cells, ctypes.addressof(pointers))

    def _columns(self, table: NDArray[Any]) -> NDArray[Any]:
        """The table as the machine reads it, kept for the calls that follow."""
        if self._table is None or self._table[0] is not table:
            self._table = table, in_columns(table, lanes())
        return self._table[1]


def lanes() -> Any:
    return lanes_for("float64", machine.host())
