"""Akdogan's lecture: the two-link Cartesian robot and the planar elbow manipulator."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from dynamis import Robot, load
from tests.support.documents import CASES, Array, agree, drawn_values, evaluate, mass_matrix, symbols, velocity_torque

ELBOW = CASES["akdogan-elbow"]["expected"]
CARTESIAN = CASES["akdogan-cartesian"]["expected"]
seeds = pytest.mark.parametrize("seed", range(4))


def drawn(name: str, seed: int) -> tuple[Robot, dict[str, float], Array, Array, Array]:
    rng = np.random.default_rng(seed)
    robot = load(name)
    values = drawn_values(robot, rng)
    q, qd, qdd = rng.uniform(-3, 3, (3, 2))
    at = values | symbols("q", q) | symbols("dq", qd) | symbols("ddq", qdd)
    return robot.with_values(values), at, q, qd, qdd


@seeds
def test_elbow_jacobians(seed: int) -> None:
    robot, at, q, *_ = drawn("planar-elbow", seed)
    for i in (1, 2):
        J = robot.com_jacobian(q, f"link{i}")
        agree(J[:3], evaluate(ELBOW[f"Jvc{i}"], at))
        agree(J[3:], [[0, 0], [0, 0], [1, i - 1]])


@seeds
def test_elbow_model(seed: int) -> None:
    robot, at, q, qd, qdd = drawn("planar-elbow", seed)
    D, P, phi = (evaluate(ELBOW[key], at) for key in ("D", "P", "phi"))
    agree(mass_matrix(robot, q), D)
    agree(robot.potential_energy(q), P)
    agree(robot.inverse_dynamics(q)[:, None], phi)
    agree(robot.inverse_dynamics(q, qd, qdd), D @ qdd + coriolis(at, qd) + phi[:, 0])


@seeds
def test_elbow_christoffel_symbols(seed: int) -> None:
    robot, at, q, qd, _ = drawn("planar-elbow", seed)
    agree(velocity_torque(robot, q, qd), coriolis(at, qd))


def coriolis(at: dict[str, float], qd: Array) -> list[float]:
    """sum over i, j of c_ijk qd_i qd_j, with the lecture's c_ijk."""
    c = {key: float(evaluate(formula, at)) for key, formula in ELBOW["christoffel"].items()}
    pairs = list(product((1, 2), repeat=2))
    return [sum(c[f"c{i}{j}{k}"] * qd[i - 1] * qd[j - 1] for i, j in pairs) for k in (1, 2)]


@seeds
def test_cartesian_model(seed: int) -> None:
    robot, at, q, qd, qdd = drawn("cartesian", seed)
    agree(mass_matrix(robot, q), evaluate(CARTESIAN["D"], at))
    agree(velocity_torque(robot, q, qd), evaluate(CARTESIAN["C"], at) @ qd)
    agree(robot.inverse_dynamics(q), evaluate(CARTESIAN["phi"], at))
    agree(robot.inverse_dynamics(q, qd, qdd), evaluate(CARTESIAN["f"], at))
