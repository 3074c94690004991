"""The derivatives of inverse and forward dynamics by q and qd, exact and without differences.

When joint j (axis z, joint point at the acceleration a_j, gravity counted in) moves by a unit, every mass
point that it carries is displaced by z x rho, and its acceleration changes by zdd x rho + 2 zd x rhod +
z x rhodd; a unit of qd_j changes it by 2 (zd x rho + z x rhod). With zd = w x z and zdd the rates of the axis,
with f, n, y, h, hd and G of the composite body i (`moving_composites`) and with F, N the force and moment
that its joint carries (Newton-Euler), for revolute joints

    dtau_i/dq_j  = zdd_j.n_i + 2 zd_j.y_i - (z_j x a_j).f_i      dtau_i/dqd_j = 2 (zd_j.n_i + z_j.y_i)

where j carries i or is i. For the joints j that carry i, dtau_j/dq_i and dtau_j/dqd_i are z_j.n' of the
wrenches that composite body i needs on top,

    q:   f' = zdd x h + 2 zd x hd + z x (F - m a)    n' = I zdd + 2 (tr(G) 1 - G) zd + z x N - h x (z x a)
    qd:  f' = 2 (zd x h + z x hd)                    n' = 2 (I zd + (tr(G) 1 - G) z)

A prismatic joint displaces by z alone: dtau_i/dq_j = zdd_j.f_i, dtau_i/dqd_j = 2 zd_j.f_i; f' = m zdd and
n' = h x zdd + z x F; f' = 2 m zd and n' = 2 h x zd. Loads here keep their place and direction on their link;
`load_rates` says how others change. A joint's spring adds its stiffness and its friction its slope, which is 0 for
Coulomb friction.

Source: S. Singh, R. P. Russell, P. M. Wensing, Efficient analytical derivatives of rigid-body dynamics using
spatial vector algebra, IEEE Robotics and Automation Letters 7(2), 2022; J. Carpentier, N. Mansard, Analytical
derivatives of rigid body dynamics algorithms, RSS 2018. Here in vectors about the joint points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynamis.compute.mechanics.coupling import projected_matrix
from dynamis.compute.mechanics.efficient.inverse_dynamics import AxisMotion, inward, outward
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform, axis_rates
from dynamis.compute.mechanics.efficient.regrouping.moving_composites import (
    Felt,
    MovingBody,
    ancestors,
    joint_velocities,
    moving_composites,
)
from dynamis.compute.mechanics.efficient.regrouping.regrouped import regroup_mechanism
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State, Wrench
from dynamis.scalars.vectors import S, Vector

Rows = list[list[S]]


def inverse_dynamics_derivatives(
    m: Mechanism[S],
    state: State[S],
    gravity: Vector[S] | None = None,
    loads: Sequence[Wrench[S] | None] = (),
    load_rates: Sequence[Sequence[Wrench[S] | None]] = (),
) -> tuple[Rows[S], Rows[S]]:
    """dtau/dq and dtau/dqd, each (n, n), row i of joint i's torque [N m/rad, N m s/rad and the like].

    `loads`: one wrench per body or None, in link axes about the joint point; `load_rates[b][j]` is the
    derivative by q_j of the one on body b, where it is not constant there.

    A slider of 2 kg along x on a turning arm is flung out with m w^2 q; so dtau/dq = -m w^2:

    >>> from dynamis import Joint, Link, Robot
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> links = (Link("arm", Joint("turn")), Link("slide", Joint("out", "prismatic", (1, 0, 0)), "arm", 2))
    >>> m = mechanism(robot := Robot("flywheel", links), robot.floats())
    >>> by_q, by_qd = inverse_dynamics_derivatives(m, state_at(m, [0.0, 1.0], [3.0, 0.0]))
    >>> by_q[1][1], by_qd[1][0], by_qd[0][1]
    (-18.0, -12.0, 12.0)
    """
    x = regroup_mechanism(m, state)
    m, state, joints = x.m, x.state, x.joints
    w, zd = axis_rates(m, state, joints)
    # Rates are doubled from here on, so that the 2 of the equations stands nowhere else.
    twice, zd_twice = [v + v for v in w], [v + v for v in zd]
    rd = joint_velocities(m, joints, twice, [v + v for v in state.qd])
    clouds = moving_composites(m, joints, x.moments, twice, rd)
    motions = outward(m, state, joints, w, zd, -(m.gravity if gravity is None else gravity))
    F, N = inward(m, joints, x.moments, motions, x.loads(loads))

    by_q, by_qd = _zeros(m), _zeros(m)
    for i, (body, cloud, motion) in enumerate(zip(m.bodies, clouds, motions, strict=True)):
        if (row := body.joint) is None:
            continue
        felt = cloud.felt_by(body)
        by_q[row][row] = _stiffened(_torque_derivative(felt, body, motion), body)
        by_qd[row][row] = felt.change(body, zd_twice[i]) + body.forces.friction_slope(
            state.qd[row], state.stribeck[row]
        )
        f, n = _wrench_derivative(cloud, body, motion, F[i], N[i])
        fd, nd = cloud.needs(body, zd_twice[i])
        for j, p in ancestors(m, i):
            joint, parent = joints[j], m.bodies[p]
            felt = felt.at_parent(joint, rd[j])
            (f, n), (fd, nd) = joint.wrench(f, n), joint.wrench(fd, nd)
            if (column := parent.joint) is not None:
                by_q[row][column] = _torque_derivative(felt, parent, motions[p])
                by_qd[row][column] = felt.change(parent, zd_twice[p])
                by_q[column][row] = parent.k.dot(n if parent.revolute else f)
                by_qd[column][row] = parent.k.dot(nd if parent.revolute else fd)
    for column, rates in enumerate(zip(*load_rates, strict=True)):
        _let_loads_change(m, joints, column, x.loads(rates), by_q)
    return projected_matrix(m.coupling, by_q), projected_matrix(m.coupling, by_qd)


def _torque_derivative(felt: Felt[S], joint: Body[S], x: AxisMotion[S]) -> Any:
    """dtau_i/dq of a joint that carries i; y is doubled."""
    if not joint.revolute:
        return felt.f.dot(x.zdd)
    turned: Any = felt.n.dot(x.zdd)
    return turned + felt.y.dot(x.zd) - felt.f.dot(joint.k.cross(x.a))


def _stiffened(slope: Any, joint: Body[S]) -> Any:
    """With the stiffness of the joint's spring."""
    return slope if joint.forces.stiffness is None else slope + joint.forces.stiffness


