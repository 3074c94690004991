"""The derivatives of shipped robots against differences of what the robots themselves say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dynamis import load
from dynamis.base.arrays import Array
from dynamis.compute.mechanics.efficient.articulated_body import forward_dynamics
from dynamis.compute.mechanics.efficient.derivatives import inverse_dynamics_derivatives
from dynamis.compute.mechanics.efficient.forward_dynamics import forward_dynamics_derivatives
from dynamis.compute.mechanics.mechanism import mechanism, state_at


def jacobian(function: Callable[[Array], Array], at: Array) -> Array:
    """Central differences of sixth order: their error is some 1e-10 here."""
    h, weights = 2e-3, ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
    columns = [
        sum(w * (function(at + k * e) - function(at - k * e)) for k, w in weights) / h for e in np.eye(at.size) * h
    ]
    return np.array(columns).T


@pytest.mark.parametrize("name", ["ur5", "puma560", "panda", "stanford"])
def test_inverse_dynamics(name: str) -> None:
    robot = load(name)
    q, qd, qdd = np.random.default_rng(4).uniform(0.2, 1, (3, robot.n))
    m = mechanism(robot, robot.floats())
    by_q, by_qd = inverse_dynamics_derivatives(m, state_at(m, q.tolist(), qd.tolist(), qdd.tolist()))
    np.testing.assert_allclose(by_q, jacobian(lambda x: robot.inverse_dynamics(x, qd, qdd), q), atol=1e-7)
    np.testing.assert_allclose(by_qd, jacobian(lambda x: robot.inverse_dynamics(q, x, qdd), qd), atol=1e-7)


@pytest.mark.parametrize("name", ["ur5", "puma560", "panda", "stanford"])
def test_forward_dynamics(name: str) -> None:
    robot = load(name)
    m = mechanism(robot, robot.floats())
    q, qd, tau = np.random.default_rng(4).uniform(0.2, 1, (3, m.n))

    def qdd(q: Array, qd: Array, tau: Array) -> Array:
        return np.array(forward_dynamics(m, state_at(m, q.tolist(), qd.tolist(), qd.tolist()), tau.tolist()))

    state = state_at(m, q.tolist(), qd.tolist(), qdd(q, qd, tau).tolist())
    by_q, by_qd, by_tau = forward_dynamics_derivatives(m, state)
    size = float(np.abs(by_q).max())
    np.testing.assert_allclose(by_q, jacobian(lambda x: qdd(x, qd, tau), q), atol=1e-7 * size)
    np.testing.assert_allclose(by_qd, jacobian(lambda x: qdd(q, x, tau), qd), atol=1e-7 * size)
    np.testing.assert_allclose(by_tau, jacobian(lambda x: qdd(q, qd, x), tau), atol=1e-7 * size)
