"""The engine against Pinocchio on published URDFs: arms, a gripper, legs, a mobile base with a lift.

A file is read, and written again with all of its places, so that both read the same numbers; that
the first reading is right is seen in tests/laws/test_urdf_pinocchio.py.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from dynamis import Robot
from dynamis.base.arrays import Array
from dynamis.model.formats.urdf.write import write_urdf
from tests.support.closeness import close
from tests.support.functions import on_tier
from tests.support.published_urdfs import Witness, load, published

TIGHT = 1e-12
FILES = [
    "ur_description/urdf/ur5_robot.urdf",
    "kinova_description/robots/kinova.urdf",
    "xarm_description/urdf/xarm7.urdf",
    "panda_description/urdf/panda.urdf",
    "solo_description/robots/solo12.urdf",
    "anymal_b_simple_description/robots/anymal-kinova.urdf",
    "tiago_description/robots/tiago_no_hand.urdf",
    "talos_data/robots/talos_left_arm.urdf",
]
# Pinocchio's order: m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz.
PINOCCHIO = (0, 1, 2, 3, 4, 7, 5, 8, 9, 6)


class Peer(Witness):
    """Pinocchio on a file in a state; its vectors and matrices in the order of the robot's joints."""

    def __init__(self, name: str) -> None:
        read = load(published(name))
        text = write_urdf(read)
        self.robot: Robot = load(text)
        super().__init__(text, self.robot)
        rng = np.random.default_rng(len(name))
        self.order = [self.model.idx_vs[i] for i in self.ids]
        self.back = np.argsort(self.order)
        self.q, self.qd, self.qdd = rng.uniform(-2, 2, (3, self.robot.n))
        self.q_pin = self.configuration(self.q)
        self.v, self.a = self.qd[self.back], self.qdd[self.back]
        self.damping = np.diag(self.model.damping)
        self.friction = self.model.damping * self.v + self.model.upperDryFrictionLimit * np.sign(self.v)

    def configuration(self, q: Array) -> Array:
        found = pin.neutral(self.model)
        for k, i in enumerate(self.ids):
            at, joint = self.model.idx_qs[i], self.model.joints[i]
            found[at : at + joint.nq] = [q[k]] if joint.nq == 1 else [np.cos(q[k]), np.sin(q[k])]
        return found

    def square(self, matrix: Array) -> Array:
        return matrix[np.ix_(self.order, self.order)]

    @property
    def M(self) -> Array:
        upper = np.triu(pin.crba(self.model, self.data, self.q_pin))
        return self.square(upper + np.triu(upper, 1).T)

    @property
    def torque(self) -> float:
        """The largest wrench and the torques: the size of what is added up."""
        tau = pin.rnea(self.model, self.data, self.q_pin, self.v, self.a)
        return float(np.linalg.norm(tau) + max(np.linalg.norm(f.vector) for f in self.data.f[1:]))


@cache
def peer(name: str) -> Peer:
    return Peer(name)


@pytest.fixture(params=FILES, ids=lambda name: name.split("/")[-1])
def pair(request: pytest.FixtureRequest) -> tuple[Robot, Peer]:
    found = peer(request.param)
    return found.robot, found


def test_torques(pair: tuple[Robot, Peer]) -> None:
    robot, x = pair
    tau = pin.rnea(x.model, x.data, x.q_pin, x.v, x.a)
    close(robot.inverse_dynamics(x.q, x.qd, x.qdd), (tau + x.friction)[x.order], x.torque, TIGHT)
    bias = pin.nonLinearEffects(x.model, x.data, x.q_pin, x.v)
    close(robot.bias_torque(x.q, x.qd), (bias + x.friction)[x.order], x.torque, TIGHT)
    g = pin.computeGeneralizedGravity(x.model, x.data, x.q_pin)
    close(robot.gravity_torque(x.q), g[x.order], x.torque, TIGHT)
    close(robot.coriolis_torque(x.q, x.qd), (bias - g)[x.order], x.torque, TIGHT)


def test_the_mass_matrix_and_its_inverse(pair: tuple[Robot, Peer]) -> None:
    robot, x = pair
    M = x.M
    close(robot.mass_matrix(x.q), M, tolerance=TIGHT)
    inverse = pin.computeMinverse(x.model, x.data, x.q_pin)
    inverse = x.square(np.triu(inverse) + np.triu(inverse, 1).T)
    # d(M^-1) = M^-1 dM M^-1
    close(robot.inverse_mass_matrix(x.q), inverse, np.linalg.norm(inverse) * np.linalg.cond(M), TIGHT)
    lower = np.linalg.cholesky(M)
    close(robot.cholesky(x.q), lower, np.linalg.norm(lower) * np.linalg.cond(M), TIGHT)


def test_forward_dynamics(pair: tuple[Robot, Peer]) -> None:
    robot, x = pair
    tau = x.qdd * 10
    qdd = pin.aba(x.model, x.data, x.q_pin, x.v, tau[x.back] - x.friction)[x.order]
    M = x.M
    size = np.linalg.norm(tau) + x.torque + np.linalg.norm(M) * np.linalg.norm(qdd)
    close(robot.forward_dynamics(x.q, x.qd, tau), qdd, np.linalg.norm(np.linalg.inv(M)) * size, TIGHT)


