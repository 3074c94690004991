"""Expressions multiplied out: a scalars whose scalars are sums of products with like terms collected.

The inertia of a composite is a long sum; here `m*r^2/4 + m*r^2/4` becomes `m*r^2/2` before it goes into
a file, and a density is taken apart into powers of x, y and z. No normal form as in the exact ring: sines,
cosines and sums that are divided by are taken as symbols.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import ONE, ZERO, Expression, Number, Power, multiple_of_pi
from dynamis.base.expressions.parser import MAX_EXPONENT, parse
from dynamis.scalars.cosines import cosine_and_sine
from dynamis.scalars.floats import number
from dynamis.scalars.scalars import Scalars, evaluate

MAX_TERMS = 2000
MAX_DEGREE = 64
Monomial = tuple[tuple[str, int], ...]
"""(symbol, exponent) in the order of the symbols; a symbol is a name, pi, sqrt(2), cos(alpha), (a + b)."""


@dataclass(frozen=True)
class Polynomial:
    """A sum of monomials, each with its rational coefficient; exponents may be negative.

    >>> scalars = Polynomials()
    >>> from dynamis.base.expressions.parser import parse
    >>> str(evaluate(parse("m*(r + h)*(r - h) + m*h^2"), scalars).expression())
    'm*r^2'
    """

    terms: Mapping[Monomial, Fraction] = field(default_factory=dict[Monomial, Fraction])

    def __add__(self, other: Polynomial) -> Polynomial:
        terms = dict(self.terms)
        for monomial, coefficient in other.terms.items():
            terms[monomial] = terms.get(monomial, Fraction(0)) + coefficient
        return _collect_terms(terms)

    def __neg__(self) -> Polynomial:
        return Polynomial({m: -c for m, c in self.terms.items()})

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        _check_length(len(self.terms) * len(other.terms) // 10)
        terms: dict[Monomial, Fraction] = {}
        for m, a in self.terms.items():
            for n, b in other.terms.items():
                monomial, factor = _product(m, n)
                terms[monomial] = terms.get(monomial, Fraction(0)) + a * b * factor
        return _collect_terms(terms)

    def __truediv__(self, other: Polynomial) -> Polynomial:
        if not other.terms:
            raise ArgumentError("a value of the body divides by zero")
        if len(other.terms) == 1:
            ((monomial, coefficient),) = other.terms.items()
            monomial, factor = _product(tuple((name, -e) for name, e in monomial), ())
            return self * Polynomial({monomial: factor / coefficient})
        return self * Polynomial({((f"({other.expression()})", -1),): Fraction(1)})

    def __bool__(self) -> bool:
        return bool(self.terms)

    def expression(self) -> Expression:
        """The sum as an expression, high powers first."""
        total = ZERO
        for monomial, coefficient in sorted(self.terms.items(), key=lambda term: _rank(term[0])):
            total = total + _term(monomial, coefficient)
        return total

    def by_powers(self, names: tuple[str, ...]) -> dict[tuple[int, ...], Polynomial] | None:
        """exponents of `names` -> coefficient without them; None where it is not a polynomial in them."""
        parts: dict[tuple[int, ...], Polynomial] = {}
        for monomial, coefficient in self.terms.items():
            powers = tuple(dict(monomial).get(name, 0) for name in names)
            rest = tuple((name, e) for name, e in monomial if name not in names)
            if min(powers) < 0 or any(parse(symbol).parameters() & {*names} for symbol, _ in rest):
                return None
            parts[powers] = parts.get(powers, Polynomial()) + Polynomial({rest: coefficient})
        return parts


@dataclass(frozen=True)
class Polynomials(Scalars[Polynomial]):
    """These polynomials as scalars; parameters in `values` stand for their values."""

    values: Mapping[str, Expression] = field(default_factory=dict[str, Expression])

    def constant(self, value: Fraction) -> Polynomial:
        return Polynomial({(): value} if value else {})

    def pi(self) -> Polynomial:
        return _symbol("pi")

    def parameter(self, name: str) -> Polynomial:
        return evaluate(self.values[name], self) if name in self.values else _symbol(name)

    def cos_sin_of(self, angle: Expression) -> tuple[Polynomial, Polynomial]:
        turn = multiple_of_pi(angle, self.values)
        if turn is not None and (pair := cosine_and_sine(turn)) is not None:
            cos, sin = (self.constant(factor) * _symbol(f"sqrt({radicand})") for factor, radicand in pair)
            return cos, sin
        text = evaluate(angle, self).expression()
        return _symbol(f"cos({text})"), _symbol(f"sin({text})")

    def sqrt_of(self, argument: Expression) -> Polynomial:
        return _symbol(f"sqrt({evaluate(argument, self).expression()})")


def is_negative(value: Polynomial) -> bool:
    """Whether a number is below zero; with symbols, whether all terms are (symbols are lengths and masses)."""
    amount = number(value.expression(), {})
    return amount < 0 if amount is not None else all(factor < 0 for factor in value.terms.values())


def _symbol(name: str) -> Polynomial:
    return Polynomial({(((name, 1),) if name != "sqrt(1)" else ()): Fraction(1)})


def _product(a: Monomial, b: Monomial) -> tuple[Monomial, Fraction]:
    """The product of two monomials, squares of roots taken out as a number."""
    powers = dict(a)
    for name, e in b:
        powers[name] = powers.get(name, 0) + e
    if sum(map(abs, powers.values())) > MAX_DEGREE:
        raise ArgumentError(f"a formula of the body has a degree above {MAX_DEGREE}; use lower powers")
    factor = Fraction(1)
    for name in [name for name in powers if name.startswith("sqrt(")]:
        radicand = _radicand(name)
        if radicand is not None:
            squares, powers[name] = divmod(powers[name], 2)
            factor *= radicand**squares
    return tuple(sorted((name, e) for name, e in powers.items() if e)), factor


@lru_cache(maxsize=256)
def _radicand(root: str) -> Fraction | None:
    inner = parse(root[len("sqrt(") : -1])
    return inner.value if isinstance(inner, Number) and inner.value > 0 else None


def _term(monomial: Monomial, coefficient: Fraction) -> Expression:
    """-m*r^2/4: what has a negative exponent goes below."""
    below = _power_product(ONE, ((name, -e) for name, e in monomial if e < 0))
    # A decimal is a factor; a fraction such as 1/12 goes below, and so do halves and quarters.
    decimal = "/" not in str(Number(coefficient)) and coefficient.denominator not in (2, 4, 8)
    number, divisor = (coefficient, 1) if decimal else (Fraction(coefficient.numerator), coefficient.denominator)
    term = _power_product(Number(number), ((name, e) for name, e in monomial if e > 0))
    if below != ONE:
        term = term / below
    return term / Number(Fraction(divisor))


def _power_product(first: Expression, powers: Iterable[tuple[str, int]]) -> Expression:
    product = first
    for name, e in powers:
        base = parse(name)
        while e > 0:
            step = min(e, MAX_EXPONENT)
            product = product * (Power(base, step) if step > 1 else base)
            e -= step
    return product


def _rank(monomial: Monomial) -> tuple[int, list[tuple[str, int]]]:
    return -sum(e for _, e in monomial), [(name, -e) for name, e in monomial]


def _collect_terms(terms: Mapping[Monomial, Fraction]) -> Polynomial:
    nonzero = {monomial: coefficient for monomial, coefficient in terms.items() if coefficient}
    _check_length(len(nonzero))
    return Polynomial(nonzero)


def _check_length(terms: int) -> None:
    if terms > MAX_TERMS:
        raise ArgumentError(f"a formula of the body has more than {MAX_TERMS} terms; give some of its symbols values")
