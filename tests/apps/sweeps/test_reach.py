"""Cells that a map chooses by itself hold every state: what slides and lengths that are swept count."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Joint, Link, Robot, sweep
from dynamis.apps.sweeps.ranges import ranges
from dynamis.apps.sweeps.reach import reach
from dynamis.errors import ArgumentError
from dynamis.sweeps import box, grid, normal, samples, sobol
from tests.support.strategies import Case, robots

STATES = 256


def sliding() -> dynamis.Robot:
    """A revolute joint with a prismatic one on it, without limits."""
    return dynamis.load("genova-rp")


CASES: dict[str, tuple[dynamis.Robot, Mapping[Any, Any]]] = {
    "a length in a box": (dynamis.load("bar-2r"), {"q": box(3), "L1": box(0.2, 3)}),
    "lengths run through": (dynamis.load("bar-2r"), {"q": box(3), "L2": [0.1, 4]}),
    "a length with a tolerance": (dynamis.load("bar-2r"), {"q": box(3), "L2": normal(2, 0.5)}),
    "a joint that slides": (sliding(), {"q.q1": box(3), "q.q2": box(0, 5)}),
    "a joint that slid": (sliding(), {"q.q1": box(3), "q.q2": 4.0}),
    "a mass": (dynamis.load("bar-2r"), {"q": box(3), "m1": normal(1, 0.1)}),
}


@pytest.mark.parametrize("name", CASES)
def test_every_state_is_counted_in_its_own_cell(name: str) -> None:
    robot, over = CASES[name]
    swept = sweep(robot, "tool", over, sobol(STATES), {"x": ("tool.x", 7), "y": ("tool.y", 5)}, ["count", "max"])
    ds = swept.run()
    places = np.concatenate([swept.parts.measured(case, 0, STATES)[:, :2] for case in range(len(swept.parts.cases))])
    edges = [np.linspace(axis.least, axis.greatest, axis.bins + 1) for axis in swept.parts.axes]
    expected, *_ = np.histogramdd(places, bins=edges)
    count = ds["count"].values.reshape(-1, 7, 5).sum(0)
    np.testing.assert_array_equal(count, expected)
    assert ds.attrs["outside"] == len(places) - expected.sum() <= (1 if "tolerance" in name else 0)
    certain = name not in ("a length in a box", "lengths run through", "a length with a tolerance")
    assert all(axis.holds_all is certain for axis in swept.parts.axes)


def test_samples_of_a_joint_that_slides_without_limits() -> None:
    robot, q = sliding(), np.array([[0.0, 0.5], [0.0, 9.0]])
    with pytest.raises(ArgumentError, match="slides without limits: give bounds of the cells"):
        sweep(robot, "tool", draw=samples(q), by={"x": ("tool.x", 3)})


def test_a_robot_without_a_tool_says_so() -> None:
    fork = Robot("fork", (Link("left", Joint("a"), mass=1), Link("right", Joint("b"), mass=1)))
    with pytest.raises(ArgumentError, match=r"has no tool; give it one with robot\.with_tool\(placement, link\), or"):
        sweep(fork, "gravity_torque", {"q": box(1)}, grid(2), {"x": ("tool.x", 3)})


@settings(max_examples=10, deadline=None)
@given(robots())
def test_no_random_robot_leaves_its_reach(case: Case) -> None:
    """Links with transforms before and after their joints, prismatic joints, trees."""
    robot = case.robot()
    if not robot.n:
        return
    spans = ranges(robot, {"q": box(2)})
    far, certain = reach(robot, spans)
    u = np.random.default_rng(1).uniform(0, 1, (200, robot.n))
    places = robot.forward_kinematics(spans.values(np.concatenate([u, u > 0.5])))[:, :3, 3]
    assert certain
    assert np.linalg.norm(places, axis=1).max() <= far
