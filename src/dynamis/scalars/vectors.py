"""Vectors and matrices of three dimensions, over any scalar.

The entries are scalars of any kind: floats, polynomials, CasADi expressions. Only + - * are used, so
zeros and ones disappear by themselves in the kinds that fold them.

>>> x, y = Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0)
>>> x.cross(y)
Vector(x=0.0, y=0.0, z=1.0)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from dynamis.scalars.scalars import S


@dataclass(frozen=True, slots=True)
class Vector(Generic[S]):
    """A vector of three scalars."""

    x: S
    y: S
    z: S

    def __iter__(self) -> Iterator[S]:
        yield self.x
        yield self.y
        yield self.z

    def __add__(self, other: Vector[S]) -> Vector[S]:
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other: Vector[S]) -> Vector[S]:
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __neg__(self) -> Vector[S]:
        return Vector(-self.x, -self.y, -self.z)

    def __mul__(self, factor: S) -> Vector[S]:
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def dot(self, other: Vector[S]) -> S:
        return self.x * other.x + self.y * other.y + self.z * other.z

    def cross(self, other: Vector[S]) -> Vector[S]:
        return Vector(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )

    def outer(self, other: Vector[S]) -> Matrix[S]:
        return Matrix(other * self.x, other * self.y, other * self.z)


@dataclass(frozen=True, slots=True)
class Matrix(Generic[S]):
    """A 3x3 matrix by its rows."""

    a: Vector[S]
    b: Vector[S]
    c: Vector[S]

    def __iter__(self) -> Iterator[Vector[S]]:
        yield self.a
        yield self.b
        yield self.c

    @property
    def T(self) -> Matrix[S]:
        a, b, c = self.a, self.b, self.c
        return Matrix(Vector(a.x, b.x, c.x), Vector(a.y, b.y, c.y), Vector(a.z, b.z, c.z))

    def __add__(self, other: Matrix[S]) -> Matrix[S]:
        return Matrix(self.a + other.a, self.b + other.b, self.c + other.c)

    def __sub__(self, other: Matrix[S]) -> Matrix[S]:
        return Matrix(self.a - other.a, self.b - other.b, self.c - other.c)

    def __mul__(self, factor: S) -> Matrix[S]:
        return Matrix(self.a * factor, self.b * factor, self.c * factor)

    def __matmul__(self, v: Vector[S]) -> Vector[S]:
        return Vector(self.a.dot(v), self.b.dot(v), self.c.dot(v))

    def times(self, other: Matrix[S]) -> Matrix[S]:
        """The product of two matrices."""
        columns = other.T
        return Matrix(columns @ self.a, columns @ self.b, columns @ self.c)


def diagonal(x: S, zero: S) -> Matrix[S]:
    """x times the unit matrix."""
    return Matrix(Vector(x, zero, zero), Vector(zero, x, zero), Vector(zero, zero, x))


def skew(v: Vector[S], zero: S) -> Matrix[S]:
    """The matrix S(v) with S(v) u = v x u."""
    return Matrix(Vector(zero, -v.z, v.y), Vector(v.z, zero, -v.x), Vector(-v.y, v.x, zero))
