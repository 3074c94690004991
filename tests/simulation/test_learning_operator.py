"""The linearised trials, and the gains: against dense matrices, and against trials themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.base.arrays import Array
from dynamis.identification import with_mass_error
from dynamis.simulation.learning.gains import damping_condition, suggested_gains
from dynamis.simulation.learning.operator import MOST_UNKNOWNS, learning_operator
from dynamis.simulation.learning.update import Update
from dynamis.trajectories import quintic

ARM = dynamis.load("bar-2r")
REACH = quintic([-1.47, 2.94], [-0.45, 0.9], 0.5)
PERIOD, COUNT = 5e-3, 100
KP, KD = np.array([20.0, 10.0]), np.array([8.0, 2.0])
K = np.hstack([np.diag(KP), np.diag(KD)])


def update(ahead: int = 0, cutoff: float | None = None, gain: float = 1.0) -> Update:
    return Update(gain, gain * K, ahead, cutoff, PERIOD, COUNT)


def by_differences(law: Update) -> Array:
    """T column by column: trials of the plant itself with torques a little off, and what the law makes of them."""
    from dynamis.simulation.learning.trial import TorqueWithFeedback, Trials
    from dynamis.simulation.loop.setup import simulation_setup

    q0, qd0, _ = REACH.at(0.0)
    setup = simulation_setup(ARM, q0, qd0, TorqueWithFeedback(KP, KD), goal=REACH, period=PERIOD)
    runs = Trials(setup, PERIOD / 4)
    t = runs.times[:-1] + PERIOD / 2
    u = ARM.inverse_dynamics(*REACH.at(t))
    (_, still, _), h = runs.run(u), 1e-4

    def column(k: int) -> Array:
        du = np.zeros(u.size)
        du[k] = h
        _, after, _ = runs.run(u + du.reshape(u.shape))
        return (du + law.change(after - still).ravel()) / h

    return np.stack([column(k) for k in range(u.size)], axis=1)


@pytest.mark.parametrize(("ahead", "cutoff"), [(0, None), (1, None), (1, 20.0), (2, None)])
def test_the_norm_is_that_of_trials_of_the_plant(ahead: int, cutoff: float | None) -> None:
    law = update(ahead, cutoff)
    goal = REACH.at(np.arange(COUNT) * PERIOD + PERIOD / 2)
    found = learning_operator(ARM, goal, ARM.inverse_dynamics(*goal), K, law)
    T = by_differences(law)
    weights = np.tile(1 / np.sqrt(KD), COUNT)
    assert found.norm == pytest.approx(float(np.linalg.norm(T * weights[:, None] / weights, 2)), rel=0.01)
    if cutoff is None and ahead < 2:
        own = [T[i : i + 2, i : i + 2] for i in range(0, 2 * COUNT, 2)]
        assert found.radius == pytest.approx(max(float(np.abs(np.linalg.eigvals(x)).max()) for x in own), rel=2e-3)
    else:
        assert found.radius is None


@pytest.mark.parametrize(("ahead", "largest"), [(0, 1.22), (1, 0.98)])
def test_without_the_next_sample_the_fastest_errors_grow(ahead: int, largest: float) -> None:
    """|1 - z^a L G(z)| at half the sampling frequency, z = -1, M frozen: why ahead=0 diverges and ahead=1 does not."""
    A = np.block([[np.eye(2), PERIOD * np.eye(2)], [np.zeros((2, 2)), np.eye(2)]])
    norms: list[float] = []
    for q in REACH.at(np.linspace(0, 0.5, 20))[0]:
        by_torque = np.linalg.inv(ARM.mass_matrix(q))
        B = np.vstack([PERIOD**2 / 2 * by_torque, PERIOD * by_torque])
        T = np.eye(2) - (-1.0) ** ahead * K @ np.linalg.solve(-np.eye(4) - (A - B @ K), B)
        norms.append(float(np.linalg.norm(T * np.sqrt(KD) / np.sqrt(KD)[:, None], 2)))
    assert max(norms) == pytest.approx(largest, abs=0.01)
    goal = REACH.at(np.arange(COUNT) * PERIOD + PERIOD / 2)
    operator = learning_operator(ARM, goal, ARM.inverse_dynamics(*goal), K, update(ahead))
    assert operator.norm == pytest.approx(max(norms), rel=0.01)


def test_long_motions_are_skipped_with_a_sentence() -> None:
    count = MOST_UNKNOWNS // 2 + 1
    goal = REACH.at(np.linspace(0, 0.5, count))
    law = Update(1.0, K, 1, None, 1e-4, count)
    found = learning_operator(ARM, goal, ARM.inverse_dynamics(*goal), K, law)
    assert found.norm is None
    assert "more than the limit" in found.conditions[1].detail
    assert found.conditions[2].holds


def test_the_condition_for_equal_gains_is_that_of_the_book() -> None:
    M = ARM.mass_matrix(REACH.at(np.linspace(0, 0.5, 201))[0])
    kd = float(np.sqrt(2 * 20 * np.linalg.eigvalsh(M).max()))
    ones = np.ones(2)
    for factor, holds in ((1.001, True), (0.999, False)):
        found = damping_condition(ARM, REACH, 20 * ones, factor * kd * ones, 1.0)
        assert (found.holds, found.claim.split(",")[0]) == (holds, "K_D^2 >= 2 K_P lambda_max(M)")
    half = damping_condition(ARM, REACH, 20 * ones, kd / np.sqrt(1.5) * 1.001 * ones, 0.5)
    assert half.holds
    assert damping_condition(ARM, REACH, ones, ones, None).holds is None


def test_the_condition_makes_every_frequency_shorter() -> None:
    """||X (X + Y)^-1|| <= 1 in the norm of K_D^-1, X = M s^2, Y = K_D s + K_P, at all s = jw; and only just."""
    M = ARM.mass_matrix([0.3, 0.8])
    R = KP / KD
    # The K_D for which the condition is an equality: scaled by f, K_D - (M R + R M) / f has a zero eigenvalue.
    f = float(np.sqrt(np.linalg.eigvalsh((M * R + R[:, None] * M) / np.sqrt(np.outer(KD, KD))).max()))

    def largest(scale: float) -> float:
        kd = KD * f * scale
        w = 1 / np.sqrt(kd)
        found: list[float] = []
        for s in 1j * np.logspace(-2, 4, 400):
            X, Y = M * s**2, np.diag(kd * s + KP)
            found.append(float(np.linalg.norm(w[:, None] * (X @ np.linalg.inv(X + Y)) / w, 2)))
        return max(found)

    assert largest(1.0) <= 1 + 1e-9
    assert largest(0.9) > 1 + 1e-6


@pytest.mark.parametrize(
    ("name", "period"),
    [("ur5", 1e-3), ("ur5", 4e-3), ("panda", 1e-3), ("panda", 4e-3), ("puma560", 4e-3), ("stanford", 2e-3)],
)
def test_suggested_gains_hold_light_wrists(name: str, period: float) -> None:
    robot = dynamis.load(name)
    rng = np.random.default_rng(1)
    low = 0.3 * rng.uniform(-1, 1, robot.n)
    motion = quintic(low, low + 0.8, 1.0)
    kp, kd, _ = suggested_gains(with_mass_error(robot, -20), motion, period)
    assert damping_condition(robot, motion, kp, kd, 1.0).holds
    goal = motion.at(np.arange(round(1 / period)) * period)
    gains = np.hstack([np.diag(kp), np.diag(kd)])
    law = Update(1.0, gains, 1, None, period, len(goal[0]))
    found = learning_operator(robot, goal, robot.inverse_dynamics(*goal), gains, law)
    assert found.loop < 1
    assert found.radius is not None
    assert found.radius < 1


def test_suggested_gains_hold_what_gravity_pulls_away() -> None:
    """A pole that stands on its joint falls like exp(t sqrt(g/l)): K_P must be more than m g l."""
    mass, length, period = 2.0, 1.7, 0.3
    bob = dynamis.Link("pole", dynamis.Joint("q1"), "base", mass, (0, length, 0))
    pole = dynamis.Robot("pole", (bob,), gravity=(0, -9.81, 0))
    motion = quintic([-0.1], [0.1], 3.0)
    kp, kd, _ = suggested_gains(pole, motion, period)
    assert kp[0] > mass * 9.81 * length
    assert damping_condition(pole, motion, kp, kd, 1.0).holds
    soft, *_ = suggested_gains(pole, motion, period, gravity=False)
    assert soft[0] < mass * 9.81 * length


def test_the_filter_has_no_phase_and_passes_straight_lines() -> None:
    law = update(cutoff=10.0)
    line: Array = np.asarray(np.stack([np.arange(COUNT) * 0.1 - 3, np.ones(COUNT)], axis=1), np.float64)
    np.testing.assert_allclose(law.filtered(line), line, atol=1e-9)
    Q = law.filtered(np.eye(COUNT))
    np.testing.assert_allclose(Q, Q.T, atol=1e-12)
    t = np.arange(COUNT) * PERIOD
    wave = np.sin(2 * np.pi * 10.0 * t)
    np.testing.assert_allclose(law.filtered(wave)[30:70], 0.5 * wave[30:70], atol=0.02)
    many: Any = update()
    assert many.filtered(wave) is wave
