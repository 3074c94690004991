"""How long a run can be trusted, by a second one; and what is told of runs that are wrong or end suddenly."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Force
from dynamis.controllers import GravityLearning, LoadOverTime, PDGravity, TorqueSamples
from dynamis.errors import BlowUpError
from tests.support.arms import cartesian

ARM = dynamis.load("bar-2r")
START = [0.5, 0.3]


@pytest.mark.parametrize("way", [{}, {"rtol": 1e-12}, {"rtol": 1e-14}, {"step": 1e-3}])
def test_a_second_run_agrees(way: dict[str, Any]):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of SciPy, for tolerances that it cannot keep
        run = dynamis.simulate(ARM, START, duration=1, check=True, **way)
    assert run.accuracy is not None
    assert run.accuracy.until == 1.0
    assert run.accuracy.difference.max() < 1e-6
    assert any(line.endswith("at most, over all the run") for line in run.sentences())
    told = json.loads(run.to_json())["accuracy"]
    assert told["until"] == 1.0
    assert told["largest"] == run.accuracy.difference.max()
    assert json.loads(dynamis.simulate(ARM, START, duration=0.1).to_json())["accuracy"] is None


def test_a_run_that_an_event_ends_is_compared_too():
    def low(t: float, q: Any, qd: Any) -> float:
        return q[0] + 1.0

    low.terminal = True  # type: ignore[attr-defined]
    run = dynamis.simulate(ARM, START, duration=3, events=low, check=True)
    assert run.ended
    assert run.accuracy is not None
    assert not run.accuracy.ended
    assert any(line.endswith("at most, over all the run") for line in run.sentences())


def test_a_second_run_that_is_interrupted_leaves_the_first_whole():
    calls = 0

    def control(t: float, q: Any, qd: Any) -> list[float]:
        nonlocal calls
        calls += 1
        if calls > first + 400:
            raise KeyboardInterrupt
        return [0.0, 0.0]

    first = 10**9
    dynamis.simulate(ARM, START, control=control, duration=1, step=1e-3)
    first, calls = calls, 0
    run = dynamis.simulate(ARM, START, control=control, duration=1, step=1e-3, check=True)
    assert not run.ended
    assert run.duration == 1.0
    assert run.accuracy is not None
    assert run.accuracy.times[-1] < 0.2
    (line,) = (line for line in run.sentences() if "second run" in line)
    assert "it ended early: interrupted at t = 0.0" in line
    assert "over all the run" not in line


def test_a_second_run_that_blows_up_leaves_the_first_whole():
    calls = 0

    def control(t: float, q: Any, qd: Any) -> list[float]:
        nonlocal calls
        calls += 1
        return [0.0, 1e7 if calls > first + 400 else 0.0]

    first = 10**9
    dynamis.simulate(ARM, START, control=control, duration=1, step=1e-3)
    first, calls = calls, 0
    run = dynamis.simulate(ARM, START, control=control, duration=1, step=1e-3, check=True)
    assert np.isfinite(run.q).all()
    assert run.duration == 1.0
    assert run.accuracy is not None
    assert run.accuracy.ended.startswith("blew up after t = 0.0")


def test_a_sampled_loop_that_rattles_is_explained():
    """Gains too high for the period, in a robot that gets no faster than its samples let it: nothing blows up."""
    law = GravityLearning(kp=100, kd=40)
    run = dynamis.simulate(ARM, START, control=law, goal=[1.0, 0.5], duration=2, step=1e-3, period=2e-3)
    assert run.energy.drift > 1e-3
    (warning,) = (text for text in run.warnings if "energy" in text)
    assert warning.startswith("the energy balance is off: the gains are unstable with a period of 0.002 s")
    assert f"warning: {warning}" in run.sentences()


def test_rejected_steps_are_counted():
    kinked = TorqueSamples([0.0, 0.1, 0.2, 0.3], [[0, 0], [5, 0], [-5, 1], [5, 5]])
    run = dynamis.simulate(ARM, START, control=kinked, duration=0.3, integrator="radau", rtol=1e-6, atol=1e-8)
    assert 0 < run.effort.rejected < run.effort.steps  # steps over a kink are too long
    run = dynamis.simulate(cartesian(), [0, 0], [1, 1], duration=1.0, integrator="radau")
    assert run.effort.rejected == 0


def test_a_step_too_large_is_explained():
    run = dynamis.simulate(ARM, START, duration=20, step=2e-2)
    assert run.warnings == (
        "the energy balance is off: the step of 0.02 s is too large for this motion; use a smaller one",
    )
    assert not dynamis.simulate(ARM, START, duration=1, step=1e-3).warnings
    # a loop that is unstable at its start, but right
    run = dynamis.simulate(ARM, [1.6, 0.0], control=PDGravity(-1, -0.01), goal=[1.5, 0], duration=0.5, step=1e-3)
    assert not any("energy" in text for text in run.warnings)


@pytest.mark.parametrize("resolution", [0.0, 1e-3])
def test_a_sampled_loop_that_rattles_between_the_limits_of_its_motors_is_explained(resolution: float):
    """Its energies are right, and it starts where the motors are at their limits and gains do nothing."""
    given: dict[str, Any] = {"goal": [1.0, 0.5], "duration": 1, "step": 1e-3, "torque_limit": 3.0}
    run = dynamis.simulate(
        ARM, START, control=PDGravity(60, 20), period=1e-2, resolution=resolution, gravity=False, **given
    )
    (warning,) = run.warnings
    assert warning.startswith("the motors are at their limit for ")
    assert "the gains are unstable with a period of 0.01 s" in warning
    inverse, T = ARM.inverse_mass_matrix([1.0, 0.5]), 1e-2
    gain = np.hstack([60 * np.eye(2), 20 * np.eye(2)])
    closed = np.block([[np.eye(2), T * np.eye(2)], [np.zeros((2, 2)), np.eye(2)]])
    closed -= np.vstack([T * T / 2 * inverse, T * inverse]) @ gain
    grows = float(warning.split("grows ")[1].split(" times")[0])
    assert grows == pytest.approx(np.abs(np.linalg.eigvals(closed)).max(), rel=0.01)
    assert any(line.startswith("motors at their limit: joints 1, 2, ") for line in run.sentences())
    run = dynamis.simulate(ARM, START, control=PDGravity(60, 2), period=1e-3, gravity=False, **given)
    assert not run.warnings


@pytest.mark.parametrize("way", [{}, {"step": 1e-3}])
def test_what_begins_late_is_explained_by_what_began(way: dict[str, Any]):
    def push(times: Any) -> Any:
        return np.where(times[:, None] > 0.5, 1e13, 0.0) * np.array([0.0, 1.0, 0.0])

    load = LoadOverTime(Force("link2", (0.0, 0.0, 0.0)), push)
    with pytest.raises(BlowUpError, match="the torques or loads are too large: they accelerate a joint at") as caught:
        dynamis.simulate(ARM, START, duration=1, loads=[load], **way)
    assert caught.value.time == pytest.approx(0.5, abs=2e-3)


def test_a_function_that_begins_late_to_feed_energy():
    def control(t: float, q: Any, qd: Any) -> Any:
        return 1e9 * qd if t >= 0.5 else 0 * qd

    with pytest.raises(BlowUpError, match=r"the loop is unstable: a disturbance at t = 0\.5 s grows as exp") as caught:
        dynamis.simulate(ARM, START, control=control, duration=1, step=1e-3)
    assert caught.value.time == pytest.approx(0.5, abs=2e-3)
