"""`dynamis check`: your own equations against the exact model."""

from __future__ import annotations

from typing import Any

import typer

from dynamis.apps.grading.check_answers import Check
from dynamis.cli.output import PageTarget
from dynamis.cli.verb_command import PageCommand


class CheckCommand(PageCommand):
    """One answer has a report of its own; the verdict is an exit code."""

    verb = Check
    more_help = "Exit code 0: right, 1: wrong or incomplete, 2: an answer cannot be judged."
    inputs = ("robot", "answer", "notation")

    def answer(self, question: Any, progress: Any) -> Any:
        result = super().answer(question, progress)
        if len(question.texts) > 1:
            return result
        for error in result.refused.values():
            raise error
        return next(iter(result.reports.values()))

    def rendering(self, question: Any, values: Any) -> dict[str, Any]:
        return {}

    def tell(self, question: Any, result: Any, text: str, target: PageTarget) -> None:
        target.write(text, f"{', '.join(question.texts)} against {question.robot.name}")

    def end(self, result: Any) -> None:
        code = 2 if getattr(result, "refused", ()) else 0 if result.right else 1
        if code:
            raise typer.Exit(code)


command = CheckCommand().command
