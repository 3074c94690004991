"""Loads: forces and moments that act on links from outside.

A force acts on a link at a point; a moment acts on a link. The vectors are in world or link axes,
the point is in the link frame or in world coordinates. A tool wrench acts at the tool frame and
says in words who exerts it. Components are numbers or expressions; in the equations of motion (`robot.equations`) they
may be symbols, which need no value.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast, get_args

from dynamis.base.errors import ArgumentError, MissingValuesError, UnknownNameError, literal
from dynamis.base.expressions.expression import ZERO, Expression, alone
from dynamis.model.checks import warned_already
from dynamis.model.fields import coerce
from dynamis.model.map_expressions import Site, expressions_in
from dynamis.model.placement import triple
from dynamis.scalars.floats import number

if TYPE_CHECKING:
    from dynamis.model.robot import Frame, RobotModel

M = TypeVar("M", bound="RobotModel")

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

    def __str__(self) -> str:
        """In the words that `parse_load` reads."""
        at = {"point": self.point, "point_in": self.point_in} if self.point != _NOTHING else {}
        return _text(link=self.link, force=self.vector, axes=self.axes, **at)


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment [N m] on a link, in `axes`."""

    link: str
    vector: Triple
    axes: Axes = "world"

    def __post_init__(self) -> None:
        _triples(self, "vector")
        _one_of(self, axes=Axes)

    def __str__(self) -> str:
        """In the words that `parse_load` reads."""
        return _text(link=self.link, moment=self.vector, axes=self.axes)


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

    def __str__(self) -> str:
        """In the words that `parse_load` reads."""
        parts = {"force": self.force, "moment": self.moment}
        parts = {key: value for key, value in parts.items() if value != _NOTHING} or {"force": self.force}
        return f"tool {_text(**parts, axes=self.axes, direction=self.direction)}"


Load = Force | Moment | ToolWrench


def _text(**parts: str | Triple) -> str:
    """The words of a load, a name with spaces in quotes.

    >>> print(Force("upper arm", ("fx", 0, -10), point=(0.1, 0, 0)))
    link='upper arm' force=fx,0,-10 axes=world point=0.1,0,0 point_in=link
    """
    words = (value if isinstance(value, str) else ",".join(map(str, value)) for value in parts.values())
    return " ".join(
        f"{key}={shlex.quote(word) if ' ' in word else word}" for key, word in zip(parts, words, strict=True)
    )


LOAD_FIELDS: dict[type[Load], dict[str, str]] = {
    Force: {"vector": "N", "point": "m"}, Moment: {"vector": "N m"}, ToolWrench: {"force": "N", "moment": "N m"},
}  # fmt: skip
"""The triples of each kind of load, with their units."""


def frame_of(robot: RobotModel, load: Load) -> Frame:
    """The frame that a load acts on: that of its link, or the tool."""
    if not isinstance(load, ToolWrench):
        return robot.body_frame(load.link)
    if robot.tool is None or robot.tool.link == robot.base:
        raise ArgumentError(f'robot "{robot.name}" has no tool; give it one with robot.with_tool(placement, link)')
    return robot.tool


def check_loads(robot: RobotModel, loads: Any) -> None:
    """Every load is one, and its expressions are finite numbers with the values of the robot."""
    for k, load in _number_loads(loads):
        if not isinstance(load, ToolWrench):
            robot.body_frame(load.link)
        for entry in (site.expression for site in expressions_in(load)):
            for name in sorted(entry.parameters()):
                if name not in robot.parameters:
                    raise UnknownNameError("parameter", name, robot.parameters, within=f"load {k}", key="loads")
            if number(entry, robot.values, robot.name) is None:
                raise MissingValuesError(robot.name, [p for p in sorted(entry.parameters()) if p not in robot.values])


def with_load_symbols(robot: M, loads: Any) -> M:
    """The robot with the symbols of its loads among its parameters, each with its meaning and its unit.

    >>> from dynamis import load
    >>> arm = with_load_symbols(load("deluca-2r"), [Force("link2", ("fx", "-2*m2*g0", 0))])
    >>> arm.parameters["fx"]
    'force on link2 along x [N]'
    """
    new: dict[str, str] = {}
    symbols = robot.used_parameters()
    for k, load in _number_loads(loads):
        frame_of(robot, load)
        for site in expressions_in(load):
            unit, terms = LOAD_FIELDS[type(load)][str(site.path[0])], set(alone(site.expression))
            for name in sorted(site.expression.parameters()):
                kind = "joint" if any(name == joint.name for joint in robot.joints) else "parameter"
                if kind == "joint" or (name in symbols and name in terms and unit != "m"):
                    meaning = robot.parameters.get(name, "")
                    raise ArgumentError(
                        f'load {k}: "{name}" is a {kind} of robot "{robot.name}"{f" ({meaning})" if meaning else ""}, '
                        f"not a {_WHAT[unit]}; give the {_WHAT[unit]} a symbol of its own",
                        key="loads",
                    )
                if name not in robot.parameters:
                    new.setdefault(name, _meaning(k, load, site) if name in terms else f"symbol of load {k}")
    if not new:
        return robot
    with warned_already():
        return replace(robot, parameters={**robot.parameters, **new})


_WHAT = {"N": "force", "N m": "moment", "m": "point"}


def _meaning(k: int, load: Load, site: Site) -> str:
    """What a symbol that is a component of a load stands for, with its unit."""
    field, axis = str(site.path[0]), "xyz"[int(site.path[1])]
    on = "at the tool" if isinstance(load, ToolWrench) else f"on {load.link}"
    return {
        "N": f"force {on} along {axis} [N]",
        "N m": f"moment {on} about {axis} [N m]",
        "m": f"{axis} of the point of load {k} [m]",
    }[LOAD_FIELDS[type(load)][field]]


def _number_loads(loads: Any) -> Iterator[tuple[int, Load]]:
    """The loads, counted from 1; an error for what is not one."""
    if isinstance(loads, Load):
        raise ArgumentError("loads must be a list of loads, got one load: write [load]", key="loads")
    if not isinstance(loads, Sequence) or isinstance(loads, str | bytes):  # a generator would be spent here
        raise ArgumentError(f"loads must be a list of loads, got {literal(loads)}", key="loads")
    for k, load in enumerate(cast("Sequence[Any]", loads), 1):
        if not isinstance(load, Load):
            raise ArgumentError(f"load {k} must be a Force, a Moment or a ToolWrench, got {literal(load)}", key="loads")
        yield k, load


def _triples(load: Any, *fields: str) -> None:
    coerce(load, **{field: triple(getattr(load, field), field) for field in fields})


def _one_of(load: Any, **choices: Any) -> None:
    for field, choice in choices.items():
        if str(getattr(load, field)) not in get_args(choice):
            raise UnknownNameError(f"value of {field}", str(getattr(load, field)), get_args(choice), key=field)
