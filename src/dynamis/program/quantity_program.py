"""A quantity of a robot, traced: its algorithm run once on traced scalars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, cast

from dynamis.errors import ArgumentError, MissingValuesError, UnknownNameError
from dynamis.expressions.expression import Expression, Parameter
from dynamis.mechanics.mechanism import mechanism, state_at
from dynamis.model.loads import Force, Load, Moment, ToolWrench
from dynamis.model.robot import RobotModel
from dynamis.program.operand import Operand
from dynamis.program.program import Program, program
from dynamis.program.trace import Trace
from dynamis.program.traced_scalars import TracedScalars
from dynamis.quantities.registry import Evaluation, Quantity
from dynamis.scalars.floats import Floats
from dynamis.scalars.vectors import Vector

GRAVITY = ("gravity.x", "gravity.y", "gravity.z")


@dataclass(frozen=True)
class Traced:
    """A program with its operands: inputs are arrays (n), the parameters last; outputs have their shapes."""

    program: Program
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]


@dataclass(frozen=True)
class Inputs:
    """A robot in traced scalars, and the names of the parameters that are inputs of its programs, in their order."""

    evaluation: Evaluation
    parameters: tuple[str, ...] = ()


def own_evaluation(robot: RobotModel) -> Inputs:
    """The robot as it is: one trace for all of its quantities, so what they share is traced once."""
    return Inputs(_evaluation(robot, TracedScalars(robot.floats(), Trace())))


def open_evaluation(
    robot: RobotModel,
    parameters: Sequence[str] = (),
    gravity: Vector[float] | str | None = None,
    loads: Sequence[Load] = (),
    load_parameters: Sequence[str] = (),
) -> Inputs:
    """The robot with parameters that are inputs, in this order; then those that only the loads use.

    `gravity` is None for the robot's own, a vector, or "given": then its components are the last inputs.
    """
    trace = Trace()
    names = (*parameters, *load_parameters, *(GRAVITY if gravity == "given" else ()))
    opened = {name: trace.input(f"parameters:{k}") for k, name in enumerate(names)}
    robot = open_links(robot, parameters)
    values = {name: value for name, value in robot.values.items() if name not in opened}
    missing = sorted(name for name in robot.used_parameters() - opened.keys() if name not in values)
    if missing:
        raise MissingValuesError(robot.name, missing)
    scalars = TracedScalars(Floats(values, robot.name), trace, opened)
    g: Any = Vector(*(opened[name] for name in GRAVITY)) if gravity == "given" else gravity
    return Inputs(_evaluation(robot, scalars, g, loads), names)


def _evaluation(
    robot: RobotModel, scalars: TracedScalars, gravity: Any = None, loads: Sequence[Load] = ()
) -> Evaluation:
    m = mechanism(robot, scalars)
    q, qd, qdd, tau = (
        [scalars.trace.input(f"{name}:{k}") for k in range(robot.n)] for name in ("q", "qd", "qdd", "tau")
    )
    return Evaluation(robot, m, state_at(m, q, qd, qdd), tau, gravity, loads, fast=True)


def traced(inputs: Inputs, quantity: Quantity, options: Mapping[str, str]) -> Traced:
    """The program of a quantity."""
    try:
        found = quantity.compute(inputs.evaluation, **options)
    except ZeroDivisionError:
        robot = inputs.evaluation.robot.name
        raise ArgumentError(
            f'robot "{robot}" has no {" ".join(quantity.outputs)}: in every state it is divided by zero '
            "(a moving link without mass, inertia and rotor, or a Jacobian that is always singular)"
        ) from None
    operands = [Operand(name, (inputs.evaluation.m.n,)) for name in quantity.inputs]
    if inputs.parameters:
        operands.append(Operand("parameters", (len(inputs.parameters),)))
    outputs = [(name, flat(output)) for name, output in zip(quantity.outputs, found, strict=True)]
    shapes = [Operand(name, shape_of(output)) for name, output in zip(quantity.outputs, found, strict=True)]
    return Traced(program([(x.name, x.count) for x in operands], outputs), tuple(operands), tuple(shapes))


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


def _link_field(robot: RobotModel, name: str) -> tuple[int, str]:
    owners = [k for k, link in enumerate(robot.links) if name.startswith(f"{link.name}.")]
    if owners:
        k = max(owners, key=lambda k: len(robot.links[k].name))
        return k, name.removeprefix(f"{robot.links[k].name}.")
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
    """The shape of a nested list."""
    if not isinstance(nested, list):
        return ()
    entries = cast("list[Any]", nested)
    return (len(entries), *shape_of(entries[0]))


def flat(nested: Any) -> list[Any]:
    """The entries of a nested list, row by row."""
    if not isinstance(nested, list):
        return [nested]
    entries = cast("list[Any]", nested)
    return [x for part in entries for x in flat(part)]
