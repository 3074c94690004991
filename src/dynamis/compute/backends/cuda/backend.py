"""`robot.on("cuda")`: programs on NVIDIA's GPUs, over arrays of CuPy, PyTorch and JAX, or NumPy's, which are copied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from typing import Any, cast

import numpy as np

from dynamis.base.errors import ArgumentError
from dynamis.compute.backends.backend import ArrayFunction, ArrayLoop, Backend
from dynamis.compute.backends.cuda import driver
from dynamis.compute.backends.cuda.arrays import MOST_SHAPES, ArrayKind, array_kind, library_of, on_device
from dynamis.compute.backends.llvm import cache
from dynamis.compute.backends.numpy_call import checked_beside, numpy_call
from dynamis.compute.backends.program_function import ProgramFunction
from dynamis.compute.ir.cuda import ahead
from dynamis.compute.ir.cuda.kernel import Kernel, block_size, kernel
from dynamis.compute.ir.cuda.repeat import repeat_kernel
from dynamis.compute.program.program import Program
from dynamis.compute.program.runge_kutta import RungeKutta

BLOCK_THREADS = 64
"""Threads of a block: 128 were as fast within a tenth, 256 slower, in the kernels that were measured on an H200."""


class CudaBackend(Backend):
    """Functions of arrays on a GPU."""

    name = "cuda"

    def __init__(self) -> None:
        driver.library()

    def function(self, name: str, program: Program, owner: str) -> CudaFunction:
        return CudaFunction(name, program, owner)

    def loop(self, name: str, program: Program, method: RungeKutta | None = None) -> CudaLoop:
        return CudaLoop(self.function(name, program, name), method)


@dataclass(frozen=True)
class Plan:
    """A launch for arrays of known types and shapes, all of which a kernel takes as they are."""

    kind: ArrayKind
    launcher: driver.Launcher
    count: int
    shapes: tuple[tuple[int, ...], ...]
    """Of the results."""

    def run(self, arrays: Sequence[Any]) -> Any:
        """The results."""
        library, kind = self.kind.arrays, self.kind
        results = [library.empty(shape, kind.dtype, kind.device) for shape in self.shapes]
        if self.count:
            stream, address = library.stream(kind.device), library.address
            addresses = [self.count, *map(address, arrays), *map(address, results)]
            self.launcher.launch(addresses, stream)
            library.finish(stream, kind.device)
        return results[0] if len(results) == 1 else tuple(results)


class CudaFunction(ProgramFunction, ArrayFunction):
    """A program on GPUs; a kernel is made when the first arrays of its kind come."""

    home = "Arrays of CuPy, PyTorch and JAX stay on their GPU; those of NumPy are copied to the first and back."

    def __init__(self, name: str, program: Program, owner: str) -> None:
        self.name, self.program, self.owner = name, program, owner
        self.__name__ = name  # Dask names its tasks by it, else by the repr
        self._launchers: dict[Any, driver.Launcher] = {}
        self._plans: dict[Any, Plan] = {}

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        library = library_of(arrays[0].__class__) if arrays and out is None else None
        key = None if library is None else library.key(arrays)
        known = None if key is None else self._plans.get(key)
        if known is not None:  # the shortest way first: a launch takes less time than the checks
            return known.run(arrays)
        if not on_device(arrays):
            return numpy_call(self, self._run, arrays, out)
        kind = array_kind([x.name for x in self.program.inputs], arrays)
        values = checked_beside(self, arrays, [bool(on_device([x])) for x in arrays])
        batch = np.broadcast_shapes(*(tuple(x.shape[:-1]) for x in values))
        constant = tuple(prod(x.shape[:-1]) == 1 for x in values)
        launcher = self.launcher(kind.dtype, constant, kind.device)
        plan = Plan(kind, launcher, prod(batch), tuple((*batch, *x.shape) for x in self.program.outputs))
        given = [kind.arrays.adopted(x, kind.dtype, kind.device) for x in values]
        given = [
            kind.arrays.contiguous(x, x.shape if same else (*batch, x.shape[-1]))
            for x, same in zip(given, constant, strict=True)
        ]
        if key is not None and all(a is b for a, b in zip(given, arrays, strict=True)):
            if len(self._plans) >= MOST_SHAPES:
                self._plans.clear()
            self._plans[key] = plan
        return _fill_out(self.name, out, plan.run(given))

    def launcher(self, dtype: str, constant: tuple[bool, ...], device: int) -> driver.Launcher:
        """The kernel for inputs of this type, of which some are the same for all states."""
        key = dtype, constant, device
        if key not in self._launchers:
            room = driver.shared_memory(device)
            block = block_size(self.program, dtype, BLOCK_THREADS, room)
            subject = f"{self.program.digest} {dtype} {constant} {block}"
            copies = int(driver.architecture(device).removeprefix("sm_")) >= ahead.COPY_ARCHITECTURE
            code = kernel(self.program, dtype, constant, block, room, copies)
            count = 1 + len(self.program.inputs) + len(self.program.outputs)
            self._launchers[key] = _launcher(code, subject, "kernel", count, device)
        return self._launchers[key]

    def _run(self, *arrays: Any) -> tuple[Any, ...]:
        """Over NumPy arrays, which are copied to the first device and back."""
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
        results = tuple(np.empty((*batch, *x.shape), arrays[0].dtype) for x in self.program.outputs)
        constant = tuple(prod(x.shape[:-1]) == 1 for x in arrays)
        inputs = [
            x if same else np.broadcast_to(x, (*batch, x.shape[-1])) for x, same in zip(arrays, constant, strict=True)
        ]
        if count := prod(batch):
            _launch_with_copies(self.launcher(str(arrays[0].dtype), constant, 0), (count,), inputs, results)
        return results

    def __reduce__(self) -> tuple[Any, ...]:
        return CudaFunction, (self.name, self.program, self.owner), {"notes": self.notes}


class CudaLoop(ArrayLoop):
    """A step (x, row) -> x with its loop in one kernel; x and rows are NumPy's, which simulations give.

    It computes in floats where x has floats, else in doubles.
    """

    def __init__(self, once: CudaFunction, method: RungeKutta | None) -> None:
        super().__init__(once)
        self.program, self._step = once.program, method or once.program
        self._launchers: dict[tuple[bool, str], driver.Launcher] = {}

    def __call__(self, x: Any, rows: Any, threads: int = 1) -> Any:
        dtype = np.float32 if getattr(x, "dtype", None) == np.float32 else np.float64
        x, rows = np.asarray(x, dtype), np.asarray(rows, dtype)
        batch = np.broadcast_shapes(x.shape[:-1], rows.shape[:-2])
        shared = prod(rows.shape[:-2]) == 1
        states = np.broadcast_to(x, (*batch, x.shape[-1]))
        each = rows if shared else np.broadcast_to(rows, (*batch, *rows.shape[-2:]))
        result = np.empty(states.shape, dtype)
        if count := prod(batch):
            _launch_with_copies(self.launcher(shared, x.dtype.name), (count, rows.shape[-2]), (states, each), (result,))
        return result

    def launcher(self, shared: bool, dtype: str) -> driver.Launcher:
        key = shared, dtype
        if key not in self._launchers:
            code = repeat_kernel(self._step, dtype, BLOCK_THREADS, shared)
            subject = f"repeat {self.program.digest} {isinstance(self._step, RungeKutta)} {key} {BLOCK_THREADS}"
            self._launchers[key] = _launcher(code, subject, "repeat", 5, 0)
        return self._launchers[key]


def _launch_with_copies(
    launcher: driver.Launcher, numbers: Sequence[int], inputs: Sequence[Any], results: Sequence[Any]
) -> None:
    """A launch over NumPy arrays: inputs go to the device, results come back; the first of `numbers` counts states."""
    hosts = [np.ascontiguousarray(x) for x in inputs]
    memory = [driver.Memory(x.nbytes, launcher.device) for x in (*hosts, *results)]
    for host, there in zip(hosts, memory, strict=False):
        driver.to_device(there.address, host.ctypes.data, host.nbytes, launcher.device)
    launcher.launch([*numbers, *(x.address for x in memory)], 0)
    for result, there in zip(results, memory[len(hosts) :], strict=True):
        driver.to_host(result.ctypes.data, there.address, result.nbytes, launcher.device)


def _launcher(code: Kernel, subject: str, name: str, count: int, device: int) -> driver.Launcher:
    """A kernel ready to be launched: its PTX from disk, or else made and put there."""
    from dynamis.compute.backends.llvm.source import versions
    from dynamis.compute.ir.cuda.ptx import ptx

    target = driver.architecture(device)
    key = sha256(repr((subject, target, versions())).encode()).hexdigest()
    text = cache.read(key)
    if text is None:
        text = ptx(code.ir, code.architecture).encode()
        cache.write(key, text)
    return driver.Launcher(text, name, code, count, device)


def _fill_out(name: str, out: Any, results: Any) -> Any:
    """`out`, an array or a tuple of arrays, with the results in it; without it the results."""
    if out is None:
        return results
    targets, values = (cast("tuple[Any, ...]", x) if isinstance(x, tuple) else (x,) for x in (out, results))
    if len(targets) != len(values):
        many = "one array" if len(values) == 1 else f"{len(values)} arrays"
        raise ArgumentError(f"{name}: out must be {many}, got {len(targets)}", key="out")
    for target, result in zip(targets, values, strict=True):
        shape = getattr(target, "shape", ())
        if tuple(shape) != tuple(result.shape):
            raise ArgumentError(f"out must have the shape {tuple(result.shape)}, got {tuple(shape)}", key="out")
        try:
            target[...] = result
        except (TypeError, ValueError, RuntimeError) as error:  # JAX's arrays, tensors that require gradients
            words = str(error).partition(". ")[0].rstrip(".")
            raise ArgumentError(f"{name}: out cannot be filled: {words}", key="out") from None
    return out
