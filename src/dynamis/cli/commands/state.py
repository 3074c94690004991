"""`dynamis state`: all that can be said of a robot in a state."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.completion import completed, completed_by_robot
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
    WidthOption,
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
    only: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Parts, or entries of them, such as M,g[2]: tau, M, C, c, g, T, U, poses, frame (its motion), J, "
            "motion (of the links), reactions; and, which are not shown unasked, transforms A, A[2], T[0,2], T[0,c2], "
            "T[1,tool], positions p[c2], L, christoffel, Ck, Q, recursion, components, Jc, Jv, Jw, Ibase, Jd, Jcd, H, "
            "Hc, Lambda, mu, p, Y, pi.",
            autocompletion=completed("part"),
        ),
    ] = None,
    frame: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Frame or link of J, Jd, H, Lambda; the tool.",
            autocompletion=completed_by_robot(lambda robot: [x.name for x in (*robot.frames, *robot.links)]),
        ),
    ] = None,
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="ROWS",
            help="Directions of Lambda, mu and p: of x, y, z, rx, ry, rz; all.",
            autocompletion=completed("direction"),
        ),
    ] = None,
    load: LoadOption = None,
    gravity: GravityOption = None,
    no_gravity: NoGravityOption = False,
    payload: PayloadOption = None,
    payload_com: PayloadComOption = None,
    payload_inertia: PayloadInertiaOption = None,
    convention: ConventionOption = None,
    degrees: DegreesOption = False,
    decimals: DecimalsOption = 3,
    page: FormatOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    fragment: FragmentOption = False,
    width: WidthOption = None,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """A state: mass matrix, Coriolis, gravity, energies, poses, Jacobians, motions, torques and reactions.

    An exercise brings its own state, gravity and loads; what is given here replaces them.
    """
    from dynamis.base.errors import ArgumentError
    from dynamis.motion.single_states.robot_state import robot_state
    from dynamis.robot import ALL_ROWS

    if frame is not None and not frame.strip():
        raise ArgumentError("--frame is empty; name a frame or a link, or leave it out for the tool", key="frame")
    target = page_target(page, as_json, output, force, robot=robot, state=state)
    motion = {"q": q, "qd": qd, "qdd": qdd}
    held = payload_of(payload, payload_com, payload_inertia)
    arm, question = asked_state(robot, values, motion, state, load, gravity, no_gravity, convention, degrees, held)
    degrees = question.pop("degrees")
    try:
        directions = ALL_ROWS if rows is None else rows
        result = robot_state(arm, **question, only=() if only is None else only, frame=frame or "", rows=directions)
    except ArgumentError as error:
        if error.key not in ("rows", "only"):
            raise
        message = error.message.replace(f'{error.key}="', f'--{error.key} "')
        message = f"--{message}" if message.startswith(f"{error.key} ") else message
        raise ArgumentError(message, key=error.key) from None
    text = target.text(result, width, 80, decimals=decimals, fragment=fragment, degrees=degrees)
    target.write(text, f"{arm.name}, {', '.join(result.parts)}")
