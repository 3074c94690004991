"""The shortest time along a path: known times, limits everywhere, something at its limit all along."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.controllers import LoadOverTime
from dynamis.errors import ArgumentError
from dynamis.model.joint_limits import joint_limits
from dynamis.motion.shortest_time.shortest_time import ShortestTime, shortest_time
from dynamis.motion.tool_paths.trajectory import tool_line
from dynamis.motion.trajectories.double_s import double_s
from dynamis.motion.trajectories.polynomials import quintic
from dynamis.motion.trajectories.trajectory import MotionError, Trajectory
from dynamis.motion.trajectories.trapezoidal import trapezoidal
from tests.support.coupled_robots import LEVEL_HAND

UR5 = dynamis.load("ur5")


def keeps_its_limits(found: ShortestTime) -> None:
    limits = found.limits
    # At rest itself friction has no sign.
    t = np.linspace(0, found.duration, 8001)[1:-1]
    q, qd, qdd = found.at(t)
    tau = limits.robot.inverse_dynamics(q, qd, qdd)
    for values, limit in ((qd, limits.velocity), (qdd, limits.acceleration), (tau, limits.effort)):
        assert (np.abs(values) <= limit * (1 + 1e-9)).all()


@pytest.mark.parametrize(("way", "v", "a"), [(1.0, 1.0, 2.0), (1.0, 10.0, 2.0), (-2.0, 0.5, 4.0)])
def test_one_joint_is_the_trapezoidal(way: float, v: float, a: float) -> None:
    found = shortest_time(UR5, [np.zeros(6), [way, 0, 0, 0, 0, 0]], velocity=v, acceleration=a, effort=1e6)
    known = trapezoidal([0.0], [way], v, a).duration
    assert known <= found.duration <= known * 1.001
    keeps_its_limits(found)


def test_a_force_is_bang_bang() -> None:
    """One sliding mass under a force alone: T = 2 sqrt(d m / F)."""
    slide = dynamis.Link("cart", dynamis.Joint("x", "prismatic", axis=(1, 0, 0)), mass=3.0)  # type: ignore[arg-type]
    robot = dynamis.Robot("cart", (slide,), gravity=(0, 0, -9.81))  # type: ignore[arg-type]
    found = shortest_time(robot, [[0.0], [2.0]], effort=6.0)
    known = 2 * np.sqrt(2.0 * 3.0 / 6.0)
    assert known <= found.duration <= known * 1.001
    assert {phase.limit for phase in found.phases()} == {"torque of joint 1"}
    keeps_its_limits(found)


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), heavy=st.booleans())
def test_limits_hold_and_one_is_met(seed: int, heavy: bool) -> None:
    rng = np.random.default_rng(seed)
    points = np.array([0, -1.2, 1.2, 0, 0.5, 0]) + rng.uniform(-0.7, 0.7, (int(rng.integers(2, 6)), 6))
    hold = np.abs(UR5.gravity_torque(points)).max(axis=0)
    effort = (hold.max() * 1.6 + 2) * np.ones(6) if heavy else joint_limits(UR5).effort
    found = shortest_time(UR5, points, acceleration=None if heavy else 15.0, effort=effort)
    assert isinstance(found, Trajectory)
    keeps_its_limits(found)
    assert np.median(found.share) > 0.98
    assert (found.share < 1 + 1e-9).all()
    q, qd, _ = found.at([0.0, found.duration])
    assert (q == points[[0, -1]]).all()
    assert (qd == 0).all()
    phases = found.phases()
    assert phases[0].start == 0
    assert phases[-1].end == found.duration
    assert all(a.end == b.start for a, b in pairwise(phases))
    # Derivatives are exact: within a step of the grid, differences say the same.
    middle = (found.grid[:-1] + found.grid[1:]) / 2
    h = np.diff(found.grid).min() * 0.1
    (qa, qda, _), (qb, qdb, _), (_, qd, qdd) = found.at(middle - h), found.at(middle + h), found.at(middle)
    assert np.abs((qb - qa) / (2 * h) - qd).max() < 1e-5 * np.abs(qd).max()
    assert np.abs((qdb - qda) / (2 * h) - qdd).max() < 1e-3 * np.abs(qdd).max()


@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_no_other_law_is_faster(seed: int) -> None:
    """On the same straight path under the same limits, a double-S and a quintic take longer."""
    rng = np.random.default_rng(seed)
    a, b = np.array([0, -1.2, 1.2, 0, 0.5, 0]) + rng.uniform(-0.7, 0.7, (2, 6))
    found = shortest_time(UR5, [a, b], velocity=2.0, acceleration=8.0, effort=1e5)
    assert found.duration <= quintic(a, b, velocity=2.0, acceleration=8.0).duration
    assert found.duration <= double_s(a, b, 2.0, 8.0, 500.0).duration * 1.001
    assert found.duration >= trapezoidal(a, b, 2.0, 8.0).duration * (1 - 1e-9)


def test_the_way_of_a_tool() -> None:
    q = np.array([0.3, -1.2, 1.5, -0.5, 1.0, 0.2])
    goal = UR5.forward_kinematics(q)[:3, 3] + [0.1, 0.1, -0.1]
    slow = tool_line(UR5, q, goal, 2.0)
    found = shortest_time(UR5, slow, acceleration=10.0)
    keeps_its_limits(found)
    p = UR5.forward_kinematics(found.at(np.linspace(0, found.duration, 50))[0])[:, :3, 3]
    along = goal - p[0]
    assert np.linalg.norm(np.cross(p - p[0], along), axis=1).max() < 1e-12


def test_viscous_friction_is_kept_within() -> None:
    joint = dynamis.Joint("q1", damping=0.8, coulomb=0.3)  # type: ignore[arg-type]
    robot = dynamis.Robot("wheel", (dynamis.Link("rotor", joint, mass=1.0, com=(0.2, 0, 0)),), gravity=(0, 0, 0))  # type: ignore[arg-type]
    found = shortest_time(robot, [[0.0], [3.0]], effort=2.0)
    keeps_its_limits(found)
    # Speeds up by I vd = 1.7 - 0.8 v to v = 1.7 / 0.8 in the end, and slows down by I vd = -2.3 - 0.8 v.
    inertia, d, v = 0.04, 0.8, 1.7 / 0.8
    brake = inertia / d * np.log(1 + d * v / 2.3)
    braked = inertia / d * (v - 2.3 / d * np.log(1 + d * v / 2.3))
    known = (3.0 - braked) / v + inertia / d + brake
    assert known * (1 - 1e-6) <= found.duration <= known * 1.01
    finer = shortest_time(robot, [[0.0], [3.0]], effort=2.0, steps=2000)
    assert known * (1 - 1e-6) <= finer.duration < found.duration


def sentences() -> list[Any]:
    q = [np.zeros(6), np.ones(6)]
    return [
        (lambda: shortest_time(dynamis.load("puma560"), q), "nothing bounds the acceleration; give "),
        (lambda: shortest_time(UR5, [[0.0], [1.0]]), 'the path has 1 joint; robot "ur5" has 6'),
        (lambda: shortest_time(UR5, quintic(q[0], q[1], 1.0)), "the path stands still at 0% of its way"),
        (lambda: shortest_time(UR5, q, steps=3), "steps must be an integer >= 10, got 3"),
        (lambda: shortest_time(UR5, q, effort=5.0), "joint 2 cannot hold the arm at "),
    ]  # fmt: skip


@pytest.mark.parametrize("make_and_sentence", sentences(), ids=lambda pair: pair[1][:30])
def test_sentences(make_and_sentence: Any) -> None:
    make, sentence = make_and_sentence
    with pytest.raises((MotionError, ArgumentError)) as caught:
        make()
    assert sentence in str(caught.value)
    if "hold" in sentence:
        assert isinstance(caught.value, MotionError)
        assert caught.value.needs["effort"] > 5


def test_torque_limits_count_loads_and_gravity() -> None:
    arm, path, effort = dynamis.load("bar-2r"), [[0.0, 0.2], [1.0, 1.0]], [25.0, 8.0]
    push = dynamis.Force("link2", (0, -10, 0), point=(0.5, 0, 0))
    cases = {"own": ((), True), "none": ((), False), "pushed": ((push,), True)}
    found = {name: shortest_time(arm, path, effort=effort, loads=x, gravity=g) for name, (x, g) in cases.items()}
    for name, (loads, gravity) in cases.items():
        motion = found[name]
        tau = arm.inverse_dynamics(*motion.at(np.linspace(0, motion.duration, 2001)), loads=loads, gravity=gravity)
        used = np.abs(tau) / effort
        assert used.max() <= 1 + 1e-9
        assert used.max() > 0.99
    assert found["none"].duration < found["own"].duration < found["pushed"].duration
    heavy = dynamis.Force("link2", (0, -60, 0), point=(0.5, 0, 0))
    with pytest.raises(MotionError, match="gravity and loads take"):
        shortest_time(arm, path, effort=effort, loads=[heavy])
    later = LoadOverTime(push, ([0.0, 1.0], [[0, 0, 0], [0, -10, 0]]))
    with pytest.raises(ArgumentError, match="a load over time has no place here"):
        shortest_time(arm, path, effort=effort, loads=[later])  # type: ignore[list-item]


def test_a_joint_that_follows_several_coordinates_keeps_its_velocity() -> None:
    """On a straight path the motion is a trapezoid: T = L/v + v/a, with the velocity of level = -q1 - q2."""
    fast = shortest_time(LEVEL_HAND, [[0.0, 0.0], [-0.3, -0.2]], acceleration=5.0, steps=100)
    # level moves by 0.5 rad at 1 rad/s; q1 by 0.3 rad, so that level may accelerate by 5 * 0.5 / 0.3.
    assert fast.duration == pytest.approx(0.5 / 1.0 + 1.0 / (5.0 * 0.5 / 0.3), rel=1e-3)
    assert 'velocity of joint "level"' in {phase.limit for phase in fast.phases()}
    bent = shortest_time(LEVEL_HAND, [[0.0, 0.0], [-0.3, 0.4], [-0.9, 0.1]], velocity=2.0, acceleration=9.0, steps=100)
    _, qd, qdd = bent.at(np.linspace(0, bent.duration, 3001))
    assert 0.99 < np.abs(qd.sum(axis=-1)).max() <= 1 + 1e-4
    assert np.abs(qd).max() <= 2 + 1e-4
    assert np.abs(qdd).max() <= 9 + 1e-3


def test_a_joint_that_follows_several_coordinates_keeps_its_range() -> None:
    leaves = r'joint "level" leaves its limits 100 % of the way along: -1 is not within -0.8 .. 2; choose another path'
    with pytest.raises(MotionError, match=leaves) as refused:
        shortest_time(LEVEL_HAND, [[0.0, 0.0], [0.4, 0.6]], acceleration=5.0)
    assert refused.value.joint is None
    parallelogram = dynamis.load("parallelogram")
    with pytest.raises(MotionError, match=r'joint "q4" leaves its limits .* choose another path'):
        shortest_time(parallelogram, [[0.8, 0.2], [0.3, 0.9]], acceleration=5.0)
