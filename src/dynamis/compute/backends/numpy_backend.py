"""Programs run by NumPy, operation by operation over the whole batch: where there is no LLVM, such as in a browser.

Slower than the interpreter of LLVM, and products and sums are rounded separately, so the last bits may differ.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from dynamis.compute.backends.backend import Backend
from dynamis.compute.backends.function import Function, Kernel
from dynamis.compute.backends.loop import Loop
from dynamis.compute.backends.numpy_call import fill_out
from dynamis.compute.program.program import Program
from dynamis.compute.program.runge_kutta import RungeKutta


def _least(a: Any, b: Any) -> Any:
    """NaN in a stays, NaN in b does not come through: as in the other backends."""
    return cast(Any, np.where(b < a, b, a))


def _greatest(a: Any, b: Any) -> Any:
    return cast(Any, np.where(b > a, b, a))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "neg": np.negative, "sin": np.sin, "cos": np.cos,
    "sqrt": np.sqrt, "sign": np.sign, "round": np.rint, "min": _least, "max": _greatest,
}  # fmt: skip


class NumpyBackend(Backend):
    """Needs NumPy alone."""

    name = "numpy"

    def function(self, name: str, program: Program, owner: str) -> Function:
        return Function(name, program, owner, numpy_kernel)

    def loop(self, name: str, program: Program, method: RungeKutta | None = None) -> Loop:
        return Loop(self.function(name, program, name))


def numpy_kernel(name: str, program: Program, dtype: str) -> Kernel:
    """A program as a function that behaves as a generalised ufunc."""

    def run(*arrays: Any, out: Any = None) -> Any:
        results = fill_out(out, evaluate_program(program, arrays, dtype))
        return results[0] if len(results) == 1 else results

    return run


def evaluate_program(program: Program, arrays: Any, dtype: str) -> tuple[Any, ...]:
    """The outputs of a program, each with the batch in its leading axes."""
    inputs: dict[str, Any] = {}
    batches: list[tuple[int, ...]] = []
    for operand, values in zip(program.inputs, arrays, strict=True):
        array = np.asarray(values).astype(dtype, casting="same_kind", copy=False)
        if array.shape[array.ndim - len(operand.shape) :] != operand.shape:
            raise ValueError(f"{operand.name} has shape {array.shape}")
        batches.append(array.shape[: array.ndim - len(operand.shape)])
        inputs[operand.name] = array.reshape((*batches[-1], operand.count))
    batch = np.broadcast_shapes(*batches)
    with np.errstate(all="ignore"):
        entries = program.evaluate(lambda name, k: inputs[name][..., k], FUNCTIONS, np.dtype(dtype).type)
    outputs: list[Any] = []
    for operand, values in zip(program.outputs, entries, strict=True):
        output = np.empty((*batch, operand.count), dtype)
        for k, value in enumerate(values):
            output[..., k] = value
        outputs.append(output.reshape((*batch, *operand.shape))[()])
    return tuple(outputs)
