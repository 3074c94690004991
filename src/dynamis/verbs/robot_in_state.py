"""A robot in a state, and what acts on it there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from pathlib import Path
from typing import Any

from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option, option_name
from dynamis.base.verb import Declared, Origin
from dynamis.verbs.acting import LOAD, NO_GRAVITY, SYMBOLIC_LOAD, HeldPayload
from dynamis.verbs.kind import Given, Hidden, Kind, Spelling
from dynamis.verbs.robot_name import ROBOT, VALUES, RobotName
from dynamis.verbs.subject import Subject
from dynamis.verbs.texts import numbers

RATES = (
    Spelling("qd", str, "Joint velocities; zero if left out.", "V1,V2,..."),
    Spelling("qdd", str, "Joint accelerations; zero if left out.", "A1,A2,..."),
)
MOTION = ("q", "qd", "qdd")
DEGREES = Spelling("degrees", bool, "Angles of revolute joints in degrees.", default=False)
PAYLOAD = HeldPayload()


class RobotInState(RobotName):
    """The state of an exercise, with its gravity and loads; a file and options replace them, and loads add up."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return (
            ROBOT,
            Spelling("q", str, "Joint positions [rad or m].", "Q1,Q2,..."),
            *RATES,
            Spelling("state", str, "A state file (TOML) instead of joint positions.", "FILE"),
            LOAD,
            Spelling("gravity", str, "Another gravity vector [m/s^2].", "X,Y,Z"),
            NO_GRAVITY, *PAYLOAD.spellings(x, is_in_file), DEGREES, VALUES,
        )  # fmt: skip

    def values(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        from dynamis.model.formats.tasks.state_file import parse_load

        for one, other in ("q", "state"), ("gravity", "no_gravity"):
            if given[one] is not None and given[other]:
                raise ArgumentError(f"{option_name(one)} and {option_name(other)} exclude each other")
        held = PAYLOAD.value(x, given, subject)
        robot = subject.robot if held is MISSING else held.held_by(subject.robot)
        if robot.n == 0:
            raise ArgumentError(f'robot "{robot.name}" has no joint that moves, so there is no torque to ask for')
        state, degrees = dict(subject.state), given["degrees"]
        if given["state"] is not None:
            degrees = _read(given["state"], robot, degrees, state)
        state |= _motion(given, robot)
        if "q" not in state:
            needed = f"{option_name('q')} with {robot.n} values, or {option('state', 'FILE')}"
            raise ArgumentError(f"no state: give {needed}", key="q")
        if given["no_gravity"] or given["gravity"] is not None:
            state["gravity"] = False if given["no_gravity"] else numbers("gravity", given["gravity"])
        loads = [load for text in given["load"] or () for load in parse_load(text, robot)]
        state["loads"] = (*state.get("loads", ()), *loads)
        return {x.name: robot, **state, "origin": Origin(degrees=degrees)}

    def values_from_json(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        return {x.name: subject.robot, **subject.state}


class ActingLoads(Hidden):
    """Loads, each in words; on a command line they stand with the robot."""

    def from_json(self, value: Any, subject: Subject) -> Any:
        from dynamis.model.formats.tasks.state_file import parse_load

        return [load for text in value for load in parse_load(text, subject.robot)]


class DrawnRobot(RobotInState):
    """A robot to be drawn in a state, or one that is told without any."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        q = "Joint positions [rad or m]; a pose that shows it well if left out."
        return ROBOT, Spelling("q", str, q, "Q1,Q2,..."), *RATES, SYMBOLIC_LOAD, NO_GRAVITY, DEGREES, VALUES

    def values(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        if given["figure"] is None and given["free_body"] is None:
            for name in (*MOTION, "load", "reactions", "no_frames", "no_dimensions"):
                if given[name]:
                    hint = f"give {option('figure', 'FILE')} too"
                    raise ArgumentError(f"{option_name(name)} is for a drawing; {hint}", key="figure")
            return {x.name: subject.robot, "gravity": subject.state.get("gravity", True)}
        robot, loads = subject.under(given["load"])
        state = {**subject.state, **_motion(given, robot)}
        state["loads"] = (*state.get("loads", ()), *loads)
        return {x.name: robot, **state, **({"gravity": False} if given["no_gravity"] else {})}


class Reactions(Kind):
    """Whether the reactions are told too, and in which convention."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        shown = Spelling(x.name, bool, "Also the six reactions of every joint.", default=False)
        return shown, *Convention().spellings(x, is_in_file)

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        convention = Convention().value(x, given, subject)
        return convention if given[x.name] else MISSING

    def schema(self, x: Declared) -> dict[str, Any]:
        return {"type": "string"}


class Convention(Kind):
    """The convention of the reactions; exercises have one of their own."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        text = "Convention of the reactions: joint (all six, about the joint point) or parent_tip."
        names = "dynamis.compute.mechanics.dynamics.reactions:REACTION_CONVENTIONS"
        return (Spelling("convention", str, text, "NAME", names),)

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        from dynamis.compute.mechanics.dynamics.reactions import check_convention

        convention = given["convention"] or ("parent_tip" if subject.state else "joint")
        check_convention(convention)
        return convention


def _motion(given: Given, robot: Any) -> dict[str, Any]:
    """The joint values that are given, in radians."""
    from dynamis.model.formats.tasks.values import in_radians

    rows = {name: numbers(name, given[name]) for name in MOTION if given[name] is not None}
    return {name: in_radians(row, robot) if given["degrees"] else row for name, row in rows.items()}


def _read(file: str, robot: Any, degrees: bool, state: dict[str, Any]) -> bool:
    """Put a state file in the place of the state; its loads are added, its gravity replaces the other."""
    from dynamis.base.toml_table import parse_toml, read_text
    from dynamis.model.formats.tasks.state_file import read_state

    found = read_state(parse_toml(read_text(Path(file)), str(Path(file))), robot, degrees)
    state |= {name: getattr(found, name) for name in MOTION}
    state["loads"] = (*state.get("loads", ()), *found.loads)
    if found.gravity is not None:
        state["gravity"] = found.gravity
    return found.degrees
