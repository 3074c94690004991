"""The same quantities as functions of CasADi, for optimal control: the algorithms run on `casadi.SX`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, cast

from dynamis.errors import ArgumentError
from dynamis.mechanics.mechanism import State, mechanism
from dynamis.model.missing_masses import check_masses
from dynamis.model.robot import RobotModel
from dynamis.quantities.reference import quantity
from dynamis.quantities.registry import QUANTITIES, Setting

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


def casadi_function(robot: RobotModel, name: str, options: Mapping[str, str]) -> Any:
    """The `casadi.Function` of a quantity, in the robot's own gravity."""
    try:
        casadi: Any = import_module("casadi")
    except ModuleNotFoundError:
        raise ArgumentError('CasADi is not installed; install it with: pip install "dynamis[casadi]"') from None
    wanted, world = quantity(name), robot.world()
    check_masses(robot, wanted.mass)
    columns = {key: casadi.SX.sym(key, robot.n) for key in ("q", "qd", "qdd", "tau")}
    x = {key: [column[i] for i in range(robot.n)] for key, column in columns.items()}
    cosines, sines = [casadi.cos(a) for a in x["q"]], [casadi.sin(a) for a in x["q"]]
    state = State(x["q"], cosines, sines, x["qd"], x["qdd"], [casadi.sign(a) for a in x["qd"]])
    setting = Setting(robot, world, mechanism(robot, world), state, x["tau"], fast=True, sqrt=casadi.sqrt)
    found = [_matrix(casadi, output) for output in wanted.compute(setting, **options)]
    inputs = [columns[key] for key in wanted.inputs]
    return casadi.Function(name, inputs, found, list(wanted.inputs), list(wanted.outputs))


def _matrix(casadi: Any, nested: Any) -> Any:
    """A scalar, a column or a matrix of expressions."""
    if not isinstance(nested, list):
        return casadi.SX(nested)
    rows = cast("list[Any]", nested)
    return casadi.vertcat(*(casadi.horzcat(*row) if isinstance(row, list) else row for row in rows))
