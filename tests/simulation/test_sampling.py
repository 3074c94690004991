"""Sampled control: the hold, encoders, noise with a seed, saturation; the same in every way to run it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.base.arrays import Array
from dynamis.controllers import PD, PDGravity, TorqueSamples
from dynamis.errors import ArgumentError
from dynamis.simulation.controllers.pid import PID
from dynamis.simulation.runs import steps
from tests.support.arms import cartesian, pendulum

ARM = dynamis.load("bar-2r")
NOISY: dict[str, Any] = {"noise": (0.02, 0.1), "seed": 7, "resolution": [1e-3, 2e-3]}
LOOP: dict[str, Any] = {"control": PDGravity([60, 20], [6, 2]), "goal": [0.6, -0.4], "duration": 0.21, "period": 0.01}
START = [0.5, 0.3]


def never(t: float, q: Any, qd: Any) -> float:
    """An event that never happens; with it a fixed-step run goes step by step."""
    return 1.0


def of_simulate(**more: Any) -> Array:
    run = dynamis.simulate(ARM, START, samples=22, **{**LOOP, **more})
    return np.concatenate([run.q[-1], run.qd[-1]])


def of_rollouts(**more: Any) -> Array:
    run = dynamis.rollouts(ARM, START, **{**LOOP, **more})
    return np.concatenate([run.q, run.qd])


@pytest.mark.parametrize("more", [{}, NOISY, {**NOISY, "torque_limit": [8.0, 2.0]}], ids=["plain", "noisy", "limited"])
@pytest.mark.parametrize("step", [1e-2, 1e-3])
def test_every_way_to_run_gives_the_same(more: dict[str, Any], step: float):
    """Compiled, step by step, in rollouts: the same rounding but for the last bits; adaptive: to the error of rk4."""
    compiled = of_simulate(step=step, **more)
    np.testing.assert_array_equal(of_rollouts(step=step, **more), compiled)
    np.testing.assert_allclose(of_simulate(step=step, events=never, **more), compiled, rtol=0, atol=1e-13)
    np.testing.assert_allclose(of_simulate(**more), compiled, rtol=0, atol=2e-3 if step > 5e-3 else 1e-6)


@pytest.mark.parametrize("way", [{}, {"step": 1e-3}, {"step": 1e-3, "events": never}])
def test_the_torque_is_held_between_samples(way: dict[str, Any]):
    run = dynamis.simulate(ARM, START, samples=211, **LOOP, **way)
    sample = np.minimum(np.floor(run.times / 0.01 - 1e-9), 20).astype(int).clip(0)
    for k in range(21):
        of_one = run.tau[sample == k]
        assert len(of_one) >= 9
        assert (of_one == of_one[0]).all()
    assert len(np.unique(run.tau[:, 0])) == 21
    law = LOOP["control"]
    error = np.array(LOOP["goal"]) - START
    np.testing.assert_allclose(run.tau[0], law.kp * error + ARM.gravity_torque(START), rtol=1e-12)


def test_the_function_is_asked_once_a_sample_and_sees_what_is_measured():
    seen: list[tuple[float, Array, Array]] = []

    def control(t: float, q: Array, qd: Array) -> Array:
        seen.append((t, q, qd))
        return np.array([1.0, -1.0])

    for way in ({}, {"step": 1e-3}):
        seen.clear()
        run = dynamis.simulate(
            ARM, START, control=control, duration=0.1, period=0.01, resolution=[0.01, 0.0], samples=11, **way
        )
        assert len(seen) == 10
        np.testing.assert_allclose([t for t, _, _ in seen], np.arange(10) * 0.01, atol=1e-12)
        q, qd = np.array([q for _, q, _ in seen]), np.array([qd for _, _, qd in seen])
        np.testing.assert_allclose(q[:, 0], np.round(run.q[:-1, 0] / 0.01) * 0.01, atol=1e-12)
        steps = q[:, 0] / 0.01
        np.testing.assert_allclose(steps, np.rint(steps), atol=1e-9)
        np.testing.assert_allclose(q[:, 1], run.q[:-1, 1], atol=1e-12)  # its encoder has no steps
        np.testing.assert_allclose(qd, run.qd[:-1], atol=1e-12)
        assert (run.tau == [1.0, -1.0]).all()


@pytest.mark.parametrize("way", [{}, {"step": 2e-3}, {"step": 2e-3, "events": never}])
def test_an_encoder_of_a_pd_loop(way: dict[str, Any]):
    """tau = kp (goal - measured) with kd = 0: the torques lie on the grid of the encoder."""
    run = dynamis.simulate(
        cartesian(1, 1), [0.0, 0.0], control=PD(3.0, 0.0), goal=[1.0, 1.0], duration=0.5, period=0.02, resolution=0.125,
        gravity=False, samples=26, **way,
    )  # fmt: skip
    grid = (3.0 - run.tau) / 3.0 / 0.125
    np.testing.assert_allclose(grid, np.rint(grid), atol=1e-12)
    assert len(np.unique(np.rint(grid))) > 2


def test_the_noise_is_that_of_its_seed():
    one, again, other = (of_simulate(**{**NOISY, "seed": seed}, step=1e-3) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert np.abs(one - other).max() > 1e-6
    none = of_simulate(step=1e-3)
    assert np.abs(one - none).max() > 1e-6


def test_the_noise_has_its_deviations_and_no_mean():
    seen: list[Array] = []
    robot = cartesian(1, 1)

    def control(t: float, q: Array, qd: Array) -> list[float]:
        seen.append(np.concatenate([q, qd]))
        return [0.0, 0.0]

    dynamis.simulate(
        robot, [0, 0], control=control, duration=4, period=1e-3, noise=(0.1, 2.0), gravity=False, step=1e-3
    )
    values = np.array(seen)
    assert values.shape == (4000, 4)
    np.testing.assert_allclose(values.std(axis=0), [0.1, 0.1, 2.0, 2.0], rtol=0.05)
    assert np.abs(values.mean(axis=0) / values.std(axis=0)).max() < 0.06
    assert np.abs(np.corrcoef(values.T) - np.eye(4)).max() < 0.07


@pytest.mark.parametrize("longest", [1, 3, 7, 4096])
def test_the_noise_does_not_depend_on_the_pieces(longest: int, monkeypatch: pytest.MonkeyPatch):
    starts = np.linspace([0, 0], [1, 1], 5)
    given: dict[str, Any] = {**LOOP, **NOISY, "step": 1e-3}
    whole = dynamis.rollouts(ARM, starts, **given)
    monkeypatch.setattr(steps, "LONGEST_PIECE", longest)
    pieces = dynamis.rollouts(ARM, starts, **given)
    kept = dynamis.rollouts(ARM, starts, **given, keep=4)
    np.testing.assert_array_equal(pieces.q, whole.q)
    np.testing.assert_array_equal(kept.qd, whole.qd)


def test_robots_of_a_batch_have_noise_of_their_own():
    found = dynamis.rollouts(ARM, np.tile(START, (6, 1)), **{**LOOP, **NOISY}, step=1e-3)
    assert len(np.unique(found.q[:, 0])) == 6
    quiet = dynamis.rollouts(ARM, np.tile(START, (6, 1)), **LOOP, step=1e-3)
    assert len(np.unique(quiet.q[:, 0])) == 1


@pytest.mark.parametrize("way", [{}, {"step": 1e-3}, {"period": 0.01}, {"period": 0.01, "step": 1e-3}])
@pytest.mark.parametrize("kind", ["constant", "function", "table", "controller"])
def test_motors_saturate(way: dict[str, Any], kind: str):
    control: Any = {
        "constant": [5.0, -7.0],
        "function": lambda t, q, qd: [5.0, -7.0],
        "table": TorqueSamples([0.0, 1.0], [[5.0, -7.0], [6.0, -8.0]]),
        "controller": PD(1000, 0),
    }[kind]
    more: dict[str, Any] = {"goal": [3.0, -3.0]} if kind == "controller" else {}
    run = dynamis.simulate(
        cartesian(1, 1), [0, 0], control=control, duration=0.2, torque_limit=[2.0, 3.0], gravity=False, samples=5,
        **way, **more,
    )  # fmt: skip
    np.testing.assert_array_equal(run.tau, np.broadcast_to([2.0, -3.0], run.tau.shape))
    np.testing.assert_allclose(run.q[-1], [2.0 / 2 * 0.02, -3.0 * 0.02], atol=1e-10)
    assert run.settings["torque_limit"] == [2.0, 3.0]


def test_the_limits_of_the_model():
    from dataclasses import replace

    robot = dynamis.load("panda")
    run = dynamis.simulate(
        robot, [0, 0, 0, -1, 0, 1, 0], control=[1e3] * 7, duration=0.01, torque_limit="model", samples=3
    )
    assert run.tau[0].tolist() == [87.0, 87.0, 87.0, 87.0, 12.0, 12.0, 12.0]
    bare = replace(ARM)
    with pytest.raises(ArgumentError, match=r'robot "bar-2r" has no effort limits; give torque_limit='):
        dynamis.simulate(bare, START, duration=1, torque_limit="model")


def test_memory_of_a_sampled_controller_moves_in_samples():
    """A PID's integral is the sum of its errors times the period."""
    control = PID(20, 5, ki=3)
    run = dynamis.simulate(
        ARM, START, control=control, goal=[0.0, 0.0], duration=0.1, period=0.01, step=1e-3, samples=11
    )
    fast = dynamis.rollouts(ARM, START, control=control, goal=[0.0, 0.0], duration=0.1, period=0.01, step=1e-3)
    np.testing.assert_array_equal(run.memory[-1], fast.memory)
    np.testing.assert_array_equal(run.tau[-1], fast.held)
    assert np.unique(run.memory[:, 0]).size == 10


