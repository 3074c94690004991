"""`dynamis simulate`: how a robot moves, from a file that says where it starts and what controls it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.cli.folder import FIGURE, FIGURES, HISTORIES, check_folder, writing
from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot, print_json
from dynamis.cli.progress import Progress

if TYPE_CHECKING:
    from dynamis.simulation.controllers.law import Condition
    from dynamis.simulation.result import Simulation

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it; what was computed is told all the same."""
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
    from dynamis.simulation.blow_up import BlowUpError
    from dynamis.simulation.task import load_simulation

    formats = (
        (FIGURE, figures, FIGURES),
        ("format of samples", history, HISTORIES),
        ("film", film, FILMS),
    )
    check_folder(output, force, *formats)
    asked = load_simulation(task, load_robot(robot, values))
    if integrator is not None and "step" in asked.arguments and integrator in ("dop853", "rk45", "radau"):
        asked = asked.without("step")
    asked = asked.with_changes(
        duration=duration, integrator=integrator, step=step, rtol=rtol, atol=atol, limits=limits,
        restitution=restitution, seed=seed, samples=samples, gravity=False if no_gravity else None,
    )  # fmt: skip
    with Progress("simulate") as progress:
        try:
            found = asked.run(progress, check=not no_check)
        except BlowUpError as error:
            if output is not None and error.partial is not None:
                names = _write(error.partial, [], output, figures, history, film, progress)
                if not as_json:
                    print(f"wrote {', '.join(names)} to {output}, of the run until it blew up")
            raise
        text = found.table(table, decimals)
        progress("conditions")
        conditions = asked.conditions()
        written = [] if output is None else _write(found, conditions, output, figures, history, film, progress)
    if as_json:
        print_json({**found.as_dict(), "conditions": _told(conditions)})
    else:
        print(text)
        if table == "all":
            print("\n" + "\n".join(found.sentences()))
            print(_listed(conditions), end="")
        if written:
            print(f"\nwrote {', '.join(written)} to {output}")
    if found.ended.startswith("interrupted"):
        raise typer.Exit(INTERRUPTED)


def _told(conditions: list[Condition]) -> list[dict[str, Any]]:
    return [{"claim": x.claim, "holds": x.holds, "detail": x.detail} for x in conditions]


def _listed(conditions: list[Condition]) -> str:
    if not conditions:
        return ""
    title = "Sufficient conditions (a loop may be stable without them)"
    about = "They are about control without loads, samples, limits of the motors and noise."
    lines = ["", title, *map(str, conditions), about]
    return "\n".join(lines) + "\n"


def _write(
    found: Simulation, conditions: list[Condition], folder: Path, figures: str, history: str, film: str,
    progress: Progress,
) -> list[str]:  # fmt: skip
    """All files of a run, by name."""
    from dynamis.report.figures import save
    from dynamis.report.series import json_text
    from dynamis.report.simulation_plots import KINDS

    names: list[str] = []
    with writing(folder):
        told = "\n".join(found.sentences()) + "\n" + _listed(conditions)
        (folder / "simulation.txt").write_text(f"{found.table()}\n\n{told}", "utf-8")
        json_text({**found.as_dict(), "conditions": _told(conditions)}, folder / "simulation.json")
        names += ["simulation.txt", "simulation.json"]
        if history != "none":
            progress(f"instants as {history}")
            (found.to_csv if history == "csv" else found.to_parquet)(folder / f"history.{history}")
            names.append(f"history.{history}")
        kinds = [kind for kind in KINDS if kind != "signals" or found.signals] if figures != "none" else []
        for k, kind in enumerate(kinds, 1):
            progress(f"figure {k}: {kind}")
            names.append(f"{k}-{kind}.{figures}")
            save(found.plot(kind), folder / names[-1])
        if film != "none":
            progress(f"film as {film}")
            names.append(f"film.{film}")
            found.animate(folder / names[-1])
    return names
