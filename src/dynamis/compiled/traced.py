"""A quantity of a robot, traced: its algorithm run once on traced scalars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from dynamis.algorithms.mechanism import Mechanism, State, mechanism
from dynamis.compiled.kernel import Operand
from dynamis.compiled.program import Program, program
from dynamis.compiled.trace import Node, Trace
from dynamis.errors import ArgumentError, MissingValuesError, UnknownNameError
from dynamis.model.expression import Expression, Parameter, evaluate
from dynamis.model.floats import Floats
from dynamis.model.loads import Force, Load, Moment, ToolWrench
from dynamis.model.robot import RobotModel
from dynamis.model.vectors import Vector
from dynamis.quantities import Quantity, Setting

GRAVITY = ("gravity.x", "gravity.y", "gravity.z")


@dataclass(frozen=True)
class Traced:
    """A program with its operands: inputs are arrays (n), the parameters last; outputs have their shapes."""

    program: Program
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]


@dataclass(frozen=True)
class TracedWorld:
    """Floats, but for the parameters that are inputs of the program: those are nodes."""

    floats: Floats
    trace: Trace
    open: Mapping[str, Node]

    def number(self, value: Any) -> float:
        return self.floats.number(value)

    def pi(self) -> float:
        return self.floats.pi()

    def parameter(self, name: str) -> Any:
        if name in self.open:
            return self.open[name]
        if name not in self.floats.values:
            return self.floats.parameter(name)  # says what is missing
        return evaluate(self.floats.values[name], self)

    def cos_sin(self, angle: Expression) -> tuple[Any, Any]:
        value = evaluate(angle, self)
        if isinstance(value, Node):
            return self.trace.cos(value), self.trace.sin(value)
        return self.floats.cos_sin(angle)

    def sqrt(self, argument: Expression) -> Any:
        value = evaluate(argument, self)
        return self.trace.sqrt(value) if isinstance(value, Node) else self.floats.sqrt(argument)


def trace_quantity(
    robot: RobotModel,
    floats: Callable[[], tuple[Floats, Mechanism[float]]],
    quantity: Quantity,
    options: Mapping[str, str],
    parameters: Sequence[str] = (),
    gravity: Vector[float] | str | None = None,
    loads: Sequence[Load] = (),
    load_parameters: Sequence[str] = (),
) -> Traced:
    """The program of a quantity.

    `floats` gives the robot in floats. `parameters` are inputs of the program, in this order, and after
    them the `load_parameters`, which only the loads use. `gravity` is None for the robot's own, a vector, or "given": then its three
    components are the last inputs.
    """
    trace = Trace()
    n = robot.n
    names = (*parameters, *load_parameters, *(GRAVITY if gravity == "given" else ()))
    opened = {name: trace.input(f"parameters:{k}") for k, name in enumerate(names)}
    if parameters or load_parameters:
        robot = open_links(robot, parameters)
        world = _world(robot, trace, {name: opened[name] for name in (*parameters, *load_parameters)})
        m: Mechanism[Any] = mechanism(robot, world)
    else:
        world, m = floats()
    values = {name: [trace.input(f"{name}:{k}") for k in range(n)] for name in ("q", "qd", "qdd", "tau")}
    state = State(
        values["q"],
        [trace.cos(x) for x in values["q"]],
        [trace.sin(x) for x in values["q"]],
        values["qd"],
        values["qdd"],
        [trace.sign(x) for x in values["qd"]],
    )
    g: Any = Vector(*(opened[name] for name in GRAVITY)) if gravity == "given" else gravity
    setting = Setting(robot, world, m, state, values["tau"], g, loads, fast=True)
    found = quantity.compute(setting, **options)
    shapes = [shape_of(output) for output in found]
    inputs = [Operand(name, (n,)) for name in quantity.inputs]
    if names:
        inputs.append(Operand("parameters", (len(names),)))
    outputs = [(name, flat(output)) for name, output in zip(quantity.outputs, found, strict=True)]
    return Traced(
        program([(x.name, x.count) for x in inputs], outputs),
        tuple(inputs),
        tuple(Operand(name, shape) for name, shape in zip(quantity.outputs, shapes, strict=True)),
    )


def open_links(robot: RobotModel, parameters: Sequence[str]) -> RobotModel:
    """The robot with a parameter for every "link.mass", "link.com.x" and "link.inertia.xx" among the names."""
    links = list(robot.links)
    for name in parameters:
        if name in robot.parameters:
            continue
        k, field = _link_field(robot, name)
        link = links[k]
        match field.split("."):
            case ["mass"]:
                links[k] = replace(link, mass=Parameter(name))
            case ["com", axis] if axis in ("x", "y", "z"):
                com = list(link.com)
                com["xyz".index(axis)] = Parameter(name)
                links[k] = replace(link, com=tuple(com))
            case ["inertia", axes] if axes in ("xx", "yy", "zz", "xy", "xz", "yz"):
                i, j = ("xyz".index(axis) for axis in axes)
                matrix = [list(row) for row in link.inertia.matrix]
                matrix[i][j] = matrix[j][i] = Parameter(name)
                rows = tuple((row[0], row[1], row[2]) for row in matrix)
                links[k] = replace(link, inertia=replace(link.inertia, matrix=rows, allow_unphysical=True))
            case _:
                raise ArgumentError(
                    f'"{field}" of link "{link.name}" is no parameter; mass, com.x, com.y, com.z, inertia.xx, ..., '
                    "inertia.yz are",
                    key="parameters",
                )
    # The model's own checks know no such parameters, and have seen all else: the copy is not checked again.
    opened = copy(robot)
    object.__setattr__(opened, "links", tuple(links))
    return opened


def _world(robot: RobotModel, trace: Trace, opened: Mapping[str, Node]) -> TracedWorld:
    values = {name: value for name, value in robot.values.items() if name not in opened}
    missing = sorted(name for name in robot.used_parameters() - opened.keys() if name not in values)
    if missing:
        raise MissingValuesError(robot.name, missing)
    return TracedWorld(Floats(values, robot.name), trace, opened)


def _link_field(robot: RobotModel, name: str) -> tuple[int, str]:
    for k, link in enumerate(robot.links):
        if name.startswith(f"{link.name}."):
            return k, name.removeprefix(f"{link.name}.")
    known = [*robot.parameters, *(f"{link.name}.mass" for link in robot.links)]
    raise UnknownNameError("parameter", name, known, within=f'robot "{robot.name}"', key="parameters")


def open_loads(loads: Sequence[Load]) -> tuple[tuple[Load, ...], list[str], list[Expression]]:
    """The loads with a parameter in every place that holds a value, the parameters' names, and the values."""
    opened: list[Load] = []
    names: list[str] = []
    values: list[Expression] = []

    def open_triple(load: Load, field: str, k: int) -> tuple[Parameter, Parameter, Parameter]:
        made = tuple(Parameter(f"load{k}.{field}.{axis}") for axis in "xyz")
        names.extend(p.name for p in made)
        values.extend(getattr(load, field))
        return made[0], made[1], made[2]

    for k, load in enumerate(loads, 1):
        fields = {Force: ("vector", "point"), Moment: ("vector",), ToolWrench: ("force", "moment")}[type(load)]
        changes: dict[str, Any] = {field: open_triple(load, field, k) for field in fields}
        opened.append(replace(load, **changes))
    return tuple(opened), names, values


def shape_of(nested: Any) -> tuple[int, ...]:
    return (len(nested), *shape_of(nested[0])) if isinstance(nested, list) else ()


def flat(nested: Any) -> list[Any]:
    return [x for part in nested for x in flat(part)] if isinstance(nested, list) else [nested]
