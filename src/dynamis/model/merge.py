"""Merging fixed joints: a link on a fixed joint becomes part of its parent and stays as a frame.

With T_pi = (R_i, p_i) the placement of body i in the frame of the link that carries it,

    m = sum m_i        c = sum m_i (p_i + R_i c_i) / m
    I = sum R_i I_i R_i^T + m_i (d_i.d_i 1 - d_i d_i^T)        d_i = p_i + R_i c_i - c

with I_i about the CoM of body i, and I about c (parallel-axis theorem). The sums are exact, in
fractions, where every rotation is by right angles, and in floats where one is not.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeVar

from dynamis.errors import ArgumentError, ModelError, UnphysicalWarning
from dynamis.model.expression import ZERO, Expression, World, evaluate, multiple_of_pi
from dynamis.model.floats import Floats
from dynamis.model.inertia import Inertia, parallel_axis
from dynamis.model.link import Link
from dynamis.model.placement import Placement, triple
from dynamis.model.robot import Frame, RobotModel
from dynamis.model.vectors import Matrix, Vector

R = TypeVar("R", bound=RobotModel)
MAX_CHAIN = 100
MAX_NAMED = 12


@dataclass(frozen=True)
class _Part:
    """A link that is fixed on `carrier` (a moving link or the base), `placement` away."""

    link: Link
    carrier: str
    placement: Placement


def merge_fixed(robot: R) -> R:
    """The robot without fixed joints: same motion, same torques, same wrenches at the other joints.

    Merged links live on as frames under their names; frames and the tool that stood on them stay
    where they are. What was merged is said in `notes`.
    """
    parts = _parts(robot)
    if not parts:
        return robot
    if used := sorted(robot.used_parameters()):
        raise ArgumentError(
            f'robot "{robot.name}" uses the parameters {", ".join(used)}; '
            "fixed joints are merged in robots of plain numbers only"
        )
    moving = [link for link in robot.links if link.joint.moves]
    if not moving:
        raise ModelError(f'robot "{robot.name}" has no moving joint; at least one is needed')
    links = tuple(_merged(link, parts) for link in moving)
    own = [_follow(Frame(name, name), parts) for name in parts if not _is_tool(robot, name)]
    frames = (*(_follow(frame, parts) for frame in robot.frames), *own)
    tool = _follow(robot.tool, parts) if robot.tool else None
    with warnings.catch_warnings():
        # The parts of an unphysical body have been warned about already.
        warnings.simplefilter("ignore", UnphysicalWarning)
        return replace(robot, links=links, frames=frames, tool=tool, notes=(*robot.notes, *_notes(robot, parts)))


def _parts(robot: RobotModel) -> dict[str, _Part]:
    """Every link on a fixed joint; parents come first in `links`, so theirs are known."""
    parts: dict[str, _Part] = {}
    depth: dict[str, int] = {}
    for link in robot.links:
        if link.joint.moves:
            continue
        depth[link.name] = depth.get(link.parent, 0) + 1
        if depth[link.name] > MAX_CHAIN:
            raise ModelError(
                f'link "{link.name}" is the end of more than {MAX_CHAIN} fixed joints in a row; '
                f"at most {MAX_CHAIN} are merged",
                link=link.name,
                key="joint",
            )
        carrier, to_parent = _carrier(link.parent, parts)
        parts[link.name] = _Part(link, carrier, to_parent * link.joint.before * link.joint.after)
    return parts


def _carrier(name: str, parts: dict[str, _Part]) -> tuple[str, Placement]:
    """The link that carries `name` and where `name` stands on it."""
    part = parts.get(name)
    return (part.carrier, part.placement) if part else (name, Placement())


def _follow(frame: Frame, parts: dict[str, _Part]) -> Frame:
    link, placement = _carrier(frame.link, parts)
    return Frame(frame.name, link, placement * frame.placement)


def _is_tool(robot: RobotModel, name: str) -> bool:
    """Whether the tool is this link's own frame under its own name, so that it needs no second one."""
    return robot.tool == Frame(name, name)


def _merged(link: Link, parts: dict[str, _Part]) -> Link:
    """A moving link with everything that is fixed on it, on the link that carries its parent."""
    parent, placement = _carrier(link.parent, parts)
    joint = link.joint
    if placement.steps:
        joint = replace(joint, before=placement * joint.before)
    bodies = [part for part in parts.values() if part.carrier == link.name and _has_inertia(part.link)]
    if not bodies:
        return replace(link, parent=parent, joint=joint)
    mass, com, inertia = _sum([_Part(link, link.name, Placement()), *bodies])
    return Link(link.name, joint, parent, mass, com, inertia)


def _has_inertia(link: Link) -> bool:
    return link.mass != ZERO or any(entry != ZERO for row in link.inertia.matrix for entry in row)


def _sum(bodies: Sequence[_Part]) -> tuple[Expression, tuple[Expression, Expression, Expression], Inertia]:
    """Mass, CoM and inertia of bodies taken together, in the frame of their carrier."""
    allow = any(body.link.inertia.allow_unphysical for body in bodies)
    try:
        mass, com, I = _sum_in(bodies, _Fractions())
    except _NotRational:
        mass, com, I = _sum_in(bodies, Floats({}))
    inertia = Inertia.of(
        xx=I.a.x, yy=I.b.y, zz=I.c.z, xy=I.a.y, xz=I.a.z, yz=I.b.z, allow_unphysical=allow
    )  # fmt: skip
    return Number_(mass), triple(com, "com"), inertia
