"""Squares of trigonometric polynomials: (s2 c5 + c2 s4 s5)^2 in what it expands to.

With t = tan(q/2), s = 2 t/(1 + t^2) and c = (1 - t^2)/(1 + t^2), a polynomial p of even degree d in s and c is
P(t)/(1 + t^2)^d, and p is a square if and only if P is one, which its factors tell.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import joint_angle, parameter

Vector = tuple[int, ...]
# Squares of direction cosines have some twenty terms; beyond this nobody would read the square either.
MAX_TERMS, MAX_DEGREE = 60, 4


@lru_cache(maxsize=512)
def square_root(terms: tuple[tuple[Vector, Fraction], ...]) -> tuple[Fraction, dict[Vector, Fraction]] | None:
    """(number, r) with p = number * r^2, both as {(s1, c1, s2, c2, ...) exponents: factor}; None if there is none.

    >>> one, minus = Fraction(1), Fraction(-1)
    >>> square_root((((0, 0), one), ((0, 2), minus)))
    (Fraction(1, 1), {(1, 0): Fraction(1, 1)})
    """
    n = len(terms[0][0]) // 2
    degrees = [max(exponents[2 * k] + exponents[2 * k + 1] for exponents, _ in terms) for k in range(n)]
    degrees = [degree + degree % 2 for degree in degrees]
    if len(terms) > MAX_TERMS or max(degrees) > MAX_DEGREE:
        return None
    ring = Ring(tuple(parameter(f"t{k}") for k in range(n)))
    one, tangents = ring.one, [ring.scalar(symbol) for symbol in ring.symbols]
    total = ring.zero
    for exponents, number in terms:
        product = ring.number(number)
        for k, t in enumerate(tangents):
            sines, cosines = exponents[2 * k : 2 * k + 2]
            rest = degrees[k] - sines - cosines
            product = product * _power(t + t, sines) * _power(one - t * t, cosines) * _power(one + t * t, rest)
        total = total + product
    content, factors = total.factors()
    if any(power % 2 for _, power in factors):
        return None
    root = one
    for factor, power in factors:
        root = root * _power(factor, power // 2)
    return _normalised(content, _in_sines(root, degrees))


def _in_sines(root: Exact, degrees: list[int]) -> dict[Vector, Fraction]:
    """R(t)/(1 + t^2)^(d/2) in sines and cosines, by t^2 = (1 - c)/(1 + c), t = s/(1 + c) and 1 + t^2 = 2/(1 + c)."""
    pairs = [joint_angle(f"q{k}") for k in range(len(degrees))]
    ring = Ring(tuple(symbol for pair in pairs for symbol in pair))
    total = ring.zero
    for exponents, number in root.terms().items():
        product = ring.number(number)
        for k, exponent in enumerate(exponents):
            sine, cosine = map(ring.scalar, pairs[k])
            half, odd = degrees[k] // 2, exponent % 2
            product = product * _power(sine, odd) * _power(ring.one - cosine, exponent // 2)
            product = product * _power(ring.one + cosine, half - exponent // 2 - odd).times(Fraction(1, 2**half))
        total = total + product
    places = [ring.places[symbol] for pair in pairs for symbol in pair]
    return {tuple(exponents[k] for k in places): number for exponents, number in total.terms().items()}


def _normalised(content: Fraction, root: dict[Vector, Fraction]) -> tuple[Fraction, dict[Vector, Fraction]]:
    """The root begins with 1."""
    lead = root[max(root)]
    return content * lead**2, {exponents: number / lead for exponents, number in root.items()}


def _power(base: Exact, exponent: int) -> Exact:
    result = base.ring.one
    for _ in range(exponent):
        result = result * base
    return result
