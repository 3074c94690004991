"""The mass matrix of long chains: composite bodies, their wrenches in a few common frames.

As in `composite_body`, column j of M is what the joints give when only joint j accelerates, with 1. There its wrench
passes through every joint on the way to the base. Here up to `FRAME_SPAN` bodies in a row share the frame of the one
nearest to the base, and a wrench (f, n) in this frame gives the entries of all their joints:

    M_ij = w_i.n + u_i.f       w_i = z_i, u_i = P_i x z_i  (revolute)       w_i = 0, u_i = z_i  (prismatic)

z_i is the joint axis, P_i the joint point. An entry takes 6 products, and a wrench is turned between frames only. One
frame for all would take a twentieth less, but rounding grows with the levers: for 100 joints at right angles the worst
entry is off by 4.1e-15 sqrt(M_ii M_jj) in one frame, by 1.1e-15 with spans of 24 and by 0.9e-15 joint by joint.

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2, in common coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.coupling import projected_matrix
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import JointTransform
from dynamis.compute.mechanics.efficient.regrouping.regrouped import Regrouped, regroup_mechanism
from dynamis.compute.mechanics.mechanism import Mechanism, State
from dynamis.scalars.vectors import Matrix, S, Vector, diagonal

FRAME_SPAN = 24
"""Bodies in a row that share a frame: whole tiles of 4 or 8 joints, which the LLVM backend makes in a loop."""


@dataclass(frozen=True, slots=True)
class _Shared(Generic[S]):
    """A body in the frame of its span, or the frame of a span in that of the span before it: axes R, point p."""

    span: int
    """The first body of the span, whose frame it is."""
    place: int
    """How many bodies of the span are nearer to the base."""
    R: Matrix[S]
    p: Vector[S]

    def wrench(self, f: Vector[S], n: Vector[S], m: Mechanism[S]) -> tuple[Vector[S], Vector[S]]:
        """A force and a moment about the body's point, in the frame of the span."""
        f = self.R @ f
        return _values(f, m), _values(self.R @ n + self.p.cross(f), m)


def mass_matrix(m: Mechanism[S], state: State[S], span: int = FRAME_SPAN) -> list[list[S]]:
    """M(q), symmetric, (n, n) [kg m^2, kg m or kg]; rotors are on the diagonal.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2)
    >>> m = mechanism(arm, arm.floats())
    >>> mass_matrix(m, state_at(m, [0.0, 0.0]))
    [[3.0, 0.0], [0.0, 2.0]]
    """
    return projected_matrix(m.coupling, joint_entries(regroup_mechanism(m, state), span), symmetric=True)


def joint_entries(x: Regrouped[S], span: int = FRAME_SPAN) -> list[list[S]]:
    """M of the moving joints, coupled ones too."""
    m, bodies = x.m, x.m.bodies
    on, before = _shared_frames(x, span)
    w: list[Vector[S]] = []
    u: list[Vector[S]] = []
    for body, frame in zip(bodies, on, strict=True):
        z = frame.R @ body.k
        w.append(_values(z, m) if body.revolute else m.null)
        u.append(_values(frame.p.cross(z) if body.revolute else z, m))
    M = [[m.zero] * m.joints for _ in range(m.joints)]
    for i, (body, composite) in enumerate(zip(bodies, x.composites(), strict=True)):
        if (column := body.joint) is None:
            continue
        f, n = composite.carried_by(body)
        M[column][column] = body.k.dot(n if body.revolute else f) + body.rotor
        f, n = on[i].wrench(f, n, m)
        here, j = on[i].span, body.parent
        while j is not None:
            if on[j].span != here:
                f, n = before[here].wrench(f, n, m)
                here = on[j].span
            if (row := bodies[j].joint) is not None:
                entry: Any = w[j].dot(n) + u[j].dot(f)
                M[row][column] = M[column][row] = entry
            j = bodies[j].parent
    return M


def are_shorter(x: Regrouped[S]) -> bool:
    """Whether common frames take a tenth fewer fused products than to carry every wrench through every joint.

    What both need, the composite bodies and the diagonal, is not counted. So oblique chains have common frames from 11
    joints on, chains with right angles from 28; joints with parallel axes take so few operations that they never have.
    """
    through, common = 0, 0
    carrying: list[int] = []
    below = [int(body.joint is not None) for body in x.m.bodies]
    for i in reversed(range(len(below))):
        if (p := x.m.bodies[i].parent) is not None:
            below[p] += below[i]
    for i, (body, joint) in enumerate(zip(x.m.bodies, x.joints, strict=True)):
        p = body.parent
        carrying.append(0 if p is None else carrying[p] + (x.m.bodies[p].joint is not None))
        if p is not None:
            turn, lever = _products(joint), sum(not _is_one_of(v, 0) for v in joint.r)
            through += below[i] * (2 * turn + 2 * lever)
            common += 3 * turn + 3 * lever
            if body.joint is not None:
                common += 6 * carrying[i] + (carrying[i] // FRAME_SPAN + 1) * 24 + 6
    return common < 0.9 * through


def _products(joint: JointTransform[S]) -> int:
    """Multiplications that turn a vector."""
    matrices = [joint.R] if joint.turn is None else [joint.R0, joint.turn.R]
    return sum(not _is_one_of(v, 0, 1, -1) for R in matrices for row in R for v in row)


def _is_one_of(value: Any, *numbers: float) -> bool:
    """Whether it is known to be one of them; expressions of CasADi cannot be compared."""
    return isinstance(value, float) and value in numbers


def _shared_frames(x: Regrouped[S], span: int) -> tuple[list[_Shared[S]], dict[int, _Shared[S]]]:
    """Every body in the frame of its span; and the first body of each span in the frame of the span before it."""
    m = x.m
    on: list[_Shared[S]] = []
    before: dict[int, _Shared[S]] = {}
    for i, (body, joint) in enumerate(zip(m.bodies, x.joints, strict=True)):
        frame = _Shared(i, 0, diagonal(m.one, m.zero), m.null)
        if body.parent is not None:
            p = on[body.parent]
            R = Matrix(*(joint.from_parent(row) for row in p.R))
            follows = _Shared(p.span, p.place + 1, R, p.p + p.R @ joint.r)
            if follows.place < span:
                frame = follows
            else:
                before[i] = follows
        on.append(frame)
    return on, before


def _values(v: Vector[S], m: Mechanism[S]) -> Vector[S]:
    """The vector with its signs in its entries, so that the sums of products with it are alike (`Scalars.value`)."""
    return Vector(*(m.scalars.value(x) for x in v))
