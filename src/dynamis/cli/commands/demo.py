"""`dynamis demo`: a little of each document, our numbers beside the printed ones."""

from __future__ import annotations

import typer

from dynamis.cli.options import ForceOption, FormatOption, JsonOption, OutputOption
from dynamis.cli.output import page_target


def command(
    page: FormatOption = None, output: OutputOption = None, force: ForceOption = False, as_json: JsonOption = False
) -> None:
    """A little of each of the five documents; all printed numbers of the ten exercises are compared."""
    from dynamis.readings.demo import NOTATION, demo

    target = page_target(page, as_json, output, force)
    result = demo()
    target.write(target.text(result, most=80, notation=NOTATION), "a little of each document")
    if not result.right:
        raise typer.Exit(1)
