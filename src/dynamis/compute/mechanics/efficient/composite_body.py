"""The mass matrix by composite rigid bodies.

From the tips to the base, a body and all that it carries is one rigid body, whose mass, first moment h
and inertia I about the joint point are sums (`body_moments`). Column j of M is what the joints give when only joint j
accelerates, with 1: then the composite body j alone needs a wrench,

    f = k x h,  n = I k  (revolute)      f = m k,  n = h x k  (prismatic)      k the joint axis

which its ancestors carry, each with n += r x f on the way; M_ij is its component along axis i. M is
symmetric, and M_ij = 0 for joints on different branches. Where the way to the base is long, common frames are shorter.

Source: M. W. Walker, D. E. Orin, Efficient dynamic computer simulation of robotic mechanisms, J. Dynamic
Systems, Measurement and Control 104, 1982, method 3; R. Featherstone, Rigid Body Dynamics Algorithms,
2008, section 6.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dynamis.compute.mechanics.coupling import projected_matrix
from dynamis.compute.mechanics.efficient import common_frames
from dynamis.compute.mechanics.efficient.regrouping.body_moments import BodyMoments
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform
from dynamis.compute.mechanics.efficient.regrouping.regrouped import Regrouped, regroup_mechanism
from dynamis.compute.mechanics.mechanism import Mechanism, State
from dynamis.scalars.vectors import S


def mass_matrix(m: Mechanism[S], state: State[S]) -> list[list[S]]:
    """M(q), symmetric, (n, n) [kg m^2, kg m or kg]; rotors are on the diagonal.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2)
    >>> m = mechanism(arm, arm.floats())
    >>> mass_matrix(m, state_at(m, [0.0, 0.0]))
    [[3.0, 0.0], [0.0, 2.0]]
    """
    x = regroup_mechanism(m, _roots_at_zero(m, state))
    M = common_frames.joint_entries(x) if common_frames.are_shorter(x) else _joint_entries(x)
    return projected_matrix(m.coupling, M, symmetric=True)


def _roots_at_zero(m: Mechanism[S], state: State[S]) -> State[S]:
    """The state with the joints on the base at zero: M does not depend on them, as they move all that they carry."""
    q, c, s = list(state.q), list(state.c), list(state.s)
    for body in m.bodies:
        if body.parent is None and (i := body.joint) is not None:
            q[i], c[i], s[i] = m.zero, m.one, m.zero
    return replace(state, q=q, c=c, s=s)


def _joint_entries(x: Regrouped[S]) -> list[list[S]]:
    """M of the moving joints, coupled ones too."""
    M = [[x.m.zero] * x.m.joints for _ in range(x.m.joints)]
    for i, (body, composite) in enumerate(zip(x.m.bodies, x.composites(), strict=True)):
        if body.joint is not None:
            for j, entry in _column(x.m, x.joints, i, composite):
                M[body.joint][j] = M[j][body.joint] = entry
    return M


def _column(
    m: Mechanism[S], joints: Sequence[JointTransform[S]], i: int, composite: BodyMoments[S]
) -> Iterator[tuple[int, Any]]:
    """Joint i and the joints that carry it, each with its entry in M."""
    body = m.bodies[i]
    assert body.joint is not None
    force, moment = composite.carried_by(body)
    yield body.joint, body.k.dot(moment if body.revolute else force) + body.rotor
    while body.parent is not None:
        force, moment = joints[i].wrench(force, moment)
        i, body = body.parent, m.bodies[body.parent]
        if body.joint is not None:
            yield body.joint, body.k.dot(moment if body.revolute else force)
