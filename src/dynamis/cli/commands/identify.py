"""`dynamis identify`: masses, inertias and friction of a robot from logs of its motion and its torques."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dynamis.cli.completion import completed
from dynamis.cli.options import (
    FiguresOption,
    FolderOption,
    ForceOption,
    FormatOption,
    HistoryOption,
    JsonOption,
    RobotArgument,
    SetOption,
    load_robot,
)
from dynamis.cli.output import (
    FIGURE,
    FIGURES,
    HISTORIES,
    OutputFolder,
    check_formats,
    figure_format,
    folder_and_page,
    page_target,
    result_files,
)
from dynamis.cli.terminal import Progress

if TYPE_CHECKING:
    from dynamis.cli.output import File
    from dynamis.robot import Robot


def command(
    robot: RobotArgument,
    logs: Annotated[list[Path], typer.Argument(metavar="LOG...", help="Logs: .csv, .parquet or .npz files.")],
    output: FolderOption = None,
    page: FormatOption = None,
    columns: Annotated[
        str | None,
        typer.Option(
            metavar="MAP",
            help='Which column is what: "t=time q=pos_* tau=effort_*", or by number "t=1 q=2-7 qd=8-13 current=14-19".',
        ),
    ] = None,
    gains: Annotated[
        str | None,
        typer.Option(
            metavar="K,...", help="Torque over motor current [N m/A or N/A], one per joint; estimate finds them."
        ),
    ] = None,
    degrees: Annotated[bool, typer.Option("--degrees", help="Angles of the logs are in degrees.")] = False,
    held_out: Annotated[
        list[Path] | None,
        typer.Option("--held-out", metavar="LOG", help="A log that is predicted, not fitted; may be repeated."),
    ] = None,
    fixed: Annotated[
        list[str] | None,
        typer.Option(
            "--fixed",
            metavar="JOINT[=Q]",
            help='A joint that stood still at Q [rad or m], 0 by default; "hand_*" for many; may be repeated.',
        ),
    ] = None,
    loaded: Annotated[
        list[Path] | None,
        typer.Option("--loaded", metavar="LOG", help="A log with a payload in the tool frame; may be repeated."),
    ] = None,
    payload_mass: Annotated[
        float | None, typer.Option(min=0, metavar="KG", help="Mass of that payload, where it is known.")
    ] = None,
    folds: Annotated[int, typer.Option(min=2, max=1000, help="Stretches of a single log, each held out once.")] = 5,
    friction: Annotated[
        str, typer.Option(metavar="TERMS", help="Of viscous, coulomb, offset and stribeck; none for none.")
    ] = "viscous,coulomb,offset",
    rotor: Annotated[
        bool | None,
        typer.Option("--rotor/--no-rotor", help="Identify rotor inertias; default where the robot or the log has any."),
    ] = None,
    sign_speed: Annotated[
        str, typer.Option(metavar="SPEED", help="v of tanh(qd/v) in Coulomb friction [rad/s or m/s], auto or 0: sign.")
    ] = "0",
    cutoff: Annotated[
        str, typer.Option(metavar="HZ", help="Cut-off frequency of the zero-phase filter, auto or none.")
    ] = "auto",
    differentiation: Annotated[
        str, typer.Option(help="central, savgol or spline.", autocompletion=completed("differentiation"))
    ] = "central",
    trim: Annotated[
        float | None, typer.Option(min=0, metavar="SECONDS", help="Left out at both ends of every run.")
    ] = None,
    decimate: Annotated[int, typer.Option(min=1, help="Keep every so many samples.")] = 1,
    method: Annotated[
        str,
        typer.Option(
            help="Least squares: weighted (by joint), ordinary, robust (Huber), total or instrumental.",
            autocompletion=completed("estimator"),
        ),
    ] = "weighted",
    physical: Annotated[
        bool | None,
        typer.Option(
            "--physical/--no-physical", help="Physically consistent links (needs clarabel); default where it is there."
        ),
    ] = None,
    spread: Annotated[
        float, typer.Option(min=1e-6, help="How wrong the given masses may be where the logs do not tell; 1 is 100 %.")
    ] = 1.0,
    com_inside: Annotated[
        list[str] | None,
        typer.Option(
            "--com-inside", metavar="LINK=MESH", help="The CoM of a link lies in the hull of a mesh; may be repeated."
        ),
    ] = None,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Fit again with other cut-offs, trims, derivatives and time stamps.")
    ] = False,
    figures: FiguresOption = None,
    history: HistoryOption = "csv",
    force: ForceOption = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Identify masses, inertias and friction of a robot from logs of its motion and its torques.

    Base parameters with standard errors, errors on samples that the fit has not seen, and what to trust. With -o the
    identified robot is written as robot.toml and robot.urdf.
    """
    from dynamis.formats.tasks.state_file import numbers
    from dynamis.identification.identify import identify

    place, file = folder_and_page(output)
    figures = figure_format(place, figures)
    check_formats(place, (FIGURE, figures, FIGURES), ("format of samples", history, HISTORIES))
    read = [str(log) for some in (logs, held_out, loaded) for log in some or []]
    target = page_target(page, as_json, file, force, robot=robot, log=read)
    folder = OutputFolder(place, "identification", force)
    with Progress("identify") as progress:
        progress("logs")
        result = identify(
            load_robot(robot, values), [str(log) for log in logs], columns=columns,
            gains=numbers(gains, "--gains") if gains not in (None, "estimate") else gains, degrees=degrees,
            held_out=[str(log) for log in held_out] if held_out else None, fixed=dict(map(_fixed, fixed or [])) or None,
            loaded=[str(log) for log in loaded] if loaded else None, payload=payload_mass, folds=folds,
            friction="" if friction == "none" else friction, rotor=rotor,
            sign_speed=_number_or("--sign-speed", sign_speed, ("auto",)) or 0.0,
            cutoff=_number_or("--cutoff", cutoff, ("auto", "none")), differentiation=differentiation, trim=trim,
            decimate=decimate, method=method, physical=physical, spread=spread,
            com_inside=dict(map(_assignment, com_inside or [])), sensitivity=sensitivity,
        )  # fmt: skip
        origin = target.provenance
        files = result_files(result, figures, history, progress, origin, "samples")
        folder.write(result, chain(_robot_files(result.robot), files), origin)
    target.write(target.text(result), f"identification of {result.given.name}")
    folder.close(target.form == "json")