def test_a_period_that_ends_with_the_run_or_not():
    for duration in (0.1, 0.095, 0.1001, 0.003):
        runs = [
            dynamis.simulate(
                ARM, START, control=PD(10, 0.5), goal=[0, 0], duration=duration, period=0.01, samples=5, **way
            )
            for way in ({}, {"step": 1e-3}, {"step": 1e-3, "events": never}, {"step": 1e-2})
        ]
        for run in runs:
            assert run.times[-1] == duration
        for run in runs[1:3]:
            np.testing.assert_allclose(run.q[-1], runs[0].q[-1], atol=1e-8)


def test_quantisation_of_a_single_joint_and_a_measured_limit_cycle():
    """A coarse encoder makes the loop hunt: it never comes to rest, and says the same in every way to run."""
    given: dict[str, Any] = {
        "control": PD(5, 1), "goal": [-1.0], "duration": 0.5, "period": 0.01, "resolution": 0.2, "step": 1e-3,
    }  # fmt: skip
    run = dynamis.simulate(pendulum(), [0.0], samples=11, **given)
    fast = dynamis.rollouts(pendulum(), [0.0], **given)
    np.testing.assert_array_equal(run.q[-1], fast.q)


def test_bad_sampling():
    def simulate(**more: Any) -> Any:
        return dynamis.simulate(ARM, START, control=PD(1, 1), goal=[0, 0], duration=0.1, **more)

    with pytest.raises(
        ArgumentError, match=r"the step 0\.02 s is longer than the control's period 0\.01 s \(Ts > Tc\)"
    ):
        simulate(step=0.02, period=0.01)
    with pytest.raises(ArgumentError, match=r"the control's period 0\.01 s must be a multiple of the step 0\.003 s"):
        simulate(step=0.003, period=0.01)
    for name, value in (("noise", 0.1), ("resolution", 0.1)):
        with pytest.raises(ArgumentError, match=f"{name} requires a sampled control; give its period="):
            simulate(**{name: value})
    for more in (
        {"noise": -1},
        {"noise": [1, 2, 3]},
        {"resolution": [1, 2, 3]},
        {"resolution": -0.1},
        {"noise": np.nan},
    ):
        (name,) = more
        with pytest.raises(ArgumentError, match=f"^{name} must be "):
            simulate(period=0.01, **more)
    for seed in (-1, 1.5, True, "x"):
        with pytest.raises(ArgumentError, match=r"seed must be a non-negative integer, got"):
            simulate(period=0.01, noise=1e-3, seed=seed)
    for period in (0, -1, np.nan, np.inf, "x"):
        with pytest.raises(ArgumentError, match=r"period must be a positive number \[s\], got"):
            simulate(period=period)
    for limit in (0, -1, [1, 2, 3], np.nan, "x"):
        with pytest.raises(ArgumentError, match="torque_limit"):
            simulate(torque_limit=limit)
