"""`dynamis report`: all about a robot, and a motion of it, in one file that computes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dynamis.cli.completion import completed
from dynamis.cli.options import ForceOption, JsonOption, RobotArgument, SetOption, load_robot
from dynamis.cli.output import PAGES, PageTarget, check_page
from dynamis.cli.terminal import Progress, warnings_so_far


def command(
    robot: RobotArgument,
    task: Annotated[
        Path | None,
        typer.Argument(
            metavar="[TASK]", help="A .toml file or a shipped task: its motion.", autocompletion=completed("task")
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write: .html, .pdf, .ipynb or .md.")
    ] = Path("report.html"),
    force: ForceOption = False,
    values: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a report that computes: one file with the robot, its model under sliders, its equations, its motion.

    The HTML page holds the model as WebAssembly: torques, M, C, g, reactions and energies follow sliders for positions,
    payload, masses, lengths and gravity, without a network. PDF, notebook and Markdown tell the same on paper.
    """
    from dynamis.apps.live.report import check_format, report
    from dynamis.motion.tasks.task import load_task

    check_format(output)
    check_page(output, force)
    target = PageTarget(PAGES.get(output.suffix.lower(), "notebook"), output, {"robot": robot, "task": task})
    arm = load_robot(robot, values)
    with Progress("report") as progress:
        result = report(arm, None if task is None else load_task(task, arm), progress=progress)
        progress("the page")
        if target.form == "html":
            text = result.page("html", provenance=target.provenance, warnings=warnings_so_far())
        elif target.form == "notebook":
            text = result.notebook(target.provenance)
        else:
            text = target.text(result)
    target.write(text, result.document().title, quiet=as_json)
    if as_json:
        told = PageTarget("json", None, target.inputs)
        told.write(told.text(result), "")
