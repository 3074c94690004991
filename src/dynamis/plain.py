"""The plain world's boundary: arrays in, arrays out, one state at a time on Python floats.

Slow and obvious on purpose: this is the reference that every fast path is tested against.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.algorithms.mechanism import State, float_state
from dynamis.errors import ArgumentError
from dynamis.model.robot import RobotModel
from dynamis.model.vectors import Vector

Array = NDArray[np.float64]
Gravity = bool | Sequence[float] | Array


def joint_values(robot: RobotModel, name: str, values: ArrayLike | None) -> Array:
    """One value a moving joint along the last axis, checked; None is zeros."""
    if values is None:
        return np.zeros(robot.n)
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name} is not an array of numbers; it has {robot.n} values a state", key=name) from None
    found = 1 if array.ndim == 0 else array.shape[-1]
    if array.ndim == 0 or found != robot.n:
        joints = "1 joint" if robot.n == 1 else f"{robot.n} joints"
        raise ArgumentError(
            f'{name} has {found} value{"s" * (found != 1)}; robot "{robot.name}" has {joints} '
            f"({', '.join(joint.name for joint in robot.joints[:12])})",
            key=name,
        )
    if not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(array))[0]
        value = array[tuple(where)]
        raise ArgumentError(f"{name} of joint {where[-1] + 1} is {value}; joint values are finite", key=name)
    return array


def gravity_vector(gravity: Gravity) -> Vector[float] | None:
    """True is the robot's own gravity (None here), False is none, a vector is itself [m/s^2]."""
    if isinstance(gravity, (bool, np.bool_)):
        return None if gravity else Vector(0.0, 0.0, 0.0)
    try:
        vector = np.asarray(gravity, dtype=np.float64)
    except (TypeError, ValueError):
        vector = np.empty(0)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ArgumentError(f"gravity is {gravity!r}; it is True, False or three finite values [m/s^2]", key="gravity")
    return Vector(*(float(x) for x in vector))


def for_every_state(
    robot: RobotModel,
    compute: Callable[[State[float]], tuple[Any, ...]],
    q: ArrayLike,
    qd: ArrayLike | None = None,
    qdd: ArrayLike | None = None,
) -> tuple[Array, ...]:
    """`compute` run on every state of the broadcast (..., n) arrays, its results stacked."""
    given = [joint_values(robot, name, values) for name, values in (("q", q), ("qd", qd), ("qdd", qdd))]
    try:
        shape = np.broadcast_shapes(*(array.shape for array in given))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in given)
        raise ArgumentError(f"q, qd and qdd have shapes {shapes}, which do not fit together") from None
    batch = shape[:-1]
    count = int(np.prod(batch))
    # An empty batch is one state at zero, left out again: the results' own shapes come from it.
    rows = [np.broadcast_to(a, shape).reshape(count, robot.n).tolist() if count else [[0.0] * robot.n] for a in given]
    results = [compute(float_state(*state)) for state in zip(*rows, strict=True)]
    stacked = [np.array(column, dtype=np.float64) for column in zip(*results, strict=True)]
    return tuple(column[:count].reshape((*batch, *column.shape[1:])) for column in stacked)
