"""Loads of a task in the 3-D view: where they act and which way they point, against the mechanics' own."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Force, Moment, ToolWrench
from dynamis.apps.live.inputs import inputs
from dynamis.apps.live.loads import loads_data
from dynamis.base.arrays import Array
from dynamis.compute.mechanics.dynamics.applied_loads import point_loads
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.motion.load_over_time import LoadOverTime
from dynamis.robot import Robot

LOADS = [
    Force("link3", (1, 2, 3), axes="link", point=(0.1, 0.2, 0.3)),
    Force("link2", (-4, 0, 5), point=(0.3, 0.1, 0.7), point_in="world"),
    Moment("link5", (0, 3, 1), axes="link"),
    ToolWrench("exerted_by_tool", (1, 2, 3), (4, 5, 6), axes="tool"),
    ToolWrench("exerted_by_environment", (0, 0, -9)),
]


def acting(robot: Robot, q: Array, load: dict[str, Any], row: int = 0) -> tuple[Array, Array, Array]:
    """As robot-view.js has it: point, force and moment in the world."""
    at = robot.link_poses(q)[load["link"]] @ np.reshape(load["at"], (4, 4)).T
    values = np.frombuffer(b64decode(load["values"])).reshape(-1, 2, 3)[row]
    force, moment = values if load["world"] else values @ at[:3, :3].T
    return np.array(load["point"] or at[:3, 3]), force, moment


def test_loads_act_where_the_mechanics_has_them() -> None:
    own, q = dynamis.load("puma560"), np.array([0.3, -0.7, 1.1, 0.4, -0.6, 0.9])
    robot = inputs(own, q).robot
    m = mechanism(own, own.floats())
    expected = point_loads(own, m, state_at(m, q.tolist()), LOADS)
    for load, drawn in zip(expected, loads_data(robot, LOADS, np.zeros(1)), strict=True):
        point, force, moment = acting(robot, q, drawn)
        for seen, wanted in ((point, load.point), (force, load.force), (moment, load.moment)):
            np.testing.assert_allclose(seen, list(wanted), atol=1e-9)


def test_a_load_over_time_has_a_row_for_every_sample() -> None:
    robot = inputs(dynamis.load("bar-2r"), np.zeros(2)).robot
    push = LoadOverTime(ToolWrench("exerted_by_tool"), ([0.0, 1.0], [[0] * 6, [0, 0, 0, 0, 0, 8]]))
    (drawn,) = loads_data(robot, [push], np.array([0.0, 0.25, 1.0]))
    assert [acting(robot, np.zeros(2), drawn, k)[2][2] for k in range(3)] == pytest.approx([0, -2, -8])
