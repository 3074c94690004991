"""`dynamis sweep`: the largest torques over a workspace, and other values of millions of states."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynamis.base.writing import make_folder
from dynamis.cli.completion import completed
from dynamis.cli.ending import end_interrupted
from dynamis.cli.options import (
    DecimalsOption,
    FiguresOption,
    FolderOption,
    ForceOption,
    FormatOption,
    JsonOption,
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
    File,
    OutputFolder,
    check_formats,
    figure_format,
    folder_and_page,
    page_target,
    result_files,
)
from dynamis.cli.terminal import Progress, warnings_so_far

if TYPE_CHECKING:
    from dynamis.base.provenance import Provenance
    from dynamis.telling.result import Result


def command(
    robot: RobotArgument,
    task: Annotated[
        Path,
        typer.Argument(
            metavar="SWEEP",
            help="A .toml file (docs/sweeps.md), or a shipped sweep's name.",
            autocompletion=completed("sweep"),
        ),
    ],
    output: FolderOption = None,
    page: FormatOption = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Only say how many states there are, how long they take and how much room."),
    ] = False,
    bracket: Annotated[
        bool,
        typer.Option(
            "--bracket",
            help="Certified bounds beside the largest and the least values over the whole box, as [bracket] in a file.",
        ),
    ] = False,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; as many as there are cores if left out.")] = None,
    payload: PayloadOption = None,
    payload_com: PayloadComOption = None,
    payload_inertia: PayloadInertiaOption = None,
    table: Annotated[
        str,
        typer.Option(
            help="Table to print: all, values, argpeak, argmax, argmin, limiting-joint, reached, brackets or words."
        ),
    ] = "all",
    decimals: DecimalsOption = 3,
    figures: FiguresOption = None,
    force: ForceOption = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Sweep a robot over millions of states: largest values and the states that had them, shares, and maps.

    States are drawn from ranges of positions, velocities, loads and parameters, and reduced as they are made. The
    sweeps torque-map, payload-map, reach-map and bearing-map are maps of any robot; a file may also ask for tolerance
    bands of a motion, certified bounds, or a search of designs. With -o FOLDER the data are written as sweep.nc, with
    -o FILE.html a page. Ctrl-C keeps what is done beside it, and the same command goes on from there.
    """
    from dynamis.apps.sweeps.maps.workspace_map import WorkspaceMap
    from dynamis.apps.sweeps.stores import partial_store
    from dynamis.apps.sweeps.sweep_file import TABLES, Study, load_sweep

    place, file = folder_and_page(output)
    figures = figure_format(place, figures)
    check_formats(place, (FIGURE, figures, FIGURES), ("table", table, TABLES))
    target = page_target(page, as_json, file, force, robot=robot, task=task)
    folder = OutputFolder(place, "sweep", force)
    held = payload_of(payload, payload_com, payload_inertia)
    sweep = load_sweep(task, load_robot(robot, values), held, bracket)
    if explain:
        plan = sweep.explain()
        target.write(target.text(plan, decimals=decimals), f"plan of a sweep of {plan.robot}")
        return
    kept = None if place is None or isinstance(sweep, Study) else partial_store(place)
    if kept is not None:
        make_folder(kept.parent)
    with Progress("sweep") as progress:
        if isinstance(sweep, Study):
            progress("computing")
            result = sweep.run(lambda done, all: progress(f"{done:,} of {all:,} {sweep.steps}"))
        else:
            try:
                data = sweep.run(
                    kept=kept, threads=threads, progress=lambda done, all: progress(f"{done:,} of {all:,} states")
                )
            except KeyboardInterrupt:
                if kept is None or not kept.exists():
                    raise
                progress.clear()
                end_interrupted(f"what is done is kept in {kept}; the same command goes on from there")
            result = sweep.report(data)
        folder.write(result, _files(result, figures, progress, target.provenance), target.provenance)
    if isinstance(result, WorkspaceMap) and target.form == "html" and table == "all":
        text = result.page("html", provenance=target.provenance, warnings=warnings_so_far())
    else:
        text = target.text(result if target.form == "json" else result.excerpt(table), decimals=decimals)
    owner = sweep.robot if isinstance(sweep, Study) else sweep.parts.robot
    target.write(text, f"sweep of {owner.name}")
    if kept is not None and folder.problem is None:
        kept.unlink(missing_ok=True)
    folder.close(target.form == "json")


def _files(result: Result, figures: str, progress: Progress, origin: Provenance) -> Iterator[File]:
    from dynamis.apps.sweeps.stores import write_netcdf

    data: Any = getattr(result, "data", None)
    if data is not None:
        yield "sweep.nc", lambda path: write_netcdf(data, path)
    series = "csv" if result.document().columns is not None else "none"
    yield from result_files(result, figures, series, progress, origin, "sweep")
