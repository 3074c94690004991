"""Motions that can be written down: the Cartesian arm, the pendulum, the double pendulum to thirty digits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import ellipk

import dynamis
from dynamis import Force
from dynamis.controllers import LoadOverTime, TorqueSamples
from tests.support.arms import INERTIA, LENGTH, G, cartesian, pendulum, with_friction
from tests.support.double_pendulum import START, coefficients, kept

OMEGA = np.sqrt(G * LENGTH / 2 / INERTIA)
"""The frequency of small swings of the pendulum [rad/s]."""


@pytest.mark.parametrize("more", [{}, {"step": 0.01}, {"step": 0.01, "integrator": "symplectic"}, {"period": 0.05}])
def test_the_cartesian_arm_under_constant_forces_is_a_parabola(more: dict[str, Any]):
    m1, m2, force = 1.5, 0.7, np.array([30.0, -1.4])
    start, speed = np.array([0.1, -0.2]), np.array([-0.3, 0.4])
    run = dynamis.simulate(cartesian(m1, m2), start, speed, force, 2.0, samples=21, **more)
    a = np.array([force[0] / (m1 + m2) - G, force[1] / m2])
    t = run.times[:, None]
    np.testing.assert_allclose(run.q, start + speed * t + a * t**2 / 2, atol=1e-12)
    np.testing.assert_allclose(run.qd, speed + a * t, atol=1e-12)
    np.testing.assert_allclose(run.qdd, np.broadcast_to(a, run.q.shape), atol=1e-12)
    assert np.array_equal(run.tau, np.broadcast_to(force, run.q.shape))


def test_the_cartesian_arm_under_a_force_that_grows_is_a_cubic():
    """A table of torques is a straight line between its times."""
    run = dynamis.simulate(
        cartesian(1, 1), [0, 0], control=([0.0, 2.0], [[2 * G, 0], [2 * G + 4, 6]]), duration=2, step=0.1
    )
    t = run.times
    np.testing.assert_allclose(run.q[:, 0], t**3 / 6, atol=1e-12)
    np.testing.assert_allclose(run.q[:, 1], 3 * t**3 / 6, atol=1e-12)


@pytest.mark.parametrize("more", [{}, {"step": 0.05}, {"step": 0.01}, {"step": 0.05, "period": 0.25}, {"period": 0.25}])
def test_torques_that_are_held_are_held(more: dict[str, Any]):
    """Between the times of the table the force is constant: parabolas, by any integrator, also at 4 Hz."""
    forces = np.array([2.0, -1.0, 3.0, 0.5])
    control = TorqueSamples(np.arange(4) / 4, np.stack([0 * forces + 2 * G, forces], axis=1), hold=True)
    run = dynamis.simulate(cartesian(1, 1), [0, 0], control=control, duration=1, samples=21, **more)
    q = v = 0.0
    for k, f in enumerate(forces):
        inside = (run.times >= k / 4 - 1e-9) & (run.times <= (k + 1) / 4 + 1e-9)
        t = run.times[inside] - k / 4
        np.testing.assert_allclose(run.q[inside, 1], q + v * t + f * t**2 / 2, atol=2e-9 if not more else 1e-12)
        q, v = q + v / 4 + f / 32, v + f / 4


def test_damping_of_the_cartesian_arm_decays_exponentially():
    robot = with_friction(cartesian(1, 2), damping=0.8)
    run = dynamis.simulate(robot, [0, 0], [0, 1.0], [3 * G, 0], 3.0, samples=31)
    np.testing.assert_allclose(run.qd[:, 1], np.exp(-0.4 * run.times), atol=1e-10)
    np.testing.assert_allclose(run.qd[:, 0], 0, atol=1e-12)


@pytest.mark.parametrize("speed", [1e-2, 1e-3, 1e-4])
def test_coulomb_friction_stops_a_slider_after_its_way(speed: float):
    """2 N against 1 kg at 1 m/s: 1/4 m, and what friction that grows from zero adds to it.

    The way is the integral of m v dv / F, and F = 2 v / sqrt(v^2 + e^2): (v sqrt(v^2 + e^2) + e^2 asinh(v / e)) / 4.
    """
    robot = with_friction(cartesian(1, 1), coulomb=2.0)
    run = dynamis.simulate(
        robot, [0, 0], [0, 1.0], [2 * G, 0], 1.0, stiction_speed=speed, integrator="radau", rtol=1e-9, atol=1e-12
    )
    way = (np.sqrt(1 + speed**2) + speed**2 * np.arcsinh(1 / speed)) / 4
    assert abs(run.q[-1, 1] + speed / 2 * run.qd[-1, 1] - way) < 1e-9
    assert abs(run.qd[-1, 1]) < 1e-6


def test_a_constant_load_acts_where_it_is():
    run = dynamis.simulate(
        cartesian(1, 2), [0, 0], control=[3 * G, 0], duration=1, loads=[Force("link2", (4.0, 9.0, 6.0))]
    )
    np.testing.assert_allclose(run.q[-1], [6 / 3 / 2, 4 / 2 / 2], atol=1e-12)


@pytest.mark.parametrize("more", [{}, {"step": 0.05}, {"step": 0.01, "period": 0.1}, {"period": 0.1}])
def test_a_load_over_time_acts_at_its_time(more: dict[str, Any]):
    """A force that grows as a table says, and one that a function gives: a cubic, and t - sin t."""
    ramp = LoadOverTime(Force("link2", (0, 0, 0)), ([0.0, 2.0], [[0, 0, 0], [6.0, 0, 0]]))
    wave = LoadOverTime(Force("link1", (0, 0, 0)), lambda t: np.stack([0 * t, 0 * t, 3 * np.sin(t)], axis=1))
    push = Force("link2", (0, 0, 3 * G))
    run = dynamis.simulate(cartesian(1, 2), [0, 0], duration=1, loads=[push, ramp, wave], samples=11, **more)
    t = run.times
    np.testing.assert_allclose(run.q[:, 1], 3 * t**3 / 6 / 2, atol=1e-10)
    np.testing.assert_allclose(run.q[:, 0], t - np.sin(t), atol=1e-9 if not more else 1e-7)


@pytest.mark.parametrize("amplitude", [1e-4, 0.5, 2.0, 3.0])
def test_the_period_of_the_pendulum(amplitude: float):
    """T = 4 K(sin^2(a/2)) / omega; the hanging rod is at -pi/2."""

    def turning(t: float, q: Any, qd: Any) -> float:
        return qd[0]

    turning.direction = 1  # type: ignore[attr-defined]
    period = 4 * ellipk(np.sin(amplitude / 2) ** 2) / OMEGA
    run = dynamis.simulate(pendulum(), [-np.pi / 2 - amplitude], duration=2.2 * period, events=turning, samples=11)
    times = [e.time for e in run.events if e.time > 0]
    assert len(times) == 2
    np.testing.assert_allclose(times, [period, 2 * period], rtol=1e-9 if amplitude > 0.01 else 1e-7)


def test_small_swings_are_a_cosine():
    run = dynamis.simulate(pendulum(), [-np.pi / 2 + 1e-5], duration=3, samples=31)
    np.testing.assert_allclose(run.q[:, 0] + np.pi / 2, 1e-5 * np.cos(OMEGA * run.times), atol=2e-10)


def test_the_double_pendulum_follows_its_thirty_digits():
    """As long as one can expect it to: an error at a tolerance, times how much the motion itself makes it grow."""
    reference = np.array(kept())
    start = np.array([float(x) for x in START])
    arm = dynamis.load("bar-2r")

    def states(x: Any, rtol: float) -> Any:
        run = dynamis.simulate(arm, x[:2], x[2:], duration=10, samples=11, rtol=rtol, atol=rtol / 10)
        return np.hstack([run.q, run.qd])

    usual, tight = states(start, 1e-11), states(start, 1e-13)
    np.testing.assert_array_equal(usual[0], start)
    assert np.abs(usual - reference[:11])[:8, :2].max() < 1e-6
    assert np.abs(tight - reference[:11])[:10].max() < 1e-6
    growth = np.abs(states(start + 1e-8 * np.eye(4)[0], 1e-13) - tight).max(axis=1) / 1e-8
    assert growth[9] > 1e6
    for found, rtol in ((usual, 1e-11), (tight, 1e-13)):
        error = np.abs(found - reference[:11]).max(axis=1)
        assert (error[1:] < 5 * rtol * np.maximum.accumulate(growth)[1:]).all()


def test_the_first_terms_of_the_reference_are_those_of_the_robot():
    """Accelerations from the Taylor series, which know nothing of dynamis, against the robot's own."""
    from flint import arb

    q, qd = [0.4, -0.7], [1.1, 0.6]
    x, y = coefficients(arb(q[0]), arb(q[0] + q[1]), arb(qd[0]), arb(qd[0] + qd[1]))
    a1, a2 = 2 * float(x[2].mid()), 2 * float(y[2].mid())
    np.testing.assert_allclose(dynamis.load("bar-2r").forward_dynamics(q, qd, [0, 0]), [a1, a2 - a1], rtol=1e-13)
