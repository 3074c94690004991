"""`dynamis inverse`: torques and joint reactions of a state under loads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dynamis.cli.options import DecimalsOption, JsonOption, NoGravityOption, RobotArgument, SetOption, set_values

if TYPE_CHECKING:
    from dynamis.cli.reports.inverse import Question


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
            help="'link=forearm force=0,0,-10 axes=world point=0.1,0,0', or at the tool 'tool force=0,0,-10 "
            "moment=0,0,1 direction=exerted_by_environment' (or exerted_by_tool); may be repeated.",
        ),
    ] = None,
    gravity: Annotated[str | None, typer.Option(metavar="X,Y,Z", help="Another gravity vector [m/s^2].")] = None,
    no_gravity: NoGravityOption = False,
    reactions: Annotated[bool, typer.Option("--reactions", help="Also the six reactions of every joint.")] = False,
    convention: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Convention of the reactions: joint (all six, about the joint point) or parent_tip."
        ),
    ] = None,
    steps: Annotated[bool, typer.Option("--steps", help="Also w, wd, vd, vdc, F, N, f, n of every link.")] = False,
    compare_gravity: Annotated[bool, typer.Option("--compare-gravity", help="With and without gravity.")] = False,
    degrees: Annotated[bool, typer.Option("--degrees", help="Angles of revolute joints in degrees.")] = False,
    decimals: DecimalsOption = 2,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Inverse dynamics: the torque of every joint, and its reactions, for a state under loads.

    An exercise brings its own state, gravity and loads; what is given here replaces them.
    """
    from dynamis.errors import ArgumentError
    from dynamis.formats.tasks.state_file import numbers, parse_load
    from dynamis.formats.tasks.values import in_radians

    excluding = {"--q": q, "--state": state}, {"--gravity": gravity, "--no-gravity": no_gravity or None}
    compared = {"--no-gravity": no_gravity or None, "--compare-gravity": compare_gravity or None}
    for options in (*excluding, compared):
        if all(value is not None for value in options.values()):
            raise ArgumentError(f"{' and '.join(options)} exclude each other")
    asked = _given(robot, values)
    if asked.robot.n == 0:
        raise ArgumentError(f'robot "{asked.robot.name}" has no joint that moves, so there is no torque to ask for')
    if state is not None:
        asked = _with_state(asked, state, degrees)
    for name, text in (("q", q), ("qd", qd), ("qdd", qdd)):
        if text is not None:
            given = numbers(text, f"--{name}")
            asked = replace(asked, **{name: in_radians(given, asked.robot) if degrees else given})
    if asked.q is None:
        raise ArgumentError(f"no state: give --q with {asked.robot.n} values, or --state FILE", key="q")
    if no_gravity or gravity is not None:
        asked = replace(asked, gravity=numbers(gravity, "--gravity") if gravity is not None else False)
    more = [one for text in load or [] for one in parse_load(text, asked.robot)]
    asked = replace(
        asked, loads=(*asked.loads, *more), convention=convention or asked.convention,
        reactions=reactions, steps=steps, compare_gravity=compare_gravity,
    )  # fmt: skip
    print(asked.to_json() if as_json else asked.table(decimals=decimals))


def _given(name: str, values: list[str] | None) -> Question:
    """What is asked before the options are looked at: nothing of a robot, the whole of an exercise."""
    from dynamis.cli.reports.inverse import Question
    from dynamis.formats.robot_file.joint_table import Exercise
    from dynamis.library import read
    from dynamis.robot import Robot

    found = read(name)
    if isinstance(found, Exercise):
        robot = set_values(Robot.from_model(found.robot), values)
        return Question(robot, found.q, found.qd, found.qdd, found.loads, found.gravity, "parent_tip")
    return Question(set_values(Robot.from_model(found), values))


def _with_state(asked: Question, path: Path, degrees: bool) -> Question:
    from dynamis.formats.tasks.state_file import read_state
    from dynamis.formats.toml_table import parse_toml, read_text

    found = read_state(parse_toml(read_text(path), str(path)), asked.robot, degrees)
    gravity = asked.gravity if found.gravity is None else found.gravity
    return replace(asked, q=found.q, qd=found.qd, qdd=found.qdd, gravity=gravity, loads=(*asked.loads, *found.loads))
