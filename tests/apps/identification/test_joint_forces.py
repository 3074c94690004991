"""Stribeck friction, offsets and springs: found in a log, and written back into the robot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import dynamis
from dynamis.base.arrays import Array
from dynamis.compute.mechanics.friction import without_forces
from dynamis.robot import Robot
from tests.support.joint_forces import Forces

TERMS = "viscous coulomb offset stribeck"


@pytest.fixture(scope="module")
def forces() -> Forces:
    rows = [0.3, 0.1], [0.5, 0.8], [0.4, 0.3], [0.2, 0.1], [0.1, -0.2], [3, 20], [0.2, -0.1]
    return Forces(*(np.array(row, float) for row in rows))


@pytest.fixture(scope="module")
def motion() -> tuple[Array, ...]:
    rng, t = np.random.default_rng(1), np.linspace(0, 20, 4001)[:, None]
    q, qd, qdd = np.zeros((3, len(t), 2))
    for k in range(1, 6):
        w, a, p = rng.uniform(0.5, 4, 2), rng.uniform(0.1, 0.5, 2) / k, rng.uniform(0, 6, 2)
        q, qd, qdd = q + a * np.sin(w * t + p), qd + a * w * np.cos(w * t + p), qdd - a * w * w * np.sin(w * t + p)
    return t[:, 0], q, qd, qdd


def log(robot: Robot, t: Array, *states: Array) -> dict[str, Array]:
    return dict(zip(("t", "q", "qd", "qdd", "tau"), (t, *states, robot.inverse_dynamics(*states)), strict=True))


def test_what_is_found_is_in_the_robot(forces: Forces, motion: tuple[Array, ...], tmp_path: Path) -> None:
    """The robot that was given has the springs, not how stiff they are, and no friction."""
    arm = forces.on(dynamis.load("bar-2r"))
    guess = replace(forces, stiffness=2 * forces.stiffness).on(arm)
    given = without_forces(guess, ("damping", "coulomb", "stribeck", "stribeck_speed", "friction_offset"))
    result = dynamis.identify(given, log(arm, *motion), friction=TERMS, physical=False)
    states = motion[1:]
    np.testing.assert_allclose(result.torques(*states), arm.inverse_dynamics(*states), atol=1e-5)
    np.testing.assert_allclose(result.robot.inverse_dynamics(*states), result.torques(*states), atol=1e-7)
    for k, joint in enumerate(result.robot.joints):
        for key, values in vars(forces).items():
            assert float(str(getattr(joint, key))) == pytest.approx(values[k], rel=1e-3), key
    dynamis.save(result.robot, tmp_path / "found.toml")
    read = dynamis.load(tmp_path / "found.toml")
    np.testing.assert_allclose(read.inverse_dynamics(*states), result.torques(*states), atol=1e-7)
    assert "a URDF has them as comments alone" in " ".join(str(result.page()).split())


def test_springs_are_found_where_they_are_asked_for(motion: tuple[Array, ...]) -> None:
    """Without a spring in the robot its rest is 0, and the torque there an offset."""
    bare = dynamis.load("bar-2r")
    links = [replace(x, joint=replace(x.joint, stiffness=5, rest=0.2)) for x in bare.links]  # type: ignore[arg-type]
    arm = replace(bare, links=tuple(links))
    result = dynamis.identify(bare, log(arm, *motion), friction="offset spring", physical=False)
    found = [(float(str(x.stiffness)), float(str(x.friction_offset))) for x in result.robot.joints]
    np.testing.assert_allclose(found, [[5, -1], [5, -1]], rtol=1e-6)


def test_what_is_right_already_stays(forces: Forces, motion: tuple[Array, ...]) -> None:
    """The model's own numbers for the drives are those of the robot."""
    from dynamis.apps.identification.fitting.linear_model import linear_model

    arm = forces.on(dynamis.load("bar-2r"))
    model = linear_model(arm, tuple(TERMS.split()))
    states = tuple(x[::50] for x in motion[1:])
    tau = model.columns(*states) @ model.parameters()
    np.testing.assert_allclose(tau, arm.inverse_dynamics(*states), atol=1e-10)
