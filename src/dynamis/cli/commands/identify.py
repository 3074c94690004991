"""`dynamis identify`: masses, inertias and friction of a robot from logs of its motion and its torques."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dynamis.apps.identification.identify import Identify
from dynamis.cli.verb_command import FolderCommand, Values

if TYPE_CHECKING:
    from dynamis.apps.identification.result import Identification
    from dynamis.base.provenance import Provenance
    from dynamis.cli.output import File
    from dynamis.cli.terminal import Progress
    from dynamis.robot import Robot


class IdentifyCommand(FolderCommand):
    """The identified robot is among the files."""

    verb = Identify
    more_help = "With -o the identified robot is written as robot.toml and robot.urdf."
    stem, series = "identification", "samples"
    decimals = None

    def inputs(self, values: Values) -> dict[str, Any]:
        given: list[list[Path] | None] = [values[key] for key in ("logs", "held_out", "loaded")]
        logs = [str(log) for some in given for log in some or []]
        return {"robot": values["robot"], "log": logs}

    def files(self, result: Identification, values: Values, progress: Progress, origin: Provenance) -> Iterator[File]:
        return chain(_robot_files(result.robot), super().files(result, values, progress, origin))

    def title(self, result: Identification) -> str:
        return f"identification of {result.given.name}"


def _robot_files(robot: Robot) -> Iterator[File]:
    from dynamis.base.writing import write_text
    from dynamis.library import file_text

    for name in ("robot.toml", "robot.urdf"):
        yield name, partial(write_text, text=file_text(robot, name))


command = IdentifyCommand().command
