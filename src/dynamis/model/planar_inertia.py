"""Links of planar arms, which need one moment of inertia only.

Where every joint up to a link turns about axes parallel to u, its angular velocity is w u, and of its inertia
only I u enters the equations of motion: for products of zero, the moment u . I u about the CoM. A file may
then give `zz` alone; the other moments are not zero, they are not seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dynamis.base.errors import MissingValuesError
from dynamis.base.expressions.expression import ZERO
from dynamis.model.placement import Placement
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import evaluate
from dynamis.scalars.vectors import Vector

if TYPE_CHECKING:
    from dynamis.model.link import Link
    from dynamis.model.robot import RobotModel

# Axes this close to parallel are parallel: angles are exact or rounded to a float [rad].
PARALLEL_ANGLE = 1e-9
_UNITS = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))


def only_moment(link: Link) -> int | None:
    """0, 1 or 2 where the inertia gives xx, yy or zz and nothing else."""
    entries = [(i, j) for i, row in enumerate(link.inertia.matrix) for j, entry in enumerate(row) if entry != ZERO]
    return entries[0][0] if len(entries) == 1 and entries[0][0] == entries[0][1] else None


def planar_axis(link: Link, robot: RobotModel) -> Vector[float] | None:
    """The axis, in link axes, of the one moment that a planar link gives and needs; None for other links."""
    moment = only_moment(link)
    if moment is None or link.inertia.allow_unphysical or joint_about_another_axis(link, robot, moment):
        return None
    return _axis(link, robot, moment)


def joint_about_another_axis(link: Link, robot: RobotModel, moment: int) -> str | None:
    """The first joint, from the link to the base, that is revolute about an axis not parallel to the moment's."""
    axis = _axis(link, robot, moment)
    scalars = Floats(robot.values, robot.name)
    by_name = {other.name: other for other in robot.links}
    chain = [link]
    while chain[-1].parent in by_name:
        chain.append(by_name[chain[-1].parent])
    # `axis` is in the axes of each link in turn.
    for part in chain:
        before, after = (_rotation(place) for place in (part.joint.before, part.joint.after))
        try:
            (R_before, _), (R_after, _) = before.evaluate(scalars), after.evaluate(scalars)
            direction = Vector(*(evaluate(entry, scalars) for entry in part.joint.axis))
        except MissingValuesError:
            return None
        axis = R_after @ axis
        across = direction.cross(axis)
        if part.joint.revolute and across.dot(across) > PARALLEL_ANGLE**2:
            return part.joint.name
        axis = R_before @ axis
    return None


def _axis(link: Link, robot: RobotModel, moment: int) -> Vector[float]:
    turn, _ = link.inertia.axes.evaluate(Floats(robot.values, robot.name))
    return turn @ _UNITS[moment]


def _rotation(placement: Placement) -> Placement:
    """A chain without its translations, which may have no values yet."""
    return Placement(tuple(step for step in placement.steps if step.kind == "R"))
