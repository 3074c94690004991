"""A program as a function of arrays: machine code made when it is first needed, or found on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from math import prod
from pathlib import Path
from typing import Any, cast

import numpy as np

from dynamis.arguments import check_last_axis, integer, joint_array
from dynamis.arrays import is_lazy, is_masked, numpy_array, unwrapped
from dynamis.backends.llvm import cache as disk
from dynamis.backends.llvm import call, kernel, machine
from dynamis.backends.llvm import subprocess_compiler as apart
from dynamis.backends.llvm.bytecode import Bytecode
from dynamis.backends.llvm.gufunc import gufunc
from dynamis.backends.llvm.interpreter import interpreter
from dynamis.backends.llvm.lanes import Lanes
from dynamis.backends.llvm.lazy import lazy_call
from dynamis.backends.llvm.parts import in_parts
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.program.program import Program
from dynamis.program.quantity_program import Traced
from dynamis.quantities.reference import broadcast

SPLIT = 4096
"""Fewer states than this are not worth a second thread."""
LOOK = 16
"""From so many states on, machine code of an earlier run is looked for on disk."""
WARM = 10
"""From so many states for each unit of the program's length on, machine code is made; before, it runs as bytecode."""
LONGEST = 40_000
"""Programs of a greater length stay bytecode: this one compiles in 2 s (`python -m benchmarks length` measures)."""
MOST_ENTRIES = 2**15
"""Programs that write more entries for a state stay bytecode: a block of them is 1 MB on the stack."""

_OWN = {np.ndarray, list, tuple, float, int}
"""Types of arguments that NumPy reads by itself; all others are looked at."""


