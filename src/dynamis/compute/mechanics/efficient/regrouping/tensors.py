"""Symmetric tensors, and how to turn them about an axis in few operations.

A turn by q about z changes the six entries of a symmetric tensor T as

    a = s (T_xx - T_yy) + 2 c T_xy
    T_xx' = T_xx - s a      T_yy' = T_yy + s a      T_xy' = c a - T_xy      T_zz' = T_zz
    T_xz' = c T_xz - s T_yz      T_yz' = s T_xz + c T_yz

which is 8 multiplications and 8 additions, where R T R^T as two products has 24 and 12 (W. Khalil and
E. Dombre, Modeling, Identification and Control of Robots, 2002, section 9.6, customises so). A matrix B
that is not symmetric turns as well with T_xy + T_yx in the place of 2 T_xy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.mechanism import Mechanism, rotation
from dynamis.scalars.vectors import Matrix, S, Vector


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
class Turn(Generic[S]):
    """A turn by an angle about an axis: `turn(k, c, s, m)`.

    About x, y or z it is made as above (`to_z` renames the axes); about any other axis R is applied.
    """

    R: Matrix[S]
    c: S
    s: S
    to_z: Matrix[S] | None
    sense: S
    """1 or -1: whether the axis becomes z or -z."""

    def vector(self, v: Vector[S]) -> Vector[S]:
        return self.R @ v

    def symmetric(self, T: Symmetric[S]) -> Symmetric[S]:
        """R T R^T."""
        if self.to_z is None:
            return T.seen_from(self.R)
        return T.seen_from(self.to_z).about_z(self.c, self.sense * self.s).seen_from(self.to_z.T)

    def matrix(self, B: Matrix[S]) -> Matrix[S]:
        """R B R^T."""
        if self.to_z is None:
            return matrix_seen_from(self.R, B)
        return matrix_seen_from(
            self.to_z.T, matrix_about_z(matrix_seen_from(self.to_z, B), self.c, self.sense * self.s)
        )


def turn(k: Vector[S], c: S, s: S, m: Mechanism[S]) -> Turn[S]:
    """The turn about k by the angle with this cosine and sine."""
    R, o = rotation(k, c, s, m), m.zero
    x, y, z = (Vector(*(m.one if i == j else o for j in range(3))) for i in range(3))
    for first, second, along, axes in (
        (k.x, k.y, k.z, Matrix(x, y, z)),
        (k.y, k.z, k.x, Matrix(y, z, x)),
        (k.z, k.x, k.y, Matrix(z, x, y)),
    ):
        if first == o and second == o:
            return Turn(R, c, s, axes, along)
    return Turn(R, c, s, None, m.one)


def matrix_seen_from(R: Matrix[S], B: Matrix[S]) -> Matrix[S]:
    """R B R^T."""
    return R.times(B).times(R.T)


def acceleration_matrix(w: Vector[S], wd: Vector[S]) -> Matrix[S]:
    """U = S(wd) + S(w) S(w): the acceleration of a point r of a body is a + U r."""
    xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
    xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
    return Matrix(
        Vector(-(yy + zz), xy - wd.z, xz + wd.y),
        Vector(xy + wd.z, -(xx + zz), yz - wd.x),
        Vector(xz - wd.y, yz + wd.x, -(xx + yy)),
    )
