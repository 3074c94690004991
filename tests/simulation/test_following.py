"""A trajectory is evaluated ahead, many instants in one pass: following it costs little more than holding a goal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.controllers import PDGravity
from dynamis.results import Simulation
from dynamis.simulation.runs.flow import Flow
from dynamis.trajectories import parabolic_blends, quintic

ARM = dynamis.load("bar-2r")
ROUGH = replace(ARM, links=tuple(replace(x, joint=replace(x.joint, coulomb=3.0)) for x in ARM.links))
STOPPED = replace(
    ARM, links=tuple(replace(x, joint=replace(x.joint, limits=dynamis.Limits(-1.0, 1.0))) for x in ARM.links)
)
MOTION = quintic([0.0, 0.5], [0.9, 0.5], 0.4)
FAR = parabolic_blends([0.0, 0.5], [1.5, 0.5], 0.4, acceleration=50)
RUNS: dict[str, dict[str, Any]] = {
    "a joint that sticks": {"robot": ROUGH, "goal": MOTION, "step": 2e-3},
    "a joint on its stop": {"robot": STOPPED, "goal": FAR, "step": 2e-3},
    "both, sampled": {"robot": ROUGH, "goal": MOTION, "step": 2e-3, "period": 4e-3},
    "steps of the integrator": {"robot": ROUGH, "goal": MOTION, "rtol": 1e-8, "atol": 1e-9},
    "symplectic": {"robot": ROUGH, "goal": MOTION, "integrator": "symplectic", "step": 2e-3},
}


@dataclass
class Counted:
    """A trajectory that counts how often it is asked."""

    motion: Any
    calls: list[int] = field(default_factory=list[int])

    @property
    def duration(self) -> float:
        return self.motion.duration

    @property
    def n(self) -> int:
        return self.motion.n

    @property
    def breaks(self) -> Any:
        return self.motion.breaks

    def at(self, t: Any) -> Any:
        self.calls.append(np.size(t))
        return self.motion.at(t)


def run(robot: Any, **given: Any) -> Simulation:
    control = PDGravity([400.0, 100.0], [40.0, 10.0])
    return dynamis.simulate(robot, [0.0, 0.5], control=control, samples=101, **given)


@pytest.mark.parametrize("name", RUNS)
def test_looking_ahead_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch):
    fast = run(**RUNS[name])
    monkeypatch.setattr(Flow, "look_ahead", lambda self, times: None)
    slow = run(**RUNS[name])
    np.testing.assert_allclose(fast.q, slow.q, rtol=0, atol=1e-13)
    np.testing.assert_allclose(fast.tau, slow.tau, rtol=1e-12, atol=1e-10)
    assert [x.what for x in fast.events] == [x.what for x in slow.events]
    assert fast.events or name == "both, sampled"


def test_few_calls_of_the_trajectory():
    calls: dict[str, int] = {}
    for name, given in RUNS.items():
        goal = Counted(given["goal"])
        result = run(**{**given, "goal": goal})
        calls[name] = len(goal.calls) / result.effort.steps
    # Steps of rk4 have their instants in common passes; those of events come one by one.
    assert max(calls["a joint that sticks"], calls["a joint on its stop"], calls["symplectic"]) < 0.6
    assert calls["steps of the integrator"] < 8  # of 16 that a step of dop853 asks for
