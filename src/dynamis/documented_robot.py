"""A robot that tells of itself: its tables, where its pages come from, and the works that its methods follow."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from dynamis.document.references import References, references
from dynamis.formats.robot_formats import robot_text
from dynamis.mechanics.dynamics.missing_masses import missing_masses
from dynamis.model.description import RobotDescription
from dynamis.model.robot import RobotModel
from dynamis.provenance import Provenance, Source
from dynamis.quantities.robot_at_state import LONGEST_CHAIN_TO_FACTOR


class DocumentedRobot(RobotModel):
    """A model that prints itself."""

    def __str__(self) -> str:
        return str(RobotDescription(self))

    def _repr_html_(self) -> str:
        return RobotDescription(self).page("notebook").rstrip("\n")

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of its torques must know, on every page: links that move without mass.

        >>> import dynamis
        >>> dynamis.load("bar-2r").warnings
        ()
        """
        sentence = missing_masses(self)
        return (sentence,) if sentence else ()

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

    def references(self, *methods: str) -> References:
        """The works that methods follow, as text and, with `bibtex()`, as BibTeX.

        methods: names of quantities ("inverse_dynamics"), derivations ("newton-euler"), controllers ("slotine-li"),
            integrators ("rk45") and motions ("double-s"); without one, all. "forward_dynamics" is the algorithm that
            this robot takes.

        >>> import dynamis
        >>> [work.key for work in dynamis.load("puma560").references("forward_dynamics").works]
        ['walker1982', 'featherstone2008']
        """
        return references(*(forward_method(self) if str(name) == "forward_dynamics" else name for name in methods))


def forward_method(robot: RobotModel) -> str:
    """The algorithm of a robot's forward dynamics: a long chain takes articulated bodies, unless joints are coupled."""
    depth = {robot.base: 0}
    for link in robot.links:
        depth[link.name] = depth[link.parent] + link.joint.moves
    short = max(depth.values()) <= LONGEST_CHAIN_TO_FACTOR
    return "composite-bodies" if short or robot.coupled else "articulated-bodies"
