"""Numerical inverse kinematics: forward of inverse is the target, limits are kept, the nearest pose is near."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.base.errors import ArgumentError
from dynamis.errors import UnknownNameError
from dynamis.model.joint_limits import joint_limits
from dynamis.motion.inverse_kinematics.damped_step import damped_step
from dynamis.motion.inverse_kinematics.numerical import inverse_kinematics
from dynamis.motion.inverse_kinematics.targets import angle_between
from tests.support.solvable_arms import wrist_arm
from tests.support.strategies import Case, robots

MOVING = ("revolute", "continuous", "prismatic")


@settings(max_examples=40)
@given(case=robots(joints=(1, 8), kinds=(*MOVING, "fixed")), seed=st.integers(0, 1000))
def test_random_robots_reach_what_they_can_reach(case: Case, seed: int) -> None:
    """Trees, sliding joints, few or many joints: positions and poses that some q has."""
    robot = case.robot()
    if not robot.n:
        return
    q = np.random.default_rng(seed).uniform(-2, 2, (5, robot.n))
    T = robot.forward_kinematics(q)
    for target in (T, T[:, :3, 3]):
        found = inverse_kinematics(robot, target)
        back = robot.forward_kinematics(found.q)
        assert found.success.all(), found.message
        assert np.linalg.norm((back - T)[:, :3, 3], axis=-1).max() <= 2e-8
        if target.ndim == 3:
            assert angle_between(back[:, :3, :3], T[:, :3, :3]).max() <= 2e-8
        # What is reported is what is there.
        assert found.position_error == pytest.approx(np.linalg.norm((back - T)[:, :3, 3], axis=-1), abs=1e-14)


@pytest.mark.parametrize("name", ["ur5", "puma560", "panda", "stanford"])
def test_shipped_robots_reach_all_of_many(name: str) -> None:
    robot = dynamis.load(name)
    limits = joint_limits(robot)
    rng = np.random.default_rng(11)
    q = rng.uniform(np.maximum(limits.lower, -np.pi), np.minimum(limits.upper, np.pi), (500, robot.n))
    T = robot.forward_kinematics(q)
    found = inverse_kinematics(robot, T)
    assert found.success.all(), found.message
    assert np.abs(robot.forward_kinematics(found.q) - T).max() < 3e-8
    assert (found.q >= limits.lower).all()
    assert (found.q <= limits.upper).all()
    assert found.starts.mean() < 20


@settings(max_examples=15)
@given(seed=st.integers(0, 10**6))
def test_limits_are_kept_even_where_the_target_is_out_of_reach(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot = wrist_arm(rng, dynamis.Limits(-1.0, 1.5))  # type: ignore[arg-type]
    inside = robot.forward_kinematics(rng.uniform(-1.0, 1.5, (6, 6)))
    found = inverse_kinematics(robot, inside)
    assert found.success.all(), found.message
    away = robot.forward_kinematics(rng.uniform(-np.pi, np.pi, (6, 6)))
    away[:, :3, 3] *= 3
    for result in (found, inverse_kinematics(robot, away, starts=10)):
        assert (result.q >= -1.0).all()
        assert (result.q <= 1.5).all()
    free = inverse_kinematics(robot, robot.forward_kinematics([[3.0, 2.0, -2.0, 3.0, 2.0, 1.0]]), limits=False)
    assert free.success.all()


@given(seed=st.integers(0, 10**6))
def test_the_nearest_pose_of_a_target_beyond_reach(seed: int) -> None:
    """A planar arm stretches toward a point outside its circle, and bends back toward one in its hole."""
    rng = np.random.default_rng(seed)
    arm = dynamis.load("bar-2r")
    lengths = np.abs([arm.forward_kinematics([0.0, 0.0])[:3, 3] @ [1, 0, 0]])
    reach = float(lengths[0])
    angle, more = rng.uniform(-3, 3), rng.uniform(0.05, 2.0)
    target = (reach + more) * np.array([np.cos(angle), np.sin(angle), 0.0])
    found = inverse_kinematics(arm, target, starts=3)
    assert not found.success
    assert float(found.position_error) == pytest.approx(more, rel=1e-5)
    assert "the target is not reached: the nearest pose found is" in found.message
    assert f"{float(found.position_error):.3g} m" in found.message


def test_a_batch_says_which_targets_were_missed() -> None:
    robot = dynamis.load("ur5")
    targets = np.array([[0.3, 0.2, 0.4], [3.0, 0.0, 0.0], [0.3, -0.2, 0.4]])
    found = inverse_kinematics(robot, targets, starts=5)
    assert found.success.tolist() == [True, False, True]
    assert found.message.startswith("2 of 3 targets are reached; of the others (the first is target 2) the nearest")
    assert inverse_kinematics(robot, targets[[0, 2]]).message.startswith("all 2 targets are reached to ")
    assert inverse_kinematics(robot, targets[:0]).message == "no targets"


def test_what_is_said_of_one_target() -> None:
    robot = dynamis.load("ur5")
    q = np.array([0.3, -1.2, 1.5, -0.5, 1.0, 0.2])
    T = robot.forward_kinematics(q)
    near = inverse_kinematics(robot, T, start=q + 0.01)
    steps = int(near.iterations)
    assert re.fullmatch(rf"the target is reached to \S+ m and \S+ rad in {steps} steps \(1 start tried\)", near.message)
    assert 1 < steps < 8
    there = inverse_kinematics(robot, T[:3, 3], start=q)
    assert re.fullmatch(r"the target is reached to \S+ m in 0 steps \(1 start tried\)", there.message)
    away = inverse_kinematics(robot, [3.0, 0, 0], starts=7)
    assert re.fullmatch(
        r"the target is not reached: the nearest pose found is \S+ m away \(7 starts tried\)", away.message
    )
    assert int(away.starts) == 7


@pytest.mark.parametrize("name", ["ur5", "panda"])
def test_steps_are_those_of_the_solution_and_starts_those_tried(name: str) -> None:
    """One at a time and together the first start is another one; but what is counted is what was done."""
    robot = dynamis.load(name)
    limits = joint_limits(robot)
    rng = np.random.default_rng(5)
    q = rng.uniform(np.maximum(limits.lower, -np.pi), np.minimum(limits.upper, np.pi), (40, robot.n))
    T = robot.forward_kinematics(q)
    for k in range(8):
        found = inverse_kinematics(robot, T[k])
        assert 1 <= int(found.iterations) <= 40
        assert int(found.starts) in (1, 3, 9, 27, 81, 100)
        if int(found.starts) > 1:
            assert not inverse_kinematics(robot, T[k], starts=1).success
    together = inverse_kinematics(robot, T)
    assert (together.iterations <= 40).all()
    assert together.message.startswith("all 40 targets are reached to ")


@pytest.mark.parametrize("name", ["ur5", "panda", "puma560"])
def test_a_start_half_a_turn_away_is_not_taken_for_the_target(name: str) -> None:
    """There the axis of the error is not known; rounding leads on, or the next start."""
    robot = dynamis.load(name)
    start = np.array([0.3, -1.2, 1.5, -0.5, 1.0, 0.2] if name == "ur5" else [0.3, -0.4, 0.5, -1.2, 0.6, 1.0, 0.2])
    start = start[: robot.n]  # poses that are reached with the tool turned round, too
    for axis in range(3):
        T = robot.forward_kinematics(start)
        turn = -np.eye(3)
        turn[axis, axis] = 1.0
        T[:3, :3] = T[:3, :3] @ turn
        found = inverse_kinematics(robot, T, start=start)
        assert found.success, found.message
        assert np.abs(robot.forward_kinematics(found.q) - T).max() < 1e-7
    ready = robot.forward_kinematics(np.zeros(robot.n))
    ready[:3, :3] = ready[:3, :3] @ np.diag([-1.0, -1.0, 1.0])
    _, error = damped_step(robot, "tool", True, 1.0, np.full(robot.n, -np.inf), np.full(robot.n, np.inf))(
        np.zeros(robot.n), ready[:3, [3, 0, 1, 2]].T.ravel(), [1.0]
    )
    assert error[2] == pytest.approx(4.0, rel=1e-6)  # (2 sin(pi/2))^2


def test_shapes_and_starts() -> None:
    robot = dynamis.load("ur5")
    q = np.random.default_rng(2).uniform(0.4, 1.4, (2, 3, 6))
    T = robot.forward_kinematics(q)
    found = inverse_kinematics(robot, T, start=q + 0.01)
    assert found.q.shape == (2, 3, 6)
    assert found.success.shape == found.iterations.shape == found.starts.shape == (2, 3)
    assert np.abs(found.q - q).max() < 1e-5  # the near start leads to the near branch
    assert (found.starts == 1).all()
    assert inverse_kinematics(robot, T, start=q[0, 0]).success.all()
    wound = q[0, 0] + [0, 0, 0, -2 * np.pi, 0, 0]
    near = inverse_kinematics(robot, robot.forward_kinematics(wound), start=wound + 0.001)
    assert np.abs(near.q - wound).max() < 1e-6  # a whole turn that the start has is kept


def test_the_same_seed_gives_the_same_answer_and_is_not_the_targets_own() -> None:
    robot = dynamis.load("ur5")
    q = np.random.default_rng(0).uniform(-np.pi, np.pi, (200, 6))
    T = robot.forward_kinematics(q)
    a, b = inverse_kinematics(robot, T, seed=0), inverse_kinematics(robot, T, seed=0)
    assert (a.q == b.q).all()
    assert (a.iterations > 0).all()


def test_other_frames_and_ends_that_not_all_joints_move() -> None:
    robot = dynamis.load("panda")
    q = np.array([0.1, 0.2, 0.3, -1.4, 0.5, 1.6, 0.7])
    link = robot.links[3].name
    T = robot.forward_kinematics(q, link)
    found = inverse_kinematics(robot, T[:3, 3], frame=link)
    assert found.success
    assert np.abs(robot.forward_kinematics(found.q, link)[:3, 3] - T[:3, 3]).max() < 2e-8


@settings(max_examples=20)
@given(case=robots(joints=(1, 6), kinds=MOVING), seed=st.integers(0, 1000))
def test_the_compiled_step_is_the_step_of_numpy(case: Case, seed: int) -> None:
    robot = case.robot()
    rng = np.random.default_rng(seed)
    q, goal = rng.uniform(-2, 2, (2, robot.n))
    T, S = robot.forward_kinematics(q), robot.forward_kinematics(goal)
    wide = np.full(robot.n, np.inf)
    step, error = damped_step(robot, "tool", True, 0.7, -wide, wide)(q, S[:3, [3, 0, 1, 2]].T.ravel(), [2.5])
    D = S[:3, :3] @ T[:3, :3].T
    theta = angle_between(T[:3, :3], S[:3, :3])
    axis = np.array([D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]]) / (2 * np.sin(theta) or 1.0)
    e = np.concatenate([(S - T)[:3, 3] / 0.7, 2 * np.sin(theta / 2) * axis])
    J = robot.jacobian(q) / np.array([0.7, 0.7, 0.7, 1, 1, 1])[:, None]
    E = e @ e / 2
    if theta > 3.1 or theta < 1e-6:
        return
    assert error[0] == pytest.approx(E, rel=1e-6)
    wanted = np.linalg.solve(J.T @ J + (2.5 * E + 1e-12) * np.eye(robot.n), J.T @ e)
    assert step == pytest.approx(wanted, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize(
    ("target", "options", "sentence"),
    [
        ([1.0, 2.0], {}, "target must be a position (..., 3) [m] or a pose (..., 4, 4), got shape (2,)"),
        ("x", {}, "target must be a position (..., 3) [m] or a pose (..., 4, 4), got \"x\""),
        ([np.nan, 0, 0], {}, "target has values that are not finite"),
        (
            2 * np.eye(4), {},
            "target is not a pose: R R^T is 3 from 1, or its last row is not 0 0 0 1; "
            "a pose is [R p; 0 0 0 1] with a rotation R",
        ),
        ([0.1, 0, 0], {"tolerance": 0}, "tolerance must be a positive number [m and rad], got 0"),
        ([0.1, 0, 0], {"starts": 0}, "starts must be a positive integer, got 0"),
        ([0.1, 0, 0], {"start": np.zeros((2, 6))}, "start must have the shape (6), got (2, 6)"),
        ([0.1, 0, 0], {"start": [[1, 2], [3]]}, "start must be one number per joint (6 joints), got [[1, 2], [3]]"),
        ([[0.1, 0, 0]], {"start": np.full((1, 6), np.nan)}, "start has values that are not finite"),
        ([0.1, 0, 0], {"seed": -1}, "seed must be a non-negative integer, got -1"),
        ([0.1, 0, 0], {"seed": "a"}, "seed must be a non-negative integer, got \"a\""),
        ([0.1, 0, 0], {"start": [0.0]}, "start must be one number per joint (6 joints), got 1 value"),
    ],
)  # fmt: skip
def test_sentences(target: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        inverse_kinematics(dynamis.load("ur5"), target, **options)
    assert str(caught.value) == sentence


def test_a_frame_that_is_not_there() -> None:
    with pytest.raises(UnknownNameError, match="wrist_3"):
        inverse_kinematics(dynamis.load("ur5"), [0.1, 0, 0], frame="wrist_4")


def test_the_result_is_a_document() -> None:
    """One row per target, in every format; CSV has them all."""
    robot = dynamis.load("stanford")  # one joint is prismatic
    poses = robot.forward_kinematics(np.random.default_rng(0).uniform(-0.5, 0.5, (45, robot.n)))
    found = inverse_kinematics(robot, poses.reshape(9, 5, 4, 4))
    text = str(found)
    assert text.startswith(found.message.split(" and ")[0])
    assert "q3 [m]" in text
    assert f"{found.q[0, 1, 0]:.6f}" in text
    assert "... and 5 more: to_csv writes all of them" in text
    columns = found.columns()
    np.testing.assert_array_equal(columns["q3 [m]"], found.q[..., 2].ravel())
    np.testing.assert_array_equal(columns["reached"], found.success.ravel())
    np.testing.assert_array_equal(found.as_dict()["q"], found.q)
    assert f"{found.q[0, 1, 0]:.6f}" in found.page("latex")
    none = inverse_kinematics(robot, poses[:0])
    assert str(none) == "no targets"
