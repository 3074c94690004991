"""`dynamis inverse`: torques and joint reactions of a state under loads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot, print_json

if TYPE_CHECKING:
    from dynamis.formats.joint_table import Exercise
    from dynamis.formats.state_toml import StateFile
    from dynamis.robot import Robot


def command(
    robot: RobotArgument,
    q: Annotated[str | None, typer.Option(metavar="Q1,Q2,...", help="Joint positions [rad or m].")] = None,
    qd: Annotated[str | None, typer.Option(metavar="V1,V2,...", help="Joint velocities; zero if left out.")] = None,
    qdd: Annotated[str | None, typer.Option(metavar="A1,A2,...", help="Joint accelerations; zero if left out.")] = None,
    state: Annotated[Path | None, typer.Option(metavar="FILE", help="A state file (TOML) instead of --q.")] = None,
    load: Annotated[
        list[str] | None,
        typer.Option(
            metavar="LOAD",
            help="'link=forearm force=0,0,-10 axes=world point=0.1,0,0', or 'tool force=... moment=... "
            "direction=exerted_by_environment'; may be repeated.",
        ),
    ] = None,
    gravity: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="Another gravity vector [m/s^2].")] = None,
    no_gravity: Annotated[bool, typer.Option("--no-gravity", help="Without gravity.")] = False,
    reactions: Annotated[bool, typer.Option("--reactions", help="Also the six reactions of every joint.")] = False,
    convention: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of the reactions: joint (all six, about the joint point) or parent_tip."),
    ] = None,
    compare_gravity: Annotated[
        bool, typer.Option("--compare-gravity", help="Beside each other: with and without.")
    ] = False,
    degrees: Annotated[bool, typer.Option("--degrees", help="Angles in degrees (turning joints only).")] = False,
    decimals: Annotated[int, typer.Option(min=0, max=15, help="Decimals in the tables.")] = 2,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Inverse dynamics: the torque of every joint, and its reactions, for a state under loads."""
    from dynamis.cli.inverse_report import Question, report, report_dict
    from dynamis.errors import ArgumentError
    from dynamis.formats.state_toml import numbers, parse_load
    from dynamis.library import load_exercise

    loaded = load_robot(robot, values)
    given: StateFile | Exercise | None = None
    if state is not None:
        given = _read_state(state, loaded, degrees)
    elif q is None:
        given = load_exercise(robot)
        if given is None:
            raise ArgumentError(f"no state: give --q with {loaded.n} values, or --state FILE", key="q")
    positions: Any = given.q if given is not None else _joint_values("q", q, loaded, degrees)
    speeds = _joint_values("qd", qd, loaded, degrees) if qd else given.qd if given else None
    accelerations = _joint_values("qdd", qdd, loaded, degrees) if qdd else given.qdd if given else None
    if given is not None and q is not None:
        raise ArgumentError("--q and --state both give the state; use one of them", key="q")
    field: Any = False if no_gravity else numbers(gravity, "gravity") if gravity else given.gravity if given else True
    if no_gravity and gravity:
        raise ArgumentError("--gravity and --no-gravity exclude each other", key="gravity")
    loads = [*(given.loads if given else ()), *(one for text in load or [] for one in parse_load(text))]
    exercise = given is not None and hasattr(given, "robot")
    question = Question(
        loaded, positions, speeds, accelerations, tuple(loads), field, reactions,
        convention or ("parent_tip" if exercise else "joint"), compare_gravity,
    )  # fmt: skip
    if as_json:
        print_json(report_dict(question))
    else:
        print(report(question, decimals))


def _read_state(path: Path, robot: Robot, degrees: bool) -> StateFile:
    from dynamis.formats.source import parse_toml, read_text
    from dynamis.formats.state_toml import read_state

    return read_state(parse_toml(read_text(path), str(path)), robot, degrees)


def _joint_values(name: str, text: str | None, robot: Robot, degrees: bool) -> Any:
    from dynamis.formats.state_toml import in_radians, numbers

    values = numbers(text or "", name)
    return in_radians(values, robot) if degrees else values
