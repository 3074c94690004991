"""Laws that the engine's quantities keep among themselves, on random trees: nothing else is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import assume, given, settings

from dynamis import Robot
from dynamis.base.arrays import Array
from dynamis.compute.mechanics.dynamics.regressor import drive_torques, inertial_parameters
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from tests.support.closeness import close
from tests.support.strategies import Case, robots

TIGHT = 1e-12
EXAMPLES = settings(max_examples=20)
STEP = 2e-3
"""The step of differences of the sixth order: what they leave out is of order STEP^6, what rounding adds eps / STEP."""
DIFFERENCES = 1e-9
MOVES = ("revolute", "prismatic", "revolute")


def norm(x: Any) -> float:
    return float(np.linalg.norm(x))


def torque_scale(case: Case) -> float:
    """The largest force or moment of the tree."""
    found = case.robot().recursion(case.q, case.qd, case.qdd, gravity=case.gravity_given, loads=case.loads)
    return norm(found.tau) + float(max(np.abs(found.f).max(), np.abs(found.n).max()))


def rate(f: Callable[[Array], Array], x: Array, along: Array) -> Array:
    """The derivative of f at x along a direction, from one batch of six states."""
    offsets = np.array([-3, -2, -1, 1, 2, 3])
    weights = np.array([-1, 9, -45, 45, -9, 1]) / (60 * STEP)
    return np.tensordot(weights, f(x + STEP * offsets[:, None] * along), 1)


def columns(f: Callable[[Array], Array], x: Array) -> Array:
    """The matrix of derivatives df/dx."""
    return np.stack([rate(f, x, direction) for direction in np.eye(x.size)], axis=-1)


@EXAMPLES
@given(robots(joints=(1, 8), kinds=MOVES, friction=True, solid=True))
def test_the_mass_matrix(case: Case) -> None:
    """Symmetric, positive definite, L L^T, with an inverse; T = qd^T M qd / 2."""
    robot = case.robot()
    M, L, inverse = robot.mass_matrix(case.q), robot.cholesky(case.q), robot.inverse_mass_matrix(case.q)
    np.testing.assert_array_equal(M, M.T)
    np.testing.assert_array_equal(inverse, inverse.T)
    np.testing.assert_array_equal(L, np.tril(L))
    assert np.linalg.eigvalsh(M)[0] > 0
    assert (np.diag(L) > 0).all()
    close(L @ L.T, M, tolerance=TIGHT)
    close(M @ inverse, np.eye(robot.n), np.linalg.cond(M), TIGHT)
    close(robot.kinetic_energy(case.q, case.qd), case.qd @ M @ case.qd / 2, norm(M) * norm(case.qd) ** 2, TIGHT)


@EXAMPLES
@given(robots(joints=(1, 8), kinds=MOVES, friction=True))
def test_the_coriolis_matrix(case: Case) -> None:
    """C qd = c, C + C^T = dM/dt: then dM/dt - 2 C is skew."""
    robot = case.robot()
    C, M = robot.coriolis_matrix(case.q, case.qd), robot.mass_matrix(case.q)
    c = robot.coriolis_torque(case.q, case.qd)
    size = norm(M) * norm(case.qd)
    close(C @ case.qd, c, size * norm(case.qd), TIGHT)
    Md = rate(robot.mass_matrix, case.q, case.qd / norm(case.qd)) * norm(case.qd)
    close(C + C.T, Md, size, DIFFERENCES)
    skew = Md - 2 * C
    close(skew + skew.T, 0 * C, size, DIFFERENCES)


@EXAMPLES
@given(robots(joints=(1, 8), kinds=MOVES, friction=True, loads=True))
def test_the_parts_of_the_torques(case: Case) -> None:
    """tau = M qdd + bias; the bias is c, g and friction where there are no loads; inverse undoes forward."""
    robot, q, qd, qdd = case.robot(), case.q, case.qd, case.qdd
    around: Any = {"loads": case.loads, "gravity": case.gravity_given}
    tau, M = robot.inverse_dynamics(q, qd, qdd, **around), robot.mass_matrix(q)
    size = torque_scale(case) + norm(M) * norm(qdd)
    close(M @ qdd + robot.bias_torque(q, qd, **around), tau, size, TIGHT)
    moving = [case.parts[i] for i in case.moving]
    friction = np.array([part.damping * v + part.coulomb * np.sign(v) for part, v in zip(moving, qd, strict=True)])
    parts = robot.coriolis_torque(q, qd) + robot.gravity_torque(q, gravity=case.gravity_given) + friction
    close(robot.bias_torque(q, qd, gravity=case.gravity_given), parts, size + norm(parts), TIGHT)
    # Compared as torques: an error of theirs grows by M^-1.
    again = robot.inverse_dynamics(q, qd, robot.forward_dynamics(q, qd, tau, **around), **around)
    close(again, tau, size, TIGHT)


@EXAMPLES
@given(robots(joints=(1, 8), friction=True))
def test_the_regressor(case: Case) -> None:
    """tau = Y pi + what the drives take."""
    assume(case.moving)
    robot = case.robot()
    m = mechanism(robot, robot.floats())
    state = state_at(m, case.q.tolist(), case.qd.tolist(), case.qdd.tolist())
    terms = robot.regressor(case.q, case.qd, case.qdd) * np.array(inertial_parameters(m))
    drives = np.array(drive_torques(m, state))
    tau = robot.inverse_dynamics(case.q, case.qd, case.qdd)
    close(terms.sum(axis=1) + drives, tau, float(np.abs(terms).sum()) + norm(drives), TIGHT)


@EXAMPLES
@given(robots(joints=(1, 8), friction=True))
def test_how_frames_move(case: Case) -> None:
    """v = J qd and a = J qdd + Jdot qd, of the tool and of a CoM; both are rates of the placement."""
    assume(case.moving)
    robot, q, qd, qdd = case.robot(), case.q, case.qd, case.qdd
    J, bias = robot.jacobian(q), robot.bias_acceleration(q, qd)
    found = robot.frame_motion(q, qd, qdd)
    speed, push = norm(np.abs(J) @ np.abs(qd)), norm(np.abs(J) @ np.abs(qdd)) + norm(J) * norm(qd) ** 2
    close(J @ qd, np.concatenate([found.velocity, found.w]), speed, TIGHT)
    close(J @ qdd + bias, np.concatenate([found.acceleration, found.wd]), push + norm(bias), TIGHT)
    along = qd / norm(qd)
    place = rate(robot.forward_kinematics, q, along) * norm(qd)
    close(place[:3, 3], found.velocity, speed, DIFFERENCES)
    Jd = rate(robot.jacobian, q, along) * norm(qd)
    close(Jd @ qd, bias, push, DIFFERENCES)
    link = case.parts[case.tool_on].name
    J = robot.com_jacobian(q, link)
    close(rate(lambda x: robot.com_pose(x, link), q, along)[:3, 3] * norm(qd), J[:3] @ qd, speed + norm(J), DIFFERENCES)
    Jd = rate(lambda x: robot.com_jacobian(x, link), q, along) * norm(qd)
    close(Jd @ qd, robot.com_bias_acceleration(q, qd, link), push + norm(J) * norm(qd) ** 2, DIFFERENCES)


@settings(max_examples=12)
@given(robots(joints=(6, 8), kinds=MOVES, chain=True, solid=True))
def test_inertia_at_the_tool(case: Case) -> None:
    """Lambda (J M^-1 J^T) = 1."""
    robot = case.robot()
    J, inverse, M = robot.jacobian(case.q), robot.inverse_mass_matrix(case.q), robot.mass_matrix(case.q)
    mobility = J @ inverse @ J.T
    assume(np.linalg.cond(mobility) < 1e9)  # Arms of sliders have no Lambda.
    found = robot.operational_inertia(case.q)
    np.testing.assert_array_equal(found, found.T)
    close(found @ mobility, np.eye(6), np.linalg.cond(mobility) * np.linalg.cond(M), TIGHT)


def derivatives_of(case: Case) -> tuple[Robot, dict[str, Any]]:
    assume(np.abs(case.qd).min() > 0.05)  # Dry friction jumps at rest.
    return case.robot(), {"loads": case.loads, "gravity": case.gravity_given}


@EXAMPLES
@given(robots(joints=(1, 6), kinds=MOVES, friction=True, loads=True))
def test_derivatives_of_inverse_dynamics(case: Case) -> None:
    robot, around = derivatives_of(case)
    found = robot.inverse_dynamics_derivatives(case.q, case.qd, case.qdd, **around)
    by_q = columns(lambda q: robot.inverse_dynamics(q, case.qd, case.qdd, **around), case.q)
    by_qd = columns(lambda qd: robot.inverse_dynamics(case.q, qd, case.qdd, **around), case.qd)
    by_qdd = columns(lambda qdd: robot.inverse_dynamics(case.q, case.qd, qdd, **around), case.qdd)
    size = torque_scale(case)
    close(found.dtau_dq, by_q, size + norm(by_q), DIFFERENCES)
    close(found.dtau_dqd, by_qd, size + norm(by_qd), DIFFERENCES)
    close(robot.mass_matrix(case.q), by_qdd, size + norm(by_qdd), DIFFERENCES)


@EXAMPLES
@given(robots(joints=(1, 6), kinds=MOVES, friction=True, loads=True, solid=True))
def test_derivatives_of_forward_dynamics(case: Case) -> None:
    """Compared as torques, M dqdd/dq."""
    robot, around = derivatives_of(case)
    tau = robot.inverse_dynamics(case.q, case.qd, case.qdd, **around)
    M = robot.mass_matrix(case.q)
    assume(np.linalg.cond(M) < 1e4)  # Differences of a light link's accelerations need a step of its own.
    found = robot.forward_dynamics_derivatives(case.q, case.qd, tau, **around)
    by_q = columns(lambda q: robot.forward_dynamics(q, case.qd, tau, **around), case.q)
    by_qd = columns(lambda qd: robot.forward_dynamics(case.q, qd, tau, **around), case.qd)
    by_tau = columns(lambda t: robot.forward_dynamics(case.q, case.qd, t, **around), tau)
    size = torque_scale(case)
    for ours, theirs in ((found.dqdd_dq, by_q), (found.dqdd_dqd, by_qd), (found.dqdd_dtau, by_tau)):
        close(M @ ours, M @ theirs, size + norm(M) * norm(theirs), DIFFERENCES)
    close(found.dqdd_dtau, robot.inverse_mass_matrix(case.q), np.linalg.cond(M) * norm(found.dqdd_dtau), TIGHT)


@EXAMPLES
@given(robots(joints=(1, 8), friction=True))
def test_gravity_is_the_slope_of_the_potential_energy(case: Case) -> None:
    assume(case.moving)
    robot = case.robot()
    slope = columns(lambda q: robot.potential_energy(q)[..., None], case.q)[0]
    size = torque_scale(case) + abs(float(robot.potential_energy(case.q)))
    close(robot.gravity_torque(case.q), slope, size, DIFFERENCES)
