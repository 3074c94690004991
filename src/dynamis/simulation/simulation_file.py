"""Simulation files: where a robot starts, what controls it and how it is integrated, in TOML.

duration = 5

[start]
q = [0.5, 0.3]

[control]
kind = "pd-gravity"
kp = 60
kd = 20
goal = [1.0, 0.5]

The keys are those of `Simulate`; motions, loads, gravity and samples are those of task files. What the words mean for a
robot is `simulation.task`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, cast

from dynamis.base.toml_table import Table
from dynamis.base.verb import file_keys
from dynamis.model.formats.tasks.motion_file import MOST_POINTS, TaskFile, read_parts
from dynamis.model.formats.tasks.values import joint_values, number_in
from dynamis.model.robot import RobotModel
from dynamis.simulation.simulate import Simulate


@dataclass(frozen=True)
class ControlTable:
    """[control] as it is given: the controller's name, "torque", or "" for free motion; `gains` are its other keys."""

    line: int | None
    kind: str
    torque: Any
    times: Any
    hold: bool
    mass_error: Any
    gains: dict[str, Any]


@dataclass(frozen=True)
class SimulationFile:
    """A simulation as a file gives it."""

    task: TaskFile
    control: ControlTable
    arguments: dict[str, Any]
    """Options of `Simulate` as they stand in the file: all but control, loads, gravity and samples."""
    lines: dict[str, int | None]
    """The line of each argument and of each gain, by name."""
    degrees: bool = False
    """Whether start, goal or motion are given in degrees."""


def read_simulation(
    file: Table, robot: RobotModel, gains: Mapping[str, Collection[str]] = MappingProxyType({})
) -> SimulationFile:
    """The simulation in a file: duration, [start], [control], [motion], [integrator], [limits] and [[load]].

    `gains` are the names of the gains of each controller: keys of [control] that are never options of `Simulate`.
    """
    task = read_parts(file, robot, moves=False)
    file.allowed_keys += ["motion", "segment"]
    keys = file_keys(Simulate)
    tables = {name: file.table(name, {}) if name else file for name in keys}
    control = _control(tables["control"], gains)
    degrees = {name: tables[name].flag("degrees") for name in ("start", "control")}
    arguments: dict[str, Any] = {}
    lines: dict[str, int | None] = {}
    for name, table in tables.items():
        for key, x in keys[name].items():
            value = table.get(key, None)
            if value is None or key in control.gains:
                continue
            if x.about.kind == "joints":
                arguments[x.name] = joint_values(table, key, table.array(key), robot, degrees[name])
            else:
                arguments[x.name] = table.text(key) if x.plain == "str" else _plain(table, key, value)
        if name != "control":  # its other keys are gains, which the controller checks
            table.done()
        lines |= {keys[name][key].name if key in keys[name] else key: table.line(key) for key in table.data}
    at = tables["control"].line("torque" if control.torque is not None else "kind")
    speaks_degrees = task.speaks_degrees or any(degrees.values())
    return SimulationFile(task, control, arguments, lines | {"control": at}, speaks_degrees)


def _control(table: Table, gains_of: Mapping[str, Collection[str]]) -> ControlTable:
    kind = table.text("kind") if table.data else ""
    torque, times, mass_error = (_plain(table, key, table.get(key, None)) for key in ("torque", "times", "mass_error"))
    if kind == "torque" and torque is None:
        table.fail(None, "[control] has no torque; torque = [...] has one value per joint, or one such list per time")
    hold = table.flag("hold")
    # A controller may wrap an inner one by name. The goal of a frame, for instance, is a gain, not joint values.
    own = {key for name in (kind, str(table.data.get("inner"))) for key in gains_of.get(name, ())}
    others = {*table.allowed_keys, "degrees", *file_keys(Simulate)["control"]} - own
    gains = {key: _plain(table, key, value) for key, value in table.data.items() if key not in others}
    return ControlTable(table.line(), kind, torque, times, hold, mass_error, gains)


def _plain(table: Table, key: str, value: Any) -> Any:
    """A value of the file with floats for its decimals; integers, texts and flags as they are."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, list):
        entries = cast("list[Any]", value)
        if len(entries) > MOST_POINTS:
            table.fail(key, f"{key} has {len(entries)} values; no more than {MOST_POINTS} are read")
        return [_plain(table, key, x) for x in entries]
    if isinstance(value, dict):
        table.fail(key, f"{key} must be a number, a text or a list, got a table")
    return number_in(table, key, value)
