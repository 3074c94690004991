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

from dynamis.errors import MissingMassError, UnphysicalWarning, listed
from dynamis.expressions.expression import Expression
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
) -> None:
    """Raise a MissingMassError where the masses that are needed are missing; warn where some are.

    `values` are those of the parameters, by default the robot's own; a parameter without a value counts as a mass.
    `loaded` robots may be weightless: what loads ask of the joints is statics.
    """
    if need == "none" or not robot.n:
        return
    numbers = robot.values if values is None else values
    empty = [link.name for link in robot.links if _is_empty(link, numbers)]
    if not empty:
        return
    idle = _moves_nothing(robot, empty, numbers)
    if idle and (need == "every joint" or (len(idle) == robot.n and not loaded)):
        raise MissingMassError(robot.name, idle, all_of_them=len(idle) == robot.n)
    if suspects := [link.name for link in robot.links if link.name in idle or _has_length(robot, link, empty)]:
        warnings.warn(
            f'robot "{robot.name}": {listed(suspects)} move{"s" * (len(suspects) == 1)} but '
            f"{'has' if len(suspects) == 1 else 'have'} no mass, which counts as 0 in every torque",
            UnphysicalWarning,
            stacklevel=4,
        )


def _is_zero(expression: Expression, values: Mapping[str, Expression]) -> bool:
    return number(expression, values) == 0


def _is_empty(link: Link, values: Mapping[str, Expression]) -> bool:
    entries = (link.mass, *(entry for row in link.inertia.matrix for entry in row))
    return all(_is_zero(entry, values) for entry in entries)


def _moves_nothing(robot: RobotModel, empty: Collection[str], values: Mapping[str, Expression]) -> list[str]:
    """The links on moving joints that carry no mass, themselves or further out, and have no rotor."""
    without = set(empty)
    carrying = {link.name for link in robot.links if link.name not in without}
    for link in reversed(robot.links):
        if link.name in carrying:
            carrying.add(link.parent)
    return [
        link.name
        for link in robot.links
        if link.joint.moves and link.name not in carrying and _is_zero(link.joint.rotor_inertia, values)
    ]


def _has_length(robot: RobotModel, link: Link, empty: Collection[str]) -> bool:
    """Whether a moving link without mass, on which no mass is fixed, holds its next joint away: a body is missing."""
    if not link.joint.moves or link.name not in empty:
        return False
    carried = [other for other in robot.links if other.parent == link.name]
    if any(not other.joint.moves and other.name not in empty for other in carried):
        return False
    placements = (link.joint.after, *(other.joint.before for other in carried))
    return any(step.kind == "T" for placement in placements for step in placement.steps)
