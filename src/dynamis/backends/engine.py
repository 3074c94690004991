"""The functions of one robot: each is traced and compiled when it is first asked for, and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from dynamis.backends.llvm.function import Function
from dynamis.errors import ArgumentError, shown
from dynamis.model.loads import Load, check_loads
from dynamis.model.missing_masses import check_masses
from dynamis.model.robot import RobotModel
from dynamis.program.quantity_program import Inputs, open_evaluation, open_loads, own_evaluation, traced
from dynamis.quantities.reference import Gravity, gravity_vector, owner, quantity
from dynamis.scalars.scalars import evaluate

_NO_OPTIONS: dict[str, str] = {}


class Engine:
    """The compiled functions of a robot by what they compute."""

    def __init__(self, robot: RobotModel) -> None:
        self.robot = robot
        self.functions: dict[Any, Function] = {}

    @cached_property
    def _own(self) -> Inputs:
        return own_evaluation(self.robot)

    def function(self, name: str, options: Mapping[str, str] = _NO_OPTIONS) -> Function:
        """A quantity in the robot's own gravity, without loads."""
        if options:
            quantity(name, options)
        key: Any = (name, *options.values()) if options else name
        found = self.functions.get(key)
        if found is None:
            found = self.functions[key] = self.compile(name, options)
        return found

    def loaded_function(
        self, name: str, options: Mapping[str, str], gravity: Gravity, loads: Sequence[Load]
    ) -> tuple[Function, Any]:
        """A quantity in some gravity and under loads, whose values are its last argument.

        One function serves all loads of the same kinds on the same links.
        """
        quantity(name, options)
        check_loads(self.robot, loads)
        g = gravity_vector(gravity)
        opened, names, expressions = open_loads(loads)
        given = g is not None and any(g)
        scalars = self.robot.floats() if expressions else None
        values = [evaluate(x, scalars) for x in expressions] if scalars else []
        key = (name, *options.values(), opened, "given" if given else g)
        if key not in self.functions:
            self.functions[key] = self.compile(name, options, (), "given" if given else g, opened, names)
        return self.functions[key], np.array([*values, *(g if given and g else ())], dtype=np.float64)

    def compile(
        self,
        name: str,
        options: Mapping[str, str] = _NO_OPTIONS,
        parameters: Sequence[str] = (),
        gravity: Any = None,
        loads: Sequence[Load] = (),
        load_parameters: Sequence[str] = (),
    ) -> Function:
        """A quantity as machine code; `parameters` are values of an argument of their own, the last."""
        wanted = quantity(name, options)
        if isinstance(parameters, str) or not isinstance(parameters, Sequence):  # type: ignore[redundant-expr]
            raise ArgumentError(f"parameters is {shown(parameters)}; it is a list of names", key="parameters")
        if others := [x for x in parameters if not isinstance(x, str)]:  # type: ignore[redundant-expr]
            raise ArgumentError(f"{others[0]!r} among the parameters is no name", key="parameters")
        twice = next((x for k, x in enumerate(parameters) if x in parameters[:k]), None)
        if twice is not None:
            raise ArgumentError(f'parameter "{twice}" is named twice', key="parameters")
        plain = not parameters and not loads and gravity is None
        inputs = self._own if plain else open_evaluation(self.robot, parameters, gravity, loads, load_parameters)
        known = {key: value for key, value in self.robot.values.items() if key not in parameters}
        check_masses(inputs.evaluation.robot, wanted.mass, known, loaded=bool(loads))
        return Function(name, traced(inputs, wanted, options), owner(self.robot))
