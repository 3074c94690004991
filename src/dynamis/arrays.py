"""`Array`, the type of all numeric arguments and results, and how arrays of other libraries are read.

Arrays of other libraries are read where their values are at hand; lazy ones are never computed by surprise:
`np.asarray` would compute a Dask array in memory, however large. A PyTorch tensor on a GPU or with
gradients cannot be a NumPy array at all.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.errors import ArgumentError

Array = NDArray[np.float64]
UNREADABLE = (TypeError, ValueError, OverflowError, RuntimeError)
"""What NumPy raises for what is not an array; RuntimeError is PyTorch's, OverflowError that of a huge integer."""


_PLAIN = {float, int, str, list, tuple, np.ndarray, np.float64}
"""Types that are numbers at hand."""


def unwrapped(values: Any) -> Any:
    """The array inside an xarray object, which may be lazy; anything else is itself."""
    return values.data if type(values).__module__.partition(".")[0] == "xarray" and hasattr(values, "data") else values


def is_lazy(values: Any) -> bool:
    """Whether they are a Dask collection, whose values are not computed yet."""
    return hasattr(values, "__dask_graph__")


def is_masked(values: Any) -> bool:
    """Whether they are a NumPy array with a mask, which ufuncs would carry along to other entries."""
    return isinstance(values, np.ma.MaskedArray)


def check_computed(name: str, values: Any) -> None:
    """That values are neither lazy nor part of a computation that is recorded: arrays, numbers, and lists of them."""
    parts = cast("list[Any]", values) if isinstance(values, list | tuple) else [values]
    parts = [x for x in parts if type(x) not in _PLAIN]
    if not parts:
        return
    if any(is_lazy(unwrapped(x)) for x in parts):
        call = f"{name}.compute()" if name.isidentifier() else "its compute()"
        raise ArgumentError(
            f"{name} is lazy (Dask) and is not computed here; call {call} if it fits in memory, or use "
            "dask.array.map_blocks or dask.array.apply_gufunc",
            key=name,
        )
    if any(getattr(x, "requires_grad", False) is True for x in parts):
        give = f"{name}.detach()" if name.isidentifier() and not isinstance(values, list | tuple) else "its detach()"
        raise ArgumentError(
            f"{name} is a tensor that requires gradients, which are not computed here; give {give}", key=name
        )
    if any(_is_traced(x) for x in parts):
        raise ArgumentError(
            f"{name} is a value that JAX traces, which has no numbers yet; call dynamis outside of jit and grad, or in "
            "jax.pure_callback",
            key=name,
        )


def _is_traced(value: Any) -> bool:
    """Whether it is one of JAX's tracers, which stand for numbers that are not there."""
    return type(value).__module__.partition(".")[0] == "jax" and "Tracer" in type(value).__name__


def numpy_array(name: str, values: Any) -> NDArray[Any] | None:
    """Values as a NumPy array, or None if they are not an array; `name` is for the sentences of those that must not be.

    >>> numpy_array("q", [1, 2]), numpy_array("q", [[1], [2, 3]])
    (array([1, 2]), None)
    """
    values = unwrapped(values)
    check_computed(name, values)
    if is_masked(values):
        raise ArgumentError(f"{name} has masked values, which have no dynamics; give {name}.filled(nan)", key=name)
    try:
        return np.asarray(values)
    except UNREADABLE:
        place = getattr(values, "device", None)
        if getattr(place, "type", "cpu") != "cpu":
            raise ArgumentError(f"{name} is on the device {place}; give {name}.cpu()", key=name) from None
        if type(values).__module__.partition(".")[0] == "torch":
            raise ArgumentError(
                f"{name} is a tensor that NumPy cannot read ({values.layout}, {values.dtype}); give "
                f"{name}.to_dense().double()",
                key=name,
            ) from None
        return None
