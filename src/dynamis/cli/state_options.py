"""The options of commands that ask about a state: the state itself, what acts on the robot, and how both are read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.cli.completion import completed
from dynamis.cli.options import robot_and_state

if TYPE_CHECKING:
    from dynamis.model.payload import Payload
    from dynamis.robot import Robot

QOption = Annotated[str | None, typer.Option(metavar="Q1,Q2,...", help="Joint positions [rad or m].")]
QdOption = Annotated[str | None, typer.Option(metavar="V1,V2,...", help="Joint velocities; zero if left out.")]
QddOption = Annotated[str | None, typer.Option(metavar="A1,A2,...", help="Joint accelerations; zero if left out.")]
StateOption = Annotated[Path | None, typer.Option(metavar="FILE", help="A state file (TOML) instead of --q.")]
GravityOption = Annotated[str | None, typer.Option(metavar="X,Y,Z", help="Another gravity vector [m/s^2].")]
ConventionOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Convention of the reactions: joint (all six, about the joint point) or parent_tip.",
        autocompletion=completed("convention"),
    ),
]
DegreesOption = Annotated[bool, typer.Option("--degrees", help="Angles of revolute joints in degrees.")]


def asked_state(
    robot: str,
    values: list[str] | None,
    motion: dict[str, str | None],
    state: Path | None,
    load: list[str] | None,
    gravity: str | None,
    no_gravity: bool,
    convention: str | None,
    degrees: bool,
    payload: Payload | None = None,
) -> tuple[Robot, dict[str, Any]]:
    """The robot, and q, qd, qdd, loads, gravity and convention as arguments, and whether to show `degrees`.

    An exercise brings its own, a state file replaces them, and so do the options; loads add up.
    """
    from dynamis.base.errors import ArgumentError
    from dynamis.compute.mechanics.dynamics.reactions import check_convention
    from dynamis.model.formats.tasks.state_file import numbers, parse_load
    from dynamis.model.formats.tasks.values import in_radians

    for options in {"--q": motion["q"], "--state": state}, {"--gravity": gravity, "--no-gravity": no_gravity or None}:
        if all(value is not None for value in options.values()):
            raise ArgumentError(f"{' and '.join(options)} exclude each other")
    arm, question = robot_and_state(robot, values)
    arm = arm if payload is None else payload.held_by(arm)
    usual = "parent_tip" if question else "joint"
    if arm.n == 0:
        raise ArgumentError(f'robot "{arm.name}" has no joint that moves, so there is no torque to ask for')
    if state is not None:
        question = _with_state(question, arm, state, degrees)
    for name, text in motion.items():
        if text is not None:
            joints = numbers(text, f"--{name}")
            question[name] = in_radians(joints, arm) if degrees else joints
    if "q" not in question:
        raise ArgumentError(f"no state: give --q with {arm.n} values, or --state FILE", key="q")
    if no_gravity or gravity is not None:
        question["gravity"] = False if gravity is None else numbers(gravity, "--gravity")
    question["degrees"] = degrees or question.get("degrees", False)
    question["convention"] = convention or usual
    check_convention(question["convention"])
    loads = [one for text in load or [] for one in parse_load(text, arm)]
    question["loads"] = (*question.get("loads", ()), *loads)
    return arm, question


def _with_state(question: dict[str, Any], robot: Robot, path: Path, degrees: bool) -> dict[str, Any]:
    """A state file in the place of the state; its loads are added, its gravity replaces the other."""
    from dynamis.base.toml_table import parse_toml, read_text
    from dynamis.model.formats.tasks.state_file import read_state

    state = read_state(parse_toml(read_text(path), str(path)), robot, degrees)
    changed: dict[str, Any] = {"q": state.q, "qd": state.qd, "qdd": state.qdd, "degrees": state.degrees}
    changed["loads"] = (*question.get("loads", ()), *state.loads)
    return {**question, **changed, **({} if state.gravity is None else {"gravity": state.gravity})}
