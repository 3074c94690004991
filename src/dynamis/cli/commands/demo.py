"""`dynamis demo`: the ten Genova exercises, our numbers beside the printed ones."""

from __future__ import annotations

import warnings

import typer

from dynamis.cli.options import JsonOption


def command(as_json: JsonOption = False) -> None:
    """Run the ten exercises of the Genova report and compare every printed number."""
    from dynamis.errors import UnphysicalWarning
    from dynamis.formats.robot_file.joint_table import Exercise
    from dynamis.library import exercises, read
    from dynamis.single_states.exercises import Comparisons, compare

    warnings.simplefilter("ignore", UnphysicalWarning)
    shipped = (read(name) for name in exercises())
    comparisons = Comparisons(tuple(compare(exercise) for exercise in shipped if isinstance(exercise, Exercise)))
    print(comparisons.to_json() if as_json else comparisons)
    if comparisons.agree != comparisons.total:
        raise typer.Exit(1)
