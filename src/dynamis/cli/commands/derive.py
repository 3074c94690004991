"""`dynamis derive`: the equations of motion, step by step, on a page."""

from __future__ import annotations

from typing import Any

from dynamis.cli.ending import fail
from dynamis.cli.output import PageTarget
from dynamis.cli.verb_command import PageCommand, Values
from dynamis.exact.derive import Derive


class DeriveCommand(PageCommand):
    """A model too large for its time or memory shows what is finished."""

    verb = Derive
    more_help = "Values given with --set are exact numbers. If something is missing, the exit code is 2."
    outputs = ("notation", "digits", "fragment", "width")
    inputs = ("robot", "notation")
    doing = "deriving"

    def prepare(self, values: Values, target: PageTarget) -> None:
        # A program wants the entry itself, not a form that is easy to read.
        values["whole"] = values["whole"] or (bool(values["only"]) and target.form == "json")

    def rendering(self, question: Any, values: Values) -> dict[str, Any]:
        return {**super().rendering(question, values), "whole": question.whole}

    def title(self, result: Any) -> str:
        return result.title

    def end(self, result: Any) -> None:
        if result.stopped:
            fail(result.stopped)


command = DeriveCommand().command
