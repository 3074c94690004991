"""The shortest readable form of an exact scalar: a deterministic search, bounded in work.

Terms are split by velocities and accelerations; in each part the parameters that come with the
same trigonometric polynomial are put together; every such polynomial is written in its shortest
way (`trigonometry`); then common factors come out and terms stand in the order of textbooks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from dynamis.scalars.exact.half_angles import square_root
from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.scalars.exact.symbols import Symbol
from dynamis.telling.forms.factoring import (
    Monomial,
    Terms,
    collect_by_angles,
    content,
    factor_terms,
    factors_of,
    in_order,
    merge_brackets,
    number_out,
    ordered_product,
)
from dynamis.telling.forms.order import TEXTBOOK, Layout, factor_key, has_angles, is_mass, motion_key, term_key
from dynamis.telling.forms.quotients import sum_quotients, together
from dynamis.telling.forms.tree import (
    Atom,
    Number,
    Power,
    Product,
    Sum,
    Tree,
    atoms_of,
    product,
    scale_tree,
    size,
)
from dynamis.telling.forms.trigonometry import REDUCED_BUDGET, SEARCH_BUDGET, as_it_is, shortest

SEARCH_LIMIT = 2000
# Terms beyond which a formula is searched with less work for each of its parts.
LONG_FORMULA = 120
# A longer sum is always shorter with its factors out.
MAX_UNFACTORED_TERMS = 60
# Schools that write masses term by term do so in sums that are no longer than this.
SHORT_SUM = 9
Rest = tuple[tuple[int, int], ...]
Angles = tuple[int, ...]
Kind = tuple[int, frozenset[tuple[Exponents, Fraction]]]
Motions = list[tuple[Rest, Fraction]]


def simplest(scalar: Exact, layout: Layout = TEXTBOOK, limit: int = SEARCH_LIMIT) -> Tree:
    """A short readable form; above `limit` terms without a search.

    >>> from dynamis.scalars.exact.symbols import joint_angle
    >>> ring = Ring((*joint_angle("q1"), *joint_angle("q2")))
    >>> s1, s2, c1, c2 = map(ring.scalar, ring.symbols)
    >>> simplest(c1 * c2 - s1 * s2)
    Trig(function='cos', angle=(('q1', 1), ('q2', 1)))
    """
    if layout.decimals != scalar.ring.decimals:
        layout = replace(layout, decimals=scalar.ring.decimals)
    return _cached_form(scalar, scalar.ring.meanings, layout, len(scalar) <= limit)


@lru_cache(maxsize=8192)
def _cached_form(scalar: Exact, symbols: tuple[tuple[Symbol, str], ...], layout: Layout, thorough: bool) -> Tree:
    """Several printers ask for it; `symbols` with their meanings tell equal polynomials of different rings apart."""
    form = _Search(scalar.ring, layout, thorough).form(scalar.terms()) if scalar else Number(Fraction(0))
    return sum_quotients(form, layout) if scalar.ring.inverses else form


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
        form = self._sum_of(self._by_motion(terms))
        if not (self.layout.group_velocities and self.thorough):
            return form
        return min(self._sum_of(self._by_velocities(terms)), form, key=size)

    def _sum_of(self, parts: Mapping[Kind, Motions]) -> Tree:
        trees: list[Tree] = []
        for (_, body), motions in parts.items():
            trees.extend(self._part(dict(body), motions))
        return _sum(trees, self.layout)

    def _by_motion(self, terms: Mapping[Exponents, Fraction]) -> dict[Kind, Motions]:
        """What multiplies each product of velocities or each acceleration -> all of those that it multiplies."""
        parts: dict[Rest, dict[Exponents, Fraction]] = {}
        for exponents, number in terms.items():
            parts.setdefault(self._motion(exponents), {})[self._without_rates(exponents)] = number
        alike: dict[Kind, Motions] = {}
        for motion, body in parts.items():
            lead = content(body.values(), body[max(body)])
            kind = self._kind(motion), frozenset((key, number / lead) for key, number in body.items())
            alike.setdefault(kind, []).append((motion, lead))
        return alike

    def _by_velocities(self, terms: Mapping[Exponents, Fraction]) -> dict[Kind, Motions]:
        """The same the other way round, so that a sum of velocities stays together; accelerations stay apart."""
        apart = {key: number for key, number in terms.items() if self._kind(self._motion(key)) in (0, 4)}
        motions: dict[tuple[int, Exponents], dict[Rest, Fraction]] = {}
        for exponents, number in terms.items():
            if exponents not in apart:
                motion = self._motion(exponents)
                motions.setdefault((self._kind(motion), self._without_rates(exponents)), {})[motion] = number
        alike: dict[tuple[int, frozenset[tuple[Rest, Fraction]]], dict[Exponents, Fraction]] = {}
        for (kind, rest), numbers in motions.items():
            lead = content(numbers.values(), numbers[max(numbers)])
            rates = frozenset((motion, number / lead) for motion, number in numbers.items())
            alike.setdefault((kind, rates), {})[rest] = lead
        parts = self._by_motion(apart)
        for (kind, rates), body in alike.items():
            parts[kind, frozenset(body.items())] = sorted(rates)
        return parts

    def _motion(self, exponents: Exponents) -> Rest:
        return tuple((k, exponents[k]) for k in self.rates if exponents[k])

    def _without_rates(self, exponents: Exponents) -> Exponents:
        rates = {*self.rates}
        return tuple(0 if k in rates else e for k, e in enumerate(exponents))

    def _kind(self, motion: Rest) -> int:
        """Accelerations are not mixed with velocities, nor these with friction."""
        return int(motion_key(self._rates(motion))[0]) if motion else 4

    def _part(self, body: Mapping[Exponents, Fraction], motions: Motions) -> list[Tree]:
        """body * (sum of the motions)."""
        if len(motions) > 1 and self._kind(motions[0][0]) == 0:
            return [term for motion in motions for term in self._part(body, [motion])]
        if len(motions) == 1:
            ((motion, lead),) = motions
            terms = self._body({exponents: number * lead for exponents, number in sorted(body.items(), reverse=True)})
            return [self._times(terms, self._rates(motion))] if motion else terms
        number = content([lead for _, lead in motions], min(motions)[1])
        rates = self._product_of_sums({motion: lead / number for motion, lead in motions})
        terms = self._body({exponents: value * number for exponents, value in sorted(body.items(), reverse=True)})
        return [self._times(terms, rates)]

    def _product_of_sums(self, motions: Mapping[Rest, Fraction]) -> Tree:
        """A sum of velocities and their products: (qd1 + qd2)^2 where the layout keeps such sums together."""
        plain = _sum([scale_tree(self._rates(motion), number) for motion, number in motions.items()], self.layout)
        if not self.layout.group_velocities:
            return plain
        places = range(len(self.ring.symbols))
        terms = {tuple(dict(motion).get(k, 0) for k in places): number for motion, number in motions.items()}
        content, factors = self.ring.from_terms(terms).factors()
        sums = all(abs(number) == 1 for factor, _ in factors for number in factor.terms().values())
        if not sums or (len(factors) == 1 and factors[0][1] == 1):
            return plain
        powers: list[Tree] = []
        for factor, power in factors:
            rates = [scale_tree(self._rates(self._motion(key)), number) for key, number in factor.terms().items()]
            tree = _sum(rates, self.layout)
            powers.append(tree if power == 1 else Power(tree, power))
        return product(content, tuple(sorted(powers, key=lambda power: (size(power), factor_key(power, self.layout)))))

    def _times(self, terms: list[Tree], rates: Tree) -> Tree:
        number, bracket = self._bracket(terms)
        return scale_tree(_times(bracket, rates), number)

    def _bracket(self, terms: list[Tree]) -> tuple[Fraction, Tree]:
        """(number, sum): what stands before a bracket, and what in it."""
        number, inside = Fraction(1), terms
        if len(terms) > 1:
            number, inside = number_out(in_order(terms, self.layout), self.layout.decimals)
        return number, _sum(inside, self.layout)

    def _rates(self, motion: Rest) -> Tree:
        return _product_of(self._monomial(motion), self.layout)

    def _body(self, terms: Mapping[Exponents, Fraction]) -> list[Tree]:
        """The terms of what multiplies a motion."""
        columns: dict[Monomial, dict[Angles, Fraction]] = {}
        for exponents, number in terms.items():
            parameters = self._monomial(tuple((k, exponents[k]) for k in self.others if exponents[k]))
            columns.setdefault(parameters, {})[tuple(exponents[k] for k in self.trig)] = number
        budget = SEARCH_BUDGET if len(terms) <= LONG_FORMULA else REDUCED_BUDGET
        flat: Terms = {}
        for monomial, angles in columns.items():
            lead = angles[max(angles)]
            shape = {key: number / lead for key, number in angles.items()}
            for factors, number in self._angles(shape, budget).items():
                key = monomial | factors
                flat[key] = flat.get(key, Fraction(0)) + number * lead
        flat = {key: number for key, number in flat.items() if number}
        if self.layout.group_masses and self.thorough and len(flat) > SHORT_SUM:
            return self._by_masses(flat)
        return self._written(flat)

    def _by_masses(self, flat: Terms) -> list[Tree]:
        """m1 (...) + m2 (...) + what has no mass; in a long bracket parameter by parameter."""
        trees: list[Tree] = []
        for masses, part in _split(flat, is_mass):
            common = next(iter(part)).intersection(*part)
            inside = {monomial - common: number for monomial, number in part.items()}
            terms = self._written(inside)
            if len(inside) > SHORT_SUM:
                parameters = _split(inside, lambda atom: not has_angles(atom))
                products = [self._product(atoms, self._written(trigs)) for atoms, trigs in parameters]
                terms = min(
                    [merge_brackets(products, self.layout), terms], key=lambda form: sum(map(size, form)) + len(form)
                )
            trees += [self._product(masses | common, terms)] if masses | common else terms
        return trees

    def _product(self, atoms: Monomial, terms: list[Tree]) -> Tree:
        """atoms * (terms)."""
        number, bracket = self._bracket(terms)
        factors = tuple(atom if power == 1 else Power(atom, power) for atom, power in atoms)
        return scale_tree(ordered_product(Fraction(1), (*factors, *factors_of(bracket)), self.layout), number)

    def _written(self, flat: Terms) -> list[Tree]:
        if not self.thorough or (not self.layout.factored and len(flat) <= SHORT_SUM):
            return collect_by_angles(flat, self.layout)
        if len(flat) > MAX_UNFACTORED_TERMS:
            return factor_terms(flat, self.layout)
        forms = [factor_terms(flat, self.layout), collect_by_angles(flat, self.layout)]
        return min(forms, key=lambda form: sum(map(size, form)) + len(form))

    def _angles(self, shape: Mapping[Angles, Fraction], budget: int) -> Terms:
        """A trigonometric polynomial; mass by mass also as a square, which the squared cosines of inertias are."""
        terms = self._shortest(shape, budget)
        if not (self.layout.group_masses and self.thorough and len(terms) > 2):
            return terms
        places = {place: k for k, place in enumerate(self.trig)}
        size_of_ring = range(len(self.ring.symbols))
        full = {tuple(key[places[k]] if k in places else 0 for k in size_of_ring): n for key, n in shape.items()}
        square = square_root(self.ring.from_terms(full))
        if square is None:
            return terms
        number, root = square
        angles = {tuple(key[k] for k in self.trig): value for key, value in root.terms().items()}
        outside, bracket = self._bracket(collect_by_angles(self._shortest(angles, budget), self.layout))
        return {frozenset({(bracket, 2)}): number * outside**2} if isinstance(bracket, Sum) else terms

    def _shortest(self, shape: Mapping[Angles, Fraction], budget: int) -> Terms:
        """The shape itself or a multiple of it: 2 c^2 - 1 and c^2 - 1/2 are searched alike."""
        if self.thorough:
            polynomial = shortest(shape, self.angles, self.joints, budget)
        else:
            polynomial = as_it_is(shape, self.angles)
        return {frozenset(factors): number for factors, number in polynomial.items()}

    def _monomial(self, powers: Rest) -> Monomial:
        atoms = [(*self.atoms[self.ring.symbols[k]], e) for k, e in powers]
        return frozenset((atom, unit * exponent) for atom, unit, exponent in atoms)


def _split(terms: Terms, is_outside: Callable[[Atom], bool]) -> list[tuple[Monomial, Terms]]:
    """(what comes out, the terms without it) for each product of atoms that are `is_outside`."""
    parts: dict[Monomial, Terms] = {}
    for monomial, number in terms.items():
        outside = frozenset((atom, power) for atom, power in monomial if is_outside(atom))
        parts.setdefault(outside, {})[monomial - outside] = number
    return list(parts.items())


def _product_of(monomial: Monomial, layout: Layout) -> Tree:
    (tree,) = collect_by_angles({monomial: Fraction(1)}, layout)
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
