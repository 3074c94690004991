"""M > 0 for two joints (Q3 of A. De Luca, Robotics 2): which velocities leave all links at rest?

M is B^T D B: one row of B for each component of a CoM's velocity and of an angular velocity, D the masses and principal
inertias. By Cauchy and Binet

    det M = sum over pairs of rows of d_a d_b (minor of B)^2

is a sum of squares; if one group of it is positive for all q, then det M > 0, hence M > 0. If none is, it is decided
whether all of them can be zero together (`counterexamples`).

Where an inertia is not diagonal in link axes, w.I_C w = 0 if and only if I_C w = 0, as I_C is positive semidefinite:
the components of I_C w are the rows of that link, with the weight 1. If I_C is positive definite, those of w are. The
squares no longer add up to det M, but are zero together where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from dynamis.compute.mechanics.dynamics.mass_matrix import unit_rates
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.closed_form.signs import Sign, sign_of
from dynamis.exact.positive_definite.by_kinetic_energy import assumed_links
from dynamis.exact.positive_definite.counterexamples import where_all_vanish
from dynamis.exact.positive_definite.physical_links import assumptions, can_be, is_solid
from dynamis.exact.positive_definite.verdict import PositiveDefinite, Singular
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import Symbol

Row = tuple[Exact, Exact]


@dataclass(frozen=True)
class Minors:
    """Weights d_a d_b and the minors of B.

    `solid` and `other` are the links whose inertia is not diagonal: w, or I_C w, are their rows.
    """

    pairs: tuple[tuple[Exact, Exact], ...]
    solid: tuple[int, ...]
    other: tuple[int, ...]


def determinant(model: ClosedForm) -> Exact:
    """det M of two joints."""
    return model.M[0, 0] * model.M[1, 1] - model.M[0, 1] * model.M[0, 1]


def minors(model: ClosedForm, positive: frozenset[Symbol], assume: bool = False) -> Minors:
    """The pairs; `assume` takes inertias as positive definite that can be."""
    full, bodies = list(_not_diagonal(model)), model.mechanism.bodies
    solid = [k for k in full if is_solid(bodies[k], positive)]
    for k in full if assume else ():
        if k not in solid and can_be(model, positive, (), (*solid, k)):
            solid.append(k)
    other = tuple(k for k in full if k not in solid)
    rows = combinations(list(_rows(model, solid, other)), 2)
    pairs = [(d_a * d_b, a[0] * b[1] - a[1] * b[0]) for (d_a, a), (d_b, b) in rows]
    return Minors(tuple(pair for pair in pairs if all(pair)), tuple(solid), other)


def by_one_square(model: ClosedForm, positive: frozenset[Symbol], squares: Minors) -> PositiveDefinite | None:
    """det M as a sum of squares; None if no group of one weight is positive for all q."""
    if squares.solid or squares.other:
        return None
    groups: dict[Exact, Exact] = {}
    for weight, minor in squares.pairs:
        groups[weight] = groups.get(weight, model.ring.zero) + minor * minor
    strict = [
        weight * squares
        for weight, squares in groups.items()
        if sign_of(weight, positive) == Sign.POSITIVE and sign_of(squares, positive) == Sign.POSITIVE
    ]
    if not strict:
        return None
    symbols = frozenset[Symbol]().union(*(term.symbols() for term in strict)) & positive
    return PositiveDefinite(
        True, "sum of squares", assumptions(model, symbols), determinant(model), tuple(groups.items())
    )


def by_all_squares(model: ClosedForm, positive: frozenset[Symbol], squares: Minors) -> PositiveDefinite | None:
    """Whether all squares can be zero together; None if that was not decided."""
    bodies = model.mechanism.bodies
    assumed = [k for k in squares.solid if not is_solid(bodies[k], positive)]
    strict = [sign_of(weight, positive) == Sign.POSITIVE for weight, _ in squares.pairs]
    zeros = [minor if sure else weight * minor for (weight, minor), sure in zip(squares.pairs, strict, strict=True)]
    symbols = frozenset[Symbol]().union(*(weight.symbols() | minor.symbols() for weight, minor in squares.pairs))
    symbols = symbols.union(*(_symbols(model, k) for k in squares.solid))
    assumes = assumptions(model, symbols & positive, *assumed_links(model, [], assumed))
    where = where_all_vanish(zeros, model, positive)
    if isinstance(where, Singular):
        if any(_symbols(model, k) - model.ring.numbers for k in squares.other):
            return None  # where it is singular these inertias need not be those of bodies
        return PositiveDefinite(False, "counterexample", assumes, determinant(model), singular=where)
    if where is False:
        method = "Jacobians" if squares.solid or squares.other else "sum of squares"
        return PositiveDefinite(True, method, assumes, determinant(model))
    return None


def _symbols(model: ClosedForm, link: int) -> frozenset[Symbol]:
    """The symbols of an inertia."""
    tensor = model.mechanism.bodies[link].inertia
    return frozenset[Symbol]().union(*(entry.symbols() for row in tensor for entry in row))


def _rotation_axes(model: ClosedForm, link: int) -> list[int]:
    """The axes of a link about which it rotates."""
    one, two = (list(model.M.column(j)[link].w) for j in (0, 1))
    return [k for k in range(3) if one[k] or two[k]]


def _not_diagonal(model: ClosedForm) -> Iterator[int]:
    """The links with a product of inertia that matters: of two axes about which the link rotates."""
    for link, body in enumerate(model.mechanism.bodies):
        tensor = [list(row) for row in body.inertia]
        if any(tensor[a][b] for a, b in combinations(_rotation_axes(model, link), 2)):
            yield link


def _rows(model: ClosedForm, solid: Sequence[int], other: Sequence[int]) -> Iterator[tuple[Exact, Row]]:
    """(weight, row of B): the components of v_C and w (or I_C w) of every link for unit velocities, and the rotors."""
    first, second, one = model.M.column(0), model.M.column(1), model.ring.number(1)
    for link, (body, a, b) in enumerate(zip(model.mechanism.bodies, first, second, strict=True)):
        yield from ((body.mass, row) for row in zip(a.v_com, b.v_com, strict=True) if body.mass)
        moments = [one] * 3 if link in (*solid, *other) else [body.inertia.a.x, body.inertia.b.y, body.inertia.c.z]
        rates = (body.inertia @ a.w, body.inertia @ b.w) if link in other else (a.w, b.w)
        yield from ((weight, row) for weight, row in zip(moments, zip(*rates, strict=True), strict=True) if weight)
        if body.joint is not None and body.rotor:
            unit = [unit_rates(model.mechanism, k)[body.joint] for k in range(2)]
            yield body.rotor, (unit[0], unit[1])
