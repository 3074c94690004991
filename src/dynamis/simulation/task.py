"""A simulation from a file: what it asks of a robot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dynamis.base.errors import ArgumentError, DynamisError, FormatError, UnknownNameError
from dynamis.base.shipped_files import Shipped
from dynamis.base.toml_table import parse_toml, read_text
from dynamis.base.verb import Origin
from dynamis.model.inertial_parameters import with_mass_error
from dynamis.model.payload import Payload
from dynamis.motion.tasks.task import held_robot, loads_of, task_of
from dynamis.robot import Robot
from dynamis.simulation.controllers.catalogue import CATALOGUE, controller
from dynamis.simulation.loop.schedule import TorqueSamples
from dynamis.simulation.simulate import Simulate
from dynamis.simulation.simulation_file import ControlTable, read_simulation

_SHIPPED = Shipped("simulation", "simulation/tasks")


def simulations() -> list[str]:
    """The names of the simulations that ship with dynamis; the first lines of each say which robot it is for.

    >>> "double-pendulum" in simulations()
    True
    """
    return _SHIPPED.names()


def load_simulation(name: str | Path, robot: Robot, payload: Payload | None = None) -> Simulate:
    """A simulation for a robot: the name of a shipped one, or the path of a TOML file (docs/simulation.md).

    A `payload` takes the place of the file's.

    >>> import dynamis
    >>> load_simulation("double-pendulum", dynamis.load("bar-2r")).duration
    10
    """
    path = _SHIPPED.path(name)
    gains = {name: (*entry.gains, *entry.options) for name, entry in CATALOGUE.items()}
    file = read_simulation(parse_toml(read_text(path), str(path)), robot, gains)
    task, arguments = file.task, dict(file.arguments)
    task = task if payload is None else task.carrying(payload)
    motion = None
    if task.kind or task.segments:
        whole = task_of(task, robot)
        motion, robot = whole.trajectory, whole.robot
        arguments |= {"payload": whole.payload} if whole.payload else {}
    else:
        robot = held_robot(task, robot)
    try:
        arguments["control"] = _control(file.control, robot)
        if motion is not None:
            if "goal" in arguments:
                raise ArgumentError("the goal must be given once, by goal in [control] or by [motion]", key="goal")
            arguments["goal"] = motion
    except DynamisError as error:
        raise error.at(task.file, file.control.line) from None
    if "q0" not in arguments:
        if motion is None:
            raise FormatError("[start] is missing; write q = [...] under [start], one value per joint").at(task.file)
        q0, qd0, _ = motion.at(0.0)
        arguments = {"q0": q0, "qd0": qd0, **arguments}
    arguments |= {"loads": loads_of(task), "gravity": True if task.gravity is None else task.gravity}
    if task.samples is not None:
        arguments["samples"] = task.samples
    return Simulate(robot, **arguments).read_from(Origin(str(path), file.lines, degrees=file.degrees))


def _control(table: ControlTable, robot: Robot) -> Any:
    """The controller, the torques, or None."""
    if table.kind == "torque":
        if table.gains:
            raise UnknownNameError("key", next(iter(table.gains)), ("torque", "times", "hold"), within="[control]")
        return table.torque if table.times is None else TorqueSamples(table.times, table.torque, table.hold)
    if table.torque is not None or table.times is not None:
        raise ArgumentError('torque and times require kind = "torque"', key="torque")
    if not table.kind:
        return None
    if table.kind not in CATALOGUE:
        raise UnknownNameError("control", table.kind, ("torque", *CATALOGUE), key="kind")
    model = with_mass_error(robot, table.mass_error) if table.mass_error is not None else None
    return controller(table.kind, model=model, **table.gains)
