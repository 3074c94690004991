"""`dynamis demo`: the ten Genova exercises, our numbers beside the printed ones."""

from __future__ import annotations

import warnings

import typer

from dynamis.cli.options import JsonOption, print_json


def command(as_json: JsonOption = False) -> None:
    """Run the ten exercises of the Genova report and compare every printed number."""
    from dynamis.cli.reports.demo import compare
    from dynamis.errors import UnphysicalWarning
    from dynamis.formats.robot_file.joint_table import Exercise
    from dynamis.library import exercises, read

    warnings.simplefilter("ignore", UnphysicalWarning)
    found = [compare(exercise) for name in exercises() if isinstance(exercise := read(name), Exercise)]
    agree, total = sum(c.agree for c in found), sum(c.total for c in found)
    if as_json:
        print_json({"exercises": [c.as_dict() for c in found], "agree": agree, "printed": total})
    else:
        for comparison in found:
            print(f"{comparison}\n")
        print(f"{agree} of {total} printed numbers agree to the last digit")
    if agree != total:
        raise typer.Exit(1)
