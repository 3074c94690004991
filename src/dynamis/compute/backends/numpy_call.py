"""A call with arguments of NumPy: the checks, the sentences about what is wrong, Dask's lazy calls, `out`.

Every backend shares them. A function with arrays of its own kind looks for those first, has them checked by
`checked_beside`, and leaves the rest to `numpy_call`:

    def __call__(self, *arrays, out=None, threads=1):
        own = [isinstance(x, DeviceArray) for x in arrays]
        if any(own):     # what was left out (qd, loads) comes from NumPy
            return self.launch(*checked_beside(self, arrays, own))
        return numpy_call(self, self.run, arrays, out)     # run: NumPy arrays -> a tuple of NumPy arrays

`function.Function`, which is of the CPU, calls its kernel first and checks only what the kernel refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arguments import check_last_axis, joint_array
from dynamis.base.arrays import in_order, is_lazy, numpy_array
from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.backend import ArrayFunction
from dynamis.compute.backends.labelled_call import is_labelled_call, labelled_call
from dynamis.compute.program.signature import Operand
from dynamis.compute.quantities.arguments import broadcast


def numpy_call(
    function: ArrayFunction, run: Callable[..., tuple[Any, ...]], arrays: Sequence[Any], out: Any = None
) -> Any:
    """The results of `run`, an array or a tuple of arrays, or `out` filled with them; lazy arguments give lazy results.

    `run` takes arrays (..., n) whose batches broadcast, in float32 if all arguments are, else in float64. It returns
    an array (*batch, *shape) per output of the program.
    """
    if out is None and is_labelled_call(arrays):
        return labelled_call(function, arrays)
    arrays = order_arguments(function, arrays)
    if any(map(is_lazy, arrays)):
        return lazy_call(function, arrays, out)
    results = run(*checked_arguments(function, arrays))
    try:
        results = fill_out(out, results)
    except (TypeError, ValueError) as error:
        raise ArgumentError(f"{function.name}: {error}", key="out") from None
    return results[0] if len(results) == 1 else results


def order_arguments(function: ArrayFunction, arrays: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments without labels, in the order of the program."""
    inputs = function.program.inputs
    return (
        *(in_order(x.name, array, x.entries) for x, array in zip(inputs, arrays, strict=False)),
        *arrays[len(inputs) :],
    )


def checked_arguments(function: ArrayFunction, arrays: Sequence[Any]) -> list[NDArray[Any]]:
    """The arguments as arrays of one type, float32 if all are, else float64; or an error that says what is wrong."""
    inputs = function.program.inputs
    _check_count(function, arrays)
    checked = [joint_array(x.name, a, x.shape[0], *_whose(function, x)) for x, a in zip(inputs, arrays, strict=True)]
    broadcast([(x.name, array) for x, array in zip(inputs, checked, strict=True)])
    dtype = np.float32 if all_float32(checked) else np.float64
    return [array.astype(dtype, copy=False) for array in checked]


def checked_beside(function: ArrayFunction, arrays: Sequence[Any], own: Sequence[bool]) -> list[Any]:
    """The same for arguments some of which are of the backend's `own` kind: these stay, all others become NumPy's."""
    stand_ins = [np.broadcast_to(0.0, x.shape) if mine else x for x, mine in zip(arrays, own, strict=True)]
    checked = checked_arguments(function, order_arguments(function, stand_ins))
    return [x if mine else values for x, values, mine in zip(arrays, checked, own, strict=True)]


def all_float32(arrays: Sequence[Any]) -> bool:
    dtypes = [getattr(array, "dtype", None) for array in arrays]
    return all(dtype is not None and getattr(dtype, "kind", "") == "f" and dtype.itemsize == 4 for dtype in dtypes)


def fill_out(out: Any, results: tuple[Any, ...]) -> tuple[Any, ...]:
    """`out`, an array or a tuple of arrays, with the results in it; without it the results."""
    if out is None:
        return results
    targets = cast("tuple[Any, ...]", out) if isinstance(out, tuple) else (out,)
    for target, result in zip(targets, results, strict=True):
        np.copyto(target, result, casting="same_kind")
    return targets


