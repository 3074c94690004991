"""Friction and springs of the joints themselves, on random robots: what they take from the motors, by NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Inertia, Joint, Link, Robot
from dynamis.base.arrays import Array
from dynamis.compute.mechanics.friction import without_forces
from dynamis.compute.quantities.reference import plain
from dynamis.model.formats.robot_file.read import read_robot_file
from dynamis.model.formats.robot_file.write import write_toml
from dynamis.model.robot import RobotModel
from dynamis.scalars.exact.counterexample import value
from tests.support.closeness import close
from tests.support.joint_forces import Forces, random_forces
from tests.support.strategies import Case, Wishes, cases

few = settings(max_examples=25)


@dataclass(frozen=True)
class Forced:
    """A random robot with and without forces in its joints, and in which state."""

    case: Case
    forces: Forces
    bare: Robot
    robot: Robot

    @property
    def state(self) -> tuple[Array, Array, Array]:
        return self.case.q, self.case.qd, self.case.qdd


@st.composite
def forced(draw: st.DrawFn) -> Forced:
    case = draw(cases(Wishes(joints=(1, 6), solid=True)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    bare = case.robot()
    assume(bare.n)
    forces = random_forces(rng, len(bare.joints))
    return Forced(case, forces, bare, forces.on(bare))


@few
@given(forced())
def test_torques_are_those_of_the_links_and_the_formulas(x: Forced) -> None:
    q, qd, qdd = x.state
    tau, bare, robot = x.robot.inverse_dynamics(q, qd, qdd), x.bare, x.robot
    size = 1 + np.linalg.norm(tau) + np.linalg.norm(bare.inverse_dynamics(q, qd, qdd))
    own = x.forces.friction(qd) + x.forces.spring(q)
    close(tau, bare.inverse_dynamics(q, qd, qdd) + own, size)
    close(plain(robot, "inverse_dynamics", q, qd, qdd)[0], tau, size)
    close(robot.coriolis_torque(q, qd), bare.coriolis_torque(q, qd), size)
    close(robot.gravity_torque(q), bare.gravity_torque(q) + x.forces.spring(q), size)
    close(plain(robot, "gravity_torque", q)[0], robot.gravity_torque(q), size)
    close(robot.potential_energy(q), bare.potential_energy(q) + x.forces.energy(q), 1 + robot.potential_energy(q))


@few
@given(forced())
def test_forward_dynamics_is_the_inverse(x: Forced) -> None:
    q, qd, qdd = x.state
    tau = x.robot.inverse_dynamics(q, qd, qdd)
    M = x.robot.mass_matrix(q)
    size = np.linalg.cond(M) * (1 + np.linalg.norm(qdd) + np.linalg.norm(tau) / np.linalg.norm(M))
    close(x.robot.forward_dynamics(q, qd, tau), qdd, size)
    close(plain(x.robot, "forward_dynamics", q, qd, tau)[0], qdd, size)


@few
@given(forced())
def test_friction_takes_energy_and_is_odd_but_for_the_offset(x: Forced) -> None:
    """With an offset no larger than dry friction at any speed it brakes every motion, forwards and backwards."""
    rng = np.random.default_rng(0)
    qd = rng.normal(size=(200, x.robot.n)) * 10.0 ** rng.uniform(-4, 1, (200, x.robot.n))
    parts = [x.robot.torque_components(0 * qd, v) for v in (qd, -qd)]
    there, back = (part.parts[..., part.names.index("friction")] for part in parts)
    assert (there * qd >= 0).all()
    close(there + back, np.broadcast_to(2 * x.forces.friction_offset, qd.shape), 1.0)
    assert (there != 0).any()


@few
@given(forced())
def test_derivatives_are_slopes(x: Forced) -> None:
    q, qd, qdd = x.state
    qd, h, steps = np.where(np.abs(qd) < 0.01, 0.01, qd), 1e-4, 1e-4 * np.eye(x.robot.n)

    def slope(f: Any) -> Array:
        """By central differences of fourth order."""
        return (8 * (f(steps) - f(-steps)) - (f(2 * steps) - f(-2 * steps))) / (12 * h)

    tau, found = x.robot.inverse_dynamics, x.robot.inverse_dynamics_derivatives(q, qd, qdd)
    for by, f in ((found.dtau_dq, lambda d: tau(q + d, qd, qdd)), (found.dtau_dqd, lambda d: tau(q, qd + d, qdd))):
        close(by, slope(f).T, 1 + np.linalg.norm(tau(q, qd, qdd)) + np.linalg.norm(by), 1e-6)
    g = x.robot.gravity_torque(q)
    close(g, slope(lambda d: x.robot.potential_energy(q + d)), 1 + np.linalg.norm(g), 1e-6)


@few
@given(forced())
def test_torques_are_linear_in_the_parameters_and_the_sum_of_their_parts(x: Forced) -> None:
    q, qd, qdd = x.state
    tau, pi = x.robot.inverse_dynamics(q, qd, qdd), x.robot.parameter_vector()
    parts = x.robot.torque_components(q, qd, qdd)
    Y, size = x.robot.full_regressor(q, qd, qdd), 1 + np.abs(parts.parts).sum()
    close(Y @ pi.values, tau, size + np.abs(Y * pi.values).sum())
    close(parts.total, tau, size)
    assert x.robot.force_terms == ("damping", "coulomb", "stribeck", "friction_offset", "stiffness")
    for name, own in (("springs", x.forces.spring(q)), ("friction", x.forces.friction(qd))):
        close(parts.parts[:, parts.names.index(name)], own, size)
    causes = x.robot.parameter_torques(q, qd, qdd)
    close(causes.sum(axis=-1), tau, size + np.abs(causes).sum())
    drives = pi.values[10 * len(x.robot.links) :]
    again = x.robot.with_inertial_parameters([*x.robot.inertial_parameters(), *(2 * drives)])
    doubled = again.inverse_dynamics(q, qd, qdd) - tau
    close(doubled, Y[:, 10 * len(x.robot.links) :] @ drives, size)


@few
@given(forced())
def test_a_batch_is_its_states_to_the_bit_and_a_file_is_the_robot(x: Forced) -> None:
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 17, x.robot.n))
    batch = x.robot.inverse_dynamics(q, qd, qdd)
    assert (batch == [x.robot.inverse_dynamics(*state) for state in zip(q, qd, qdd, strict=True)]).all()
    close(x.robot.on("numpy").inverse_dynamics(q, qd, qdd), batch)
    read = read_robot_file(write_toml(x.robot), "x.toml")
    assert isinstance(read, RobotModel)
    assert write_toml(read) == write_toml(x.robot)
    assert [link.joint.forces for link in read.links] == [link.joint.forces for link in x.robot.links]


def planar(**forces: Any) -> Robot:
    """A turning arm with a slider on it."""
    return Robot("planar", (
        Link("arm", Joint("q1", axis=(0, 1, 0), **forces), "base", 2, (0.5, 0, 0), Inertia.of(yy=0.25)),
        Link("slide", Joint("q2", "prismatic", (1, 0, 0), **forces), "arm", 1.5, (0.25, 0, 0), Inertia.of(yy=0.125)),
    ), parameters=dict.fromkeys(SYMBOLS.values(), "") if forces == SYMBOLS else {})  # fmt: skip


NUMBERS = {
    "damping": 0.25, "coulomb": 0.5, "stribeck": 0.75, "stribeck_speed": 0.125, "friction_offset": -0.25,
    "stiffness": 8, "rest": 0.25,
}  # fmt: skip
SYMBOLS = {
    "damping": "b", "coulomb": "h", "stribeck": "hs", "stribeck_speed": "v", "friction_offset": "o",
    "stiffness": "kappa", "rest": "r",
}  # fmt: skip


@pytest.mark.parametrize("forces", [NUMBERS, SYMBOLS], ids=["numbers", "symbols"])
def test_the_equations_have_them_and_all_laws_are_proved(forces: dict[str, Any]) -> None:
    robot = planar(**forces)
    numbers = robot.with_values(**{SYMBOLS[key]: x for key, x in NUMBERS.items()}) if forces is SYMBOLS else robot
    model = robot.equations()
    assert all(proof.holds for proof in model.prove())
    q, qd, qdd = np.array([0.5, -0.75]), np.array([0.0625, -0.25]), np.array([1.5, -2.0])
    point: dict[str, Any] = {"cos(q1)": np.cos(q[0]), "sin(q1)": np.sin(q[0])}
    point |= {SYMBOLS[key]: x for key, x in NUMBERS.items()} | {"1/v": 8}
    for k, name in enumerate(("q1", "q2")):
        point |= {name: q[k], f"d({name})": qd[k], f"dd({name})": qdd[k], f"sign(d({name}))": np.sign(qd[k])}
        point[f"stribeck(d({name}))"] = np.sign(qd[k]) * np.exp(-((qd[k] / 0.125) ** 2))
    exact = {key: Fraction(float(x)) for key, x in point.items()}
    close([float(value(tau, exact)) for tau in model.torques], numbers.inverse_dynamics(q, qd, qdd))
    slopes = model.quantity("inverse_dynamics_derivatives")
    found = numbers.inverse_dynamics_derivatives(q, qd, qdd)
    for name, by in (("dtau_dq", found.dtau_dq), ("dtau_dqd", found.dtau_dqd)):
        close([[float(value(x, exact)) for x in row] for row in slopes[name]], by)


def test_a_follower_has_its_own_forces() -> None:
    """q2 = -2 q1 + 1/2: its friction and its spring are felt through the factor."""
    follower: Any = {"coupling": {"q1": -2}, "coupling_offset": 0.5}
    arm = planar()
    links = arm.links[0], replace(arm.links[1], joint=replace(arm.links[1].joint, **NUMBERS, **follower))
    robot = replace(arm, links=links)
    bare = without_forces(robot)
    forces = Forces(*(np.array([float(x)]) for x in NUMBERS.values()))
    y, yd, ydd = np.random.default_rng(0).normal(size=(3, 50, 1))
    own = -2 * (forces.friction(-2 * yd) + forces.spring(0.5 - 2 * y))
    close(robot.inverse_dynamics(y, yd, ydd) - bare.inverse_dynamics(y, yd, ydd), own)
    close(robot.potential_energy(y) - bare.potential_energy(y), forces.energy(0.5 - 2 * y))
    assert all(proof.holds for proof in robot.equations().prove())


def test_springs_and_damping_are_those_of_mujoco() -> None:
    mujoco: Any = pytest.importorskip("mujoco")
    from benchmarks.simulation import mujoco_model

    arm, rng = dynamis.load("ur5"), np.random.default_rng(0)
    forces = random_forces(rng, arm.n)
    zero = np.zeros(arm.n)
    forces = replace(forces, coulomb=zero, stribeck=zero, stribeck_speed=zero, friction_offset=zero)
    model = mujoco_model(mujoco, arm, [0.0] * arm.n, [0.0] * arm.n)
    model.jnt_stiffness[:], model.qpos_spring[:], model.dof_damping[:] = forces.stiffness, forces.rest, forces.damping
    data, robot = mujoco.MjData(model), forces.on(arm)
    for _ in range(5):
        data.qpos[:], data.qvel[:], data.qacc[:] = rng.normal(size=(3, arm.n))
        mujoco.mj_inverse(model, data)
        close(robot.inverse_dynamics(data.qpos, data.qvel, data.qacc), data.qfrc_inverse.copy(), tolerance=1e-9)
