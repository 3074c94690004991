"""De Luca's lecture: the 2R arm by moving frames, its off-axis form, and m11 of the Stanford arm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dynamis import Robot, load
from dynamis.compute.mechanics.dynamics.energy import twice_kinetic_energy
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from tests.support.documents import (
    APART,
    CASES,
    Array,
    agree,
    distance,
    drawn_values,
    evaluate,
    mass_matrix,
    symbols,
    velocity_torque,
)

MODEL = CASES["deluca-2R-model"]["expected"]
OFF_AXIS = CASES["deluca-2R-offaxis"]["expected"]
seeds = pytest.mark.parametrize("seed", range(4))


def drawn(name: str, seed: int) -> tuple[Robot, dict[str, float], Array, Array, Array]:
    """A robot with drawn values, everything that the formulas may use, and a motion."""
    rng = np.random.default_rng(seed)
    robot = load(name)
    values = drawn_values(robot, rng)
    q, qd, qdd = rng.uniform(-3, 3, (3, robot.n))
    at = values | symbols("q", q) | symbols("dq", qd) | symbols("ddq", qdd)
    return robot.with_values(values), at, q, qd, qdd


def planar(seed: int) -> tuple[Robot, dict[str, float], Array, Array, Array]:
    """deluca-2r, with the dynamic coefficients a1 to a5 among the values."""
    robot, at, q, qd, qdd = drawn("deluca-2r", seed)
    coefficients = CASES["deluca-2R-coefficients"]["expected"]
    at |= {name: float(evaluate(formula, at)) for name, formula in coefficients.items()}
    return robot, at, q, qd, qdd


def in_link_axes(robot: Robot, q: Array, qd: Array, jacobian: Array, link: str) -> Array:
    return robot.forward_kinematics(q, link)[:3, :3].T @ jacobian[:3] @ qd


@seeds
def test_moving_frames(seed: int) -> None:
    robot, at, q, qd, _ = planar(seed)
    for i, link in enumerate(("link1", "link2"), 1):
        origin = in_link_axes(robot, q, qd, robot.jacobian(q, link), link)
        com = in_link_axes(robot, q, qd, robot.com_jacobian(q, link), link)
        agree(origin[:, None], evaluate(MODEL[f"v{i}"], at))
        agree(com[:, None], evaluate(MODEL[f"vc{i}"], at))
        agree(robot.link_motions(q, qd).com_velocity[i - 1], com)


@seeds
def test_kinetic_energy_of_each_link(seed: int) -> None:
    robot, at, q, qd, _ = planar(seed)
    m = mechanism(robot, robot.floats())
    twice = twice_kinetic_energy(m, state_at(m, q.tolist(), qd.tolist(), [0.0, 0.0]))
    T1, T2 = (evaluate(MODEL[key], at) for key in ("T1", "T2"))
    agree(np.array(twice) / 2, [T1, T2])
    agree(robot.kinetic_energy(q, qd), T1 + T2)


@seeds
def test_model(seed: int) -> None:
    robot, at, q, qd, _ = planar(seed)
    c = velocity_torque(robot, q, qd)
    agree(mass_matrix(robot, q), evaluate(MODEL["M"], at))
    agree(c[:, None], evaluate(MODEL["c"], at))
    agree(c, [qd @ evaluate(MODEL[key], at) @ qd for key in ("C1", "C2")])
    agree(robot.potential_energy(q), evaluate(MODEL["U"], at))
    agree(robot.inverse_dynamics(q)[:, None], evaluate(MODEL["g"], at))


@seeds
def test_linear_parametrization(seed: int) -> None:
    robot, at, q, qd, qdd = planar(seed)
    a = [at[f"a{i}"] for i in range(1, 6)]
    agree(robot.inverse_dynamics(q, qd, qdd), evaluate(MODEL["regressor"], at) @ a)


@seeds
def test_off_axis_model(seed: int) -> None:
    robot, at, q, qd, _ = drawn("deluca-2r-offaxis", seed)
    agree(mass_matrix(robot, q), evaluate(OFF_AXIS["M"], at))
    agree(velocity_torque(robot, q, qd)[:, None], evaluate(OFF_AXIS["c"], at))
    agree(robot.potential_energy(q), evaluate(OFF_AXIS["U"], at))
    agree(robot.inverse_dynamics(q)[:, None], evaluate(OFF_AXIS["g"], at))


@seeds
def test_off_axis_arm_with_its_com_on_the_axis_is_the_plain_arm(seed: int) -> None:
    robot, at, *motion = planar(seed)
    on_axis = {f"rc{i}x": at[f"d{i}"] - at[f"l{i}"] for i in (1, 2)} | {"rc1y": 0, "rc2y": 0}
    shared = {name: at[name] for name in ("g0", "l1", "l2", "m1", "m2", "I1", "I2")}
    other = load("deluca-2r-offaxis").with_values(on_axis | shared)
    agree(other.inverse_dynamics(*motion), robot.inverse_dynamics(*motion))


@seeds
def test_q1_second_link_balanced(seed: int) -> None:
    robot, _, q, qd, _ = planar(seed)
    balanced = robot.with_values(d2=0)
    agree(velocity_torque(balanced, q, qd), [0, 0])
    agree(mass_matrix(balanced, q), mass_matrix(balanced, 2 * q + 1))
    agree(balanced.inverse_dynamics(q)[1], 0)
    assert distance(velocity_torque(robot, q, qd), [0, 0]) > APART


@seeds
def test_q2_static_balance(seed: int) -> None:
    """g(q) = 0 needs d1 = -m2 l1/m1; the lecture's note d1 = -l1 is right for equal masses only."""
    robot, at, q, *_ = planar(seed)
    agree(robot.with_values(d2=0, d1=-at["m2"] * at["l1"] / at["m1"]).inverse_dynamics(q), [0, 0])
    noted = robot.with_values(d2=0, d1=-at["l1"])
    assert distance(noted.inverse_dynamics(q), [0, 0]) > APART
    agree(noted.with_values(m1=1.1, m2=1.1).inverse_dynamics(q), [0, 0])


