"""The functions of a robot that are asked for, traced, as an export."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dynamis.apps.exports.export import ExportFunctions
from dynamis.apps.exports.exported import PAYLOAD, STYLES, Export, ExportedFunction
from dynamis.apps.exports.functions import Arguments, function, requests
from dynamis.apps.exports.readable import closed_form, with_symbols
from dynamis.apps.exports.syntax import Names
from dynamis.apps.exports.target import TARGETS
from dynamis.base.errors import ArgumentError, MissingValuesError, UnknownNameError, check_name
from dynamis.base.expressions.expression import Number
from dynamis.base.faces import option
from dynamis.compute.program.quantity_program import (
    GRAVITY,
    check_parameters,
    parameter_operand,
    parameter_value,
    with_link_parameters,
)
from dynamis.robot import Robot
from dynamis.scalars.floats import number


def export_functions(asked: ExportFunctions) -> Export:
    """Functions of a robot as code in another language, written to a folder where one is given."""
    robot, to, style = asked.robot, asked.to, asked.style
    check_name("target", to, TARGETS, key="to", complete=True)
    check_name("style", style, STYLES, key="style")
    if not robot.n:
        raise ArgumentError(f'robot "{robot.name}" has no moving joints: there is nothing to export')
    given = _arguments(with_symbols(robot) if style == "readable" else robot, asked.parameters, style)
    names = Names()
    usual = TARGETS[to].functions or None
    chosen = {str(x): x for x in requests(usual if asked.functions is None else asked.functions, robot)}
    if not chosen:
        raise ArgumentError("functions must name at least one function", key="functions")
    chosen |= {x: x for x in TARGETS[to].needs}
    traced: list[ExportedFunction] = []
    for one in chosen.values():
        source = function(one, given)
        program = source.trace()
        form = closed_form(source) if style == "readable" else None
        traced.append(ExportedFunction(names(source.name), source, program, form))
    made = Export(robot, to, style, tuple(traced), given.nominal, asked.provenance or robot.provenance())
    if asked.folder is not None:
        made.write(asked.folder, asked.force)
    return made


def _arguments(robot: Robot, parameters: Sequence[str], style: str) -> Arguments:
    """The robot with arguments in the place of these parameters."""
    check_parameters(parameters)
    if style == "readable" and (others := [x for x in parameters if x not in robot.parameters]):
        raise UnknownNameError("parameter", others[0], robot.parameters, within="the readable style", key="parameters")
    gravity = "gravity" in parameters and "gravity" not in robot.parameters
    if gravity and any(number(x, robot.values) is None for x in robot.gravity):
        robot = robot.with_gravity((0, 0, 0))
    listed = [x for name in parameters for x in (PAYLOAD if name == "payload" else (name,))]
    names = [x for x in dict.fromkeys(listed) if not (gravity and x == "gravity")]
    links = [*(x.name for x in robot.links), "payload"]
    for name in names:
        if name not in robot.parameters and not any(name.startswith(f"{link}.") for link in links):
            known = ["payload", "gravity", *robot.parameters, *(f"{x.name}.mass" for x in robot.links)]
            raise UnknownNameError("parameter", name, known, within=f'robot "{robot.name}"', key="parameters")
    if any(x.startswith("payload.") for x in names) and not any(x.name == "payload" for x in robot.links):
        try:
            robot = robot.with_payload("0")
        except ArgumentError as several:
            example = f"{robot.links[-1].name}.mass"
            raise ArgumentError(
                f"{several}; name its mass, such as {option('parameters', example)}", key="parameters"
            ) from None
    operand = parameter_operand(robot, names)
    nominal = {name: parameter_value(robot, name) for name in names}
    needed = robot.used_parameters()
    if missing := [x for x in robot.missing_values if x in needed and x not in names]:
        raise MissingValuesError(robot.name, missing, parameters)
    changed: Any = with_link_parameters(robot, names)
    # Simulations and the memory of control laws ask for all values, also for those that arguments replace.
    own = {x: Number(Fraction(1.0 if value is None else value)) for x, value in nominal.items()}
    values = {**own, **changed.values}
    object.__setattr__(changed, "values", values)
    return Arguments(changed, tuple(x for x in (operand, GRAVITY if gravity else None) if x), nominal)
