"""`dynamis lint`: the usual mistakes in a robot's data."""

from __future__ import annotations

import warnings

import typer

from dynamis.cli.options import JsonOption, RobotArgument, SetOption, load_robot, print_json


def command(robot: RobotArgument, values: SetOption = None, as_json: JsonOption = False) -> None:
    """Check a robot and guess the usual mistakes. Exit code 0: clean, 1: findings, 2: it cannot be read."""
    from dynamis.errors import UnphysicalWarning
    from dynamis.quantities.findings import lint

    warnings.simplefilter("ignore", UnphysicalWarning)
    loaded = load_robot(robot, values)
    findings = lint(loaded)
    if as_json:
        print_json({
            "robot": loaded.name,
            "notes": list(loaded.notes),
            "findings": [{"link": f.link, "key": f.key, "message": f.message} for f in findings],
        })  # fmt: skip
    else:
        lines = [*(f"note: {note}" for note in loaded.notes), *(finding.message for finding in findings)]
        count = f"{len(findings)} finding{'s' * (len(findings) != 1)}"
        print(
            *(f"{robot}: {line}" for line in lines),
            f"{loaded.name}: {len(loaded.links)} links checked, {count}",
            sep="\n",
        )
    if findings:
        raise typer.Exit(1)
