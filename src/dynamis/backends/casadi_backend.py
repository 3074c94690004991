"""Programs as functions of CasADi, for optimal control: CasADi differentiates, maps and prints them as its own."""

from __future__ import annotations

import operator
from collections.abc import Callable
from importlib import import_module
from typing import Any

from dynamis.backends.backend import ArrayFunction, Backend
from dynamis.program.program import Program
from dynamis.quantities.registry import QUANTITIES


class CasadiBackend(Backend):
    """`robot.on("casadi")`: arguments and results are columns and matrices of CasADi (SX, MX or DM) of one state."""

    name = "casadi"

    def __init__(self) -> None:
        import_module("casadi")

    def function(self, name: str, program: Program, whose: str) -> CasadiFunction:
        return CasadiFunction(name, program)


class CasadiFunction(ArrayFunction):
    """A program as a `casadi.Function` with named inputs and outputs, which `ufunc` returns."""

    def __init__(self, name: str, program: Program) -> None:
        self.name, self.program, self._function = name, program, casadi_function(name, program)

    def __call__(self, *arrays: Any, out: Any = None, threads: int = 1) -> Any:
        return self._function(*arrays)

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


def casadi_function(name: str, program: Program) -> Any:
    """The `casadi.Function` of a program: its operations on symbols."""
    casadi: Any = import_module("casadi")
    operations: dict[str, Callable[..., Any]] = {
        "+": casadi.plus, "-": casadi.minus, "*": casadi.times, "/": casadi.rdivide, "neg": operator.neg,
        "sin": casadi.sin, "cos": casadi.cos, "sqrt": casadi.sqrt, "sign": casadi.sign, "min": casadi.fmin,
        "max": casadi.fmax,
    }  # fmt: skip
    columns = {x.name: casadi.SX.sym(x.name, x.count) for x in program.inputs}
    outputs: list[Any] = []
    entries = program.evaluate(lambda name, k: columns[name][k], operations, casadi.SX)
    for operand, values in zip(program.outputs, entries, strict=True):
        rows, width = (*operand.shape, 1, 1)[:2]
        outputs.append(casadi.reshape(casadi.vertcat(*values), width, rows).T)  # CasADi fills column by column
    names = [[x.name for x in side] for side in (program.inputs, program.outputs)]
    return casadi.Function(name, list(columns.values()), outputs, *names)
