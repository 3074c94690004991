"""A robot by its name, with values of its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING
from typing import TYPE_CHECKING, Any

from dynamis.base.verb import Declared
from dynamis.model.formats.robot_formats import usual_suffixes
from dynamis.verbs.kind import Given, Hidden, Kind, Spelling
from dynamis.verbs.subject import Subject, pairs

if TYPE_CHECKING:
    from dynamis.robot import Robot

ROBOTS = "dynamis.library:robots dynamis.library:estimates dynamis.library:exercises"
ROBOT = Spelling(
    "robot", str, f"A shipped robot's name, or a {usual_suffixes()} file.", "ROBOT", ROBOTS, positional=True
)
VALUES = Spelling(
    "values", str, "Give a parameter a value, such as m1=2.5; may be repeated.", "NAME=VALUE",
    "dynamis.verbs.robot_name:parameters(robot)", repeated=True,
)  # fmt: skip


class RobotName(Kind):
    """A robot by its name."""

    def spellings(self, x: Declared, is_in_file: bool) -> tuple[Spelling, ...]:
        return ROBOT, VALUES

    is_text = False

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        return subject.robot

    def properties(self, x: Declared) -> dict[str, Any]:
        about = "a shipped robot's name, or the path of a file"
        values = "values of parameters of the robot, by name"
        return {
            "robot": {"type": "string", "description": about},
            "values": {
                "type": "object", "additionalProperties": {"type": ["number", "string"]}, "description": values
            },
        }  # fmt: skip

    def values_from_json(self, x: Declared, given: Given, subject: Subject) -> Mapping[str, Any]:
        return {x.name: subject.robot}


class Conditions(Hidden):
    """The values of parameters once more, as they are written."""

    def value(self, x: Declared, given: Given, subject: Subject) -> Any:
        return pairs(subject.values) or MISSING


def parameters(robot: Robot) -> list[str]:
    """The parameters of a robot, each with the sign before its value."""
    return [f"{name}=" for name in robot.parameters]
