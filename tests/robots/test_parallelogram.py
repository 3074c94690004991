"""The shipped arm with a parallelogram: its loop is closed, its motors decouple where the textbook says."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.trajectories import planar_inverse_kinematics, quintic

ARM = dynamis.load("parallelogram")
Y = np.random.default_rng(0).uniform(-2, 2, (20, 2))


def test_rod_and_forearm_meet_in_every_pose() -> None:
    """The couplings are those of a parallelogram: the end of the rod is the end of the forearm behind the elbow."""
    a, b = ARM.values["a"], ARM.values["b"]
    rod, forearm = ARM.forward_kinematics(Y, "rod"), ARM.forward_kinematics(Y, "forearm")
    ends = [T @ np.array([x, 0, 0, 1]) for T, x in ((rod, float(str(a))), (forearm, -float(str(b))))]
    assert np.abs(ends[0] - ends[1]).max() < 1e-15
    assert coupling_matrix(ARM)[0].tolist() == [[1, 0], [0, 1], [1, -1], [-1, 1]]


def test_the_second_motor_sets_the_angle_of_the_forearm() -> None:
    x = ARM.forward_kinematics(Y, "forearm")[:, :3, 0]
    assert np.abs(x - np.stack([np.cos(Y[:, 1]), np.sin(Y[:, 1]), 0 * Y[:, 1]], axis=1)).max() < 1e-15


def test_a_balanced_forearm_decouples_the_motors() -> None:
    """(m3 + m4) b = m4 l makes M constant and diagonal (Siciliano et al., Robotics, 2009, section 7.3): no Coriolis."""
    m3, m4, b = (float(str(ARM.values[name])) for name in ("m3", "m4", "b"))
    balanced = ARM.with_values(l=(m3 + m4) * b / m4)
    M = balanced.mass_matrix(Y)
    assert np.abs(M[:, 0, 1]).max() < 1e-15
    assert np.ptp(M, axis=0).max() < 1e-15
    assert np.abs(balanced.coriolis_torque(Y, 3 * Y)).max() < 1e-14
    assert np.abs(ARM.mass_matrix(Y)[:, 0, 1]).max() > 0.05


def test_inverse_kinematics_in_closed_form_keeps_short_of_the_dead_points() -> None:
    y = np.array([1.2, 0.3])
    branches = planar_inverse_kinematics(ARM, ARM.forward_kinematics(y)[:3, 3])
    assert branches.branch("elbow up") == pytest.approx(y, abs=1e-12)
    assert branches.within_limits.tolist() == [False, True]
    assert dynamis.inverse_kinematics(ARM, ARM.forward_kinematics(y)[:3, 3]).q == pytest.approx(y, abs=1e-7)


def test_a_budget_has_one_torque_per_motor() -> None:
    budget = dynamis.torque_budget(ARM, quintic([1.0, 0.0], [2.0, 0.5], 1.0))
    assert budget.joints == ("q1", "q2")
    assert budget.residual < 1e-14
    tau = ARM.inverse_dynamics(budget.history.q, budget.history.qd, budget.history.qdd)
    assert np.abs(budget.history.tau - tau).max() < 1e-12


def test_limits_that_a_fall_passes_are_noted_with_their_units() -> None:
    text = dynamis.simulate(dynamis.load("parallelogram"), [2.4, 1.4], duration=0.3).table("joints")
    assert "note: joint 1 reaches 4.66188 rad/s; its velocity limit is 3 rad/s" in text
