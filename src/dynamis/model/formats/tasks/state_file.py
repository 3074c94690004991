"""State files and loads: what a robot is asked about, in TOML or in a line of words."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any, cast

from dynamis.base.errors import ArgumentError, DynamisError
from dynamis.base.faces import option
from dynamis.base.printable import shorten_text
from dynamis.base.toml_table import Lines, Table
from dynamis.model.formats.tasks.values import constant, joint_values, read_gravity
from dynamis.model.loads import Force, Load, Moment, ToolWrench, Triple, check_loads, with_load_symbols
from dynamis.model.placement import triple
from dynamis.model.robot import RobotModel

Values = list[Any]


@dataclass(frozen=True)
class StateFile:
    """Joint values (one state or a list of states), gravity and loads."""

    q: Values
    qd: Values | None
    qdd: Values | None
    gravity: bool | list[float] | None
    """None where the file does not say."""
    loads: tuple[Load, ...]
    degrees: bool
    """Whether angles are given in degrees, and so shown."""


def read_state(file: Table, robot: RobotModel, degrees: bool = False) -> StateFile:
    """The state in a file: q, qd, qdd, degrees, gravity and [[load]] tables."""
    degrees = file.flag("degrees") or degrees
    q, qd, qdd = (_joint_values(file, key, robot, degrees) for key in ("q", "qd", "qdd"))
    if q is None:
        file.fail(None, "the state has no q; give one value per joint, such as q = [0.1, 0.2]")
    gravity = read_gravity(file)
    loads = [load for entry in file.tables("load") for load in read_load(entry, robot)]
    file.done()
    return StateFile(q, qd, qdd, gravity, tuple(loads), degrees)


def read_load(table: Table, robot: RobotModel, symbols: bool = False) -> list[Load]:
    """One [[load]] table: a force and a moment on a link, or a wrench at the tool; `symbols` need no value."""
    with table.place():
        axes: Any
        if table.flag("tool"):
            tool = {key: _vector(table, key) or triple([0, 0, 0], key) for key in ("force", "moment")}
            direction: Any = table.choice("direction", ("exerted_by_environment", "exerted_by_tool"))
            axes = table.choice("axes", ("world", "tool"), "world")
            table.done()
            loads: list[Load] = [ToolWrench(direction, axes=axes, **tool)]
        else:
            link = table.text("link")
            axes = table.choice("axes", ("world", "link"), "world")
            point, point_in = table.get("point", [0, 0, 0]), table.choice("point_in", ("link", "world"), "link")
            force, moment = (_vector(table, key) for key in ("force", "moment"))
            table.done()
            if force is None and moment is None:
                table.fail(None, f'the load on link "{link}" has neither force nor moment')
            loads = [] if force is None else [Force(link, force, axes, point, cast(Any, point_in))]
            loads += [] if moment is None else [Moment(link, moment, axes)]
        if symbols:
            with_load_symbols(robot, loads)
        else:
            check_loads(robot, loads)
        return loads


def _vector(table: Table, key: str) -> Triple | None:
    value = table.get(key, None)
    return None if value is None else triple(value, key)


def parse_load(text: str, robot: RobotModel, symbols: bool = False) -> list[Load]:
    """A load in words: `link=forearm force=0,0,-10 point=0.1,0,0` or `tool force=... direction=...`.

    A name with spaces stands in quotes: `link="upper arm" moment=0,0,2`. With `symbols` components may be `fx,fy,0`.
    """
    data: dict[str, Any] = {}
    table = Table(data, Lines(option("load", f"'{shorten_text(text, 200)}'"), {}), ("load",))
    try:
        words = shlex.split(text)
    except ValueError:
        table.fail(None, "a quote is not closed")
    for word in words:
        key, sign, value = word.partition("=")
        if not sign and key != "tool":
            table.fail(None, f'"{word}" is not key=value, such as force=0,0,-10')
        if key in data:
            table.fail(None, f"{key} is given twice")
        vector = key in ("force", "moment", "point")
        data[key] = value.split(",") if vector else value if key != "tool" else True
    return read_load(table, robot, symbols)


def numbers(text: str, option: str) -> list[float]:
    """Numbers separated by commas or by spaces; each may be an expression such as pi/2."""
    try:
        words = [word.strip() for word in text.split(",")] if "," in text else text.split()
        if not words or not all(words):
            raise ArgumentError(f'"{text}" has an empty place; give numbers separated by commas')
        return [constant(word, "a value") for word in words]
    except DynamisError as error:
        raise error.at(option) from None


def _joint_values(file: Table, key: str, robot: RobotModel, degrees: bool) -> Values | None:
    """One state, or a list of states; None where the file has none."""
    if file.get(key, None) is None:
        return None
    rows = file.array(key)
    if len({isinstance(row, list) for row in rows}) > 1:
        file.fail(key, f"{key} must be one state or a list of states, got numbers and lists")
    if rows and isinstance(rows[0], list):
        return [joint_values(file, key, row, robot, degrees) for row in rows]
    return joint_values(file, key, rows, robot, degrees)
