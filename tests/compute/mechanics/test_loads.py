"""Loads by hand: levers and signs that can be checked with a pencil."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dynamis import Force, Joint, Link, Moment, Robot, ToolWrench

# A weightless rod of 2 m along x on a pivot about z, that has turned by a right angle: it points
# along y, and its own y axis along -x.
ROD = Robot("rod", (Link("rod", Joint("pivot")),)).with_tool("Tx(2) Rz(pi/2)")
UP = [np.pi / 2]


@pytest.mark.parametrize(
    ("load", "torque"),
    [
        # A force along -x at the tip turns the rod on; the motor holds against it.
        (Force("rod", (-3, 0, 0), point=(2, 0, 0)), -6),
        (Force("rod", (-3, 0, 0), point=(0, 2, 0), point_in="world"), -6),
        (Force("rod", (0, 3, 0), axes="link", point=(2, 0, 0)), -6),
        (Force("rod", (0, 3, 0), axes="link", point=(0, 2, 0), point_in="world"), -6),
        (Force("rod", (0, 3, 0), point=(2, 0, 0)), 0),
        (Force("rod", (-3, 0, 0)), 0),
        (Moment("rod", (0, 0, 5)), -5),
        (Moment("rod", (7, 7, 5), axes="link"), -5),
        (ToolWrench("exerted_by_environment", (-3, 0, 0)), -6),
        (ToolWrench("exerted_by_tool", (-3, 0, 0)), 6),
        (ToolWrench("exerted_by_tool", moment=(0, 0, 4)), 4),
        # The tool's x axis is the rod's y axis, which is -x of the world.
        (ToolWrench("exerted_by_environment", (3, 0, 0), axes="tool"), -6),
    ],
)
def test_levers(load: Any, torque: float) -> None:
    np.testing.assert_allclose(ROD.inverse_dynamics(UP, loads=[load]), [torque], atol=1e-14)


def test_the_parent_gives_what_the_load_takes() -> None:
    """The reaction is the wrench of the parent on the link, in link axes: minus the load."""
    found = ROD.reactions(UP, loads=[Force("rod", (1, 2, 3), point=(2, 0, 0))])
    np.testing.assert_allclose(found.force, [[-2, 1, -3]], atol=1e-14)
    np.testing.assert_allclose(found.moment, [[0, 6, 2]], atol=1e-14)


def test_an_apple_in_the_hand() -> None:
    """One kilogram at 2 m, held level in gravity along -y: 2 g at the pivot."""
    robot = ROD.with_gravity((0, -9.81, 0)).with_payload(1)
    np.testing.assert_allclose(robot.inverse_dynamics([0]), [2 * 9.81])
    np.testing.assert_allclose(robot.inverse_dynamics([0], [3], [5], gravity=False), [5 * 4])
    pull = robot.reactions([0], [3], gravity=False)
    np.testing.assert_allclose(pull.force[0], [-2 * 9, 0, 0], atol=1e-14)
