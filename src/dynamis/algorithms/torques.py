"""Inverse dynamics in the fewest operations: Newton-Euler in moments about the joint points.

Outward, with the acceleration matrix U = S(wd) + S(w) S(w) of each link, z its joint axis:

    w  = R^T w_p + z qd                        wd = R^T wd_p + (R^T w_p) x z qd + z qdd    revolute
    a  = R^T (a_p + U_p r) [+ 2 w x z qd + z qdd]                                          [prismatic]

Inward, with mass m, first moment h and second moments Sigma about the joint point:

    f = m a + U h + sum R_j f_j
    n = 2 vex(U Sigma) + h x a + sum (R_j n_j + r_j x R_j f_j)      (2 vex A)_x = A_zy - A_yz
    tau = n_z or f_z, + rotor qdd + damping qd + coulomb sign(qd)

Rotations are applied one after the other, the joint's and the fixed one, and never multiplied out.
Source: W. Khalil and E. Dombre, Modeling, Identification and Control of Robots, 2002, section 9.5;
the acceleration matrix: P. C. Hughes, Spacecraft Attitude Dynamics, 1986; it takes 13 products a link
for the moment where J wd + w x J w takes 24.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from dynamis.algorithms.mechanism import State
from dynamis.algorithms.regrouped import Lump, Moments, Regrouped
from dynamis.model.vectors import Matrix, S, Vector


@dataclass(frozen=True, slots=True)
class _Motion(Generic[S]):
    r: Vector[S]
    w: Vector[S]
    wd: Vector[S]
    a: Vector[S]
    U: Matrix[S]


def torques(m: Regrouped[S], state: State[S], gravity: Vector[S] | None = None) -> list[S]:
    """tau(q, qd, qdd) [N m or N], as `newton_euler` gives it, without loads.

    >>> from dynamis import load
    >>> from dynamis.algorithms.mechanism import float_state, mechanism
    >>> from dynamis.algorithms.regrouped import regroup
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> torques(regroup(mechanism(arm, arm.world())), float_state([0.0, 0.0], [0.0, 0.0], [0.0, 3.0]))
    [30.0, 6.0]
    """
    zero = m.zero
    null = Vector(zero, zero, zero)
    still = Matrix(null, null, null)
    base = _Motion(null, null, null, -(m.gravity if gravity is None else gravity), still)
    motions: list[_Motion[S]] = []
    for i, lump in enumerate(m.lumps):
        motions.append(_outward(lump, i, state, base if lump.parent is None else motions[lump.parent]))
    force: list[Vector[S]] = []
    moment: list[Vector[S]] = []
    for lump, x in zip(m.lumps, motions, strict=True):
        own = lump.moments
        force.append(x.a * own.m + x.U @ own.h)
        moment.append(_turning(x, own) + own.h.cross(x.a))
    for i in reversed(range(len(m.lumps))):
        lump = m.lumps[i]
        if lump.parent is not None:
            passed = _to_parent(lump, i, state, force[i])
            force[lump.parent] = force[lump.parent] + passed
            turned = _to_parent(lump, i, state, moment[i])
            moment[lump.parent] = moment[lump.parent] + turned + motions[i].r.cross(passed)
    return [
        (moment[i].z if lump.turns else force[i].z)
        + lump.rotor * state.qdd[i]
        + lump.damping * state.qd[i]
        + lump.coulomb * state.sign[i]
        for i, lump in enumerate(m.lumps)
    ]


def _outward(lump: Lump[S], i: int, state: State[S], p: _Motion[S]) -> _Motion[S]:
    qd, qdd = state.qd[i], state.qdd[i]
    r = lump.t0 if lump.turns else lump.t0 + Vector(lump.R0.a.z, lump.R0.b.z, lump.R0.c.z) * state.q[i]
    w, wd = _to_child(lump, i, state, p.w), _to_child(lump, i, state, p.wd)
    a = _to_child(lump, i, state, p.a + p.U @ r)
    if lump.turns:
        wd = Vector(wd.x + w.y * qd, wd.y - w.x * qd, wd.z + qdd)
        w = Vector(w.x, w.y, w.z + qd)
    else:
        twice: Any = qd + qd
        a = Vector(a.x + w.y * twice, a.y - w.x * twice, a.z + qdd)
    return _Motion(r, w, wd, a, acceleration_matrix(w, wd))


def acceleration_matrix(w: Vector[S], wd: Vector[S]) -> Matrix[S]:
    """U = S(wd) + S(w) S(w): the acceleration of a point r of a body is a + U r."""
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    return Matrix(
        Vector(-(yy + zz), xy - wd.z, xz + wd.y),
        Vector(xy + wd.z, -(xx + zz), yz - wd.x),
        Vector(xz - wd.y, yz + wd.x, -(xx + yy)),
    )


def _turning(x: _Motion[S], own: Moments[S]) -> Vector[S]:
    """2 vex(U Sigma) = I wd + w x I w, with the products of one moment of inertia taken together."""
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = x.U
    w, s = x.w, own.sigma
    xx2, yy2, zz2 = w.x * w.x, w.y * w.y, w.z * w.z
    return Vector(
        s.b.y * zy - s.c.z * yz + s.a.y * zx - s.a.z * yx + s.b.z * (zz2 - yy2),
        s.c.z * xz - s.a.x * zx + s.b.z * xy - s.a.y * zy + s.a.z * (xx2 - zz2),
        s.a.x * yx - s.b.y * xy + s.a.z * yz - s.b.z * xz + s.a.y * (yy2 - xx2),
    )


def _to_child(lump: Lump[S], i: int, state: State[S], v: Vector[S]) -> Vector[S]:
    u = lump.R0.T @ v
    if not lump.turns:
        return u
    c, s = state.c[i], state.s[i]
    return Vector(u.x * c + u.y * s, u.y * c - u.x * s, u.z)


def _to_parent(lump: Lump[S], i: int, state: State[S], v: Vector[S]) -> Vector[S]:
    if not lump.turns:
        return lump.R0 @ v
    c, s = state.c[i], state.s[i]
    return lump.R0 @ Vector(v.x * c - v.y * s, v.x * s + v.y * c, v.z)
