"""What the joints of a robot can do, as arrays; infinity where the robot says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from dynamis.arrays import Array
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

    @property
    def whole_turn(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Joints that reach every angle: what they are told can be met by a whole turn more or less."""
        return self.revolute & (self.upper - self.lower >= 2 * np.pi * (1 - 1e-12))


def joint_limits(robot: RobotModel) -> JointLimits:
    """The limits of a robot's coordinates.

    >>> import dynamis
    >>> joint_limits(dynamis.load("ur5")).upper.round(3)
    array([6.283, 6.283, 3.142, 6.283, 6.283, 6.283])
    """
    scalars = robot.floats()
    rows: list[list[float]] = []
    for joint in robot.coordinates:
        given = {name: float(evaluate(value, scalars)) for name, value in joint.limits.items()}
        wide = {"lower": -inf, "upper": inf, "velocity": inf, "effort": inf}
        rows.append([given.get(name, value) for name, value in wide.items()])
    table = np.array(rows, dtype=np.float64).reshape(robot.n, 4)
    revolute = np.array([joint.revolute for joint in robot.coordinates], dtype=np.bool_)
    return JointLimits(table[:, 0], table[:, 1], table[:, 2], table[:, 3], revolute)
