"""Joints in a state: how vectors and tensors pass from a body's axes and joint point to its parent's.

The axes of a body are those of its link, with one exception that saves most turns of arms like the UR5: where
all the joints that a link carries turn about axes parallel to its own (joints 2, 3, 4 of the UR5), its axes
are those of its link before its joint turned. Then nothing is turned on the way from body to body within
such a group but once, at its last body, by the sum of the angles:

    R0 Rot(k, q) with all of them      ->      R0, R0, ..., R0 Rot(k, q_1 + q_2 + ... )

and what belongs to a link that leans by the angle theta (its moments, its loads, where its children are) is
turned by theta. The joint axis k is the same vector in both. All vector equations hold in any axes; the device
is known as grouping parallel joints (W. Khalil, J.-F. Kleinfinger, Minimum operations and minimum parameters
of the dynamic models of tree structure robots, IEEE J. Robotics and Automation 3(6), 1987).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.efficient.regrouping.tensors import Symmetric, Turn, matrix_seen_from, turn
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State
from dynamis.scalars.vectors import Matrix, S, Vector, skew


@dataclass(frozen=True, slots=True)
class JointTransform(Generic[S]):
    """A joint in a state. R: to parent axes, by `turn` first and then by R0; r: P_parent to P_i, in parent axes.

    `turn` is None where nothing turns, or where two steps are not shorter than one; `fixed_tilt` is R0 where it turns
    about x by an angle that is not right. `own_rotation` takes vectors from
    link axes to the body's axes, where they are not the same.
    """

    R0: Matrix[S]
    fixed_tilt: Turn[S] | None
    turn: Turn[S] | None
    R: Matrix[S]
    r: Vector[S]
    own_rotation: Turn[S] | None

    def to_parent(self, v: Vector[S]) -> Vector[S]:
        """R v: to parent axes."""
        return self.R @ v if self.turn is None else self.R0 @ (self.turn.R @ v)

    def from_parent(self, v: Vector[S]) -> Vector[S]:
        """R^T v: from parent axes."""
        return self.R.T @ v if self.turn is None else self.turn.R.T @ (self.R0.T @ v)

    def symmetric(self, T: Symmetric[S]) -> Symmetric[S]:
        """R T R^T."""
        if self.turn is None:
            return T.seen_from(self.R)
        turned = self.turn.symmetric(T)
        return turned.seen_from(self.R0) if self.fixed_tilt is None else self.fixed_tilt.symmetric(turned)

    def matrix(self, B: Matrix[S]) -> Matrix[S]:
        """R B R^T."""
        if self.turn is None:
            return matrix_seen_from(self.R, B)
        turned = self.turn.matrix(B)
        return matrix_seen_from(self.R0, turned) if self.fixed_tilt is None else self.fixed_tilt.matrix(turned)

    def wrench(self, f: Vector[S], n: Vector[S]) -> tuple[Vector[S], Vector[S]]:
        """A force and a moment about the joint point, in the axes and about the joint point of the parent."""
        f = self.to_parent(f)
        return f, self.to_parent(n) + self.r.cross(f)


def joint_transforms(m: Mechanism[S], state: State[S]) -> list[JointTransform[S]]:
    """Every joint in a state."""
    joints: list[JointTransform[S]] = []
    for body, still in zip(m.bodies, _stand_still(m), strict=True):
        i, on = body.joint, None if body.parent is None else joints[body.parent].own_rotation
        r = body.t0 if i is None or body.revolute else body.t0 + body.R0 @ body.k * state.q[i]
        if i is None or not body.revolute:
            joints.append(JointTransform(body.R0, None, None, body.R0, r, None))
            continue
        c, s = state.c[i], state.s[i]
        if on is not None and body.parent is not None:
            # All angles are counted about this joint's axis; the parent's may point the other way.
            c, s = _sum(c, s, on, _sense(body, m.bodies[body.parent], m))
            r = on.vector(r)
        turned = turn(body.k, c, s, m)
        if still:
            joints.append(JointTransform(body.R0, None, None, body.R0, r, turned))
        else:
            R = _joint_rotation(body, c, s, m)
            dense = turned.to_z is None or not any(x == m.zero for row in body.R0 for x in row)
            joints.append(JointTransform(body.R0, _fixed_tilt(body.R0, m), None if dense else turned, R, r, None))
    return joints


def axis_rates(
    m: Mechanism[S], state: State[S], joints: Sequence[JointTransform[S]]
) -> tuple[list[Vector[S]], list[Vector[S]]]:
    """Per body, its angular velocity w and the rate zd = w_parent x k of its joint axis, in its axes."""
    w: list[Vector[S]] = []
    zd: list[Vector[S]] = []
    for body, joint in zip(m.bodies, joints, strict=True):
        w_parent = m.null if body.parent is None else joint.from_parent(w[body.parent])
        zd.append(w_parent.cross(body.k))
        i = body.joint
        w.append(w_parent if i is None or not body.revolute else w_parent + body.k * state.qd[i])
    return w, zd


def _stand_still(m: Mechanism[S]) -> list[bool]:
    """The bodies that turn and carry only joints that turn about a parallel axis."""
    carried: list[list[Body[S]]] = [[] for _ in m.bodies]
    for body in m.bodies:
        if body.parent is not None:
            carried[body.parent].append(body)
    return [
        body.joint is not None
        and body.revolute
        and bool(on)
        and all(child.joint is not None and child.revolute and _parallel(child, body) for child in on)
        for body, on in zip(m.bodies, carried, strict=True)
    ]


def _parallel(child: Body[S], parent: Body[S]) -> bool:
    z = list(child.R0 @ child.k)
    return z == list(parent.k) or z == list(-parent.k)


def _sense(child: Body[S], parent: Body[S], m: Mechanism[S]) -> S:
    """1 or -1: whether the joint axes point the same way."""
    return m.one if list(child.R0 @ child.k) == list(parent.k) else -m.one


def _joint_rotation(body: Body[S], c: S, s: S, m: Mechanism[S]) -> Matrix[S]:
    """R0 Rot(k, q) = z k^T + c (R0 - z k^T) + s R0 S(k), with z = R0 k."""
    along = (body.R0 @ body.k).outer(body.k)
    return along + (body.R0 - along) * c + body.R0.times(skew(body.k, m.zero)) * s


def _fixed_tilt(R0: Matrix[S], m: Mechanism[S]) -> Turn[S] | None:
    """R0 as a turn about x, if it is one and no renaming of axes."""
    x, c = Vector(m.one, m.zero, m.zero), R0.b.y
    if list(R0.a) != list(x) or list(R0.T.a) != list(x) or c == m.zero or R0.c.y == m.zero:
        return None
    return turn(x, c, R0.c.y, m)


def _sum(c: Any, s: Any, on: Turn[Any], sense: Any) -> tuple[Any, Any]:
    """Cosine and sine of the sum of two angles."""
    return c * on.c - s * on.s * sense, s * on.c + c * on.s * sense
