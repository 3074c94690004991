"""Planar arms whose link frames leave the plane, as D-H frames before a prismatic joint do.

Each frame has two axes in the plane, in some order, if it is turned by quarter turns. With these in the place of x and
y (and the normal in that of z) the arm is calculated in two dimensions; nothing but the order of components changes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from dynamis.compute.mechanics.mechanism import Body, Mechanism
from dynamis.exact.derivations.robots.plane import Plane, plane_normals, plane_of, why_spatial
from dynamis.exact.equations import Equations
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.scalars import ExactScalars
from dynamis.scalars.vectors import Matrix, Vector


@dataclass(frozen=True)
class Setting:
    """Where the steps of an arm are calculated: in a plane, or for a `reason` in space; with its frames or others."""

    plane: Plane | None
    model: Equations
    reason: str = ""


def setting_of(model: Equations) -> Setting:
    """The plane of an arm, with its own frames or with turned ones; loads are given in its own."""
    plane = plane_of(model)
    turns = None if plane is not None or model.loads else _turns(model)
    if turns is not None:
        turned = _Turned(model.robot, model.numeric, model.seconds, model.memory, original=model, turns=turns)
        if (plane := plane_of(turned)) is not None:
            letters = tuple("".join("xyz"[_axis(column)] for column in _columns(R, plane)) for R in turns)
            return Setting(replace(plane, frames=letters), turned)
    return Setting(plane, model, why_spatial(model, plane))


@dataclass(frozen=True, eq=False)
class _Turned(Equations):
    """The model with the frames of its links turned: R_old takes components in the new axes to those in the old."""

    original: Equations | None = None
    turns: tuple[Matrix[Exact], ...] = ()

    @cached_property
    def scalars(self) -> ExactScalars:
        assert self.original is not None
        return self.original.scalars

    @cached_property
    def mechanism(self) -> Mechanism[Exact]:
        assert self.original is not None
        mechanism = self.original.mechanism
        bodies = zip(mechanism.bodies, self.turns, strict=True)
        return replace(mechanism, bodies=tuple(self._turned(body, R) for body, R in bodies))

    def _turned(self, body: Body[Exact], R: Matrix[Exact]) -> Body[Exact]:
        back = R.T
        turned = replace(
            body, R0=body.R0.times(R), k=back @ body.k, origin=back @ body.origin, com=back @ body.com,
            inertia=back.times(body.inertia).times(R),
        )  # fmt: skip
        if body.parent is None:
            return turned
        parent = self.turns[body.parent].T
        return replace(turned, R0=parent.times(turned.R0), t0=parent @ body.t0)


def _turns(model: Equations) -> tuple[Matrix[Exact], ...] | None:
    """For every body the turn of its frame: the normal comes to the axis that it is along in the base."""
    normals = plane_normals(model.mechanism.bodies)
    if normals is None:
        return None
    places = [_place(normal) for normal in normals]
    u, zero, one = places[0][0] if places[0] else 0, model.ring.zero, model.ring.one
    turns: list[Matrix[Exact]] = []
    for place in places[1:]:
        if place is None or places[0] is None:
            return None
        j, sign = place
        sign *= places[0][1]
        across = (j + 1, j + 2) if sign > 0 else (j + 2, j + 1)
        columns: dict[int, list[Exact]] = {}
        for to, axis, size in (u + 1, across[0], one), (u + 2, across[1], one), (u, j, one if sign > 0 else -one):
            columns[to % 3] = [size if k == axis % 3 else zero for k in range(3)]
        turns.append(Matrix(*(Vector(*(columns[to][k] for to in range(3))) for k in range(3))))
    return tuple(turns)


def _place(normal: Vector[Exact]) -> tuple[int, int] | None:
    """The axis that a vector is along, and whether against it; None between the axes."""
    entries = [(k, entry) for k, entry in enumerate(normal) if entry]
    if len(entries) != 1:
        return None
    ((k, entry),) = entries
    one = entry.ring.one
    return (k, 1) if entry == one else (k, -1) if entry == -one else None


def _columns(R: Matrix[Exact], plane: Plane) -> list[Vector[Exact]]:
    """The new axes, in old ones: those of the plane, then the normal."""
    rows = list(R.T)
    return [rows[k] for k in (*plane.axes, plane.normal)]


def _axis(column: Vector[Exact]) -> int:
    return next(k for k, entry in enumerate(column) if entry)
