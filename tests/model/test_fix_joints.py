"""Joints that stand still: the same torques as those of the whole robot with these joints held."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.model.fix_joints import fix_joints
from tests.support.coupled_robots import ROBOTS
from tests.support.strategies import robots


def same(robot: dynamis.Robot, names: list[str]) -> None:
    """Torques at the joints that move are those of the robot with the others held at 0.3, 0.4, ..."""
    held = {name: 0.3 + 0.1 * k for k, name in enumerate(names)}
    stiff, free = fix_joints(robot, held), [x.name for x in robot.coordinates]
    moving = [k for k, name in enumerate(free) if name not in held]
    assert [x.name for x in stiff.coordinates] == [free[k] for k in moving]
    q = np.array([held.get(name, 0.0) for name in free])
    qd, qdd = np.zeros_like(q), np.zeros_like(q)
    rng = np.random.default_rng(0)
    q[moving], qd[moving], qdd[moving] = rng.normal(size=(3, len(moving)))
    tau = stiff.inverse_dynamics(q[moving], qd[moving], qdd[moving])
    whole = robot.inverse_dynamics(q, qd, qdd)[moving]
    np.testing.assert_allclose(tau, whole, rtol=1e-9, atol=1e-9 * max(np.abs(whole).max(), 1.0))


@settings(max_examples=15, deadline=None)
@given(robots(), st.integers(0, 100))
def test_random_trees(case, seed: int) -> None:
    robot = case.robot()
    names = [x.name for x in robot.coordinates]
    if len(names) > 1:
        same(robot, [str(x) for x in np.random.default_rng(seed).choice(names, len(names) // 2, replace=False)])


@pytest.mark.parametrize("name", ["level hand", "differential"])
def test_joints_that_follow_fixed_ones(name: str) -> None:
    robot = ROBOTS[name].with_values(ROBOTS[name].values)
    for coordinate in robot.coordinates:
        same(robot, [coordinate.name])


def test_what_cannot_be_fixed() -> None:
    arm = dynamis.load("bar-2r")
    with pytest.raises(UnknownNameError, match=r'unknown joint "q3".*q2'):
        fix_joints(arm, {"q3": 0})
    with pytest.raises(ArgumentError, match="at least one must move"):
        fix_joints(arm, {"q1": 0, "q2": 1})
    robot = ROBOTS["parallelogram"]
    follower = next(joint for joint in robot.joints if joint.coupling)
    with pytest.raises(ArgumentError, match="fix that instead"):
        fix_joints(robot, {follower.name: 0})