def _robot_files(robot: Robot) -> list[File]:
    from dynamis.library import file_text
    from dynamis.writing import write_text

    return [
        (name, lambda path, name=name: write_text(path, file_text(robot, name)))
        for name in ("robot.toml", "robot.urdf")
    ]


def _number_or(option: str, text: str, words: tuple[str, ...]) -> float | str | None:
    from dynamis.errors import ArgumentError

    if text in words:
        return None if text == "none" else text
    try:
        return float(text)
    except ValueError:
        allowed = " or ".join(["a number", *words])
        raise ArgumentError(f'{option} must be {allowed}, got "{text}"', key=option.lstrip("-")) from None


def _fixed(text: str) -> tuple[str, float]:
    from dynamis.errors import ArgumentError

    joint, sign, position = text.partition("=")
    try:
        return joint, float(position) if sign else 0.0
    except ValueError:
        raise ArgumentError(
            f'--fixed must be JOINT or JOINT=Q, such as finger=0.02, got "{text}"', key="fixed"
        ) from None


def _assignment(text: str) -> tuple[str, str]:
    from dynamis.errors import ArgumentError

    link, sign, mesh = text.partition("=")
    if not sign or not link or not mesh:
        raise ArgumentError(f'--com-inside must be LINK=MESH, such as link2=link2.stl, got "{text}"', key="com_inside")
    return link, mesh
