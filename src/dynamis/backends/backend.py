"""The contract of a backend, and the backends by name.

A backend turns a `Program` into a function of arrays of its own kind: NumPy's, or those of a device. It must offer
`Backend.function` and know all of `program.OPERATIONS`; all else here has a default. A class that inherits from
`Backend` and one that inherits from `ArrayFunction`, whose `__call__` ends in `numpy_call.numpy_call`, are a whole
backend (tests/backends/test_foreign_backend.py has one in forty lines).
`robot.on("numpy")` chooses a backend by its name in `BACKENDS`; `robot.on(MyBackend())` takes any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from dynamis.errors import ArgumentError, UnknownNameError, literal
from dynamis.extras import install
from dynamis.printable import in_a_line
from dynamis.program.program import Program

BACKENDS = {
    "llvm": "dynamis.backends.llvm.backend:LlvmBackend",
    "numpy": "dynamis.backends.numpy_backend:NumpyBackend",
    "cuda": "dynamis.backends.cuda.backend:CudaBackend",
    "casadi": "dynamis.backends.casadi_backend:CasadiBackend",
    "torch": "dynamis.backends.differentiable.torch_backend:TorchBackend",
    "jax": "dynamis.backends.differentiable.jax_backend:JaxBackend",
}
"""The class of every backend, imported when it is chosen."""


class ArrayFunction(Protocol):
    """A program over arrays: leading axes of the arguments are the batch, and broadcast.

    Arrays of the backend's kind give arrays of that kind. All other arguments, NumPy's arrays, lists and numbers, give
    NumPy's arrays: simulations rely on it. `numpy_call.numpy_call` is that half of a call, with the checks that every
    backend shares, Dask's lazy arrays and `out`; `numpy_call.checked_beside` checks arrays of the backend's kind.

    `out` takes arrays for the results; `threads` is how many cores of the CPU may share the work, for a backend that
    runs there. `owner` ends the sentence about an argument of the wrong size: whose joints there are.
    """

    name: str
    program: Program
    owner: str

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        """The results: an array, or a tuple of arrays if the program has several outputs."""
        ...

    def quick_call(self, *arrays: Any) -> Any:
        """The same on one thread; a backend may have a faster way for a single state."""
        return self(*arrays)

    def ufunc(self, dtype: str = "float64") -> Any:
        """The form that is fastest for large batches, made now; a backend may return a NumPy generalised ufunc."""
        return self


class ArrayLoop:
    """A program (x, inputs) -> x as `loop(x, rows)`: x, (..., s), after one run per row of `rows`, (..., k, r).

    The rows are run in their order, by default in one call each. `once` is the program itself.
    """

    def __init__(self, once: ArrayFunction) -> None:
        self.once = once

    def __call__(self, x: Any, rows: Any, threads: int = 1) -> Any:
        for k in range(rows.shape[-2]):
            x = self.once(x, rows[..., k, :], threads=threads)
        return x


@dataclass(frozen=True)
class RungeKutta:
    """A step x + h (b1 k1 + b2 k2 + ...), where k1 is the rate at x, and the next at x + a h k with the k before.

    A row has h, and then the inputs of each instant.
    """

    rate: Program
    """(x, inputs) -> dx/dt"""
    inputs: int
    """Entries of the inputs of an instant."""
    instants: tuple[int, ...]
    """Which of them each stage takes."""
    weights: tuple[float, ...]
    """b1, b2, ..."""
    ahead: tuple[float, ...]
    """Of each stage the a with which the next begins; that of the last is not used."""

    @property
    def row(self) -> int:
        """Entries of a row."""
        return 1 + self.inputs * (max(self.instants) + 1)


class Backend(Protocol):
    """Makes functions of programs."""

    name: str

    def function(self, name: str, program: Program, owner: str) -> ArrayFunction:
        """A program as a function of arrays, with this name and this owner."""
        ...

    def loop(self, name: str, program: Program, method: RungeKutta | None = None) -> ArrayLoop:
        """The program repeated; a backend may keep the loop on its machine.

        method: the same step by its stages, where it has them, for machines that want short code
        """
        return ArrayLoop(self.function(name, program, name))


def backend_for(choice: str | Backend | None = None) -> Backend:
    """The backend of this name, or this backend; for None LLVM, or NumPy where llvmlite is not installed."""
    if choice is None:
        return _default()
    if isinstance(choice, str):
        return _backend(choice)
    if not callable(getattr(choice, "function", None)):
        names = ", ".join(f'"{name}"' for name in BACKENDS)
        raise ArgumentError(f"backend must be {names} or a dynamis.Backend, got {literal(choice)}", key="backend")
    return choice


@cache
def _backend(name: str) -> Backend:
    if name not in BACKENDS:
        raise UnknownNameError("backend", name, tuple(BACKENDS))
    module, _, kind = BACKENDS[name].partition(":")
    try:
        return getattr(import_module(module), kind)()
    except (ImportError, OSError) as error:
        package = (getattr(error, "name", None) or "").partition(".")[0]
        if package == module.partition(".")[0]:
            raise
        missing, what = isinstance(error, ModuleNotFoundError), f'backend "{name}"'
        raise ArgumentError(
            f"{what} needs {package}: {install(name) if name == package else 'pip install dynamis'}"
            if missing
            else f"{what} cannot be loaded, because its library is broken ({in_a_line(str(error))}); install it again",
            key="backend",
        ) from None


@cache
def _default() -> Backend:
    try:
        return _backend("llvm")
    except ArgumentError:
        return _backend("numpy")
