"""`dynamis prove`: the laws of a robot's equations, each with its proof."""

from __future__ import annotations

from typing import Any

import typer

from dynamis.cli.ending import fail
from dynamis.cli.verb_command import PageCommand
from dynamis.exact.prove import Prove


class ProveCommand(PageCommand):
    """A law that does not hold is an exit code."""

    verb = Prove
    more_help = (
        "Values given with --set are exact numbers. The exit code is 1 if a law does not hold, and 2 if time or memory "
        "did not suffice for all of them."
    )
    outputs = ("notation", "fragment")
    inputs = ("robot", "notation")
    doing = "proving"

    def title(self, result: Any) -> str:
        return f"proofs of {result.robot}"

    def end(self, result: Any) -> None:
        if result.stopped:
            fail(result.stopped)
        if not result.holds:
            raise typer.Exit(1)


command = ProveCommand().command
