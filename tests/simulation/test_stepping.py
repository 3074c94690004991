"""The rows of fixed steps: made in blocks, whatever the pieces that a run takes them in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.controllers import PDGravity
from dynamis.trajectories import quintic

ARM = dynamis.load("bar-2r")
PD = PDGravity(60.0, 20.0)


class Counted:
    """A motion that counts how often it is asked."""

    def __init__(self) -> None:
        self.motion = quintic([0.0, 0.0], [0.5, 0.3], 1.0)
        self.duration, self.n, self.calls = self.motion.duration, self.motion.n, 0

    def at(self, t: Any) -> Any:
        self.calls += 1
        return self.motion.at(t)


def test_a_motion_is_asked_for_many_instants_at_once() -> None:
    goal = Counted()
    dynamis.rollouts(ARM, [0.0, 0.0], control=PD, goal=goal, step=1e-3, keep=2)
    assert goal.calls < 20


@pytest.mark.parametrize("keep", [1, 3, 7, 64, 1000])
@pytest.mark.parametrize("duration", [0.05, 0.0505])
def test_what_is_kept_does_not_change_the_run(keep: int, duration: float) -> None:
    """With noise, whose stream the pieces share, and with a shorter last step."""
    sampled: dict[str, Any] = {"period": 1e-3, "noise": (1e-3, 1e-2), "seed": 5}
    for more in ({}, sampled):
        common: dict[str, Any] = {"control": PD, "goal": Counted(), "duration": duration, "step": 1e-3, **more}
        whole = dynamis.rollouts(ARM, [0.1, 0.0], **common)
        found = dynamis.rollouts(ARM, [0.1, 0.0], **common, keep=keep)
        np.testing.assert_array_equal(found.q, whole.q)
        times = np.append(np.arange(0, duration - 1e-9, keep * 1e-3), duration)
        np.testing.assert_allclose(found.times, times, rtol=0, atol=1e-12)
