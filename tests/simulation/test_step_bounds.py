"""What a run would cost is told before it starts, where it is too much: steps, samples, states to keep."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dynamis
from dynamis.controllers import PDGravity
from dynamis.errors import ArgumentError, BlowUpError
from dynamis.simulation.runs.steps import MAX_STEPS, check_steps
from dynamis.trajectories import quintic

ARM = dynamis.load("bar-2r")
PD = PDGravity(60.0, 20.0)
START = [0.3, 0.2]
MOTION = quintic(START, [0.5, 0.1], 1.0)


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (lambda: dynamis.rollouts(ARM, START, duration=1.0, step=1e-300), "take 1e+300 steps; at most 1e+09 are "),
        (lambda: dynamis.rollouts(ARM, START, duration=1.0, step=5e-324), "take more than 1e308 steps"),
        (lambda: dynamis.rollouts(ARM, START, duration=1e308, step=1e-3), "take more than 1e308 steps"),
        (lambda: dynamis.rollouts(ARM, START, duration=10.0, step=1e-9), "take 1e+10 steps"),
        (lambda: dynamis.simulate(ARM, START, duration=1.0, step=5e-324), "take more than 1e308 steps"),
        (lambda: dynamis.simulate(ARM, START, duration=1e308, step=1e-3), "take more than 1e308 steps"),
        (lambda: dynamis.simulate(ARM, START, duration=1.0, step=5e-324, integrator="symplectic"), "1e308 steps"),
        (lambda: dynamis.simulate(ARM, START, None, PD, 1.0, goal=START, period=5e-324), "a period of 4.94066e-324 s"),
        (lambda: dynamis.simulate(ARM, START, None, PD, 1.0, goal=START, period=1e-12), "take 1e+12 steps"),
        (lambda: dynamis.rollouts(ARM, START, None, PD, 1.0, goal=START, period=1e300, step=1e-9), "a longer step"),
        (lambda: dynamis.learn(ARM, MOTION, period=5e-324), "give a longer period"),
        (lambda: dynamis.learn(ARM, MOTION, step=5e-324), "give a longer step"),
        (
            lambda: dynamis.rollouts(ARM, np.zeros((1000, 2)), duration=10.0, step=1e-4, keep=1),
            "keep=1 keeps 100,002 states of 1,000 robots",
        ),
    ],
)  # fmt: skip
def test_too_much_is_told_before_it_starts(run: Callable[[], Any], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        run()
    assert sentence in str(caught.value)


@given(duration=st.floats(5e-324, 1.7e308), step=st.floats(5e-324, 1.7e308))
def test_any_duration_with_any_step(duration: float, step: float) -> None:
    try:
        check_steps(duration, step)
    except ArgumentError:
        assert step <= duration / MAX_STEPS * (1 + 1e-12)
    else:
        assert duration / step <= MAX_STEPS


def test_the_keep_that_is_suggested_is_allowed() -> None:
    with pytest.raises(ArgumentError, match=r"give keep=(\d+) or more") as caught:
        dynamis.rollouts(ARM, np.zeros((1_000_000, 2)), duration=0.1, step=1e-3, keep=1)
    least = int(str(caught.value).split("give keep=")[1].split()[0])
    assert 1 < least < 100


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"duration": 1e308}, r"it would take too many of them to reach 1e\+308 s; simulate a shorter duration"),
        ({"control": dynamis.controllers.PD(1e300, 1e300), "goal": [0, 0]}, "too large"),
        ({"control": dynamis.controllers.PD(1e30, 1), "goal": [0, 0]}, "too large"),
    ],
)
def test_adaptive_runs_of_extreme_numbers_end(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BlowUpError, match=words):
        dynamis.simulate(ARM, [0.1, 0.0], **{"duration": 1.0, **given})
