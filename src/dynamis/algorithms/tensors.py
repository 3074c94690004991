"""Symmetric tensors, and joints as what they do to tensors: turn them about an axis in few operations.

A turn by q about z changes the six entries of a symmetric tensor T as

    a = s (T_xx - T_yy) + 2 c T_xy
    T_xx' = T_xx - s a      T_yy' = T_yy + s a      T_xy' = c a - T_xy      T_zz' = T_zz
    T_xz' = c T_xz - s T_yz      T_yz' = s T_xz + c T_yz

which is 8 multiplications and 8 additions, where R T R^T as two products has 24 and 12 (W. Khalil and
E. Dombre, Modeling, Identification and Control of Robots, 2002, section 9.6, customises so). A matrix B
that is not symmetric turns as well with T_xy + T_yx in the place of 2 T_xy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.algorithms.mechanism import Body, Mechanism, State, joint_transform
from dynamis.model.vectors import Matrix, S, Vector


@dataclass(frozen=True, slots=True)
class Symmetric(Generic[S]):
    """A symmetric 3x3 tensor by its six entries.

    >>> Symmetric(1, 2, 3, 4, 5, 6) @ Vector(0, 0, 1)
    Vector(x=5, y=6, z=3)
    """

    xx: S
    yy: S
    zz: S
    xy: S
    xz: S
    yz: S

    def __add__(self, other: Symmetric[S]) -> Symmetric[S]:
        a, b = self, other
        return Symmetric(a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz)

    def __sub__(self, other: Symmetric[S]) -> Symmetric[S]:
        a, b = self, other
        return Symmetric(a.xx - b.xx, a.yy - b.yy, a.zz - b.zz, a.xy - b.xy, a.xz - b.xz, a.yz - b.yz)

    def __mul__(self, f: S) -> Symmetric[S]:
        return Symmetric(self.xx * f, self.yy * f, self.zz * f, self.xy * f, self.xz * f, self.yz * f)

    def __matmul__(self, v: Vector[S]) -> Vector[S]:
        return self.full @ v

    @property
    def full(self) -> Matrix[S]:
        """All nine entries."""
        return Matrix(
            Vector(self.xx, self.xy, self.xz), Vector(self.xy, self.yy, self.yz), Vector(self.xz, self.yz, self.zz)
        )

    def seen_from(self, R: Matrix[S]) -> Symmetric[S]:
        """R T R^T: the tensor in the axes to which R takes."""
        a, b, c = (self @ row for row in R)
        return Symmetric(R.a.dot(a), R.b.dot(b), R.c.dot(c), R.a.dot(b), R.a.dot(c), R.b.dot(c))

    def about_z(self, c: S, s: S) -> Symmetric[S]:
        """The tensor turned about z by the angle with this cosine and sine."""
        a: Any = s * (self.xx - self.yy) + c * (self.xy + self.xy)
        return Symmetric(
            self.xx - s * a, self.yy + s * a, self.zz,
            c * a - self.xy, c * self.xz - s * self.yz, s * self.xz + c * self.yz,
        )  # fmt: skip


def square(v: Vector[S], factor: S) -> Symmetric[S]:
    """factor v v^T."""
    x, y, z = v * factor
    return Symmetric(v.x * x, v.y * y, v.z * z, v.x * y, v.x * z, v.y * z)


def both(u: Vector[S], v: Vector[S]) -> Symmetric[S]:
    """u v^T + v u^T."""
    return Symmetric(
        u.x * (v.x + v.x), u.y * (v.y + v.y), u.z * (v.z + v.z),
        u.x * v.y + u.y * v.x, u.x * v.z + u.z * v.x, u.y * v.z + u.z * v.y,
    )  # fmt: skip


def symmetric(full: Matrix[S]) -> Symmetric[S]:
    """The six entries of a matrix that is symmetric."""
    return Symmetric(full.a.x, full.b.y, full.c.z, full.a.y, full.a.z, full.b.z)


def matrix_about_z(B: Matrix[S], c: S, s: S) -> Matrix[S]:
    """R B R^T for a turn about z: 12 multiplications and 11 additions."""
    a: Any = s * (B.a.x - B.b.y) + c * (B.a.y + B.b.x)
    return Matrix(
        Vector(B.a.x - s * a, c * a - B.b.x, c * B.a.z - s * B.b.z),
        Vector(c * a - B.a.y, B.b.y + s * a, s * B.a.z + c * B.b.z),
        Vector(c * B.c.x - s * B.c.y, s * B.c.x + c * B.c.y, B.c.z),
    )


@dataclass(frozen=True, slots=True)
class Passage(Generic[S]):
    """A joint in a state: from link axes and the joint point P_i to its parent's axes and point.

    A turn about x, y or z is made there (`to_z` renames the axes) and `fixed` does the rest; about
    any other axis, `to_z` is None and the whole rotation R is applied.
    """

    R: Matrix[S]
    r: Vector[S]
    to_z: Matrix[S] | None
    fixed: Matrix[S]
    c: S
    s: S

    def symmetric(self, T: Symmetric[S]) -> Symmetric[S]:
        """R T R^T."""
        if self.to_z is None:
            return T.seen_from(self.R)
        return T.seen_from(self.to_z).about_z(self.c, self.s).seen_from(self.fixed)

    def matrix(self, B: Matrix[S]) -> Matrix[S]:
        """R B R^T."""
        if self.to_z is None:
            return _seen_from(self.R, B)
        return _seen_from(self.fixed, matrix_about_z(_seen_from(self.to_z, B), self.c, self.s))


def passages(m: Mechanism[S], state: State[S]) -> list[Passage[S]]:
    """Every joint in a state."""
    return [_passage(body, state, m) for body in m.bodies]


def axis_rates(
    m: Mechanism[S], state: State[S], joints: Sequence[Passage[S]]
) -> tuple[list[Vector[S]], list[Vector[S]]]:
    """Of every body its angular velocity w and the rate zd = w_parent x k of its joint axis, in its axes."""
    w: list[Vector[S]] = []
    zd: list[Vector[S]] = []
    for body, joint in zip(m.bodies, joints, strict=True):
        turning = m.null if body.parent is None else joint.R.T @ w[body.parent]
        zd.append(turning.cross(body.k))
        i = body.coordinate
        w.append(turning if i is None or not body.turns else turning + body.k * state.qd[i])
    return w, zd


def _passage(body: Body[S], state: State[S], m: Mechanism[S]) -> Passage[S]:
    R, r = joint_transform(body, state, m)
    i = body.coordinate
    named = _named_axis(body.k, m)
    if i is None or not body.turns or named is None:
        return Passage(R, r, None, R, m.one, m.zero)
    to_z, sense = named
    return Passage(R, r, to_z, body.R0.times(to_z.T), state.c[i], sense * state.s[i])


def _named_axis(k: Vector[S], m: Mechanism[S]) -> tuple[Matrix[S], S] | None:
    """The renaming of axes that takes k to z or -z, and which of them; None for an oblique axis."""
    x, y, z = (Vector(*(m.one if i == j else m.zero for j in range(3))) for i in range(3))
    if k.x == m.zero and k.y == m.zero:
        return Matrix(x, y, z), k.z
    if k.y == m.zero and k.z == m.zero:
        return Matrix(y, z, x), k.x
    if k.z == m.zero and k.x == m.zero:
        return Matrix(z, x, y), k.y
    return None


def _seen_from(R: Matrix[S], B: Matrix[S]) -> Matrix[S]:
    """R B R^T."""
    return R.times(B).times(R.T)
