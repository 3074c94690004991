"""Loops that coupled joints replace: the drawing finds where they close, and draws the links up to there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Frame, Joint, Link, Robot
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.telling.drawing.loops import closings
from tests.support.drawings import check

length = st.floats(0.1, 2.0).map(lambda x: round(x, 3))
angle = st.floats(-3.0, 3.0).map(lambda x: round(x, 3))


def four_bar(a: float, b: float, before: str) -> Robot:
    """Crank, coupler and rocker of a parallelogram on the ground, cut where the rocker stands on it."""
    return Robot("four-bar", (
        Link("crank", Joint("q1", before=before), mass=1, com=(a / 2, 0, 0)),
        Link("coupler", Joint("q2", before=f"Tx({a})", coupling={"q1": -1}), "crank", mass=1, com=(b / 2, 0, 0)),
        Link("rocker", Joint("q3", before=f"Tx({b})", coupling={"q1": 1}), "coupler", mass=1, com=(-a / 2, 0, 0)),
    ), tool=Frame("tool", "rocker", f"Tx({-a})"))  # fmt: skip


@settings(max_examples=8)
@given(length, length, angle, angle)
def test_a_four_bar_linkage_closes_on_the_ground_wherever_it_stands(a, b, x, z):
    robot = four_bar(a, b, f"Tx({a}) Rx({x}) Rz({z})")
    (closing,) = closings(robot, mechanism(robot, robot.floats()))
    assert closing.links == (0, 3)
    for q in (0.3, -1.1):
        pose = robot.forward_kinematics([q])
        end, axis = pose[:3, 3], pose[:3, 2]
        # Along its axis the point may stand anywhere.
        assert np.cross(closing.points[0] - end, axis) == pytest.approx(0, abs=1e-9)
        assert closing.axis is not None
        assert np.cross(closing.axis, axis) == pytest.approx(0, abs=1e-9)
    check(robot.draw())


def test_the_rod_of_the_parallelogram_reaches_the_forearm():
    robot = dynamis.load("parallelogram")
    q = [1.2, -0.9]
    (closing,) = closings(robot, mechanism(robot, robot.floats()))
    assert closing.links == (3, 4)
    picture = robot.draw(q, frames=False, dimensions=False).picture
    pins = [mark.centre for mark in picture.marks if getattr(mark, "radius", 0) == 5]
    ends = [point for path in picture.paths("link") for point in path.points]
    # Base (twice: arm and crank), rod, elbow, and the joint that closes the loop, where two links end.
    assert len(pins) == 5
    assert sum(np.hypot(x - pins[-1][0], y - pins[-1][1]) < 0.05 for x, y in ends) == 2
    assert "keep rod and forearm together where they meet" in robot.draw(q).caption


def test_no_loop_where_links_meet_by_themselves_or_do_not_meet():
    wrist = tuple(
        Link(f"l{k}", Joint(f"q{k}", before=f"R{'xzx'[k - 1]}(1)", coupling={"q1": 2} if k == 3 else {}),
             "base" if k == 1 else f"l{k - 1}", mass=1, com=(0, 0, 0.1))
        for k in (1, 2, 3)
    )  # fmt: skip
    robot = Robot("wrist", wrist)
    assert closings(robot, mechanism(robot, robot.floats())) == ()
    assert "What couples the joints is not part of the model" in robot.draw().caption
    assert "couples" not in dynamis.load("stanford").draw().caption
