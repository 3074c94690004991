"""Numbers in state, motion and simulation files: joint values, in degrees or radians, and gravity."""

from __future__ import annotations

import math
from typing import Any, cast

from dynamis.base.errors import ArgumentError, literal
from dynamis.base.expressions.parser import as_expression
from dynamis.base.toml_table import Table
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import number


def number_in(table: Table, key: str, value: Any) -> float:
    """A number of a file, which may be written as an expression without names."""
    with table.place(key):
        return constant(value, key)


def constant(value: Any, name: str) -> float:
    """The number that an expression without names stands for."""
    expression = as_expression(value, name)
    result = number(expression, {})
    if result is None:
        symbols = sorted(expression.parameters())
        raise ArgumentError(
            f'{name} has "{expression}"; its values must be numbers, and {symbols[0]} is a name', key=name
        )
    return result


def joint_values(
    table: Table, key: str, values: list[Any], robot: RobotModel, degrees: bool, hint: str = ""
) -> list[float]:
    """One number per joint, in rad or m; `hint` ends the error of a wrong number of values."""
    numbers = [number_in(table, key, x) for x in values]
    if len(numbers) != robot.n:
        table.fail(key, f'{key} has {len(numbers)} values; robot "{robot.name}" has {robot.n} joints{hint}')
    return in_radians(numbers, robot) if degrees else numbers


def in_radians(values: Any, robot: RobotModel) -> Any:
    """Joint values, or lists of them, with the degrees of revolute joints converted to radians."""
    if values and isinstance(values[0], list):
        return [in_radians(row, robot) for row in values]
    if len(values) != robot.n:
        return values
    return [math.radians(v) if joint.revolute else v for v, joint in zip(values, robot.coordinates, strict=True)]


def read_gravity(file: Table) -> bool | list[float] | None:
    """Gravity on or off, or its acceleration [m/s^2] in base axes; None where the file does not say."""
    value: Any = file.get("gravity", None)
    if isinstance(value, list) and len(cast(list[Any], value)) == 3:
        return [number_in(file, "gravity", x) for x in cast(list[Any], value)]
    if value is not None and not isinstance(value, bool):
        file.fail("gravity", f"gravity must be true, false or [x, y, z] in m/s^2, got {literal(value)}")
    return value
