"""`dynamis inertia`: mass, centre of mass and inertia of a body."""

from __future__ import annotations

from typing import Any

from dynamis.cli.output import PageTarget
from dynamis.cli.terminal import remark
from dynamis.cli.verb_command import PageCommand
from dynamis.exact.derivations.bodies.inertia import Inertia


class InertiaCommand(PageCommand):
    """What was not checked is a remark."""

    verb = Inertia
    more_help = "dynamis inertia cylinder radius=r height=h mass=m"
    outputs = ("fragment", "width")
    inputs = ("body",)

    def tell(self, question: Any, result: Any, text: str, target: PageTarget) -> None:
        for note in result.notes:
            remark("note", note)
        super().tell(question, result, text, target)

    def title(self, result: Any) -> str:
        return result.document().title


command = InertiaCommand().command
