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
    if values is None and name != "q":
        return np.zeros(robot.n)
    joints = "1 joint" if robot.n == 1 else f"{robot.n} joints"
    owner = f'robot "{robot.name}" has {joints} ({", ".join(joint.name for joint in robot.joints[:12])})'
    try:
        given = np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        given = np.empty(0, dtype=object)
    if given.dtype.kind not in "biuf":
        raise ArgumentError(f"{name} is not an array of numbers; {owner}", key=name)
    array = given.astype(np.float64)
    if array.ndim == 0:
        raise ArgumentError(f"{name} is a single number; it is a list with one value a joint: {owner}", key=name)
    found = array.shape[-1]
    if found != robot.n:
        raise ArgumentError(f"{name} has {found} value{'s' * (found != 1)}; {owner}", key=name)
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
    if not all(np.isfinite(column).all() for column in stacked):
        raise ArgumentError("the result is beyond 1e308; are the units of q, qd, qdd and the loads right?")
    return tuple(column[:count].reshape((*batch, *column.shape[1:])) for column in stacked)
