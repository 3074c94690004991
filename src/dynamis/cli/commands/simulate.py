"""`dynamis simulate`: how a robot moves, from a file that says where it starts and what controls it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dynamis.cli.completion import completed
from dynamis.cli.film import FilmOption, FilmTarget, film_target
from dynamis.cli.options import (
    DecimalsOption,
    FiguresOption,
    FolderOption,
    ForceOption,
    FormatOption,
    HistoryOption,
    JsonOption,
    NoGravityOption,
    PayloadComOption,
    PayloadInertiaOption,
    PayloadOption,
    RobotArgument,
    SetOption,
    load_robot,
    payload_of,
)
from dynamis.cli.output import (
    FIGURE,
    FIGURES,
    HISTORIES,
    File,
    OutputFolder,
    check_formats,
    figure_format,
    folder_and_page,
    page_target,
    result_files,
)
from dynamis.cli.terminal import Progress, remark

if TYPE_CHECKING:
    from dynamis.provenance import Provenance
    from dynamis.simulation.results.result import Simulation


def command(
    robot: RobotArgument,
    task: Annotated[
        Path,
        typer.Argument(
            metavar="TASK",
            help="A .toml file (docs/simulation.md), or a shipped simulation's name.",
            autocompletion=completed("simulation"),
        ),
    ],
    output: FolderOption = None,
    page: FormatOption = None,
    duration: Annotated[float | None, typer.Option(metavar="SECONDS", help="Duration, instead of the file's.")] = None,
    integrator: Annotated[
        str | None,
        typer.Option(
            help="Integrator: dop853, rk45, radau, rk4 or symplectic.", autocompletion=completed("integrator")
        ),
    ] = None,
    step: Annotated[float | None, typer.Option(metavar="SECONDS", help="Step of rk4 and symplectic.")] = None,
    rtol: Annotated[float | None, typer.Option(help="Relative tolerance of dop853, rk45 and radau.")] = None,
    atol: Annotated[float | None, typer.Option(help="Absolute tolerance of dop853, rk45 and radau.")] = None,
    limits: Annotated[
        str | None,
        typer.Option(help="At the limit of a joint: stop, end or ignore.", autocompletion=completed("limits")),
    ] = None,
    restitution: Annotated[
        float | None, typer.Option(help="Restitution of the stops: 0 absorbs all speed, 1 none.")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the noise.")] = None,
    samples: Annotated[int | None, typer.Option(min=2, max=10_000_000, help="Number of samples to keep.")] = None,
    no_gravity: NoGravityOption = False,
    payload: PayloadOption = None,
    payload_com: PayloadComOption = None,
    payload_inertia: PayloadInertiaOption = None,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="No second run that tells how long the first can be trusted.")
    ] = False,
    check_with: Annotated[
        str | None,
        typer.Option(
            metavar="INTEGRATOR",
            help="Integrator of the second run, if not the first one's.",
            autocompletion=completed("integrator"),
        ),
    ] = None,
    table: Annotated[
        str,
        typer.Option(
            help="Table to print: all, summary, joints, energy, events or sentences.",
            autocompletion=completed("table of a simulation"),
        ),
    ] = "all",
    decimals: DecimalsOption = 3,
    degrees: Annotated[bool, typer.Option("--degrees", help="Angles of the printed tables in degrees.")] = False,
    figures: FiguresOption = None,
    history: HistoryOption = "csv",
    animation: FilmOption = "html",
    force: ForceOption = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """How a robot moves: free, under torques, or under a controller.

    Positions, velocities, torques, the energy balance, what happened on the way, and how long the result can be
    trusted. For a controller, which sufficient conditions for its stability hold.
    """
    from dynamis.errors import ArgumentError
    from dynamis.simulation.results.document import TABLES
    from dynamis.simulation.runs.blow_up import BlowUpError
    from dynamis.simulation.task import load_simulation

    place, file = folder_and_page(output)
    figures = figure_format(place, figures)
    choices = (FIGURE, figures, FIGURES), ("format of samples", history, HISTORIES), ("table", table, TABLES)
    check_formats(place, *choices)
    film = film_target(animation, place, force)
    target = page_target(page, as_json, file, force, robot=robot, task=task)
    folder = OutputFolder(place, "simulation", force)
    if no_check and check_with:
        raise ArgumentError("--no-check and --check-with exclude each other")
    held = payload_of(payload, payload_com, payload_inertia)
    question = load_simulation(task, load_robot(robot, values), held)
    if integrator is not None and "step" in question.arguments and integrator in ("dop853", "rk45", "radau"):
        question = question.without("step")
    question = question.with_changes(
        duration=duration, integrator=integrator, step=step, rtol=rtol, atol=atol, limits=limits,
        restitution=restitution, seed=seed, samples=samples, gravity=False if no_gravity else None,
    )  # fmt: skip
    origin = target.provenance
    with Progress("simulate") as progress:
        try:
            run = question.simulate(progress=progress, check=False if no_check else check_with or True)
        except BlowUpError as error:
            if error.partial is not None:
                files = _files(error.partial, figures, history, film, progress, origin)
                folder.write(error.partial, files, origin)
            if folder.names and target.form != "json":
                print(f"{folder.wrote}, of the run until it blew up")
            if folder.problem is not None:
                remark("error", str(folder.problem) or "interrupted")
            raise
        progress("conditions")
        note = _interrupted(run, check=not no_check)
        try:
            _ = run.conditions
        except KeyboardInterrupt:
            run = replace(run, tells_conditions=False)
            note = note or "the whole run is kept, without the conditions of its controller"
        shown = run if target.form == "json" else run.excerpt(table)
        text = target.text(shown, decimals=decimals, degrees=degrees or question.degrees)
        folder.write(run, _files(run, figures, history, film, progress, origin), origin)
    target.write(text, f"simulation of {run.robot.name}")
    film.write(partial(run.animate, provenance=origin), f"film of {run.robot.name}", target.form == "json")
    folder.close(target.form == "json", note)


def _interrupted(run: Simulation, check: bool) -> str:
    """What Ctrl-C left of a run; empty where it came to its end."""
    from dynamis.simulation.simulate import INTERRUPTED

    if run.ended.startswith(INTERRUPTED):
        return f"the run until t = {run.times[-1]:.6g} s is kept"
    if check and (run.accuracy is None or run.accuracy.ended.startswith(INTERRUPTED)):
        return "the whole run is kept, but the second run that checks it was not finished"
    return ""


def _files(
    run: Simulation, figures: str, history: str, film: FilmTarget, progress: Progress, origin: Provenance
) -> Iterator[File]:
    """The files of a run but its summaries, each made when the one before it is written."""
    yield from result_files(run, figures, history, progress, origin)
    yield from film.files(partial(run.animate, provenance=origin), progress)
