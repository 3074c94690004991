"""tau = Y pi: on floats, on exact scalars, and against Pinocchio's regressor."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import assume, given, settings

import dynamis
from dynamis.compute.mechanics.dynamics.regressor import drive_torques, energy_regressor, inertial_parameters, regressor
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.errors import MissingValuesError
from dynamis.model.inertial_parameters import STANDARD, parameter_names
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.scalars import evaluate
from tests.support.closeness import close
from tests.support.coupled_robots import ROBOTS as COUPLED
from tests.support.exact_models import robots as exact_robots
from tests.support.strategies import Case, matrix, robots

NUMERIC = [name for name in dynamis.robots() if not dynamis.load(name).missing_values]


def torques(robot: dynamis.Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> tuple[np.ndarray, float]:
    """Y pi + drives, and the size of the terms in it."""
    m = mechanism(robot, robot.floats())
    state = state_at(m, list(q), list(qd), list(qdd))
    Y = np.array(regressor(m, state)).reshape(robot.n, 10 * len(robot.links))
    terms = Y * np.array(inertial_parameters(m))
    return terms.sum(axis=1) + np.array(drive_torques(m, state)), float(np.abs(terms).sum())


@pytest.mark.parametrize("name", NUMERIC)
def test_shipped_robots(name: str):
    robot, rng = dynamis.load(name), np.random.default_rng(5)
    q, qd, qdd = rng.normal(size=(3, robot.n))
    found, scale = torques(robot, q, qd, qdd)
    close(found, robot.inverse_dynamics(q, qd, qdd), scale)


@settings(max_examples=100)
@given(robots(friction=True))
def test_random_trees(case: Case):
    robot = case.robot()
    found, scale = torques(robot, case.q, case.qd, case.qdd)
    close(found, robot.inverse_dynamics(case.q, case.qd, case.qdd), scale)


@settings(max_examples=60)
@given(robots())
def test_energies(case: Case):
    """2T and U are linear in the same parameters."""
    robot = case.robot()
    m = mechanism(robot, robot.floats())
    state = state_at(m, list(case.q), list(case.qd), list(case.qdd))
    twice_T, U = (np.array(row) * inertial_parameters(m) for row in energy_regressor(m, state))
    close(twice_T.sum() / 2, robot.kinetic_energy(case.q, case.qd), float(np.abs(twice_T).sum()))
    close(U.sum(), robot.potential_energy(case.q), float(np.abs(U).sum()))


def exact_torques(robot: dynamis.Robot) -> tuple[list[Exact], list[Exact]]:
    """Y pi + drives in the ring, and tau by Newton-Euler."""
    model = robot.equations()
    pi = inertial_parameters(model.mechanism)
    found = drive_torques(model.mechanism, model.state)
    for j, row in enumerate(regressor(model.mechanism, model.state)):
        for y, p in zip(row, pi, strict=True):
            found[j] = found[j] + y * p
    return found, model.newton_euler.tau


@pytest.mark.parametrize("name", dynamis.robots())
def test_identically_in_letters(name: str):
    found, tau = exact_torques(dynamis.load(name).symbolic())
    assert found == tau


@settings(max_examples=25)
@given(exact_robots())
def test_identically_on_random_trees(robot: dynamis.Robot):
    found, tau = exact_torques(robot)
    assert found == tau


# Pinocchio's order of a link: m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz, about the joint frame.
PINOCCHIO = [STANDARD.index(name) for name in ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")]


@settings(max_examples=60)
@given(robots(joints=(1, 8), kinds=("revolute", "prismatic")))
def test_pinocchio_has_the_same_matrix(case: Case):
    """With link frames at the joints (no `after`), column by column."""
    case = Case(
        tuple(type(part)(**{**vars(part), "after": ()}) for part in case.parts),
        case.tool_on, case.tool, case.gravity, case.q, case.qd, case.qdd,
    )  # fmt: skip
    model = pin.Model()
    model.gravity.linear = case.gravity
    for part in case.parts:
        slides = part.kind == "prismatic"
        joint = pin.JointModelPrismaticUnaligned if slides else pin.JointModelRevoluteUnaligned
        parent = 0 if part.parent is None else part.parent + 1
        model.addJoint(parent, joint(part.k), pin.SE3(matrix(part.before)), part.name)
    expected = np.atleast_2d(pin.computeJointTorqueRegressor(model, model.createData(), case.q, case.qd, case.qdd))
    robot = case.robot()
    m = mechanism(robot, robot.floats())
    Y = np.array(regressor(m, state_at(m, list(case.q), list(case.qd), list(case.qdd))))
    columns = [10 * k + i for k in range(len(case.parts)) for i in PINOCCHIO]
    close(Y[:, columns], expected)


def test_without_gravity():
    robot = dynamis.load("ur5")
    m = mechanism(robot, robot.floats())
    q = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    Y = np.array(regressor(m, state_at(m, q, q, q), m.null))
    close(Y @ inertial_parameters(m), robot.inverse_dynamics(q, q, q, gravity=False), tolerance=1e-9)


def test_names():
    names = parameter_names(2)
    assert len(names) == 20
    assert names[:5] == ["m1", "mx1", "my1", "mz1", "Ixx1"]
    assert names[10] == "m2"


@settings(max_examples=40)
@given(robots())
def test_public_parameters(case: Case):
    """tau = Y pi with what a user can call; the names say which entry is which."""
    robot = case.robot()
    pi, Y = robot.inertial_parameters(), robot.regressor(case.q, case.qd, case.qdd)
    assert pi.shape == (10 * len(robot.links),) == (Y.shape[-1],) == (len(robot.inertial_parameter_names()),)
    terms = Y * pi
    close(Y @ pi, robot.inverse_dynamics(case.q, case.qd, case.qdd), float(np.abs(terms).sum()))
    named = dict(zip(robot.inertial_parameter_names(), pi, strict=True))
    scalars = robot.floats()
    for k, link in enumerate(robot.links, 1):
        m, c = evaluate(link.mass, scalars), [evaluate(x, scalars) for x in link.com]
        assert named[f"m{k}"] == m
        np.testing.assert_allclose([named[f"m{axis}{k}"] for axis in "xyz"], np.multiply(m, c), rtol=1e-14)


@settings(max_examples=12)
@given(robots(joints=(1, 6), friction=True))
def test_rotors_and_friction_have_columns_in_the_full_regressor(case: Case):
    """tau = Y pi whole; and the robot that is made from pi has it."""
    robot = case.robot()
    assume(robot.n)
    Y, pi = robot.full_regressor(case.q, case.qd, case.qdd), robot.parameter_vector()
    assert Y.shape == (robot.n, 10 * len(robot.links) + 3 * len(robot.joints)) == (robot.n, len(pi))
    assert len(pi) == len(pi.names) == len(pi.units)
    np.testing.assert_array_equal(pi.values[: 10 * len(robot.links)], robot.inertial_parameters())
    close(Y @ pi, robot.inverse_dynamics(case.q, case.qd, case.qdd), float(np.abs(Y * pi.values).sum()))
    changed = pi.values.copy()
    changed[10 * len(robot.links) :] *= 1.5
    again = robot.with_inertial_parameters(changed)
    close(again.parameter_vector().values, changed, scale=1 + np.abs(changed).max())
    close(Y @ changed, again.inverse_dynamics(case.q, case.qd, case.qdd), 2 * float(np.abs(Y * changed).sum()))


@pytest.mark.parametrize("name", ["parallelogram", "belt", "screw", "differential"])
def test_drives_of_coupled_joints(name: str):
    """In batches: one column per moving joint, coupled ones too."""
    robot = COUPLED[name]
    robot = robot.with_values(**dict.fromkeys(robot.missing_values, 0.5))
    state = np.random.default_rng(8).normal(size=(3, 4, robot.n))
    Y, pi = robot.full_regressor(*state), robot.parameter_vector()
    assert Y.shape == (4, robot.n, len(pi))
    close(Y @ pi, robot.inverse_dynamics(*state), scale=1 + np.abs(Y * pi.values).sum())
    assert pi.names[-3:] == tuple(f"{part}{len(robot.joints)}" for part in ("rotor", "damping", "coulomb"))


def test_parameters_in_words():
    """Numbers with their units; a prismatic joint has kg, N s/m and N."""
    pi = dynamis.load("genova-rp").parameter_vector()
    units = dict(zip(pi.names, pi.units, strict=True))
    assert [units[x] for x in ("m1", "mx1", "Ixy2", "rotor1", "damping1", "coulomb1")] == [
        "kg", "kg m", "kg m^2", "kg m^2", "N m s/rad", "N m",
    ]  # fmt: skip
    assert [units[x] for x in ("rotor2", "damping2", "coulomb2")] == ["kg", "N s/m", "N"]
    assert "link2     6     2.4 " in str(pi)
    assert max(map(len, str(dynamis.load("puma560").parameter_vector()).splitlines())) <= 100
    assert list(pi.as_dict()["values"]) == np.asarray(pi).tolist()


def test_rotors_and_friction_have_no_columns():
    robot = dynamis.load("puma560")
    q, qd, qdd = np.random.default_rng(1).normal(size=(3, 6))
    smooth = robot.regressor(q, qd, qdd) @ robot.inertial_parameters()
    parts = robot.torque_components(q, qd, qdd)
    close(smooth + parts.part("friction") + parts.part("rotor"), robot.inverse_dynamics(q, qd, qdd), 100.0)
    with pytest.raises(MissingValuesError):
        dynamis.load("planar-elbow").inertial_parameters()
