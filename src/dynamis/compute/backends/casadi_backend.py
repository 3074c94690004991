"""Programs as functions of CasADi, for optimal control: CasADi differentiates, maps and prints them as its own.

The least and the greatest are CasADi's fmin and fmax, which it can differentiate: of NaN and a number, the number.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from dynamis.compute.backends.backend import ArrayFunction, Backend
from dynamis.compute.backends.numpy_call import numpy_call
from dynamis.compute.backends.program_function import ProgramFunction
from dynamis.compute.program.program import Program
from dynamis.compute.quantities.registry import QUANTITIES


class CasadiBackend(Backend):
    """`robot.on("casadi")`: columns of one state (SX, MX or DM) give matrices of CasADi, NumPy's arrays give arrays."""

    name = "casadi"

    def __init__(self) -> None:
        import_module("casadi")

    def function(self, name: str, program: Program, owner: str) -> CasadiFunction:
        return CasadiFunction(name, program, owner)


class CasadiFunction(ProgramFunction, ArrayFunction):
    """A program as a `casadi.Function` with named inputs and outputs, which `ufunc` returns."""

    def __init__(self, name: str, program: Program, owner: str) -> None:
        self.name, self.program, self.owner = name, program, owner
        self.__name__ = name  # Dask names its tasks by it, else by the repr
        self._function = casadi_function(name, program)

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        if any(type(x).__module__.startswith("casadi") for x in arrays):
            return self._function(*arrays)
        return numpy_call(self, self._run, arrays, out)

    def _run(self, *arrays: Any) -> tuple[Any, ...]:
        """One state after the other."""
        batch = np.broadcast_shapes(*(x.shape[:-1] for x in arrays))
        rows = [np.broadcast_to(x, (*batch, x.shape[-1])).reshape(-1, x.shape[-1]) for x in arrays]
        states = [self._function.call(list(state)) for state in zip(*rows, strict=True)]
        return tuple(
            np.array([matrices[k].full() for matrices in states], arrays[0].dtype).reshape((*batch, *x.shape))
            for k, x in enumerate(self.program.outputs)
        )

    def ufunc(self, dtype: str = "float64") -> Any:
        return self._function


class CasadiFunctions:
    """`robot.casadi`: a `casadi.Function` for every quantity, made when it is first asked for.

    An attribute is the quantity with its usual options, `function` takes others:

        robot.casadi.inverse_dynamics(q, qd, qdd)
        robot.casadi.function("jacobian", frame="camera")(q)
    """

    def __init__(self, prepared: Callable[..., Any]) -> None:
        self._prepared = prepared

    def function(self, name: str, **options: str) -> Any:
        """A quantity as a `casadi.Function` with named inputs and outputs."""
        return self._prepared(name, **options).ufunc()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.function(name)

    def __dir__(self) -> list[str]:
        return [*QUANTITIES, "function"]

    def __repr__(self) -> str:
        return f"<CasadiFunctions: {len(QUANTITIES)} quantities, such as robot.casadi.inverse_dynamics(q, qd, qdd)>"


def functions() -> dict[str, Callable[..., Any]]:
    """The operations of a program on symbols."""
    casadi: Any = import_module("casadi")

    def nearest(x: Any) -> Any:
        """By the remainder of IEEE, from -1/2 to 1/2, which leaves of two whole numbers the even one."""
        return x - casadi.remainder(x, 1)

    return {
        "+": casadi.plus, "-": casadi.minus, "*": casadi.times, "/": casadi.rdivide, "neg": operator.neg,
        "sin": casadi.sin, "cos": casadi.cos, "sqrt": casadi.sqrt, "sign": casadi.sign, "min": casadi.fmin,
        "max": casadi.fmax, "round": nearest,
    }  # fmt: skip


def casadi_function(name: str, program: Program) -> Any:
    """The `casadi.Function` of a program: its operations on symbols."""
    casadi: Any = import_module("casadi")
    columns = {x.name: casadi.SX.sym(x.name, x.count) for x in program.inputs}
    outputs: list[Any] = []
    entries = program.evaluate(lambda name, k: columns[name][k], functions(), casadi.SX)
    for operand, values in zip(program.outputs, entries, strict=True):
        rows, width = (*operand.shape, 1, 1)[:2]
        outputs.append(casadi.reshape(casadi.vertcat(*values), width, rows).T)  # CasADi fills column by column
    # No output may have the name of an input: a step is x -> x.
    names = [f"{x.name}_next" if x.name in columns else x.name for x in program.outputs]
    return casadi.Function(name, list(columns.values()), outputs, list(columns), names)
