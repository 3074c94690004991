"""What a backend is, and which one runs when none is named."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Protocol

from dynamis.program.program import Program


class ArrayFunction(Protocol):
    """A program over arrays: leading axes of the arguments are the batch, and broadcast."""

    name: str
    program: Program
    quick_call: Callable[..., Any]
    """The same function without checks where that is possible: quickest for one state, right for any batch."""

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any: ...
    def ufunc(self, dtype: str = "float64") -> Any: ...


class ArrayLoop(Protocol):
    """A program (x, inputs) -> x run once per row of inputs."""

    @property
    def once(self) -> ArrayFunction:
        """The program itself."""
        ...

    def __call__(self, x: Any, rows: Any, threads: int = 1) -> Any: ...


class Backend(Protocol):
    """Makes functions of programs, over arrays of its own kind: NumPy's, or those of a device."""

    name: str
    dtypes: tuple[str, ...]
    devices: tuple[str, ...]

    def function(self, name: str, program: Program, whose: str) -> ArrayFunction:
        """`whose` ends the sentence about an argument of the wrong size: whose joints there are."""
        ...

    def loop(self, name: str, program: Program) -> ArrayLoop: ...


@cache
def default_backend() -> Backend:
    """LLVM; where llvmlite is missing, NumPy, operation by operation."""
    try:
        from dynamis.backends.llvm.backend import LlvmBackend
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "llvmlite":
            raise
        from dynamis.backends.numpy_backend import NumpyBackend

        return NumpyBackend()
    return LlvmBackend()
