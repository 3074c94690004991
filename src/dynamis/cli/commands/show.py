"""`dynamis show`: a robot as tables, and as a drawing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dynamis.cli.output import PageTarget, check_output
from dynamis.cli.terminal import wrap_sentence
from dynamis.cli.verb_command import PageCommand, Values
from dynamis.motion.single_states.show import Show


class ShowCommand(PageCommand):
    """A drawing has a file of its own, besides its page."""

    verb = Show

    def prepare(self, values: Values, target: PageTarget) -> None:
        from dynamis.telling.drawing.drawing import drawing_suffix

        if values["figure"] is not None:
            figure = Path(values["figure"])
            drawing_suffix(figure)
            check_output(figure, values["force"])

    def rendering(self, question: Any, values: Values) -> dict[str, Any]:
        return {}

    def tell(self, question: Any, result: Any, text: str, target: PageTarget) -> None:
        from dynamis.base.writing import is_stream

        if question.figure is None:
            super().tell(question, result, text, target)
            return
        figure = Path(question.figure)
        result.save(figure, target.provenance)
        # A free body is told as a table too, which has the caption already.
        told = result.forces is not None and target.printed
        if told or not target.printed:
            super().tell(question, result, text, target)
        if not (is_stream(figure) or (target.form == "json" and target.output is None)):
            print(f"\nwrote {figure}" if told else wrap_sentence(f"wrote {figure}: {result.caption}"))

    def title(self, result: Any) -> str:
        return getattr(result, "caption", "") or result.robot.name


command = ShowCommand().command
