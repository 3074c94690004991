"""Forward dynamics by articulated bodies: how joints accelerate under given torques, in O(n).

A body with all that hangs on it, free to swing at its joints, answers an acceleration (wd, a) of its
joint point with the moment n = C wd + B a + n_0 and the force f = B^T wd + A a + f_0; the articulated
inertia (C, B, A) and the bias (n_0, f_0) are passed from the tips to the base. With U the inertia along
the joint axis k and u what the motor has left for acceleration,

    U = (C k, B^T k)      D = k.C k + rotor      u = tau - joint forces - k.n_0            (revolute)

the parent sees the inertia - U U^T / D and the bias + (inertia - U U^T / D) c + U u / D, in its own axes
about its own point; c is the acceleration that velocities cause. Then, from the base to the tips,

    qdd = (u - U.(wd, a)) / D

with (wd, a) the acceleration that the parent and c give. A prismatic joint is the same with forces in the
place of moments: (A, B^T, C). Gravity is the acceleration -g of the base.

Source: R. Featherstone, The calculation of robot dynamics using articulated-body inertias, Int. J. Robotics
Research 2(1), 1983; Rigid Body Dynamics Algorithms, 2008, section 7.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform, axis_rates
from dynamis.compute.mechanics.efficient.regrouping.regrouped import regroup_mechanism
from dynamis.compute.mechanics.efficient.regrouping.tensors import Symmetric, acceleration_matrix, both, square
from dynamis.compute.mechanics.friction import joint_force
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State, Wrench
from dynamis.scalars.vectors import Matrix, S, Vector, skew


@dataclass(frozen=True, slots=True)
class ArticulatedInertia(Generic[S]):
    """n = C wd + B a, f = B^T wd + A a; C and A are symmetric."""

    C: Symmetric[S]
    B: Matrix[S]
    A: Symmetric[S]

    def __add__(self, other: ArticulatedInertia[S]) -> ArticulatedInertia[S]:
        return ArticulatedInertia(self.C + other.C, self.B + other.B, self.A + other.A)

    @property
    def swapped(self) -> ArticulatedInertia[S]:
        """With the roles of forces and moments exchanged."""
        return ArticulatedInertia(self.A, self.B.T, self.C)

    def turned(self, joint: JointTransform[S]) -> ArticulatedInertia[S]:
        """In the axes of the parent, still about the joint point P_i."""
        return ArticulatedInertia(joint.symmetric(self.C), joint.matrix(self.B), joint.symmetric(self.A))

    def shifted(self, r: Vector[S], zero: S) -> ArticulatedInertia[S]:
        """About a point at -r: B' = B + S A and C' = C + S B^T - B' S, with S = S(r)."""
        B = self.B + skew(r, zero).times(self.A.full)
        far, near = [r.cross(row) for row in B], [r.cross(row) for row in self.B]
        x, y, z = (r.cross(a + b) for a, b in zip(B, self.B, strict=True))
        lever = Symmetric(x.x, y.y, z.z, far[0].y + near[1].x, far[0].z + near[2].x, far[1].z + near[2].y)
        return ArticulatedInertia(self.C + lever, B, self.A)


@dataclass(frozen=True, slots=True)
class _Free(Generic[S]):
    """A body seen across its joint: I - U U^T / D, and U / D across the axis and in the other half."""

    inertia: ArticulatedInertia[S]
    across: Vector[S]
    other: Vector[S]
    per_D: S
    rotor: S
    """rotor / D; U / D along the axis is 1 less this."""


