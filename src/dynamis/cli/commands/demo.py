"""`dynamis demo`: a little of each document, our numbers beside the printed ones."""

from __future__ import annotations

import typer

from dynamis.cli.options import JsonOption
from dynamis.cli.output import print_result


def command(as_json: JsonOption = False) -> None:
    """A little of each of the five documents; all printed numbers of the ten exercises are compared."""
    from dynamis.readings.demo import demo

    result = demo()
    print_result(result, as_json, most=80, notation="deluca")
    if not result.right:
        raise typer.Exit(1)
