"""A robot about states of its motion, linearised, over one sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.quantities.arguments import Gravity
from dynamis.robot import Robot

SERIES_TERMS = 8
"""Terms of the exponential series over a sample: the first left out is (rate Tc)^9 / 9!, 3e-6 for rate Tc = 1."""


def sampled_model(model: Robot, states: Any, period: float, gravity: Gravity) -> tuple[Array, Array]:
    """A (k, 2n, 2n) and B (k, 2n, n) over one period of held torque; `states` are k of q, qd and tau."""
    derivatives = model.forward_dynamics_derivatives(*states, gravity=gravity)
    k, n = derivatives.dqdd_dq.shape[:2]
    rates = np.zeros((k, 3 * n, 3 * n))
    rates[:, :n, n : 2 * n] = np.eye(n)
    rates[:, n : 2 * n] = np.concatenate([derivatives.dqdd_dq, derivatives.dqdd_dqd, derivatives.dqdd_dtau], axis=2)
    step = np.eye(3 * n) + np.zeros_like(rates)
    for term in range(SERIES_TERMS, 0, -1):
        step = np.eye(3 * n) + period / term * rates @ step
    return step[:, : 2 * n, : 2 * n], step[:, : 2 * n, 2 * n :]
