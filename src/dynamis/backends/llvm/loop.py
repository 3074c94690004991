"""A program run again and again on its own results, over a batch of states, in one call."""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from math import prod
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.backends.llvm import loop_kernel, machine
from dynamis.backends.llvm.function import WARM, Function, kept_code, lanes_for, linked, versions
from dynamis.backends.llvm.gufunc import gufunc
from dynamis.backends.llvm.parts import in_parts
from dynamis.program.quantity_program import Traced

CALLS = 4500
"""Calls for one state after which machine code pays: 4400 to 5000 were measured for 99 to 2776 operations."""
LEAST = 2_000_000
"""Fewer operations than this, over all states and runs, are not worth a second thread."""


class Loop:
    """A program (x, row) -> x as `loop(x, rows)`: x after one run a row, the rows in their order.

    x has shape (..., s), rows (..., k, r); leading axes broadcast. What does not change from row to row can be
    `numpy.broadcast_to` k rows, which takes no memory. A short run is bytecode, one call a row; from `WARM` runs for
    each unit of the length, or `CALLS` rows, on it is machine code that holds the loop over the rows.
    """

    def __init__(self, name: str, traced: Traced) -> None:
        self.name, self.traced = name, traced
        self.once = Function(name, traced, name)
        """The program itself, (x, row) -> x."""
        self._runs = self._calls = 0

    def __call__(self, x: Any, rows: Any, threads: int = 1) -> Array:
        x, rows = np.asarray(x, np.float64), np.asarray(rows, np.float64)
        if rows.strides[-1] != rows.itemsize and rows.shape[-1] > 1:
            rows = np.ascontiguousarray(rows)
        batch = np.broadcast_shapes(x.shape[:-1], rows.shape[:-2])
        count = prod(batch) * rows.shape[-2]
        self._runs += count
        self._calls += rows.shape[-2]
        operations = len(self.once.program.operations)
        cold = self._runs < WARM * self.once.program.length and self._calls < CALLS
        if self.once.is_long or ("repeat" not in self.__dict__ and cold):
            for k in range(rows.shape[-2]):
                x = self.once(x, rows[..., k, :], threads=threads)
            return np.broadcast_to(x, (*batch, x.shape[-1]))
        if threads == 1 or prod(batch) < 2 or count * operations < LEAST:
            return self.repeat(x, rows)
        result = np.empty((*batch, x.shape[-1]))
        spread = [np.broadcast_to(x, result.shape), np.broadcast_to(rows, (*batch, *rows.shape[-2:]))]
        in_parts(self.repeat, spread, [result], batch, threads)
        return result

    @cached_property
    def repeat(self) -> np.ufunc:
        """The generalised ufunc (s),(k,r)->(s) as machine code."""
        state, row = self.traced.inputs
        processor = machine.host()
        lanes, fused = lanes_for("float64", processor), processor.fuses
        parts = ("repeat", self.traced.inputs, lanes, processor, versions())
        key = sha256(f"{self.traced.program.digest} {parts!r}".encode()).hexdigest()
        program = self.traced.program.fused if fused else self.traced.program

        def code() -> bytes:
            return kept_code(key, lambda: loop_kernel.module(program, state, row, lanes, fused), processor)

        addresses, tracker = linked(code, key, ["repeat"], {})
        signature = f"({state.count}),(k,{row.count})->({state.count})"
        doc = f"{self.name}: (x, rows) -> x after all rows"
        return gufunc("float64", addresses["repeat"], 2, 1, signature, self.name, doc, tracker)
