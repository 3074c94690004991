"""Composite bodies and how they change: what the Coriolis matrix and the derivatives are made of.

A body and all that it carries, seen from its joint point P, is a cloud of mass points at rho. Beside its
moments m, h and Sigma (`body_moments`) it has the rates

    hd = integral rhod dm      G = integral rhod rho^T dm      rhod: of rho, in axes that stand still

For a single link rhod = w x rho, so hd = w x h and G = S(w) Sigma; where a child at r joins, with rd the
velocity of r, hd += m rd and G += hd r^T + rd h^T + m rd r^T. A joint i with the axis k feels the cloud
through three vectors,

    f = k x h,  n = I k,  y = tr(G) k - G^T k   (revolute)      f = m k,  n = h x k,  y = hd x k   (prismatic)

for a field of accelerations a + u x rho + z x rhod of the cloud changes its torque by f.a + n.u + y.z. Seen
from a point at -r, n' = n + r x f and y' = y + rd x f.

This is what S. Echeandia and P. M. Wensing, Numerical methods to compute the Coriolis matrix and Christoffel
symbols for rigid-body systems, J. Computational and Nonlinear Dynamics 16(9), 2021, do with spatial vectors
(their B of a composite body), in vectors about the joint points and second moments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.efficient.regrouping.body_moments import BodyMoments
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform
from dynamis.compute.mechanics.mechanism import Body, Mechanism
from dynamis.scalars.vectors import Matrix, S, Vector, skew


@dataclass(frozen=True, slots=True)
class MovingBody(Generic[S]):
    """A cloud of mass points: its moments and their rates."""

    moments: BodyMoments[S]
    hd: Vector[S]
    G: Matrix[S]

    def turned(self, joint: JointTransform[S]) -> MovingBody[S]:
        """In the axes of the parent, still about the joint point P_i."""
        return MovingBody(self.moments.turned(joint), joint.to_parent(self.hd), joint.matrix(self.G))

    def joined(self, other: MovingBody[S], r: Vector[S], rd: Vector[S]) -> MovingBody[S]:
        """This cloud and another, whose point is at r from this one's and moves with rd against it."""
        m, h = other.moments.mass, other.moments.h
        hd = self.hd + other.hd + rd * m
        G = self.G + other.G + (other.hd + rd * m).outer(r) + rd.outer(h)
        return MovingBody(self.moments.joined(other.moments, r), hd, G)

    def spun(self, z: Vector[S]) -> Vector[S]:
        """The integral of rho x (z x rhod) dm = (tr(G) 1 - G) z."""
        return self._sifted(self.G) @ z

    def felt_by(self, joint: Body[S]) -> Felt[S]:
        """What its joint feels of it: f, n and y."""
        f, n = self.moments.carried_by(joint)
        return Felt(f, n, self._sifted(self.G.T) @ joint.k if joint.revolute else self.hd.cross(joint.k))

    def needs(self, joint: Body[S], zd: Vector[S]) -> tuple[Vector[S], Vector[S]]:
        """Force and moment for the accelerations zd x rho + z x rhod, or zd (prismatic); z its joint's axis."""
        if joint.revolute:
            f = zd.cross(self.moments.h) + joint.k.cross(self.hd)
            return f, self.moments.inertia @ zd + self.spun(joint.k)
        return zd * self.moments.mass, self.moments.h.cross(zd)

    def _sifted(self, G: Matrix[S]) -> Matrix[S]:
        """tr(G) 1 - G."""
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = G
        xx, yy, zz = _any(xx), _any(yy), _any(zz)
        return Matrix(Vector(yy + zz, -xy, -xz), Vector(-yx, xx + zz, -yz), Vector(-zx, -zy, xx + yy))


@dataclass(frozen=True, slots=True)
class Felt(Generic[S]):
    """The change of a joint's torque per unit of a field a + u x rho + z x rhod: f.a + n.u + y.z."""

    f: Vector[S]
    n: Vector[S]
    y: Vector[S]

    def change(self, joint: Body[S], zd: Vector[S]) -> Any:
        """By the motion of another joint, whose axis has the rate zd, at that joint's point."""
        return _any(self.n.dot(zd)) + self.y.dot(joint.k) if joint.revolute else self.f.dot(zd)

    def at_parent(self, joint: JointTransform[S], rd: Vector[S]) -> Felt[S]:
        """In the axes and about the joint point of the parent."""
        f = joint.to_parent(self.f)
        return Felt(f, joint.to_parent(self.n) + joint.r.cross(f), joint.to_parent(self.y) + rd.cross(f))


def joint_velocities(
    m: Mechanism[S], joints: Sequence[JointTransform[S]], w: Sequence[Vector[S]], qd: Sequence[S]
) -> list[Vector[S]]:
    """rd of every body: the velocity of P_i against its parent's point, in parent axes."""
    velocities: list[Vector[S]] = []
    for body, joint in zip(m.bodies, joints, strict=True):
        rd = m.null if body.parent is None else w[body.parent].cross(joint.r)
        if body.joint is not None and not body.revolute:
            rd = rd + joint.to_parent(body.k) * qd[body.joint]
        velocities.append(rd)
    return velocities


def moving_composites(
    m: Mechanism[S],
    joints: Sequence[JointTransform[S]],
    moments: Sequence[BodyMoments[S]],
    w: Sequence[Vector[S]],
    rd: Sequence[Vector[S]],
) -> list[MovingBody[S]]:
    """Every body with all that it carries; w in link axes, rd in parent axes (both may be doubled)."""
    clouds = [MovingBody(b, x.cross(b.h), skew(x, m.zero).times(b.sigma.full)) for b, x in zip(moments, w, strict=True)]
    for i in reversed(range(len(m.bodies))):
        if (p := m.bodies[i].parent) is not None:
            clouds[p] = clouds[p].joined(clouds[i].turned(joints[i]), joints[i].r, rd[i])
    return clouds


def ancestors(m: Mechanism[S], i: int) -> Iterator[tuple[int, int]]:
    """From body i to the base: every body on the way and its parent."""
    while (p := m.bodies[i].parent) is not None:
        yield i, p
        i = p


def _any(x: Any) -> Any:
    return x
