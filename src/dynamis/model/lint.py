"""Guesses at the usual mistakes in a robot's data: lost decimals, wrong units, wrong order.

Every guess compares a link with what a real body of its mass and size could be. Guesses that need the value of a
parameter that has none are left out, and the result names them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from dynamis.base.errors import MissingValuesError
from dynamis.base.expressions.expression import Expression
from dynamis.base.faces import option
from dynamis.model.checks import in_row_order, inertia_about_com, unphysical
from dynamis.model.degrees_meant import degrees_meant
from dynamis.model.exact_angles import meant_angle
from dynamis.model.link import Link
from dynamis.model.planar_inertia import planar_axis
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import Floats, number
from dynamis.scalars.scalars import evaluate
from dynamis.scalars.vectors import Vector

MAX_LINK_MASS = 1000.0  # kg: a heavier link of an arm is more likely given in grams
MAX_DENSITY = 25_000.0  # kg/m^3: osmium has 22 600
MAX_REACH = 50.0  # m: a longer arm is more likely given in millimetres
MAX_COM_DISTANCE = 1.0  # m: how far a CoM may lie outside its link
MAX_GYRATION_RATIO = 3.0  # radius of gyration over the size of the link; a uniform bar has 0.29
Guess = Callable[[], str | None]
"""A check: the end of a sentence about a likely mistake; MissingValuesError where it needs a value that is missing."""


@dataclass(frozen=True)
class Finding:
    """A likely mistake: which link, which key of it, a sentence, and where it stands in the file, if that is known."""

    link: str
    key: str
    message: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


def likely_mistakes(robot: RobotModel) -> tuple[list[Finding], list[tuple[str, str]]]:
    """The likely mistakes of a robot, link by link; and (link, key) of what needs values that are missing."""
    sizes = _Sizes(robot)
    findings: list[Finding] = []
    left_out: dict[tuple[str, str], None] = {}

    def check(link: str, key: str, guess: Guess) -> None:
        try:
            text = guess()
        except MissingValuesError:
            left_out[link, key] = None
            return
        if text is not None:
            findings.append(Finding(link, key, f'link "{link}" {text}' if link else text))

    check("", "robot", partial(_far, sizes))
    for link in robot.links:
        check(link.name, "mass", partial(_massless, link, sizes))
        check(link.name, "mass", partial(_heavy, link, sizes))
        check(link.name, "com", partial(_com_outside, link, sizes))
        check(link.name, "inertia", partial(_inertia, link, sizes))
        check(link.name, "joint", partial(_rounded_angles, link))
        check(link.name, "friction_offset", partial(_driving_offset, link, sizes))
    for each in degrees_meant(robot):
        text = f'link "{each.link}" {each.message}' if each.link else each.message
        findings.append(Finding(each.link, each.key, text, each.place(robot)))
    return findings, list(left_out)


@dataclass(frozen=True)
class _Sizes:
    """Masses and distances of a robot; MissingValuesError where one needs a value that is missing."""

    robot: RobotModel

    @cached_property
    def scalars(self) -> Floats:
        return Floats(self.robot.values, self.robot.name)

    def carried(self, link: Link) -> list[Link]:
        return [other for other in self.robot.links if other.parent == link.name]

    def mass(self, link: Link) -> float:
        return evaluate(link.mass, self.scalars)

    def has(self, what: Expression) -> bool:
        """Whether a mass or an inertia is not zero; a symbol is not."""
        return number(what, self.robot.values, self.robot.name) != 0

    def span(self, link: Link) -> float:
        """How far the link frame and the joints that a link carries are from its joint point [m]."""
        origin = self._origin(link)
        joints = [origin + other.joint.before.evaluate(self.scalars)[1] for other in self.carried(link)]
        return max(math.hypot(*point) for point in (origin, *joints))

    def away(self, link: Link) -> float:
        """How far the CoM is from the joint point [m]."""
        return math.hypot(*(self._origin(link) + Vector(*(evaluate(x, self.scalars) for x in link.com))))

    @cached_property
    def length(self) -> float:
        """The sum of the spans [m]."""
        return sum(self.span(link) for link in self.robot.links)

    def size(self, link: Link) -> float:
        """About the length of a link [m]."""
        span = self.span(link)
        return max(span, min(self.away(link), span + MAX_COM_DISTANCE), 0.15 * self.length)

    def _origin(self, link: Link) -> Vector[float]:
        R, p = link.joint.after.evaluate(self.scalars)
        return R.T @ p


def _far(sizes: _Sizes) -> str | None:
    length = sizes.length
    return f"the robot reaches {length:.3g} m; are its lengths in millimetres?" if length > MAX_REACH else None


def _massless(link: Link, sizes: _Sizes) -> str | None:
    if not link.joint.moves or sizes.has(link.mass) or sizes.has(link.joint.rotor_inertia):
        return None
    carried = sizes.carried(link)
    if any(not other.joint.moves and sizes.has(other.mass) for other in carried):
        return None
    end = "" if carried else " at the end of the chain"
    undetermined = "" if carried or _is_felt(link, sizes) else ": its acceleration is not determined"
    return f"moves{end}, but has no mass{undetermined}; is its mass missing?"


def _driving_offset(link: Link, sizes: _Sizes) -> str | None:
    joint = link.joint
    offset = evaluate(joint.friction_offset, sizes.scalars)
    least = min(evaluate(x, sizes.scalars) for x in (joint.coulomb, joint.coulomb + joint.stribeck))
    if abs(offset) <= least:
        return None
    return (
        f'has a joint "{joint.name}" with friction_offset {offset:g} above its dry friction {least:g}: one way, such '
        "friction drives the joint; is the offset that of a sensor?"
    )


def _is_felt(link: Link, sizes: _Sizes) -> bool:
    """Whether a link without mass at the end of a chain has an inertia, or moves with other joints."""
    name, joints = link.joint.name, sizes.robot.joints
    coupled = bool(link.joint.coupling) or any(name in dict(joint.coupling) for joint in joints)
    return coupled or any(sizes.has(entry) for row in link.inertia.matrix for entry in row)


def _heavy(link: Link, sizes: _Sizes) -> str | None:
    mass = sizes.mass(link)
    return f"has mass {mass:g} kg; is it in grams?" if mass > MAX_LINK_MASS else None


def _com_outside(link: Link, sizes: _Sizes) -> str | None:
    if not sizes.has(link.mass):
        return None
    away, span = sizes.away(link), sizes.span(link)
    if away <= span + MAX_COM_DISTANCE:
        return None
    return (
        f"has its CoM {away:.3g} m from its joint, but reaches {span:.3g} m; is it in millimetres, or in another frame?"
    )


def _inertia(link: Link, sizes: _Sizes) -> str | None:
    robot = sizes.robot
    entries = [entry for row in link.inertia.matrix for entry in row]
    if link.inertia.about == "com" and not any(map(sizes.has, entries)):
        return None
    tensor = inertia_about_com(link, robot)
    if tensor is None and not sizes.has(link.mass):
        return "has an inertia but no mass"
    if tensor is None:
        names = link.inertia.parameters().union(link.mass.parameters(), *(e.parameters() for e in link.com))
        raise MissingValuesError(robot.name, sorted(names - robot.values.keys()))
    if not np.any(tensor):
        return None
    problem = unphysical(tensor)
    # A planar link may give one moment alone; where that is not enough, reading it has failed.
    if problem and planar_axis(link, robot) is None:
        return f"has an inertia that {problem}{in_row_order(tensor)}"
    mass = sizes.mass(link)
    if mass == 0:
        return "has an inertia but no mass"
    # In powers of ten: what a file may write goes from 1e-300 to 1e300, and its squares and cubes beyond floats.
    heavy, largest = math.log10(mass), math.log10(np.linalg.eigvalsh(tensor)[-1])
    gyration = (largest - heavy) / 2
    density = heavy - math.log10(4 / 3 * math.pi * (5 / 2) ** 1.5) - 3 * gyration
    if density > math.log10(MAX_DENSITY):
        return (
            f"has an inertia so small for its mass that it is denser than any metal (at least {_power(density):.2g} "
            f"kg/m^3, radius of gyration {_power(gyration):.2g} m): a decimal point, g or mm?"
        )
    size = sizes.size(link)
    if size > 0 and gyration > math.log10(MAX_GYRATION_RATIO) + math.log10(size):
        times = round(largest - heavy - 2 * math.log10(size) + math.log10(12))
        return (
            f"has a radius of gyration of {_power(gyration):.3g} m, but is about {size:.3g} m long: its inertia is "
            f"some {_power(times):.15g} times too large for its mass and size (a decimal point, g or mm?)"
        )
    return None


def _power(exponent: float) -> float:
    return 10.0 ** min(max(exponent, -308.0), 308.0)


def _rounded_angles(link: Link) -> str | None:
    """Angles that are a multiple of 15 degrees, rounded: their sines are no exact numbers."""
    turns = [step.amount for place in (link.joint.before, link.joint.after) for step in place.steps if step.kind == "R"]
    angles = {str(turn): multiple for turn in turns if (multiple := meant_angle(turn))}
    if not angles:
        return None
    pairs = ", ".join(f"{text} for {multiple}" for text, multiple in angles.items())
    return (
        f"has rounded angles ({pairs}), whose sines and cosines stay symbols in equations; "
        f'write "pi/2", in a URDF 1.5707963267948966, or derive with {option("exact_angles")}'
    )
