"""Exercises, solved: torques and reactions of their state beside those that their document prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dynamis.base.errors import UnknownNameError
from dynamis.base.numbers import fixed_decimals
from dynamis.library import exercises, read
from dynamis.model.formats.robot_file.joint_table import Exercise
from dynamis.robot import Robot
from dynamis.telling.blocks import Column, Document, Section, Table, Words
from dynamis.telling.pages.reactions import Reactions
from dynamis.telling.result import Result

NAMES = (("tau", ""), *((f"f{axis}", "N") for axis in "xyz"), *((f"n{axis}", "N m") for axis in "xyz"))


@dataclass(frozen=True)
class Comparison(Result):
    """Computed and printed rows (tau and six reactions per joint), and how many numbers agree."""

    exercise: Exercise
    answer: Reactions
    computed: list[list[float | None]]
    printed: list[list[float | None]]

    @property
    def pairs(self) -> list[tuple[float, float]]:
        rows = zip(self.computed, self.printed, strict=True)
        cells = (pair for a, b in rows for pair in zip(a, b, strict=True))
        return [(x, y) for x, y in cells if x is not None and y is not None]

    @property
    def agree(self) -> int:
        return sum(same(x, y) for x, y in self.pairs)

    @property
    def total(self) -> int:
        return len(self.pairs)

    def document(self) -> Document:
        """Two rows per joint, computed and printed; a star marks a number that differs."""
        robot = self.exercise.robot
        rows: list[tuple[Any, ...]] = []
        for k, (link, ours, theirs) in enumerate(zip(robot.links, self.computed, self.printed, strict=True)):
            cells = [
                x if x is None or y is None or same(x, y) else f"{fixed_decimals(x)}*"
                for x, y in zip(ours, theirs, strict=True)
            ]
            rows.append((k + 1, link.joint.kind, "computed", cells[0], link.joint.unit, *cells[1:]))
            rows.append((None, "", "printed", theirs[0], "", *theirs[1:]))
        tau, *columns = (Column(name, unit, ".2f") for name, unit in NAMES)
        gravity = "with gravity" if self.exercise.gravity else "without gravity"
        title = f"{robot.name} ({gravity}): {self.agree} of {self.total} printed numbers agree"
        table = Table(("joint", "kind", "", tau, "unit", *columns), tuple(rows), keys=3, splits=(8,))
        return Document("", (Section(title, (Words((robot.description,)), table)),), data=self._data)

    def _data(self) -> dict[str, Any]:
        robot = self.exercise.robot
        return {
            "name": robot.name, "description": robot.description, "gravity": self.exercise.gravity,
            "computed": self.computed, "printed": self.printed, "agree": self.agree, "numbers": self.total,
        }  # fmt: skip


@dataclass(frozen=True)
class Comparisons(Result):
    """Several exercises, and how many of their printed numbers agree."""

    exercises: tuple[Comparison, ...]

    @property
    def agree(self) -> int:
        return sum(one.agree for one in self.exercises)

    @property
    def total(self) -> int:
        return sum(one.total for one in self.exercises)

    def document(self) -> Document:
        """Exercise after exercise, then the count."""
        blocks = [block for one in self.exercises for block in one.document().blocks]
        count = f"{self.agree} of {self.total} printed numbers agree to the last digit"
        return Document("", (*blocks, Words((count,))), data=self._data)

    def _data(self) -> dict[str, Any]:
        return {
            "exercises": [one.as_dict() for one in self.exercises], "agree": self.agree, "printed": self.total,
        }  # fmt: skip


def shipped_exercise(name: str) -> Exercise:
    """The exercise of this name."""
    exercise = read(name)
    if not isinstance(exercise, Exercise):
        raise UnknownNameError("exercise", name, exercises())
    return exercise


def same(computed: float, printed: float) -> bool:
    """Equal in the two decimals that the document prints, the sign of zero aside."""
    return float(fixed_decimals(computed)) == float(fixed_decimals(printed))


def compare(exercise: Exercise) -> Comparison:
    """Solve an exercise in its document's convention."""
    robot = Robot.from_model(exercise.robot)
    answer = robot.reactions(
        exercise.q, exercise.qd, exercise.qdd,
        loads=exercise.loads, gravity=exercise.gravity, convention="parent_tip",
    )  # fmt: skip
    n = len(robot.links)
    return Comparison(
        exercise, answer,
        _rows(robot, answer.tau.tolist(), answer.wrench.tolist()),
        _rows(robot, exercise.printed_tau or [None] * robot.n, exercise.printed_reactions or [[None] * 6] * n),
    )  # fmt: skip


def _rows(robot: Robot, tau: list[Any], wrench: list[Any]) -> list[list[float | None]]:
    torques = iter(tau)
    return [[next(torques) if k.joint.moves else None, *six] for k, six in zip(robot.links, wrench, strict=True)]
