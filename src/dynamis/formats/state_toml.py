"""State files and loads: what a robot is asked about, in TOML or in the words of `--load`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, cast

from dynamis.errors import ArgumentError
from dynamis.formats.source import Lines, Table, shown
from dynamis.model.floats import number
from dynamis.model.loads import Force, Load, Moment, ToolWrench, Triple
from dynamis.model.parser import as_expression
from dynamis.model.placement import triple
from dynamis.model.robot import RobotModel

Values = list[Any]


@dataclass(frozen=True)
class StateFile:
    """Joint values (one state or a list of states), gravity and loads."""

    q: Values
    qd: Values | None
    qdd: Values | None
    gravity: bool | list[float]
    loads: tuple[Load, ...]


def read_state(file: Table, robot: RobotModel, degrees: bool = False) -> StateFile:
    """The state in a file: q, qd, qdd, degrees, gravity and [[load]] tables."""
    degrees = file.flag("degrees") or degrees
    q, qd, qdd = (_joint_values(file, key, robot, degrees) for key in ("q", "qd", "qdd"))
    if q is None:
        file.fail(None, "the state has no q; give one value a joint, such as q = [0.1, 0.2]")
    gravity: Any = file.get("gravity", True)
    if isinstance(gravity, list):
        gravity = [_number(file, "gravity", entry) for entry in cast(list[Any], gravity)]
    elif not isinstance(gravity, bool):
        file.fail("gravity", f"gravity is {shown(gravity)}; it is true, false or [x, y, z] in m/s^2")
    loads = [load for entry in file.tables("load") for load in read_load(entry)]
    file.done()
    return StateFile(q, qd, qdd, gravity, tuple(loads))


def read_load(table: Table) -> list[Load]:
    """One [[load]] table: a force and a moment on a link, or a wrench at the tool."""
    with table.place():
        if table.get("tool", False) is True:
            tool = {key: _vector(table, key) or triple([0, 0, 0], key) for key in ("force", "moment")}
            direction: Any = table.choice("direction", ("exerted_by_environment", "exerted_by_tool"))
            axes: Any = table.choice("axes", ("world", "tool"), "world")
            table.done()
            return [ToolWrench(direction, axes=axes, **tool)]
        link = table.text("link")
        axes = table.choice("axes", ("world", "link"), "world")
        point, point_in = table.get("point", [0, 0, 0]), table.choice("point_in", ("link", "world"), "link")
        force, moment = (_vector(table, key) for key in ("force", "moment"))
        table.done()
        if force is None and moment is None:
            table.fail(None, f'the load on link "{link}" has neither force nor moment')
        loads: list[Load] = []
        if force is not None:
            loads.append(Force(link, force, axes, point, cast(Any, point_in)))
        if moment is not None:
            loads.append(Moment(link, moment, axes))
        return loads


def _vector(table: Table, key: str) -> Triple | None:
    value = table.get(key, None)
    return None if value is None else triple(value, key)


def parse_load(text: str) -> list[Load]:
    """A load in words: `link=forearm force=0,0,-10 point=0.1,0,0` or `tool force=... direction=...`.

    >>> parse_load("link=forearm moment=0,0,2 axes=link")[0].axes
    'link'
    """
    data: dict[str, Any] = {}
    for word in text.split():
        key, sign, value = word.partition("=")
        if not sign and key != "tool":
            raise ArgumentError(f'--load "{text}": "{word}" is not key=value, such as force=0,0,-10', key="load")
        vector = key in ("force", "moment", "point")
        data[key] = value.split(",") if vector else value if sign else True
    return read_load(Table(data, Lines(f'--load "{text}"', {}), ("load",)))


def numbers(text: str, name: str) -> list[float]:
    """Numbers separated by commas or spaces; each may be an expression such as pi/2."""
    words = text.replace(",", " ").split()
    return [_constant(word, name) for word in words]


def in_radians(values: Any, robot: RobotModel) -> Any:
    """Joint values with the turning joints' degrees made radians."""
    if values and isinstance(values[0], list):
        return [in_radians(row, robot) for row in values]
    if len(values) != robot.n:
        return values
    return [math.radians(v) if joint.turns else v for v, joint in zip(values, robot.joints, strict=True)]


def _joint_values(file: Table, key: str, robot: RobotModel, degrees: bool) -> Values | None:
    if key not in file:
        file.get(key, None)
        return None
    rows = file.array(key)
    given: Values = [
        [_number(file, key, entry) for entry in cast(list[Any], row)]
        if isinstance(row, list)
        else _number(file, key, row)
        for row in rows
    ]
    if len({isinstance(row, list) for row in given}) > 1:
        file.fail(key, f"{key} mixes numbers and lists; it is one state or a list of states")
    if given and isinstance(given[0], list) and len({len(row) for row in given}) > 1:
        file.fail(key, f"{key} has states of different lengths; each has {robot.n} values")
    return in_radians(given, robot) if degrees else given


def _number(file: Table, key: str, value: Any) -> float:
    with file.place(key):
        return _constant(value, key)


def _constant(value: Any, name: str) -> float:
    expression = as_expression(value, name)
    if used := sorted(expression.parameters()):
        raise ArgumentError(f'{name} has "{expression}"; joint values are numbers, and {used[0]} is a name', key=name)
    found = number(expression, {})
    assert found is not None
    return found
