"""Quotients put together for the reader: 1 - b/(a + b) is written a/(a + b) where that is no longer.

Geometric sums are summed: (a^2 + a b + b^2)/(a + b) is written (a^3 - b^3)/(a^2 - b^2).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.telling.forms.order import Layout, atoms, is_mass, term_key
from dynamis.telling.forms.tree import Power, Product, Sum, Symbol, Tree, negate_tree


def together(terms: Mapping[Exponents, Fraction], ring: Ring) -> dict[Exponents, Fraction]:
    """The terms, those with an inverse of a sum over their common denominator where no more are left.

    They are no normal form any more: (1/(a + b)) a stays as it is.
    """
    quotients, places = dict(terms), ring.places
    for inverse, below in ring.sums.items():
        inside = {places[inverse], *(places[symbol] for symbol in below.symbols())}
        groups: dict[Exponents, dict[Exponents, Fraction]] = {}
        for key, number in quotients.items():
            outside = tuple(0 if k in inside else e for k, e in enumerate(key))
            groups.setdefault(outside, {})[key] = number
        quotients = dict[Exponents, Fraction]()
        for group in groups.values():
            quotients |= _over(group, places[inverse], below, ring)
    return quotients


def _over(group: dict[Exponents, Fraction], at: int, below: Exact, ring: Ring) -> dict[Exponents, Fraction]:
    """The group as (its numerator) / below^k, if that has no more terms, or both are geometric sums."""
    highest = max(key[at] for key in group)
    if not highest:
        return group
    above: Any = ring.context.constant(0)
    for key, number in group.items():
        plain = Exact(ring.context.from_dict({(*key[:at], 0, *key[at + 1 :]): 1}), ring).times(number)
        above = above + plain.polynomial * below.polynomial ** (highest - key[at])
    numerator = Exact(above, ring).terms()
    if len(numerator) > len(group) and not (_is_geometric(numerator) and _is_geometric(below.terms())):
        return group
    return {(*key[:at], highest, *key[at + 1 :]): number for key, number in numerator.items()}


def _is_geometric(terms: Mapping[Exponents, Fraction]) -> bool:
    """Whether the terms, without what is common to them, are a^n + a^(n-1) b + ... + b^n."""
    if len(terms) < 2 or len({*terms.values()}) > 1:
        return False
    common = [min(powers) for powers in zip(*terms, strict=True)]
    left = [tuple((k, e - c) for k, (e, c) in enumerate(zip(key, common, strict=True)) if e > c) for key in terms]
    symbols = {k for key in left for k, _ in key}
    degrees = {sum(e for _, e in key) for key in left}
    return len(symbols) == 2 and degrees == {len(terms) - 1}


def sum_quotients(tree: Tree, layout: Layout) -> Tree:
    """The tree with quotients of geometric sums in two symbols summed, and denominators in the order of textbooks.

    >>> from dynamis.telling.forms.order import TEXTBOOK
    >>> a, b = Symbol("a"), Symbol("b")
    >>> below = Power(Sum((a, b)), -1)
    >>> above = Sum((Power(a, 2), Product((a, b)), Power(b, 2)))
    >>> sum_quotients(Product((above, below)), TEXTBOOK).factors[1].base.terms[0]
    Power(base=Symbol(name='a'), exponent=2)
    """
    match tree:
        case Sum(terms):
            return Sum(tuple(sum_quotients(term, layout) for term in terms))
        case Power(Sum(terms), exponent) if exponent < 0 and not any(is_mass(atom) for atom in atoms(tree)):
            return Power(Sum(tuple(sorted(terms, key=lambda term: term_key(term, layout)))), exponent)
        case Product(factors):
            parts = [sum_quotients(factor, layout) for factor in factors]
            below = [k for k, f in enumerate(parts) if isinstance(f, Power) and f.exponent == -1]
            for at in below:
                symbols = _geometric(_base(parts[at]))
                same = [k for k, f in enumerate(parts) if symbols and _geometric(f) == symbols]
                if symbols and same:
                    parts[same[0]] = _difference(parts[same[0]], symbols, layout)
                    parts[at] = Power(_difference(_base(parts[at]), symbols, layout), -1)
            return Product(tuple(parts))
        case _:
            return tree


def _base(tree: Tree) -> Tree:
    return tree.base if isinstance(tree, Power) else tree


def _geometric(tree: Tree) -> frozenset[Symbol] | None:
    """The symbols of a^n + a^(n-1) b + ... + b^n."""
    if not isinstance(tree, Sum):
        return None
    terms = {frozenset(_powers(term)) for term in tree.terms}
    symbols = frozenset(symbol for term in terms for symbol, _ in term)
    if len(symbols) != 2 or not all(isinstance(symbol, Symbol) for symbol in symbols):
        return None
    n, (a, b) = len(tree.terms) - 1, tuple(symbols)
    all_terms = {frozenset((symbol, e) for symbol, e in ((a, k), (b, n - k)) if e) for k in range(n + 1)}
    return frozenset(x for x in symbols if isinstance(x, Symbol)) if terms == all_terms else None


def _powers(tree: Tree) -> list[tuple[Tree, int]]:
    factors = tree.factors if isinstance(tree, Product) else (tree,)
    return [(f.base, f.exponent) if isinstance(f, Power) else (f, 1) for f in factors]


def _difference(tree: Tree, symbols: frozenset[Symbol], layout: Layout) -> Tree:
    """a^(n+1) - b^(n+1), which is a - b times the sum."""
    n = len(tree.terms) if isinstance(tree, Sum) else 1
    first, second = sorted((Power(symbol, n) for symbol in symbols), key=lambda power: term_key(power, layout))
    return Sum((first, negate_tree(second)))
