"""Are the links physical bodies? What is known about masses and inertias, exactly, and what may be assumed.

A symmetric matrix is positive semidefinite if and only if all its principal minors are >= 0, and positive definite if
and only if its leading ones are > 0. For a link in numbers the signs of these are exact. A link in symbols
is assumed to be a body, which is of use only if it can be one: if there are parameters that make it so. A thin
rod (A, A, 0) has no positive definite inertia, whatever A is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np

from dynamis.compute.mechanics.mechanism import Body
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.closed_form.signs import Sign, assumption, sign_of
from dynamis.scalars.exact.numbers import sign
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import Symbol
from dynamis.scalars.vectors import Matrix

BODIES = "masses, rotor inertias and inertias about the CoM >= 0"
RANDOM_TRIALS = 20
_TURNS = ((0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(5, 13), Fraction(12, 13)), (1, 0))
Point = dict[Symbol, Exact]


def are_bodies(model: ClosedForm, positive: frozenset[Symbol]) -> bool:
    """Whether no link is known not to be a body, and those in numbers are known to be bodies."""
    return all(_can_be_body(body, positive) for body in model.mechanism.bodies)


def is_solid(body: Body[Exact], positive: frozenset[Symbol]) -> bool:
    """Whether the inertia about the CoM is positive definite, for all positive values of `positive`."""
    return all(sign_of(minor, positive) == Sign.POSITIVE for minor in _leading(body.inertia))


def can_be(model: ClosedForm, positive: frozenset[Symbol], massive: Sequence[int], solid: Sequence[int]) -> bool:
    """Whether some parameters make all links bodies, some with mass > 0, some with positive definite inertia."""
    return any(_are(model, point, massive, solid) for point in _points(model.ring, positive))


def assumptions(model: ClosedForm, symbols: frozenset[Symbol], *more: str) -> str:
    """Symbols that are > 0, what else is given, and that links are bodies; for links in numbers that is checked."""
    bodies = model.mechanism.bodies
    scalars = [x for body in bodies for x in (body.mass, body.rotor, *(e for row in body.inertia for e in row))]
    numeric = all(x.symbols() <= model.ring.numbers for x in scalars)
    return "; ".join(text for text in (assumption(symbols), *more, "" if numeric else BODIES) if text)


def _are(model: ClosedForm, point: Point, massive: Sequence[int], solid: Sequence[int]) -> bool:
    """`can_be` at one point."""
    bodies = model.mechanism.bodies
    strict = [bodies[k].mass for k in massive] + [minor for k in solid for minor in _leading(bodies[k].inertia)]
    weak = [x for body in bodies for x in (body.mass, body.rotor, *_principal(body.inertia))]
    # That a number is 0 need not be proved here.
    return all(_sign_at(x, point) == 1 for x in strict) and all(_sign_at(x, point) in (0, 1, None) for x in weak)


def _sign_at(scalar: Exact, point: Point) -> int | None:
    value = scalar.substitute(point)
    return sign(value) if value.symbols() <= value.ring.numbers else -1


def _points(ring: Ring, positive: frozenset[Symbol]) -> Iterator[Point]:
    """Values to try for the symbols that are not numbers: 1 where positive and else 0, then others, always the same."""
    rng = np.random.default_rng(3)
    free = [symbol for symbol in ring.symbols if not symbol.is_trig and symbol.kind not in ("root", "inverse", "pi")]
    for trial in range(RANDOM_TRIALS):
        point: Point = {}
        for symbol in free:
            most, least = (1, 10) if symbol in positive else (-4, 5)
            point[symbol] = ring.number(int(symbol in positive) if trial == 0 else int(rng.integers(most, least)))
        for pair in ring.angles:
            turn = _TURNS[0 if trial == 0 else int(rng.integers(4))]
            if pair[0] not in ring.numbers:
                point |= {symbol: ring.number(Fraction(x)) for symbol, x in zip(pair, turn, strict=True)}
        inverses = [symbol for symbol in ring.inverses if symbol not in ring.numbers]
        rest = {symbol: ring.denominator(symbol).substitute(point) for symbol in inverses}
        if all(x and not x.symbols() for x in rest.values()):
            yield point | {name: ring.number(1 / next(iter(x.terms().values()))) for name, x in rest.items()}


def _can_be_body(body: Body[Exact], positive: frozenset[Symbol]) -> bool:
    for x in (body.mass, body.rotor, *_principal(body.inertia)):
        sign = sign_of(x, positive)
        if sign == Sign.NEGATIVE or (x.symbols() <= x.ring.numbers and sign not in (Sign.POSITIVE, Sign.ZERO)):
            return False
    return True


def _leading(inertia: Matrix[Exact]) -> Iterator[Exact]:
    yield from (_minor(inertia, range(size)) for size in (1, 2, 3))


def _principal(inertia: Matrix[Exact]) -> Iterator[Exact]:
    for size in (1, 2, 3):
        yield from (_minor(inertia, rows) for rows in combinations(range(3), size))


def _minor(inertia: Matrix[Exact], rows: Sequence[int]) -> Exact:
    """The determinant of the rows and columns `rows`."""
    entries = [[list(row)[k] for k in rows] for row in (list(inertia)[k] for k in rows)]
    if len(rows) == 1:
        return entries[0][0]
    if len(rows) == 2:
        return entries[0][0] * entries[1][1] - entries[0][1] * entries[1][0]
    return inertia.a.dot(inertia.b.cross(inertia.c))
