"""The checks that every robot passes: physical where its values are known, consistent always."""

from __future__ import annotations

import math
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, ModelError, UnknownNameError, UnphysicalWarning, literal, name_list
from dynamis.base.expressions.expression import ZERO, Expression
from dynamis.model.joint_forces import FORCE_KEYS, SIGNED
from dynamis.model.map_expressions import Site, expressions_in
from dynamis.model.planar_inertia import joint_about_another_axis, only_moment, planar_axis
from dynamis.scalars.floats import Floats, number
from dynamis.scalars.scalars import evaluate
from dynamis.scalars.vectors import Vector

if TYPE_CHECKING:
    from dynamis.model.link import Link
    from dynamis.model.robot import RobotModel

# A decimal inertia is rounded in its last digit, so the inequalities hold to that much.
RELATIVE_TOLERANCE = 1e-6
RELATIVE_ROUNDING = 1e-14


def check_robot(robot: RobotModel) -> None:
    """Raise a ModelError for a robot that cannot exist; warn where its file allows it."""
    _check_values(robot)
    _check_frames(robot)
    _ = robot.couplings
    unphysical_links: dict[str, str] = {}
    for link in robot.links:
        if link.joint.moves and link.joint.name in robot.parameters:
            raise ModelError(
                f'"{link.joint.name}" is a joint and a parameter; a coordinate and a value have their own names',
                link=link.name,
                key="joint",
            )
        _check_joint(link, robot)
        if sentence := _check_body(link, robot):
            unphysical_links[link.name] = sentence
    _check_coordinates(robot)
    if unphysical_links:
        first, *others = unphysical_links
        names = name_list([literal(name) for name in others])
        more = f"; {f'link {names} is' if len(others) == 1 else f'links {names} are'} not physical either"
        text = f'robot "{robot.name}": {unphysical_links[first]}{more * bool(others)}'
        warnings.warn(text, UnphysicalWarning, stacklevel=5)


