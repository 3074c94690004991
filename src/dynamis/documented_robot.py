"""A robot that tells of itself: its tables, and where its pages come from."""

from __future__ import annotations

from pathlib import Path

from dynamis.formats.robot_formats import robot_text
from dynamis.model.description import RobotDescription
from dynamis.model.robot import RobotModel
from dynamis.provenance import Provenance, Source


class DocumentedRobot(RobotModel):
    """A model that prints itself."""

    def __str__(self) -> str:
        return str(RobotDescription(self))

    def _repr_html_(self) -> str:
        return RobotDescription(self).page("notebook").rstrip("\n")

    def provenance(self) -> Provenance:
        """Where pages of this robot come from, for `page(provenance=...)` of a result that does not have the robot.

        Its hash is that of the .toml file that `dynamis.save` writes, so that it tells robots apart that were made or
        changed in Python too.

        >>> import dynamis
        >>> [source.name for source in dynamis.load("bar-2r").provenance().sources]
        ['bar-2r.toml']
        """
        file = f"{self.name}.toml"
        return Provenance.now(Source.of_text("robot", file, robot_text(self, Path("robot.toml"))))
