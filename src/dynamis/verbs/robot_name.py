"""A robot by its name, with values of its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dynamis.base.verb import Declared
from dynamis.model.formats.robot_formats import usual_suffixes
from dynamis.verbs.kind import Given, Kind, Spelling
from dynamis.verbs.subject import Subject

if TYPE_CHECKING:
    from dynamis.robot import Robot

ROBOTS = "dynamis.library:robots dynamis.library:estimates dynamis.library:exercises"
ROBOT = Spelling(
    "robot", str, f"A shipped robot's name, or a {usual_suffixes()} file.", "ROBOT", ROBOTS, is_argument=True
)
VALUES = Spelling(
    "values", str, "Give a parameter a value, such as --set m1=2.5; may be repeated.", "NAME=VALUE",
    "dynamis.verbs.robot_name:parameters(robot)", repeated=True,
)  # fmt: skip


class RobotName(Kind):
    """A robot by its name."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return ROBOT, VALUES

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        return subject.robot

    def schema(self, x: Declared) -> dict[str, Any]:
        return {"type": "string"}


def parameters(robot: Robot) -> list[str]:
    """The parameters of a robot, each with the sign before its value."""
    return [f"{name}=" for name in robot.parameters]
