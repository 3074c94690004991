"""The same quantities as functions of CasADi, for optimal control: the algorithms run on `casadi.SX`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from typing import Any, cast

from dynamis.errors import ArgumentError
from dynamis.expressions.expression import Expression
from dynamis.mechanics.mechanism import mechanism, state_at
from dynamis.model.missing_masses import check_masses
from dynamis.model.robot import RobotModel
from dynamis.quantities.reference import quantity
from dynamis.quantities.registry import QUANTITIES, Evaluation
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import Scalars

Complete = Callable[[str, Mapping[str, str]], dict[str, str]]
"""All options of a quantity from those that were given."""


class CasadiFunctions:
    """`robot.casadi`: a `casadi.Function` for every quantity, made when it is first asked for.

    An attribute is the quantity with its usual options, `function` takes others:

        robot.casadi.inverse_dynamics(q, qd, qdd)
        robot.casadi.function("jacobian", frame="camera")(q)
    """

    def __init__(self, robot: RobotModel, complete: Complete) -> None:
        self._robot, self._complete = robot, complete
        self._made: dict[tuple[str, ...], Any] = {}

    def function(self, name: str, **options: str) -> Any:
        """A quantity as a `casadi.Function` with named inputs and outputs."""
        everything = self._complete(name, options)
        quantity(name, everything)
        key = (name, *everything.values())
        if key not in self._made:
            self._made[key] = casadi_function(self._robot, name, everything)
        return self._made[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.function(name)

    def __dir__(self) -> list[str]:
        return [*QUANTITIES, "function"]


@dataclass(frozen=True)
class CasadiScalars(Scalars[Any]):
    """Floats in the model, CasADi's expressions in the state."""

    floats: Floats
    casadi: Any

    def constant(self, value: Fraction) -> float:
        return self.floats.constant(value)

    def pi(self) -> float:
        return self.floats.pi()

    def parameter(self, name: str) -> float:
        return self.floats.parameter(name)

    def cos_sin_of(self, angle: Expression) -> tuple[float, float]:
        return self.floats.cos_sin_of(angle)

    def sqrt_of(self, argument: Expression) -> float:
        return self.floats.sqrt_of(argument)

    def cos_sin(self, x: Any, /) -> tuple[Any, Any]:
        return self.casadi.cos(x), self.casadi.sin(x)

    def sqrt(self, x: Any, /) -> Any:
        return self.casadi.sqrt(x)

    def sign(self, x: Any, /) -> Any:
        return self.casadi.sign(x)

    def least(self, x: Any, y: Any, /) -> Any:
        return self.casadi.fmin(x, y)

    def greatest(self, x: Any, y: Any, /) -> Any:
        return self.casadi.fmax(x, y)


def casadi_function(robot: RobotModel, name: str, options: Mapping[str, str]) -> Any:
    """The `casadi.Function` of a quantity, in the robot's own gravity."""
    try:
        casadi: Any = import_module("casadi")
    except ModuleNotFoundError:
        raise ArgumentError('CasADi is not installed; install it with: pip install "dynamis[casadi]"') from None
    wanted = quantity(name)
    check_masses(robot, wanted.mass)
    columns = {key: casadi.SX.sym(key, robot.n) for key in ("q", "qd", "qdd", "tau")}
    x = {key: [column[i] for i in range(robot.n)] for key, column in columns.items()}
    m = mechanism(robot, CasadiScalars(robot.floats(), casadi))
    evaluation = Evaluation(robot, m, state_at(m, x["q"], x["qd"], x["qdd"]), x["tau"], fast=True)
    found = [_matrix(casadi, output) for output in wanted.compute(evaluation, **options)]
    inputs = [columns[key] for key in wanted.inputs]
    return casadi.Function(name, inputs, found, list(wanted.inputs), list(wanted.outputs))


def _matrix(casadi: Any, nested: Any) -> Any:
    """A scalar, a column or a matrix of expressions."""
    if not isinstance(nested, list):
        return casadi.SX(nested)
    rows = cast("list[Any]", nested)
    return casadi.vertcat(*(casadi.horzcat(*row) if isinstance(row, list) else row for row in rows))
