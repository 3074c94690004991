"""An exercise's results beside those that its document prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dynamis.document.tables import fixed, text_table
from dynamis.formats.robot_file.joint_table import Exercise
from dynamis.quantities.reactions import Reactions
from dynamis.robot import Robot

NAMES = ("tau", "fx [N]", "fy [N]", "fz [N]", "nx [N m]", "ny [N m]", "nz [N m]")


@dataclass(frozen=True)
class Comparison:
    """Computed and printed rows (tau and six reactions a joint), and how many numbers agree."""

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

    def as_dict(self) -> dict[str, Any]:
        robot = self.exercise.robot
        return {
            "name": robot.name, "description": robot.description, "gravity": self.exercise.gravity,
            "computed": self.computed, "printed": self.printed, "agree": self.agree, "numbers": self.total,
        }  # fmt: skip


def same(computed: float, printed: float) -> bool:
    """Equal in the two decimals that the document prints, the sign of zero aside."""
    return float(fixed(computed)) == float(fixed(printed))


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


def comparison_table(found: Comparison) -> str:
    """One row computed and one printed a joint; a star marks a number that differs."""
    robot = found.exercise.robot
    rows: list[list[str]] = []
    for k, link in enumerate(robot.links):
        joint, ours, theirs = link.joint, found.computed[k], found.printed[k]
        marks = [
            "*" if x is not None and y is not None and not same(x, y) else "" for x, y in zip(ours, theirs, strict=True)
        ]
        rows.append(
            [str(k + 1), joint.kind, "computed", *(_cell(x) + m for x, m in zip(ours, marks, strict=True)), joint.unit]
        )
        rows.append(["", "", "printed", *map(_cell, theirs), ""])
    gravity = "with gravity" if found.exercise.gravity else "without gravity"
    title = f"{robot.name} ({gravity}): {found.agree} of {found.total} printed numbers agree"
    header = ["joint", "kind", "", *NAMES, ""]
    return f"{title}\n{robot.description}\n{text_table(header, rows, left=3)}"


def _rows(robot: Robot, tau: list[Any], wrench: list[Any]) -> list[list[float | None]]:
    torques = iter(tau)
    return [[next(torques) if k.joint.moves else None, *six] for k, six in zip(robot.links, wrench, strict=True)]


def _cell(value: float | None) -> str:
    return "" if value is None else fixed(value)
