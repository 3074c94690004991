"""A robot on one sheet: its description, and the transforms of its links and of its tool."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from dynamis.base.errors import DynamisError
from dynamis.base.faces import request
from dynamis.exact.derivations.robots.transforms import MANY_LINKS, direct_kinematics, link_transforms
from dynamis.exact.equations import Equations
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.blocks import Document, Equation, Figure, Items, Part, Section
from dynamis.telling.formula import Sym
from dynamis.telling.pages.robot import RobotDescription
from dynamis.telling.result import Result
from dynamis.telling.symbols import link_transform

if TYPE_CHECKING:
    from dynamis.telling.pictures.picture import Picture

TRANSFORM_SECONDS = 5.0
"""Time for the transforms [s]; those of shipped robots take some milliseconds."""


@dataclass(frozen=True)
class RobotSheet(Result):
    """A robot as it is shown."""

    robot: RobotModel
    drawn: bool = False
    """Whether pages that can show it begin with the drawing."""
    weightless: bool = False
    """Whether gravity is off, as in some exercises."""

    def document(self) -> Document:
        """Joints, links, frames, parameters; then the matrices, or how to see them."""
        description, transforms = RobotDescription(self.robot).document(), self._transforms()
        last = transforms or Items((f"transforms: {request('derive', self.robot.argument, only='A[1], T[0,1]')}",))

        def data() -> dict[str, Any]:
            return {**(description.data() if description.data else {}), "transforms": _matrices(transforms)}

        picture = (Figure("mechanism", self._picture, schematic=True),) if self.drawn else ()
        head, *rest = description.blocks
        off = (Items(("gravity is off in this exercise",)),) if self.weightless else ()
        return Document("", (head, *off, *picture, *rest, last), data=data)

    def _picture(self, *_: object) -> Picture:
        from dynamis.telling.drawing.draw import draw

        return draw(self.robot).picture

    def _transforms(self) -> Document | None:
        """Those of the links on their parents and on the base; None where they are many or there is no closed form."""
        if len(self.robot.links) > MANY_LINKS:
            return None
        model = Equations(self.robot, seconds=TRANSFORM_SECONDS)
        try:
            parents, base = (
                _without_introduction(make)
                for make in (link_transforms(model, steps=False), direct_kinematics(model, steps=False))
            )
        except DynamisError:
            return None  # a robot that has no closed form is shown all the same
        sections = Section("transforms of the links on their parents", parents), Section("transforms on the base", base)
        return Document("", tuple(section for section in sections if section.blocks), ring=model.ring)


def _without_introduction(parts: Iterator[Part]) -> tuple[Part, ...]:
    return tuple(parts)[1:]


def _matrices(document: Document | None) -> dict[str, list[list[str]]]:
    """The matrices by their names, such as A[1] and T[0,c2], with their entries as text."""
    sections = [block for block in document.blocks if isinstance(block, Section)] if document else []
    matrices: dict[str, list[list[str]]] = {}
    for equation in (part for section in sections for part in section.blocks if isinstance(part, Equation)):
        if isinstance(equation.left, Sym) and equation.right is not None:
            index, rows = equation.left.index, cast("list[list[Exact]]", equation.right)
            frames = index if equation.left.meaning == link_transform.meaning else f"0,{index[1:].lstrip(',')}"
            matrices[f"{equation.left.letter}[{frames}]"] = [[str(entry) for entry in row] for row in rows]
    return matrices
