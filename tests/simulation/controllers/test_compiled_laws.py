"""Every law is the same on floats and compiled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import dynamis
from dynamis.files import load_simulation
from dynamis.simulation.controllers.catalogue import CATALOGUE, controller
from dynamis.simulation.controllers.momentum_observer import MomentumObserver
from dynamis.simulation.controllers.slotine_li import SlotineLi
from tests.support.control_loops import Bench, Sampling, damped_2r
from tests.support.strategies import Case, robots

POSE = [[0, 0, 1, 0.3], [1, 0, 0, 0.2], [0, 1, 0, 0.4], [0, 0, 0, 1]]
GAINS: dict[str, dict[str, Any]] = {
    "pd": {"kp": 30, "kd": 4},
    "pid": {"kp": 30, "kd": 4, "ki": 7, "integral_limit": 3},
    "pd-gravity": {"kp": 30, "kd": 4},
    "pd-gravity-goal": {"kp": 30, "kd": 4},
    "computed-torque": {"kp": 30, "kd": 4},
    "slotine-li": {"kd": 5, "rate": 3, "adaptation": 0.4},
    "gravity-learning": {"kp": 30, "kd": 4, "still": 1.5, "settling": 0.015},
    "operational-pd": {"goal": POSE, "kp": 50, "kd": 6, "kp_turn": 7, "kd_turn": 2, "joint_damping": 0.5},
    "momentum-observer": {"inner": "pid", "gain": 20, "kp": 30, "kd": 4, "ki": 7},
}
ROBOTS = ("2r", "genova-rp", "ur5")


def robot(name: str) -> dynamis.Robot:
    return damped_2r() if name == "2r" else dynamis.load(name)


def states(bench: Bench, count: int) -> Any:
    """Random states and inputs of a goal; a memory about as large as q."""
    rng = np.random.default_rng(4)
    for _ in range(count):
        size = len(bench.x)
        yield rng.normal(size=size), rng.normal(size=bench.loop.inputs.size)


def test_all_of_the_catalogue_is_here() -> None:
    assert GAINS.keys() == CATALOGUE.keys()


@pytest.mark.parametrize("of", ROBOTS)
@pytest.mark.parametrize("name", [name for name in GAINS if name != "gravity-learning"])
def test_continuous(name: str, of: str) -> None:
    arm = robot(of)
    bench = Bench(arm, controller(name, **GAINS[name]), np.zeros(arm.n), np.ones(arm.n))
    for x, inputs in states(bench, 3):
        plain = np.array(bench.plain().rate(list(x), list(inputs)), dtype=float)
        np.testing.assert_allclose(bench.programs.rate(x, inputs), plain, rtol=1e-9, atol=1e-9 * np.abs(plain).max())


@pytest.mark.parametrize("of", ROBOTS[:2])
@pytest.mark.parametrize("name", GAINS)
def test_sampled(name: str, of: str) -> None:
    arm = robot(of)
    bench = Bench(arm, controller(name, **GAINS[name]), np.zeros(arm.n), np.ones(arm.n), sampling=Sampling(0.01))
    for x, inputs in states(bench, 4):
        plain = np.array(bench.plain().sample(list(x), list(inputs)), dtype=float)
        np.testing.assert_allclose(bench.programs.sample(x, inputs), plain, rtol=1e-9, atol=1e-9 * np.abs(plain).max())


def test_an_observer_of_a_law_that_lives_in_samples() -> None:
    arm = damped_2r()
    inner = controller("gravity-learning", **GAINS["gravity-learning"])
    observer = MomentumObserver(inner, 20)
    assert observer.sampled_only
    assert not controller("momentum-observer", **GAINS["momentum-observer"]).sampled_only
    bench = Bench(arm, observer, np.zeros(2), np.ones(2), sampling=Sampling(0.01))
    alone = Bench(arm, inner, np.zeros(2), np.ones(2), sampling=Sampling(0.01))
    inputs = bench.inputs([0.3, -0.2])
    found, expected = bench.sampled(inputs, 5)[-1], alone.sampled(inputs, 5)[-1]
    np.testing.assert_allclose(bench.part(found, "q"), alone.part(expected, "q"), rtol=1e-12)
    np.testing.assert_allclose(bench.part(found, "memory")[:4], alone.part(expected, "memory"), rtol=1e-12)


@pytest.mark.parametrize("of", ROBOTS)
def test_the_residual_of_an_observer_does_not_change_what_it_observes(of: str) -> None:
    arm = robot(of)
    inner = controller("pid", kp=30, kd=4, ki=7)
    bench = Bench(arm, MomentumObserver(inner, 20), np.zeros(arm.n), np.ones(arm.n))
    alone = Bench(arm, inner, np.zeros(arm.n), np.ones(arm.n))
    inputs = alone.inputs(np.full(arm.n, 0.2))
    np.testing.assert_allclose(
        bench.programs.rate(bench.x, inputs)[: 3 * arm.n], alone.programs.rate(alone.x, inputs)[: 3 * arm.n], rtol=1e-12
    )


def test_the_memory_of_many_states() -> None:
    arm = damped_2r()
    q, qd = np.random.default_rng(0).normal(size=(2, 4, 3, 2))
    for inner, size in ((controller("pd", kp=1, kd=1), 0), (controller("pid", kp=1, kd=1, ki=1), 2)):
        observer = MomentumObserver(inner, 20).check(arm)
        many = np.asarray(observer.start(arm, q, qd))
        assert many.shape == (4, 3, size + 2)
        np.testing.assert_allclose(many[1, 2], observer.start(arm, q[1, 2], qd[1, 2]))
        assert np.asarray(observer.start(arm, q[0, 0], qd)).shape == many.shape


@settings(max_examples=12)
@given(robots(joints=(1, 5), friction=True, solid=True))
def test_random_trees(case: Case) -> None:
    arm = case.robot()
    assume(arm.n)
    for name in ("pd-gravity-goal", "computed-torque", "slotine-li", "operational-pd", "momentum-observer"):
        bench = Bench(arm, controller(name, **GAINS[name]), case.q, case.qd)
        inputs = bench.inputs(case.qdd / 5, case.q, case.qd)
        plain = np.array(bench.plain().rate(list(bench.x), list(inputs)), dtype=float)
        np.testing.assert_allclose(
            bench.programs.rate(bench.x, inputs), plain, rtol=1e-8, atol=1e-8 * (1 + np.abs(plain).max())
        )


@settings(max_examples=12)
@given(robots(joints=(1, 5), friction=True, solid=True))
def test_adaptive_control_with_the_true_parameters_of_random_trees(case: Case) -> None:
    """tau = M a + C v + g + drives + K_D s, whichever the parameters: M s' + C s + K_D s = 0."""
    arm = case.robot()
    assume(arm.n)
    goal, goal_rate, goal_acceleration = case.qdd / 5, case.q, case.qd
    for parameters in ("base", "all"):
        bench = Bench(arm, SlotineLi(5, 3, 0, parameters), case.q, case.qd)
        qdd = bench.part(
            bench.plain().rate(list(bench.x), list(bench.inputs(goal, goal_rate, goal_acceleration))), "qd"
        )
        s = goal_rate - case.qd + 3 * (goal - case.q)
        sd = goal_acceleration - qdd + 3 * (goal_rate - case.qd)
        inertia, coriolis = arm.mass_matrix(case.q) @ sd, arm.coriolis_matrix(case.q, case.qd) @ s
        np.testing.assert_allclose(inertia + coriolis, -5 * s, atol=1e-7 * (1 + np.abs(inertia).max()))


def test_the_gains_of_a_controller_in_a_file_are_its_own(tmp_path: Path) -> None:
    """`goal` is a gain of operational-pd, also where an observer wraps it, and joint values for the others."""
    control = 'kind = "momentum-observer"\ninner = "operational-pd"\ngain = 50\ngoal = [0.4, 0.3, 0]\nkp = 9\nkd = 2\n'
    file = tmp_path / "task.toml"
    file.write_text(f"duration = 1\n[start]\nq = [0, 0]\n[control]\n{control}")
    asked = load_simulation(file, dynamis.load("bar-2r"))
    assert asked.control.inner.goal == [0.4, 0.3, 0]
    assert asked.goal is None
