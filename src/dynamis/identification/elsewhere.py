"""How uncertain the torques are for other motions than that of the log.

Stretches of a log resemble each other, and errors on held-out ones say little about other motions. The covariance C of
the parameters does: at any state the torque Y beta has the variance Y C Y^T. Here positions, velocities and
accelerations are drawn independently of each other from the ranges that they have in the log: in a log that excites
well the torques are as well known there as on the log, in a short one they are not.
"""

from __future__ import annotations

import numpy as np

from dynamis.arrays import Array
from dynamis.identification.linear_model import LinearModel
from dynamis.motion.trajectories.trajectory import Motion

STATES = 200


def torque_errors_elsewhere(model: LinearModel, motion: Motion, covariance: Array) -> Array:
    """RMS standard error of the torque of every coordinate at random states in the ranges of a motion [N m or N]."""
    rng = np.random.default_rng(0)
    ranges = [np.quantile(x, [0.02, 0.98], axis=0) for x in motion]  # without outliers
    q, qd, qdd = (rng.uniform(low, high, (STATES, model.robot.n)) for low, high in ranges)
    variances = [
        np.einsum("ki,ij,kj->k", Y, covariance[np.ix_(row, row)], Y).mean()
        for Y, row in zip(model.base_columns(q, qd, qdd), model.rows, strict=True)
    ]
    return np.sqrt(np.maximum(variances, 0.0))
