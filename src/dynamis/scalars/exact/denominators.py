"""Denominators that are sums: the relations that keep quotients in normal form.

The inverse of a parameter l is the symbol 1/l, that of a sum the symbol 1/(a + b); each has the
relation (inverse)(denominator) = 1. Where a denominator is a sum, the relations' leading terms may
have symbols in common; then they are completed to a Groebner basis (B. Buchberger, 1965), so that
equal scalars still have equal polynomials: (1/a)(1/(a + b)) b becomes 1/a - 1/(a + b).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dynamis.base.errors import ArgumentError
from dynamis.scalars.exact.processes import groebner

if TYPE_CHECKING:
    from dynamis.scalars.exact.ring import Ring

# More relations than any robot needs; a completion that grows beyond is refused.
MOST_RELATIONS, MOST_TERMS, MOST_BITS = 200, 500, 4000


def complete_relations(relations: Sequence[Any], sums: Sequence[Any], ring: Ring) -> list[Any]:
    """The relations with those of `sums` among them as a Groebner basis; those apart from them stay as they are."""
    near, apart = list(sums), [r for r in relations if r not in sums]
    while touching := [r for r in apart if any(_used_symbols(r) & _used_symbols(other) for other in near)]:
        near += touching
        apart = [r for r in apart if r not in touching]
    basis, done = groebner(near, (MOST_RELATIONS, MOST_TERMS, MOST_BITS), ring)
    if not done:
        raise ArgumentError("the denominators of this robot are too many; give some of their parameters values")
    return apart + basis


def _used_symbols(polynomial: Any) -> set[int]:
    return {k for k, degree in enumerate(polynomial.degrees()) if degree}