def forward_dynamics(
    m: Mechanism[S],
    state: State[S],
    tau: Sequence[S],
    gravity: Vector[S] | None = None,
    loads: Sequence[Wrench[S] | None] = (),
) -> list[S]:
    """qdd [rad/s^2 or m/s^2] under the motors' tau, friction, rotors, gravity and loads; state.qdd is not read.

    `loads`: one wrench per body or None, in link axes about the joint point.

    Two sliders: the first holds 3 kg against gravity, 6 N push the second, of 2 kg:

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> forward_dynamics(m, state_at(m, [0.0, 0.0]), [30.0, 6.0])
    [0.0, 3.0]
    """
    r = regroup_mechanism(m, state)
    m, state, joints = r.m, r.state, r.joints
    w, zd = axis_rates(m, state, joints)
    c = [_velocity_product(body, state, x, m) for body, x in zip(m.bodies, zd, strict=True)]
    W = [acceleration_matrix(x, m.null) for x in w]
    inertia: list[ArticulatedInertia[S]] = []
    moment: list[Vector[S]] = []
    force: list[Vector[S]] = []
    for moments, load, x, X in zip(r.moments, r.loads(loads), w, W, strict=True):
        A = Symmetric(moments.mass, moments.mass, moments.mass, m.zero, m.zero, m.zero)
        inertia.append(ArticulatedInertia(moments.inertia, skew(moments.h, m.zero), A))
        f, n = moments.wrench(x, X, m.null)
        force.append(f if load is None else f - load.force)
        moment.append(n if load is None else n - load.moment)

    free: list[_Free[S] | None] = [None] * len(m.bodies)
    left: list[S] = [m.zero] * len(m.bodies)
    for i in reversed(range(len(m.bodies))):
        body, seen, n, f = m.bodies[i], inertia[i], moment[i], force[i]
        if (j := body.joint) is not None:
            x = free[i] = _across_joint(body, seen, m)
            drive: Any = tau[j] - joint_force(body, state)
            # `main` is the part of the joint's kind: the moment of a revolute joint, the force of a prismatic one.
            main, other = (n, f) if body.revolute else (f, n)
            along = body.k.dot(main)
            u = left[i] = drive - along
            # Along the axis the parent gives what the motor gives, less what its rotor takes.
            main = main - body.k * along + body.k * (drive - x.rotor * u) + x.across * u + x.inertia.C @ c[i]
            other = other + x.other * u + x.inertia.B.T @ c[i]
            n, f = (main, other) if body.revolute else (other, main)
            seen = x.inertia if body.revolute else x.inertia.swapped
        if (p := body.parent) is not None:
            joint, seen = joints[i], seen.turned(joints[i])
            swing = W[p] @ joint.r
            f = joint.to_parent(f) + seen.A @ swing
            n = joint.to_parent(n) + seen.B @ swing + joint.r.cross(f)
            inertia[p] = inertia[p] + seen.shifted(joint.r, m.zero)
            force[p], moment[p] = force[p] + f, moment[p] + n

    qdd: list[S] = [m.zero] * m.joints
    wd: list[Vector[S]] = []
    a: list[Vector[S]] = []
    for i, (body, joint) in enumerate(zip(m.bodies, joints, strict=True)):
        p = body.parent
        if p is None:
            angular, linear = m.null, joint.from_parent(-(m.gravity if gravity is None else gravity))
        else:
            angular = joint.from_parent(wd[p])
            linear = joint.from_parent(a[p] + W[p] @ joint.r + wd[p].cross(joint.r))
        if (x := free[i]) is not None and (j := body.joint) is not None:
            main, other = (angular, linear) if body.revolute else (linear, angular)
            main = main + c[i]
            along: Any = body.k.dot(main)
            total = left[i] * x.per_D - x.across.dot(main) - x.other.dot(other) + x.rotor * along
            qdd[j] = total - along
            main = main - body.k * along + body.k * total
            angular, linear = (main, other) if body.revolute else (other, main)
        wd.append(angular)
        a.append(linear)
    return qdd


def _velocity_product(body: Body[S], state: State[S], zd: Vector[S], m: Mechanism[S]) -> Vector[S]:
    """c: the acceleration that velocities cause about or along the joint, zd qd or 2 zd qd."""
    if body.joint is None:
        return m.null
    c = zd * state.qd[body.joint]
    return c if body.revolute else c + c


def _across_joint(body: Body[S], inertia: ArticulatedInertia[S], m: Mechanism[S]) -> _Free[S]:
    """I - U U^T / D. What lies along the axis is written apart, since most of it vanishes."""
    I, k = inertia if body.revolute else inertia.swapped, body.k  # noqa: E741
    U, other = I.C @ k, I.B.T @ k
    along: Any = k.dot(U)
    per_D: Any = m.one / (along + body.rotor)
    across, rotor = U - k * along, body.rotor * per_D
    with_axis = both(across, k) + square(k, along)
    C = I.C - with_axis - square(across, per_D) + with_axis * rotor
    B = I.B - k.outer(other) - (across * per_D).outer(other) + k.outer(other * rotor)
    A = I.A - square(other, per_D)
    return _Free(ArticulatedInertia(C, B, A), across * per_D, other * per_D, per_D, rotor)
