"""`dynamis inverse`: torques and joint reactions of a state under loads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.cli.options import (
    DecimalsOption,
    JsonOption,
    LoadOption,
    NoGravityOption,
    RobotArgument,
    SetOption,
    robot_and_state,
)

if TYPE_CHECKING:
    from dynamis.robot import Robot


def command(
    robot: RobotArgument,
    q: Annotated[str | None, typer.Option(metavar="Q1,Q2,...", help="Joint positions [rad or m].")] = None,
    qd: Annotated[str | None, typer.Option(metavar="V1,V2,...", help="Joint velocities; zero if left out.")] = None,
    qdd: Annotated[str | None, typer.Option(metavar="A1,A2,...", help="Joint accelerations; zero if left out.")] = None,
    state: Annotated[Path | None, typer.Option(metavar="FILE", help="A state file (TOML) instead of --q.")] = None,
    load: LoadOption = None,
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
    from dynamis.mechanics.dynamics.reactions import check_convention
    from dynamis.single_states.state_torques import state_torques

    excluding = {"--q": q, "--state": state}, {"--gravity": gravity, "--no-gravity": no_gravity or None}
    compared = {"--no-gravity": no_gravity or None, "--compare-gravity": compare_gravity or None}
    for options in (*excluding, compared):
        if all(value is not None for value in options.values()):
            raise ArgumentError(f"{' and '.join(options)} exclude each other")
    arm, question = robot_and_state(robot, values)
    if question:
        question["reactions"] = "parent_tip"
    if arm.n == 0:
        raise ArgumentError(f'robot "{arm.name}" has no joint that moves, so there is no torque to ask for')
    if state is not None:
        question = _with_state(question, arm, state, degrees)
    for name, text in (("q", q), ("qd", qd), ("qdd", qdd)):
        if text is not None:
            joints = numbers(text, f"--{name}")
            question[name] = in_radians(joints, arm) if degrees else joints
    if "q" not in question:
        raise ArgumentError(f"no state: give --q with {arm.n} values, or --state FILE", key="q")
    if no_gravity or gravity is not None:
        question["gravity"] = False if gravity is None else numbers(gravity, "--gravity")
    convention = convention or str(question.get("reactions", "joint"))
    check_convention(convention)
    question["reactions"] = convention if reactions else None
    loads = [one for text in load or [] for one in parse_load(text, arm)]
    question["loads"] = (*question.get("loads", ()), *loads)
    result = state_torques(arm, **question, recursion=steps, compare_gravity=compare_gravity)
    print(result.to_json() if as_json else result.table(decimals=decimals))


def _with_state(question: dict[str, Any], robot: Robot, path: Path, degrees: bool) -> dict[str, Any]:
    """A state file in the place of the state; its loads are added, its gravity replaces the other."""
    from dynamis.formats.tasks.state_file import read_state
    from dynamis.formats.toml_table import parse_toml, read_text

    state = read_state(parse_toml(read_text(path), str(path)), robot, degrees)
    changed = {"q": state.q, "qd": state.qd, "qdd": state.qdd, "loads": (*question.get("loads", ()), *state.loads)}
    return {**question, **changed, **({} if state.gravity is None else {"gravity": state.gravity})}
