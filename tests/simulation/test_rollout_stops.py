"""Rollouts at joint stops and along trajectories: each robot as `simulate` runs it alone."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.controllers import PD, PDGravity
from dynamis.errors import ArgumentError
from dynamis.results import Rollouts
from dynamis.trajectories import quintic
from tests.support.arms import limited, pendulum
from tests.support.strategies import Case, robots

ARM = limited(dynamis.load("bar-2r"), [(-0.6, 0.8), (-0.5, 0.7)])
STARTS = np.random.default_rng(3).uniform(-0.5, 0.7, (4, 2))
SPEEDS = np.random.default_rng(4).uniform(-3, 3, (4, 2)) * 2
MOTION = quintic([0, 0], [1, 1], 1)
CONTROLS: dict[str, dict[str, Any]] = {
    "free": {},
    "elastic": {"restitution": 0.7},
    "held on a stop": {"control": PDGravity([200, 80], [20, 8]), "goal": [1.5, 0.2]},
    "along a motion": {
        "control": PDGravity([200, 80], [20, 8]),
        "goal": quintic([0.1, 0.1], [1.2, -0.9], 0.2),
    },
    "sampled": {"control": PDGravity([200, 80], [20, 8]), "goal": [1.0, 1.0], "period": 4e-3, "torque_limit": 40.0},
    "symplectic": {"integrator": "symplectic"},
}


def check_alone(robot: Any, many: Rollouts, starts: Any, speeds: Any, given: dict[str, Any]) -> None:
    for k in range(len(starts)):
        one = dynamis.simulate(robot, starts[k], speeds[k], samples=3, **given)
        np.testing.assert_allclose(many.q[k], one.q[-1], rtol=0, atol=1e-12)
        np.testing.assert_allclose(many.qd[k], one.qd[-1], rtol=0, atol=1e-10 * (1 + np.abs(one.qd).max()))
        np.testing.assert_allclose(many.stops[k], one.energy.stops[-1], rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(many.energy_error[k], one.energy.error[-1], atol=1e-9)


@pytest.mark.parametrize("name", CONTROLS)
def test_each_robot_as_if_it_were_alone(name: str):
    given = {"duration": 0.2, "step": 2e-3, **CONTROLS[name]}
    many = dynamis.rollouts(ARM, STARTS, SPEEDS, **given, keep=7)
    assert (many.stops < 0).any()
    assert many.q_history is not None
    assert many.q_history[..., 0].max() <= 0.8 + 1e-9
    check_alone(ARM, many, STARTS, SPEEDS, given)
    assert f"{int((many.stops != 0).sum())} hit a joint stop, which took up to" in str(many)


@given(robots(joints=(1, 3), solid=True, friction=True), st.integers(0, 9))
@settings(max_examples=5)
def test_random_robots(case: Case, seed: int):
    robot = case.robot()
    if not robot.n:
        return
    if robot.n == len(robot.joints) and all(joint.kind != "continuous" for joint in robot.joints):
        robot = limited(robot, [(-0.4, 0.4)] * robot.n)
    rng = np.random.default_rng(seed)
    starts, speeds = rng.uniform(-0.35, 0.35, (3, robot.n)), rng.uniform(-4, 4, (3, robot.n))
    common = {"duration": 0.1, "step": 4e-3, "stiction_speed": 0.5}
    with suppress(ArgumentError):  # one that starts outside its limits
        many = dynamis.rollouts(robot, starts, speeds, **common)
        assert not many.failed.any()
        check_alone(robot, many, starts, speeds, common)


def test_a_joint_that_starts_on_its_stop_stays_there():
    robot = pendulum(lower=-1.0)
    many = dynamis.rollouts(robot, [[-1.0], [0.5]], duration=0.1, step=1e-3)
    assert many.q[0, 0] == -1.0
    assert not many.qd[0].any()
    assert many.stops[0] == 0


def test_limits_may_be_ignored():
    free = dynamis.rollouts(ARM, STARTS, 10 * SPEEDS, duration=0.2, step=2e-3, limits="ignore")
    alone = dynamis.simulate(ARM, STARTS[0], 10 * SPEEDS[0], duration=0.2, step=2e-3, limits="ignore")
    np.testing.assert_allclose(free.q[0], alone.q[-1], atol=1e-4)  # which divides the step where it passes a limit
    assert np.abs(free.q).max() > 1
    assert not free.stops.any()


def test_every_robot_has_a_trajectory_of_its_own():
    goals = [quintic(q, q + 0.1, 0.1 * (k + 1)) for k, q in enumerate(STARTS[:3])]
    control, common = PDGravity(90, 20), {"step": 2e-3}
    many = dynamis.rollouts(ARM, STARTS[:3], control=control, goal=goals, **common)
    assert abs(many.times[-1] - 0.3) < 1e-12
    for k, goal in enumerate(goals):
        one = dynamis.simulate(ARM, STARTS[k], control=control, goal=goal, duration=float(many.times[-1]), **common)
        np.testing.assert_allclose(many.q[k], one.q[-1], atol=1e-12)


def test_bad_input():
    given: dict[str, Any] = {"duration": 0.1, "step": 1e-2}
    for call, words in (
        (lambda: dynamis.rollouts(ARM, [[0, 0], [0, 0.9]], **given), "of robot 1 of the batch starts at 0.9, outside"),
        (lambda: dynamis.rollouts(ARM, [0, 0.9], **given), "starts at 0.9, outside its limits -0.5 to 0.7 rad"),
        (lambda: dynamis.rollouts(ARM, [0, 0], limits="end", **given), '"end"'),
        (lambda: dynamis.rollouts(ARM, [0, 0], restitution=2, **given), "restitution"),
        (
            lambda: dynamis.rollouts(ARM, STARTS, control=PD(1, 1), goal=[quintic([0], [1], 1)], **given),
            "the goal moves 1 joints",
        ),
        (
            lambda: dynamis.rollouts(ARM, STARTS, control=PD(1, 1), goal=[MOTION, 3], **given),
            "a trajectory for every robot",
        ),
        (
            lambda: dynamis.simulate(ARM, [0, 0], control=PD(1, 1), goal=[MOTION], **given),
            "simulate runs one robot",
        ),
    ):  # fmt: skip
        with pytest.raises(dynamis.DynamisError, match=words.replace("(", r"\(")):
            call()
