"""Symbols that stand for one number: roots, pi, sines and cosines of fixed angles; the sign of what is made of them.

A number that is not zero is found by balls (arb), to as many digits as are needed. That a number is zero is proved:
a sine or cosine of r pi and the root of a prime p lie in a cyclotomic field Q(z), z = exp(2 pi i/n),

    cos(r pi) = (z^k + z^-k)/2,   sin(r pi) = (z^k - z^-k)/(2 i),   k = r n/2,   i = z^(n/4)
    sqrt(2) = z^(n/8) + z^(-n/8),   sqrt(p) = G or -i G,   G = sum of (a/p) z^(a n/p)      (C. F. Gauss, 1811)

and a polynomial in z is zero there if and only if the n-th cyclotomic polynomial divides it. pi is transcendental, and
so is exp(i x) for a rational x > 0 (F. Lindemann, 1882): their powers are independent over that field. Where two such
numbers meet, as pi and sin(3/10), nothing is known, and a number with zeros to 100 digits is left undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from flint import arb, ctx, fmpq, fmpq_poly, fmpz_poly

from dynamis.scalars.exact.angles import turns_and_radians
from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.scalars.exact.symbols import Symbol
from dynamis.scalars.scalars import Scalars, evaluate

BALL_DIGITS = 100
# The largest n of a cyclotomic field that is computed in.
MOST_ROOTS_OF_ONE = 4000


def ball(symbol: Symbol, ring: Ring) -> Any:
    """The value of a symbol that stands for a number, at the precision that is set."""
    match symbol.kind:
        case "pi":
            return arb.pi()
        case "root":
            return arb(symbol.radicand).sqrt()
        case "inverse":
            return 1 / value(ring.denominator(symbol))
        case "sine" | "cosine" if symbol.angle is not None:
            x = evaluate(symbol.angle, _Balls())
            return x.sin() if symbol.kind == "sine" else x.cos()
        case _:
            raise AssertionError(f"{symbol} is not a number")


class _Balls(Scalars[Any]):
    """Balls, for expressions without parameters."""

    def constant(self, value: Fraction) -> Any:
        return as_ball(value)

    def pi(self) -> Any:
        return arb.pi()

    def cos_sin(self, x: Any, /) -> tuple[Any, Any]:
        return x.cos(), x.sin()

    def sqrt(self, x: Any, /) -> Any:
        return x.sqrt()


def as_ball(x: Fraction) -> Any:
    """A rational number as a ball."""
    return arb(fmpq(x.numerator, x.denominator))


def value(number: Exact) -> Any:
    """The value of a scalar that has only symbols that are numbers, as a ball of DIGITS digits."""
    with ctx.workdps(BALL_DIGITS + 20):
        return number.at({symbol: ball(symbol, number.ring) for symbol in number.symbols()}, as_ball)


def as_fraction(x: Any, places: int = BALL_DIGITS) -> Fraction:
    """A ball as a fraction, rounded to so many decimal places."""
    with ctx.workdps(BALL_DIGITS + 20):
        middle = (x.mid() * arb(10) ** places).mid().fmpq()
    return Fraction(round(Fraction(int(middle.p), int(middle.q))), 10**places)


def sign(number: Exact) -> int | None:
    """-1, 0 or 1, each of them proved; None where the number is 0 to DIGITS digits and no proof was found.

    >>> from dynamis.base.expressions.parser import parse
    >>> from dynamis.scalars.exact.symbols import fixed_angle
    >>> ring = Ring((*fixed_angle(parse("1/5*pi")), *fixed_angle(parse("1/10*pi"))))
    >>> c36, s18 = ring.scalar("cos(1/5*pi)"), ring.scalar("sin(1/10*pi)")
    >>> sign(c36 - s18), sign(c36 - s18 - ring.number(Fraction(1, 2)))
    (1, 0)
    """
    if not number.symbols():
        x = next(iter(number.terms().values()), Fraction(0))
        return (x > 0) - (x < 0)
    x = value(number)
    if not x.contains(0):
        return 1 if x > 0 else -1
    return 0 if _is_zero(number) else None


def by_monomial(scalar: Exact) -> dict[Exponents, Exact]:
    """Monomials in the free symbols -> the number before each."""
    ring = scalar.ring
    if not ring.numbers & scalar.symbols():
        return {key: ring.number(x) for key, x in scalar.terms().items()}
    fixed = [symbol in ring.numbers for symbol in ring.symbols]
    parts: dict[Exponents, dict[Exponents, Fraction]] = {}
    for key, x in scalar.terms().items():
        free = tuple(0 if number else e for e, number in zip(key, fixed, strict=True))
        parts.setdefault(free, {})[tuple(e if number else 0 for e, number in zip(key, fixed, strict=True))] = x
    return {free: ring.from_terms(terms) for free, terms in parts.items()}


def vanishes(scalar: Exact) -> bool | None:
    """Whether a scalar is zero for all values of its free symbols; None where that was not decided."""
    signs = {sign(number) for number in by_monomial(scalar).values()}
    return False if signs & {1, -1} else None if None in signs else True


def without_zeros(scalar: Exact) -> Exact:
    """A scalar without the terms before which there stands a number that is zero."""
    parts = by_monomial(scalar)
    kept = {free: number for free, number in parts.items() if not number.symbols() or sign(number) != 0}
    if len(kept) == len(parts):
        return scalar
    total = scalar.ring.zero
    for free, number in kept.items():
        total = total + scalar.ring.from_terms({free: Fraction(1)}) * number
    return total


def _is_zero(number: Exact) -> bool:
    """Whether it is proved that a number is zero."""
    ring, used = number.ring, number.symbols()
    angles = {symbol: turns_and_radians(symbol.angle) for symbol in used if symbol.is_trig}
    if None in angles.values() or any(symbol.kind == "inverse" for symbol in used):
        return False
    beyond = {symbol for symbol in used if symbol.kind == "pi" or ((x := angles.get(symbol)) and x[1])}
    if len({symbol.of for symbol in beyond}) > 1:
        return False
    algebraic = used - beyond
    n = lcm(8, *(_order(symbol) for symbol in algebraic))
    if n > MOST_ROOTS_OF_ONE:
        return False
    modulus = fmpq_poly(fmpz_poly.cyclotomic(n))
    roots = {symbol: _in_roots_of_one(symbol, n) for symbol in algebraic}
    sums: dict[Exponents, Any] = {}
    for key, x in number.terms().items():
        rest = tuple(e if symbol in beyond else 0 for symbol, e in zip(ring.symbols, key, strict=True))
        term = fmpq_poly([fmpq(x.numerator, x.denominator)])
        for symbol, e in zip(ring.symbols, key, strict=True):
            for _ in range(e if symbol in roots else 0):
                term = (term * roots[symbol]) % modulus
        sums[rest] = sums.get(rest, fmpq_poly()) + term
    return not any(total % modulus for total in sums.values())


def _turns(symbol: Symbol) -> Fraction:
    """The angle of a sine or cosine, in units of pi."""
    angle = turns_and_radians(symbol.angle)
    return angle[0] if angle is not None else Fraction(0)


def _order(symbol: Symbol) -> int:
    """An n such that a symbol lies in the field of the n-th root of one."""
    return 4 * (symbol.radicand if symbol.kind == "root" else _turns(symbol).denominator)


def _in_roots_of_one(symbol: Symbol, n: int) -> Any:
    """A symbol as a polynomial in z."""
    powers: dict[int, Fraction] = {}
    for power, factor in _powers(symbol, n):
        powers[power % n] = powers.get(power % n, Fraction(0)) + factor
    return fmpq_poly([fmpq(x.numerator, x.denominator) for x in (powers.get(k, Fraction(0)) for k in range(n))])


def _powers(symbol: Symbol, n: int) -> Iterator[tuple[int, Fraction]]:
    """(power of z, factor) of a symbol."""
    half = Fraction(1, 2)
    if symbol.kind == "root":
        p = symbol.radicand
        if p == 2:
            yield from ((n // 8, Fraction(1)), (-n // 8, Fraction(1)))
            return
        back = 0 if p % 4 == 1 else -n // 4  # G = i sqrt(p) for p = 3 mod 4
        for a in range(1, p):
            yield a * n // p + back, Fraction(1 if pow(a, (p - 1) // 2, p) == 1 else -1)
        return
    k = int(_turns(symbol) * n / 2)
    if symbol.kind == "cosine":
        yield from ((k, half), (-k, half))
    else:
        yield from ((k - n // 4, half), (-k - n // 4, -half))


def numbers_at(symbols: frozenset[Symbol], ring: Ring) -> Mapping[Symbol, Any]:
    """The values of those symbols that stand for numbers, as balls of DIGITS digits."""
    with ctx.workdps(BALL_DIGITS):
        return {symbol: ball(symbol, ring) for symbol in sorted(symbols & ring.numbers)}
