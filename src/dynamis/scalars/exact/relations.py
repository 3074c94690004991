"""The relations of half angles, and the normal form by a Groebner basis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dynamis.scalars.exact.products import MAX_DIRECT_PRODUCTS, stepwise

if TYPE_CHECKING:
    from dynamis.scalars.exact.ring import Ring


def half_angle_relations(ring: Ring) -> list[Any]:
    """Of S = sin(q/2) and C = cos(q/2) with s = sin(q) and c = cos(q), for all joints that have them.

        S^2 = (1 - c)/2,  S C = s/2,  C^2 = (1 + c)/2,  S s = C - C c,  S c = C s - S

    With s^2 = 1 - c^2 they are a Groebner basis: what no leading monomial divides is a + b C + n S with a and b in
    normal form and a number n, and it is zero only if a, b and n are, as q + 2 pi changes the signs of C and S. So
    a polynomial that is even in the half angles becomes one in the whole angles.
    """
    angles, g = {sine.of: (sine, cosine) for sine, cosine in ring.angles}, ring.generators
    cosines = {symbol.of: symbol for symbol in ring.symbols if symbol.kind == "half cosine"}
    relations: list[Any] = []
    for symbol in ring.symbols:
        if symbol.kind == "half sine":
            S, C, s, c = (g[x] for x in (symbol, cosines[symbol.of], *angles[symbol.of]))
            relations += [2 * S**2 - 1 + c, 2 * S * C - s, 2 * C**2 - 1 - c, S * s - C + C * c, S * c - C * s + S]
    return relations


def remainder(p: Any, basis: list[Any], ring: Ring) -> Any:
    """The normal form of p by a Groebner basis of the ring's relations."""
    while True:
        before, degrees = p, p.degrees()
        for relation, (lead, tail), powers in zip(basis, ring.rules, ring.leads, strict=True):
            if any(degrees[k] < power for k, power in powers):
                continue
            # A term is replaced at most about as often as it has symbols of the leading monomial.
            direct = len(p) * len(tail) ** sum(int(degrees[k]) for k, _ in powers) <= MAX_DIRECT_PRODUCTS
            p = divmod(p, relation)[1] if direct else stepwise(p, lead, tail, ring)
            degrees = p.degrees()
        if p == before:
            return p
