"""`dynamis robots`: what ships."""

from __future__ import annotations

import warnings

from dynamis.cli.options import JsonOption
from dynamis.cli.output import print_result


def command(as_json: JsonOption = False) -> None:
    """List the robots, the exercises and the bodies that ship with dynamis."""
    from dynamis.cli.robot_files import shipped_files
    from dynamis.errors import UnphysicalWarning

    warnings.simplefilter("ignore", UnphysicalWarning)
    shipped = shipped_files()
    print_result(shipped, as_json, most=200)
