"""A robot of which some parameters are numbers: `m1=0` in a derivation with symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar, cast

from dynamis.base.expressions.expression import Expression, substitute
from dynamis.model.checks import warned_already
from dynamis.model.map_expressions import changed_fields
from dynamis.model.robot import RobotModel

M = TypeVar("M", bound=RobotModel)
T = TypeVar("T")
MAX_NAME = 100


def with_numbers(robot: M, names: Iterable[str]) -> M:
    """The robot with the values of these parameters in their place; its name says which.

    >>> from dynamis import load
    >>> robot = with_numbers(load("deluca-2r").with_values(d2=0), ["d2"])
    >>> robot.name, "d2" in robot.parameters, robot.equations().M[0, 1]
    ('deluca-2r with d2 = 0', False, I2)
    """
    values = {name: robot.values[name] for name in dict.fromkeys(names)}
    with warned_already():
        numbers = in_numbers(robot, values)
        name = _name(robot.name, [f"{name} = {value}" for name, value in values.items()])
        return replace(numbers, name=name) if values else robot


def in_numbers(robot: M, values: Mapping[str, Expression]) -> M:
    """The robot with these values in the place of parameters, under its own name."""
    if not values:
        return robot
    with warned_already():
        return replace(
            robot,
            **_changes(robot, values),
            parameters={name: text for name, text in robot.parameters.items() if name not in values},
            values={name: value for name, value in robot.values.items() if name not in values},
        )


def substitute_values(part: T, values: Mapping[str, Expression]) -> T:
    """A load, or another part of a robot, with these values in the place of parameters."""
    return replace(cast(Any, part), **_changes(part, values))


def _changes(part: Any, values: Mapping[str, Expression]) -> dict[str, Any]:
    return changed_fields(part, lambda site: substitute(site.expression, values))


def _name(robot: str, assignments: list[str]) -> str:
    """The assignments in words, or how many there are: what fits into a name."""
    count = f"{robot} with {len(assignments)} parameters in numbers"
    names = f"{robot} with {', '.join(assignments)}", count, robot
    return next(name for name in names if len(name) <= MAX_NAME or name == robot)
