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

from flint import fmpq, fmpq_mat

from dynamis.scalars.exact.processes import pivots
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
        row = fmpq_mat([[_rational(vector.get(key, Fraction(0))) for key in self._keys]]) * self._inverse
        factors = [_fraction(row[0, j]) for j in range(self.rank)]
        return factors if _combined(factors, self.basis) == {k: v for k, v in vector.items() if v} else None


def span(vectors: Sequence[Sparse], ring: Ring) -> Span:
    """The space of `vectors`, by the reduced row echelon form of the matrix that has them as columns."""
    keys = list(dict.fromkeys(key for vector in vectors for key in vector))
    chosen = independent(vectors, ring)
    basis = tuple(vectors[k] for k in chosen)
    ends = tuple(keys[k] for k in pivots(_rows(basis, keys), len(keys), ring)) if basis else ()
    return Span(tuple(chosen), basis, ends, _matrix(basis, ends).inv() if basis else None)


def independent(vectors: Sequence[Sparse], ring: Ring) -> list[int]:
    """The first vectors that are independent of those before them: the pivots of the echelon form."""
    columns: dict[Any, dict[int, tuple[int, int]]] = {}
    for k, vector in enumerate(vectors):
        for key, value in vector.items():
            columns.setdefault(key, {})[k] = value.numerator, value.denominator
    return pivots(list(columns.values()), len(vectors), ring) if columns else []


def _rows(vectors: Sequence[Sparse], keys: Sequence[Any]) -> list[dict[int, tuple[int, int]]]:
    place = {key: k for k, key in enumerate(keys)}
    return [{place[key]: (x.numerator, x.denominator) for key, x in vector.items()} for vector in vectors]


def _matrix(rows: Sequence[Sparse], keys: Sequence[Any]) -> Any:
    place = {key: k for k, key in enumerate(keys)}
    entries = [[0] * len(keys) for _ in rows]
    for line, row in zip(entries, rows, strict=True):
        for key, value in row.items():
            if key in place:
                line[place[key]] = _rational(value)
    return fmpq_mat(entries) if entries else fmpq_mat(0, len(keys))


def _combined(factors: Sequence[Fraction], vectors: Sequence[Sparse]) -> dict[Any, Fraction]:
    total: dict[Any, Fraction] = {}
    for factor, vector in zip(factors, vectors, strict=True):
        if factor:
            for key, value in vector.items():
                total[key] = total.get(key, Fraction(0)) + factor * value
    return {key: value for key, value in total.items() if value}


def _rational(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)


def _fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q))
