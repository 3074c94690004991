"""A payload: the body that a robot holds in its tool frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from dynamis.base.arguments import number, real_values
from dynamis.base.display import Displayable
from dynamis.base.errors import ArgumentError, literal
from dynamis.model.checks import unphysical
from dynamis.model.inertia import Inertia
from dynamis.model.link import Link
from dynamis.model.loads import Force, Load, Moment, ToolWrench
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.floats import number as number_of

AnyRobot = TypeVar("AnyRobot", bound=RobotModel)


@dataclass(frozen=True)
class Payload(Displayable):
    """Mass [kg], CoM [m] in the tool frame, and inertia about the CoM [kg m^2]; a point mass without one.

    >>> Payload(6, (0, 0, 0.05))
    Payload(mass=6.0, com=(0.0, 0.0, 0.05))
    """

    mass: float
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inertia: Inertia | None = None

    def __post_init__(self) -> None:
        com = real_values("com", self.com)
        if com.shape != (3,) or not np.isfinite(com).all():
            raise ArgumentError(
                f"com of a payload must be three finite numbers x, y, z [m], got {literal(self.com)}", key="com"
            )
        if self.inertia is not None and not isinstance(self.inertia, Inertia):  # type: ignore[redundant-expr]
            raise ArgumentError("inertia must be a dynamis.Inertia, such as Inertia.of(xx=0.1, ...)", key="inertia")
        object.__setattr__(self, "mass", number("mass", self.mass, "kg", least=0))
        object.__setattr__(self, "com", tuple(com.tolist()))

    def __repr__(self) -> str:
        inertia = "" if self.inertia is None else f", inertia={self.inertia!r}"
        return f"Payload(mass={self.mass}, com={self.com}{inertia})"

    def held_by(self, robot: AnyRobot, name: str = "payload") -> AnyRobot:
        """The robot that holds it, as one more link on a fixed joint: its reaction is the grasp."""
        return robot.with_payload(repr(self.mass), [repr(x) for x in self.com], self.inertia, name)


def payload_words(robot: RobotModel) -> tuple[str, ...]:
    """What a robot holds in its tool frame: `payload 2 kg, CoM [0, 0, 0.05] m in the tool frame`; a link of its own."""
    tool = robot.tool
    held = [] if tool is None else [link for link in robot.links if _is_held(link, tool)]
    return tuple(_words(link, robot) for link in held if number_of(link.mass, robot.values) != 0)


def _is_held(link: Link, tool: Frame) -> bool:
    fixed = not link.joint.moves and link.joint.name == f"{link.name}_joint"
    return fixed and link.parent == tool.link and link.joint.before == tool.placement


def _words(link: Link, robot: RobotModel) -> str:
    mass, *com = (number_of(x, robot.values) for x in (link.mass, *link.com))
    values = [str(x) if value is None else f"{value:g}" for x, value in zip(link.com, com, strict=True)]
    what = f"{link.name} {f'{link.mass}' if mass is None else f'{mass:g}'} kg"
    where = f", CoM [{', '.join(values)}] m in the tool frame" if any(com) else " at the tool"
    return f"{what}{where}{f' ({place})' if (place := _place(robot)) else ''}"


def acting_words(robot: RobotModel, loads: Sequence[Load]) -> tuple[str, ...]:
    """What acts on a robot: its payload and its loads; a wrench at the tool says where that is."""
    place = _place(robot)
    ends = (f" ({place})" if place and isinstance(load, ToolWrench) else "" for load in loads)
    return (*payload_words(robot), *(f"{load}{end}" for load, end in zip(loads, ends, strict=True)))


def load_words(robot: RobotModel, load: Load, over_time: bool = False) -> str:
    """A load in words: `force [0, 0, -15] N at the tool, in world axes, exerted by the environment`.

    Where it changes in time, its vector is left out.
    """

    def vector(name: str, entries: Sequence[Any], unit: str) -> str:
        values = (f"{x:g}" if (x := number_of(entry, robot.values)) is not None else str(entry) for entry in entries)
        return f"{name} over time [{unit}]" if over_time else f"{name} [{', '.join(values)}] {unit}"

    match load:
        case ToolWrench():
            parts = [("force", load.force, "N"), ("moment", load.moment, "N m")]
            parts = [part for part in parts if over_time or any(str(x) != "0" for x in part[1])] or parts[:1]
            place = f" ({place})" if (place := _place(robot)) else ""
            who = load.direction.replace("_by_", " by the ")
            what = " and ".join(vector(*part) for part in parts)
            return f"{what} at the tool{place}, in {load.axes} axes, {who}"
        case Force():
            where = "its frame" if load.point_in == "link" else "the world frame"
            zero = all(str(x) == "0" for x in load.point)
            at = f"the origin of {where}" if zero else vector("", load.point, f"m in {where}").strip()
            return f"{vector('force', load.vector, 'N')} on {load.link} at {at}, in {load.axes} axes"
        case Moment():
            return f"{vector('moment', load.vector, 'N m')} on {load.link}, in {load.axes} axes"


def _place(robot: RobotModel) -> str:
    """The frame that the tool is: a named one, or that of a link; empty where the tool is a frame of its own."""
    tool = robot.tool
    if tool is None:
        return ""
    named = [frame.name for frame in robot.frames if (frame.link, frame.placement) == (tool.link, tool.placement)]
    return named[0] if named else "" if tool.placement.steps else f"the frame of {tool.link}"


def payload_from(mass: Any, com: Any = None, inertia: Any = None) -> Payload:
    """A payload of numbers as they are typed: `inertia` are xx, yy, zz, or xx, yy, zz, xy, xz, yz."""
    com = (0.0, 0.0, 0.0) if com is None else com
    if inertia is None:
        return Payload(mass, com)
    if len(inertia) not in (3, 6):
        raise ArgumentError(
            f"inertia of a payload must be xx, yy, zz or xx, yy, zz, xy, xz, yz [kg m^2], got {len(inertia)} values",
            key="inertia",
        )
    entries = dict(zip(("xx", "yy", "zz", "xy", "xz", "yz"), map(repr, inertia), strict=False))
    xx, yy, zz, xy, xz, yz = *map(float, inertia), *[0.0] * (6 - len(inertia))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if np.isfinite(tensor).all() and (problem := unphysical(tensor)):
        raise ArgumentError(f"inertia of a payload must be that of a body, but it {problem}", key="inertia")
    return Payload(mass, com, Inertia.of(**entries))
