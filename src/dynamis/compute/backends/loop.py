"""A program run again and again on its own results, over a batch of states, in one call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.backend import ArrayFunction, ArrayLoop
from dynamis.compute.backends.function import Kernel
from dynamis.compute.backends.threads import in_parts
from dynamis.compute.backends.tiers import OPERATIONS_PER_SPLIT, Tiers, is_long


class Loop(ArrayLoop):
    """A loop over NumPy arrays; leading axes of x, (..., s), and rows, (..., k, r), broadcast.

    What does not change from row to row can be `numpy.broadcast_to` k rows, which takes no memory. A short run is
    interpreted, one call per row; a long one is machine code that holds the loop over the rows.
    """

    def __init__(self, once: ArrayFunction, compiled: Callable[[], Kernel] | None = None) -> None:
        """
        once: the program itself, (x, inputs) -> x.
        compiled: makes the loop's machine code, a generalised ufunc (s),(k,r)->(s); without it every row is a call.
        """
        super().__init__(once)
        self.program, self._compiled = once.program, compiled
        self._tiers = Tiers(self.program)

    def __call__(self, x: Any, rows: Any, threads: int = 1) -> Array:
        x, rows = np.asarray(x, np.float64), np.asarray(rows, np.float64)
        if rows.strides[-1] != rows.itemsize and rows.shape[-1] > 1:
            rows = np.ascontiguousarray(rows)
        batch = np.broadcast_shapes(x.shape[:-1], rows.shape[:-2])
        count = prod(batch) * rows.shape[-2]
        self._tiers.count(count, rows.shape[-2])
        compiles = self._compiled is not None and not is_long(self.program)
        if not compiles or ("repeat" not in self.__dict__ and not self._tiers.machine_code_pays):
            return np.broadcast_to(super().__call__(x, rows, threads), (*batch, x.shape[-1]))
        if threads == 1 or prod(batch) < 2 or count * len(self.program.operations) < OPERATIONS_PER_SPLIT:
            return self.repeat(x, rows)
        result = np.empty((*batch, x.shape[-1]))
        spread = [np.broadcast_to(x, result.shape), np.broadcast_to(rows, (*batch, *rows.shape[-2:]))]
        in_parts(self.repeat, spread, [result], batch, threads)
        return result

    @cached_property
    def repeat(self) -> Kernel:
        """The generalised ufunc (s),(k,r)->(s) as machine code."""
        if self._compiled is None:
            raise ArgumentError(f"{self.once.name}: this backend has no machine code")
        return self._compiled()
