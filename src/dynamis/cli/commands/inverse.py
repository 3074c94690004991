"""`dynamis inverse`: torques and joint reactions of a state under loads."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.options import (
    DecimalsOption,
    ForceOption,
    FormatOption,
    FragmentOption,
    JsonOption,
    LoadOption,
    NoGravityOption,
    OutputOption,
    PayloadComOption,
    PayloadInertiaOption,
    PayloadOption,
    RobotArgument,
    SetOption,
    payload_of,
)
from dynamis.cli.output import page_target
from dynamis.cli.state_options import (
    ConventionOption,
    DegreesOption,
    GravityOption,
    QddOption,
    QdOption,
    QOption,
    StateOption,
    asked_state,
)


def command(
    robot: RobotArgument,
    q: QOption = None,
    qd: QdOption = None,
    qdd: QddOption = None,
    state: StateOption = None,
    load: LoadOption = None,
    gravity: GravityOption = None,
    no_gravity: NoGravityOption = False,
    payload: PayloadOption = None,
    payload_com: PayloadComOption = None,
    payload_inertia: PayloadInertiaOption = None,
    reactions: Annotated[bool, typer.Option("--reactions", help="Also the six reactions of every joint.")] = False,
    convention: ConventionOption = None,
    steps: Annotated[bool, typer.Option("--steps", help="Also w, wd, vd, vdc, F, N, f, n of every link.")] = False,
    compare_gravity: Annotated[bool, typer.Option("--compare-gravity", help="With and without gravity.")] = False,
    words: Annotated[
        bool, typer.Option("--words", help="Also in words: who accelerates or brakes, what gravity does, reactions.")
    ] = False,
    degrees: DegreesOption = False,
    decimals: DecimalsOption = 2,
    page: FormatOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    fragment: FragmentOption = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Inverse dynamics: the torque of every joint, and its reactions, for a state under loads.

    An exercise brings its own state, gravity and loads; what is given here replaces them.
    """
    from dynamis.base.errors import ArgumentError
    from dynamis.motion.single_states.state_torques import state_torques

    if no_gravity and compare_gravity:
        raise ArgumentError("--no-gravity and --compare-gravity exclude each other")
    target = page_target(page, as_json, output, force, robot=robot, state=state)
    motion = {"q": q, "qd": qd, "qdd": qdd}
    held = payload_of(payload, payload_com, payload_inertia)
    arm, question = asked_state(robot, values, motion, state, load, gravity, no_gravity, convention, degrees, held)
    point, degrees = question.pop("convention"), question.pop("degrees")
    result = state_torques(
        arm, **question, reactions=point if reactions else None, recursion=steps, compare_gravity=compare_gravity,
        words=words,
    )  # fmt: skip
    text = target.text(result, decimals=decimals, fragment=fragment, degrees=degrees)
    target.write(text, f"torques of {arm.name}")
