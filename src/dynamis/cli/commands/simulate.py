"""`dynamis simulate`: how a robot moves, from a file that says where it starts and what controls it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.cli.folder import FIGURE, FIGURES, HISTORIES, File, OutputFolder, check_formats
from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot, print_json
from dynamis.cli.progress import Progress

if TYPE_CHECKING:
    from dynamis.simulation.controllers.law import Condition
    from dynamis.simulation.results.result import Simulation

FILMS = ("html", "gif", "mp4", "none")


def command(
    robot: RobotArgument,
    task: Annotated[
        Path, typer.Argument(metavar="TASK", help="A .toml file (docs/simulation.md), or a shipped simulation's name.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FOLDER", help="Write figures, tables, JSON, samples and a film there."),
    ] = None,
    duration: Annotated[float | None, typer.Option(metavar="SECONDS", help="Instead of the file's.")] = None,
    integrator: Annotated[str | None, typer.Option(help="dop853, rk45, radau, rk4 or symplectic.")] = None,
    step: Annotated[float | None, typer.Option(metavar="SECONDS", help="Of rk4 and symplectic.")] = None,
    rtol: Annotated[float | None, typer.Option(help="Of dop853, rk45 and radau.")] = None,
    atol: Annotated[float | None, typer.Option(help="Of dop853, rk45 and radau.")] = None,
    limits: Annotated[str | None, typer.Option(help="Of joints: stop, end or ignore.")] = None,
    restitution: Annotated[float | None, typer.Option(help="Of the stops: 0 takes all speed, 1 none.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Of the noise.")] = None,
    samples: Annotated[int | None, typer.Option(min=2, max=10_000_000, help="Instants kept.")] = None,
    no_gravity: Annotated[bool, typer.Option("--no-gravity", help="Without gravity.")] = False,
    no_check: Annotated[
        bool, typer.Option("--no-check", help="No second run that tells how long the first can be trusted.")
    ] = False,
    check_with: Annotated[
        str | None, typer.Option(metavar="INTEGRATOR", help="Integrator of the second run, if not the first one's.")
    ] = None,
    table: Annotated[str, typer.Option(help="all, summary, joints, energy or events.")] = "all",
    decimals: Annotated[int, typer.Option(min=0, max=15, help="Decimals in the tables.")] = 3,
    figures: Annotated[str, typer.Option(help="Of the figures: png, pdf, svg or none.")] = "png",
    history: Annotated[str, typer.Option(help="Every instant as csv, parquet or none.")] = "csv",
    film: Annotated[str, typer.Option(help="html, gif, mp4 (with ffmpeg) or none.")] = "html",
    force: Annotated[bool, typer.Option("--force", help="Overwrite files in the folder.")] = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """How a robot moves: free, under torques, or under a controller.

    Positions, velocities, torques, the energy balance, what happened on the way, and how long the result can be
    trusted. Of a controller it is told which sufficient conditions for its stability hold.
    """
    from dynamis.errors import ArgumentError
    from dynamis.simulation.results.blow_up import BlowUpError
    from dynamis.simulation.results.words import TABLES
    from dynamis.simulation.task import load_simulation

    choices = (FIGURE, figures, FIGURES), ("format of samples", history, HISTORIES), ("film", film, FILMS)
    check_formats(output, *choices, ("table", table, TABLES))
    if output is not None and film == "mp4":
        from dynamis.simulation.film.frames import check_ffmpeg

        check_ffmpeg()
    folder = OutputFolder(output, "simulation", force)
    if no_check and check_with:
        raise ArgumentError("--no-check and --check-with exclude each other")
    asked = load_simulation(task, load_robot(robot, values))
    if integrator is not None and "step" in asked.arguments and integrator in ("dop853", "rk45", "radau"):
        asked = asked.without("step")
    asked = asked.with_changes(
        duration=duration, integrator=integrator, step=step, rtol=rtol, atol=atol, limits=limits,
        restitution=restitution, seed=seed, samples=samples, gravity=False if no_gravity else None,
    )  # fmt: skip
    with Progress("simulate") as progress:
        try:
            found = asked.run(progress, check=False if no_check else check_with or True)
        except BlowUpError as error:
            if error.partial is not None:
                part = error.partial
                folder.write(_files(part, figures, history, film, progress), _page(part, []), _data(part, []))
            if folder.names and not as_json:
                print(f"{folder.wrote}, of the run until it blew up")
            if folder.problem is not None:
                print(f"error: {str(folder.problem) or 'interrupted'}", file=sys.stderr)
            raise
        text = found.table(table, decimals)
        progress("conditions")
        conditions: list[Condition] = []
        kept = _interrupted(found, check=not no_check)
        try:
            conditions = asked.conditions()
        except KeyboardInterrupt:
            kept = kept or "the whole run is kept, without the conditions of its controller"
        data = _data(found, conditions)
        folder.write(_files(found, figures, history, film, progress), _page(found, conditions), data)
    if as_json:
        print_json(data)
    else:
        print(text)
        if table == "all":
            print("\n" + "\n".join(found.sentences()))
            print(_listed(conditions), end="")
    folder.close(as_json, kept)


def _interrupted(found: Simulation, check: bool) -> str:
    """What Ctrl-C left of a run; empty where it came to its end."""
    from dynamis.simulation.simulate import INTERRUPTED

    if found.ended.startswith(INTERRUPTED):
        return f"the run until t = {found.times[-1]:.6g} s is kept"
    if check and (found.accuracy is None or found.accuracy.ended.startswith(INTERRUPTED)):
        return "the whole run is kept, but the second run that checks it was not finished"
    return ""


def _data(found: Simulation, conditions: list[Condition]) -> dict[str, Any]:
    told = [{"claim": x.claim, "holds": x.holds, "detail": x.detail} for x in conditions]
    return {**found.as_dict(), "conditions": told}


def _page(found: Simulation, conditions: list[Condition]) -> str:
    return f"{found.table()}\n\n" + "\n".join(found.sentences()) + "\n" + _listed(conditions)


def _listed(conditions: list[Condition]) -> str:
    if not conditions:
        return ""
    title = "Sufficient conditions (a loop may be stable without them)"
    about = "They are about control without loads, samples, limits of the motors and noise."
    lines = ["", title, *map(str, conditions), about]
    return "\n".join(lines) + "\n"


def _files(found: Simulation, figures: str, history: str, film: str, progress: Progress) -> Iterator[File]:
    """The files of a run but its summaries, each when the one before it is written."""
    from dynamis.document.figure import save
    from dynamis.simulation.results.plots import KINDS

    if history != "none":
        progress(f"instants as {history}")
        yield f"history.{history}", found.to_csv if history == "csv" else found.to_parquet
    kinds = [kind for kind in KINDS if kind != "signals" or found.signals] if figures != "none" else []
    for k, kind in enumerate(kinds, 1):
        progress(f"figure {k}: {kind}")
        yield f"{k}-{kind}.{figures}", partial(save, found.plot(kind))
    if film != "none":
        progress(f"film as {film}")
        yield f"film.{film}", found.animate
