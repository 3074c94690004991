"""Arguments of quantities: joint values and gravity, checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dynamis.base.arguments import joint_array
from dynamis.base.arrays import Array, in_order, numpy_array
from dynamis.base.errors import ArgumentError, literal
from dynamis.model.robot import RobotModel
from dynamis.scalars.vectors import Vector

Gravity = bool | Sequence[float] | Array


def owner(robot: RobotModel) -> str:
    """Whose joint values they are: how many joints the robot has, and their names."""
    kind = "independent joint" if robot.coupled else "joint"
    joints = f"{robot.n} {kind}{'s' * (robot.n != 1)}"
    return f'robot "{robot.name}" has {joints} ({", ".join(joint.name for joint in robot.coordinates[:12])})'


def frame_name(robot: RobotModel, frame: Any) -> Any:
    """The name of a link by its number from 1, of the base by 0 or None; what is not a number is a name already."""
    names = [robot.base, *(link.name for link in robot.links)]
    if frame is not None and (isinstance(frame, bool) or not issubclass(type(frame), int | np.integer)):
        return frame
    if not 0 <= (number := int(frame or 0)) < len(names):
        raise ArgumentError(f"a frame must be a name or a link's number from 0 to {len(names) - 1}, got {number}")
    return names[number]


def joint_values(name: str, values: Any, robot: RobotModel, *, finite: bool = False) -> Array:
    """Values (..., n) of a robot's coordinates; labels, where there are any, are their names in any order."""
    ordered = in_order(name, values, [joint.name for joint in robot.coordinates])
    return joint_array(name, ordered, robot.n, owner(robot), finite=finite).astype(np.float64)


def gravity_vector(gravity: Gravity) -> Vector[float] | None:
    """True is the robot's own gravity (None here), False is none, a vector is itself [m/s^2]."""
    if isinstance(gravity, (bool, np.bool_)):
        return None if gravity else Vector(0.0, 0.0, 0.0)
    array = numpy_array("gravity", gravity)
    vector = array.astype(np.float64) if array is not None and array.dtype.kind in "biuf" else np.empty(0)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ArgumentError(
            f"gravity must be True, False or three finite values [m/s^2], got {literal(gravity)}", key="gravity"
        )
    return Vector(*(float(x) for x in vector))


def broadcast(arrays: Sequence[tuple[str, Array]]) -> tuple[int, ...]:
    """The batch that arrays (..., k) have together, whatever the k of each: the shape of their leading axes."""
    try:
        return np.broadcast_shapes(*(array.shape[:-1] for _, array in arrays))
    except ValueError:
        names = [name for name, _ in arrays]
        shapes = ", ".join(str(array.shape) for _, array in arrays)
        listed = f"{', '.join(names[:-1])} and {names[-1]}"
        raise ArgumentError(f"{listed} have shapes {shapes}, which do not fit together") from None
