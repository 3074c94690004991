"""A simulation from a file: its words become the arguments of `simulate`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dynamis.errors import ArgumentError, DynamisError, FormatError, UnknownNameError
from dynamis.formats.shipped_files import Shipped
from dynamis.formats.tasks.simulation_file import SimulationFile, read_simulation
from dynamis.formats.toml_table import parse_toml, read_text
from dynamis.motion.task import loads_of, task_of
from dynamis.quantities.reference import gravity_vector
from dynamis.robot import Robot
from dynamis.scalars.vectors import Vector
from dynamis.simulation.controllers.catalogue import CATALOGUE, controller
from dynamis.simulation.controllers.law import Condition, Controller
from dynamis.simulation.controllers.momentum_observer import MomentumObserver
from dynamis.simulation.learning.gains import with_mass_error
from dynamis.simulation.loop.schedule import TorqueSamples
from dynamis.simulation.results.result import Simulation
from dynamis.simulation.simulate import simulate

_SHIPPED = Shipped("simulation", "simulation/tasks")


@dataclass(frozen=True)
class SimulationTask:
    """What is simulated: a robot, and the arguments of `simulate` by name."""

    robot: Robot
    arguments: dict[str, Any]
    file: str = ""
    lines: Mapping[str, int | None] = field(default_factory=dict[str, int | None])
    """Where in the file arguments are; one that was changed later has none."""
    changed: frozenset[str] = frozenset()

    def run(self, progress: Callable[[str], None] | None = None, **changes: Any) -> Simulation:
        """The simulation, with other arguments where they are given."""
        try:
            return simulate(self.robot, **{**self.arguments, **changes}, progress=progress)
        except (ArgumentError, UnknownNameError) as error:
            if not self.file or error.key is None or error.key in self.changed | changes.keys():
                raise
            raise error.at(self.file, self.lines.get(error.key)) from None

    def conditions(self) -> list[Condition]:
        """The sufficient conditions of the controller, for this robot and this goal."""
        control, robot = self.arguments.get("control"), self.robot
        if not isinstance(control, Controller):
            return []
        gravity = gravity_vector(self.arguments.get("gravity", True))
        if gravity is not None:
            robot, control = robot.with_gravity(gravity), _in_gravity(control, gravity)
        return control.check(robot).conditions(robot, self.arguments.get("goal"))

    def without(self, *names: str) -> SimulationTask:
        """The same without these arguments."""
        return replace(self, arguments={key: x for key, x in self.arguments.items() if key not in names})

    def with_changes(self, **changes: Any) -> SimulationTask:
        """The same with other arguments; None changes nothing."""
        given = {key: value for key, value in changes.items() if value is not None}
        return replace(self, arguments={**self.arguments, **given}, changed=self.changed | given.keys())


def simulations() -> list[str]:
    """The names of the simulations that ship with dynamis; the first lines of each say which robot it is for.

    >>> "double-pendulum" in simulations()
    True
    """
    return _SHIPPED.names()


def load_simulation(name: str | Path, robot: Robot) -> SimulationTask:
    """A simulation for a robot: the name of a shipped one, or the path of a TOML file (docs/simulation.md).

    >>> import dynamis
    >>> load_simulation("double-pendulum", dynamis.load("bar-2r")).arguments["duration"]
    10
    """
    path = _SHIPPED.path(name)
    found = read_simulation(parse_toml(read_text(path), str(path)), robot)
    arguments: dict[str, Any] = dict(found.options)
    motion: Any = task_of(found.task, robot, path.parent).trajectory if found.task.kind else None
    try:
        arguments |= {"control": _control(found, robot), **_goal(found, motion)}
    except DynamisError as error:
        raise error.at(found.task.file, found.control_line) from None
    if found.q is None and motion is None:
        raise FormatError("there is no [start]; write q = [...] under [start], one value a joint").at(found.task.file)
    arguments["q0"] = found.q if found.q is not None else motion.at(0.0)[0]
    if found.qd is not None or found.q is None:
        arguments["qd0"] = found.qd if found.qd is not None else motion.at(0.0)[1]
    if found.duration is not None:
        arguments["duration"] = found.duration
    arguments["loads"] = loads_of(found.task)
    arguments["gravity"] = True if found.task.gravity is None else found.task.gravity
    if found.task.samples is not None:
        arguments["samples"] = found.task.samples
    return SimulationTask(robot, arguments, str(path), found.lines)


def _in_gravity(control: Controller, gravity: Vector[float]) -> Controller:
    """The same law, whose model is in this gravity."""
    if control.model is None:
        return control
    model = control.model.with_gravity(gravity)
    if isinstance(control, MomentumObserver):
        return replace(control, inner=replace(control.inner, model=model), model=model)
    return replace(control, model=model)


def _goal(found: SimulationFile, motion: Any) -> dict[str, Any]:
    if found.goal is not None and motion is not None:
        raise ArgumentError("there is a goal in [control] and a [motion]; the goal is one of them", key="goal")
    if found.goal is None and motion is None:
        return {}
    return {"goal": motion if found.goal is None else found.goal}


def _control(found: SimulationFile, robot: Robot) -> Any:
    """The controller, the torques, or None."""
    if found.control == "torque":
        if found.gains:
            raise UnknownNameError("key", next(iter(found.gains)), ("torque", "times", "hold"), within="[control]")
        return found.torque if found.times is None else TorqueSamples(found.times, found.torque, found.hold)
    if found.torque is not None or found.times is not None:
        raise ArgumentError('torque and times go with kind = "torque"', key="torque")
    if not found.control:
        return None
    if found.control not in CATALOGUE:
        raise UnknownNameError("control", found.control, ("torque", *CATALOGUE), key="kind")
    model = with_mass_error(robot, found.mass_error) if found.mass_error is not None else None
    return controller(found.control, model=model, **found.gains)
