"""What is drawn of a robot, in space: for every link its joint, the legs of its path, its frame and its CoM."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.expressions.expression import Expression
from dynamis.compute.mechanics.kinematics.poses import poses
from dynamis.compute.mechanics.mechanism import Mechanism, State
from dynamis.model.dh_frames import Convention, dh_convention, dh_name
from dynamis.model.link import Link
from dynamis.model.placement import Placement
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import Floats
from dynamis.telling.drawing.loops import closings
from dynamis.telling.drawing.numbers import array


@dataclass(frozen=True)
class Leg:
    """A straight piece of a link; `amount` is its length where it is a step of its own, with its D-H letter."""

    start: Array
    end: Array
    amount: Expression | None = None
    letter: str = ""
    number: str = ""


@dataclass(frozen=True)
class Limb:
    """A link as it is drawn, in the base frame [m]; numbered from 1, its parent's number is 0 for the base."""

    link: Link
    number: int
    parent: int
    way: tuple[Leg, ...]
    """On the parent: from its frame's origin to the joint."""
    start: Array
    """Where the joint stands on the parent: the joint point at zero displacement."""
    point: Array
    """The joint point, which moves with the link."""
    axis: Array
    q: float
    body: tuple[Leg, ...]
    """On the link: from the joint point to the origin of its frame."""
    origin: Array
    R: Array
    com: Array
    mass: float
    massless: bool
    """Without mass, so that its CoM is not drawn."""


@dataclass(frozen=True)
class Loop:
    """Where two links meet that coupled joints keep together, in the base frame; no `axis` for a ball joint."""

    links: tuple[int, int]
    point: Array
    axis: Array | None


@dataclass(frozen=True)
class Scheme:
    """All links, where they close loops, the tool if there is one, and the convention of the frames."""

    robot: RobotModel
    limbs: tuple[Limb, ...]
    loops: tuple[Loop, ...]
    tool: tuple[Leg, ...]
    """From the origin of the link that has the tool to the tool's; empty where they are one, or there is no tool."""
    tool_number: int | None
    tool_point: Array
    tool_R: Array
    convention: Convention
    gravity: Array

    def children(self, number: int) -> list[Limb]:
        """The links on a link, or with 0 on the base."""
        return [limb for limb in self.limbs if limb.parent == number]

    def ends(self, number: int) -> list[Array]:
        """Where a link is held by others or ends: joints of its children, the tool, loops."""
        tool = [self.tool_point] if self.tool_number == number else []
        return [*(limb.start for limb in self.children(number)), *tool, *self.closings(number)]

    def closings(self, number: int) -> list[Array]:
        """The points of a link where it closes loops."""
        return [loop.point for loop in self.loops if number in loop.links]

    def points(self) -> Array:
        """All points that are drawn: (points, 3)."""
        rows = [np.zeros(3), self.tool_point]
        for limb in self.limbs:
            rows += [limb.start, limb.point, limb.origin, *(leg.end for leg in (*limb.way, *limb.body))]
            rows += [] if limb.massless else [limb.com]
        rows += [*(leg.end for leg in self.tool), *(loop.point for loop in self.loops)]
        return np.array(rows)


def scheme(robot: RobotModel, m: Mechanism[float], state: State[float], scalars: Floats) -> Scheme:
    """The links of a robot in a state."""
    convention = dh_convention(robot)
    where = poses(m, state)
    limbs: list[Limb] = []
    origins: dict[str, tuple[Array, Array, int]] = {robot.base: (np.eye(3), np.zeros(3), 0)}
    rows = zip(robot.links, m.of_links(m.bodies), m.of_links(where), strict=True)
    for number, (link, body, at) in enumerate(rows, 1):
        R, point = array(at.R), np.array([*at.p])
        R_parent, O_parent, parent = origins[link.parent]
        after_R = array(link.joint.after.evaluate(scalars)[0])
        axis = R @ np.array([*body.k])
        q = 0.0 if body.joint is None else state.q[body.joint]
        way = legs(link.joint.before, R_parent, O_parent, scalars, convention, number)
        own = legs(link.joint.after, R @ after_R.T, point, scalars, convention, number)
        start = point - axis * q if link.joint.kind == "prismatic" else point
        origin = point + R @ np.array([*body.origin])
        com = point + R @ np.array([*body.com])
        massless = not link.mass.parameters() and body.mass == 0
        limbs.append(Limb(link, number, parent, way, start, point, axis, q, own, origin, R, com, body.mass, massless))
        origins[link.name] = R, origin, number
    tool: tuple[Leg, ...] = ()
    tool_R, tool_point, tool_number = np.eye(3), np.zeros(3), None
    if robot.tool is not None:
        axes, origin, tool_number = origins[robot.tool.link]
        tool = legs(robot.tool.placement, axes, origin, scalars, "", 0)
        turn, by = robot.tool.placement.evaluate(scalars)
        tool_R, tool_point = axes @ array(turn), origin + axes @ np.array([*by])
    gravity = np.array([*m.gravity])
    loops: list[Loop] = []
    for closing in closings(robot, m):
        # The second one is always a link; the first may be the base.
        limb, (_, v) = limbs[closing.links[1] - 1], closing.points
        axes = np.eye(3) if closing.links[0] == 0 else limbs[closing.links[0] - 1].R
        axis = None if closing.axis is None else axes @ closing.axis
        loops.append(Loop(closing.links, limb.point + limb.R @ v, axis))
    return Scheme(robot, tuple(limbs), tuple(loops), tool, tool_number, tool_point, tool_R, convention, gravity)


def legs(
    placement: Placement, axes: Array, at: Array, scalars: Floats, convention: Convention, link: int
) -> tuple[Leg, ...]:
    """The translations of a placement, one leg each; an offset along several axes is one straight leg."""
    pieces: list[Leg] = []
    run: list[tuple[str, Leg]] = []
    for step in placement.steps:
        turn, by = Placement((step,)).evaluate(scalars)
        if step.kind == "R":
            pieces += _join_steps(run)
            run, axes = [], axes @ array(turn)
            continue
        end = at + axes @ np.array([*by])
        run.append((step.axis, Leg(at, end, step.amount, *dh_name(convention, step, link))))
        at = end
    return tuple(leg for leg in [*pieces, *_join_steps(run)] if np.any(leg.start != leg.end))


def _join_steps(run: list[tuple[str, Leg]]) -> list[Leg]:
    """Steps along x, y, z in this order are the components of one offset; in another order they are legs."""
    if len(run) > 1 and all(a < b for (a, _), (b, _) in pairwise(run)):
        return [Leg(run[0][1].start, run[-1][1].end)]
    return [leg for _, leg in run]
