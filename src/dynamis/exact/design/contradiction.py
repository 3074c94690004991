"""A proof that equations in parameters have no common solution with the positive symbols > 0.

The ideal of the equations, of the relations of their symbols and of x (1/x) = 1 for every positive symbol x
(B. Buchberger, 1965) has a member that is never zero for positive symbols: 1, or a sum of terms of one sign.
Members lose the factors that are never zero; one that is >= 0 is zero only where all of its terms are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm
from typing import Any

from flint import Ordering, fmpz_mpoly_ctx, fmpz_mpoly_vec

from dynamis.exact.closed_form.signs import Sign, sign_of
from dynamis.scalars.exact.numbers import by_monomial, sign
from dynamis.scalars.exact.processes import LARGE_COST, cost, factor_polynomial
from dynamis.scalars.exact.products import multiply_in_pieces
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import Symbol

MAX_ROUNDS = 4
# Of the completion: members, terms of a member, bits of a coefficient.
COMPLETION_LIMITS = (40, 120, 600)
# More equations than these are not completed, nor any that are too long to be completed at once (`processes.LARGE`).
MOST_MEMBERS = 12


def contradictory(equations: Sequence[Exact], positive: frozenset[Symbol]) -> bool:
    """Whether it is proved that no values solve the equations."""
    members = [equation for equation in equations if equation]
    for _ in range(MAX_ROUNDS):
        kept: dict[str, Exact] = {}
        for member in members:
            if sign_of(member, positive) in (Sign.POSITIVE, Sign.NEGATIVE):
                return True
            if not member:
                continue
            for part in _consequences(member, positive):
                if sign_of(part, positive) in (Sign.POSITIVE, Sign.NEGATIVE):
                    return True
                kept[str(part)] = part
        grown = _complete_basis(list(kept.values()), positive)
        if {str(member) for member in grown if member} <= set(kept):
            return False
        members = grown
    return any(sign_of(member, positive) in (Sign.POSITIVE, Sign.NEGATIVE) for member in members)


def _consequences(member: Exact, positive: frozenset[Symbol]) -> Iterator[Exact]:
    """What must be zero where a member is: its factors that can be, or all terms of one that is never negative."""
    ring = member.ring
    if sign_of(member, positive) in (Sign.AT_LEAST_ZERO, Sign.AT_MOST_ZERO) and len(member) > 1:
        for exponents, number in by_monomial(member).items():
            if sign(number) != 0:
                yield ring.from_terms({tuple(int(e > 0) for e in exponents): Fraction(1)})
        return
    product = ring.number(1)
    for factor, _ in factor_polynomial(member.polynomial, ring)[1]:
        part = Exact(factor, ring)
        if sign_of(part, positive) not in (Sign.POSITIVE, Sign.NEGATIVE):
            product = Exact(multiply_in_pieces(product.polynomial, factor, ring), ring)
    yield product


def _complete_basis(members: list[Exact], positive: frozenset[Symbol]) -> list[Exact]:
    """Members of the ideal of `members`, a Groebner basis of it where that is small."""
    if not members or len(members) > MOST_MEMBERS or sum(cost(member.polynomial) for member in members) > LARGE_COST:
        return members
    ring = members[0].ring
    used = sorted(frozenset[Symbol]().union(*(member.symbols() for member in members)), key=ring.symbols.index)
    # Behind the symbols come the inverses of those that are positive.
    inverted = [symbol for symbol in used if symbol in positive and symbol.kind not in ("inverse", "root")]
    context = fmpz_mpoly_ctx.get([f"x{k}" for k in range(len(used) + len(inverted))], Ordering.degrevlex)
    rows: list[Any] = [_change_context(member, used, len(inverted), context) for member in members]
    relations = [Exact(relation, ring) for relation in ring.relations[: len(ring.angles) + len(ring.roots)]]
    rows += [_change_context(x, used, len(inverted), context) for x in relations if x.symbols() <= {*used}]
    x = context.gens()
    rows += [x[used.index(symbol)] * x[len(used) + k] - 1 for k, symbol in enumerate(inverted)]
    basis: Any
    basis, _ = fmpz_mpoly_vec(rows, context).buchberger_naive(limits=COMPLETION_LIMITS)
    completed = [a - b for a, b in combinations(members, 2)]
    for member in basis.autoreduction():
        back = _back(member, used, inverted, ring)
        if back:
            completed.append(back)
    return completed


def _change_context(scalar: Exact, used: Sequence[Symbol], more: int, context: Any) -> Any:
    """A scalar over the symbols that are used, in whole numbers."""
    places = [scalar.ring.places[symbol] for symbol in used]
    terms = scalar.terms()
    scale = lcm(*(value.denominator for value in terms.values()))
    return context.from_dict({(*(key[k] for k in places), *[0] * more): int(x * scale) for key, x in terms.items()})


def _back(member: Any, used: Sequence[Symbol], inverted: Sequence[Symbol], ring: Ring) -> Exact:
    """A member times the positive symbols whose inverses are in it."""
    degrees = member.degrees()[len(used) :]
    terms: dict[tuple[int, ...], Fraction] = {}
    for key, number in member.to_dict().items():
        powers = {symbol: int(e) for symbol, e in zip(used, key, strict=False)}
        for symbol, most, e in zip(inverted, degrees, key[len(used) :], strict=True):
            powers[symbol] += int(most) - int(e)
        exponents = tuple(powers.get(symbol, 0) for symbol in ring.symbols)
        terms[exponents] = terms.get(exponents, Fraction(0)) + Fraction(int(number))
    return ring.from_terms(terms)
