"""The functions of one robot: each is traced and compiled when it is first asked for, and kept."""

from __future__ import annotations

import gc
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from types import SimpleNamespace
from typing import Any

import numpy as np

from dynamis.backends.backend import Backend
from dynamis.backends.forking import hold_at_forks
from dynamis.mechanics.dynamics.missing_masses import check_masses
from dynamis.model.loads import Load, check_loads
from dynamis.model.robot import RobotModel
from dynamis.program.quantity_program import (
    check_parameters,
    parametric_loads,
    quantity_program,
    traced_robot,
)
from dynamis.program.signature import Operand
from dynamis.quantities.arguments import Gravity, gravity_vector, owner
from dynamis.quantities.registry import quantity
from dynamis.scalars.scalars import evaluate

_NO_OPTIONS: dict[str, str] = {}
_tracing = Lock()
"""One thread traces at a time: two would take as long one after the other."""
hold_at_forks(_tracing, first=True)  # a trace may let go of machine code, which takes LLVM's lock


@contextmanager
def _no_collection() -> Generator[None]:
    """A trace makes many objects and little garbage: to look for it would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class Engine:
    """The functions of a robot by what they compute, on one backend."""

    def __init__(self, robot: RobotModel, backend: Backend) -> None:
        self.robot, self.backend = robot, backend
        self.own = SimpleNamespace()  # PyTorch's compiler looks each attribute up when it comes to it
        self.loaded: dict[Any, Any] = {}

    def function(self, name: str, options: Mapping[str, str] = _NO_OPTIONS) -> Any:
        """A quantity in the robot's own gravity, without loads."""
        return getattr(self.own, self.own_key(name, options))

    def own_key(self, name: str, options: Mapping[str, str]) -> str:
        """The key in `own` of a function that is there now; PyTorch's compiler need not follow how it is made."""
        if options:
            quantity(name, options)
        key = "\0".join((name, *options.values())) if options else name
        if not hasattr(self.own, key):  # of two threads that come here at once, both get the same
            vars(self.own).setdefault(key, self.compile(name, options))
        return key

    def loaded_function(
        self, name: str, options: Mapping[str, str], gravity: Gravity, loads: Sequence[Load]
    ) -> tuple[Any, list[Any]]:
        """A quantity in some gravity and under loads, and their values: arguments after those of the state.

        One function serves all loads of the same kinds on the same links.
        """
        quantity(name, options)
        check_loads(self.robot, loads)
        g = gravity_vector(gravity)
        kinds, operand, expressions = parametric_loads(loads)
        argument = g is not None and any(g)  # a gravity that is not zero is an argument of the function
        traced_gravity = "operand" if argument else g
        key = (name, *options.values(), kinds, traced_gravity)
        if key not in self.loaded:
            self.loaded.setdefault(key, self.compile(name, options, (), traced_gravity, kinds, operand))
        values: list[Any] = []
        if expressions:
            scalars = self.robot.floats()
            values.append([evaluate(x, scalars) for x in expressions])
        if argument and g:
            values.append([*g])
        return self.loaded[key], [np.array(x, np.float64) for x in values]

    def compile(
        self,
        name: str,
        options: Mapping[str, str] = _NO_OPTIONS,
        parameters: Sequence[str] = (),
        gravity: Any = None,
        loads: Sequence[Load] = (),
        load_operand: Operand | None = None,
    ) -> Any:
        """A quantity as a function of the state and of arguments for `parameters`, loads and gravity, in this order."""
        entry = quantity(name, options)
        check_parameters(parameters)
        # A trace of its own: beside other quantities the order of operations, and so the last bits, would be others.
        traced = traced_robot(self.robot, parameters, gravity, loads, load_operand)
        values = {key: value for key, value in self.robot.values.items() if key not in parameters}
        note = check_masses(traced.at_state.robot, entry.mass, values, loaded=bool(loads))
        with _tracing, _no_collection():
            program = quantity_program(traced, entry, options)
        function = self.backend.function(name, program, owner(self.robot))
        if note:
            setattr(function, "notes", (note,))  # noqa: B010, a backend of another package need not have them
        return function
