"""The bound of gravity's stiffness: above all samples, equal to what is found where it can be."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Joint, Limits, Link, Robot
from dynamis.simulation.controllers.gravity_bound import entry_bounds, gravity_bound
from tests.support.arms import two_links
from tests.support.strategies import Case, robots


def limited(robot: Robot, low: float, high: float) -> Robot:
    """The robot with a range for every slider."""
    links = tuple(
        replace(link, joint=replace(link.joint, limits=Limits(low, high))) if link.joint.kind == "prismatic" else link
        for link in robot.links
    )
    return replace(robot, links=links)


@settings(max_examples=40)
@given(robots(joints=(1, 7), friction=True))
def test_no_pose_of_a_random_tree_is_above_the_bound(case: Case) -> None:
    robot = case.robot()
    if not robot.n:
        return
    low, high = -0.4, 0.9
    bounded = limited(robot, low, high)
    q = np.random.default_rng(1).uniform(-np.pi, np.pi, (200, robot.n))
    q = np.where([joint.revolute for joint in robot.joints], q, low + (high - low) * (q / np.pi + 1) / 2)
    entries = np.abs(robot.inverse_dynamics_derivatives(q).dtau_dq)
    bounds = entry_bounds(bounded)
    assert np.isfinite(bounds).all()
    assert (entries <= bounds + 1e-9 * (1 + bounds.max())).all()
    norms = np.linalg.norm(entries, 2, axis=(-2, -1)).max()
    assert norms <= np.linalg.norm(bounds, 2) * (1 + 1e-9) + 1e-9


@settings(max_examples=6)
@given(robots(joints=(1, 4), friction=True))
def test_what_is_found_is_below_what_is_allowed(case: Case) -> None:
    robot = limited(case.robot(), -0.5, 0.5)
    found = gravity_bound(robot, 0.7)
    assert found.lower <= found.upper * (1 + 1e-9)
    if robot.n:
        there = np.linalg.norm(robot.inverse_dynamics_derivatives(found.q).dtau_dq, 2) * 0.49
        np.testing.assert_allclose(there, found.lower, rtol=1e-9, atol=1e-12)


def test_2r_by_hand() -> None:
    """|dg/dq| is largest where both links hang: 10 [[m1 d1 + m2 (l1 + d2), m2 d2], [m2 d2, m2 d2]]."""
    by_hand = 10 * np.array([[2 * 0.2 + 3 * 0.8, 3 * 0.3], [3 * 0.3, 3 * 0.3]])
    np.testing.assert_allclose(entry_bounds(two_links()), by_hand, rtol=1e-12)
    found = gravity_bound(two_links())
    norm = 18.5 + np.sqrt(9.5**2 + 9.0**2)
    np.testing.assert_allclose([found.lower, found.upper], norm, rtol=1e-9)
    scaled = gravity_bound(two_links(), [0.1, 0.5])
    by_hand_scaled = np.linalg.norm(by_hand * np.array([[0.01, 0.05], [0.05, 0.25]]), 2)
    np.testing.assert_allclose([scaled.lower, scaled.upper], by_hand_scaled, rtol=1e-6)


def test_gravity_across_the_axes_counts_alone() -> None:
    lying = two_links().with_gravity((0, 0, -10))
    assert not entry_bounds(lying).any()
    assert gravity_bound(lying).upper == 0
    leaning = two_links().with_gravity((0, -6, 8))
    np.testing.assert_allclose(entry_bounds(leaning), 0.6 * entry_bounds(two_links()), rtol=1e-12)


def test_a_slider_has_the_bound_of_its_limits() -> None:
    arm = Robot(
        "rp",
        (
            Link("turn", Joint("q1"), mass=1, com=(0.1, 0, 0)),
            Link("slide", Joint("q2", "prismatic", (1, 0, 0), limits=Limits(0.2, 0.6)), "turn", 2, (0, 0, 0)),
        ),
        gravity=(0, -10, 0),
    )
    # g = 10 [(0.1 + 2 q2) cos q1, 2 sin q1]
    np.testing.assert_allclose(entry_bounds(arm), [[10 * (0.1 + 2 * 0.6), 20], [20, 0]], rtol=1e-12)
    free = replace(arm, links=(arm.links[0], replace(arm.links[1], joint=Joint("q2", "prismatic", (1, 0, 0)))))
    assert gravity_bound(free).upper == inf
    along = replace(free, links=(arm.links[0], replace(arm.links[1], joint=Joint("q2", "prismatic", (0, 0, 1)))))
    np.testing.assert_allclose(entry_bounds(along), [[1.0, 20], [20, 0]], rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "lower", "upper"), [("ur5", 61.97, 62.51), ("puma560", 47.99, 47.99), ("panda", 60.14, 84.95)]
)
def test_arms_of_the_library(name: str, lower: float, upper: float) -> None:
    """The Panda's was found as 60.05; a search of another kind, from 24 starts, found 60.14 too."""
    found = gravity_bound(dynamis.load(name))
    assert (round(found.lower, 2), round(found.upper, 2)) == (lower, upper)
    assert 0.7 * found.upper < found.lower <= found.upper
    assert not entry_bounds(dynamis.load(name))[0].any()
