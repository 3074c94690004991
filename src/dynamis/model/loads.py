"""Loads: forces and moments that act on links from outside.

A force acts on a link at a point; a moment acts on a link. The vectors are in world or link axes,
the point is in the link frame or in world coordinates. A tool wrench acts at the tool frame and
says in words who exerts it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from dynamis.errors import UnknownNameError
from dynamis.model.expression import ZERO, Expression
from dynamis.model.placement import triple

Axes = Literal["world", "link"]
ToolAxes = Literal["world", "tool"]
Direction = Literal["exerted_by_environment", "exerted_by_tool"]
Triple = tuple[Expression, Expression, Expression]
_NOTHING: Triple = (ZERO, ZERO, ZERO)


@dataclass(frozen=True, slots=True)
class Force:
    """A force [N] on a link, in `axes`, at `point` [m], which is in the link frame or the world."""

    link: str
    vector: Triple
    axes: Axes = "world"
    point: Triple = _NOTHING
    point_in: Axes = "link"

    def __post_init__(self) -> None:
        _coerce(self, "vector", "point")
        _one_of(self, axes=Axes, point_in=Axes)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment [N m] on a link, in `axes`."""

    link: str
    vector: Triple
    axes: Axes = "world"

    def __post_init__(self) -> None:
        _coerce(self, "vector")
        _one_of(self, axes=Axes)


@dataclass(frozen=True, slots=True)
class ToolWrench:
    """A force [N] and a moment [N m] at the origin of the tool frame.

    `direction` has no default: "exerted_by_environment" is a load on the robot,
    "exerted_by_tool" is what the robot does to its environment (Craig's f_n+1, n_n+1).
    """

    direction: Direction
    force: Triple = _NOTHING
    moment: Triple = _NOTHING
    axes: ToolAxes = "world"

    def __post_init__(self) -> None:
        _coerce(self, "force", "moment")
        _one_of(self, axes=ToolAxes, direction=Direction)


Load = Force | Moment | ToolWrench


def _coerce(load: Any, *fields: str) -> None:
    for field in fields:
        object.__setattr__(load, field, triple(getattr(load, field), field))


def _one_of(load: Any, **choices: Any) -> None:
    for field, choice in choices.items():
        if getattr(load, field) not in get_args(choice):
            raise UnknownNameError(f"value of {field}", str(getattr(load, field)), get_args(choice), key=field)
