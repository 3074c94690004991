"""Inverse dynamics in few operations, with loads: Newton-Euler in moments about the joint points.

Outward, in the axes of `joint_transforms`, with z the joint axis (k in the body's axes) and zd, zdd its rates:

    w  = w_p + z qd          wd = wd_p + zd qd + z qdd                      revolute
    a  = a_p + U_p r  [+ 2 zd qd + z qdd]                                   [prismatic]
    U  = S(wd) + S(w) S(w)   zd = w_p x z   zdd = wd_p x z + w_p x zd

Inward, with the moments m, h and Sigma of the bodies (`body_moments`), regrouped:

    F = m a + U h - f_ext + sum F_j      N = h x a + 2 vex(U Sigma) - m_ext + sum (N_j + r_j x F_j)

    tau = k.N (revolute) or k.F (prismatic), + rotor qdd + friction + spring

F and N are wrenches of the regrouped bodies: right for torques, not the reactions at the joints. Gravity is the
acceleration -g of the base.

Source: W. Khalil, E. Dombre, Modeling, Identification and Control of Robots, 2002, section 9.5; P. C. Hughes,
Spacecraft Attitude Dynamics, 1986, for U.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.coupling import project_to_coordinates
from dynamis.compute.mechanics.efficient.regrouping.body_moments import BodyMoments
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform, axis_rates
from dynamis.compute.mechanics.efficient.regrouping.regrouped import regroup_mechanism
from dynamis.compute.mechanics.efficient.regrouping.tensors import acceleration_matrix
from dynamis.compute.mechanics.friction import joint_force
from dynamis.compute.mechanics.mechanism import Mechanism, State, Wrench
from dynamis.scalars.vectors import Matrix, S, Vector


@dataclass(frozen=True, slots=True)
class AxisMotion(Generic[S]):
    """A body: w, wd, U, a of its joint point less gravity; and its joint's axis: zd, zdd. All in its axes."""

    w: Vector[S]
    wd: Vector[S]
    U: Matrix[S]
    a: Vector[S]
    zd: Vector[S]
    zdd: Vector[S]


def inverse_dynamics(
    m: Mechanism[S],
    state: State[S],
    gravity: Vector[S] | None = None,
    loads: Sequence[Wrench[S] | None] = (),
) -> list[S]:
    """tau(q, qd, qdd) [N m or N]: what `newton_euler` gives, without the reactions.

    `loads`: one wrench per body or None, in link axes about the joint point. With qdd = 0 it is the bias: Coriolis
    and centrifugal torques, gravity, friction and loads.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> inverse_dynamics(m, state_at(m, [0.0, 0.0], [0.0, 0.0], [0.0, 3.0]))
    [30.0, 6.0]
    """
    x = regroup_mechanism(m, state)
    m, state = x.m, x.state
    w, zd = axis_rates(m, state, x.joints)
    motions = outward(m, state, x.joints, w, zd, -(m.gravity if gravity is None else gravity))
    F, N = inward(m, x.joints, x.moments, motions, x.loads(loads))
    tau: list[S] = []
    for body, f, n in zip(m.bodies, F, N, strict=True):
        if (i := body.joint) is not None:
            along: Any = body.k.dot(n if body.revolute else f)
            drive = body.rotor * state.qdd[i] + joint_force(body, state)
            tau.append(along + drive)
    return project_to_coordinates(m.coupling, tau)


def outward(
    m: Mechanism[S],
    state: State[S],
    joints: Sequence[JointTransform[S]],
    w: Sequence[Vector[S]],
    zd: Sequence[Vector[S]],
    base_acceleration: Vector[S],
) -> list[AxisMotion[S]]:
    """Accelerations, from the base to the tips; w and zd are those of `axis_rates`."""
    motions: list[AxisMotion[S]] = []
    for i, (body, joint) in enumerate(zip(m.bodies, joints, strict=True)):
        if body.parent is None:
            w_p, wd, a = m.null, m.null, joint.from_parent(base_acceleration)
        else:
            p = motions[body.parent]
            w_p, wd, a = joint.from_parent(p.w), joint.from_parent(p.wd), joint.from_parent(p.a + p.U @ joint.r)
        zdd = wd.cross(body.k) + w_p.cross(zd[i])
        if (j := body.joint) is not None:
            caused, driven = zd[i] * state.qd[j], body.k * state.qdd[j]
            wd, a = (wd + caused + driven, a) if body.revolute else (wd, a + caused + caused + driven)
        motions.append(AxisMotion(w[i], wd, acceleration_matrix(w[i], wd), a, zd[i], zdd))
    return motions


def inward(
    m: Mechanism[S],
    joints: Sequence[JointTransform[S]],
    moments: Sequence[BodyMoments[S]],
    motions: Sequence[AxisMotion[S]],
    loads: Sequence[Wrench[S] | None],
) -> tuple[list[Vector[S]], list[Vector[S]]]:
    """F and N: what every joint carries; `moments` and `loads` are in the bodies' axes."""
    F: list[Vector[S]] = []
    N: list[Vector[S]] = []
    for body, x, load in zip(moments, motions, loads, strict=True):
        f, n = body.wrench(x.w, x.U, x.a)
        F.append(f if load is None else f - load.force)
        N.append(n if load is None else n - load.moment)
    for i in reversed(range(len(m.bodies))):
        if (p := m.bodies[i].parent) is not None:
            f, n = joints[i].wrench(F[i], N[i])
            F[p], N[p] = F[p] + f, N[p] + n
    return F, N
