"""Quotients put together for the reader: 1 - b/(a + b) is written a/(a + b) where that is shorter."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dynamis.exact.ring import Exact, Exponents, Ring


def together(terms: Mapping[Exponents, Fraction], ring: Ring) -> dict[Exponents, Fraction]:
    """The terms, those with an inverse of a sum over their common denominator where fewer are left.

    They are no normal form any more: (1/(a + b)) a stays as it is.
    """
    found, names = dict(terms), ring.letters.names
    for inverse, below in ring.sums.items():
        inside = {names.index(inverse), *(names.index(letter) for letter in below.letters())}
        groups: dict[Exponents, dict[Exponents, Fraction]] = {}
        for key, number in found.items():
            outside = tuple(0 if k in inside else e for k, e in enumerate(key))
            groups.setdefault(outside, {})[key] = number
        found = dict[Exponents, Fraction]()
        for group in groups.values():
            found |= _over(group, names.index(inverse), below, ring)
    return found


def _over(group: dict[Exponents, Fraction], at: int, below: Exact, ring: Ring) -> dict[Exponents, Fraction]:
    """The group as (its numerator) / below^k, if that has fewer terms."""
    highest = max(key[at] for key in group)
    if not highest:
        return group
    above: Any = ring.context.constant(0)
    for key, number in group.items():
        plain = Exact(ring.context.from_dict({(*key[:at], 0, *key[at + 1 :]): 1}), ring).times(number)
        above = above + plain.polynomial * below.polynomial ** (highest - key[at])
    whole = Exact(above, ring).terms()
    if len(whole) >= len(group):
        return group
    return {(*key[:at], highest, *key[at + 1 :]): number for key, number in whole.items()}
