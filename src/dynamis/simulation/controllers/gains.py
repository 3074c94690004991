"""Gains: one value per joint, or one for all."""

from __future__ import annotations

from typing import Any

from dynamis.arguments import per_joint


def gains(name: str, values: Any, n: int, of: str = "joint") -> tuple[float, ...]:
    """n finite gains, one per joint or whatever `of` names; a single number stands for all.

    >>> gains("kp", 10, 2), gains("kp", [10, 20], 2)
    ((10.0, 10.0), (10.0, 20.0))
    """
    return tuple(per_joint(name, values, n, of).tolist())


def sign_warnings(robot: Any, **values: tuple[float, ...]) -> list[str]:
    """A sentence for every gain that is negative: such a term drives the robot away from its goal."""
    names = [joint.name for joint in robot.coordinates]
    return [
        f"{name} of joint {joint} is {value:g}: a negative gain drives the joint away from its goal"
        for name, each in values.items()
        for joint, value in zip(names, each, strict=True)
        if value < 0
    ]
