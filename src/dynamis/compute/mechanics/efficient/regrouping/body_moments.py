"""Where the mass of a body is: its moments about the joint point, ten numbers, and how bodies join.

    m = integral dm      h = integral r dm = m c      Sigma = integral r r^T dm = tr(I)/2 1 - I

I is the inertia about the joint point; I = tr(Sigma) 1 - Sigma. Seen from a point at -r,
h' = h + m r and Sigma' = Sigma + h r^T + r h^T + m r r^T, which is shorter than the same for I. With wd
and a the accelerations of a body at rest and of its point, force and moment about the point are

    f = m a + wd x h      n = I wd + h x a

No torque can tell where along the axis of a revolute joint a mass is, on the link or on its parent; so
the moments on the axis (m, k.h and k.Sigma k) may pass to the parent, and from a prismatic joint's link
all of Sigma, from a fixed one's everything: fewer numbers, the same torques (not the same reactions). Of a body that
can only turn about one axis z, as all of a planar arm, no torque tells more of Sigma than z.I z: it becomes the same in
all directions across z, so that it need not be turned.

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 2.13; M. Gautier, W. Khalil, Direct
calculation of minimum set of inertial parameters of serial robots, IEEE Trans. Robotics and Automation
6(3), 1990.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform
from dynamis.compute.mechanics.efficient.regrouping.tensors import Symmetric, both, square, symmetric
from dynamis.compute.mechanics.mechanism import Body, Mechanism
from dynamis.scalars.vectors import Matrix, S, Vector


@dataclass(frozen=True, slots=True)
class BodyMoments(Generic[S]):
    """Mass [kg], first moment [kg m] and second moments [kg m^2] about a point."""

    mass: S
    h: Vector[S]
    sigma: Symmetric[S]

    def __add__(self, other: BodyMoments[S]) -> BodyMoments[S]:
        return BodyMoments(self.mass + other.mass, self.h + other.h, self.sigma + other.sigma)

    def __sub__(self, other: BodyMoments[S]) -> BodyMoments[S]:
        return BodyMoments(self.mass - other.mass, self.h - other.h, self.sigma - other.sigma)

    @property
    def inertia(self) -> Symmetric[S]:
        """I = tr(Sigma) 1 - Sigma."""
        s: Any = self.sigma
        return Symmetric(s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz)

    def turned(self, joint: JointTransform[S]) -> BodyMoments[S]:
        """In the axes of the parent, still about the joint point P_i."""
        return BodyMoments(self.mass, joint.to_parent(self.h), joint.symmetric(self.sigma))

    def in_body_axes(self, joint: JointTransform[S]) -> BodyMoments[S]:
        """From link axes to the body's axes."""
        rotation = joint.own_rotation
        if rotation is None:
            return self
        return BodyMoments(self.mass, rotation.vector(self.h), rotation.symmetric(self.sigma))

    def joined(self, other: BodyMoments[S], r: Vector[S]) -> BodyMoments[S]:
        """This body and another, whose point is at r from this one's, as one."""
        # What is constant is added to what is constant first: when traced, it is one number.
        h = (self.h + r * other.mass) + other.h
        sigma = (self.sigma + square(r, other.mass)) + (other.sigma + both(other.h, r))
        return BodyMoments(self.mass + other.mass, h, sigma)

    def carried_by(self, joint: Body[S]) -> tuple[Vector[S], Vector[S]]:
        """Force and moment that it needs when its joint alone accelerates, with 1."""
        k = joint.k
        return (k.cross(self.h), self.inertia @ k) if joint.revolute else (k * self.mass, self.h.cross(k))

    def wrench(self, w: Vector[S], U: Matrix[S], a: Vector[S]) -> tuple[Vector[S], Vector[S]]:
        """Force and moment of a motion whose acceleration is a + U r at r: m a + U h, h x a + 2 vex(U Sigma).

        U = S(wd) + S(w) S(w) (`tensors.acceleration_matrix`); 2 vex(U Sigma) = I wd + w x I w.
        """
        (_, xy, xz), (yx, _, yz), (zx, zy, _) = U
        s: Any = self.sigma
        xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
        moment = Vector(
            s.yy * zy - s.zz * yz + s.xy * zx - s.xz * yx + s.yz * (zz - yy),
            s.zz * xz - s.xx * zx + s.yz * xy - s.xy * zy + s.xz * (xx - zz),
            s.xx * yx - s.yy * xy + s.xz * yz - s.yz * xz + s.xy * (yy - xx),
        )
        return a * self.mass + U @ self.h, moment + self.h.cross(a)

    def across(self, z: Vector[S], half: S) -> BodyMoments[S]:
        """The same m, h and z.I z, with a Sigma that no turn about z changes; `half` is 1/2."""
        each: Any = z.dot(self.inertia @ z) * half
        zero = each - each
        return BodyMoments(self.mass, self.h, Symmetric(each, each, each, zero, zero, zero) - square(z, each))

    def on_axis(self, k: Vector[S]) -> BodyMoments[S]:
        """The mass distribution on the axis k with the same m, k.h and k.Sigma k."""
        return BodyMoments(self.mass, k * k.dot(self.h), square(k, k.dot(self.sigma @ k)))


