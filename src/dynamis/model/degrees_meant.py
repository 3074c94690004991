"""Angles that are given in degrees where radians are read: fixed angles, limits of position and of velocity.

No robot needs a fixed angle of more than a turn, and none of the published ones that we read has a joint between 15 and
720 rad of range or, but for placeholders such as 100 and 1000, between 60 and 720 rad/s of speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import pi, radians

from dynamis.base.errors import DynamisError
from dynamis.base.expressions.expression import Expression
from dynamis.model.checks import warned_already
from dynamis.model.link import Link
from dynamis.model.placement import Placement
from dynamis.model.robot import Place, RobotModel
from dynamis.scalars.floats import number

WHOLE_TURN = 2 * pi * (1 + 1e-6)
WIDE_RANGE = 15.0  # rad
FAST_SPEED = 60.0  # rad/s
MAX_DEGREES = 720.0  # what people write in degrees
PLACEHOLDER_SPEEDS = (100.0,)  # rad/s


@dataclass(frozen=True)
class DegreesMeant:
    """What looks like degrees: of which link (or frame), in which key, the numbers, and the end of a sentence."""

    link: str
    key: str
    values: tuple[float, ...]
    message: str

    def place(self, robot: RobotModel) -> str:
        """Where it stands in the file that the robot was read from; empty where that is not known.

        What a fixed joint says belongs to the next link as soon as they are merged.
        """
        same = [x for x in robot.places if x.key == self.key and {*x.values} <= {*self.values}]
        return min(same, key=lambda x: x.link != self.link).place if same else ""


def with_places(robot: RobotModel, file: str, line: Callable[[DegreesMeant], int | None]) -> RobotModel:
    """The robot with the lines of what looks like degrees, as its reader finds them."""
    found = [Place(x.link, x.key, x.values, f"{file}:{line(x)}") for x in degrees_meant(robot)]
    with warned_already():
        return replace(robot, places=tuple(found)) if found else robot


def degrees_meant(robot: RobotModel) -> list[DegreesMeant]:
    """Everything in a robot that looks like degrees.

    >>> from dynamis import Joint, Link, Robot
    >>> elbow = Link("elbow", Joint("q2", before="Tx(1) Rx(-90)"))
    >>> print(degrees_meant(Robot("arm", (elbow,)))[0].message)
    is turned by -90 rad, more than a whole turn: is that in degrees? Write "-pi/2", in a URDF -1.5707963267948966
    """
    frames = [*robot.frames, *([robot.tool] if robot.tool else [])]
    found = [x for link in robot.links for x in _of_link(robot, link)]
    of_links = {value for x in found for value in x.values}
    for frame in frames:
        turns = _turns(robot, frame.placement)
        if not {*turns} <= of_links:  # else the frame that a merged fixed joint leaves behind
            key = "tool" if frame is robot.tool else f"frame {frame.name}"
            found.append(DegreesMeant("", key, turns, f'frame "{frame.name}" {_degrees_question(turns)}'))
    return found


def _of_link(robot: RobotModel, link: Link) -> Iterator[DegreesMeant]:
    joint = link.joint
    if turns := (*_turns(robot, joint.before), *_turns(robot, joint.after)):
        yield DegreesMeant(link.name, "placement", turns, _degrees_question(turns))
    if not joint.moves or not joint.revolute:
        return
    limits = {name: _number(robot, value) for name, value in joint.limits.items()}
    ends = tuple(x for name in ("lower", "upper") if (x := limits.get(name)) is not None)
    wide = max(map(abs, ends), default=0.0)
    if WIDE_RANGE < wide <= MAX_DEGREES:
        span = " .. ".join(f"{x:g}" for x in ends)
        yield DegreesMeant(
            link.name, "limits", ends,
            f"has a joint with limits of {span} rad, {wide / (2 * pi):.3g} turns: are they in degrees? {_repair(ends)}",
        )  # fmt: skip
    speed = limits.get("velocity") or 0.0
    if (
        joint.kind == "revolute"
        and FAST_SPEED < speed <= MAX_DEGREES
        and (speed not in PLACEHOLDER_SPEEDS or wide > WIDE_RANGE)
    ):
        yield DegreesMeant(
            link.name, "limits", (speed,),
            f"has a joint with a velocity limit of {speed:g} rad/s, {speed / (2 * pi):.3g} turns per second: "
            f"is it in degrees per second? {_repair((speed,))}",
        )  # fmt: skip


def _turns(robot: RobotModel, placement: Placement) -> tuple[float, ...]:
    """The angles of a placement that are more than a turn."""
    angles = (_number(robot, step.amount) for step in placement.steps if step.kind == "R")
    return tuple(x for x in angles if x is not None and WHOLE_TURN < abs(x) <= MAX_DEGREES)


def _degrees_question(turns: tuple[float, ...]) -> str:
    asked = "is that" if len(turns) == 1 else "are they"
    return (
        f"is turned by {', '.join(f'{x:g}' for x in turns)} rad, more than a whole turn: "
        f"{asked} in degrees? {_repair(turns)}"
    )


def _repair(values: tuple[float, ...]) -> str:
    quoted = ", ".join(f'"{_in_pi(x)}"' for x in values)
    return f"Write {quoted}, in a URDF {', '.join(map(repr, map(radians, values)))}"


def _in_pi(angle: float) -> str:
    """An angle in degrees as a multiple of pi: `-17*pi/18` of -170."""
    part = Fraction(f"{angle:.12g}") / 180
    times, parts = part.as_integer_ratio()
    if parts > 360:
        return f"{angle:.12g}*pi/180"
    return f"{'-' * (times < 0)}{'' if abs(times) == 1 else f'{abs(times)}*'}pi{'' if parts == 1 else f'/{parts}'}"


def _number(robot: RobotModel, value: Expression) -> float | None:
    try:
        return number(value, robot.values, robot.name)
    except DynamisError:  # whoever needs it will say so
        return None
