"""Whether a robot has the masses that its dynamics need.

A joint whose whole subtree has neither mass nor inertia, and that has no rotor, moves nothing: its
torque would be zero and its acceleration undetermined. Many a published URDF leaves out every
<inertial>; its kinematics are sound, its dynamics are not there. A link without mass between links
that have one is sound, too: a joint of two or three axes is written with such links.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import Literal

import numpy as np

from dynamis.base.errors import MissingMassError, UnphysicalWarning, listed
from dynamis.base.expressions.expression import Expression
from dynamis.model.link import Link
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import number

MassNeed = Literal["none", "some", "every joint"]
"""What a quantity needs: nothing (kinematics), torques that are not all zero, or a mass matrix that has an inverse."""


def check_masses(
    robot: RobotModel,
    need: MassNeed = "some",
    values: Mapping[str, Expression] | None = None,
    loaded: bool = False,
) -> str:
    """Raise a MissingMassError where the masses that are needed are missing; warn where some are, with what it returns.

    `values` are those of the parameters, by default the robot's own; a parameter without a value counts as a mass.
    `loaded` robots may be weightless: what loads ask of the joints is statics.
    """
    if need == "none" or not robot.n:
        return ""
    numbers = robot.values if values is None else values
    idle = _moves_nothing(robot, numbers)
    if idle and (need == "every joint" or (len(idle) == robot.n and not loaded)):
        raise MissingMassError(robot.name, idle, all_of_them=len(idle) == robot.n)
    return warn_of_missing_masses(robot, numbers, stacklevel=5)


def warn_of_missing_masses(
    robot: RobotModel, values: Mapping[str, Expression] | None = None, stacklevel: int = 2
) -> str:
    """Warn where `missing_masses` has something to say, and return it."""
    if sentence := missing_masses(robot, values):
        warnings.warn(sentence, UnphysicalWarning, stacklevel=stacklevel)
    return sentence


def missing_masses(robot: RobotModel, values: Mapping[str, Expression] | None = None) -> str:
    """Which links move that have no mass but a length, and which joints move nothing at all; empty if none."""
    numbers = robot.values if values is None else values
    empty = _empty(robot, numbers)
    idle = {*_moves_nothing(robot, numbers), *_on_axis(robot, numbers)}
    links = [link for link in robot.links if link.name in idle or _has_length(robot, link, empty)]
    if not links:
        return ""
    light = [link.name for link in links if link.name in empty]
    thin = [link.name for link in links if link.name not in empty]
    parts = [
        f"{listed(names)} move{'s' * (len(names) == 1)} but {'has' if len(names) == 1 else 'have'} {lack}"
        for names, lack in (
            (light, "no mass, which counts as 0 in every torque"),
            (thin, "no inertia about the axis of the joint"),
        )
        if names
    ]
    joints = [link.joint.name for link in links if link.name in idle]
    if joints:
        parts.append(f"the torque of {listed(joints)}, which move{'s' * (len(joints) == 1)} nothing else, is 0")
    return f'robot "{robot.name}": {"; ".join(parts)}'


def _is_zero(expression: Expression, values: Mapping[str, Expression]) -> bool:
    return number(expression, values) == 0


def _is_empty(link: Link, values: Mapping[str, Expression]) -> bool:
    entries = (link.mass, *(entry for row in link.inertia.matrix for entry in row))
    return all(_is_zero(entry, values) for entry in entries)


def _empty(robot: RobotModel, values: Mapping[str, Expression]) -> list[str]:
    return [link.name for link in robot.links if _is_empty(link, values)]


def _moves_nothing(robot: RobotModel, values: Mapping[str, Expression]) -> list[str]:
    """The links on moving joints that carry no mass, themselves or further out, and have no rotor."""
    without = set(_empty(robot, values))
    if not without:
        return []
    carrying = {link.name for link in robot.links if link.name not in without}
    for link in reversed(robot.links):
        if link.name in carrying:
            carrying.add(link.parent)
    return [
        link.name
        for link in robot.links
        if link.joint.moves and link.name not in carrying and _is_zero(link.joint.rotor_inertia, values)
    ]


def _on_axis(robot: RobotModel, values: Mapping[str, Expression]) -> list[str]:
    """The links at the ends of chains that are point masses on the axes of their joints, without a rotor."""
    parents = {link.parent for link in robot.links}
    return [
        link.name
        for link in robot.links
        if link.name not in parents
        and link.joint.revolute
        and not link.joint.coupling
        and _is_zero(link.joint.rotor_inertia, values)
        and _lies_on_axis(link, values)
    ]


def _lies_on_axis(link: Link, values: Mapping[str, Expression]) -> bool:
    """Whether a link in the frame of its joint has no inertia, and its CoM on the axis."""
    com, axis = ([number(x, values) for x in entries] for entries in (link.com, link.joint.axis))
    if link.joint.after.steps or None in (*com, *axis):
        return False
    return (
        all(_is_zero(x, values) for row in link.inertia.matrix for x in row)
        and not np.cross(np.array(axis, dtype=np.float64), np.array(com, dtype=np.float64)).any()
    )


def _has_length(robot: RobotModel, link: Link, empty: Collection[str]) -> bool:
    """Whether a moving link without mass, on which no mass is fixed, holds its next joint away: a body is missing."""
    if not link.joint.moves or link.name not in empty:
        return False
    carried = [other for other in robot.links if other.parent == link.name]
    if any(not other.joint.moves and other.name not in empty for other in carried):
        return False
    placements = (link.joint.after, *(other.joint.before for other in carried))
    return any(step.kind == "T" for placement in placements for step in placement.steps)
