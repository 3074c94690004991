"""A program as a function of NumPy arrays on the CPU: tiers chosen, batches broadcast and split over threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, Protocol, cast

import numpy as np

from dynamis.base.arguments import integer
from dynamis.base.arrays import UNREADABLE, check_computed, is_lazy, is_masked, numpy_array
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.compute.backends.labelled_call import is_labelled_call, labelled_call
from dynamis.compute.backends.numpy_call import all_float32, checked_arguments, lazy_call, order_arguments
from dynamis.compute.backends.program_function import ProgramFunction
from dynamis.compute.backends.threads import in_parts
from dynamis.compute.backends.tiers import STATES_PER_SPLIT, Tiers, is_long
from dynamis.compute.program.program import Program

Kernel = Callable[..., Any]
"""A generalised ufunc, or what behaves as one: (*arrays, out=...)."""

_READABLE = {np.ndarray, float, int}
"""Types of arguments that NumPy reads by itself; all others are looked at, lists for what is in them."""


class Compilation(Protocol):
    """A program that another process compiles."""

    @property
    def is_ours(self) -> bool:
        """Whether this process began it, and not the one that it was forked from."""
        ...

    @property
    def has_ended(self) -> bool:
        """Whether `code` is there at once."""
        ...

    def code(self) -> bytes | None:
        """What `Compiler.machine_code` makes a function of, for which this waits; None where none came."""
        ...


class Compiler(Protocol):
    """What turns programs into machine code, and keeps it."""

    def machine_code(
        self, name: str, program: Program, dtype: str, general: Kernel, code: bytes | None = None
    ) -> tuple[Kernel, Kernel | None]:
        """The compiled program; and, where there is one, a quick call of one state, with `general` for all else.

        code: what another process made of it
        """
        ...

    def begin(self, program: Program, dtype: str) -> Compilation | None:
        """Begin to compile in another process; None where there is none just now."""
        ...

    def is_kept(self, program: Program, dtype: str) -> bool:
        """Whether an earlier run left its machine code."""
        ...

    def share(self, kernel: Any, inputs: Sequence[Any], results: Sequence[Any], threads: int) -> bool:
        """Fill the results of a batch with one axis by several threads; False where NumPy must cut it."""
        ...


class Function(ProgramFunction):
    """A quantity over arrays: `f(q, qd, ...)`, with the batch in the leading axes of its arguments.

    It behaves as a NumPy generalised ufunc: arguments broadcast, `out` takes arrays for the results,
    float32 arguments give float32 results and everything else float64.
    """

    def __init__(
        self,
        name: str,
        program: Program,
        owner: str,
        interpreter: Callable[[str, Program, str], Kernel],
        compiler: Compiler | None = None,
    ) -> None:
        """
        name: of the quantity, for messages.
        program: what the function computes.
        owner: whose joints there are, as the end of a sentence about an argument of the wrong size.
        interpreter: (name, program, dtype) -> the form that runs at once.
        compiler: makes machine code when it pays (`tiers`); a program without one stays interpreted, and a long one.
        """
        self.name, self.program, self.owner = name, program, owner
        self.__name__ = name  # Dask names its tasks by it, else by the repr
        self._interpreter, self._compiler = interpreter, None if is_long(program) else compiler
        self.inputs, self.outputs = program.inputs, program.outputs
        self.quick_call: Callable[..., Any] = self.__call__
        """The same function; once it is machine code, quickest for one state in float64 arrays (n)."""
        self._compiled: dict[str, Kernel] = {}
        self._interpreted: dict[str, Kernel] = {}
        self._begun: dict[str, Compilation] = {}
        self._tiers = Tiers(program)

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        """The results, an array or a tuple of arrays; a large batch is split over `threads` cores.

        Lazy arguments (Dask) give lazy results, DataArrays (xarray) a DataArray.
        """
        if not _READABLE.issuperset(map(type, arrays)):
            if out is None and is_labelled_call(arrays):
                return labelled_call(self, arrays)
            arrays = order_arguments(self, arrays)
            if any(map(is_lazy, arrays)):
                return lazy_call(self, arrays, out)
            arrays = tuple(self._adopted(arrays))
        dtype = "float32" if all_float32(arrays) else "float64"
        if threads.__class__ is not int or threads < 1:
            threads = integer("threads", threads)
        try:
            kernel = self._compiled.get(dtype) or self._tier_for(dtype, arrays)
            if threads > 1:
                return self._split(kernel, dtype, arrays, out, threads)
            return kernel(*arrays, out=out) if out is not None else kernel(*arrays)
        except UNREADABLE as error:
            checked = checked_arguments(self, arrays)
            if all(a is b for a, b in zip(checked, arrays, strict=True)):
                raise ArgumentError(f"{self.name}: {str(error).removeprefix(f'{self.name}: ')}") from None
        return self(*checked, out=out, threads=threads)

    def ufunc(self, dtype: str = "float64") -> Any:
        """The kernel for "float64" or "float32" as machine code; interpreted without a compiler, or if it is too long.

        Machine code is a NumPy generalised ufunc.
        """
        if str(dtype) not in ("float64", "float32"):
            raise UnknownNameError("dtype", str(dtype), ("float64", "float32"))
        if dtype not in self._compiled:
            if self._compiler is None:
                self._compiled[dtype] = self.interpreted(dtype)
            else:
                begun = self._begun.pop(dtype, None)
                code = None if begun is None else begun.code()
                kernel, quick = self._compiler.machine_code(self.name, self.program, dtype, self.__call__, code)
                self._compiled[dtype], self.quick_call = kernel, quick or self.quick_call
        return self._compiled[dtype]

    def interpreted(self, dtype: str = "float64") -> Kernel:
        """The form that runs at once."""
        if dtype not in self._interpreted:
            self._interpreted[dtype] = self._interpreter(self.name, self.program, dtype)
        return self._interpreted[dtype]

    def __reduce__(self) -> tuple[Any, ...]:
        return Function, (self.name, self.program, self.owner, self._interpreter, self._compiler), {"notes": self.notes}

    def _tier_for(self, dtype: str, arrays: tuple[Any, ...]) -> Kernel:
        """The interpreter for the first few states, unless machine code is on disk; then machine code.

        Once another process compiles it, a single state never waits for that.
        """
        if self._compiler is None:
            return self.interpreted(dtype)
        sizes = [np.size(array) // x.count for x, array in zip(self.inputs, arrays, strict=False)]
        tiers, begun = self._tiers, self._begun.get(dtype)
        if begun and not begun.is_ours:
            begun = self._begun.clear()
        tiers.count(max(sizes, default=1))
        if tiers.batches_pay if begun else tiers.machine_code_pays:
            return self.ufunc(dtype)
        if tiers.looks_on_disk and self._compiler.is_kept(self.program, dtype):
            return self.ufunc(dtype)
        if tiers.looks_around:
            if begun and begun.has_ended:
                return self.ufunc(dtype)
            if not begun and tiers.another_process_pays and (begun := self._compiler.begin(self.program, dtype)):
                self._begun[dtype] = begun
        return self.interpreted(dtype)

    def _adopted(self, arrays: tuple[Any, ...]) -> Iterator[Any]:
        """The arguments with NumPy arrays in the place of other libraries' arrays; what is no array stays."""
        for x, array in zip(self.inputs, arrays, strict=False):
            check_computed(x.name, array)
            known = type(array) in _READABLE or isinstance(array, list | tuple)
            readable = known or (not is_masked(array) and isinstance(array, np.ndarray))
            adopted: Any = None if readable else numpy_array(x.name, array)
            yield array if adopted is None else adopted
        yield from arrays[len(self.inputs) :]

    def _split(self, kernel: Kernel, dtype: str, arrays: tuple[Any, ...], out: Any, threads: int) -> Any:
        inputs = [np.asarray(array) for array in arrays]
        cores = [len(x.shape) for x in self.inputs]
        batch = np.broadcast_shapes(*(a.shape[: a.ndim - c] for a, c in zip(inputs, cores, strict=True)))
        shapes = [(*batch, *x.shape) for x in self.outputs]
        if prod(batch) < STATES_PER_SPLIT or not _separable(out, shapes, inputs):
            return kernel(*inputs, out=out) if out is not None else kernel(*inputs)
        results = _results(out, shapes, dtype)
        whole = [(*batch, *a.shape[a.ndim - c :]) for a, c in zip(inputs, cores, strict=True)]
        spread = [a if a.shape == x else np.broadcast_to(a, x) for a, x in zip(inputs, whole, strict=True)]
        if len(batch) > 1 or self._compiler is None or not self._compiler.share(kernel, spread, results, threads):
            in_parts(kernel, spread, results, batch, threads)
        return results[0] if len(results) == 1 else results


def _separable(out: Any, shapes: list[tuple[int, ...]], inputs: list[Any]) -> bool:
    """Whether parts of the results can be written at once: they have their shapes, and no argument lies in them."""
    if out is None:
        return True
    results = cast("tuple[Any, ...]", out) if isinstance(out, tuple) else (out,)
    return [getattr(x, "shape", None) for x in results] == shapes and not any(
        np.may_share_memory(x, a) for x in results for a in inputs
    )


def _results(out: Any, shapes: list[tuple[int, ...]], dtype: Any) -> tuple[Any, ...]:
    if out is None:
        return tuple(np.empty(shape, dtype) for shape in shapes)
    return cast("tuple[Any, ...]", out) if isinstance(out, tuple) else (out,)
