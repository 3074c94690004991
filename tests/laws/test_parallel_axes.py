"""Arms with parallel joints, where bodies have other axes than their links: every algorithm against the plain ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamis import Force, Moment, Robot, load
from dynamis.compute.mechanics.dynamics import mass_matrix
from dynamis.compute.mechanics.dynamics.applied_loads import applied_wrench_rates, applied_wrenches
from dynamis.compute.mechanics.dynamics.newton_euler import newton_euler
from dynamis.compute.mechanics.efficient import articulated_body, composite_body, forward_dynamics
from dynamis.compute.mechanics.efficient.coriolis_matrix import coriolis_matrix
from dynamis.compute.mechanics.efficient.derivatives import inverse_dynamics_derivatives
from dynamis.compute.mechanics.efficient.gravity_torque import gravity_torque
from dynamis.compute.mechanics.efficient.inverse_dynamics import inverse_dynamics
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import joint_transforms
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from tests.support.closeness import close
from tests.support.duals import derivatives, dual_state
from tests.support.parallel_arms import arms

TIGHT = 1e-12


def check(robot: Robot, seed: int) -> None:
    """Every algorithm on one state, with loads that stand in the world and on a link."""
    m = mechanism(robot, robot.floats())
    q, qd, qdd = np.random.default_rng(seed).uniform(-3, 3, (3, m.n))
    state, duals = state_at(m, q.tolist(), qd.tolist(), qdd.tolist()), dual_state(m, q, qd, qdd)
    last, middle = robot.links[-1].name, robot.links[len(robot.links) // 2].name
    loads = [
        Force(last, (3, -4, 5), point=(0.1, 0.2, 0.3)),
        Force(middle, (1, 2, 3), "link", (0.4, 0.5, 0.6), "world"),
        Moment(middle, (5, -3, 2)),
        Moment(middle, (1, 1, -2), "link"),
    ]
    wrenches = applied_wrenches(robot, m, state, loads)
    plain = newton_euler(m, state, None, wrenches)
    size = max(abs(x) for w in plain.wrenches for v in (w.force, w.moment) for x in v)
    tau, M = plain.tau, np.reshape(mass_matrix.mass_matrix(m, state), (m.n, m.n))
    close(inverse_dynamics(m, state, None, wrenches), tau, size, TIGHT)
    close(np.reshape(composite_body.mass_matrix(m, state), M.shape), M, None, TIGHT)
    still = newton_euler(m, state_at(m, state.q, [0.0] * m.n, [0.0] * m.n)).tau
    close(gravity_torque(m, state), still, size, TIGHT)
    for forward in (articulated_body.forward_dynamics, forward_dynamics.forward_dynamics):
        found = forward(m, replace(state, qdd=[0.0] * m.n), tau, None, wrenches)
        close(M @ (np.array(found) - qdd), np.zeros(m.n), size + float(np.linalg.norm(np.abs(M) @ np.abs(qdd))), TIGHT)
    moving = applied_wrenches(robot, m, duals, loads)
    expected = derivatives(newton_euler(m, duals, None, moving).tau, m.n)
    rates = applied_wrench_rates(robot, m, state, loads)
    by_q, by_qd = inverse_dynamics_derivatives(m, state, None, wrenches, rates)
    close(np.reshape(by_q, M.shape), expected[0], size + float(np.linalg.norm(expected[0])), TIGHT)
    rates_size = float(np.linalg.norm(expected[1]) + np.linalg.norm(M) * np.linalg.norm(qd))
    close(np.reshape(by_qd, M.shape), expected[1], rates_size, TIGHT)
    damping = np.diag([body.forces.damping for body in m.bodies if body.joint is not None])
    close(2 * np.reshape(coriolis_matrix(m, state), M.shape) + damping, expected[1], rates_size, TIGHT)


@settings(max_examples=60)
@given(arms(), st.integers(0, 99))
def test_random_arms(robot: Robot, seed: int) -> None:
    check(robot, seed)


@pytest.mark.parametrize("name", ["ur5", "puma560", "panda", "stanford", "bar-2r"])
def test_shipped_arms(name: str) -> None:
    for seed in range(3):
        check(load(name), seed)


def test_which_bodies_stand_still() -> None:
    """Joints 2, 3 and 4 of the UR5 are parallel, 2 and 3 of the PUMA 560."""
    expected = {"ur5": [1, 2], "puma560": [1], "panda": []}
    for name, bodies in expected.items():
        robot = load(name)
        m = mechanism(robot, robot.floats())
        zeros = [0.0] * m.n
        joints = joint_transforms(m, state_at(m, zeros, zeros, zeros))
        assert [i for i, joint in enumerate(joints) if joint.own_rotation is not None] == bodies