def lazy_call(function: ArrayFunction, arrays: Sequence[Any], out: Any = None) -> Any:
    """The results as Dask arrays, by the same function block by block; no value is computed or read.

    The batch may be cut into blocks; the joints of a state are brought together. Arguments broadcast, and give float32
    if they all are.
    """
    if out is not None:
        raise ArgumentError("out cannot be filled by lazy arguments (Dask); leave it out", key="out")
    _check_count(function, arrays)
    inputs, outputs = function.program.inputs, function.program.outputs
    checked: list[Any] = []
    for x, array in zip(inputs, arrays, strict=True):
        if is_lazy(array) and not type(array).__module__.startswith("dask.array"):
            raise ArgumentError(f"{x.name} is a lazy {type(array).__name__}; it must be a Dask array", key=x.name)
        values: Any = array if is_lazy(array) else numpy_array(x.name, array)
        check_last_axis(x.name, array, values, x.shape[0], *_whose(function, x))
        checked.append(values)
    function_of, checked = _together(function, [x.name for x in inputs], checked)
    left = ",".join(f"(i{k})" for k in range(len(checked)))
    axes = [{f"o{k}_{d}": size for d, size in enumerate(x.shape)} for k, x in enumerate(outputs)]
    right = ",".join(f"({','.join(names)})" for names in axes)
    sizes = {name: size for names in axes for name, size in names.items()}
    dtype = np.float32 if all(array.dtype == np.float32 for array in checked) else np.float64
    dask: Any = import_module("dask.array")
    return dask.apply_gufunc(
        function_of, f"{left}->{right}", *checked, output_sizes=sizes, output_dtypes=[dtype] * len(outputs),
        allow_rechunk=True,
    )  # fmt: skip


def _together(function: ArrayFunction, names: list[str], arrays: list[Any]) -> tuple[Any, list[Any]]:
    """Arrays that broadcast; those whose lengths are unknown, as after a mask, are joined and cut block by block."""
    unknown = [k for k, x in enumerate(arrays) if np.isnan(x.shape).any()]
    known = [(name, x) for k, (name, x) in enumerate(zip(names, arrays, strict=True)) if k not in unknown]
    broadcast(known)
    if not unknown:
        return function, arrays
    if any(x.ndim > 1 for _, x in known) or len({arrays[k].numblocks[:-1] for k in unknown}) > 1:
        name = names[unknown[0]]
        raise ArgumentError(
            f"{name} has an unknown number of states, which cannot be put beside those of other arrays; call "
            f"{name}.compute_chunk_sizes()", key=name,
        )  # fmt: skip
    dask: Any = import_module("dask.array")
    joined = dask.concatenate([arrays[k] for k in unknown], axis=-1, allow_unknown_chunksizes=True)
    ends = np.cumsum([arrays[k].shape[-1] for k in unknown])[:-1].tolist()
    order = np.argsort([*unknown, *(k for k in range(len(arrays)) if k not in unknown)]).tolist()
    return partial(_cut, function, ends, order), [joined, *(x for _, x in known)]


def _cut(function: ArrayFunction, ends: list[int], order: list[int], joined: Any, *others: Any) -> Any:
    arrays = [*np.split(joined, ends, axis=-1), *others]
    return function(*(arrays[k] for k in order))


def _check_count(function: ArrayFunction, arrays: Sequence[Any]) -> None:
    names = [x.name for x in function.program.inputs]
    if len(arrays) != len(names):
        count = f"{len(names)} arguments ({', '.join(names)})"
        raise ArgumentError(f"{function.name} has {count}; {len(arrays)} were given")


def _whose(function: ArrayFunction, x: Operand) -> tuple[str, str]:
    """The end of a sentence about the wrong size of an argument, and what it has one value for."""
    if x.name != "parameters":
        return function.owner, "joint"
    return f"{function.name} has {x.shape[0]} parameter{'s' * (x.shape[0] != 1)}", "parameter"
