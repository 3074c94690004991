"""Exact linear algebra over the rationals, on sparse vectors: rank, bases, coordinates.

A vector is a mapping from any keys (the monomials of a polynomial, say) to its non-zero entries. A `ring` gives the
time and the memory that there are.

>>> x, y = {"x": Fraction(1)}, {"y": Fraction(1)}
>>> from dynamis.scalars.exact.ring import Ring
>>> space = span([x, {"x": Fraction(2)}, {"x": Fraction(1), "y": Fraction(3)}], Ring())
>>> space.rank, space.chosen, space.coordinates(y)
(2, (0, 2), [Fraction(-1, 3), Fraction(1, 3)])
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dynamis.scalars.exact.processes import matrix, pivots
from dynamis.scalars.exact.ring import Ring

Sparse = Mapping[Any, Fraction]


@dataclass(frozen=True, eq=False)
class Span:
    """The space that some vectors span; its basis are the first of them that are independent."""

    chosen: tuple[int, ...]
    """Which of the vectors are the basis."""
    basis: tuple[Sparse, ...]
    _keys: tuple[Hashable, ...]
    _inverse: Any
    """coordinates = (entries at _keys) * _inverse."""

    @property
    def rank(self) -> int:
        """The dimension, exact."""
        return len(self.basis)

    def coordinates(self, vector: Sparse) -> list[Fraction] | None:
        """The factors of the basis that give `vector`; None if it is not in the space.

        The entries at `rank` keys determine them; all the others are then checked.
        """
        if not self.basis:
            return None if any(vector.values()) else []
        row = matrix([{k: vector[key] for k, key in enumerate(self._keys) if key in vector}], self.rank) * self._inverse
        factors = [Fraction(int(row[0, j].p), int(row[0, j].q)) for j in range(self.rank)]
        rest = dict(vector)
        for factor, member in zip(factors, self.basis, strict=True):
            for key, value in member.items() if factor else ():
                rest[key] = rest.get(key, 0) - factor * value
        return None if any(rest.values()) else factors


def span(vectors: Sequence[Sparse], ring: Ring) -> Span:
    """The space of `vectors`, by the reduced row echelon form of the matrix that has them as columns."""
    chosen = independent(vectors, ring)
    basis = tuple(vectors[k] for k in chosen)
    keys = list(dict.fromkeys(key for vector in basis for key in vector))
    place = {key: k for k, key in enumerate(keys)}
    rows = [{place[key]: x for key, x in vector.items()} for vector in basis]
    ends = {column: k for k, column in enumerate(pivots(rows, len(keys), ring) if rows else [])}
    square = [{ends[column]: x for column, x in row.items() if column in ends} for row in rows]
    inverse = matrix(square, len(ends)).inv() if rows else None
    return Span(tuple(chosen), basis, tuple(keys[column] for column in ends), inverse)


def independent(vectors: Sequence[Sparse], ring: Ring) -> list[int]:
    """The first vectors that are independent of those before them: the pivots of the echelon form."""
    rows: dict[Any, dict[int, Fraction]] = {}
    for k, vector in enumerate(vectors):
        for key, value in vector.items():
            rows.setdefault(key, {})[k] = value
    return pivots(list(rows.values()), len(vectors), ring) if rows else []
