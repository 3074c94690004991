"""The tool of any robot on lines and arcs: redundant, planar, sliding, few joints or many, branches of a tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.motion.inverse_kinematics.targets import angle_between
from dynamis.motion.tool_paths.task import general_rank, inverse
from dynamis.motion.tool_paths.trajectory import ToolTrajectory, holds_orientation, tool_arc, tool_line
from dynamis.motion.trajectories.trajectory import MotionError
from dynamis.trajectories import shortest_time
from tests.support.solvable_arms import Array, arm
from tests.support.strategies import Case, robots

PANDA = dynamis.load("panda")
READY = np.array([0.1, 0.2, 0.3, -1.4, 0.5, 1.6, 0.7])
STANFORD = dynamis.load("stanford")


def derivatives_match_differences(moving: ToolTrajectory) -> None:
    """Central differences of q are qd and those of qd are qdd, all along."""
    t = np.linspace(0, moving.duration, 203)[2:-2]
    h = 1e-5 * moving.duration
    (qa, qda, _), (qb, qdb, _), (_, qd, qdd) = moving.at(t - h), moving.at(t + h), moving.at(t)
    jerk = np.abs(np.diff(qdd, axis=0)).max() / (t[1] - t[0]) + 1
    assert np.abs((qb - qa) / (2 * h) - qd).max() < h * h * jerk + 1e-15 / h * 10
    assert np.abs((qdb - qda) / (2 * h) - qdd).max() < h * jerk * 0.1 + 1e-14 * (1 + np.abs(qd).max()) / h * 10


def the_tool_is_on_its_way(moving: ToolTrajectory, tolerance: float = 1e-11) -> None:
    """Position, velocity and acceleration of the tool are those of the way."""
    robot, task = moving.task.robot, moving.task
    t = np.linspace(0, moving.duration, 301)
    s, sd, sdd = moving.law.at(t)
    p, first, second = task.curve.at(s[:, 0])
    found = robot.frame_motion(*moving.at(t), frame=task.frame)
    assert np.abs(found.position - p).max() < tolerance
    assert np.abs(found.velocity - first * sd).max() < 1e3 * tolerance
    assert np.abs(found.acceleration - first * sdd - second * sd**2).max() < 1e6 * tolerance
    if task.turn is not None:
        R = robot.forward_kinematics(moving.at(t)[0], task.frame)[:, :3, :3]
        assert angle_between(R, task.turn.at(s[:, 0])).max() < tolerance
        assert np.abs(found.w - task.turn.rate * sd).max() < 1e3 * tolerance
    assert moving.position_error < tolerance
    q, qd, _ = moving.at([0.0, moving.duration])
    assert not qd.any()
    assert (q[0] == moving.joints.at(0.0)[0]).all()


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6), straight=st.booleans(), free=st.booleans())
def test_a_redundant_arm(seed: int, straight: bool, free: bool) -> None:
    rng = np.random.default_rng(seed)
    start = READY + rng.uniform(-0.1, 0.1, 7)
    T = PANDA.forward_kinematics(start)
    goal = PANDA.forward_kinematics(start + rng.uniform(-0.15, 0.15, 7))
    duration = float(rng.uniform(0.5, 3))
    if straight:
        moving = tool_line(PANDA, start, goal, duration, orientation=not free)
    else:
        side = np.cross(goal[:3, 3] - T[:3, 3], rng.normal(size=3))
        via = (T[:3, 3] + goal[:3, 3]) / 2 + 0.3 * side
        moving = tool_arc(PANDA, start, via, goal, duration, orientation=not free)
    assert (moving.at(0.0)[0] == start).all()
    reached = PANDA.forward_kinematics(moving.at(duration)[0])
    assert np.abs((reached - goal)[:3, 3]).max() < 1e-11
    if not free:
        assert np.abs(reached - goal).max() < 1e-11
    derivatives_match_differences(moving)
    the_tool_is_on_its_way(moving)


def test_the_smallest_velocities() -> None:
    """q' is J^+ x' to the accuracy of the steps: no velocity leaves the tool alone."""
    goal = PANDA.forward_kinematics(READY)[:3, 3] + [0.1, 0.1, -0.1]
    moving = tool_line(PANDA, READY, goal, 2.0)
    q, qd, _ = moving.at(np.linspace(0, 2, 101))
    J = PANDA.jacobian(q)
    smallest = (np.linalg.pinv(J) @ (J @ qd[..., None]))[..., 0]
    assert np.abs(smallest - qd).max() < 1e-6 * np.abs(qd).max()


def test_sliding_joints() -> None:
    start = np.array([0.1, -0.7, 0.3, 0.4, 0.5, 0.6])
    goal = STANFORD.forward_kinematics(start)[:3, 3] + [0.1, 0.05, -0.1]
    moving = tool_line(STANFORD, start, goal, 1.5)
    derivatives_match_differences(moving)
    the_tool_is_on_its_way(moving)
    assert not holds_orientation(dynamis.load("genova-rp"), "tool")


def planar(n: int) -> dynamis.Robot:
    rng = np.random.default_rng(4)
    points = np.array([[0.4 * k, 0, 0] for k in range(n)])
    return arm(np.array([[0, 0, 1.0]] * n), points, np.array([0.4 * n, 0, 0]), rng)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_planar_arms_of_any_number_of_joints(n: int) -> None:
    """Two directions of three; with a pose, three of six. More joints than that are redundant."""
    robot = planar(n)
    start = np.full(n, 0.5)
    goal = robot.forward_kinematics(start + np.linspace(0.1, 0.3, n))
    moving = tool_line(robot, start, goal[:3, 3], 1.0)
    derivatives_match_differences(moving)
    the_tool_is_on_its_way(moving)
    if n > 2:
        turned = tool_line(robot, start, goal, 1.0)
        the_tool_is_on_its_way(turned)
        assert np.abs(robot.forward_kinematics(turned.at(1.0)[0]) - goal).max() < 1e-11


def test_a_planar_arm_leaves_its_plane_nowhere() -> None:
    robot = planar(3)
    above = robot.forward_kinematics(np.full(3, 0.5))[:3, 3] + [0, 0, 0.1]
    with pytest.raises(MotionError, match=r"0 % of the way along, at .* the tool is out of reach"):
        tool_line(robot, np.full(3, 0.5), above, 1.0)


@settings(max_examples=25)
@given(case=robots(joints=(2, 8), kinds=("revolute", "continuous", "prismatic")), seed=st.integers(0, 1000))
def test_random_robots(case: Case, seed: int) -> None:
    """Trees too: joints that do not carry the tool stay where they are."""
    robot = case.robot()
    rng = np.random.default_rng(seed)
    start = rng.uniform(-1, 1, robot.n)
    ahead = robot.forward_kinematics(start + rng.uniform(-0.2, 0.2, robot.n))[:3, 3]
    assume(np.linalg.norm(ahead - robot.forward_kinematics(start)[:3, 3]) > 1e-3)
    if general_rank(robot, "tool", False, 1.0) < 3:
        # The tool moves on a surface or a curve; hardly any line lies in it.
        with pytest.raises(MotionError, match="of the way along"):
            tool_line(robot, start, [3.0, 5.0, 7.0], 1.0, orientation=False)
        return
    assume(inverse(robot.jacobian(start)[:3], 3).quality > 0.1)
    moving = tool_line(robot, start, (ahead + 9 * robot.forward_kinematics(start)[:3, 3]) / 10, 1.0, orientation=False)
    derivatives_match_differences(moving)
    the_tool_is_on_its_way(moving, 1e-8)
    carry = np.abs(robot.jacobian(rng.uniform(-1, 1, (20, robot.n)))[:, :3]).max(axis=(0, 1)) > 1e-12
    q, qd, _ = moving.at(np.linspace(0, 1, 11))
    assert (np.abs(q - start)[:, ~carry] < 1e-12).all()
    assert (np.abs(qd)[:, ~carry] < 1e-10).all()


def test_where_the_way_ends_is_said() -> None:
    """The place where the arm is stretched is found to a fraction of a percent."""
    two = planar(2)
    q = np.array([0.3, 0.8])
    p = two.forward_kinematics(q)[:3, 3]
    with pytest.raises(MotionError) as caught:
        tool_line(two, q, 2.0 * p, 1.0)
    # |p| (1 + s) = 0.8
    s = 0.8 / np.linalg.norm(p) - 1
    said = float(str(caught.value).split(" %")[0])
    assert said == pytest.approx(100 * s, abs=0.01)
    assert "the tool is out of reach: the nearest pose found for what comes next" in str(caught.value)
    assert "rad" not in str(caught.value)


def refused() -> list[Any]:
    ready = PANDA.forward_kinematics(READY)
    half = ready.copy()
    half[:3, :3] = ready[:3, :3] @ np.diag([-1.0, -1.0, 1.0])
    return [
        (lambda: tool_line(PANDA, READY, ready[:3, 3] + [2, 0, 0], 1.0), "the tool is out of reach"),
        (lambda: tool_line(PANDA, READY, ready[:3, 3] + [0.3, 0, 0.3], 1.0), "of the way along"),
        (lambda: tool_line(PANDA, [0] * 6, ready, 1.0), "start must be one number per joint (7 joints), got 6 values"),
        (
            lambda: tool_line(PANDA, READY, ready[0], 1.0),
            "goal must be a position (..., 3) [m] or a pose (..., 4, 4), got shape (4,)",
        ),
        (lambda: tool_line(PANDA, READY * np.nan, ready, 1.0), "must be finite, got [nan"),
        (lambda: tool_line(PANDA, READY, ready, 1.0, frame="hand2"), "hand2"),
    ]  # fmt: skip


@pytest.mark.parametrize("make_and_sentence", refused(), ids=lambda pair: pair[1][:30])
def test_sentences(make_and_sentence: Any) -> None:
    make, sentence = make_and_sentence
    with pytest.raises(dynamis.DynamisError) as caught:
        make()
    assert sentence in str(caught.value)


def test_limits_between_the_knots_and_at_them() -> None:
    goal = PANDA.forward_kinematics(READY)[:3, 3] + [-0.3, 0.0, 0.0]
    from dataclasses import replace

    moving = tool_line(replace(PANDA, links=tuple(_wide(link) for link in PANDA.links)), READY, goal, 1.0)
    reached = moving.joints.peaks()
    j = int(np.argmax(reached.highest - READY))
    bound = float((READY[j] + reached.highest[j]) / 2)
    moving_links = [k for k, link in enumerate(PANDA.links) if link.joint.moves]
    links = [
        replace(link, joint=replace(link.joint, limits=dynamis.Limits(-9, bound)))  # type: ignore[arg-type]
        if k == moving_links[j] else _wide(link)
        for k, link in enumerate(PANDA.links)
    ]  # fmt: skip
    with pytest.raises(MotionError, match=rf"joint {j + 1} leaves its limits .* % of the way along") as caught:
        tool_line(replace(PANDA, links=tuple(links)), READY, goal, 1.0)
    assert caught.value.joint == j + 1


def _wide(link: dynamis.Link) -> dynamis.Link:
    from dataclasses import replace

    return replace(link, joint=replace(link.joint, limits=dynamis.Limits()))


def test_shortest_time_of_a_redundant_arm() -> None:
    goal = PANDA.forward_kinematics(READY)[:3, 3] + [0.1, 0.1, -0.1]
    found = shortest_time(PANDA, tool_line(PANDA, READY, goal, 1.0), acceleration=8.0)
    q, qd, qdd = found.at(np.linspace(0, found.duration, 501))
    assert np.abs(qdd).max() <= 8.0 * (1 + 1e-9)
    assert (q[0] == READY).all()
    assert not qd[[0, -1]].any()
    p: Array = PANDA.forward_kinematics(q)[:, :3, 3]
    along = (goal - p[0]) / np.linalg.norm(goal - p[0])
    assert np.linalg.norm(np.cross(p - p[0], along), axis=1).max() < 1e-11
