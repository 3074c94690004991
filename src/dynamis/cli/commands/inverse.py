"""`dynamis inverse`: torques and joint reactions of a state under loads."""

from __future__ import annotations

from typing import Any

from dynamis.cli.output import PageTarget
from dynamis.cli.verb_command import STATE, PageCommand, Values
from dynamis.motion.single_states.inverse import Inverse


class InverseCommand(PageCommand):
    """Torques in a table."""

    verb = Inverse
    more_help = STATE
    outputs = ("decimals", "fragment")
    inputs = ("robot", "state")
    decimals = 2

    def prepare(self, values: Values, target: PageTarget) -> None:
        from dynamis.base.errors import ArgumentError

        if values["no_gravity"] and values["compare_gravity"]:
            raise ArgumentError("--no-gravity and --compare-gravity exclude each other")

    def title(self, result: Any) -> str:
        return f"torques of {result.robot.name}"


command = InverseCommand().command
