"""Loads: forces and moments that act on links from outside.

A force acts on a link at a point; a moment acts on a link. The vectors are in world or link axes,
the point is in the link frame or in world coordinates. A tool wrench acts at the tool frame and
says in words who exerts it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from dynamis.errors import ArgumentError, MissingValuesError, UnknownNameError, shown
from dynamis.expressions.expression import ZERO, Expression
from dynamis.model.fields import coerce
from dynamis.model.map_expressions import expressions_in
from dynamis.model.placement import triple
from dynamis.scalars.floats import number

if TYPE_CHECKING:
    from dynamis.model.robot import RobotModel

Axes = Literal["world", "link"]
ToolAxes = Literal["world", "tool"]
Direction = Literal["exerted_by_environment", "exerted_by_tool"]
Triple = tuple[Expression, Expression, Expression]
_NOTHING: Triple = (ZERO, ZERO, ZERO)


@dataclass(frozen=True, slots=True)
class Force:
    """A force [N] on a link, in `axes`, at `point` [m], which is in the link frame or the world.

    `link` may also be a named frame; "link" axes and points are then those of the frame.
    """

    link: str
    vector: Triple
    axes: Axes = "world"
    point: Triple = _NOTHING
    point_in: Axes = "link"

    def __post_init__(self) -> None:
        _triples(self, "vector", "point")
        _one_of(self, axes=Axes, point_in=Axes)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment [N m] on a link, in `axes`."""

    link: str
    vector: Triple
    axes: Axes = "world"

    def __post_init__(self) -> None:
        _triples(self, "vector")
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
        _triples(self, "force", "moment")
        _one_of(self, axes=ToolAxes, direction=Direction)


Load = Force | Moment | ToolWrench


def check_loads(robot: RobotModel, loads: Any) -> None:
    """Every load is one, and its expressions are finite numbers with the values of the robot."""
    if isinstance(loads, Load):
        raise ArgumentError("loads must be a list of loads, got one load: write [load]", key="loads")
    if not isinstance(loads, Sequence) or isinstance(loads, str | bytes):  # a generator would be spent here
        raise ArgumentError(f"loads must be a list of loads, got {shown(loads)}", key="loads")
    for k, load in enumerate(cast("Sequence[Any]", loads), 1):
        if not isinstance(load, Load):
            raise ArgumentError(f"load {k} must be a Force, a Moment or a ToolWrench, got {shown(load)}", key="loads")
        if not isinstance(load, ToolWrench):
            robot.body_frame(load.link)
        for entry in (site.expression for site in expressions_in(load)):
            for name in sorted(entry.parameters()):
                if name not in robot.parameters:
                    raise UnknownNameError("parameter", name, robot.parameters, within=f"load {k}", key="loads")
            if number(entry, robot.values, robot.name) is None:
                raise MissingValuesError(robot.name, [p for p in sorted(entry.parameters()) if p not in robot.values])


def _triples(load: Any, *fields: str) -> None:
    coerce(load, **{field: triple(getattr(load, field), field) for field in fields})


def _one_of(load: Any, **choices: Any) -> None:
    for field, choice in choices.items():
        if str(getattr(load, field)) not in get_args(choice):
            raise UnknownNameError(f"value of {field}", str(getattr(load, field)), get_args(choice), key=field)
