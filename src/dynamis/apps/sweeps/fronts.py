"""Pareto fronts: the states, or designs, that no other one beats in both of two values.

In a sweep a front is kept in bins: of the states whose first value is in a bin, the one with the greatest second. So
it has as many points as there are bins at most, and merges as extremes do. Every point of the exact front has a point
here that is at least as good in the second value, and less than a bin worse in the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arguments import integer
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError, literal
from dynamis.compute.ir.folds import Fold, Term

MOST_BINS = 10**6


@dataclass(frozen=True)
class Pareto:
    """The front of two values, each as large as can be; "-q1" asks for small values, "|q1|" for the size."""

    first: str
    second: str
    bins: int

    @property
    def names(self) -> tuple[str, str]:
        """Without their signs."""
        return self.first.removeprefix("-"), self.second.removeprefix("-")

    @property
    def signs(self) -> Array:
        return np.array([-1.0 if x.startswith("-") else 1.0 for x in (self.first, self.second)])

    def terms(self, names: Sequence[str]) -> tuple[Term, Term]:
        """The two among the values of a sweep."""
        u, w = (_term(x, names) for x in (self.first, self.second))
        return u, w

    def fold(self, names: Sequence[str], look: Array) -> Fold:
        """What the machine keeps; the bins are those of a first look at the values, with room on either side."""
        terms = self.terms(names)
        u = of_term(terms[0], look)
        least, greatest = float(u.min()), float(u.max())
        room = max((greatest - least) * 0.25, 1e-12 + 1e-9 * abs(greatest))
        width = (greatest - least + 2 * room) / self.bins
        return Fold("front", (least - room, 1 / width), self.bins, terms)


def pareto(first: str, second: str, bins: int = 200) -> Pareto:
    """Keep the Pareto front of two values: the states that no other one beats in both.

    Both are to be large; "-q1" asks for small values and "-|q1|" for small sizes. The front is right in the second
    value, and in the first to one of the `bins` between its extremes, which is told.
    """
    for name in (first, second):
        if not isinstance(name, str) or not name.strip("-|"):  # type: ignore[redundant-expr]
            raise ArgumentError(f"a Pareto front is of two names of values, got {literal(name)}", key="keep")
    return Pareto(first, second, integer("bins", bins, most=MOST_BINS))


def of_term(term: Term, values: Array) -> Array:
    """A term of rows of values."""
    x = values[..., term.place]
    return (-1.0 if term.negative else 1.0) * (abs(x) if term.size else x)


def pareto_indices(u: Array, w: Array) -> NDArray[np.intp]:
    """The places of the points that no other one beats in both, from the least u on; of equal points the first.

    >>> pareto_indices(np.array([1.0, 2.0, 0.5, 2.0]), np.array([3.0, 1.0, 2.0, 1.0])).tolist()
    [0, 1]
    """
    order = np.lexsort((np.arange(len(u)), -w, -u))
    best, front = -np.inf, list[int]()
    for k in order.tolist():
        if w[k] > best:
            best = w[k]
            front.append(k)
    return np.array(front[::-1], np.intp)


def fronts(kept: Pareto, arrays: Sequence[NDArray[Any]], cells: int) -> tuple[NDArray[Any], Array]:
    """Of the arrays of a fold: indices (cells, points), -1 where there are fewer, and values (cells, points, 2)."""
    w, index, u = arrays
    chosen = [pareto_indices(u[k], w[k]) for k in range(cells)]
    most = max((len(x) for x in chosen), default=0)
    places, values = np.full((cells, most), -1, np.int64), np.full((cells, most, 2), np.nan)
    for k, x in enumerate(chosen):
        places[k, : len(x)] = index[k, x]
        values[k, : len(x)] = np.stack([u[k, x], w[k, x]], -1) * kept.signs
    return places, values


def _term(text: str, names: Sequence[str]) -> Term:
    name = text.removeprefix("-")
    size = name.startswith("|") and name.endswith("|")
    name = name[1:-1] if size else name
    if name not in names:
        raise UnknownNameError("value", name, names, key="keep")
    return Term(names.index(name), size, text.startswith("-"))
