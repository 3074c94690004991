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
    """That values are not lazy: arrays, single numbers, and lists of them."""
    parts = cast("list[Any]", values) if isinstance(values, list | tuple) else [values]
    if any(is_lazy(unwrapped(x)) for x in parts):
        call = f"{name}.compute()" if name.isidentifier() else "its compute()"
        raise ArgumentError(
            f"{name} is lazy (Dask) and is not computed here; call {call} if it fits in memory, or use "
            "dask.array.map_blocks or dask.array.apply_gufunc",
            key=name,
        )


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
        if getattr(values, "requires_grad", False) is True:
            raise ArgumentError(
                f"{name} is a tensor that requires gradients, which are not computed here; give {name}.detach()",
                key=name,
            ) from None
        if type(values).__module__.partition(".")[0] in ("jax", "jaxlib"):
            raise ArgumentError(
                f"{name} is a value that JAX traces, which has no numbers yet; call dynamis outside of jit and grad, "
                "or in jax.pure_callback",
                key=name,
            ) from None
        place = getattr(values, "device", None)
        if getattr(place, "type", "cpu") != "cpu":
            raise ArgumentError(f"{name} is on the device {place}; give {name}.cpu()", key=name) from None
        return None
