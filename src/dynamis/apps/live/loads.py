"""The loads of a task, as the 3-D view draws them: where each acts, in which axes, and its course over the samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dynamis.apps.live.numbers import matrix, pack_base64
from dynamis.base.arrays import Array
from dynamis.model.loads import Force, Load, Moment, ToolWrench, Triple, frame_of
from dynamis.motion.load_over_time import AnyLoad, LoadOverTime
from dynamis.robot import Robot
from dynamis.scalars.floats import number


def loads_data(robot: Robot, loads: Sequence[AnyLoad], t: Array) -> list[dict[str, Any]]:
    """Each load on a link of the live model: its frame in the axes of the link, and [force, moment] on the robot, one
    row for all samples or one for each. What is in world axes is marked so, a point in the world too.
    """
    return [_load(robot, load, t) for load in loads]


def _load(robot: Robot, given: AnyLoad, t: Array) -> dict[str, Any]:
    load = given.load if isinstance(given, LoadOverTime) else given
    links = [link.name for link in robot.links]
    frame, at = frame_of(robot, load), np.eye(4)
    link = frame.link
    if isinstance(load, ToolWrench) and "payload" in links:
        link = "payload"  # at the tool: it goes along where a length is moved
    else:
        at = matrix(frame.placement, robot.floats())
    point = np.zeros(3)
    if isinstance(load, Force):
        point = _numbers(robot, load.point)
        if load.point_in == "link":
            at, point = at @ _translation(point), np.zeros(3)
    return {
        "link": links.index(link), "at": at.T.ravel().tolist(), "world": load.axes == "world",
        "point": point.tolist() if isinstance(load, Force) and load.point_in == "world" else None,
        "values": pack_base64(_wrenches(robot, load, given, t)),
    }  # fmt: skip


def _wrenches(robot: Robot, load: Load, given: AnyLoad, t: Array) -> Array:
    """[force, moment] on the robot, in the load's own axes."""
    rows = given.at(t) if isinstance(given, LoadOverTime) else np.concatenate(
        [_numbers(robot, x) for x in ((load.force, load.moment) if isinstance(load, ToolWrench) else (load.vector,))]
    )[None]  # fmt: skip
    none = np.zeros((len(rows), 3))
    match load:
        case Force():
            return np.hstack([rows, none])
        case Moment():
            return np.hstack([none, rows])
        case ToolWrench():
            return -rows if load.direction == "exerted_by_tool" else rows


def _numbers(robot: Robot, entries: Triple) -> Array:
    return np.array([number(entry, robot.values) or 0.0 for entry in entries])


def _translation(point: Array) -> Array:
    at = np.eye(4)
    at[:3, 3] = point
    return at
