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
        str | None, typer.Option(metavar="K,...", help="Torque over motor current [N m/A or N/A], one per joint.")
    ] = None,
    degrees: Annotated[bool, typer.Option("--degrees", help="Angles of the logs are in degrees.")] = False,
    held_out: Annotated[
        list[Path] | None,
        typer.Option("--held-out", metavar="LOG", help="A log that is predicted, not fitted; may be repeated."),
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
        float, typer.Option(min=0, metavar="SPEED", help="v of tanh(qd/v) in Coulomb friction [rad/s or m/s]; 0: sign.")
    ] = 0.0,
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
            help="Least squares: weighted (by joint), ordinary, robust (Huber) or total.",
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
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Fit again with other cut-offs, trims, derivatives and time stamps.")
    ] = False,
    figures: FiguresOption = "png",
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
    check_formats(place, (FIGURE, figures, FIGURES), ("format of samples", history, HISTORIES))
    read = [*map(str, logs), *map(str, held_out or [])]
    target = page_target(page, as_json, file, force, robot=robot, log=read)
    folder = OutputFolder(place, "identification", force)
    with Progress("identify") as progress:
        progress("logs")
        result = identify(
            load_robot(robot, values), [str(log) for log in logs], columns=columns,
            gains=None if gains is None else numbers(gains, "--gains"), degrees=degrees,
            held_out=[str(log) for log in held_out] if held_out else None, folds=folds,
            friction="" if friction == "none" else friction, rotor=rotor, sign_speed=sign_speed,
            cutoff=_cutoff(cutoff), differentiation=differentiation, trim=trim, decimate=decimate, method=method,
            physical=physical, spread=spread, sensitivity=sensitivity,
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


def _cutoff(text: str) -> float | str | None:
    from dynamis.errors import ArgumentError

    if text in ("auto", "none"):
        return None if text == "none" else text
    try:
        return float(text)
    except ValueError:
        raise ArgumentError(f'--cutoff must be a frequency [Hz], auto or none, got "{text}"', key="cutoff") from None
