"""Merging fixed joints: a link on a fixed joint becomes part of its parent and stays as a frame.

With T_pi = (R_i, p_i) the placement of body i in the frame of the link that carries it,

    m = sum m_i        c = sum m_i (p_i + R_i c_i) / m
    I = sum R_i I_i R_i^T + m_i (d_i.d_i 1 - d_i d_i^T)        d_i = p_i + R_i c_i - c

with I_i about the CoM of body i, and I about c (parallel-axis theorem). The sums are exact, in
fractions, where every rotation is by right angles, and in floats where one is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from dynamis.base.errors import ArgumentError, ModelError, name_list
from dynamis.base.expressions.expression import ZERO, Expression
from dynamis.base.expressions.parser import as_expression
from dynamis.model.checks import warned_already
from dynamis.model.inertia import Inertia, parallel_axis
from dynamis.model.link import Link
from dynamis.model.placement import Placement, triple
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.floats import Floats
from dynamis.scalars.fractions import Fractions
from dynamis.scalars.scalars import Scalars, ScalarsError, evaluate
from dynamis.scalars.vectors import Matrix, Vector

M = TypeVar("M", bound=RobotModel)
MAX_CHAIN = 50


@dataclass(frozen=True)
class _Part:
    """A link that is fixed on `carrier` (a moving link or the base), `placement` away."""

    link: Link
    carrier: str
    placement: Placement


def merge_fixed(robot: M) -> M:
    """The robot without fixed joints: same motion, same torques, same wrenches at the other joints.

    Merged links live on as frames under their names; frames and the tool that stood on them stay
    where they are. What was merged is said in `notes`.
    """
    parts = _parts(robot)
    if not parts:
        return robot
    if symbols := sorted(robot.used_parameters()):
        raise ArgumentError(
            f'robot "{robot.name}" uses the parameters {", ".join(symbols)}; '
            "fixed joints are merged in robots of plain numbers only"
        )
    moving = [link for link in robot.links if link.joint.moves]
    if not moving:
        raise ModelError(f'robot "{robot.name}" has no moving joint; at least one is needed')
    links = tuple(_merge_link(link, parts) for link in moving)
    merged = [_follow(Frame(name, name), parts) for name in parts if not _is_tool(robot, name)]
    frames = (*(_follow(frame, parts) for frame in robot.frames), *merged)
    tool = _follow(robot.tool, parts) if robot.tool else None
    with warned_already():
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


def _merge_link(link: Link, parts: dict[str, _Part]) -> Link:
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
    try:
        mass, com, inertia = _sum_in(bodies, Fractions())
    except ScalarsError:
        mass, com, inertia = _sum_in(bodies, Floats({}))
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia
    allow = any(body.link.inertia.allow_unphysical for body in bodies)
    tensor = Inertia.of(xx=xx, yy=yy, zz=zz, xy=xy, xz=xz, yz=yz, allow_unphysical=allow)
    return as_expression(mass, "mass"), triple(com, "com"), tensor


def _sum_in(bodies: Sequence[_Part], scalars: Scalars[Any]) -> tuple[Any, Vector[Any], Matrix[Any]]:
    """m, c and I of the sums above, in these scalars."""
    masses: list[Any] = []
    coms: list[Vector[Any]] = []
    tensors: list[Matrix[Any]] = []
    for body in bodies:
        R, p = body.placement.evaluate(scalars)
        m: Any = evaluate(body.link.mass, scalars)
        c: Vector[Any] = Vector(*(evaluate(entry, scalars) for entry in body.link.com))
        masses.append(m)
        coms.append(p + R @ c)
        tensors.append(R.times(body.link.inertia.about_com(m, c, scalars)).times(R.T))
    total, zero = sum(masses), scalars.zero
    com = Vector(zero, zero, zero)
    if total:
        for m, c in zip(masses, coms, strict=True):
            com = com + c * (m / total)
    inertia = Matrix(*[Vector(zero, zero, zero)] * 3)
    for m, c, tensor in zip(masses, coms, tensors, strict=True):
        inertia = inertia + tensor + parallel_axis(m, c - com, scalars)
    return total, com, inertia


def _notes(robot: RobotModel, parts: dict[str, _Part]) -> list[str]:
    if len(parts) == 1:
        notes = [f"1 fixed joint merged into its parent, kept as frame: {name_list(parts)}"]
    else:
        notes = [f"{len(parts)} fixed joints merged into their parents, kept as frames: {name_list(parts)}"]
    resting = [part.link.name for part in parts.values() if part.carrier == robot.base and _has_inertia(part.link)]
    if resting:
        notes.append(f'mass that rests on the base "{robot.base}" does not move and is left out: {name_list(resting)}')
    return notes
