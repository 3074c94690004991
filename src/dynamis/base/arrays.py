"""`Array`, the type of all numeric arguments and results, and how arrays of other libraries are read.

Arrays of other libraries are read where their values are at hand; lazy ones are never computed by surprise:
`np.asarray` would compute a Dask array in memory, however large. A PyTorch tensor on a GPU or with
gradients cannot be a NumPy array at all.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.base.errors import ArgumentError

Array = NDArray[np.float64]
UNREADABLE = (TypeError, ValueError, OverflowError, RuntimeError)
"""What NumPy raises for what is not an array; RuntimeError is PyTorch's, OverflowError that of a huge integer."""


_PLAIN = {float, int, str, list, tuple, np.ndarray, np.float64}
"""Types that are numbers at hand."""


def unwrap_array(values: Any) -> Any:
    """The array inside an xarray object, which may be lazy; anything else is itself."""
    return values.data if type(values).__module__.partition(".")[0] == "xarray" and hasattr(values, "data") else values


def labels(values: Any) -> list[tuple[str, ...]]:
    """The names along every axis of a Series, a DataFrame or a DataArray, the last axis first; empty without names."""
    library = type(values).__module__.partition(".")[0]
    axes: list[Any] = []
    if library == "pandas":
        axes = list(reversed(getattr(values, "axes", ())))
    elif library == "xarray" and hasattr(values, "data"):
        axes = [values.coords[dim].values.tolist() if dim in values.coords else () for dim in reversed(values.dims)]
    named = (tuple(names) for names in axes)
    return [names if all(isinstance(name, str) for name in names) else () for names in named]


def in_order(name: str, values: Any, entries: Sequence[str]) -> Any:
    """The array inside a labelled one, with `entries` in order along its last axis; other labels are refused.

    Labels are names: taken by position, values with labels in another order would be those of other joints.
    """
    if type(values) in _PLAIN:
        return values
    values = _by_dimension(name, values)
    _check_unit(name, values)
    named = labels(values)
    if not any(named):
        return unwrap_array(values)
    axis = _axis(named, entries)
    if axis is None and not named[0]:  # the labels are those of the states
        return unwrap_array(values)
    if axis is None:
        allowed = f"must be labelled {', '.join(entries)} (in any order)" if entries else "goes by position"
        own = ", ".join(named[0][:12])
        raise ArgumentError(
            f"{name} {allowed}, got the labels {own}; give {name}.to_numpy() for values in order", key=name
        )
    order = [named[axis].index(entry) for entry in entries]
    array = values.to_numpy() if hasattr(values, "iloc") else values.data
    last = array.ndim - 1
    along = [k for k in range(last + 1) if k != last - axis]
    return array.transpose((*along, last - axis))[..., order]


def is_labelled(values: Any) -> bool:
    """Whether they are a DataArray of xarray."""
    # The module is asked last: PyTorch's compiler cannot follow that.
    return (
        hasattr(values, "coords") and hasattr(values, "data") and type(values).__module__.partition(".")[0] == "xarray"
    )


def dimensions(name: str, values: Any, entries: Sequence[str]) -> tuple[list[str], str]:
    """The names of the axes of a DataArray, as `in_order` gives it: those of the batch, and that of the entries."""
    values = _by_dimension(name, values)
    batch = [str(dim) for dim in values.dims]
    entry = batch.pop(len(batch) - 1 - (_axis(labels(values), entries) or 0)) if batch else ""
    return batch, entry


def _axis(named: list[tuple[str, ...]], entries: Sequence[str]) -> int | None:
    """Which axis, counted from the last, has these labels in any order."""
    return next((k for k, own in enumerate(named) if own and len(own) == len(entries) and {*own} == {*entries}), None)


def _by_dimension(name: str, values: Any) -> Any:
    """A DataArray with its dimension "joint", if it has one, as the last; a Dataset, which is several, is refused."""
    if type(values).__module__.partition(".")[0] != "xarray":
        return values
    if hasattr(values, "data_vars"):
        variables = [str(variable) for variable in values.data_vars]
        one = name if name in variables else next(iter(variables), name)
        holds = f"it has {', '.join(variables[:12])}" if variables else "it has none"
        raise ArgumentError(
            f"{name} must be one array, got an xarray Dataset; give one of its variables, as in "
            f'data["{one}"] ({holds})',
            key=name,
        )
    joints = [dim for dim in getattr(values, "dims", ()) if str(dim).lower() in ("joint", "joints")]
    return values.transpose(..., joints[0]) if len(joints) == 1 else values


