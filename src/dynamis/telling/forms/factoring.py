"""Common factors come out of sums, greedily: the one that shortens most comes first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from math import gcd, isqrt, lcm, prod

from dynamis.telling.forms.order import Layout, factor_key, has_angles, is_mass, term_key
from dynamis.telling.forms.tree import (
    Atom,
    Coordinate,
    Number,
    Power,
    Product,
    Root,
    Sum,
    Tree,
    Trig,
    product,
    scale_tree,
    sign_of,
    size,
)

Monomial = frozenset[tuple[Atom, int]]
Terms = dict[Monomial, Fraction]
# The same with the places of atoms in a table: small numbers are compared faster than trees.
Indices = frozenset[tuple[int, int]]
Sums = dict[Indices, Fraction]
ONE: Indices = frozenset()
MAX_TERMS = 600
# Squares of sums are looked for in sums that are no longer, and (3 a + 2 b)^2 with numbers that are no larger.
MAX_SQUARES = 120
MAX_RATIO = 4
# Denominators from here on are those of decimals in a file.
DECIMAL_DENOMINATOR = 50


def collect_by_angles(terms: Mapping[Monomial, Fraction], layout: Layout) -> list[Tree]:
    """Terms put together by their sines and cosines: (m1 d1 + m2 l1) cos q1 + ...; g0 (m1 d1 + m2 l1) without any."""
    brackets = _Brackets(layout)
    return brackets.collected(brackets.read(terms))


def factor_terms(terms: Mapping[Monomial, Fraction], layout: Layout) -> list[Tree]:
    """The terms of a sum with common factors taken out."""
    brackets = _Brackets(layout)
    return brackets.factored(brackets.read(terms))


def common_factor(terms: Mapping[Indices, Fraction]) -> Indices:
    """The greatest monomial that divides all of the terms."""
    first, *others = terms
    same = first.intersection(*others)
    if len(same) == len(first):
        return same
    # Of what is not the same in all of them a smaller power may come out.
    powers = dict(first - same)
    for other in others:
        more = dict(other)
        powers = {a: _smaller(p, more[a]) for a, p in powers.items() if a in more and p * more[a] > 0}
        if not powers:
            return same
    return same.union(powers.items())


class _Brackets:
    """Sums over one table of atoms, written in a layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.atoms: list[Atom] = []
        self.places: dict[Atom, int] = {}
        self.sizes: list[int] = []
        self.masses: set[int] = set()
        self.trigs: set[int] = set()
        self.varying: set[int] = set()

    def read(self, terms: Mapping[Monomial, Fraction]) -> Sums:
        """Terms with places instead of atoms."""
        return {frozenset((self.place(a), p) for a, p in monomial): number for monomial, number in terms.items()}

    def place(self, atom: Atom) -> int:
        """The place of an atom in the table, which it gets when it is first asked for."""
        number = self.places.get(atom)
        if number is None:
            number = self.places[atom] = len(self.atoms)
            self.atoms.append(atom)
            self.sizes.append(size(atom))
            if is_mass(atom):
                self.masses.add(number)
            if isinstance(atom, Trig):
                self.trigs.add(number)
            # What changes with the configuration.
            if isinstance(atom, Trig | Coordinate) or (isinstance(atom, Sum) and has_angles(atom)):
                self.varying.add(number)
        return number

    def collected(self, terms: Sums) -> list[Tree]:
        """By sines and cosines."""
        terms = self._squares(terms)
        groups: dict[Indices, Sums] = {}
        for monomial, number in terms.items():
            angles = frozenset(pair for pair in monomial if pair[0] in self.varying)
            groups.setdefault(angles, {})[monomial - angles] = number
        trees: list[Tree] = []
        for angles, parameters in groups.items():
            common = common_factor(parameters)
            if len(parameters) == 1 or not (angles or (common and len(groups) == 1)):
                trees.extend(self._monomial_tree(monomial | angles, number) for monomial, number in parameters.items())
            else:
                trees.append(self._bracket(common | angles, _divide_terms(parameters, common), factoring=False))
        return in_order(trees, self.layout)

    def factored(self, terms: Sums) -> list[Tree]:
        """The factor that saves most first, and so on."""
        if len(terms) > MAX_TERMS:
            return self.collected(terms)
        terms = self._squares(terms)
        if len(terms) > 1 and (common := self._of_all(terms)):
            return [self._bracket(common, _divide_terms(terms, common), factoring=True)]
        rest, trees = self._pythagoras(terms), list[Tree]()
        weights = {monomial: self._weight(monomial) for monomial in rest}
        while len(rest) > 1 and (best := self._best_factor(rest, weights)):
            common, inside = best
            trees.append(self._bracket(common, _divide_terms(inside, common), factoring=True))
            rest = {monomial: number for monomial, number in rest.items() if monomial not in inside}
        trees.extend(self._monomial_tree(monomial, number) for monomial, number in rest.items())
        return in_order(merge_brackets(trees, self.layout), self.layout)

    def _squares(self, terms: Sums) -> Sums:
        """With (a + b)^2, an atom, in the place of a^2 + 2 a b + b^2, also where a factor is common to the three."""
        sums = dict(terms)
        for pair in self._alike(terms) if 3 <= len(terms) <= MAX_SQUARES else ():
            first, second = pair
            if not (first in sums and second in sums):
                continue
            ratio = _root(sums[first] / sums[second])
            if ratio is None or max(ratio.numerator, ratio.denominator) > MAX_RATIO:
                continue
            powers = {atom: [dict(monomial).get(atom, 0) for monomial in pair] for atom, _ in first | second}
            cross = frozenset((atom, sum(both) // 2) for atom, both in powers.items() if sum(both))
            if cross not in sums or cross in pair:
                continue
            number = sums[first] / ratio.numerator**2
            twice = sums[cross] / number / ratio.numerator / ratio.denominator
            if abs(twice) != 2:
                continue
            common = frozenset((atom, min(both)) for atom, both in powers.items() if min(both))
            roots = [frozenset((a, (b[k] - min(b)) // 2) for a, b in powers.items() if b[k] != min(b)) for k in (0, 1)]
            if any(atom in self.trigs or atom in self.masses for root in roots for atom, _ in root):
                continue
            halves = (Fraction(ratio.numerator), Fraction(ratio.denominator))
            trees = [self._monomial_tree(root, half) for root, half in zip(roots, halves, strict=True)]
            one, other = in_order(trees, self.layout)
            bracket = Sum((one, other if twice > 0 else scale_tree(other, Fraction(-1))))
            del sums[first], sums[second], sums[cross]
            sums[common | {(self.place(bracket), 2)}] = number
        return sums

    def _alike(self, terms: Sums) -> Iterator[tuple[Indices, Indices]]:
        """Pairs of terms whose quotient is a square: k a^2 and k b^2."""
        groups: dict[Indices, list[Indices]] = {}
        for monomial, number in terms.items():
            odd = frozenset([(atom, 1) for atom, power in monomial if power % 2] + [(-1, int(number > 0))])
            groups.setdefault(odd, []).append(monomial)
        for group in groups.values():
            yield from combinations(group, 2)

    def _pythagoras(self, terms: Sums) -> Sums:
        """1 - sin^2 x = cos^2 x and 1 - 2 sin^2 x = cos 2x, where nothing else is in the sum."""
        if len(terms) != 2 or ONE not in terms:
            return terms
        one, (square, factor) = terms[ONE], next(item for item in terms.items() if item[0])
        place, power = next(iter(square))
        atom = self.atoms[place]
        if len(square) > 1 or power != 2 or not isinstance(atom, Trig) or factor / one not in (-1, -2):
            return terms
        if factor / one == -1:
            other = Trig("sin" if atom.function == "cos" else "cos", atom.angle)
            return {frozenset({(self.place(other), 2)}): one}
        double = Trig("cos", tuple((name, 2 * times) for name, times in atom.angle))
        return {frozenset({(self.place(double), 1)}): one if atom.function == "sin" else -one}

    def _best_factor(self, terms: Sums, weights: Mapping[Indices, int]) -> tuple[Indices, Sums] | None:
        """The factor that saves most, and the terms that it comes out of."""
        holders: dict[tuple[int, int], list[Indices]] = {}
        for monomial in terms:
            for pair in monomial:
                atom, power = pair
                for p in range(1, power) if power > 1 else ():
                    holders.setdefault((atom, p), []).append(monomial)
                holders.setdefault(pair, []).append(monomial)
        best: tuple[Indices, Sums] | None = None
        best_score = (-1, 0)
        for (sought, _), inside in sorted(holders.items(), key=lambda item: -len(item[1])):
            # What is common to all of them is no longer than any of them.
            if len(inside) < 2 or (len(inside) - 1) * min([weights[m] for m in inside]) - 2 < best_score[0]:
                continue
            subset = {monomial: terms[monomial] for monomial in inside}
            common = self._worth_it(common_factor(subset), subset, len(inside) == len(terms))
            if not any(atom == sought for atom, _ in common):
                continue
            saved = (len(inside) - 1) * self._weight(common) - 2
            score = (saved, sum(atom in self.trigs for atom, _ in common))
            better = score > best_score or (best and score == best_score and self._name(common) < self._name(best[0]))
            if saved >= 0 and better:
                best, best_score = (common, subset), score
        return best

    def _name(self, monomial: Indices) -> list[str]:
        """Breaks ties the same way each time."""
        return sorted(repr((self.atoms[atom], power)) for atom, power in monomial)

    def _worth_it(self, common: Indices, terms: Iterable[Indices], entire_sum: bool) -> Indices:
        """Textbooks take a length out of a sum with sines and cosines only where none of it stays inside.

        So it is with a part of a sum of parameters: a^2 + a b + b^2 is not a (a + b) + b^2. Masses, sines and cosines,
        and what is common to a `entire_sum` sum of parameters always come out.
        """
        inside = {atom for monomial in terms for atom, _ in monomial - common}
        if entire_sum and not inside & self.varying:
            return common
        return frozenset(
            (a, p) for a, p in common if a in self.masses or a in self.trigs or a not in inside
        )  # fmt: skip

    def _of_all(self, terms: Sums) -> Indices:
        """What comes out of a whole sum first: a mass or a sine with what is common beside it; gravity alone stays."""
        common = self._worth_it(common_factor(terms), terms, entire_sum=True)
        return common if any(atom in self.masses or atom in self.trigs for atom, _ in common) else ONE

    def _weight(self, monomial: Indices) -> int:
        return sum([self.sizes[atom] + (abs(power) > 1) for atom, power in monomial])

    def _bracket(self, common: Indices, inside: Sums, factoring: bool) -> Tree:
        """common * (inside), the number common to the terms in front."""
        number = _outside(inside.values(), self.layout.decimals)
        if number != 1:
            inside = {monomial: value / number for monomial, value in inside.items()}
        if factoring:
            terms = self.factored(inside)
        else:
            terms = in_order([self._monomial_tree(monomial, value) for monomial, value in inside.items()], self.layout)
        sign, terms = without_minus(terms)
        number *= sign
        bracket: tuple[Tree, ...] = (Sum(tuple(terms)),) if len(terms) > 1 else factors_of(terms[0])
        return ordered_product(number, (*self._powers(common), *bracket), self.layout)

    def _powers(self, monomial: Indices) -> list[Tree]:
        return [self.atoms[atom] if power == 1 else Power(self.atoms[atom], power) for atom, power in monomial]

    def _monomial_tree(self, monomial: Indices, number: Fraction) -> Tree:
        return ordered_product(number, tuple(self._powers(monomial)), self.layout)


def _root(number: Fraction) -> Fraction | None:
    """The square root of a positive number, where it is rational."""
    if number <= 0:
        return None
    root = Fraction(isqrt(number.numerator), isqrt(number.denominator))
    return root if root * root == number else None


def in_order(terms: list[Tree], layout: Layout) -> list[Tree]:
    """The terms of a sum as textbooks order them."""
    return sorted(terms, key=lambda term: term_key(term, layout))


def _divide_terms(terms: Mapping[Indices, Fraction], by: Indices) -> Sums:
    quotients: Sums = {}
    for monomial, number in terms.items():
        left = by - monomial
        if not left:
            quotients[monomial - by] = number
            continue
        powers = dict(monomial - by)
        for atom, power in left:
            powers[atom] -= power
        quotients[frozenset(powers.items())] = number
    return quotients


def without_minus(terms: list[Tree]) -> tuple[Fraction, list[Tree]]:
    """(sign, terms): a bracket does not begin with a minus."""
    if sign_of(terms[0])[0] > 0:
        return Fraction(1), terms
    return Fraction(-1), [scale_tree(term, Fraction(-1)) for term in terms]


def number_out(terms: list[Tree], decimals: bool) -> tuple[Fraction, list[Tree]]:
    """(number, terms): a bracket's terms without a minus in front, and without halves where that is shorter."""
    sign, terms = without_minus(terms)
    number = _outside([_number_of(term) for term in terms], decimals)
    return sign * number, [_without_fractions(scale_tree(term, 1 / number)) for term in terms] if number != 1 else terms


def _number_of(term: Tree) -> Fraction:
    first = factors_of(term)[0]
    return first.value if isinstance(first, Number) else Fraction(1)


def _without_fractions(term: Tree) -> Tree:
    """8 (1/2 a + b) x as 4 (a + 2 b) x: a number before a bracket takes its fractions away."""
    factors = factors_of(term)
    for k, factor in enumerate(factors):
        if isinstance(factor, Sum) and _number_of(term) != 1:
            inside = content([_number_of(t) for t in factor.terms], Fraction(1))
            if inside.denominator > 1:
                bracket = Sum(tuple(scale_tree(t, 1 / inside) for t in factor.terms))
                return scale_tree(product(Fraction(1), (*factors[:k], bracket, *factors[k + 1 :])), inside)
    return term


def merge_brackets(terms: list[Tree], layout: Layout) -> list[Tree]:
    """Brackets, and cosines of 2 x, that occur in several terms are written once: a (x) + b (x) = (a + b) (x)."""
    holders: dict[Tree, list[int]] = {}
    for k, term in enumerate(terms):
        for factor in factors_of(term):
            if isinstance(factor, Sum) or (isinstance(factor, Trig) and any(abs(k) > 1 for _, k in factor.angle)):
                holders.setdefault(factor, []).append(k)
    shared = [(bracket, at) for bracket, at in holders.items() if len(at) > 1]
    if not shared:
        return terms
    _, at = max(shared, key=lambda pair: size(pair[0]) * (len(pair[1]) - 1))
    common = [f for f in factors_of(terms[at[0]]) if all(f in factors_of(terms[k]) for k in at)]
    common = [f for f in common if not isinstance(f, Number)]
    inside = [product(Fraction(1), tuple(f for f in factors_of(terms[k]) if f not in common)) for k in at]
    number, inside = number_out(in_order(inside, layout), layout.decimals)
    rest = [term for k, term in enumerate(terms) if k not in at]
    return merge_brackets([*rest, ordered_product(number, (*common, Sum(tuple(inside))), layout)], layout)


def factors_of(tree: Tree) -> tuple[Tree, ...]:
    return tree.factors if isinstance(tree, Product) else (tree,)


def content(numbers: Iterable[Fraction], sign: Fraction) -> Fraction:
    """The greatest number that leaves whole numbers, with the sign of `sign`."""
    values = list(numbers)
    divisor = Fraction(gcd(*(v.numerator for v in values)), lcm(*(v.denominator for v in values)))
    return divisor if sign > 0 else -divisor


def _outside(numbers: Iterable[Fraction], decimals: bool) -> Fraction:
    """The number that is written before a bracket: textbooks keep 1/3 and 1/2 inside, but not 1/3 and 2/3.

    Also 1/2 (a + b + 2 c), which is shorter than 1/2 a + 1/2 b + c. Decimals stay as their file has them, unless all
    are the same: 0.17 a + 0.023 b is not 0.001 (170 a + 23 b), nor is 0.25 a + 0.1 b 0.05 (5 a + 2 b).
    """
    values = list(numbers)
    sign = Fraction(-1 if all(v < 0 for v in values) else 1)
    divisor = content(values, sign)
    is_decimal = divisor.denominator % 5 == 0 or any(v.denominator >= DECIMAL_DENOMINATOR for v in values)
    if decimals and is_decimal and any(abs(v) != abs(divisor) for v in values):
        return sign
    if len({v.denominator for v in values}) == 1:
        return divisor
    inside, outside = sum(map(_room, values)), _room(divisor) + sum(_room(v / divisor) for v in values)
    return divisor if outside < inside else sign


def _room(number: Fraction) -> int:
    """What a number before a term takes: nothing for 1, more for a fraction."""
    return 2 if number.denominator > 1 else int(abs(number) != 1)


def ordered_product(number: Fraction, factors: tuple[Tree, ...], layout: Layout) -> Tree:
    """In the order of textbooks; the roots of 2 and 3 as the root of 6."""
    if len(roots := [factor.radicand for factor in factors if isinstance(factor, Root)]) > 1:
        factors = (Root(prod(roots)), *(factor for factor in factors if not isinstance(factor, Root)))
    return product(number, tuple(sorted(factors, key=lambda factor: factor_key(factor, layout))))


def _smaller(a: int, b: int) -> int:
    return min(a, b) if a > 0 else max(a, b)
