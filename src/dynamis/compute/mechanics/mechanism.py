"""A robot in scalars: what the algorithms run on.

Every joint is reduced to one form. Body i has the axes of its link frame and, as its point of
reference, its joint point P_i: the point of the moving link on the joint axis, where the chain
stands just after the motion. With R0 the fixed rotation, t0 the fixed offset from the parent's
joint point and k the joint axis in link axes,

    R_i(q) = R0 Rot(k, q)                  child axes to parent axes (revolute; else R0)
    r_i(q) = t0 [+ R0 k q if prismatic]    from P_parent to P_i, in parent axes

holds for D-H frames (whose origin O_i lies at `origin` from P_i), for URDF and for chains alike.

A link is one body, or, for a joint with several axes, a chain of one-axis bodies of which the last one has its mass
and its axes: `Mechanism.links` maps links to bodies, and what is told per link is read off through it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from dynamis.base.expressions.expression import Expression
from dynamis.compute.mechanics.coupling import Coupling, coupling
from dynamis.model.joint_forces import JointForces, terms_of
from dynamis.model.link import Link
from dynamis.model.robot import Frame, RobotModel
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.scalars.vectors import Matrix, S, Vector, diagonal, skew

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Body(Generic[S]):
    """What moves about or along one joint axis. Vectors are in link axes, from the joint point."""

    parent: int | None
    """Index of the parent body; None is the base."""
    joint: int | None
    """Index of the joint among the moving joints, as in `State`; None for a fixed joint."""
    revolute: bool
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
    forces: JointForces[S]


@dataclass(frozen=True, slots=True)
class Mechanism(Generic[S]):
    """The bodies, parents first, the gravity vector in base axes, and the scalars that all of it is in."""

    bodies: tuple[Body[S], ...]
    links: tuple[tuple[int, ...], ...]
    """The bodies of every link of the robot, by their indices; the last one has the link's mass and axes."""
    gravity: Vector[S]
    scalars: Scalars[S]
    coupling: Coupling[S] | None = None
    """q = A y + b; None where every moving joint is a coordinate."""

    @property
    def zero(self) -> S:
        return self.scalars.zero

    @property
    def one(self) -> S:
        return self.scalars.one

    @property
    def joints(self) -> int:
        """The number of moving joints, whose variables are in `State`."""
        return sum(body.joint is not None for body in self.bodies)

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return self.joints if self.coupling is None else self.coupling.n

    @property
    def null(self) -> Vector[S]:
        return Vector(self.zero, self.zero, self.zero)

    @property
    def moving(self) -> list[Body[S]]:
        """The bodies on moving joints, in the order of these."""
        return [body for body in self.bodies if body.joint is not None]

    @property
    def force_terms(self) -> tuple[str, ...]:
        """The terms of the forces of the joints themselves: the same for every joint."""
        return terms_of(body.forces for body in self.moving)

    def without_forces(self, springs: bool = True) -> Mechanism[S]:
        """Without the friction of the joints, and without their `springs`."""
        nothing = JointForces(self.zero, self.zero)
        bodies = (replace(x, forces=nothing if springs else x.forces.without_friction(self.zero)) for x in self.bodies)
        return replace(self, bodies=tuple(bodies))

    def of_links(self, per_body: Sequence[T]) -> list[T]:
        """The entries of the links, out of a sequence with one entry per body."""
        return [per_body[indices[-1]] for indices in self.links]


@dataclass(frozen=True, slots=True)
class State(Generic[S]):
    """Joint variables and what the algorithms need of them, one entry per moving joint, coupled ones too.

    A revolute joint enters through c = cos q and s = sin q only, a prismatic one through q only;
    `sign` is the sign of the velocity, for Coulomb friction, and `stribeck` the curve of Stribeck's.
    """

    q: Sequence[S]
    c: Sequence[S]
    s: Sequence[S]
    qd: Sequence[S]
    qdd: Sequence[S]
    sign: Sequence[S]
    stribeck: Sequence[S]


def state_at(
    m: Mechanism[S],
    q: Sequence[S],
    qd: Sequence[S] | None = None,
    qdd: Sequence[S] | None = None,
    *,
    cos_sin: Sequence[tuple[S, S]] | None = None,
    sign: Sequence[S] | None = None,
    stribeck: Sequence[S] | None = None,
) -> State[S]:
    """The state of a mechanism from its coordinates: every State is made here.

    qd and qdd are 0 where they are not given. `cos_sin` are (cos q, sin q) per joint and `sign` the directions of
    sliding per joint, where they are known otherwise: as symbols, or from a simulation of stiction; `stribeck` the
    values of its curve, as symbols.

    >>> from dynamis import Joint, Link, Robot
    >>> arm = Robot("arm", (Link("arm", Joint("q1")), Link("belt", Joint("q2", coupling={"q1": -2}))))
    >>> state = state_at(mechanism(arm, arm.floats()), [0.0], [-2.0])
    >>> state.q, state.c, state.s, state.qd, state.sign
    ([0.0, 0.0], [1.0, 1.0], [0.0, 0.0], [-2.0, 4.0], [-1.0, 1.0])
    """
    zeros = [m.zero] * m.joints
    if m.coupling is not None:
        q, qd, qdd = m.coupling.positions(q), qd and m.coupling.rates(qd), qdd and m.coupling.rates(qdd)
    if sign is None:
        sign = zeros if qd is None else [m.scalars.sign(v) for v in qd]
    pairs = [m.scalars.cos_sin(x) for x in q] if cos_sin is None else cos_sin
    c, s = [c for c, _ in pairs], [s for _, s in pairs]
    if stribeck is None:
        rates = zip(m.moving, zeros if qd is None else qd, sign, strict=True)
        stribeck = [body.forces.curve(v, way, m.scalars) for body, v, way in rates]
    return State(q, c, s, zeros if qd is None else qd, zeros if qdd is None else qdd, sign, stribeck)


