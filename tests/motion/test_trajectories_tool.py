"""The tool on lines and arcs: it stays on them, its joints' derivatives are exact, and what cannot be is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.errors import ArgumentError
from dynamis.motion.inverse_kinematics.targets import angle_between
from dynamis.motion.position_limits import PositionLimits
from dynamis.motion.tool_paths.path import Arc, Turn
from dynamis.motion.tool_paths.trajectory import ToolTrajectory, tool_arc, tool_line
from dynamis.motion.trajectories.polynomials import cubic
from dynamis.motion.trajectories.trajectory import MotionError, Trajectory
from dynamis.trajectories import shortest_time
from tests.support.coupled_robots import LEVEL_HAND

UR5 = dynamis.load("ur5")
HOME = np.array([0.3, -1.2, 1.5, -0.5, 1.0, 0.2])


def drawn(seed: int) -> tuple[np.ndarray[Any, Any], ToolTrajectory, bool]:
    rng = np.random.default_rng(seed)
    q0 = HOME + rng.uniform(-0.2, 0.2, 6)
    goal = UR5.forward_kinematics(q0 + rng.uniform(-0.25, 0.25, 6))
    if rng.random() < 0.5:
        goal = goal[:3, 3]
    T = float(rng.uniform(0.5, 3))
    if rng.random() < 0.5:
        return q0, tool_line(UR5, q0, goal, T), True
    a, d = UR5.forward_kinematics(q0)[:3, 3], (goal[:3, 3] if goal.ndim == 2 else goal)
    side = np.cross(d - a, rng.normal(size=3))
    via = (a + d) / 2 + 0.3 * np.linalg.norm(d - a) * side / np.linalg.norm(side)
    return q0, tool_arc(UR5, q0, via, goal, T), False


@settings(max_examples=25)
@given(seed=st.integers(0, 10**6))
def test_laws(seed: int) -> None:
    q0, moving, straight = drawn(seed)
    assert isinstance(moving, Trajectory)
    t = np.linspace(0, moving.duration, 101)
    q, qd, qdd = moving.at(t)
    assert (q[0] == q0).all()
    assert not qd[[0, -1]].any()
    assert not qdd[[0, -1]].any()
    assert max(moving.position_error, moving.orientation_error) < 1e-12
    pose = UR5.forward_kinematics(q)
    p, a, d = pose[:, :3, 3], pose[0, :3, 3], pose[-1, :3, 3]
    if straight:
        along = (d - a) / np.linalg.norm(d - a)
        off = p - a - ((p - a) @ along)[:, None] * along
        assert np.linalg.norm(off, axis=1).max() < 1e-12
    else:
        curve = moving.task.curve
        assert isinstance(curve, Arc)
        assert np.linalg.norm(p - curve.c, axis=1) == pytest.approx(np.linalg.norm(curve.u), abs=1e-12)
    # The orientation turns about one axis, in proportion to s.
    whole = angle_between(pose[0, :3, :3], pose[-1, :3, :3])
    s = moving.law.at(t)[0][:, 0]
    assert angle_between(np.broadcast_to(pose[0, :3, :3], (101, 3, 3)), pose[:, :3, :3]) == pytest.approx(
        whole * s, abs=1e-7
    )
    h = 1e-5 * moving.duration
    inner = t[2:-2]
    (qa, qda, _), (qb, qdb, _) = moving.at(inner - h), moving.at(inner + h)
    scale = 1 + np.abs(qdd).max() / moving.duration
    assert np.abs((qb - qa) / (2 * h) - qd[2:-2]).max() < 1e-6 * scale
    assert np.abs((qdb - qda) / (2 * h) - qdd[2:-2]).max() < 1e-5 * scale


def test_the_goal_is_met() -> None:
    goal = UR5.forward_kinematics(HOME + 0.2)
    moving = tool_line(UR5, HOME, goal, 2.0)
    assert np.abs(UR5.forward_kinematics(moving.at(2.0)[0]) - goal).max() < 1e-12
    q, qd, qdd = moving.at([-1.0, 3.0])
    assert (q == moving.at([0.0, 2.0])[0]).all()
    assert not qd.any()
    assert not qdd.any()
    assert moving.at(np.zeros((2, 3)))[0].shape == (2, 3, 6)


def test_the_tool_keeps_its_speed() -> None:
    goal = UR5.forward_kinematics(HOME)[:3, 3] + [0.1, 0.1, 0.05]
    moving = tool_line(UR5, HOME, goal, speed=0.2, acceleration=0.5)
    t = np.linspace(0, moving.duration, 401)
    found = UR5.frame_motion(*moving.at(t))
    speed = np.linalg.norm(found.velocity, axis=1)
    assert speed.max() == pytest.approx(0.2, rel=1e-9)
    assert np.linalg.norm(found.acceleration, axis=1).max() == pytest.approx(0.5, rel=1e-9)
    assert np.abs(found.w).max() < 1e-12
    assert moving.length == pytest.approx(0.15)
    assert moving.duration == pytest.approx(0.15 / 0.2 + 0.2 / 0.5)


def test_peaks() -> None:
    goal = UR5.forward_kinematics(HOME)[:3, 3] + [0.1, 0.1, 0.05]
    moving = tool_line(UR5, HOME, goal, speed=0.2, acceleration=0.5)
    peaks = moving.peaks()
    q, qd, qdd = moving.at(np.random.default_rng(0).uniform(0, moving.duration, 5000))
    assert (q >= peaks.lowest - 1e-9).all()
    assert (q <= peaks.highest + 1e-9).all()
    assert (np.abs(qd) <= peaks.velocity * (1 + 1e-5)).all()
    assert (np.abs(qdd) <= peaks.acceleration * (1 + 1e-5)).all()
    assert np.isnan(peaks.jerk).all()
    fast = shortest_time(UR5, moving, acceleration=10.0)
    assert fast.peaks().acceleration.max() == pytest.approx(10, rel=1e-3)


@pytest.mark.parametrize("name", ["bar-2r", "deluca-2r"])
def test_few_joints(name: str) -> None:
    robot = dynamis.load(name)
    if robot.missing_values:
        pytest.skip("the robot has no numbers")
    q0 = np.array([0.4, 1.0])
    T = robot.forward_kinematics(q0)[:3, 3]
    goal = robot.forward_kinematics(q0 + np.array([0.3, 0.2]))[:3, 3]
    moving = tool_line(robot, q0, goal, 1.0)
    p = robot.forward_kinematics(moving.at(0.5)[0])[:3, 3]
    assert p == pytest.approx((T + goal) / 2, abs=1e-12)
    h = 1e-5
    assert (moving.at(0.3 + h)[1] - moving.at(0.3 - h)[1]) / (2 * h) == pytest.approx(moving.at(0.3)[2], rel=1e-6)


@given(seed=st.integers(0, 10**6), half=st.booleans())
def test_turns(seed: int, half: bool) -> None:
    rng = np.random.default_rng(seed)
    R, S = (np.linalg.qr(rng.normal(size=(3, 3)))[0] for _ in range(2))
    R, S = R * np.linalg.det(R), S * np.linalg.det(S)
    if half:
        w = rng.normal(size=3)
        w /= np.linalg.norm(w)
        S = (2 * np.outer(w, w) - np.eye(3)) @ R
    turn = Turn.between(R, S)
    found = turn.at(np.array([0.0, 0.5, 1.0]))
    assert np.abs(found[0] - R).max() < 1e-15
    assert np.abs(found[2] - S).max() < 1e-7
    assert float(angle_between(R, found[1])) == pytest.approx(float(angle_between(R, S)) / 2, abs=1e-7)


def test_an_arc_goes_through_its_points() -> None:
    a, b, d = np.random.default_rng(3).normal(size=(3, 3))
    arc = Arc.through(a, b, d)
    s = np.linspace(0, 1, 20001)
    p = arc.at(s)[0]
    assert p[0] == pytest.approx(a)
    assert p[-1] == pytest.approx(d)
    assert np.linalg.norm(p - b, axis=1).min() < 1e-3 * arc.length


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda p: tool_line(UR5, HOME, p), "no duration; give duration=..., or speed=... and acceleration=..."),
        (lambda p: tool_line(UR5, HOME, p, orientation=3), "orientation must be True, False or None, got 3"),
        (
            lambda p: tool_line("ur5", HOME, p, 1.0),
            'robot must be a robot, such as dynamis.load(...) returns, got "ur5"',
        ),
        (
            lambda p: tool_line(UR5, HOME, p, 0.01, speed=0.1, acceleration=1.0),
            "the tool cannot make 0.1 m in 0.01 s with a speed of 0.1 and an acceleration of 1; it needs T >= 1.1 s",
        ),
        (lambda p: tool_line(UR5, HOME, p, speed=1.0), "the tool needs both speed=... and acceleration=..."),
        (lambda p: tool_line(UR5, HOME, [p, p], 1.0), "goal must be one position (3) or one pose"),
        (lambda p: tool_line(UR5, HOME, p, law=cubic([0], [2], 1.0)), "law is not a trajectory of one joint from 0"),
        (lambda p: tool_line(UR5, HOME, p, law=3), "law is not a trajectory of one joint from 0"),
        (lambda p: tool_arc(UR5, HOME, [1, 2], p, 1.0), "via must be a position (..., 3) [m] or a pose"),
        (
            lambda p: tool_arc(UR5, HOME, (p + UR5.forward_kinematics(HOME)[:3, 3]) / 2, p, 1.0),
            "start, via and goal lie on one line (or two are the same), so no circle is given by them; "
            "move via aside, or use tool_line",
        ),
        (lambda p: tool_line(UR5, HOME, p + np.array([3, 0, 0]), 1.0), "the tool is out of reach: the nearest"),
        (lambda p: tool_line(UR5, np.zeros(6), p, 1.0), "the robot is singular 0 % of the way along"),
    ],
)  # fmt: skip
def test_sentences(make: Any, sentence: str) -> None:
    p = UR5.forward_kinematics(HOME)[:3, 3] + [0.1, 0, 0]
    with pytest.raises((MotionError, ArgumentError)) as caught:
        make(p)
    assert sentence in str(caught.value)


def test_joint_limits_on_the_way() -> None:
    puma = dynamis.load("puma560")
    q = np.array([0.1, -0.7, 0.3, 0.4, 0.5, 0.6])
    goal = puma.forward_kinematics(q + np.eye(6)[0])
    moving = tool_line(puma, q, goal, 1.0)
    upper = moving.joints.peaks().highest
    from dataclasses import replace

    links = [
        replace(link, joint=replace(link.joint, limits=dynamis.Limits(-9, float(upper[0]) - 0.1)))  # type: ignore[arg-type]
        if k == 0 else link
        for k, link in enumerate(puma.links)
    ]  # fmt: skip
    narrow = replace(puma, links=tuple(links))
    with pytest.raises(MotionError, match=r"joint 1 leaves its limits .* of the way along") as caught:
        tool_line(narrow, q, goal, 1.0)
    assert caught.value.joint == 1


def test_a_joint_that_follows_several_coordinates_keeps_its_limits() -> None:
    start = np.array([0.2, 0.5])
    near, far = (LEVEL_HAND.forward_kinematics(y)[:3, 3] for y in ([0.1, 0.65], [0.35, 0.6]))
    assert LEVEL_HAND.n == 2
    assert tool_line(LEVEL_HAND, start, near, 1).duration == 1
    with pytest.raises(MotionError, match=r'joint "level" leaves its limits .* is not within -0.8 .. 2') as refused:
        tool_line(LEVEL_HAND, start, far, 1)
    assert refused.value.joint is None


def test_a_joint_that_follows_several_coordinates_is_checked_between_the_knots() -> None:
    limits, places = PositionLimits(LEVEL_HAND, ""), np.array([0.0, 1.0])
    D = np.zeros((2, 3, 2))
    D[:, 1] = [[2.0, 2.0], [-2.0, -2.0]]
    limits.check(D[:1, 0], np.zeros(1))
    with pytest.raises(MotionError, match=r'joint "level" leaves its limits 50 % of the way along: -1.25'):
        limits.check_curve(D, places)
    limits.check_curve(0.5 * D, places)
