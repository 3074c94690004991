"""Gains: one value a joint, or one for all."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.errors import ArgumentError


def gains(name: str, values: Any, n: int) -> tuple[float, ...]:
    """n finite gains.

    >>> gains("kp", 10, 2), gains("kp", [10, 20], 2)
    ((10.0, 10.0), (10.0, 20.0))
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(f"{name} is {values!r}; it is a number, or one number a joint", key=name) from None
    if array.ndim == 0:
        array = np.full(n, float(array))
    if array.shape != (n,):
        raise ArgumentError(
            f"{name} has shape {array.shape}; it is a number, or one number for each of the {n} joints", key=name
        )
    if not np.isfinite(array).all():
        raise ArgumentError(f"{name} is {array.tolist()}; gains are finite numbers", key=name)
    return tuple(array.tolist())


def sign_warnings(robot: Any, **values: tuple[float, ...]) -> list[str]:
    """A sentence for every gain that is negative: such a term drives the robot away from its goal."""
    names = [joint.name for joint in robot.joints]
    return [
        f"{name} of joint {joint} is {value:g}: a negative gain drives the joint away from its goal"
        for name, each in values.items()
        for joint, value in zip(names, each, strict=True)
        if value < 0
    ]
