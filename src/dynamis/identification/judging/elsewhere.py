"""How uncertain the torques are for other motions than that of the log.

Stretches of a log resemble each other, and errors on held-out ones say little about other motions. At any other state
two standard errors of the torque Y beta are known, and the larger one counts: Y C Y^T with the covariance C of the
parameters, and how far the estimates that left out one stretch each go apart (jackknife), which sees too what is
no noise: friction of another kind, a filter that takes away part of a short motion. The second is cautious: where
stretches of a short log tell different things, it is two to three times too large. Positions, velocities and
accelerations are drawn independently of each other from the ranges that they have in the log: in a log that excites
well the torques are as well known there as on the log, in a short one they are not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dynamis.arrays import Array
from dynamis.identification.fitting.linear_model import LinearModel
from dynamis.motion.trajectories.trajectory import Motion

STATES = 200


def torque_errors_elsewhere(model: LinearModel, motion: Motion, covariance: Array, blind: Sequence[Array]) -> Array:
    """RMS standard error of the torque of every coordinate at random states in the ranges of a motion [N m or N].

    blind: the parameters from all samples but one fold, for every fold
    """
    rng = np.random.default_rng(0)
    ranges = [np.quantile(x, [0.02, 0.98], axis=0) for x in motion]  # without outliers
    q, qd, qdd = (rng.uniform(low, high, (STATES, model.robot.n)) for low, high in ranges)
    variances = [
        np.einsum("ki,ij,kj->k", Y, covariance[np.ix_(row, row)], Y).mean()
        for Y, row in zip(model.base_columns(q, qd, qdd), model.rows, strict=True)
    ]
    torques = np.array([model.torques(beta, q, qd, qdd) for beta in blind])
    jackknife = (len(blind) - 1) * torques.var(axis=0).mean(axis=0)
    return np.sqrt(np.maximum(variances, jackknife))
