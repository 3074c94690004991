"""The Coriolis matrix of Christoffel's symbols: c = C qd, and Md - 2 C is skew.

C_ij = sum over k of Gamma_ijk qd_k is half the derivative of the velocity torques c by qd_j. A unit of qd_j
gives every mass point that joint j carries twice the acceleration zd x rho + z x rhod (z the axis of the
joint, zd = w x z its rate), so

    C_ij = zd_j.n_i + z_j.y_i        joint i on what j carries, or j itself      (zd_j.f_i, j prismatic)
    C_ji = z_j.n'_i                  j carries i                                 (z_j.f'_i, j prismatic)

    f'_i = zd x h + z x hd,  n'_i = I zd + (tr(G) 1 - G) z    (revolute i)    f'_i = m zd,  n'_i = h x zd    (prismatic)

with f, n, y, h, hd and G of the composite body i (`moving_composites`), passed to every joint on the way to
the base: O(n d) for n joints in a tree of depth d. No derivative of M is taken.

Source: S. Echeandia, P. M. Wensing, Numerical methods to compute the Coriolis matrix and Christoffel symbols
for rigid-body systems, J. Computational and Nonlinear Dynamics 16(9), 2021, algorithm 1.
"""

from __future__ import annotations

from dynamis.compute.mechanics.coupling import projected_matrix
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import axis_rates
from dynamis.compute.mechanics.efficient.regrouping.moving_composites import (
    ancestors,
    joint_velocities,
    moving_composites,
)
from dynamis.compute.mechanics.efficient.regrouping.regrouped import regroup_mechanism
from dynamis.compute.mechanics.mechanism import Mechanism, State
from dynamis.scalars.vectors import S


def coriolis_matrix(m: Mechanism[S], state: State[S]) -> list[list[S]]:
    """C(q, qd), (n, n) [N m s/rad and the like]; C qd are the Coriolis and centrifugal torques.

    Sliders that do not turn have none:

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2)
    >>> m = mechanism(arm, arm.floats())
    >>> coriolis_matrix(m, state_at(m, [0.0, 0.0], [1.0, 2.0]))
    [[0.0, 0.0], [0.0, 0.0]]
    """
    x = regroup_mechanism(m, state)
    m, state, joints = x.m, x.state, x.joints
    w, zd = axis_rates(m, state, joints)
    rd = joint_velocities(m, joints, w, state.qd)
    clouds = moving_composites(m, joints, x.moments, w, rd)
    C = [[m.zero] * m.joints for _ in range(m.joints)]
    for i, (body, cloud) in enumerate(zip(m.bodies, clouds, strict=True)):
        if (row := body.joint) is None:
            continue
        felt = cloud.felt_by(body)
        f, n = cloud.needs(body, zd[i])
        C[row][row] = felt.change(body, zd[i])
        for j, p in ancestors(m, i):
            felt = felt.at_parent(joints[j], rd[j])
            f, n = joints[j].wrench(f, n)
            parent = m.bodies[p]
            if (column := parent.joint) is not None:
                C[row][column] = felt.change(parent, zd[p])
                C[column][row] = parent.k.dot(n if parent.revolute else f)
    return projected_matrix(m.coupling, C)
