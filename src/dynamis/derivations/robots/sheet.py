"""A robot on one sheet: its description, and the transforms of its links where these are few and short."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dynamis.derivations.robots.transforms import link_transforms
from dynamis.document.blocks import Document, Equation, Figure, Items, Section
from dynamis.document.layout import wide
from dynamis.document.renderers.page import render
from dynamis.document.result import Result
from dynamis.equations.equations import Equations
from dynamis.errors import DynamisError
from dynamis.model.description import RobotDescription
from dynamis.model.robot import RobotModel

if TYPE_CHECKING:
    from dynamis.document.pictures.picture import Picture

MOST_LINKS, LINES, COLUMNS = 6, 40, 80
"""What transforms may take: six matrices of four rows, each below its chain of steps."""
SECONDS = 5.0
"""Time for them [s]; those of shipped robots take some milliseconds."""
TITLE = "transforms of the links on their parents"


@dataclass(frozen=True)
class RobotSheet(Result):
    """A robot as `dynamis show` tells it."""

    robot: RobotModel
    drawn: bool = False
    """Whether pages that can show it begin with the drawing."""

    def document(self) -> Document:
        """Joints, links, frames, parameters; then the matrices, or how to see them."""
        description = RobotDescription(self.robot).document()
        matrices = self._matrices()
        last = Items((f'{TITLE}: dynamis derive ROBOT --only "A"',)) if matrices is None else matrices
        picture = (Figure("mechanism", self._picture, schematic=True),) if self.drawn else ()
        head, *rest = description.blocks
        return Document("", (head, *picture, *rest, last), data=description.data)

    def _picture(self, *_: object) -> Picture:
        from dynamis.drawing.draw import draw

        return draw(self.robot).picture

    def _matrices(self) -> Document | None:
        """The matrices of the links on their parents; None where they are many or do not fit."""
        if len(self.robot.links) > MOST_LINKS:
            return None
        try:
            model = Equations(self.robot, seconds=SECONDS)
            matrices = tuple(part for part in link_transforms(model) if isinstance(part, Equation))
            document = Document("", (Section(TITLE, matrices),), ring=model.ring)
            lines = render(document, width=COLUMNS).splitlines()
        except DynamisError:
            return None  # a robot that has no closed form is shown all the same
        return document if 0 < len(lines) <= LINES and max(map(wide, lines)) <= COLUMNS else None
