"""Stribeck friction, offsets and springs of joints in simulation: closed forms, breakaway, energy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Joint, Link, Robot
from tests.support.joint_forces import random_forces


def slider(**forces: Any) -> Robot:
    """2 kg on a level rail."""
    rail: Any = {"axis": (1, 0, 0), **forces}
    return Robot("slider", (Link("cart", Joint("x", "prismatic", **rail), "base", 2),))  # type: ignore[arg-type]


def test_a_spring_swings_as_the_textbook_says() -> None:
    """x = rest + A cos(w t) with w^2 = k / m, for every integrator."""
    cart = slider(stiffness=18, rest=0.5)
    for integrator in ("dop853", "radau", "rk4"):
        step = 1e-3 if integrator == "rk4" else None
        run = dynamis.simulate(cart, [1.5], duration=2, integrator=integrator, step=step)
        np.testing.assert_allclose(run.q[:, 0], 0.5 + np.cos(3 * run.times), atol=1e-8)
        np.testing.assert_allclose(run.energy.total, 9, rtol=1e-8)


@pytest.mark.parametrize(("push", "moves"), [(1.69, False), (1.71, True), (-1.29, False), (-1.31, True)])
def test_it_breaks_away_at_its_own_level(push: float, moves: bool) -> None:
    """coulomb + stribeck about the offset: 1.5 N hold the cart against what 0.2 N less push it with."""
    cart = slider(coulomb=0.5, stribeck=1, stribeck_speed=0.1, friction_offset=0.2)
    run = dynamis.simulate(cart, [0.0], control=[push], duration=1)
    assert (np.abs(run.q).max() > 0) == moves
    if moves:  # at first with 0.01 N, and the faster it is the more
        assert abs(run.qd[-1, 0]) > 0.01 / 2


def test_once_it_slides_friction_falls() -> None:
    cart = slider(coulomb=0.5, stribeck=1, stribeck_speed=0.1, friction_offset=0.2)
    run = dynamis.simulate(cart, [0.0], control=[4.7], duration=1)
    late = run.times > 0.5
    np.testing.assert_allclose(np.gradient(run.qd[late, 0], run.times[late]), (4.7 - 0.2 - 0.5) / 2, rtol=1e-6)


def test_a_spring_against_what_sticks() -> None:
    """A spring that pulls with less than 1.5 N leaves the cart where it is; with more it slips, and sticks again."""
    cart = slider(coulomb=0.5, stribeck=1, stribeck_speed=0.05, stiffness=10)
    still, slips = (dynamis.simulate(cart, [x], duration=5) for x in (0.149, 0.151))
    assert np.ptp(still.q) == 0
    assert [event.what for event in slips.events] == ["x is held by friction"]
    assert abs(slips.q[-1, 0]) < 0.15
    assert slips.energy.friction[-1] == pytest.approx(slips.energy.total[-1] - slips.energy.total[0], rel=1e-6)


def test_the_balance_of_energy_closes_and_friction_takes() -> None:
    arm = dynamis.load("bar-2r")
    forces = random_forces(np.random.default_rng(3), 2)
    robot = forces.on(arm)
    run = dynamis.simulate(robot, [0.4, -0.8], [3.0, -2.0], duration=3)
    assert np.abs(run.energy.error).max() < 1e-8 * run.energy.scale
    own = arm.potential_energy(run.q) + forces.energy(run.q)
    np.testing.assert_allclose(run.energy.potential, own, rtol=1e-12, atol=1e-12)
    assert (np.diff(run.energy.friction) <= 1e-12).all()


def test_compiled_steps_agree() -> None:
    robot = random_forces(np.random.default_rng(4), 2).on(dynamis.load("bar-2r"))
    one = dynamis.simulate(robot, [0.4, -0.8], [3.0, -2.0], duration=0.5, stiction_speed=0.01)
    many = dynamis.rollouts(robot, [[0.4, -0.8]] * 3, [3.0, -2.0], duration=0.5, step=1e-4, stiction_speed=0.01)
    np.testing.assert_allclose(many.q, np.broadcast_to(one.q[-1], (3, 2)), atol=1e-5)
