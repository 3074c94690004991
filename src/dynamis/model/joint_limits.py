"""What the joints of a robot can do, as arrays; infinity where the robot says nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.model.coordinate import Coordinate
from dynamis.model.link import Joint
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import evaluate


@dataclass(frozen=True, slots=True)
class JointLimits:
    """One value per joint: lower and upper position, velocity, effort; `revolute` where the coordinate is an angle."""

    lower: Array
    upper: Array
    velocity: Array
    effort: Array
    revolute: np.ndarray[tuple[int], np.dtype[np.bool_]]

    def within(self, q: Array, slack: float = 1e-9) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Whether all values (..., n) keep the limits of position, but for rounding; NaN does not."""
        return np.asarray(((q >= self.lower - slack) & (q <= self.upper + slack)).all(axis=-1))

    @property
    def whole_turn(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Joints that reach every angle: a whole turn more or less is the same pose, and within the limits."""
        return self.revolute & (self.upper - self.lower >= 2 * np.pi * (1 - 1e-12))


def joint_limits(robot: RobotModel, joints: Sequence[Joint | Coordinate] | None = None) -> JointLimits:
    """The limits of a robot's coordinates, or of these of its joints.

    >>> import dynamis
    >>> joint_limits(dynamis.load("ur5")).upper.round(3)
    array([6.283, 6.283, 3.142, 6.283, 6.283, 6.283])
    """
    scalars, rows, moving = robot.floats(), list[list[float]](), robot.coordinates if joints is None else joints
    for joint in moving:
        limits = {name: float(evaluate(value, scalars)) for name, value in joint.limits.items()}
        wide = {"lower": -inf, "upper": inf, "velocity": inf, "effort": inf}
        rows.append([limits.get(name, value) for name, value in wide.items()])
    lower, upper, velocity, effort = np.array(rows, dtype=np.float64).reshape(len(moving), 4).T
    return JointLimits(lower, upper, velocity, effort, np.array([joint.revolute for joint in moving], dtype=np.bool_))
