"""`dynamis lint`: the usual mistakes in a robot's data."""

from __future__ import annotations

import warnings

import typer

from dynamis.cli.options import (
    ForceOption,
    FormatOption,
    JsonOption,
    OutputOption,
    RobotArgument,
    SetOption,
    load_robot,
)
from dynamis.cli.output import page_target


def command(
    robot: RobotArgument,
    values: SetOption = None,
    page: FormatOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Check a robot and guess the usual mistakes. Exit code 0: clean, 1: findings, 2: it cannot be read."""
    from dynamis.base.errors import UnphysicalWarning
    from dynamis.telling.pages.lint import lint

    warnings.simplefilter("ignore", UnphysicalWarning)
    target = page_target(page, as_json, output, force, robot=robot)
    findings = lint(load_robot(robot, values))
    target.write(target.text(findings), f"findings in {findings.robot.name}")
    if findings:
        raise typer.Exit(1)
