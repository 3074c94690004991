"""What `dynamis robots` and `dynamis convert` tell of files: the shipped ones, and the one that was written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import shorten
from typing import Any

from dynamis.base.errors import name_list
from dynamis.library import estimates, exercises, load, robots
from dynamis.model.formats.body_file import BODIES, read_body_file
from dynamis.model.formats.urdf.write import without_a_place
from dynamis.robot import Robot
from dynamis.telling.blocks import Document, Table, Words
from dynamis.telling.pages.robot import joint_count
from dynamis.telling.result import Result


@dataclass(frozen=True)
class ShippedFiles(Result):
    """The robots, the exercises and the bodies that ship with dynamis; a body is its name and its description.

    `estimates` are robots whose numbers are estimates.
    """

    robots: tuple[Robot, ...]
    estimates: tuple[Robot, ...]
    exercises: tuple[Robot, ...]
    bodies: tuple[tuple[str, str], ...]

    def document(self) -> Document:
        """A table of each."""
        values = {r.name: "symbolic" if r.missing_values else "numeric" for r in self.robots}
        values |= {r.name: "estimated" for r in self.estimates}
        shipped = sorted((*self.robots, *self.estimates), key=lambda r: r.name)
        robots = ((r.name, kinds(r), values[r.name], first_sentence(r.description)) for r in shipped)
        solved = ((r.name, kinds(r), r.description) for r in self.exercises)
        return Document("", (
            Table(("robot", "joints", "values", "description"), tuple(robots)),
            Table(("exercise", "joints", "description"), tuple(solved)),
            Table(("body", "description"), tuple((name, first_sentence(text)) for name, text in self.bodies)),
            Words(("A robot with symbolic values needs numbers before it can compute: --set NAME=VALUE.",)),
            Words(("Estimated values are our own, without a source.",)),
        ), data=self._data)  # fmt: skip

    def _data(self) -> dict[str, Any]:
        return {
            "robots": [
                {
                    "name": r.name, "joints": len(r.joints), "coordinates": r.n, "kinds": [j.kind for j in r.joints],
                    "numeric": not r.missing_values, "estimated": r in self.estimates,
                    "description": r.description, "source": r.source,
                }
                for r in (*self.robots, *self.estimates)
            ],
            "exercises": [
                {"name": r.name, "joints": len(r.joints), "description": r.description} for r in self.exercises
            ],
            "bodies": [{"name": name, "description": text} for name, text in self.bodies],
        }  # fmt: skip


def shipped_files() -> ShippedFiles:
    """All that ships."""
    bodies = tuple((name, read_body_file(name).description) for name in BODIES.names())
    own, estimated, solved = (tuple(map(load, names())) for names in (robots, estimates, exercises))
    return ShippedFiles(own, estimated, solved, bodies)


def kinds(robot: Robot) -> str:
    """`RRPRRR`, as robot people write it; `RRRR (2 independent)` where joints are coupled."""
    letters = "".join("P" if joint.kind == "prismatic" else "R" for joint in robot.joints)
    return f"{letters} ({robot.n} independent)" if robot.coupled else letters


def first_sentence(text: str) -> str:
    """What stands before the first full stop, in one line; `dynamis show` has the rest."""
    return shorten(text.split(". ")[0].rstrip("."), 90, placeholder=" ...")


@dataclass(frozen=True)
class Conversion(Result):
    """A robot, and the file that it was written to."""

    robot: Robot
    file: Path

    @property
    def title(self) -> str:
        """`puma560, 6 joints`; and what the file holds in comments alone."""
        lost = dict.fromkeys(key for joint in self.robot.joints for key in without_a_place(joint))
        lost = lost if self.file.suffix.lower() == ".urdf" else {}
        said = f"; a URDF has no place for {name_list(lost)} but comments, a .toml has" if lost else ""
        return f"{self.robot.name}, {joint_count(self.robot)}{said}"

    def document(self) -> Document:
        """Its name and its joints."""
        data = {"file": str(self.file), "robot": self.robot.name, "joints": len(self.robot.joints)}
        return Document("", (Words((self.title,)),), data=lambda: data)
