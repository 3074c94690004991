"""Other axes for the same links, as Denavit and Hartenberg lay them, so that more numbers are 0 and 1.

A link may be described in any axes and its joint point may be anywhere on its joint axis: what is a function of q, qd,
qdd and tau stays the same. Where the given frames make dense rotations R0, the axes of a link that turns become

    z along its joint axis,      x along z cross the next joint's axis (their common normal)

and the joint point of the next link becomes the one nearest to z, up to a shift along z. Then the next joint has

    R0 = Rot(x, alpha),      t0 = (a, 0, d),      q + theta in the place of q

which is 4 numbers instead of 12. Frames that are simple already (right angles, D-H) stay as they are, and axes that
are symbols do. Loads and frames on a link must be seen from its new axes and point (`FrameChange`).

Source: J. Denavit, R. S. Hartenberg, A kinematic notation for lower-pair mechanisms based on matrices, J. Applied
Mechanics 22, 1955; in the form of J. J. Craig, Introduction to Robotics, 2005, section 3.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Any, Generic

from dynamis.compute.mechanics.efficient.regrouping.tensors import matrix_seen_from
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State, Wrench
from dynamis.scalars.vectors import Matrix, S, Vector, diagonal

# Axes are parallel below the first angle [rad]; joint points are not shifted to the common normal below the second.
PARALLEL_ANGLE, STEEP_ANGLE = 1e-12, 0.05


@dataclass(frozen=True, slots=True)
class FrameChange(Generic[S]):
    """How to see a link anew: its axes turned by B, its joint point shifted by `shift` (in the new axes)."""

    B: Matrix[S]
    shift: Vector[S]

    def wrench(self, x: Wrench[S]) -> Wrench[S]:
        """In the new axes, about the new joint point."""
        f = self.B @ x.force
        return Wrench(f, self.B @ x.moment - self.shift.cross(f))


def align_frames(m: Mechanism[S], state: State[S]) -> tuple[Mechanism[S], State[S], list[FrameChange[S] | None]]:
    """The mechanism and its state in such axes, and for every body its view, or None where it has not changed.

    >>> from dynamis import Joint, Link, Robot
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = Robot("oblique", (Link("arm", Joint("turn", axis=(3, 0, 4))),))
    >>> m = mechanism(arm, arm.floats())
    >>> align_frames(m, state_at(m, [0.0]))[0].bodies[0].k
    Vector(x=0.0, y=0.0, z=1.0)
    """
    following = _following(m)
    turned = _new_axes(m, following)
    if not any(turned):
        return m, state, [None] * len(m.bodies)
    unit = diagonal(m.one, m.zero)
    bodies: list[Body[S]] = []
    shifts: list[Vector[S]] = []
    c, s = list(state.c), list(state.s)
    for i, body in enumerate(m.bodies):
        p, B = body.parent, turned[i] or unit
        on = unit if p is None else turned[p] or unit
        fixed, t0, k = on.times(body.R0).times(B.T), on @ body.t0, body.k
        t0 = t0 if p is None else t0 - shifts[p]
        shift: Any = m.null
        if turned[i] is not None:
            k = Vector(m.zero, m.zero, m.one)
            if p is not None and turned[p] is not None and following[p] == i and (j := body.joint) is not None:
                fixed, t0, shift, (c0, s0) = _line_to_line(fixed, t0)
                c[j], s[j] = _any(c[j]) * c0 - _any(s[j]) * s0, _any(s[j]) * c0 + _any(c[j]) * s0
        shifts.append(shift)
        bodies.append(
            replace(
                body, R0=fixed, t0=t0, k=k, origin=B @ body.origin - shift, com=B @ body.com - shift,
                inertia=matrix_seen_from(B, body.inertia),
            )
        )  # fmt: skip
    changes = [None if B is None else FrameChange(B, shift) for B, shift in zip(turned, shifts, strict=True)]
    return replace(m, bodies=tuple(bodies)), replace(state, c=c, s=s), changes


def _new_axes(m: Mechanism[S], following: Sequence[int | None]) -> list[Matrix[S] | None]:
    """B of every body, or None where its axes stay."""
    axes: list[Matrix[S] | None] = []
    for i, body in enumerate(m.bodies):
        if body.joint is None or not body.revolute or not all(isinstance(x, float) for x in body.k):
            axes.append(None)
            continue
        p, after = body.parent, None if (j := following[i]) is None else m.bodies[j]
        dense = after is not None and (_zeros(after.R0) < 4 or _oblique(after))
        followed = p is not None and axes[p] is not None and following[p] == i
        if dense or followed or _oblique(body):
            axes.append(_axes(body, after))
        else:
            axes.append(None)
    return axes


def _following(m: Mechanism[S]) -> list[int | None]:
    """Per body, the first revolute joint on it, if its frame is made of numbers."""
    first: list[int | None] = [None] * len(m.bodies)
    for i, body in enumerate(m.bodies):
        p, entries = body.parent, (*body.k, *body.t0, *(x for row in body.R0 for x in row))
        turns = body.joint is not None and body.revolute and all(isinstance(x, float) for x in entries)
        if turns and p is not None and first[p] is None:
            first[p] = i
    return first


def _oblique(body: Body[S]) -> bool:
    """Whether the joint axis is none of x, y, z."""
    return sum(x == 0 for x in body.k) < 2


def _zeros(R: Matrix[S]) -> int:
    return sum(x == 0 for row in R for x in row)


def _axes(body: Body[Any], following: Body[Any] | None) -> Matrix[Any]:
    """Rows x, y, z of the new axes: x along the common normal, or if there is none, by the nearest coordinate axis."""
    z = body.k
    x, size = Vector(0.0, 0.0, 0.0), 0.0
    if following is not None:
        x = z.cross(following.R0 @ following.k)
        size = _norm(x)
        if size < PARALLEL_ANGLE:
            x = following.t0 - z * z.dot(following.t0)
            size = _norm(x)
    if size < PARALLEL_ANGLE:
        least = min(range(3), key=lambda a: abs([*z][a]))
        e = Vector(*(float(a == least) for a in range(3)))
        x = e - z * z.dot(e)
        size = _norm(x)
    x = x * (1 / size)
    return Matrix(x, z.cross(x), z)


def _line_to_line(R0: Matrix[Any], t0: Vector[Any]) -> tuple[Matrix[Any], Vector[Any], Vector[Any], tuple[Any, Any]]:
    """Rot(x, alpha), t0, the shift of the joint point along its axis and (cos, sin) of theta.

    R0 = Rot(x, alpha) Rot(z, theta); the parent's x is the common normal of both axes.
    """
    columns = R0.T
    y, z = columns.c.y, columns.c.z
    parallel = abs(y) < PARALLEL_ANGLE
    y, z = (0.0, 1.0 if z > 0 else -1.0) if parallel else (y, z)
    # sin(alpha) = -y and cos(alpha) = z.
    alpha = Matrix(Vector(1.0, 0.0, 0.0), Vector(0.0, z, y), Vector(0.0, -y, z))
    theta = alpha.T @ columns.a
    shift = -t0.z * z if parallel else -t0.y / y if abs(y) > STEEP_ANGLE else 0.0
    moved = t0 + Vector(0.0, y, z) * shift
    if parallel:
        moved = Vector(moved.x, moved.y, 0.0)
    elif shift != 0:
        moved = Vector(moved.x, 0.0, moved.z)
    return alpha, moved, Vector(0.0, 0.0, shift), (theta.x, theta.y)


def _norm(v: Vector[Any]) -> float:
    return hypot(*v)


def _any(x: Any) -> Any:
    return x