def _check_unit(name: str, values: Any) -> None:
    """That labelled values do not say that they are in degrees: angles are in radians."""
    attributes: Any = getattr(values, "attrs", None)
    if not isinstance(attributes, Mapping):
        return
    said = cast("Mapping[str, Any]", attributes)
    units: Any = said.get("units", said.get("unit"))
    if isinstance(units, Mapping):  # of the columns of a DataFrame, as `to_pandas` has them
        units = [cast("Mapping[Any, Any]", units).get(column) for column in getattr(values, "columns", ())]
    several = cast("list[Any]", units) if isinstance(units, list) else [units]
    for unit in several:
        if isinstance(unit, str) and re.match(r"\s*(deg(rees?)?\b|°)", unit, re.IGNORECASE):
            raise ArgumentError(
                f'{name} has the unit "{unit}"; angles are in rad here: give np.deg2rad({name}.to_numpy())', key=name
            )


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
    if any(is_lazy(unwrap_array(x)) for x in parts):
        call = f"{name}.compute()" if name.isidentifier() else "its compute()"
        raise ArgumentError(
            f"{name} is lazy (Dask) and is not computed here; call {call} if it fits in memory, or use "
            "dask.array.map_blocks or dask.array.apply_gufunc",
            key=name,
        )
    if any(is_transformed(x) for x in parts):
        raise ArgumentError(
            f"{name} is a tensor inside a transform of torch.func (vmap, grad, ...), which has no values of its own; "
            'ask robot.on("torch"), whose verbs can be transformed',
            key=name,
        )
    if any(is_dual(x) for x in parts):
        raise ArgumentError(
            f"{name} carries a tangent of torch.autograd.forward_ad, which is not computed here; ask "
            'robot.on("torch"), whose verbs have derivatives in both directions',
            key=name,
        )
    if any(getattr(x, "requires_grad", False) is True for x in parts):
        give = f"{name}.detach()" if name.isidentifier() and not isinstance(values, list | tuple) else "its detach()"
        raise ArgumentError(
            f"{name} is a tensor that requires gradients, which are not computed here; give {give}, or ask "
            'robot.on("torch"), whose verbs have gradients in joint values and parameters',
            key=name,
        )
    if any(is_traced(x) for x in parts):
        raise ArgumentError(
            f"{name} is a value that JAX traces, which has no numbers yet; call dynamis outside of jit and grad, or "
            'ask robot.on("jax"), whose verbs JAX can trace in joint values and parameters',
            key=name,
        )


def is_transformed(value: Any) -> bool:
    """Whether it is a tensor inside a transform of `torch.func`, which stands for many, or for one and its change."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return False
    return torch._C._functorch.is_functorch_wrapped_tensor(value)


def is_dual(value: Any) -> bool:
    """Whether it is a tensor with a tangent, in forward-mode differentiation, which its class does not show."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor) or torch.autograd.forward_ad._current_level < 0:
        return False
    return torch.autograd.forward_ad.unpack_dual(value).tangent is not None


def is_traced(value: Any) -> bool:
    """Whether it is one of JAX's tracers, which stand for numbers that are not there."""
    return type(value).__module__.partition(".")[0] == "jax" and "Tracer" in type(value).__name__


def numpy_array(name: str, values: Any) -> NDArray[Any] | None:
    """Values as a NumPy array, or None if they are not an array; `name` is for the sentences of those that must not be.

    >>> numpy_array("q", [1, 2]), numpy_array("q", [[1], [2, 3]])
    (array([1, 2]), None)
    """
    values = in_order(name, values, ())
    check_computed(name, values)
    if is_masked(values):
        raise ArgumentError(f"{name} has masked values, which have no dynamics; give {name}.filled(nan)", key=name)
    try:
        return np.asarray(values)
    except UNREADABLE:
        place = getattr(values, "device", None)
        if getattr(place, "type", "cpu") != "cpu":
            raise ArgumentError(f"{name} is on the device {place}; give {name}.cpu()", key=name) from None
        library = type(values).__module__.partition(".")[0]
        if library == "cupy":
            raise ArgumentError(
                f'{name} is an array of CuPy, on a GPU; give {name}.get(), or ask robot.on("cuda")',
                key=name,
            ) from None
        if library == "torch":
            raise ArgumentError(
                f"{name} is a tensor that NumPy cannot read ({values.layout}, {values.dtype}); give "
                f"{name}.to_dense().double()",
                key=name,
            ) from None
        return None
