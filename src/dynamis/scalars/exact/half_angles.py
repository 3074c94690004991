"""Quotients and square roots of polynomials in sines and cosines, by the tangents of half the angles.

With t = tan(q/2), s = 2 t/(1 + t^2) and c = (1 - t^2)/(1 + t^2), a polynomial of degree d in s and c is
P(t)/(1 + t^2)^d. Polynomials in t have unique factors, which those in s and c have not: s^2 = (1 - c)(1 + c).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt

from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.scalars.exact.symbols import Symbol, parameter

# Beyond this nobody reads the result; what is multiplied out in t is some ten times longer.
MAX_TERMS, MAX_DEGREE = 60, 4


def quotient(above: Exact, below: Exact) -> Exact | None:
    """above/below where that is a polynomial in the symbols, sines and cosines; else None.

    >>> from dynamis.scalars.exact.symbols import joint_angle
    >>> ring = Ring(joint_angle("q1"))
    >>> s, c = map(ring.scalar, ring.symbols)
    >>> quotient(ring.one - c * c, s)
    sin(q1)
    """
    whole, rest = divmod(above.polynomial, below.polynomial)
    if not rest:
        return Exact(whole, above.ring)
    tangents = _Tangents.of(above, below)
    if tangents is None:
        return None
    (a, of_above), (b, of_below) = tangents.read(above), tangents.read(below)
    for t, degree in zip(tangents.scalars, of_below, strict=True):
        a = a * _power(t * t + t.ring.one, degree)
    whole, rest = divmod(a.polynomial, b.polynomial)
    return None if rest else tangents.written(Exact(whole, a.ring), of_above)


def square_root(scalar: Exact) -> tuple[Fraction, Exact] | None:
    """(number, root) with scalar = number * root^2; None where there is no such root.

    >>> from dynamis.scalars.exact.symbols import joint_angle
    >>> ring = Ring(joint_angle("q1"))
    >>> s, c = map(ring.scalar, ring.symbols)
    >>> square_root(ring.one - c * c)
    (Fraction(1, 1), sin(q1))
    """
    tangents = _Tangents.of(scalar)
    if tangents is None or not scalar:
        return None
    polynomial, degrees = tangents.read(scalar)
    # p/(1 + t^2)^d is a square only with an even d.
    for t, degree in zip(tangents.scalars, degrees, strict=True):
        polynomial = polynomial * _power(t * t + t.ring.one, degree % 2)
    if not _may_be_square(polynomial):
        return None
    number, factors = polynomial.factors()
    if any(power % 2 for _, power in factors):
        return None
    root = polynomial.ring.one
    for factor, power in factors:
        root = root * _power(factor, power // 2)
    result = tangents.written(root, [(degree + 1) // 2 for degree in degrees])
    if result is None:
        return None
    lead = next(iter(result.terms().values()))
    return number * lead**2, result.times(1 / lead)


@dataclass(frozen=True)
class _Tangents:
    """The symbols of a ring, with t in the place of each sine and cosine."""

    ring: Ring
    pairs: Sequence[tuple[Symbol, Symbol]]
    others: Sequence[Symbol]

    @staticmethod
    def of(*scalars: Exact) -> _Tangents | None:
        ring, symbols = scalars[0].ring, frozenset[Symbol]().union(*(scalar.symbols() for scalar in scalars))
        pairs = [pair for pair in ring.angles if symbols.intersection(pair)]
        degrees = [scalar.degree(symbol) for scalar in scalars for pair in pairs for symbol in pair]
        if any(len(x) > MAX_TERMS for x in scalars) or any(s.kind in ("root", "inverse") for s in symbols):
            return None
        if max(degrees, default=0) > MAX_DEGREE:
            return None
        return _Tangents(ring, pairs, [s for s in ring.symbols if s in symbols and not s.is_trig])

    @cached_property
    def names(self) -> list[Symbol]:
        """Of t, one for each angle; no parameter has such a name."""
        return [parameter(f"tan({sine.of}/2)") for sine, _ in self.pairs]

    @cached_property
    def polynomials(self) -> Ring:
        return Ring((*self.names, *self.others))

    @property
    def scalars(self) -> list[Exact]:
        """t of each angle."""
        return [self.polynomials.scalar(name) for name in self.names]

    def read(self, scalar: Exact) -> tuple[Exact, list[int]]:
        """(P, d)."""
        at = [[self.ring.places[symbol] for symbol in pair] for pair in self.pairs]
        terms = scalar.terms()
        degrees = [max((key[s] + key[c] for key in terms), default=0) for s, c in at]
        ring, others = self.polynomials, [self.ring.places[symbol] for symbol in self.others]
        places = [ring.places[symbol] for symbol in self.others]
        # Terms with the same sines and cosines are multiplied by these once.
        parts: dict[tuple[tuple[int, int], ...], dict[Exponents, Fraction]] = {}
        for key, number in terms.items():
            exponents = [0] * len(ring.symbols)
            for place, other in zip(places, others, strict=True):
                exponents[place] = key[other]
            parts.setdefault(tuple((key[s], key[c]) for s, c in at), {})[tuple(exponents)] = number
        total, tangents = ring.zero, self.scalars
        factors: dict[tuple[int, int, int], Exact] = {}
        for powers, part in parts.items():
            product = ring.from_terms(part)
            for k, (s, c) in enumerate(powers):
                if (k, s, c) not in factors:
                    t, square = tangents[k], tangents[k] * tangents[k]
                    rest = _power(ring.one + square, degrees[k] - s - c)
                    factors[k, s, c] = _power(t + t, s) * _power(ring.one - square, c) * rest
                product = product * factors[k, s, c]
            total = total + product
        return total, degrees

    def written(self, polynomial: Exact, degrees: Sequence[int]) -> Exact | None:
        """P(t)/(1 + t^2)^d, by t^2 = (1 - c)/(1 + c), t = s/(1 + c) and 1 + t^2 = 2/(1 + c); None if d is too small."""
        total, one = self.ring.zero, self.ring.one
        pairs = [(self.ring.scalar(sine), self.ring.scalar(cosine)) for sine, cosine in self.pairs]
        for key, number in polynomial.terms().items():
            product = self.ring.number(number)
            powers = {symbol: key[k] for symbol, k in self.polynomials.places.items()}
            for name, (sine, cosine), degree in zip(self.names, pairs, degrees, strict=True):
                power = powers[name]
                if power > 2 * degree:
                    return None
                product = product * _power(sine, power % 2) * _power(one - cosine, power // 2)
                product = product * _power(one + cosine, degree - (power + 1) // 2).times(Fraction(1, 2**degree))
            for symbol in self.others:
                product = product * _power(self.ring.scalar(symbol), powers[symbol])
            total = total + product
        return total


def _may_be_square(scalar: Exact) -> bool:
    """Whether its values at two points have a square as their product, as those of number * root^2 have."""
    places = range(1, len(scalar.ring.symbols) + 1)
    first, second = (scalar.polynomial(*(1 + step * k for k in places)) for step in (1, 3))
    product = Fraction(int(first.p), int(first.q)) * Fraction(int(second.p), int(second.q))
    return product >= 0 and all(isqrt(n) ** 2 == n for n in (product.numerator, product.denominator))


def _power(base: Exact, exponent: int) -> Exact:
    result = base.ring.one
    for _ in range(exponent):
        result = result * base
    return result
