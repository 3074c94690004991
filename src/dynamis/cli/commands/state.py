"""`dynamis state`: all that can be said of a robot in a state."""

from __future__ import annotations

from typing import Any

from dynamis.cli.verb_command import STATE, PageCommand
from dynamis.motion.single_states.state import State


class StateCommand(PageCommand):
    """Parts in the width of a page."""

    verb = State
    more_help = STATE
    outputs = ("decimals", "fragment", "width")
    inputs = ("robot", "state")
    most = 80

    def title(self, result: Any) -> str:
        return f"{result.question.robot.name}, {', '.join(result.parts)}"


command = StateCommand().command
