"""A mechanism regrouped for torques: the same torques from fewer inertial parameters.

Three freedoms that no torque can see are used up:

1. Link axes. Every joint axis becomes the z axis of its link.
2. Fixed joints. Their links are part of the link that carries them.
3. Where mass is. A mass distribution on the axis of a revolute joint moves with the parent just as
   with the link, so its mass, first and second moment on the axis pass to the parent; a link on a
   prismatic joint turns as its parent does, so its second moments pass. What the base gets is gone.

A link's inertia is here about its joint point P: mass m, first moment h = m c, and the second
moments Sigma = integral of r r^T dm = 1/2 tr(I_P) 1 - I_P.
Torques stay, reactions do not. Source: M. Gautier and W. Khalil, Direct calculation of minimum set
of inertial parameters of serial robots, IEEE Trans. Robotics and Automation 6(3), 1990.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, Generic

from dynamis.algorithms.mechanism import Body, Mechanism
from dynamis.model.vectors import Matrix, S, Vector, diagonal


@dataclass(frozen=True, slots=True)
class Moments(Generic[S]):
    """Mass, first moment and second moments of a body about a point."""

    m: S
    h: Vector[S]
    sigma: Matrix[S]

    def __add__(self, other: Moments[S]) -> Moments[S]:
        return Moments(self.m + other.m, self.h + other.h, self.sigma + other.sigma)

    def __sub__(self, other: Moments[S]) -> Moments[S]:
        return Moments(self.m - other.m, self.h - other.h, self.sigma - other.sigma)

    def seen_from(self, R: Matrix[S], p: Vector[S]) -> Moments[S]:
        """In other axes and about another point: r' = R r + p."""
        h = R @ self.h
        cross = h.outer(p)
        sigma = R.times(self.sigma).times(R.T) + cross + cross.T + p.outer(p) * self.m
        return Moments(self.m, h + p * self.m, sigma)


@dataclass(frozen=True, slots=True)
class Lump(Generic[S]):
    """A moving link of the regrouped mechanism; its joint's axis is z. Otherwise as `Body`."""

    parent: int | None
    turns: bool
    R0: Matrix[S]
    t0: Vector[S]
    moments: Moments[S]
    rotor: S
    damping: S
    coulomb: S


@dataclass(frozen=True, slots=True)
class Regrouped(Generic[S]):
    """The moving links, one a coordinate and in the order of q, parents first; gravity in base axes."""

    lumps: tuple[Lump[S], ...]
    gravity: Vector[S]
    zero: S


def regroup(m: Mechanism[S]) -> Regrouped[S]:
    """The regrouped mechanism: same torques for every motion, fewer parameters."""
    lumps: list[Lump[S]] = []
    moments: list[Moments[S]] = []
    seat: list[tuple[int | None, Matrix[S], Vector[S]]] = []  # lump, axes and joint point of every body on it
    unit = diagonal(m.one, m.zero)
    for body in m.bodies:
        on, R, p = (None, unit, m.null) if body.parent is None else seat[body.parent]
        R0, t0 = R.times(body.R0), p + R @ body.t0
        if body.coordinate is None:
            seat.append((on, R0, t0))
            if on is not None:
                moments[on] = moments[on] + moments_of(body, m).seen_from(R0, t0)
            continue
        B = axes_with_z(body.k, m)
        seat.append((len(lumps), B, m.null))
        lumps.append(
            Lump(on, body.turns, R0.times(B.T), t0, moments_of(body, m), body.rotor, body.damping, body.coulomb)
        )
        moments.append(moments_of(body, m).seen_from(B, m.null))
    for i in reversed(range(len(lumps))):
        moved, kept = _movable(lumps[i], moments[i], m)
        moments[i] = kept
        parent = lumps[i].parent
        if parent is not None:
            moments[parent] = moments[parent] + moved.seen_from(lumps[i].R0, lumps[i].t0)
    regrouped = [
        Lump(x.parent, x.turns, x.R0, x.t0, own, x.rotor, x.damping, x.coulomb)
        for x, own in zip(lumps, moments, strict=True)
    ]
    return Regrouped(tuple(regrouped), m.gravity, m.zero)


def moments_of(body: Body[S], m: Mechanism[S]) -> Moments[S]:
    """A body's moments about its joint point: Sigma = 1/2 tr(I_C) 1 - I_C + m c c^T."""
    c, I = body.com, body.inertia  # noqa: E741
    half: Any = m.one / (m.one + m.one)  # type: ignore[operator]
    trace: Any = I.a.x + I.b.y + I.c.z
    return Moments(body.mass, c * body.mass, diagonal(trace * half, m.zero) - I + c.outer(c) * body.mass)


def _movable(lump: Lump[S], own: Moments[S], m: Mechanism[S]) -> tuple[Moments[S], Moments[S]]:
    """What may pass to the parent, and what stays."""
    none = diagonal(m.zero, m.zero)
    s, null = own.sigma, m.null
    if not lump.turns:
        return Moments(m.zero, null, s), Moments(own.m, own.h, none)
    on_axis = Moments(own.m, Vector(m.zero, m.zero, own.h.z), Matrix(null, null, Vector(m.zero, m.zero, s.c.z)))
    return on_axis, own - on_axis


def axes_with_z(k: Vector[S], m: Mechanism[S]) -> Matrix[S]:
    """A rotation B with B k = z: a permutation with signs where k is an axis, else k must be of floats."""
    o, i = m.zero, m.one
    x, y, z = Vector(i, o, o), Vector(o, i, o), Vector(o, o, i)
    for axis, rows in (
        (z, (x, y, z)), (-z, (x, -y, -z)), (x, (y, z, x)), (-x, (z, y, -x)), (y, (z, x, y)), (-y, (x, z, -y)),
    ):  # fmt: skip
        if list(k) == list(axis):
            return Matrix(*rows)
    a: Any = min((abs(k.x), x), (abs(k.y), y), (abs(k.z), z), key=lambda pair: pair[0])[1]  # type: ignore[arg-type]
    across: Any = a.cross(k)
    across = across * (1 / sqrt(across.dot(across)))
    return Matrix(across, k.cross(across), k)
