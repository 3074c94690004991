"""A function of lazy arrays: Dask arrays in, lazy Dask arrays out, block by block when they are computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from dynamis.program.signature import Operand


def dask_call(function: Callable[..., Any], arrays: Sequence[Any], outputs: Sequence[Operand]) -> Any:
    """The results of a function of NumPy arrays as lazy arrays; no value is computed or read.

    The batch may be cut into blocks; the joints of a state are brought together. Arguments broadcast, and give float32
    if they all are.
    """
    left = ",".join(f"(i{k})" for k in range(len(arrays)))
    axes = [{f"o{k}_{d}": size for d, size in enumerate(x.shape)} for k, x in enumerate(outputs)]
    right = ",".join(f"({','.join(names)})" for names in axes)
    sizes = {name: size for names in axes for name, size in names.items()}
    dtype = np.float32 if all(array.dtype == np.float32 for array in arrays) else np.float64
    dask: Any = import_module("dask.array")
    return dask.apply_gufunc(
        function, f"{left}->{right}", *arrays, output_sizes=sizes, output_dtypes=[dtype] * len(outputs),
        allow_rechunk=True,
    )  # fmt: skip
