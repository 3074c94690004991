"""`dynamis lint`: the usual mistakes in a robot's data."""

from __future__ import annotations

import warnings

import typer

from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot


def command(robot: RobotArgument, values: SetOption = None, as_json: JsonOption = False) -> None:
    """Check a robot and guess the usual mistakes. Exit code 0: clean, 1: findings, 2: it cannot be read."""
    from dynamis.document.renderers.page import UNBROKEN
    from dynamis.errors import UnphysicalWarning
    from dynamis.model.lint import lint

    warnings.simplefilter("ignore", UnphysicalWarning)
    loaded = load_robot(robot, values)
    findings = lint(loaded)
    print(findings.page("json" if as_json else "text", width=UNBROKEN), end="")
    if findings:
        raise typer.Exit(1)
