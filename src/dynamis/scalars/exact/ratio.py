"""Quotients of exact scalars: the field of a robot's geometry.

>>> from dynamis.scalars.exact.ring import Ring
>>> from dynamis.scalars.exact.symbols import parameter
>>> ring = Ring((parameter("l"), parameter("h")))
>>> l, h = map(ring.scalar, ring.symbols)
>>> Ratio.of(l * l - h * h, l + h)
l - h
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import lcm
from typing import Any

from dynamis.scalars.exact.processes import cancel_common_divisor, divide_polynomials
from dynamis.scalars.exact.products import multiply_in_pieces
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import Symbol


@dataclass(frozen=True)
class Ratio:
    """numerator / denominator, without common factors; the denominator begins with 1."""

    numerator: Exact
    denominator: Exact

    @staticmethod
    def of(numerator: Exact, denominator: Exact | None = None) -> Ratio:
        """The quotient of two scalars, cancelled."""
        ring = numerator.ring
        if denominator is None or not numerator:
            return Ratio(numerator, ring.number(1))
        above, below = cancel_common_divisor(numerator.polynomial, denominator.polynomial, ring)
        lead = below.leading_coefficient()
        return Ratio(Exact(above / lead, ring), Exact(below / lead, ring))

    def __sub__(self, other: Ratio) -> Ratio:
        if self.denominator == other.denominator:
            return Ratio.of(self.numerator - other.numerator, self.denominator)
        above = self.numerator * other.denominator - other.numerator * self.denominator
        return Ratio.of(above, self.denominator * other.denominator)

    def __mul__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.numerator * other.numerator, self.denominator * other.denominator)

    def __truediv__(self, other: Ratio) -> Ratio:
        return Ratio.of(self.numerator * other.denominator, self.denominator * other.numerator)

    def __bool__(self) -> bool:
        return bool(self.numerator)

    @property
    def is_polynomial(self) -> bool:
        """Whether nothing but a number is below."""
        return bool(self.denominator.polynomial.is_constant())

    @property
    def is_sum(self) -> bool:
        """Whether it needs brackets before a product."""
        return len(self.numerator) > 1 or not self.is_polynomial

    def without_sines_below(self) -> Ratio:
        """x / sin a as x sin a / (1 - cos^2 a), where that can be cancelled: sin^2 a / sin a is sin a."""
        best, ring = self, self.numerator.ring
        for sine, cosine in ring.angles:
            if sine in best.denominator.symbols():
                factor = ring.scalar(sine)
                other = Ratio.of(best.numerator * factor, best.denominator * factor)
                below = other.denominator
                if not below.degree(sine) and below.degree(cosine) <= best.denominator.degree(cosine):
                    best = other
        return best

    def over(self, common: Exact) -> Exact:
        """This times a multiple of its denominator."""
        quotient, _ = divide_polynomials(common.polynomial, self.denominator.polynomial, common.ring)
        return self.numerator * Exact(quotient, common.ring)

    @staticmethod
    def common_denominator(ratios: Iterable[Ratio], ring: Ring) -> Exact:
        """The least common multiple of the denominators."""
        total: Any = ring.number(1).polynomial
        for ratio in ratios:
            below = ratio.denominator.polynomial
            total = multiply_in_pieces(total, cancel_common_divisor(total, below, ring)[1], ring)
        return Exact(total, ring)

    def __repr__(self) -> str:
        return str(self.numerator) if self.is_polynomial else f"({self.numerator})/({self.denominator})"


def substitute_ratio(polynomial: Exact, symbol: Symbol, value: Ratio) -> Exact:
    """polynomial * denominator^degree with symbol = value."""
    parts, total = polynomial.coefficients(symbol), polynomial.ring.zero
    degree = max(parts, default=0)
    for power, product in parts.items():
        for k in range(degree):
            product = product * (value.numerator if k < power else value.denominator)
        total = total + product
    return total


def _product(scalar: Exact) -> str:
    """`-l1*(m1 + m2)`: a sum without what is common to its terms."""
    if len(scalar) < 2:
        return str(scalar)
    content, factors = scalar.factors()
    sums = [(factor, power) for factor, power in factors if len(factor) > 1]
    if len(sums) != 1 or sums[0][1] != 1 or any(power < 0 for _, power in factors):
        return f"({scalar})"
    ((inner, _),) = sums
    number = lcm(*(value.denominator for value in inner.terms().values()))
    outside, inner = scalar.ring.number(content / number), inner.times(number)
    for factor, power in factors:
        for _ in range(power if len(factor) == 1 else 0):
            outside = outside * factor
    text = str(outside)
    return f"({inner})" if text == "1" else f"-({inner})" if text == "-1" else f"{text}*({inner})"


def quotient_text(value: Ratio | None) -> str:
    """`-l1*m2/m1`, brackets where there are sums or products below."""
    if value is None:
        return ""
    if value.is_polynomial:
        return str(value.numerator)
    above = _product(value.numerator)
    below = str(value.denominator)
    return f"{above}/{below}" if below in value.denominator.ring.places or below.isdigit() else f"{above}/({below})"
