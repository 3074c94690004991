"""The program of a quantity of a robot: its algorithm run once on traced scalars."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal, cast

from dynamis.base.errors import ArgumentError, MissingValuesError, UnknownNameError, literal
from dynamis.base.expressions.expression import Expression, Parameter
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.compute.program.program import Program, program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Trace
from dynamis.compute.program.traced_scalars import TracedScalars
from dynamis.compute.quantities.registry import Quantity
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.model.loads import LOAD_FIELDS, Load
from dynamis.model.map_expressions import Site, changed_fields, expressions_in
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import Floats, number
from dynamis.scalars.vectors import Vector

GRAVITY = Operand("gravity", (3,), ("gravity.x", "gravity.y", "gravity.z"), ("m/s^2",) * 3)


@dataclass(frozen=True)
class TracedRobot:
    """A robot in traced scalars, and the operands of its programs besides the state: parameters, loads, gravity."""

    at_state: RobotAtState
    operands: tuple[Operand, ...] = ()


def traced_robot(
    robot: RobotModel,
    parameters: Sequence[str] = (),
    gravity: Vector[float] | Literal["operand"] | None = None,
    loads: Sequence[Load] = (),
    load_operand: Operand | None = None,
) -> TracedRobot:
    """The robot in a trace of its own.

    `parameters` are operands besides the state, and so are the values of the loads (`parametric_loads`). `gravity` is
    None for the robot's own, a vector, or "operand".
    """
    trace = Trace()
    candidates = (parameter_operand(robot, parameters), load_operand, GRAVITY if gravity == "operand" else None)
    operands = tuple(x for x in candidates if x is not None)
    inputs = {name: trace.input(f"{x.name}:{k}") for x in operands for k, name in enumerate(x.entries)}
    robot = with_link_parameters(robot, parameters)
    if missing := [name for name in robot.missing_values if name not in inputs]:
        needed = robot.used_parameters()
        if missing := [name for name in missing if name in needed]:
            raise MissingValuesError(robot.name, missing)
    values = {name: value for name, value in robot.values.items() if name not in inputs}
    scalars = TracedScalars(Floats(values, robot.name), trace, inputs)
    g: Any = Vector(*(inputs[name] for name in GRAVITY.entries)) if gravity == "operand" else gravity
    m = mechanism(robot, scalars)
    q, qd, qdd, tau = ([trace.input(f"{name}:{k}") for k in range(robot.n)] for name in ("q", "qd", "qdd", "tau"))
    return TracedRobot(RobotAtState(robot, m, state_at(m, q, qd, qdd), tau, g, loads, fast=True), operands)


def quantity_program(traced: TracedRobot, quantity: Quantity, options: Mapping[str, str]) -> Program:
    """The program of a quantity."""
    robot = traced.at_state.robot
    try:
        results = quantity.of(traced.at_state, **options)
    except ZeroDivisionError:
        raise ArgumentError(
            f'robot "{robot.name}" has no {" ".join(quantity.outputs)}: in every state it is divided by zero '
            "(a moving link without mass, inertia and rotor, or a Jacobian that is always singular)"
        ) from None
    state = [state_operand(robot, name) for name in quantity.inputs]
    units = quantity.units or ("",) * len(results)
    outputs = [
        (output_operand(robot, name, shape_of(output), unit), flat(output))
        for name, output, unit in zip(quantity.outputs, results, units, strict=True)
    ]
    return program([*state, *traced.operands], outputs)


STATE_UNITS = {"q": ("rad", "m"), "qd": ("rad/s", "m/s"), "qdd": ("rad/s^2", "m/s^2"), "tau": ("N m", "N")}
"""The units of revolute and of prismatic coordinates."""


def state_operand(robot: RobotModel, name: str) -> Operand:
    """q, qd, qdd or tau of a robot: one entry per coordinate, in rad or m, and so on."""
    units, moving = STATE_UNITS[name], robot.coordinates
    return Operand(name, (robot.n,), tuple(x.name for x in moving), tuple(units[not x.revolute] for x in moving))


def output_operand(robot: RobotModel, name: str, shape: tuple[int, ...], unit: str) -> Operand:
    """An output with the units of its entries; `Quantity.units` says how they are written."""
    rows, over, columns = unit.partition("/")
    if rows not in (*STATE_UNITS, "twist"):
        return Operand(name, shape, units=(unit,) * prod(shape) if unit else ())
    vary = {key: state_operand(robot, key).units for key in STATE_UNITS} | {"twist": ("m/s",) * 3 + ("rad/s",) * 3}
    if over:
        return Operand(name, shape, units=tuple(f"{a}/({b})" for a in vary[rows] for b in vary[columns]))
    return Operand(name, shape, units=tuple(a for a in vary[rows] for _ in range(prod(shape[1:]))))


def check_parameters(parameters: Sequence[str]) -> None:
    """Raise unless it is a list of names, each there once."""
    if isinstance(parameters, str) or not isinstance(parameters, Sequence):  # type: ignore[redundant-expr]
        raise ArgumentError(f"parameters must be a list of names, got {literal(parameters)}", key="parameters")
    if others := [x for x in parameters if not isinstance(x, str)]:  # type: ignore[redundant-expr]
        raise ArgumentError(f"parameters must be names, got {literal(others[0])}", key="parameters")
    twice = next((x for k, x in enumerate(parameters) if x in parameters[:k]), None)
    if twice is not None:
        raise ArgumentError(f'parameter "{twice}" is named twice', key="parameters")


def parameter_operand(robot: RobotModel, parameters: Sequence[str]) -> Operand | None:
    """The operand of these parameters, with their units; None if there are none."""
    if not parameters:
        return None
    units = [
        _declared_unit(robot.parameters[x]) if x in robot.parameters else LINK_FIELDS[link_field(robot, x)[1]]
        for x in parameters
    ]
    return Operand("parameters", (len(parameters),), tuple(parameters), tuple(units))


def _declared_unit(text: str) -> str:
    """The unit in what a robot file says of a parameter: "kg" in "mass of link 1 [kg]"."""
    found = re.search(r"\[([\w ./*^()²³-]+)\]", text)
    return found[1] if found else ""


def with_link_parameters(robot: RobotModel, parameters: Sequence[str]) -> RobotModel:
    """The robot with a parameter for every "link.mass", "link.com.x" and "link.inertia.xx" among the names."""
    names = {link_field(robot, name): name for name in parameters if name not in robot.parameters}
    if not names:
        return robot
    # The model's own checks know no such parameters, and have seen all else: the copy is not checked again.
    changed = copy(robot)
    for field, value in changed_fields(robot, lambda site: _parameter(site, names)).items():
        object.__setattr__(changed, field, value)
    return changed


def parameter_value(robot: RobotModel, name: str) -> float | None:
    """The robot's own value of a parameter, or of a link's "forearm.mass"; None where it has none."""
    if name in robot.parameters:
        return number(Parameter(name), robot.values)
    at = link_field(robot, name)
    return number(next(site.expression for site in expressions_in(robot) if site.inertial == at), robot.values)


def _parameter(site: Site, names: Mapping[tuple[int, str], str]) -> Expression:
    return Parameter(names[site.inertial]) if site.inertial in names else site.expression


def link_field(robot: RobotModel, name: str) -> tuple[int, str]:
    """The link and the field of it that a parameter names: (1, "com.x")."""
    owners = [k for k, link in enumerate(robot.links) if name.startswith(f"{link.name}.")]
    if not owners:
        names = [*robot.parameters, *(f"{link.name}.mass" for link in robot.links)]
        raise UnknownNameError("parameter", name, names, within=f'robot "{robot.name}"', key="parameters")
    k = max(owners, key=lambda k: len(robot.links[k].name))
    link = robot.links[k].name
    field = name.removeprefix(f"{link}.")
    if field not in LINK_FIELDS:
        raise ArgumentError(
            f'"{field}" of link "{link}" is not a parameter; '
            "mass, com.x, com.y, com.z, inertia.xx, ..., inertia.yz are",
            key="parameters",
        )
    return k, field


LINK_FIELDS = {
    "mass": "kg", **{f"com.{axis}": "m" for axis in "xyz"},
    **{f"inertia.{axes}": "kg m^2" for axes in ("xx", "yy", "zz", "xy", "xz", "yz")},
}  # fmt: skip
"""What of a link can be a parameter of a program, with its unit."""


def parametric_loads(loads: Sequence[Load]) -> tuple[tuple[Load, ...], Operand | None, list[Expression]]:
    """The loads with a parameter in the place of every value, the operand of these parameters, and the values."""
    parametric: list[Load] = []
    units: dict[str, str] = {}
    values: list[Expression] = []
    for k, load in enumerate(loads, 1):
        changes: dict[str, Any] = {}
        for field, unit in LOAD_FIELDS[type(load)].items():
            names = [f"load{k}.{field}.{axis}" for axis in "xyz"]
            changes[field] = tuple(Parameter(name) for name in names)
            units |= dict.fromkeys(names, unit)
            values += getattr(load, field)
        parametric.append(replace(load, **changes))
    operand = Operand("loads", (len(units),), tuple(units), tuple(units.values())) if units else None
    return tuple(parametric), operand, values


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