def test_the_coriolis_matrix(pair: tuple[Robot, Peer]) -> None:
    robot, x = pair
    C = x.square(pin.computeCoriolisMatrix(x.model, x.data, x.q_pin, x.v))
    close(robot.coriolis_matrix(x.q, x.qd), C, np.linalg.norm(C) + np.linalg.norm(x.M) * np.linalg.norm(x.qd), TIGHT)


def test_derivatives_of_inverse_dynamics(pair: tuple[Robot, Peer]) -> None:
    robot, x = pair
    by_q, by_v, _ = pin.computeRNEADerivatives(x.model, x.data, x.q_pin, x.v, x.a)
    found = robot.inverse_dynamics_derivatives(x.q, x.qd, x.qdd)
    close(found.dtau_dq, x.square(by_q), np.linalg.norm(by_q) + x.torque, TIGHT)
    size = np.linalg.norm(by_v) + np.linalg.norm(x.M) * np.linalg.norm(x.qd)
    close(found.dtau_dqd, x.square(by_v + x.damping), size, TIGHT)


def test_derivatives_of_forward_dynamics(pair: tuple[Robot, Peer]) -> None:
    """Compared as torques, M dqdd/dq; an error of qdd comes in by dM/dq, as large as M."""
    robot, x = pair
    tau = pin.rnea(x.model, x.data, x.q_pin, x.v, x.a)
    pin.computeABADerivatives(x.model, x.data, x.q_pin, x.v, tau)
    M = x.M
    inverse = np.linalg.inv(M)
    found = robot.forward_dynamics_derivatives(x.q, x.qd, (tau + x.friction)[x.order])
    damping = inverse @ x.square(x.damping)
    expected = (x.square(x.data.ddq_dq), x.square(x.data.ddq_dv) - damping, inverse)
    condition = float(np.linalg.cond(M))
    sizes = (x.torque * condition, np.linalg.norm(M) * np.linalg.norm(x.qd), condition)
    ours = (found.dqdd_dq, found.dqdd_dqd, found.dqdd_dtau)
    for mine, theirs, size in zip(ours, expected, sizes, strict=True):
        scale = np.linalg.norm(np.abs(M) @ np.abs(theirs)) + size
        close(M @ mine, M @ theirs, scale, TIGHT)


def test_the_regressor(pair: tuple[Robot, Peer]) -> None:
    """Joint by joint: links stand in another order there, and parameters too."""
    robot, x = pair
    expected = pin.computeJointTorqueRegressor(x.model, x.data, x.q_pin, x.v, x.a)[x.order]
    columns = [10 * (i - 1) + k for i in x.ids for k in range(10)]
    ours = [10 * k + i for k in range(len(robot.links)) for i in PINOCCHIO]
    close(robot.regressor(x.q, x.qd, x.qdd)[:, ours], expected[:, columns], tolerance=TIGHT)


def test_energies(pair: tuple[Robot, Peer]) -> None:
    robot, x = pair
    T = pin.computeKineticEnergy(x.model, x.data, x.q_pin, x.v)
    close(robot.kinetic_energy(x.q, x.qd), T, tolerance=TIGHT)
    # Pinocchio counts the base too, where the file gives it a mass: what changes with q is compared.
    other = x.q[::-1] / 3
    U, U2 = (pin.computePotentialEnergy(x.model, x.data, x.configuration(q)) for q in (x.q, other))
    size = abs(U) + abs(U2)
    close(robot.potential_energy(x.q) - robot.potential_energy(other), U - U2, size, TIGHT)


def test_frames(pair: tuple[Robot, Peer]) -> None:
    """Placement, Jacobian and Jdot qd of the last links of the tree."""
    robot, x = pair
    for link in (robot.links[-1].name, robot.links[len(robot.links) // 2].name):
        frame = x.model.getFrameId(link, pin.FrameType.BODY)
        pin.computeJointJacobiansTimeVariation(x.model, x.data, x.q_pin, x.v)
        pin.updateFramePlacements(x.model, x.data)
        close(robot.forward_kinematics(x.q, link), x.data.oMf[frame].homogeneous, tolerance=TIGHT)
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        rate = pin.getFrameJacobianTimeVariation(x.model, x.data, frame, axes)
        J = pin.computeFrameJacobian(x.model, x.data, x.q_pin, frame, axes)
        close(robot.jacobian(x.q, link), J[:, x.order], tolerance=TIGHT)
        size = np.linalg.norm(np.abs(rate) @ np.abs(x.v))
        close(robot.bias_acceleration(x.q, x.qd, link), rate @ x.v, size, TIGHT)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_as_machine_code_in_batch(name: str) -> None:
    """Many states of one arm at once."""
    x = peer(FILES[0])
    f = on_tier(x.robot.engine.compile(name), "machine code")
    given: Any = np.random.default_rng(9).uniform(-2, 2, (3, 201, x.robot.n))
    theirs = pin.rnea if name == "inverse_dynamics" else pin.aba
    rows = []
    for q, qd, last in zip(*given, strict=True):
        v = qd[x.back]
        friction = x.model.damping * v + x.model.upperDryFrictionLimit * np.sign(v)
        taken = last[x.back] if name == "inverse_dynamics" else last[x.back] - friction
        value = theirs(x.model, x.data, x.configuration(q), v, taken)
        rows.append((value + friction if name == "inverse_dynamics" else value)[x.order])
    expected = np.array(rows)
    close(f(*given), expected, np.abs(expected).max(), TIGHT)
