"""A robot in scalars: what the algorithms run on.

Every joint is reduced to one form. Body i has the axes of its link frame and, as its point of
reference, its joint point P_i: the point of the moving link on the joint axis, where the chain
stands just after the motion. With R0 the fixed rotation, t0 the fixed offset from the parent's
joint point and k the joint axis in link axes,

    R_i(q) = R0 Rot(k, q)                  child axes to parent axes (revolute; else R0)
    r_i(q) = t0 [+ R0 k q if prismatic]    from P_parent to P_i, in parent axes

holds for D-H frames (whose origin O_i lies at `origin` from P_i), for URDF and for chains alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import copysign, cos, sin
from typing import Generic

from dynamis.expressions.expression import Expression, World, evaluate
from dynamis.model.link import Link
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.vectors import Matrix, S, Vector, diagonal, skew


@dataclass(frozen=True, slots=True)
class Body(Generic[S]):
    """One link and the joint that carries it. Vectors are in link axes, from the joint point."""

    parent: int | None
    """Index of the parent body; None is the base."""
    coordinate: int | None
    """Index of the joint's coordinate in q; None for a fixed joint."""
    turns: bool
    R0: Matrix[S]
    t0: Vector[S]
    k: Vector[S]
    origin: Vector[S]
    mass: S
    com: Vector[S]
    inertia: Matrix[S]
    """About the CoM."""
    rotor: S
    """Rotor inertia at the joint: gear_ratio^2 * rotor_inertia."""
    damping: S
    coulomb: S


@dataclass(frozen=True, slots=True)
class Mechanism(Generic[S]):
    """The bodies, parents first, the gravity vector in base axes, and the scalars 0 and 1."""

    bodies: tuple[Body[S], ...]
    gravity: Vector[S]
    zero: S
    one: S

    @property
    def n(self) -> int:
        return sum(body.coordinate is not None for body in self.bodies)

    @property
    def null(self) -> Vector[S]:
        return Vector(self.zero, self.zero, self.zero)


@dataclass(frozen=True, slots=True)
class State(Generic[S]):
    """Joint coordinates and what the algorithms need of them, one entry a moving joint.

    A revolute joint enters through c = cos q and s = sin q only, a prismatic one through q only;
    `sign` is the sign of the velocity, for Coulomb friction.
    """

    q: Sequence[S]
    c: Sequence[S]
    s: Sequence[S]
    qd: Sequence[S]
    qdd: Sequence[S]
    sign: Sequence[S]


def float_state(q: Sequence[float], qd: Sequence[float], qdd: Sequence[float]) -> State[float]:
    """A state of plain floats."""
    signs = [copysign(1.0, v) if v else 0.0 for v in qd]
    return State(q, [cos(x) for x in q], [sin(x) for x in q], qd, qdd, signs)


def mechanism(robot: RobotModel, world: World[S]) -> Mechanism[S]:
    """The robot in the scalars of `world`."""
    bodies: list[Body[S]] = []
    index: dict[str, int] = {}
    coordinate = 0
    for link in robot.links:
        parent = index.get(link.parent)
        at = bodies[parent].origin if parent is not None else None
        moves = link.joint.moves
        bodies.append(_body(link, parent, at, coordinate if moves else None, world))
        index[link.name] = len(bodies) - 1
        coordinate += moves
    gravity = vector(robot.gravity, world)
    return Mechanism(tuple(bodies), gravity, world.number(Fraction(0)), world.number(Fraction(1)))


def _body(
    link: Link, parent: int | None, parent_origin: Vector[S] | None, coordinate: int | None, world: World[S]
) -> Body[S]:
    joint = link.joint
    before_R, before_p = joint.before.evaluate(world)
    after_R, after_p = joint.after.evaluate(world)
    origin = after_R.T @ after_p
    mass, com = evaluate(link.mass, world), vector(link.com, world)
    gear = evaluate(joint.gear_ratio, world)
    return Body(
        parent=parent,
        coordinate=coordinate,
        turns=joint.turns,
        R0=before_R.times(after_R),
        t0=before_p if parent_origin is None else parent_origin + before_p,
        k=after_R.T @ vector(joint.axis, world),
        origin=origin,
        mass=mass,
        com=origin + com,
        inertia=link.inertia.about_com(mass, com, world),
        rotor=gear * gear * evaluate(joint.rotor_inertia, world),
        damping=evaluate(joint.damping, world),
        coulomb=evaluate(joint.coulomb, world),
    )


def joint_transform(body: Body[S], state: State[S], m: Mechanism[S]) -> tuple[Matrix[S], Vector[S]]:
    """R_i(q) and r_i(q): child axes to parent axes, and P_parent to P_i in parent axes."""
    i = body.coordinate
    if i is None:
        return body.R0, body.t0
    if body.turns:
        return body.R0.times(rotation(body.k, state.c[i], state.s[i], m)), body.t0
    return body.R0, body.t0 + body.R0 @ body.k * state.q[i]


def rotation(k: Vector[S], c: S, s: S, m: Mechanism[S]) -> Matrix[S]:
    """Rodrigues: R = k k^T + c (1 - k k^T) + s S(k), for a unit vector k."""
    kk = k.outer(k)
    return kk + (diagonal(m.one, m.zero) - kk) * c + skew(k, m.zero) * s


def vector(entries: Iterable[Expression], world: World[S]) -> Vector[S]:
    return Vector(*(evaluate(entry, world) for entry in entries))


@dataclass(frozen=True, slots=True)
class Place(Generic[S]):
    """A frame on a body: rotation to the body's axes, and its origin from the joint point."""

    body: int | None
    R: Matrix[S]
    p: Vector[S]


def place(robot: RobotModel, m: Mechanism[S], frame: Frame, world: World[S]) -> Place[S]:
    """Where a named frame stands on its body; body None is the base."""
    R, p = frame.placement.evaluate(world)
    if frame.link == robot.base:
        return Place(None, R, p)
    i = [link.name for link in robot.links].index(frame.link)
    return Place(i, R, m.bodies[i].origin + p)
