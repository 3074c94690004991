"""`dynamis state`: all that can be said of a robot in a state."""

from __future__ import annotations

from typing import Annotated

import typer

from dynamis.cli.options import (
    DecimalsOption,
    ForceOption,
    JsonOption,
    LoadOption,
    NoGravityOption,
    OutputOption,
    RobotArgument,
    SetOption,
    WidthOption,
)
from dynamis.cli.output import PAGE_HELP, check_output, page_format, page_style, write_page
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
            help="Parts, such as M,C,g: tau, M, C, c, g, T, U, poses, frame (its motion), J, motion (of the links), "
            "reactions; and, which are not shown unasked, recursion, components, Jc, Jd, H, Lambda, mu, p, Y, pi.",
        ),
    ] = None,
    frame: Annotated[str, typer.Option(metavar="NAME", help="Frame or link of J, Jd, H, Lambda; the tool.")] = "",
    rows: Annotated[
        str, typer.Option(metavar="ROWS", help="Directions of Lambda, mu and p: of x, y, z, rx, ry, rz; all.")
    ] = "",
    load: LoadOption = None,
    gravity: GravityOption = None,
    no_gravity: NoGravityOption = False,
    convention: ConventionOption = None,
    degrees: DegreesOption = False,
    decimals: DecimalsOption = 3,
    page: Annotated[str | None, typer.Option("--as", metavar="FORMAT", help=PAGE_HELP)] = None,
    output: OutputOption = None,
    force: ForceOption = False,
    width: WidthOption = None,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """A state: mass matrix, Coriolis, gravity, energies, poses, Jacobians, motions, torques and reactions.

    An exercise brings its own state, gravity and loads; what is given here replaces them.
    """
    from dynamis.robot import ALL_ROWS
    from dynamis.single_states.robot_state import robot_state

    form = page_format(page, as_json, output)
    check_output(output, force)
    motion = {"q": q, "qd": qd, "qdd": qdd}
    arm, question = asked_state(robot, values, motion, state, load, gravity, no_gravity, convention, degrees)
    result = robot_state(arm, **question, only=() if only is None else only, frame=frame, rows=rows or ALL_ROWS)
    text = result.page(**page_style(form, output, width, most=80), decimals=decimals)
    write_page(text, output, f"{arm.name}, {', '.join(result.parts)}")