def body_moments(m: Mechanism[S]) -> list[BodyMoments[S]]:
    """Every body about its joint point."""
    return [_about_joint(body, m) for body in m.bodies]


def regrouped_moments(m: Mechanism[S]) -> list[BodyMoments[S]]:
    """The bodies with all that can pass to their parents passed: same torques, more zeros.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism
    >>> arm = load("bar-2r")
    >>> [b.mass for b in regrouped_moments(mechanism(arm, arm.floats()))]
    [0.0, 0.0]
    """
    moments = body_moments(m)
    nothing = BodyMoments(m.zero, m.null, Symmetric(*[m.zero] * 6))
    axes, half = _only_axes(m), m.one / (m.one + m.one)  # type: ignore[operator]
    for i in reversed(range(len(m.bodies))):
        body, current, z = m.bodies[i], moments[i], axes[i]
        if z is not None:
            current = current.across(z, half)
        if body.joint is None:
            moved, r = current, body.t0
        elif body.revolute:
            moved, r = current.on_axis(body.k), body.t0
        else:
            moved, r = BodyMoments(m.zero, m.null, current.sigma), m.null
        moments[i] = nothing if body.joint is None else current - moved
        if body.parent is not None:
            turned = BodyMoments(moved.mass, body.R0 @ moved.h, moved.sigma.seen_from(body.R0))
            moments[body.parent] = moments[body.parent].joined(turned, r)
    return moments


def _only_axes(m: Mechanism[S]) -> list[Vector[S] | None]:
    """Per body, the only axis about which it can turn, in its own axes.

    None where there are several, or none, and for a body on the base that carries no other of this kind: its moments
    are not turned.
    """
    axes: list[Vector[S] | None] = []
    several: list[bool] = []
    for body in m.bodies:
        p = body.parent
        on = None if p is None else axes[p]
        z = None if on is None else body.R0.T @ on
        many = p is not None and several[p]
        if body.joint is not None and body.revolute:
            many = many or (z is not None and list(z) not in (list(body.k), list(-body.k)))
            z = body.k
        axes.append(None if many else z)
        several.append(many)
    carrying = {body.parent for body, z in zip(m.bodies, axes, strict=True) if z is not None}
    return [z if i in carrying or m.bodies[i].parent is not None else None for i, z in enumerate(axes)]


def moments_in_body_axes(m: Mechanism[S], joints: Sequence[JointTransform[S]]) -> list[BodyMoments[S]]:
    """The regrouped moments in the axes of the bodies in a state."""
    return [body.in_body_axes(joint) for body, joint in zip(regrouped_moments(m), joints, strict=True)]


def _about_joint(body: Body[S], m: Mechanism[S]) -> BodyMoments[S]:
    I, half = symmetric(body.inertia), m.one / (m.one + m.one)  # type: ignore[operator]  # noqa: E741
    xx, yy, zz = ((a + b - c) * half for a, b, c in ((I.yy, I.zz, I.xx), (I.xx, I.zz, I.yy), (I.xx, I.yy, I.zz)))
    about_com = Symmetric(xx, yy, zz, -I.xy, -I.xz, -I.yz)
    return BodyMoments(body.mass, body.com * body.mass, about_com + square(body.com, body.mass))
