"""Whether a robot has the masses that its dynamics need.

Many a published URDF leaves out every <inertial>; its kinematics are sound, its dynamics are not there. A link without
mass between links that have one is sound: a joint of two or three axes is written with such links. So is a finger
without mass that follows another: what is determined is a question of the coordinates, whose masses
`moved_masses` finds.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from typing import Literal

import numpy as np

from dynamis.base.errors import MissingMassError, UnphysicalWarning, name_list
from dynamis.base.expressions.expression import Expression
from dynamis.compute.mechanics.dynamics.moved_masses import MovedMasses, moved_masses
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
    bare = _bare(robot, numbers)
    if len(bare) == len(robot.joints) and (need == "every joint" or not loaded):
        raise MissingMassError(robot.name, bare)
    moved = moved_masses(robot, numbers)
    if need == "every joint" and moved and (links := moved.undetermined()):
        raise MissingMassError(robot.name, [robot.links[i].name for i in links], all_of_them=False)
    return _warn_unphysical(_sentence(robot, numbers, moved), stacklevel=5)


def warn_of_missing_masses(robot: RobotModel, stacklevel: int = 2) -> None:
    """Warn where `missing_masses` has something to say."""
    _warn_unphysical(missing_masses(robot), stacklevel + 1)


def missing_masses(robot: RobotModel) -> str:
    """Which links move that have no mass but a length, and which coordinates move no mass at all; empty if none."""
    return _sentence(robot, robot.values, moved_masses(robot, robot.values))


def _warn_unphysical(sentence: str, stacklevel: int) -> str:
    if sentence:
        warnings.warn(sentence, UnphysicalWarning, stacklevel=stacklevel)
    return sentence


def _sentence(robot: RobotModel, numbers: Mapping[str, Expression], moved: MovedMasses | None) -> str:
    empty = _empty(robot, numbers)
    idle = moved.idle if moved else ()
    bare = {*_bare(robot, numbers)}
    light = [link.name for link in robot.links if link.name in bare or _has_length(robot, link, empty)]
    thin = [name for name in _of_coordinates(robot, idle) if _lies_on_axis(robot.link(name), numbers)]
    parts = [
        f"{name_list(names)} move{'s' * (len(names) == 1)} but {'has' if len(names) == 1 else 'have'} {lack}"
        for names, lack in (
            (light, "no mass, which counts as 0 in every torque"),
            ([name for name in thin if name not in empty], "no inertia about the axis of the joint"),
        )
        if names
    ]
    if idle:
        names = name_list([robot.coordinates[k].name for k in idle])
        verb = f"move{'s' * (len(idle) == 1)}"
        parts.append(f"the torque of {names}, which {verb} no mass, is that of friction and loads alone")
    return f'robot "{robot.name}": {"; ".join(parts)}' if parts else ""


def _is_zero(expression: Expression, values: Mapping[str, Expression]) -> bool:
    return number(expression, values) == 0


def _is_empty(link: Link, values: Mapping[str, Expression]) -> bool:
    entries = (link.mass, *(entry for row in link.inertia.matrix for entry in row))
    return all(_is_zero(entry, values) for entry in entries)


def _empty(robot: RobotModel, values: Mapping[str, Expression]) -> list[str]:
    return [link.name for link in robot.links if _is_empty(link, values)]


def _bare(robot: RobotModel, values: Mapping[str, Expression]) -> list[str]:
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


def _of_coordinates(robot: RobotModel, coordinates: Collection[int]) -> list[str]:
    """The links whose joints follow these coordinates alone."""
    moving = [link.name for link in robot.links if link.joint.moves]
    return [
        name for name, row in zip(moving, robot.couplings, strict=True) if all(k in coordinates for k, _ in row.factors)
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