@seeds
def test_q3_determinant(seed: int) -> None:
    robot, at, q, *_ = planar(seed)
    M, expected = mass_matrix(robot, q), CASES["deluca-Q3"]["expected"]
    for key in ("det", "det_in_parameters"):
        agree(np.linalg.det(M), evaluate(expected[key], at))
    agree(M[0, 0], evaluate(expected["m11"], at))


@seeds
def test_q4_factorizations(seed: int) -> None:
    robot, at, q, qd, _ = planar(seed)
    expected = CASES["deluca-Q4"]["expected"]
    for key in ("S_skew", "S_not_skew"):
        agree(evaluate(expected[key], at) @ qd, velocity_torque(robot, q, qd))
    # dM/dt along the motion, by central differences of sixth order.
    step, weights = 1e-3, np.array([-1, 9, -45, 0, 45, -9, 1]) / 60
    Mdot = sum(w * mass_matrix(robot, q + k * step * qd) for k, w in zip(range(-3, 4), weights, strict=True)) / step
    agree(Mdot, evaluate(expected["Mdot"], at), tolerance=1e-9)
    agree(Mdot - 2 * evaluate(expected["S_skew"], at), evaluate(expected["N_skew"], at), tolerance=1e-9)
    agree(Mdot - 2 * evaluate(expected["S_not_skew"], at), evaluate(expected["N_not_skew"], at), tolerance=1e-9)


def stanford(seed: int, link: int) -> tuple[float, dict[str, float]]:
    """m11/m_link of a Stanford arm with drawn values whose other links have no mass."""
    rng = np.random.default_rng(seed)
    robot = load("stanford")
    values: dict[str, Any] = drawn_values(robot, rng)
    values |= {name: rng.uniform(-0.2, 0.2) for name in values if "b" in name}
    values |= {f"m{i}": values[f"m{i}"] if i == link else 0 for i in range(1, 7)}
    q = rng.uniform(-3, 3, 6)
    at = values | symbols("theta", q) | {"r3": q[2]}
    m11 = robot.with_values(values).inverse_dynamics(q, None, np.eye(6)[0], gravity=False)[0]
    return m11 / values[f"m{link}"], at


@seeds
@pytest.mark.parametrize("link", range(1, 7))
def test_stanford_m11(link: int, seed: int) -> None:
    found, at = stanford(seed, link)
    agree(found, evaluate(CASES[f"deluca-stanford-m11-link{link}"]["expected"]["expr"], at))


@pytest.mark.parametrize("link", [4, 5, 6])
def test_stanford_misprints_are_told_apart(link: int) -> None:
    found, at = stanford(0, link)
    assert distance(found, evaluate(CASES[f"deluca-stanford-m11-link{link}"]["misprint"], at)) > APART


def test_stanford_m11_of_the_whole_arm_is_the_sum_over_its_links() -> None:
    robot, q = load("stanford"), np.array([0.3, -1.1, 0.7, 0.4, 2.0, -0.6])
    scalars = robot.floats()
    at = {name: scalars.parameter(name) for name in robot.parameters} | symbols("theta", q) | {"r3": q[2]}
    terms = [at[f"m{i}"] * evaluate(CASES[f"deluca-stanford-m11-link{i}"]["expected"]["expr"], at) for i in range(1, 7)]
    agree(mass_matrix(robot, q)[0, 0], sum(terms))
