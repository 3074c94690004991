"""What `lint` finds, as a list that is a page too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from dynamis.base.errors import ArgumentError, literal, name_list
from dynamis.base.faces import option
from dynamis.model.lint import Finding, likely_mistakes
from dynamis.model.robot import RobotModel
from dynamis.telling.blocks import Document, Items, Note, Words
from dynamis.telling.result import Result

CHECKED = {"robot": "reach", "mass": "mass", "com": "CoM", "inertia": "inertia"}
"""Key of a finding -> what was checked, of the checks that need numbers."""


class Findings(list[Finding], Result):
    """The findings about a robot, as a list that is a page too, with the notes of the reader of its file."""

    def __init__(
        self, robot: RobotModel, findings: Iterable[Finding], left_out: Iterable[tuple[str, str]] = ()
    ) -> None:
        super().__init__(findings)
        self.robot = robot
        self.left_out = tuple(left_out)
        """(link, key) of what cannot be checked until parameters have values; the link of the robot's reach is ""."""

    @property
    def missing_values(self) -> tuple[str, ...]:
        """The parameters whose values are needed for what was left out."""
        needed = self.robot.used_parameters() if self.left_out else ()
        return tuple(name for name in self.robot.missing_values if name in needed)

    def document(self) -> Document:
        """The notes, the findings, how many there are, and what could not be checked."""
        count = f"{len(self)} finding{'s' * (len(self) != 1)}"
        links = len(self.robot.links)
        summary = f"{self.robot.name}: {links} link{'s' * (links != 1)} checked, {count}"
        notes = tuple(Note(note) for note in self.robot.notes)
        items = (Items(tuple(map(str, self))),) if self else ()
        unchecked = (Words(self._unchecked()),) if self.left_out else ()
        return Document("", (*notes, *items, Words((summary,)), *unchecked), data=self._data)

    def _unchecked(self) -> str:
        parts: list[str] = []
        for key, what in CHECKED.items():
            links = [link for link, other in self.left_out if other == key]
            some = f" of {name_list(links)}" if key != "robot" and len(links) < len(self.robot.links) else ""
            parts += [f"{what}{some}"] if links else []
        names = self.missing_values
        return (
            f"not checked, since {name_list(names)} {'have' if names[1:] else 'has'} no value: {', '.join(parts)}; "
            f"give values: {option('values', f'{names[0]}=...', 'robot.with_values')}"
        )

    def _data(self) -> dict[str, Any]:
        return {
            "robot": self.robot.name, "notes": list(self.robot.notes),
            "findings": [asdict(finding) for finding in self],
            "left_out": [{"link": link, "key": key} for link, key in self.left_out],
            "missing_values": list(self.missing_values),
        }  # fmt: skip


def lint(robot: RobotModel) -> Findings:
    """The likely mistakes of a robot, link by link, as far as its parameters have values."""
    if not isinstance(robot, RobotModel):  # type: ignore[redundant-expr]
        raise ArgumentError(
            f"robot must be a robot, such as dynamis.load(...) returns, got {literal(robot)}", key="robot"
        )
    return Findings(robot, *likely_mistakes(robot))
