"""Oblique joint axes made z: a mechanism whose links have other axes, so that fewer numbers differ from 0 and 1.

With B the rotation that takes k to z or to -z, whichever is nearer (v = k x z, c = k.z > 0; else with -z),

    B = 1 + S(v) + S(v) S(v) / (1 + c)

the link is described in the axes B x: R0' = B_p R0 B^T, t0' = B_p t0, com' = B com, I' = B I B^T. Joints move as
before, so all that is a function of q, qd, qdd and tau is the same; loads and frames on a link must be seen from the
new axes. (O. Rodrigues, 1840; J. J. Craig, Introduction to Robotics, 2005, section 2.8.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dynamis.algorithms.mechanism import Mechanism
from dynamis.algorithms.newton_euler import Wrench
from dynamis.algorithms.tensors import matrix_seen_from
from dynamis.model.vectors import Matrix, S, Vector, diagonal, skew


def named_axes(m: Mechanism[S]) -> tuple[Mechanism[S], list[Matrix[S] | None]]:
    """The same mechanism with joint axes along x, y or z, and for every body B or None where it has not changed.

    Only axes that are numbers can be changed; axes made of symbols stay as they are.

    >>> from dynamis import Joint, Link, Robot
    >>> from dynamis.algorithms.mechanism import mechanism
    >>> arm = Robot("oblique", (Link("arm", Joint("turn", axis=(3, 0, 4))),))
    >>> named_axes(mechanism(arm, arm.world()))[0].bodies[0].k
    Vector(x=0.0, y=0.0, z=1.0)
    """
    axes = [_to_z(body.k, m) for body in m.bodies]
    if not any(axes):
        return m, axes
    unit, bodies = diagonal(m.one, m.zero), list(m.bodies)
    for i, (body, own) in enumerate(zip(m.bodies, axes, strict=True)):
        B = own or unit
        on = None if body.parent is None else axes[body.parent]
        R0 = (on or unit).times(body.R0).times(B.T)
        along: Any = body.k if own is None else _z_or_minus_z(body.k, m)
        bodies[i] = replace(
            body, R0=R0, t0=(on or unit) @ body.t0, k=along, origin=B @ body.origin,
            com=B @ body.com, inertia=matrix_seen_from(B, body.inertia),
        )  # fmt: skip
    return replace(m, bodies=tuple(bodies)), axes


def seen_from(axes: Sequence[Matrix[S] | None], wrenches: Sequence[Wrench[S] | None]) -> Sequence[Wrench[S] | None]:
    """Wrenches on the bodies in the new axes; none given are none."""
    return [
        x if x is None or B is None else Wrench(B @ x.force, B @ x.moment)
        for B, x in zip(axes, wrenches or [None] * len(axes), strict=True)
    ]


def _z_or_minus_z(k: Vector[S], m: Mechanism[S]) -> Vector[S]:
    c: Any = k.z
    return Vector(m.zero, m.zero, m.one if c >= 0 else -m.one)


def _to_z(k: Vector[S], m: Mechanism[S]) -> Matrix[S] | None:
    """B, or None for an axis that has a name already or is not a number."""
    if sum(x == m.zero for x in k) >= 2 or not all(isinstance(x, float | Fraction) for x in k):
        return None
    z = _z_or_minus_z(k, m)
    V, c = skew(k.cross(z), m.zero), k.dot(z)
    return diagonal(m.one, m.zero) + V + V.times(V) * (m.one / (m.one + c))  # type: ignore[operator]
