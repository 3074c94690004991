"""Mass matrix and Christoffel symbols of all joints from one recursion, without a derivative of M.

A unit velocity of joint a moves a mass point of what it carries by rho_a = u_a + w_a x sigma, sigma from the joint
point P_b of a body b that joint a carries; w_a = z_a, u_a = z_a x (P_b - P_a) for a revolute joint and 0, z_a for a
prismatic one. If joint j carries joint k, the second derivative of a point carried by k is rho_jk = w_j x rho_k, and

    Gamma_ijk = integral rho_i.rho_jk dm = w_j.L_ki,      L_ki = integral rho_k x rho_i dm = -L_ik

over what both carry. So one vector for every pair of joints a, b on one branch (b the outer one, its composite body
with moments m, h, Sigma about P_b) holds all symbols of the pair:

    L_ab = u_a x f_b + Sigma (w_a x z_b)    b revolute        f_b = z_b x h
    L_ab = u_a x f_b + (w_a x h) x z_b      b prismatic       f_b = m z_b

    Gamma_bja = w_j.L_ab  for j from the base to a      Gamma_ajb = -w_j.L_ab  for j from the base to b

and Gamma_aja = 0 for j up to a. Likewise M_ab = u_a.f_b + w_a.n_b. O(n d^2) for n joints in a tree of depth d, which
is the least, for so many symbols are not zero.

Source: S. Echeandia, P. M. Wensing, Numerical methods to compute the Coriolis matrix and Christoffel symbols for
rigid-body systems, J. Computational and Nonlinear Dynamics 16(9), 2021, algorithm 2, here as moments of mass points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.efficient.regrouping.body_moments import BodyMoments
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform
from dynamis.compute.mechanics.efficient.regrouping.regrouped import regroup_mechanism
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State
from dynamis.scalars.vectors import S, Vector


@dataclass(frozen=True, slots=True)
class Twist(Generic[S]):
    """How a unit velocity of a joint moves a body: w, and u of the body's joint point, in the body's axes."""

    w: Vector[S]
    u: Vector[S]


@dataclass(frozen=True, slots=True)
class Coefficients(Generic[S]):
    """M without the rotors, and the Christoffel symbols that are not zero: (i, j, k) -> Gamma_ijk with j <= k."""

    M: list[list[S]]
    gamma: dict[tuple[int, int, int], S]


def unit_twists(m: Mechanism[S], joints: Sequence[JointTransform[S]]) -> list[dict[int, Twist[S]]]:
    """Per body, the twists by all joints that carry it, by their coordinates, the base's first."""
    twists: list[dict[int, Twist[S]]] = []
    for body, joint in zip(m.bodies, joints, strict=True):
        on = {} if body.parent is None else twists[body.parent]
        here = {j: Twist(joint.from_parent(x.w), joint.from_parent(x.u + x.w.cross(joint.r))) for j, x in on.items()}
        if (i := body.joint) is not None:
            here[i] = Twist(body.k, m.null) if body.revolute else Twist(m.null, body.k)
        twists.append(here)
    return twists


def coefficients(
    m: Mechanism[S], twists: Sequence[dict[int, Twist[S]]], carried: Sequence[BodyMoments[S]]
) -> Coefficients[S]:
    """M and all Gamma_ijk; joints are counted from 0."""
    M: list[list[Any]] = [[m.zero] * m.joints for _ in range(m.joints)]
    gamma: dict[tuple[int, int, int], Any] = {}
    for body, on, cloud in zip(m.bodies, twists, carried, strict=True):
        if (b := body.joint) is None:
            continue
        f, n = cloud.carried_by(body)
        M[b][b] = body.k.dot(n if body.revolute else f)
        path = list(on)
        for a in path[:-1]:
            x = on[a]
            M[a][b] = M[b][a] = x.u.dot(f) + x.w.dot(n)
            L = _pair(body, x, f, cloud)
            for j in path:
                along: Any = on[j].w.dot(L)
                gamma[a, j, b] = -along
                if path.index(j) <= path.index(a):
                    gamma[b, j, a] = along
    return Coefficients(M, gamma)


def christoffel(m: Mechanism[S], state: State[S]) -> list[list[list[S]]]:
    """Gamma_ijk(q), symmetric in j and k, (n, n, n): c_i = sum of Gamma_ijk qd_j qd_k.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("bar-2r").with_values(m2=8)
    >>> m = mechanism(arm, arm.floats())
    >>> christoffel(m, state_at(m, [0.0, 1.5707963267948966]))[1]
    [[1.0, 0.0], [0.0, 0.0]]
    """
    x = regroup_mechanism(m, state)
    gamma = coefficients(x.m, unit_twists(x.m, x.joints), x.composites()).gamma
    n = range(m.joints)
    return [[[gamma.get((i, j, k), gamma.get((i, k, j), m.zero)) for k in n] for j in n] for i in n]


def _pair(body: Body[S], x: Twist[S], f: Vector[S], cloud: BodyMoments[S]) -> Vector[S]:
    """L_ab of a joint a with the twist x and the joint b of the body."""
    if body.revolute:
        return x.u.cross(f) + cloud.sigma @ x.w.cross(body.k)
    return x.u.cross(f) + x.w.cross(cloud.h).cross(body.k)