@contextmanager
def warned_already() -> Generator[None]:
    """For a robot that is made from another one with the same bodies: they have been warned about already."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnphysicalWarning)
        yield


def inertia_about_com(link: Link, robot: RobotModel) -> Array | None:
    """The inertia about the CoM in link axes as numbers, or None where a value is missing."""
    names = link.inertia.parameters().union(link.mass.parameters(), *(e.parameters() for e in link.com))
    if any(name not in robot.values for name in names):
        return None
    scalars = Floats(robot.values, robot.name)
    com = Vector(*(evaluate(entry, scalars) for entry in link.com))
    tensor = np.array([list(row) for row in link.inertia.about_com(evaluate(link.mass, scalars), com, scalars)])
    # About the origin, a point mass leaves only the rounding of the subtraction m l^2 - m l^2.
    tensor[np.abs(tensor) < RELATIVE_ROUNDING * largest_entry(link, robot)] = 0.0
    axis = planar_axis(link, robot)
    if axis is None or link.inertia.about == "com":
        return tensor
    # A planar link gives this moment alone, so the parallel-axis theorem has nothing to be taken from elsewhere.
    u = np.array([*axis])
    return u @ tensor @ u * np.outer(u, u)


def largest_entry(link: Link, robot: RobotModel) -> float:
    """The largest entry of the inertia as it was given, about the origin or the CoM; 0 if unknown."""
    entries = [number(entry, robot.values, robot.name) for row in link.inertia.matrix for entry in row]
    return max((abs(entry) for entry in entries if entry is not None), default=0.0)


def unphysical(tensor: Array, size: float = 0.0) -> str | None:
    """What is wrong with an inertia tensor about the CoM, or None.

    A rigid body has I >= 0 and no principal moment larger than the sum of the other two. `size` is
    the largest entry of the tensor as given: about a far origin its rounding is larger.
    """
    a, b, c = (float(moment) for moment in np.linalg.eigvalsh(tensor))
    scale = max(abs(a), abs(c), size)
    moments = f"principal moments {a:.6g}, {b:.6g}, {c:.6g}"
    if a < -RELATIVE_TOLERANCE * scale:
        return f"is not positive semi-definite ({moments}); no principal moment is negative"
    if a + b < c - RELATIVE_TOLERANCE * scale:
        return f"breaks the triangle inequality ({moments}); the largest is at most the sum of the other two"
    return None


def in_row_order(tensor: Array) -> str:
    """A hint where the six entries make a body only if they were given row by row.

    A file that lists xx, xy, xz, yy, yz, zz where xx, yy, zz, xy, xz, yz is meant puts products
    on the diagonal.
    """
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor
    # What was typed, in the order xx, yy, zz, xy, xz, yz, read row by row instead.
    swapped = np.array([[xx, yy, zz], [yy, xy, xz], [zz, xz, yz]])
    if unphysical(tensor) is None or unphysical(swapped) is not None:
        return ""
    return "; read row by row as xx, xy, xz, yy, yz, zz the same six numbers are a body's: is the order wrong?"


def _check_values(robot: RobotModel) -> None:
    """Every expression uses known parameters only, and is a finite number where they have values."""
    values = [(None, f"value of {name}", value) for name, value in robot.values.items()]
    for link, key, expression in (*values, *(_where(site, robot) for site in expressions_in(robot))):
        within = f'{key} of link "{link}"' if link else key
        for name in sorted(expression.parameters()):
            if name not in robot.parameters:
                error = UnknownNameError("parameter", name, robot.parameters, within=within, key=key)
                error.link = link
                raise error
        try:
            number(expression, robot.values, robot.name)
        except ArgumentError as error:
            raise ModelError(f"{within}: {error.message}", link=link, key=key) from None


def _where(site: Site, robot: RobotModel) -> tuple[str | None, str, Expression]:
    """The link and the key of a robot file that an expression belongs to."""
    match site.path:
        case ("links", int(k), str(key), *_):
            return robot.links[k].name, key, site.expression
        case ("frames", int(k), *_):
            return None, f"frame {robot.frames[k].name}", site.expression
        case _:
            return None, str(site.path[0]), site.expression


def _check_frames(robot: RobotModel) -> None:
    link_names = [robot.base, *(link.name for link in robot.links)]
    names = set(link_names)
    for frame in robot.frames:
        if frame.name in names:
            raise ModelError(
                f'frame name "{frame.name}" is used twice; frames and links have their own names',
                key=f"frame {frame.name}",
            )
        if frame.name == "tool":
            raise ModelError('a frame called "tool" is the tool itself; write it as the tool', key="frame tool")
        names.add(frame.name)
    for frame in [*robot.frames, *([robot.tool] if robot.tool else [])]:
        key = "tool" if frame is robot.tool else f"frame {frame.name}"
        if frame.link not in link_names:
            raise UnknownNameError("link", frame.link, link_names, within=f'frame "{frame.name}"', key=key)


def _check_coordinates(robot: RobotModel) -> None:
    """The limits of coupled joints leave their coordinate a range."""
    for coordinate in robot.coordinates if robot.coupled else ():
        ends = coordinate.limits.lower, coordinate.limits.upper
        lower, upper = (None if end is None else number(end, robot.values) for end in ends)
        if lower is not None and upper is not None and lower > upper + RELATIVE_TOLERANCE * abs(upper):
            raise ModelError(
                f'the limits of the joints that follow "{coordinate.name}" leave it no position: it would be at least '
                f"{lower:g} and at most {upper:g}",
                key="limits",
            )


def _check_joint(link: Link, robot: RobotModel) -> None:
    joint = link.joint

    def value(expression: Expression) -> float | None:
        return number(expression, robot.values, robot.name)

    def wrong(key: str, text: str) -> ModelError:
        return ModelError(f'joint "{joint.name}" has {text}', link=link.name, key=key)

    for key, expression in (
        *((key, getattr(joint, key)) for key in FORCE_KEYS if key not in SIGNED),
        ("rotor_inertia", joint.rotor_inertia),
    ):
        result = value(expression)
        if result is not None and result < 0:
            raise wrong(key, f"{key} {result:g}; it must be >= 0")
    most = value(joint.coulomb + joint.stribeck)
    if most is not None and most < 0:
        raise wrong("stribeck", f"coulomb + stribeck {most:g}; what friction holds at rest must be >= 0")
    if joint.stribeck != ZERO and value(joint.stribeck_speed) == 0:
        raise wrong("stribeck_speed", "stribeck_speed 0; it must be > 0")
    for name, factor in joint.coupling:
        if value(factor) == 0:
            raise wrong("coupling", f'the factor 0 in its coupling to "{name}"; couple it to joints that move it')
    if value(joint.gear_ratio) == 0:
        raise wrong("gear_ratio", "gear_ratio 0; it must not be zero (a negative ratio reverses the motor)")
    limits = {name: value(expression) for name, expression in joint.limits.items()}
    lower, upper = limits.get("lower"), limits.get("upper")
    if lower is not None and upper is not None and lower > upper:
        raise wrong("limits", f"limits {lower:g} to {upper:g}; the lower is not above the upper")
    for name in ("velocity", "effort"):
        result = limits.get(name)
        if result is not None and result < 0:
            raise wrong("limits", f"{name} limit {result:g}; it must be >= 0")
    axis = [value(entry) for entry in joint.axis]
    if joint.moves and None not in axis:
        length = math.hypot(*(entry for entry in axis if entry is not None))
        if abs(length - 1) > 1e-12:
            raise wrong("axis", f"an axis of length {length:g}; an axis must be a unit vector")


def _check_body(link: Link, robot: RobotModel) -> str | None:
    """What is unphysical about a link whose file allows it; raise a ModelError for one whose file does not."""
    mass = number(link.mass, robot.values, robot.name)
    if mass is not None and mass < 0:
        raise ModelError(f'link "{link.name}" has mass {mass:g}; a mass is >= 0', link=link.name, key="mass")
    _check_symmetric(link, robot)
    tensor = inertia_about_com(link, robot)
    if tensor is not None and not np.isfinite(tensor).all():
        raise ModelError(
            f'the inertia of link "{link.name}" about its CoM is beyond 1e308', link=link.name, key="inertia"
        )
    problem = unphysical(tensor, largest_entry(link, robot)) if tensor is not None else None
    if problem is None:
        return None
    assert tensor is not None
    if planar_axis(link, robot) is not None and np.trace(tensor) >= 0:
        return None
    needed, moment = "", only_moment(link)
    if moment is not None and (other := joint_about_another_axis(link, robot, moment)):
        needed = (
            f"; {('xx', 'yy', 'zz')[moment]} alone suffices where every joint up to the link rotates about that axis, "
            f'but joint "{other}" does not: give xx, yy and zz'
        )
    sentence = f'the inertia of link "{link.name}" about its CoM {problem}{in_row_order(tensor)}{needed}'
    if not link.inertia.allow_unphysical:
        raise ModelError(
            f"{sentence}; set inertia.allow_unphysical = true to run it all the same", link=link.name, key="inertia"
        )
    return sentence


def _check_symmetric(link: Link, robot: RobotModel) -> None:
    matrix = link.inertia.matrix
    size = largest_entry(link, robot)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        above, below = matrix[i][j], matrix[j][i]
        x, y = (number(entry, robot.values, robot.name) for entry in (above, below))
        same = above == below or (x is not None and y is not None and abs(x - y) <= 1e-12 * size)
        if not same:
            raise ModelError(
                f'the inertia of link "{link.name}" is not symmetric: entry {i + 1},{j + 1} is {above} '
                f"and entry {j + 1},{i + 1} is {below}",
                link=link.name,
                key="inertia",
            )
