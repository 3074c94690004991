"""A call with DataArrays of xarray: batches go by the names of their dimensions, and every result is a DataArray.

It has the coordinates of the arguments, the names of the joints and the unit, and it is lazy where an argument is.
Dimensions without names ("dim_0") go by position, as those of NumPy's arrays do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from dynamis.base.arrays import dimensions, in_order, is_labelled
from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.backend import ArrayFunction
from dynamis.compute.quantities.registry import QUANTITIES

_MOVING = ("q", "qd", "qdd", "tau")
_AXES = ("x", "y", "z")
_TWIST = ("v_x", "v_y", "v_z", "omega_x", "omega_y", "omega_z")


def is_labelled_call(arrays: Sequence[Any]) -> bool:
    """Whether an argument has names of its batch axes."""
    return any(map(is_labelled, arrays))


def labelled_call(function: ArrayFunction, arrays: Sequence[Any]) -> Any:
    """The result as a DataArray."""
    inputs = function.program.inputs
    names = [x.name for x in inputs]
    batches, joints = list[list[str] | None](), "joint"
    for x, array in zip(inputs, arrays, strict=False):
        batch = None
        if is_labelled(array) and array.ndim:
            dims, entry = dimensions(x.name, array, x.entries)
            joints = joints if _is_position(entry) or x.name == "parameters" else entry
            batch = None if any(map(_is_position, dims)) else dims
        batches.append(batch)
    union = list(dict.fromkeys(dim for batch in batches for dim in batch or ()))
    raw = [in_order(x.name, array, x.entries) for x, array in zip(inputs, arrays, strict=False)]
    raw = [a if batch is None else _spread(a, batch, union) for a, batch in zip(raw, batches, strict=True)]
    results = function(*raw, *arrays[len(inputs) :])
    along = _coordinates(names, [x for x, batch in zip(arrays, batches, strict=False) if batch is not None], union)
    if len(function.program.outputs) == 1:
        return _label_result(function, 0, results, joints, union, along)
    return tuple(_label_result(function, k, result, joints, union, along) for k, result in enumerate(results))


def _label_result(
    function: ArrayFunction, place: int, result: Any, joints: str, union: list[str], along: dict[str, Any]
) -> Any:
    """One of the results."""
    core, coordinates, attributes = _labels(function, place, joints)
    if both := [dim for dim in core if dim in union]:
        name = function.program.inputs[0].name
        raise ArgumentError(
            f'the states have a dimension "{both[0]}", and so has the result of {function.name}; rename it, as in '
            f'{name}.rename({both[0]}="state")', key=name,
        )  # fmt: skip
    coordinates |= along
    batch = result.ndim - len(core)
    dims = [*(f"dim_{k}" for k in range(batch - len(union))), *union[max(0, len(union) - batch) :], *core]
    known = {name: x for name, x in coordinates.items() if set(x[0]) <= set(dims)}
    xr: Any = import_module("xarray")
    return xr.DataArray(result, dims=dims, coords=known, attrs=attributes, name=function.program.outputs[place].name)


def _is_position(dim: str) -> bool:
    return re.fullmatch(r"dim_\d+", dim) is not None


def _spread(array: Any, batch: list[str], union: list[str]) -> Any:
    """An array with one axis for each dimension of all arguments, of length 1 where it has no such dimension."""
    order = sorted(range(len(batch)), key=lambda k: union.index(batch[k]))
    turned = array.transpose((*order, len(batch)))
    return turned[tuple(slice(None) if dim in batch else None for dim in union)]


def _coordinates(names: list[str], arrays: list[Any], union: list[str]) -> dict[str, Any]:
    """(dims, values, attributes) of the coordinates along the batch; those of the same name must be equal."""
    known = dict[str, Any]()
    for array in arrays:
        for name, x in array.coords.items():
            if not set(x.dims) <= set(union):
                continue
            if str(name) in known and name in union and not np.array_equal(known[str(name)][1], x.values):
                raise ArgumentError(
                    f"{', '.join(names)} have different coordinates along {name}; align them, as xarray.align does",
                    key=names[0],
                )
            known.setdefault(str(name), (x.dims, x.data, dict(x.attrs)))
    return known


def _labels(function: ArrayFunction, place: int, joints: str) -> tuple[list[str], dict[str, Any], dict[str, Any]]:
    """The dimensions of one state, their coordinates, and the attributes of a result.

    Of several results vectors of space have the dimensions link (where there is one per link) and axis, and terms of
    torques part.
    """
    output, entries = function.program.outputs[place], function.program.inputs[0].entries
    entry = QUANTITIES.get(function.name)
    rows, _, columns = (entry.units[place] if entry and entry.units else "").partition("/")
    several = len(function.program.outputs) > 1
    kinds = [rows, columns, *[""] * len(output.shape)][: len(output.shape)]
    if several and rows not in _MOVING and output.shape[-1:] == (3,):
        kinds = ["link", "axis"][-len(output.shape) :]
    elif several and kinds[1:] == [""]:
        kinds[1] = "part"
    dims, coordinates = list[str](), dict[str, Any]()
    for k, (kind, size) in enumerate(zip(kinds, output.shape, strict=True)):
        named = entries if kind in _MOVING else {"twist": _TWIST, "axis": _AXES}.get(kind, ())
        dim = joints if kind in _MOVING else kind if named or kind in ("link", "part") else f"{output.name}_{k + 1}"
        dim = f"{dim}_{k + 1}" if dim in dims else dim
        dims.append(dim)
        if len(named) == size:
            coordinates[dim] = ((dim,), list(named), {})
    units = set(output.units)
    attributes = {"long_name": function.name} | ({"units": units.pop()} if len(units) == 1 else {})
    if units and len(output.shape) == 1:
        coordinates["unit"] = ((dims[0],), list(output.units), {})
    return dims, coordinates, attributes
