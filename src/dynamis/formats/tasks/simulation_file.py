"""Simulation files: where a robot starts, what controls it and how it is integrated, in TOML.

duration = 5

[start]
q = [0.5, 0.3]

[control]
kind = "pd-gravity"
kp = 60
kd = 20
goal = [1.0, 0.5]

Motions, loads, gravity and samples are those of task files. What the words mean for a robot is `simulation.task`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from dynamis.formats.tasks.motion_file import MOST_POINTS, TaskFile, number_in, read_parts
from dynamis.formats.tasks.state_file import in_radians
from dynamis.formats.toml_table import Table
from dynamis.model.robot import RobotModel

SAMPLING = ("period", "resolution", "noise", "seed")
INTEGRATION = ("step", "rtol", "atol", "stiction_speed")
_NAMES = (
    ("q0", "start", "q"), ("qd0", "start", "qd"), ("control", "control", "kind"), ("control", "control", "torque"),
    ("integrator", "integrator", "kind"), ("limits", "limits", "kind"),
)  # fmt: skip
"""Arguments of `simulate` that a file calls otherwise: (name, table, key)."""
_CONTROL = ("kind", "goal", "torque", "times", "hold", "torque_limit", "mass_error", "degrees", *SAMPLING)


@dataclass(frozen=True)
class SimulationFile:
    """A simulation in words and numbers, as they are given; `gains` are what else [control] has."""

    task: TaskFile
    duration: Any
    q: list[float] | None
    qd: list[float] | None
    control: str
    """The controller's name, "torque", or empty for free motion."""
    control_line: int | None
    gains: dict[str, Any]
    goal: list[float] | None
    torque: Any
    times: list[Any] | None
    hold: bool
    mass_error: Any
    options: dict[str, Any]
    """Of `simulate`, by their names there."""
    lines: dict[str, int | None]
    """Where the arguments of `simulate` and the gains are written, by their names."""


def read_simulation(file: Table, robot: RobotModel) -> SimulationFile:
    """The simulation in a file: duration, [start], [control], [motion], [integrator], [limits] and [[load]]."""
    task = read_parts(file, robot, moves=False)
    duration = _plain(file, "duration", file.get("duration", None))
    start = file.table("start", {})
    degrees = start.flag("degrees")
    q, qd = (_joints(start, key, robot, degrees) for key in ("q", "qd"))
    start.done()
    control = file.table("control", {})
    options: dict[str, Any] = {}
    for key in (*SAMPLING, "torque_limit"):
        if key in control:
            options[key] = _plain(control, key, control.get(key))
    kind = control.text("kind") if control.data else ""
    torque, times = (_plain(control, key, control.get(key, None)) for key in ("torque", "times"))
    hold = control.flag("hold")
    if kind == "torque" and torque is None:
        control.fail(None, "[control] has no torque; torque = [...] has one value a joint, or one such list a time")
    goal = _joints(control, "goal", robot, control.flag("degrees")) if kind != "operational-pd" else None
    reserved = [key for key in _CONTROL if not (key == "goal" and kind == "operational-pd")]
    gains = {key: _plain(control, key, control.get(key)) for key in control.data if key not in reserved}
    mass_error = _plain(control, "mass_error", control.get("mass_error", None))
    integrator = file.table("integrator", {})
    if "kind" in integrator:
        options["integrator"] = integrator.text("kind")
    options |= {key: _plain(integrator, key, integrator.get(key)) for key in INTEGRATION if key in integrator}
    for key in ("kind", *INTEGRATION):
        integrator.get(key, None)
    integrator.done()
    limits = file.table("limits", {})
    if "kind" in limits:
        options["limits"] = limits.text("kind")
    if "restitution" in limits:
        options["restitution"] = _plain(limits, "restitution", limits.get("restitution"))
    for key in ("kind", "restitution"):
        limits.get(key, None)
    limits.done()
    file.get("motion", None)
    file.done()
    lines = {key: table.line(key) for table in (file, control, integrator, limits) for key in table.data}
    for name, table, key in _NAMES:
        given = {"start": start, "control": control, "integrator": integrator, "limits": limits}[table]
        if key in given:
            lines[name] = given.line(key)
    return SimulationFile(
        task, duration, q, qd, kind, control.line(), gains, goal, torque, times, hold, mass_error, options, lines
    )


def _joints(table: Table, key: str, robot: RobotModel, degrees: bool) -> list[float] | None:
    if key not in table:
        table.get(key, None)
        return None
    values: list[Any] = table.array(key)
    if len(values) != robot.n:
        table.fail(key, f'{key} has {len(values)} values; robot "{robot.name}" has {robot.n} joints')
    found = [number_in(table, key, x) for x in values]
    return in_radians(found, robot) if degrees else found


def _plain(table: Table, key: str, value: Any) -> Any:
    """A value of the file with floats for its numbers; whole numbers, texts and flags stay as they are."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, list):
        entries = cast("list[Any]", value)
        if len(entries) > MOST_POINTS:
            table.fail(key, f"{key} has {len(entries)} values; no more than {MOST_POINTS} are read")
        return [_plain(table, key, x) for x in entries]
    if isinstance(value, dict):
        table.fail(key, f"{key} is a table; it is a number, a text or a list")
    return number_in(table, key, value)
