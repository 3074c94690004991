"""`dynamis excite`: the motion whose torques tell the parameters of a robot best, within its limits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from dynamis.cli.completion import completed
from dynamis.cli.ending import end_interrupted
from dynamis.cli.options import (
    FiguresOption,
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
    check_output,
    figure_format,
    folder_and_page,
    page_target,
    result_files,
)
from dynamis.cli.terminal import Progress


def command(
    robot: RobotArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="TRAJECTORY",
            help="Samples for the controller, a .csv or .parquet file; a page such as page.html; or a folder of all.",
        ),
    ] = None,
    page: FormatOption = None,
    criterion: Annotated[
        str,
        typer.Option(
            help="balanced, determinant (D-optimal) or condition (number of the base regressor).",
            autocompletion=completed("criterion"),
        ),
    ] = "balanced",
    curve: Annotated[
        str, typer.Option(help="fourier series, or spline.", autocompletion=completed("curve"))
    ] = "fourier",
    harmonics: Annotated[int, typer.Option(min=1, max=100, help="Of the series; a spline has 2 n + 1 pieces.")] = 5,
    period: Annotated[float, typer.Option(metavar="SECONDS", help="Period of the motion.")] = 10.0,
    periods: Annotated[int, typer.Option(min=1, help="How often it is repeated between the ramps.")] = 1,
    rate: Annotated[float, typer.Option(metavar="HZ", help="Samples per second.")] = 100.0,
    lower: Annotated[str | None, typer.Option(metavar="Q,...", help="Lowest positions [rad or m].")] = None,
    upper: Annotated[str | None, typer.Option(metavar="Q,...", help="Highest positions [rad or m].")] = None,
    velocity: Annotated[str | None, typer.Option(metavar="V,...", help="Velocity limits [rad/s or m/s].")] = None,
    acceleration: Annotated[
        str | None, typer.Option(metavar="A,...", help="Acceleration limits [rad/s^2 or m/s^2].")
    ] = None,
    torque: Annotated[str | None, typer.Option(metavar="T,...", help="Torque limits [N m or N].")] = None,
    box: Annotated[
        str | None,
        typer.Option(metavar="X,Y,Z,X,Y,Z", help="Lowest and highest corner of the tool's region [m]; inf: open."),
    ] = None,
    plane: Annotated[
        list[str] | None,
        typer.Option(metavar="NX,NY,NZ,D", help="The tool stays where n.p >= d [m]; may be repeated."),
    ] = None,
    frame: Annotated[str, typer.Option(help="The frame that keeps box and planes.")] = "tool",
    friction: Annotated[
        str, typer.Option(metavar="TERMS", help="Identified besides the links: viscous, coulomb, offset; or none.")
    ] = "viscous,coulomb,offset",
    rotor: Annotated[bool, typer.Option("--rotor", help="Rotor inertias are identified, too.")] = False,
    iterations: Annotated[int, typer.Option(min=0, help="Of the search; Ctrl-C keeps the best motion.")] = 300,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the random starts.")] = 0,
    figures: FiguresOption = None,
    history: HistoryOption = "csv",
    force: ForceOption = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find an exciting motion: the one whose torques tell masses, inertias and friction best, within limits.

    Periodic, from rest to rest. It says what it tells badly, and which limits hold it back. Limits are those of the
    robot's file unless they are given: one number for all joints, or one per joint.
    """
    from dynamis.apps.identification.excitation.excite import excite
    from dynamis.simulation.one_run import INTERRUPTED

    place, file = folder_and_page(output)
    samples = place if place is not None and place.suffix.lower() in (".csv", ".parquet") else None
    place = None if samples is not None else place
    figures = figure_format(place, figures)
    check_formats(place, (FIGURE, figures, FIGURES), ("format of samples", history, HISTORIES))
    check_output(samples, force)
    target = page_target(page, as_json, file, force, robot=robot)
    folder = OutputFolder(place, "excitation", force)
    with Progress("excite") as progress:
        progress("base parameters")
        result = excite(
            load_robot(robot, values), criterion=criterion, curve=curve, harmonics=harmonics, period=period,
            periods=periods, rate=rate, lower=_limits("lower", lower), upper=_limits("upper", upper),
            velocity=_limits("velocity", velocity), acceleration=_limits("acceleration", acceleration),
            torque=_limits("torque", torque), box=_box(box),
            planes=[_values("plane", text, 4) for text in plane] if plane else None, frame=frame,
            friction="" if friction == "none" else friction, rotor=rotor, iterations=iterations, seed=seed,
            progress=progress,
        )  # fmt: skip
        origin = target.provenance
        folder.write(result, result_files(result, figures, history, progress, origin, "trajectory"), origin)
    target.write(target.text(result), f"exciting motion of {result.robot.name}")
    kept = f"the search was {result.ended}; its best motion is kept" if result.ended.startswith(INTERRUPTED) else ""
    if samples is None:
        folder.close(target.form == "json", kept)
        return
    (result.to_csv if samples.suffix.lower() == ".csv" else result.to_parquet)(samples)
    if kept:
        end_interrupted(f"{kept} in {samples}")
    if target.form != "json":
        print(f"\nwrote {samples}: {len(result.columns()['t [s]'])} samples, positions, velocities, accelerations")


def _limits(name: str, text: str | None) -> Any:
    """One number for all joints, or a list."""
    from dynamis.model.formats.tasks.state_file import numbers

    if text is None:
        return None
    found = numbers(text, f"--{name}")
    return found[0] if len(found) == 1 else found


def _values(name: str, text: str, count: int) -> list[float]:
    """So many numbers, of which some may be infinite."""
    from math import inf

    from dynamis.base.errors import ArgumentError
    from dynamis.model.formats.tasks.state_file import numbers

    open_ended = {"inf": inf, "-inf": -inf}
    words = [word.strip() for word in text.split(",")]
    if len(words) != count:
        raise ArgumentError(f'--{name} must be {count} numbers separated by commas, got "{text}"', key=name)
    return [open_ended[word] if word in open_ended else numbers(word, f"--{name}")[0] for word in words]


def _box(text: str | None) -> Any:
    if text is None:
        return None
    corners = _values("box", text, 6)
    return corners[:3], corners[3:]
