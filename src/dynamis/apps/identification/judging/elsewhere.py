"""How uncertain the torques are for other motions than that of the log.

Stretches of a log resemble each other, and errors on held-out ones say little about other motions. At any other state
two standard errors of the torque Y beta are known, and the larger one counts: Y C Y^T with the covariance C of the
parameters, and how far the estimates that left out one stretch each go apart (jackknife), which sees too what is
no noise: friction of another kind, a filter that takes away part of a short motion. The second is cautious: where
stretches of a short log tell different things, it is two to three times too large. Positions, velocities and
accelerations are drawn independently of each other from the ranges that they have in the log: in a log that excites
well the torques are known there nearly as well as on the log, in a short one they are not.

How many times larger the first of the errors is there than on the log depends on the motion alone, not on what the
torques are: 1 to 4 in logs that excite well, tens to thousands in those of less than a period. Where it is large, any
residual grows as much on its way to other states, and no mistake of the log can be told from another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.base.arrays import Array
from dynamis.motion.trajectories.trajectory import Motion

RANDOM_STATES = 200


@dataclass(frozen=True)
class Elsewhere:
    """Per coordinate: an RMS standard error of the torque at other states, and how many times that on the log it is."""

    error: Array
    ratio: Array


def elsewhere(model: LinearModel, motion: Motion, covariance: Array, blind: Sequence[Array]) -> Elsewhere:
    """The errors of the torques at random states in the ranges of a motion [N m or N].

    blind: the parameters from all samples but one fold, for every fold
    """
    q, qd, qdd = states_within(motion)
    every = slice(None, None, max(1, len(motion[0]) // RANDOM_STATES))
    there = _variances(model, (q, qd, qdd), covariance)
    here = _variances(model, (motion[0][every], motion[1][every], motion[2][every]), covariance)
    torques = np.array([model.torques(beta, q, qd, qdd) for beta in blind])
    jackknife = (len(blind) - 1) * torques.var(axis=0).mean(axis=0)
    ratio = np.sqrt(np.where(here > 0, there / np.where(here > 0, here, 1.0), 1.0))
    return Elsewhere(np.sqrt(np.maximum(there, jackknife)), ratio)


def states_within(motion: Motion) -> Motion:
    """Random states in the ranges of a motion, without outliers."""
    rng = np.random.default_rng(0)
    ranges = [np.quantile(x, [0.02, 0.98], axis=0) for x in motion]
    q, qd, qdd = (rng.uniform(low, high, (RANDOM_STATES, motion[0].shape[1])) for low, high in ranges)
    return q, qd, qdd


def _variances(model: LinearModel, states: Motion, covariance: Array) -> Array:
    """Mean of the diagonal of Y C Y^T, per coordinate."""
    return np.array([
        np.einsum("ki,ij,kj->k", Y, covariance[np.ix_(row, row)], Y).mean()
        for Y, row in zip(model.base_columns(*states), model.rows, strict=True)
    ])  # fmt: skip
