"""The shortest readable form of an exact scalar: a deterministic search, bounded in work.

Terms are split by velocities and accelerations; in each part the parameters that come with the
same trigonometric polynomial are put together; every such polynomial is written in its shortest
way (`trigonometry`); then common factors come out and terms stand in the order of textbooks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from dynamis.document.forms.factoring import Monomial, Terms, collected, content, factored, in_order, number_out
from dynamis.document.forms.order import TEXTBOOK, Layout, motion_key, term_key
from dynamis.document.forms.quotients import summed, together
from dynamis.document.forms.tree import (
    Atom,
    Number,
    Product,
    Sum,
    Tree,
    atoms_of,
    product,
    scaled,
    size,
)
from dynamis.document.forms.trigonometry import BUDGET, LEAST, Polynomial, as_it_is, shortest
from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.scalars.exact.symbols import Symbol

LIMIT = 2000
# Terms beyond which a formula is searched with less work for each of its parts.
LONG = 120
# A longer sum is always shorter with its factors out.
COLLECTED = 60
# Schools that write masses term by term do so in sums that are no longer than this.
SHORT = 9
Rest = tuple[tuple[int, int], ...]
Angles = tuple[int, ...]
Kind = tuple[int, frozenset[tuple[Exponents, Fraction]]]


def simplest(scalar: Exact, layout: Layout = TEXTBOOK, limit: int = LIMIT) -> Tree:
    """A short readable form; above `limit` terms without a search.

    >>> from dynamis.scalars.exact.symbols import joint_angle
    >>> ring = Ring((*joint_angle("q1"), *joint_angle("q2")))
    >>> s1, s2, c1, c2 = map(ring.scalar, ring.symbols)
    >>> simplest(c1 * c2 - s1 * s2)
    Trig(function='cos', angle=(('q1', 1), ('q2', 1)))
    """
    layout = replace(layout, decimals=scalar.ring.decimals)
    symbols = tuple((symbol, symbol.meaning) for symbol in scalar.ring.symbols)
    return _remembered(scalar, symbols, layout, len(scalar) <= limit)


@lru_cache(maxsize=512)
def _remembered(scalar: Exact, symbols: tuple[tuple[Symbol, str], ...], layout: Layout, thorough: bool) -> Tree:
    """Several printers ask for it; `symbols` with their meanings tell equal polynomials of different rings apart."""
    form = _Search(scalar.ring, layout, thorough).form(scalar.terms()) if scalar else Number(Fraction(0))
    return summed(form, layout) if scalar.ring.inverses else form


@dataclass(frozen=True, eq=False)
class _Search:
    ring: Ring
    layout: Layout
    thorough: bool

    @cached_property
    def atoms(self) -> dict[Symbol, tuple[Atom, int]]:
        return atoms_of(self.ring)

    @cached_property
    def angles(self) -> tuple[str, ...]:
        """The angles by their texts; joints first, then fixed angles."""
        return tuple(sine.of for sine, _ in self.ring.angles)

    @cached_property
    def trig(self) -> list[int]:
        """The positions of s1, c1, s2, c2, ... among the symbols."""
        return [self.ring.places[symbol] for pair in self.ring.angles for symbol in pair]

    @cached_property
    def rates(self) -> list[int]:
        """The positions of velocities, accelerations and their signs."""
        return [k for k, symbol in enumerate(self.ring.symbols) if symbol.is_rate]

    @cached_property
    def others(self) -> list[int]:
        """The positions of all other symbols."""
        return [k for k, symbol in enumerate(self.ring.symbols) if not (symbol.is_rate or symbol.is_trig)]

    @cached_property
    def joints(self) -> int:
        """How many of the angles are joints."""
        return sum(sine.angle is None for sine, _ in self.ring.angles) or len(self.ring.angles)

    def form(self, terms: Mapping[Exponents, Fraction]) -> Tree:
        """Part by part of the motion; parts with the same factor are written once."""
        terms = together(terms, self.ring)
        parts: dict[Rest, dict[Exponents, Fraction]] = {}
        for exponents, number in terms.items():
            parts.setdefault(tuple((k, exponents[k]) for k in self.rates if exponents[k]), {})[exponents] = number
        alike: dict[Kind, list[tuple[Rest, Fraction]]] = {}
        for motion, part in parts.items():
            body = {self._without_rates(exponents): number for exponents, number in part.items()}
            lead = content(body.values(), body[max(body)])
            kind = self._kind(motion), frozenset((key, number / lead) for key, number in body.items())
            alike.setdefault(kind, []).append((motion, lead))
        trees: list[Tree] = []
        for (_, body), motions in alike.items():
            trees.extend(self._part(dict(body), motions))
        return _sum(trees, self.layout)

    def _without_rates(self, exponents: Exponents) -> Exponents:
        rates = {*self.rates}
        return tuple(0 if k in rates else e for k, e in enumerate(exponents))

    def _kind(self, motion: Rest) -> int:
        """Accelerations are not mixed with velocities, nor these with friction."""
        return int(motion_key(self._rates(motion))[0]) if motion else 4

    def _part(self, body: Mapping[Exponents, Fraction], motions: list[tuple[Rest, Fraction]]) -> list[Tree]:
        """body * (sum of the motions)."""
        if len(motions) > 1 and self._kind(motions[0][0]) == 0:
            return [term for motion in motions for term in self._part(body, [motion])]
        if len(motions) == 1:
            ((motion, lead),) = motions
            terms = self._body({exponents: number * lead for exponents, number in sorted(body.items(), reverse=True)})
            return [self._times(terms, self._rates(motion))] if motion else terms
        number = content([lead for _, lead in motions], min(motions)[1])
        rates = [scaled(self._rates(motion), lead / number) for motion, lead in motions]
        terms = self._body({exponents: value * number for exponents, value in sorted(body.items(), reverse=True)})
        return [self._times(terms, _sum(rates, self.layout))]

    def _times(self, terms: list[Tree], rates: Tree) -> Tree:
        number, inside = Fraction(1), terms
        if len(terms) > 1:
            number, inside = number_out(in_order(terms, self.layout), self.layout.decimals)
        return scaled(_times(_sum(inside, self.layout), rates), number)

    def _rates(self, motion: Rest) -> Tree:
        return _product_of(self._monomial(motion), self.layout)

    def _body(self, terms: Mapping[Exponents, Fraction]) -> list[Tree]:
        """The terms of what multiplies a motion."""
        columns: dict[Monomial, dict[Angles, Fraction]] = {}
        for exponents, number in terms.items():
            parameters = self._monomial(tuple((k, exponents[k]) for k in self.others if exponents[k]))
            columns.setdefault(parameters, {})[tuple(exponents[k] for k in self.trig)] = number
        budget = BUDGET if len(terms) <= LONG else LEAST
        flat: Terms = {}
        for monomial, angles in columns.items():
            lead = angles[max(angles)]
            shape = {key: number / lead for key, number in angles.items()}
            for factors, number in self._shortest(shape, budget).items():
                key = frozenset({*monomial, *factors})
                flat[key] = flat.get(key, Fraction(0)) + number * lead
        flat = {key: number for key, number in flat.items() if number}
        if not self.thorough or (not self.layout.factored and len(flat) <= SHORT):
            return collected(flat, self.layout)
        if len(flat) > COLLECTED:
            return factored(flat, self.layout)
        forms = [factored(flat, self.layout), collected(flat, self.layout)]
        return min(forms, key=lambda form: sum(map(size, form)) + len(form))

    def _shortest(self, shape: Mapping[Angles, Fraction], budget: int) -> Polynomial:
        """The shape itself or a multiple of it: 2 c^2 - 1 and c^2 - 1/2 are searched alike."""
        return shortest(shape, self.angles, self.joints, budget) if self.thorough else as_it_is(shape, self.angles)

    def _monomial(self, powers: Rest) -> Monomial:
        atoms = [(*self.atoms[self.ring.symbols[k]], e) for k, e in powers]
        return frozenset((atom, unit * exponent) for atom, unit, exponent in atoms)


def _product_of(monomial: Monomial, layout: Layout) -> Tree:
    (tree,) = collected({monomial: Fraction(1)}, layout)
    return tree


def _sum(terms: list[Tree], layout: Layout) -> Tree:
    if len(terms) == 1:
        return terms[0]
    return Sum(tuple(sorted(terms, key=lambda term: term_key(term, layout))))


def _times(left: Tree, right: Tree) -> Tree:
    """left * right, numbers in front."""
    number, factors = Fraction(1), list[Tree]()
    for tree in (left, right):
        for factor in tree.factors if isinstance(tree, Product) else (tree,):
            if isinstance(factor, Number):
                number *= factor.value
            else:
                factors.append(factor)
    return product(number, tuple(factors))