class Function:
    """A quantity over arrays: `f(q, qd, ...)`, with the batch in the leading axes of its arguments.

    It behaves as a NumPy generalised ufunc: arguments broadcast, `out` takes arrays for the results,
    float32 arguments give float32 results and everything else float64. `single` is the same for the
    quick call of one state.
    """

    def __init__(self, name: str, traced: Traced, owner: str) -> None:
        self.name, self.traced, self.owner = name, traced, owner
        self.inputs, self.outputs = traced.inputs, traced.outputs
        self.single: Callable[..., Any] = self.__call__
        """The same function; once it is machine code, quickest for one state in float64 arrays (n)."""
        self._ready: dict[str, np.ufunc] = {}
        self._interpreted: dict[str, np.ufunc] = {}
        self._states = 0

    @property
    def program(self) -> Program:
        """The operations for one state."""
        return self.traced.program

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        """The results, an array or a tuple of arrays; a large batch is split over `threads` cores.

        Lazy arguments (Dask) give lazy results.
        """
        if not _OWN.issuperset(map(type, arrays)):
            arrays = tuple(map(unwrapped, arrays))
            if any(map(is_lazy, arrays)):
                return self._lazily(arrays, out)
            arrays = tuple(self._adopted(arrays))
        dtype = "float32" if _all_float32(arrays) else "float64"
        if threads != 1:
            threads = integer("threads", threads)
        try:
            ufunc = self._ready.get(dtype) or self._choose(dtype, arrays)
            if threads > 1:
                return self._split(ufunc, dtype, arrays, out, threads)
            return ufunc(*arrays, out=out) if out is not None else ufunc(*arrays)
        except (TypeError, ValueError, OverflowError) as error:
            checked = self._checked(arrays)
            if all(a is b for a, b in zip(checked, arrays, strict=True)):
                raise ArgumentError(f"{self.name}: {str(error).removeprefix(f'{self.name}: ')}") from None
        return self(*checked, out=out, threads=threads)

    def _adopted(self, arrays: tuple[Any, ...]) -> Iterator[Any]:
        """The arguments with NumPy arrays in the place of other libraries' arrays; what is no array stays."""
        for x, array in zip(self.inputs, arrays, strict=False):
            known = type(array) in _OWN or (not is_masked(array) and isinstance(array, np.ndarray))
            found: Any = None if known else numpy_array(x.name, array)
            yield array if found is None else found
        yield from arrays[len(self.inputs) :]

    def _lazily(self, arrays: tuple[Any, ...], out: Any) -> Any:
        if out is not None:
            raise ArgumentError("out cannot be filled by lazy arguments (Dask); leave it out", key="out")
        self._check_count(arrays)
        given: list[Any] = []
        for x, array in zip(self.inputs, arrays, strict=True):
            if is_lazy(array) and not type(array).__module__.startswith("dask.array"):
                raise ArgumentError(f"{x.name} is a lazy {type(array).__name__}; it must be a Dask array", key=x.name)
            values: Any = array if is_lazy(array) else numpy_array(x.name, array)
            check_last_axis(x.name, array, values, x.shape[0], *self._whose(x))
            given.append(values)
        return lazy_call(self, given, self.outputs)

    def __reduce__(self) -> tuple[Any, ...]:
        return Function, (self.name, self.traced, self.owner)

    def ufunc(self, dtype: str = "float64") -> np.ufunc:
        """The generalised ufunc for "float64" or "float32" as machine code (bytecode if it is too long)."""
        if str(dtype) not in ("float64", "float32"):
            raise UnknownNameError("dtype", str(dtype), ("float64", "float32"))
        if dtype not in self._ready:
            processor = machine.host()
            if self.is_long:
                self._ready[dtype] = self._bytecode(dtype)
            else:
                quick = dtype == "float64" and call.possible(list(self.outputs))
                wanted, symbols = (["loop", "call"], call.symbols()) if quick else (["loop"], {})
                key = _key(self.traced, dtype, processor)
                addresses, tracker = linked(
                    lambda: machine_code(self.traced, dtype, quick, processor), key, wanted, symbols
                )
                if quick:
                    self.single = self._quick(addresses["call"], tracker)
                self._ready[dtype] = self._made(dtype, addresses["loop"], tracker)
        return self._ready[dtype]

    @property
    def is_long(self) -> bool:
        """Whether the program is so long that bytecode pays better than straight-line machine code."""
        return self.program.length > LONGEST or sum(x.count for x in self.outputs) > MOST_ENTRIES

    def _choose(self, dtype: str, arrays: tuple[Any, ...]) -> np.ufunc:
        """Bytecode for the first few states, unless the machine code is on disk; then machine code."""
        before = self._states
        sizes = [np.size(array) // x.count for x, array in zip(self.inputs, arrays, strict=False)]
        self._states += max(sizes, default=1)
        looks = before < LOOK <= self._states
        if self._states >= WARM * self.program.length or (looks and is_on_disk(self.traced, dtype, machine.host())):
            return self.ufunc(dtype)
        if dtype not in self._interpreted:
            self._interpreted[dtype] = self._bytecode(dtype)
        return self._interpreted[dtype]

    def _bytecode(self, dtype: str) -> np.ufunc:
        tables = Bytecode(self.traced, machine.host().fuses)
        address, tracker = _interpreter(dtype)
        return self._made(dtype, address, (tracker, tables), tables.address)

    def _quick(self, address: int, tracker: Any) -> Callable[..., Any]:
        return call.builtin(address, self.__call__, self.name, tracker)

    @property
    def signature(self) -> str:
        """Of the generalised ufunc, such as (6),(6),(6)->(6)."""
        return "->".join(
            ",".join(f"({','.join(map(str, x.shape))})" for x in side) for side in (self.inputs, self.outputs)
        )

    def _made(self, dtype: str, address: int, keep: Any, data: int | None = None) -> np.ufunc:
        doc = f"{self.name}: {', '.join(x.name for x in self.inputs)} -> {', '.join(x.name for x in self.outputs)}"
        count, results = len(self.inputs), len(self.outputs)
        return gufunc(dtype, address, count, results, self.signature, self.name, doc, keep, data)

    def _checked(self, arrays: tuple[Any, ...]) -> list[Any]:
        """The arguments as float64 arrays, or an error that says what is wrong with them."""
        self._check_count(arrays)
        checked: list[Any] = []
        for x, array in zip(self.inputs, arrays, strict=True):
            found = joint_array(x.name, array, x.shape[0], *self._whose(x))
            checked.append(found if found.dtype == np.float64 else found.astype(np.float64))
        broadcast([(x.name, array) for x, array in zip(self.inputs, checked, strict=True)])
        return checked

    def _check_count(self, arrays: tuple[Any, ...]) -> None:
        if len(arrays) != len(self.inputs):
            names = ", ".join(x.name for x in self.inputs)
            raise ArgumentError(f"{self.name} has {len(self.inputs)} arguments ({names}); {len(arrays)} were given")

    def _whose(self, x: kernel.Operand) -> tuple[str, str]:
        """The end of a sentence about the wrong size of an argument, and what it has one value for."""
        if x.name != "parameters":
            return self.owner, "joint"
        return f"{self.name} has {x.shape[0]} parameter{'s' * (x.shape[0] != 1)}", "parameter"

    def _split(self, ufunc: np.ufunc, dtype: str, arrays: tuple[Any, ...], out: Any, threads: int) -> Any:
        given = [np.asarray(array) for array in arrays]
        cores = [len(x.shape) for x in self.inputs]
        batch = np.broadcast_shapes(*(a.shape[: a.ndim - c] for a, c in zip(given, cores, strict=True)))
        shapes = [(*batch, *x.shape) for x in self.outputs]
        if prod(batch) < SPLIT or not _separable(out, shapes, given):
            return ufunc(*given, out=out) if out is not None else ufunc(*given)
        results = _results(out, shapes, dtype)
        spread = [np.broadcast_to(a, (*batch, *a.shape[a.ndim - c :])) for a, c in zip(given, cores, strict=True)]
        in_parts(ufunc, spread, results, batch, threads)
        return results[0] if len(results) == 1 else results


def machine_code(traced: Traced, dtype: str, quick: bool, processor: machine.Host) -> bytes:
    """The object code of a traced quantity, from disk if it is there."""
    lanes, fused = lanes_for(dtype, processor, traced), processor.fuses

    def ir() -> str:
        inputs, outputs = list(traced.inputs), list(traced.outputs)
        program = traced.program.fused if fused else traced.program
        called = call.call_ir(inputs, outputs[0]) if quick else ""
        return kernel.module(program, inputs, outputs, lanes, fused) + called

    return kept_code(_key(traced, dtype, processor), ir, processor)


def kept_code(key: str, ir: Callable[[], str], processor: machine.Host) -> bytes:
    """The object code that is on disk under this key, or else made from its IR and put there."""
    code = disk.read(key)
    if code is None:
        code = apart.object_code(ir(), processor)
        disk.write(key, code)
    return code


def linked(
    code: Callable[[], bytes], key: str, wanted: list[str], symbols: dict[str, int]
) -> tuple[dict[str, int], Any]:
    """The addresses in object code; if what was on disk is no such code, it is made again."""
    try:
        return machine.link(code(), wanted, symbols)
    except RuntimeError:
        disk.drop(key)
        return machine.link(code(), wanted, symbols)


def is_on_disk(traced: Traced, dtype: str, processor: machine.Host) -> bool:
    """Whether the machine code was kept by an earlier run."""
    return disk.has(_key(traced, dtype, processor))


def _key(traced: Traced, dtype: str, processor: machine.Host) -> str:
    lanes = lanes_for(dtype, processor, traced)
    parts = (traced.inputs, traced.outputs, lanes, processor, call.layout_is_known(), versions())
    return sha256(f"{traced.program.digest} {parts!r}".encode()).hexdigest()


@cache
def _interpreter(dtype: str) -> tuple[int, Any]:
    """The interpreter's loop for this machine."""
    processor = machine.host()
    lanes = lanes_for(dtype, processor)
    key = sha256(f"interpreter {lanes!r} {processor!r} {versions()!r}".encode()).hexdigest()

    def code() -> bytes:
        return kept_code(key, lambda: interpreter(lanes, processor.fuses), processor)

    addresses, tracker = linked(code, key, ["loop"], {})
    return addresses["loop"], tracker


def lanes_for(dtype: str, processor: machine.Host, traced: Traced | None = None) -> Lanes:
    return Lanes("double" if dtype == "float64" else "float", width(dtype, processor, traced))


def width(dtype: str, processor: machine.Host, traced: Traced | None = None) -> int:
    """Lanes of a vector: as many as a register holds; half of AVX-512's for results of more than forty entries.

    `python -m benchmarks width` measures the others: full registers gain a fifth in inverse dynamics, half of
    them a quarter in the mass matrix of seven joints.
    """
    size = 64 if processor.has("avx512f") else 32 if processor.has("avx2") else 16
    lanes = size // (8 if dtype == "float64" else 4)
    written = 0 if traced is None else sum(x.count for x in traced.outputs)
    return lanes // 2 if size == 64 and written > 40 else lanes


@cache
def versions() -> tuple[str, ...]:
    """Of all that the machine code depends on; of our own sources their text."""
    here = Path(__file__).parent
    sources = sorted([*here.glob("*.py"), *(here.parents[1] / "program").glob("*.py")])
    own = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    return version("dynamis"), version("llvmlite"), own


def _all_float32(arrays: tuple[Any, ...]) -> bool:
    dtypes = [getattr(array, "dtype", None) for array in arrays]
    return all(dtype is not None and dtype.kind == "f" and dtype.itemsize == 4 for dtype in dtypes)


def _separable(out: Any, shapes: list[tuple[int, ...]], given: list[Any]) -> bool:
    """Whether parts of the results can be written at once: they have their shapes, and no argument lies in them."""
    if out is None:
        return True
    results = cast("tuple[Any, ...]", out) if isinstance(out, tuple) else (out,)
    return [getattr(x, "shape", None) for x in results] == shapes and not any(
        np.may_share_memory(x, a) for x in results for a in given
    )


def _results(out: Any, shapes: list[tuple[int, ...]], dtype: Any) -> tuple[Any, ...]:
    if out is None:
        return tuple(np.empty(shape, dtype) for shape in shapes)
    return cast("tuple[Any, ...]", out) if isinstance(out, tuple) else (out,)
