"""A robot as a stick figure over time: its joint points and the segments between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.telling.drawing.loops import Closing, closings

if TYPE_CHECKING:
    from dynamis.robot import Robot

SAME_POINT = 1e-9
"""Points nearer to each other than this [m] are one."""


@dataclass(frozen=True)
class Skeleton:
    """The figure without time: `segments` are pairs of points, `joints` the point of every moving joint.

    Point 0 is the base's origin, then come the joint points of all links, the tool, the centres of mass of links that
    would otherwise have no length, and the joints that close loops. `tip` is the point whose path is drawn.
    """

    robot: Robot
    segments: tuple[tuple[int, int], ...]
    joints: tuple[int, ...]
    tip: int
    ends: tuple[int, ...]
    """The links that end in their centre of mass."""
    loops: tuple[Closing, ...] = ()

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
        parts.append(links.com_position[:, list(self.ends)])
        for loop in self.loops:
            k = loop.links[1] - 1
            turn = self.robot.forward_kinematics(q, self.robot.links[k].name)[:, :3, :3]
            parts.append((links.point_position[:, k] + turn @ loop.points[1])[:, None])
        return np.concatenate(parts, axis=1)

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
    loops = closings(robot, mechanism(robot, robot.floats()))
    closed = {k for loop in loops for k in loop.links}
    for k, link in enumerate(robot.links):
        last = link.name not in {other.parent for other in robot.links} and link.name not in reached
        last = last and k + 1 not in closed
        if last and np.abs(motions.com_position[:, k] - motions.point_position[:, k]).max() > SAME_POINT:
            segments.append((k + 1, count + len(ends)))
            ends.append(k)
    count += len(ends)
    segments += [(k, count + i) for i, loop in enumerate(loops) for k in loop.links if k]
    joints = tuple(k + 1 for k, link in enumerate(robot.links) if link.joint.moves)
    return Skeleton(robot, tuple(segments), joints, tip, tuple(ends), loops)


def joint_axes(robot: Robot, q: Array) -> Array:
    """The axes of the moving joints as unit vectors in the base frame at states (frames, n): (frames, joints, 3)."""
    m = mechanism(robot, robot.floats())
    axes = [
        robot.forward_kinematics(q, link.name)[:, :3, :3] @ np.array([*body.k], dtype=np.float64)
        for body, link in zip(m.of_links(m.bodies), robot.links, strict=True)
        if link.joint.moves
    ]
    return np.stack(axes, axis=1)
