"""`dynamis motion`: a task through a robot, and what every joint must give for it."""

from __future__ import annotations

from functools import cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from dynamis.cli.completion import completed
from dynamis.cli.film import FilmOption, film_target
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
    OutputFolder,
    check_formats,
    figure_format,
    folder_and_page,
    page_target,
    result_files,
)
from dynamis.cli.terminal import Progress, remark

SHIPPED = (
    "two-bar-reach (of bar-2r), puma-lift (of puma560), panda-line (of panda), niryo-lift (of niryo-one-estimated)"
)
DRAWN = 4001
"""Samples of the figures of what is not kept of a long motion: more than the pixels across a page."""


def command(
    robot: RobotArgument,
    task: Annotated[
        Path,
        typer.Argument(
            metavar="TASK",
            help=f"A .toml file (docs/torque-budget.md), or a shipped task: {SHIPPED}.",
            autocompletion=completed("task"),
        ),
    ],
    output: FolderOption = None,
    page: FormatOption = None,
    figures: FiguresOption = None,
    history: HistoryOption = "csv",
    animation: FilmOption = "none",
    samples: Annotated[
        int | None, typer.Option(min=2, max=10_000_000, help="Number of samples, instead of the file's.")
    ] = None,
    no_gravity: NoGravityOption = False,
    payload: PayloadOption = None,
    payload_com: PayloadComOption = None,
    payload_inertia: PayloadInertiaOption = None,
    table: Annotated[
        str,
        typer.Option(
            help="Table to print: all, sizing, motors, effects, shares, bearings, tool or causes.",
            autocompletion=completed("table of a motion"),
        ),
    ] = "all",
    decimals: DecimalsOption = 3,
    degrees: Annotated[bool, typer.Option("--degrees", help="Angles of the printed tables in degrees.")] = False,
    force: ForceOption = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """The torque budget of a motion: what every joint must give, when, and why.

    Torques by effect (inertial, centrifugal, Coriolis, gravity, friction, rotor, loads), by link and by parameter;
    peaks, RMS, speeds, powers, energies; the loads on the bearings; the motion of the tool.
    """
    from dataclasses import replace

    from dynamis.errors import ArgumentError
    from dynamis.motion.tasks.task import load_task
    from dynamis.motion.torque_budget.document import TABLES

    place, file = folder_and_page(output)
    figures = figure_format(place, figures)
    choices = (FIGURE, figures, FIGURES), ("format of samples", history, HISTORIES), ("table", table, TABLES)
    check_formats(place, *choices)
    film = film_target(animation, place, force)
    target = page_target(page, as_json, file, force, robot=robot, task=task)
    folder = OutputFolder(place, "budget", force)
    held = payload_of(payload, payload_com, payload_inertia)
    motion = load_task(task, load_robot(robot, values), held)
    motion = replace(motion, samples=samples or motion.samples, gravity=False if no_gravity else motion.gravity)
    coarse: list[str] = []
    with Progress("motion") as progress:
        budget = motion.budget(progress)
        text = target.text(
            budget if target.form == "json" else budget.excerpt(table),
            decimals=decimals,
            degrees=degrees or motion.degrees,
        )
        origin = target.provenance
        coarser = cache(replace(motion, samples=DRAWN).budget)

        def save(path: Path) -> None:
            """The film."""
            from dynamis.simulation.film import film

            film(motion.robot, motion.trajectory).save(path, origin)

        def draw(name: str) -> Any:
            """The figure; of what was not kept of a long motion, that of a coarser budget."""
            try:
                return budget.figure(name)
            except ArgumentError as error:
                if error.key != "keep" or len(budget.history.t) <= DRAWN:
                    raise
            coarse.append(name)
            return coarser().figure(name)

        files = result_files(budget, figures, history, progress, origin, draw=draw)
        folder.write(budget, chain(files, film.files(save, progress)), origin)
    target.write(text, f"torque budget of {budget.robot}")
    film.write(save, f"film of {budget.robot}", target.form == "json")
    if folder.names and figures != "none" and budget.tool is None:
        remark(
            "note",
            f'robot "{budget.robot}" has no tool, so there is no figure of its motion; '
            'name a frame in the task: frame = "..."',
        )
    if coarse:
        remark(
            "note",
            f"of {len(budget.history.t):,} samples the torques alone are kept (256 MB); "
            f"{', '.join(coarse)} are drawn from {DRAWN:,} samples",
        )
    folder.close(target.form == "json")
