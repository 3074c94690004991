"""Gains: one value a joint, or one for all."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.errors import ArgumentError, shown


def gains(name: str, values: Any, n: int, of: str = "joint") -> tuple[float, ...]:
    """n finite gains, one for each of the n things that `of` names.

    >>> gains("kp", 10, 2), gains("kp", [10, 20], 2)
    ((10.0, 10.0), (10.0, 20.0))
    """
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, OverflowError):
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "iuf":
        raise ArgumentError(f"{name} is {shown(values)}; it is a number, or one number a {of}", key=name)
    array = array.astype(np.float64)
    if array.ndim == 0:
        array = np.full(n, float(array))
    if array.shape != (n,):
        each = f"the {of}" if n == 1 else f"each of the {n} {of}s"
        raise ArgumentError(f"{name} has shape {array.shape}; it is a number, or one number for {each}", key=name)
    if not np.isfinite(array).all():
        raise ArgumentError(f"{name} is {array.tolist()}; gains are finite numbers", key=name)
    return tuple(array.tolist())


def number(name: str, value: Any, least: float | None = None) -> float:
    """One finite number, above `least` if that is given.

    >>> number("settling", 0.2, 0)
    0.2
    """
    (found,) = gains(name, value, 1, "value")
    if least is not None and found <= least:
        raise ArgumentError(f"{name} is {found:g}; it is above {least:g}", key=name)
    return found


def sign_warnings(robot: Any, **values: tuple[float, ...]) -> list[str]:
    """A sentence for every gain that is negative: such a term drives the robot away from its goal."""
    names = [joint.name for joint in robot.joints]
    return [
        f"{name} of joint {joint} is {value:g}: a negative gain drives the joint away from its goal"
        for name, each in values.items()
        for joint, value in zip(names, each, strict=True)
        if value < 0
    ]
