"""`dynamis show`: a robot as tables, and as a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.cli.completion import completed_by_robot
from dynamis.cli.options import (
    ForceOption,
    FormatOption,
    JsonOption,
    NoGravityOption,
    OutputOption,
    RobotArgument,
    SetOption,
    SymbolicLoadOption,
    loaded_robot,
    robot_and_state,
)
from dynamis.cli.output import page_target
from dynamis.cli.state_options import DegreesOption, QddOption, QdOption
from dynamis.cli.terminal import wrap_sentence

if TYPE_CHECKING:
    from dynamis.telling.drawing.drawing import Drawing


def command(
    robot: RobotArgument,
    figure: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the robot: .svg, .pdf, .png, .tikz (to input) or .tex (a whole file)."),
    ] = None,
    q: Annotated[
        str | None,
        typer.Option(metavar="Q1,Q2,...", help="Joint positions [rad or m]; a pose that shows it well if left out."),
    ] = None,
    qd: QdOption = None,
    qdd: QddOption = None,
    load: SymbolicLoadOption = None,
    reactions: Annotated[bool, typer.Option("--reactions", help="Also the reactions of the joints.")] = False,
    free_body: Annotated[
        str | None,
        typer.Option(
            metavar="LINK",
            help="The free body of a link: its five groups of forces.",
            autocompletion=completed_by_robot(lambda robot: [link.name for link in robot.links]),
        ),
    ] = None,
    no_frames: Annotated[bool, typer.Option("--no-frames", help="Without the axes of the frames.")] = False,
    no_dimensions: Annotated[bool, typer.Option("--no-dimensions", help="Without lengths and twists.")] = False,
    no_gravity: NoGravityOption = False,
    degrees: DegreesOption = False,
    page: FormatOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show a robot: joints from 1, frames, masses, limits, transforms; or draw it with --figure."""
    from dynamis.base.errors import ArgumentError

    given = {"q": q, "qd": qd, "qdd": qdd}
    shown = {"reactions": reactions, "frames": no_frames, "dimensions": no_dimensions}
    target = page_target(page, as_json, output, force, robot=robot)
    if figure is None and free_body is not None:
        body = _drawing(robot, values, given, load, no_gravity, degrees, free_body, shown)
        target.write(target.text(body), body.caption)
        return
    if figure is None:
        options = {"--q": q, "--qd": qd, "--qdd": qdd, "--load": load}
        flags = {"--reactions": reactions, "--no-frames": no_frames, "--no-dimensions": no_dimensions}
        for option, value in {**options, **flags}.items():
            if value:
                raise ArgumentError(f"{option} is for a drawing; give --figure FILE too", key="figure")
        from dynamis.exact.derivations.robots.sheet import RobotSheet

        own, state = robot_and_state(robot, values)
        sheet = RobotSheet(own, drawn=True, weightless=state.get("gravity") is False)
        target.write(target.text(sheet), sheet.robot.name)
        return
    from dynamis.base.writing import is_stream
    from dynamis.cli.output import check_output
    from dynamis.telling.drawing.drawing import drawing_suffix

    drawing_suffix(figure)
    check_output(figure, force)
    drawing = _drawing(robot, values, given, load, no_gravity, degrees, free_body, shown)
    drawing.save(figure, target.provenance)
    # A free body is told as a table too, which has the caption already.
    told = drawing.forces is not None and target.printed
    if told or not target.printed:
        target.write(target.text(drawing), drawing.caption)
    if not (is_stream(figure) or (target.form == "json" and output is None)):
        print(f"\nwrote {figure}" if told else wrap_sentence(f"wrote {figure}: {drawing.caption}"))


def _drawing(
    robot: str, values: list[str] | None, given: dict[str, str | None], load: list[str] | None, no_gravity: bool,
    degrees: bool, link: str | None, options: dict[str, bool],
) -> Drawing:  # fmt: skip
    """The drawing of a robot, or of an exercise in its own state."""
    from dynamis.base.errors import ArgumentError
    from dynamis.model.formats.tasks.state_file import numbers
    from dynamis.model.formats.tasks.values import in_radians

    arm, state = robot_and_state(robot, None)
    arm, loads = loaded_robot(arm, load, values)
    for name, text in given.items():
        if text is not None:
            joints = numbers(text, f"--{name}")
            state[name] = in_radians(joints, arm) if degrees else joints
    state["loads"] = (*state.get("loads", ()), *loads)
    if no_gravity:
        state["gravity"] = False
    if link is None:
        shown: dict[str, Any] = {key: False if options[key] else None for key in ("frames", "dimensions")}
        return arm.draw(**state, reactions=options["reactions"], **shown)
    for key, option in (("reactions", "--reactions"), ("frames", "--no-frames"), ("dimensions", "--no-dimensions")):
        if options[key]:
            raise ArgumentError(f"{option} and --free-body exclude each other; a free body has all its forces")
    return arm.free_body(link, **state)
