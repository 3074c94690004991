"""A and b of q = A y + b as arrays: from the coordinates of a robot to the variables of its moving joints."""

from __future__ import annotations

import numpy as np

from dynamis.arrays import Array
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import evaluate


def coupling_matrix(robot: RobotModel) -> tuple[Array, Array]:
    """A (joints, n) and b (joints,) [rad or m]; the identity and zeros where no joint is coupled.

    >>> from dynamis import Joint, Link, Robot
    >>> fingers = Link("left", Joint("y", "prismatic")), Link("right", Joint("q", "prismatic", coupling={"y": -1}))
    >>> coupling_matrix(Robot("gripper", fingers))[0].tolist()
    [[1.0], [-1.0]]
    """
    scalars = robot.floats()
    A, b = np.zeros((len(robot.joints), robot.n)), np.zeros(len(robot.joints))
    for j, row in enumerate(robot.couplings):
        b[j] = evaluate(row.offset, scalars)
        for k, factor in row.factors:
            A[j, k] = evaluate(factor, scalars)
    return A, b


def joint_positions(robot: RobotModel, y: Array) -> Array:
    """q (..., joints) of the moving joints [rad or m] from coordinates (..., n)."""
    A, b = coupling_matrix(robot)
    return y @ A.T + b
