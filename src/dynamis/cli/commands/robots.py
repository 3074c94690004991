"""`dynamis robots`: what ships."""

from __future__ import annotations

import warnings

from dynamis.cli.options import ForceOption, FormatOption, JsonOption, OutputOption
from dynamis.cli.output import page_target


def command(
    page: FormatOption = None, output: OutputOption = None, force: ForceOption = False, as_json: JsonOption = False
) -> None:
    """List the robots, the exercises and the bodies that ship with dynamis."""
    from dynamis.base.errors import UnphysicalWarning
    from dynamis.cli.robot_files import shipped_files

    warnings.simplefilter("ignore", UnphysicalWarning)
    target = page_target(page, as_json, output, force)
    target.write(target.text(shipped_files(), most=200), "what ships with dynamis")
