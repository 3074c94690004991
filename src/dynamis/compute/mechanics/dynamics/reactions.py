"""What the joints carry: the wrench of the parent on every link, and its parts along and across the joint axis.

Two conventions for reactions: "joint" has all six components about the joint point P, which moves with the link;
"parent_tip" is without the component along the axis k, which the drive gives, and about the tip of the parent (P at
zero displacement): for a revolute joint n - k (k.n), for a prismatic one f - k (k.f) and n + k q x f.

Bearing loads, with f and n the wrench about the joint point and k the unit joint axis:

    axial = k.f      radial = |f - k (k.f)|      tilting = |n - k (k.n)|

The moment along a revolute axis and the force along a prismatic one are the drive's: the axial force of a prismatic
joint is what its drive gives (less rotor and friction) and the moment about its axis, `twist` = k.n, is carried by the
guide; at a revolute joint it is the drive that gives `twist`. A fixed joint has no axis: its k is z of the link.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from dynamis.base.errors import UnknownNameError
from dynamis.compute.mechanics.dynamics.newton_euler import InverseDynamics
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State, Wrench
from dynamis.scalars.vectors import S, Vector

ReactionConvention = Literal["joint", "parent_tip"]
REACTION_CONVENTIONS: tuple[str, ...] = get_args(ReactionConvention)
BEARING = ("axial force", "radial force", "force", "tilting moment", "twisting moment", "moment")
UNITS = ("N", "N", "N", "N m", "N m", "N m")


def reactions(
    m: Mechanism[S], state: State[S], solved: InverseDynamics[S], convention: str
) -> tuple[list[S], list[list[S]], list[list[S]]]:
    """tau of every coordinate; forces [N] and moments [N m] of the links, (links, 3), in link axes."""
    check_convention(convention)
    rows = m.of_links(list(zip(m.bodies, solved.wrenches, strict=True)))
    wrenches = [reaction(body, state, wrench, convention) for body, wrench in rows]
    return solved.tau, [list(w.force) for w in wrenches], [list(w.moment) for w in wrenches]


def check_convention(convention: str) -> None:
    if str(convention) not in REACTION_CONVENTIONS:
        raise UnknownNameError("convention", convention, REACTION_CONVENTIONS, key="convention")


def reaction(body: Body[S], state: State[S], wrench: Wrench[S], convention: str) -> Wrench[S]:
    """The wrench at one joint in this convention."""
    i = body.joint
    if convention == "joint" or i is None:
        return wrench
    force, moment = wrench.force, wrench.moment
    if body.revolute:
        return Wrench(force, without(moment, body.k))
    return Wrench(without(force, body.k), moment + (body.k * state.q[i]).cross(force))


def without(v: Vector[S], k: Vector[S]) -> Vector[S]:
    """v less its component along the unit vector k."""
    return v - k * k.dot(v)


def bearing_loads(m: Mechanism[Any], wrenches: Sequence[Wrench[Any]]) -> list[list[Any]]:
    """Per link: axial, radial and total force [N]; tilting, twisting and total moment [N m] at its joint."""
    rows: list[list[Any]] = []
    sqrt = m.scalars.sqrt
    for body, x in m.of_links(list(zip(m.bodies, wrenches, strict=True))):
        k = body.k if body.joint is not None else Vector(m.zero, m.zero, m.one)
        row: list[Any] = []
        for v in (x.force, x.moment):
            along = k.dot(v)
            across = v - k * along
            row += [along, sqrt(across.dot(across)), sqrt(v.dot(v))]
        row[3], row[4] = row[4], row[3]
        rows.append(row)
    return rows
