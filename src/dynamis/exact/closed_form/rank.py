"""A matrix of exact scalars split over the motion, and its rank at a random point of the geometry.

The monomials of the motion (sines, cosines, coordinates, rates in normal form) are independent
functions. So a matrix Y(motion, geometry) is one row for each of its rows and each monomial, with
entries in the geometry alone, and columns that depend on each other in the one do in the other.
Its rank at a point of the geometry, modulo a prime, is a lower bound of the rank: a minor that is
not zero there is not the zero polynomial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from math import prod
from random import Random

from flint import fmpz, nmod_mat

from dynamis.exact.closed_form.coefficients import Terms, by_motion
from dynamis.scalars.exact.processes import pivot_columns
from dynamis.scalars.exact.ring import Exact, Ring

RowKey = tuple[int, tuple[tuple[str, int], ...]]


@dataclass(frozen=True)
class Split:
    """rows[joint, monomial of the motion] = {column: polynomial in the geometry}."""

    ring: Ring
    rows: dict[RowKey, dict[int, Terms]]

    @property
    def columns(self) -> frozenset[int]:
        """The columns that are not zero."""
        return frozenset(k for row in self.rows.values() for k in row)

    def entries(self, keys: Sequence[RowKey]) -> list[dict[int, Exact]]:
        """Some rows in scalars of the ring."""
        return [{k: self.ring.from_terms(terms) for k, terms in self.rows[key].items()} for key in keys]


def split(Y: Sequence[Sequence[Exact]], ring: Ring) -> Split:
    """A matrix of scalars over the monomials of the motion."""
    rows: dict[RowKey, dict[int, Terms]] = {}
    for j, row in enumerate(Y):
        for k, entry in enumerate(row):
            for motion, terms in by_motion(entry):
                rows.setdefault((j, tuple(motion.items())), {})[k] = terms
    return Split(ring, rows)


def rank_profile(matrix: Split, order: Sequence[int], seed: int) -> tuple[list[int], list[RowKey]]:
    """The first independent columns in `order`, and as many independent rows, the simplest first."""
    values, p = _point(matrix, seed)
    keys = sorted(matrix.rows, key=lambda key: (_size(matrix.rows[key]), key))
    if not keys:
        return [], []
    numbers: list[list[int]] = []
    for key in keys:
        row = matrix.rows[key]
        numbers.append([_value(row[k], values, p) if k in row else 0 for k in order])
    columns = pivot_columns(nmod_mat(numbers, p))
    rows = pivot_columns(nmod_mat([[line[c] for line in numbers] for c in columns], p))
    return [order[c] for c in columns], [keys[r] for r in rows]


def _size(row: dict[int, Terms]) -> int:
    """How much work a row makes: its symbols, counted with their powers."""
    return sum(1 + sum(key) for terms in row.values() for key in terms)


def _point(matrix: Split, seed: int) -> tuple[list[int], int]:
    """A value modulo a prime for every symbol, all relations of those that do not move kept."""
    ring, random = matrix.ring, Random(seed)
    keys = {key for row in matrix.rows.values() for terms in row.values() for key in terms}
    present = {symbol for key in keys for symbol in compress(ring.symbols, key)}
    roots = [root for root in ring.roots if root in present]
    p = _prime([root.radicand for root in roots], random)
    values: dict[str, int] = {symbol: random.randrange(2, p) for symbol in ring.symbols}
    for root in roots:
        values[root] = pow(root.radicand, (p + 1) // 4, p)
    for sine, cosine in ring.angles:
        if not sine.moves:
            t = random.randrange(2, p)
            below = pow(1 + t * t, -1, p)
            values[sine], values[cosine] = 2 * t * below % p, (1 - t * t) * below % p
    for inverse in ring.inverses:
        divisor = 0
        for powers, number in inverse.below:
            divisor += prod((pow(values[s], e, p) for s, e in powers), start=_modulo(number, p))
        values[inverse] = pow(divisor, -1, p)
    return [values[symbol] for symbol in ring.symbols], p


def _prime(squares: Sequence[int], random: Random) -> int:
    """A prime of 61 bits, 3 modulo 4, in which all of `squares` have roots."""
    while True:
        p = random.randrange(2**60, 2**61) | 3
        if fmpz(p).is_prime() and all(pow(x, (p - 1) // 2, p) == 1 for x in squares):
            return p


def _value(terms: Terms, values: Sequence[int], p: int) -> int:
    total = 0
    for key, coefficient in terms.items():
        product = _modulo(coefficient, p)
        for value, exponent in zip(values, key, strict=True):
            if exponent:
                product = product * pow(value, exponent, p) % p
        total += product
    return total % p


def _modulo(value: Fraction, p: int) -> int:
    return value.numerator % p * (1 if value.denominator == 1 else pow(value.denominator, -1, p)) % p
