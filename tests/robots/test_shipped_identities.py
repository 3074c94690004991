"""Laws of dynamics on every shipped robot, those without values with drawn ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dynamis import Force, Moment, Robot, ToolWrench, load, robots
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.compute.mechanics.mechanism import mechanism
from tests.support.documents import Array, agree, drawn_values, mass_matrix, velocity_torque

every = pytest.mark.parametrize("name", robots())
# Seven-point central differences: the error is of the order of step^6.
STEP, WEIGHTS = 1e-3, np.array([-1, 9, -45, 0, 45, -9, 1]) / 60
OFFSETS = STEP * np.arange(-3, 4)[:, None]


def drawn(name: str) -> tuple[Robot, Array, Array, Array, np.random.Generator]:
    rng = np.random.default_rng(11)
    robot = load(name)
    values = drawn_values(robot, rng)
    robot = robot.with_values({missing: values[missing] for missing in robot.missing_values})
    q, qd, qdd = rng.uniform(-2, 2, (3, robot.n))
    return robot, q, qd, qdd, rng


def friction(robot: Robot, q: Array, qd: Array) -> Array:
    """The part of tau that changes its sign with the velocity: c(q, qd) and gravity do not."""
    return (robot.inverse_dynamics(q, qd) - robot.inverse_dynamics(q, -qd)) / 2


def independent(robot: Robot) -> Robot:
    """The robot with its coupled joints set free."""
    free = [replace(link, joint=replace(link.joint, coupling={}, coupling_offset=0)) for link in robot.links]
    return replace(robot, links=tuple(free))


def carried_by(robot: Robot, link: str) -> set[str]:
    """The joints between the base and a link."""
    parents = {x.name: (x.parent, x.joint.name) for x in robot.links}
    joints: set[str] = set()
    while link in parents:
        link, joint = parents[link]
        joints.add(joint)
    return joints


@every
def test_angular_jacobian_of_a_prismatic_joint_is_zero(name: str) -> None:
    """And of a revolute one a unit vector, of those that carry the link; coupled joints add up, J A."""
    robot, y, *_ = drawn(name)
    free, (A, b) = independent(robot), coupling_matrix(robot)
    for link in robot.links:
        J = free.com_jacobian(A @ y + b, link.name)
        carried = carried_by(robot, link.name)
        for i, joint in enumerate(robot.joints):
            agree(np.linalg.norm(J[3:, i]), 1 if joint.revolute and joint.name in carried else 0)
            if not joint.revolute and joint.name in carried:
                agree(np.linalg.norm(J[:3, i]), 1)
        agree(robot.com_jacobian(y, link.name), J @ A)


@every
def test_inertia_in_base_axes_has_the_same_principal_moments(name: str) -> None:
    """I_base = R I R^T; the angular part of M is the sum of Jw^T I_base Jw."""
    robot, q, *_ = drawn(name)
    bodies = mechanism(robot, robot.floats()).bodies
    M = np.zeros((robot.n, robot.n))
    for link, body in zip(robot.links, bodies, strict=True):
        R, J = robot.forward_kinematics(q, link.name)[:3, :3], robot.com_jacobian(q, link.name)
        tensor = np.array([list(row) for row in body.inertia])
        in_base = R @ tensor @ R.T
        agree(np.linalg.eigvalsh(in_base), np.linalg.eigvalsh(tensor))
        M += body.mass * J[:3].T @ J[:3] + J[3:].T @ in_base @ J[3:]
    A = coupling_matrix(robot)[0]
    M += A.T @ np.diag([body.rotor for body in bodies if body.joint is not None]) @ A
    agree(mass_matrix(robot, q), M)


@every
def test_inertia_matrix_is_symmetric_and_positive_definite(name: str) -> None:
    robot, q, *_ = drawn(name)
    M = mass_matrix(robot, q)
    agree(M, M.T)
    assert np.linalg.eigvalsh(M).min() > 0


@every
def test_power_of_the_motors_is_the_change_of_energy(name: str) -> None:
    """d/dt (T + U) = qd.tau along a motion, friction aside."""
    robot, q, qd, qdd, _ = drawn(name)
    path, speed = q + OFFSETS * qd + OFFSETS**2 * qdd / 2, qd + OFFSETS * qdd
    energy = robot.kinetic_energy(path, speed) + robot.potential_energy(path)
    power = qd @ (robot.inverse_dynamics(q, qd, qdd) - friction(robot, q, qd))
    assert abs(WEIGHTS @ energy / STEP - power) <= 1e-9 * max(1.0, np.abs(energy).max())


@every
def test_gravity_torque_is_the_gradient_of_the_potential_energy(name: str) -> None:
    robot, q, *_ = drawn(name)
    slopes = [WEIGHTS @ robot.potential_energy(q + OFFSETS * axis) / STEP for axis in np.eye(robot.n)]
    agree(robot.inverse_dynamics(q), slopes, tolerance=1e-9)


@every
def test_torques_add_up(name: str) -> None:
    """tau = inertia + Coriolis and centrifugal + gravity + friction + the torque of each load."""
    robot, q, qd, qdd, rng = drawn(name)
    last = robot.links[-1].name
    loads = [
        Force(last, rng.uniform(-9, 9, 3).tolist(), point=rng.uniform(-1, 1, 3).tolist()),
        Force(robot.links[0].name, rng.uniform(-9, 9, 3).tolist(), axes="link"),
        Moment(last, rng.uniform(-9, 9, 3).tolist()),
        ToolWrench("exerted_by_tool", rng.uniform(-9, 9, 3).tolist(), rng.uniform(-9, 9, 3).tolist(), axes="tool"),
    ]
    parts = [
        mass_matrix(robot, q) @ qdd,
        velocity_torque(robot, q, qd),
        robot.inverse_dynamics(q),
        *(robot.inverse_dynamics(q, loads=[one], gravity=False) for one in loads),
    ]
    together = robot.inverse_dynamics(q, qd, qdd, loads=loads)
    agree(together, np.sum(parts, axis=0))
    agree(robot.inverse_dynamics(q, qd, qdd, loads=loads, gravity=False), together - parts[2])


@every
def test_a_load_is_held_by_the_transposed_jacobian(name: str) -> None:
    """tau = -J^T w for a wrench w of the environment at the tool, in world axes."""
    robot, q, _, _, rng = drawn(name)
    w = rng.uniform(-9, 9, 6)
    wrench = ToolWrench("exerted_by_environment", w[:3].tolist(), w[3:].tolist())
    agree(robot.inverse_dynamics(q, loads=[wrench], gravity=False), -robot.jacobian(q).T @ w)