def at_rest(m: Mechanism[S], state: State[S]) -> State[S]:
    """The same q without motion: qd, qdd and the directions of sliding are 0."""
    zeros = [m.zero] * m.joints
    return replace(state, qd=zeros, qdd=zeros, sign=zeros, stribeck=zeros)


def mechanism(robot: RobotModel, scalars: Scalars[S]) -> Mechanism[S]:
    """The robot in these scalars."""
    bodies: list[Body[S]] = []
    links: dict[str, tuple[int, ...]] = {}
    joint = 0
    for link in robot.links:
        first, parent = len(bodies), links[link.parent][-1] if link.parent in links else None
        bodies += link_bodies(link, bodies, parent, joint if link.joint.moves else None, scalars)
        links[link.name] = tuple(range(first, len(bodies)))
        joint += sum(body.joint is not None for body in bodies[first:])
    gravity = vector(robot.gravity, scalars)
    return Mechanism(tuple(bodies), tuple(links.values()), gravity, scalars, coupling(robot, scalars))


def link_bodies(
    link: Link, before: Sequence[Body[S]], parent: int | None, joint_index: int | None, scalars: Scalars[S]
) -> list[Body[S]]:
    """The bodies of a link, one per axis of its joint, which is one so far; they follow the bodies `before`.

    `parent` is the index of the body that carries the link, `joint_index` that of its (first) moving axis.
    """
    joint = link.joint
    before_R, before_p = joint.before.evaluate(scalars)
    after_R, after_p = joint.after.evaluate(scalars)
    origin = after_R.T @ after_p
    mass, com = evaluate(link.mass, scalars), vector(link.com, scalars)
    gear = evaluate(joint.gear_ratio, scalars)
    body = Body(
        parent=parent,
        joint=joint_index,
        revolute=joint.revolute,
        R0=before_R.times(after_R),
        t0=before_p if parent is None else before[parent].origin + before_p,
        k=after_R.T @ vector(joint.axis, scalars),
        origin=origin,
        mass=mass,
        com=origin + com,
        inertia=link.inertia.about_com(mass, com, scalars),
        rotor=gear * gear * evaluate(joint.rotor_inertia, scalars),
        forces=joint.forces.map(lambda x: evaluate(x, scalars)),
    )
    return [body]


def joint_transform(body: Body[S], state: State[S], m: Mechanism[S]) -> tuple[Matrix[S], Vector[S]]:
    """R_i(q) and r_i(q): child axes to parent axes, and P_parent to P_i in parent axes."""
    i = body.joint
    if i is None:
        return body.R0, body.t0
    if body.revolute:
        return body.R0.times(rotation(body.k, state.c[i], state.s[i], m)), body.t0
    return body.R0, body.t0 + body.R0 @ body.k * state.q[i]


def rotation(k: Vector[S], c: S, s: S, m: Mechanism[S]) -> Matrix[S]:
    """Rodrigues: R = k k^T + c (1 - k k^T) + s S(k), for a unit vector k."""
    kk = k.outer(k)
    return kk + (diagonal(m.one, m.zero) - kk) * c + skew(k, m.zero) * s


def vector(entries: Iterable[Expression], scalars: Scalars[S]) -> Vector[S]:
    return Vector(*(evaluate(entry, scalars) for entry in entries))


@dataclass(frozen=True, slots=True)
class Wrench(Generic[S]):
    """A force, and a moment about the joint point, in link axes."""

    force: Vector[S]
    moment: Vector[S]


@dataclass(frozen=True, slots=True)
class Place(Generic[S]):
    """A frame on a body: rotation to the body's axes, and its origin from the joint point."""

    body: int | None
    R: Matrix[S]
    p: Vector[S]


def place(robot: RobotModel, m: Mechanism[S], frame: Frame) -> Place[S]:
    """Where a named frame stands on its body; body None is the base."""
    R, p = frame.placement.evaluate(m.scalars)
    if frame.link == robot.base:
        return Place(None, R, p)
    i = body_of_link(robot, m, frame.link)
    return Place(i, R, m.bodies[i].origin + p)


def body_of_link(robot: RobotModel, m: Mechanism[S], link: str) -> int:
    """The index of the body that has the mass and the axes of a link."""
    return m.links[robot.links.index(robot.link(link))][-1]


def body_names(robot: RobotModel, m: Mechanism[S]) -> list[str]:
    """A name for every body: its link's, or which axis of the link's joint it moves about."""
    return [
        link.name if i == indices[-1] else f"{link.name}, axis {number}"
        for link, indices in zip(robot.links, m.links, strict=True)
        for number, i in enumerate(indices, 1)
    ]
