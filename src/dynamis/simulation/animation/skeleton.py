"""A robot as a stick figure over time: its joint points, the segments between them, and the view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dynamis.arrays import Array
from dynamis.mechanics.mechanism import mechanism
from dynamis.scalars.scalars import evaluate

if TYPE_CHECKING:
    from dynamis.robot import Robot

SAME_POINT = 1e-9
"""Points nearer to each other than this [m] are one."""
PARALLEL = 1e-9
"""Axes with a smaller sine between them are parallel."""
FLAT_SHARE = 0.25
"""A robot whose points move in parallel planes is drawn flat if these are within this share of its size."""
AZIMUTH, ELEVATION = -0.9, 0.35
"""From where a spatial robot is first seen [rad]."""


@dataclass(frozen=True)
class View:
    """Three unit vectors of the base frame. Of a flat robot: to the right, up the page, and towards the reader.

    Of a spatial one: two horizontal ones and the vertical one; it is seen from `AZIMUTH` and `ELEVATION`.
    """

    flat: bool
    axes: Array
    """(3, 3), one vector per row."""

    def page(self) -> Array:
        """To the right, up the page, towards the reader: (3, 3), one vector per row."""
        if self.flat:
            return self.axes
        (ca, sa), (ce, se) = (np.array([np.cos(x), np.sin(x)]) for x in (AZIMUTH, ELEVATION))
        return np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]]) @ self.axes


@dataclass(frozen=True)
class Skeleton:
    """The figure without time: `segments` are pairs of points, `joints` the point of every moving joint.

    Point 0 is the base's origin, then come the joint points of all links, the tool, and the centres of mass of links
    that would otherwise have no length. `tip` is the point whose path is drawn.
    """

    robot: Robot
    segments: tuple[tuple[int, int], ...]
    joints: tuple[int, ...]
    tip: int
    ends: tuple[int, ...]
    """The links that end in their centre of mass."""

    @property
    def revolute(self) -> tuple[bool, ...]:
        """Which of the moving joints are revolute."""
        return tuple(joint.revolute for joint in self.robot.joints)

    def points(self, q: Array) -> Array:
        """The points at joint values (frames, n): (frames, points, 3) in the base frame [m]."""
        links = self.robot.link_motions(q)
        parts = [np.zeros((len(q), 1, 3)), links.point_position]
        if self.robot.tool is not None:
            parts.append(self.robot.forward_kinematics(q)[:, None, :3, 3])
        return np.concatenate([*parts, links.com_position[:, list(self.ends)]], axis=1)

    def axes(self, q: Array) -> Array:
        """The axes of the moving joints as unit vectors in the base frame: (frames, joints, 3)."""
        return joint_axes(self.robot, q)


def skeleton(robot: Robot, q: Array) -> Skeleton:
    """The figure of a robot; joint values (frames, n) tell which points are one all the time."""
    number = {robot.base: 0} | {link.name: k + 1 for k, link in enumerate(robot.links)}
    segments = [(number[link.parent], number[link.name]) for link in robot.links]
    count, motions = len(number), robot.link_motions(q)
    tip, carrier = count - 1, robot.tool.link if robot.tool is not None else None
    reached: set[str] = set()
    if carrier is not None:
        tip, count = count, count + 1
        segments.append((number[carrier], tip))
        if carrier != robot.base:
            tool = robot.forward_kinematics(q)[:, :3, 3]
            away = np.abs(tool - motions.point_position[:, number[carrier] - 1]).max() > SAME_POINT
            reached = {carrier} if away else set()
    ends = list[int]()
    for k, link in enumerate(robot.links):
        last = link.name not in {other.parent for other in robot.links} and link.name not in reached
        if last and np.abs(motions.com_position[:, k] - motions.point_position[:, k]).max() > SAME_POINT:
            segments.append((k + 1, count + len(ends)))
            ends.append(k)
    joints = tuple(k + 1 for k, link in enumerate(robot.links) if link.joint.moves)
    return Skeleton(robot, tuple(segments), joints, tip, tuple(ends))


def joint_axes(robot: Robot, q: Array) -> Array:
    """The axes of the moving joints as unit vectors in the base frame at states (frames, n): (frames, joints, 3)."""
    m = mechanism(robot, robot.floats())
    axes = [
        robot.forward_kinematics(q, link.name)[:, :3, :3] @ np.array([*body.k], dtype=np.float64)
        for body, link in zip(m.of_links(m.bodies), robot.links, strict=True)
        if link.joint.moves
    ]
    return np.stack(axes, axis=1)


def view(robot: Robot, points: Array) -> View:
    """How to look at a robot whose points (frames, points, 3) are drawn.

    It is flat if all revolute axes are parallel and all prismatic ones are normal to them: then no point ever leaves
    its plane. Up is against gravity, or z without gravity.
    """
    gravity = np.array([float(evaluate(x, robot.floats())) for x in robot.gravity])
    up = -gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 0.0, 1.0])
    normal = _normal(robot, up)
    if normal is not None:
        heights = points @ normal
        size = max(float(np.ptp(points[..., k])) for k in range(3))
        if np.ptp(heights) <= FLAT_SHARE * size:
            candidates = (up, np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]))
            upward = next(v for v in candidates if np.linalg.norm(np.cross(v, normal)) > 0.1)
            upward = upward - normal * (normal @ upward)
            upward /= np.linalg.norm(upward)
            return View(True, np.array([np.cross(upward, normal), upward, normal]))
    ahead = next(v for v in np.eye(3) if np.linalg.norm(np.cross(v, up)) > 0.1)
    ahead = ahead - up * (up @ ahead)
    ahead /= np.linalg.norm(ahead)
    return View(False, np.array([ahead, np.cross(up, ahead), up]))


def _normal(robot: Robot, up: Array) -> Array | None:
    """The unit vector across the plane in which a robot moves for all q; None where it leaves every plane."""
    axes = joint_axes(robot, np.zeros((1, robot.n)))[0]
    revolute = [axis for axis, joint in zip(axes, robot.joints, strict=True) if joint.revolute]
    prismatic = [axis for axis, joint in zip(axes, robot.joints, strict=True) if not joint.revolute]
    if revolute:
        normal = revolute[0]
    else:
        # Only prismatic joints: across two of them, or for a single line also across what is up.
        other = next((axis for axis in [*prismatic[1:], up, *np.eye(3)] if _sine(prismatic[0], axis) > PARALLEL), up)
        normal = np.cross(prismatic[0], other)
        normal /= np.linalg.norm(normal)
        # Seen from where the axes of the base go to the right, or, from above, towards the reader.
        right = np.cross(up, normal) if _sine(up, normal) > PARALLEL else normal
        normal *= np.sign(right[np.argmax(np.abs(right))])
    parallel = all(_sine(axis, normal) <= PARALLEL for axis in revolute)
    return normal if parallel and all(abs(axis @ normal) <= PARALLEL for axis in prismatic) else None


def _sine(a: Array, b: Array) -> float:
    return float(np.linalg.norm(np.cross(a, b)))