def _wrench_derivative(
    cloud: MovingBody[S], joint: Body[S], x: AxisMotion[S], F: Vector[S], N: Vector[S]
) -> tuple[Vector[S], Vector[S]]:
    """The wrench on top when the joint has moved by a unit; hd and G are doubled."""
    moments, k = cloud.moments, joint.k
    if not joint.revolute:
        return x.zdd * moments.mass, moments.h.cross(x.zdd) + k.cross(F)
    force = x.zdd.cross(moments.h) + x.zd.cross(cloud.hd) + k.cross(F - x.a * moments.mass)
    moment = moments.inertia @ x.zdd + cloud.spun(x.zd) + k.cross(N) - moments.h.cross(k.cross(x.a))
    return force, moment


def _let_loads_change(
    m: Mechanism[S], joints: Sequence[JointTransform[S]], column: int, rates: Sequence[Wrench[S] | None], by_q: Rows[S]
) -> None:
    """Loads that change with q_j take their change from the torques of all joints that carry them."""
    f = [m.null if rate is None else rate.force for rate in rates]
    n = [m.null if rate is None else rate.moment for rate in rates]
    for i in reversed(range(len(m.bodies))):
        body = m.bodies[i]
        if (row := body.joint) is not None:
            entry: Any = by_q[row][column]
            by_q[row][column] = entry - body.k.dot(n[i] if body.revolute else f[i])
        if (p := body.parent) is not None:
            force, moment = joints[i].wrench(f[i], n[i])
            f[p], n[p] = f[p] + force, n[p] + moment


def _zeros(m: Mechanism[S]) -> Rows[S]:
    return [[m.zero] * m.joints for _ in range(m.joints)]
