"""The sum of parts, over any scalar: mass, CoM, inertia about any point (Xu, section III).

    m = sum s_i m_i        c = sum s_i m_i c_i / m
    I_P = sum s_i (R_i I_i R_i^T + m_i (d_i.d_i 1 - d_i d_i^T))        d_i = c_i - P

with s_i = -1 for a hole, I_i about the CoM of part i in its own axes, R_i and c_i in the axes of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, sqrt
from typing import Any, Generic

from dynamis.model.bodies.shapes import Error, Inertial
from dynamis.model.inertia import parallel_axis
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.scalars.vectors import Matrix, S, Vector, diagonal, skew


@dataclass(frozen=True)
class Piece(Generic[S]):
    """A part in the axes of the whole: its sign, mass, CoM, and inertia about its own CoM."""

    sign: int
    mass: S
    com: Vector[S]
    inertia: Matrix[S]

    def moved(self, R: Matrix[S], p: Vector[S]) -> Piece[S]:
        """In the frame in which this one's stands at p, turned by R."""
        return Piece(self.sign, self.mass, p + R @ self.com, R.times(self.inertia).times(R.T))

    def signed(self, sign: int) -> Piece[S]:
        """Taken away where `sign` is -1."""
        return Piece(self.sign * sign, self.mass, self.com, self.inertia)


def piece(inertial: Inertial, scalars: Scalars[S]) -> Piece[S]:
    """Mass, CoM and inertia of one solid in scalars."""
    com = Vector(*(evaluate(entry, scalars) for entry in inertial.com))
    inertia = Matrix(*(Vector(*(evaluate(entry, scalars) for entry in row)) for row in inertial.inertia))
    return Piece(1, evaluate(inertial.mass, scalars), com, inertia)


def _sum(pieces: Iterable[Piece[S]], value: Callable[[Piece[S]], Any], zero: Any) -> Any:
    """The values of the parts, less those of the holes."""
    for part in pieces:
        zero = zero + value(part) if part.sign > 0 else zero - value(part)
    return zero


def total_mass(pieces: Iterable[Piece[S]], scalars: Scalars[S]) -> S:
    """The sum of the masses, holes taken away."""
    return _sum(pieces, lambda part: part.mass, scalars.zero)


def first_moment(pieces: Iterable[Piece[S]], scalars: Scalars[S]) -> Vector[S]:
    """sum m_i c_i: the CoM times the mass."""
    zero = scalars.zero
    return _sum(pieces, lambda part: part.com * part.mass, Vector(zero, zero, zero))


def inertia_about(pieces: Sequence[Piece[S]], point: Vector[S], scalars: Scalars[S]) -> Matrix[S]:
    """The inertia about a point, in the axes that the parts are in."""
    zero = scalars.zero
    none = Vector(zero, zero, zero)

    def shifted(part: Piece[S]) -> Matrix[S]:
        return part.inertia + parallel_axis(part.mass, part.com - point, scalars)

    return _sum(pieces, shifted, Matrix(none, none, none))


def euler_matrix(inertia: Matrix[S], scalars: Scalars[S]) -> Matrix[S]:
    """J = trace(I)/2 1 - I, so that I = trace(J) 1 - J: the integral of r r^T dm."""
    half = (inertia.a.x + inertia.b.y + inertia.c.z) * scalars.constant(Fraction(1, 2))
    return diagonal(half, scalars.zero) - inertia


def twice_trace_energy(euler: Matrix[S], w: Vector[S], scalars: Scalars[S]) -> S:
    """trace(S J S^T) with S the skew-symmetric matrix of w: twice the rotational energy, which is w . I w."""
    turning = skew(w, scalars.zero)
    product = turning.times(euler).times(turning.T)
    return product.a.x + product.b.y + product.c.z


def trace_form(euler: Matrix[S], scalars: Scalars[S]) -> list[list[S]]:
    """The matrix Q with trace(S J S^T) = w . Q w for all w, from its values for unit vectors and their sums."""
    zero, one = scalars.zero, scalars.one
    units = [Vector(one, zero, zero), Vector(zero, one, zero), Vector(zero, zero, one)]
    half = scalars.constant(Fraction(1, 2))
    squares = [twice_trace_energy(euler, unit, scalars) for unit in units]

    def entry(i: int, j: int) -> S:
        if i == j:
            return squares[i]
        both: Any = twice_trace_energy(euler, units[i] + units[j], scalars)
        return (both - squares[i] - squares[j]) * half

    return [[entry(i, j) for j in range(3)] for i in range(3)]


def error_of(pieces: Sequence[Piece[float]], errors: Sequence[Error], mass: float, com: Vector[float]) -> Error:
    """The error of sums over parts from the errors of the parts.

    With d_i the distance of a CoM from that of the whole, |d.d 1 - d d^T| = sqrt(2) d^2 and e the errors of the parts:
    e_m = sum e_mi, e_c = sum((m_i + e_mi) e_ci + d_i e_mi) / (m - e_m),
    e_I = sum(e_Ii + sqrt(2) ((m_i + e_mi) (d_i + e_ci)^2 - m_i d_i^2)) + sqrt(2) (m + e_m) e_c^2.
    """
    root = sqrt(2)
    e_m = sum(error.mass for error in errors)
    moment = inertia = 0.0
    for part, error in zip(pieces, errors, strict=True):
        d = sqrt(sum((a - b) ** 2 for a, b in zip(part.com, com, strict=True)))
        m = part.mass + error.mass
        moment += m * error.com + d * error.mass
        inertia += error.inertia + root * (m * (2 * d * error.com + error.com**2) + error.mass * d**2)
    centre = moment / (mass - e_m) if e_m < mass else inf
    return Error(e_m, centre, inertia + root * (mass + e_m) * centre**2)
