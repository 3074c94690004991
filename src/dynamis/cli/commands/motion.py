"""`dynamis motion`: a task through a robot, and what every joint must give for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dynamis.cli.folder import FIGURE, FIGURES, HISTORIES, File, OutputFolder, check_formats
from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot
from dynamis.cli.progress import Progress

if TYPE_CHECKING:
    from dynamis.motion.torque_budget.result import TorqueBudget

SHIPPED = "two-bar-reach (of bar-2r), puma-lift (of puma560), panda-line (of panda)"
DRAWN = 4001
"""Samples of the figures of what is not kept of a long motion: more than the dots of a page."""


def command(
    robot: RobotArgument,
    task: Annotated[
        Path,
        typer.Argument(metavar="TASK", help=f"A .toml file (docs/torque-budget.md), or a shipped task: {SHIPPED}."),
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FOLDER", help="Write figures, tables, JSON and the samples there."),
    ] = None,
    figures: Annotated[str, typer.Option(help="Of the figures: png, pdf, svg or none.")] = "png",
    history: Annotated[str, typer.Option(help="Every sample as csv, parquet or none.")] = "csv",
    samples: Annotated[
        int | None, typer.Option(min=2, max=10_000_000, help="Instants looked at, instead of the file's.")
    ] = None,
    no_gravity: Annotated[bool, typer.Option("--no-gravity", help="Without gravity.")] = False,
    table: Annotated[str, typer.Option(help="all, sizing, effects, shares, bearings or tool.")] = "all",
    decimals: Annotated[int, typer.Option(min=0, max=15, help="Decimals in the tables.")] = 3,
    force: Annotated[bool, typer.Option("--force", help="Overwrite files in the folder.")] = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """The torque budget of a motion: what every joint must give, when, and why.

    Torques by effect (inertial, centrifugal, Coriolis, gravity, friction, rotor, loads), by link and by parameter;
    peaks, RMS, speeds, powers, energies; the loads on the bearings; the motion of the tool.
    """
    from dataclasses import replace

    from dynamis.motion.task import load_task
    from dynamis.motion.torque_budget.words import TABLES

    choices = (FIGURE, figures, FIGURES), ("format of samples", history, HISTORIES), ("table", table, TABLES)
    check_formats(output, *choices)
    folder = OutputFolder(output, "budget", force)
    asked = load_task(task, load_robot(robot, values))
    asked = replace(asked, samples=samples or asked.samples, gravity=False if no_gravity else asked.gravity)
    with Progress("motion") as progress:
        budget = asked.budget(progress)
        text = budget.table(table, decimals)
        coarse: list[str] = []
        if output is not None:
            drawn = replace(asked, samples=DRAWN).budget if len(budget.history.t) > DRAWN else None
            files = _files(budget, drawn, figures, history, progress, coarse)
            folder.write(files, f"{budget.table()}\n\n" + "\n".join(budget.sentences()) + "\n", budget.as_dict())
    if as_json:
        print(budget.to_json())
    else:
        print(text)
        if table == "all":
            print("\n" + "\n".join(budget.sentences(2)))
    if folder.names and figures != "none" and budget.tool is None:
        print(
            f'note: robot "{budget.robot}" has no tool, so there is no figure of its motion; '
            'name a frame in the task: frame = "..."',
            file=sys.stderr,
        )
    if coarse:
        print(
            f"note: of {len(budget.history.t):,} samples the torques alone are kept (256 MB); "
            f"{', '.join(coarse)} are drawn from {DRAWN:,} samples",
            file=sys.stderr,
        )
    folder.close(as_json)


def _files(
    budget: TorqueBudget, drawn: Callable[[], TorqueBudget] | None, figures: str, history: str, progress: Progress,
    coarse: list[str],
) -> Iterator[File]:  # fmt: skip
    """The files of a budget but its summaries, each when the one before it is written.

    Figures of what was not kept come from `drawn`, a coarser budget, and are added to `coarse`.
    """
    from dynamis.document.figure import save
    from dynamis.errors import ArgumentError
    from dynamis.motion.torque_budget.plots import KINDS

    coarser: TorqueBudget | None = None
    if history != "none":
        progress(f"samples as {history}")
        yield f"history.{history}", budget.to_csv if history == "csv" else budget.to_parquet
    for k, kind in enumerate(KINDS if figures != "none" else (), 1):
        if kind == "tool" and budget.tool is None:
            continue
        progress(f"figure {k}: {kind}")
        try:
            figure = budget.plot(kind)
        except ArgumentError as error:
            if error.key != "keep" or drawn is None:
                raise
            coarser = coarser or drawn()
            figure = coarser.plot(kind)
            coarse.append(kind)
        yield f"{k}-{kind}.{figures}", partial(save, figure)
