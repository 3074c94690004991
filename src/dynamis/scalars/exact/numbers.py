"""Letters that stand for one number: roots, pi, sines and cosines of fixed angles; the sign of what is made of them.

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

from dynamis.scalars.exact.angles import constant, fixed_angle
from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.scalars.scalars import Scalars, evaluate

DIGITS = 100
# The largest n of a cyclotomic field that is computed in.
MOST_ROOTS_OF_ONE = 4000


def ball(letter: str, ring: Ring) -> Any:
    """The value of a letter that stands for a number, at the precision that is set."""
    if letter == "pi":
        return arb.pi()
    if letter in ring.radicands:
        return as_ball(ring.radicands[letter]).sqrt()
    if letter.startswith("1/"):
        return 1 / value(ring.denominator(letter[2:]))
    angle = constant(letter[4:-1])
    if angle is None:
        raise AssertionError(f"{letter} is not a number")
    x = evaluate(angle, _Balls())
    return x.sin() if letter.startswith("sin") else x.cos()


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
    """The value of a scalar that has only letters that are numbers, as a ball of DIGITS digits."""
    with ctx.workdps(DIGITS + 20):
        values = {name: ball(name, number.ring) for name in number.letters()}
        total: Any = arb(0)
        for exponents, coefficient in number.terms().items():
            term = as_ball(coefficient)
            for name, e in zip(number.ring.letters.names, exponents, strict=True):
                if e:
                    term = term * values[name] ** e
            total = total + term
        return total


def sign(number: Exact) -> int | None:
    """-1, 0 or 1, each of them proved; None where the number is 0 to DIGITS digits and no proof was found.

    >>> from dynamis.scalars.exact.ring import Letters
    >>> trig = (("sin(1/5*pi)", "cos(1/5*pi)"), ("sin(1/10*pi)", "cos(1/10*pi)"))
    >>> ring = Ring(Letters(trig=trig))
    >>> c36, s18 = ring.letter("cos(1/5*pi)"), ring.letter("sin(1/10*pi)")
    >>> sign(c36 - s18), sign(c36 - s18 - ring.number(Fraction(1, 2)))
    (1, 0)
    """
    if not number.letters():
        x = next(iter(number.terms().values()), Fraction(0))
        return (x > 0) - (x < 0)
    x = value(number)
    if not x.contains(0):
        return 1 if x > 0 else -1
    return 0 if _is_zero(number) else None


def by_letters(scalar: Exact) -> dict[Exponents, Exact]:
    """Monomials in the letters that are free -> the number before each."""
    ring = scalar.ring
    if not ring.numbers & scalar.letters():
        return {key: ring.number(x) for key, x in scalar.terms().items()}
    fixed = [name in ring.numbers for name in ring.letters.names]
    parts: dict[Exponents, dict[Exponents, Fraction]] = {}
    for key, x in scalar.terms().items():
        free = tuple(0 if number else e for e, number in zip(key, fixed, strict=True))
        parts.setdefault(free, {})[tuple(e if number else 0 for e, number in zip(key, fixed, strict=True))] = x
    return {free: ring.from_terms(terms) for free, terms in parts.items()}


def vanishes(scalar: Exact) -> bool | None:
    """Whether a scalar is zero for all values of its free letters; None where that was not decided."""
    signs = {sign(number) for number in by_letters(scalar).values()}
    return False if signs & {1, -1} else None if None in signs else True


def without_zeros(scalar: Exact) -> Exact:
    """A scalar without the terms before which there stands a number that is zero."""
    parts = by_letters(scalar)
    kept = {free: number for free, number in parts.items() if not number.letters() or sign(number) != 0}
    if len(kept) == len(parts):
        return scalar
    total = scalar.ring.zero
    for free, number in kept.items():
        total = total + scalar.ring.from_terms({free: Fraction(1)}) * number
    return total


def _is_zero(number: Exact) -> bool:
    """Whether it is proved that a number is zero."""
    ring = number.ring
    used = number.letters()
    angles = {name: fixed_angle(name[4:-1]) for name in used if name[:4] in ("sin(", "cos(")}
    if None in angles.values() or any(name.startswith("1/") for name in used):
        return False
    beyond = [name for name in used if name == "pi" or (name in angles and "pi" not in name)]
    if len({name[4:-1] for name in beyond}) > 1:
        return False
    n = lcm(8, *(_order(name, ring) for name in used - set(beyond)))
    if n > MOST_ROOTS_OF_ONE:
        return False
    modulus = fmpq_poly(fmpz_poly.cyclotomic(n))
    roots = {name: _in_roots_of_one(name, ring, n) for name in used - set(beyond)}
    sums: dict[Exponents, Any] = {}
    for key, x in number.terms().items():
        powers = [(name, e) for name, e in zip(ring.letters.names, key, strict=True) if e]
        rest = tuple(e if name in beyond else 0 for name, e in zip(ring.letters.names, key, strict=True))
        term = fmpq_poly([fmpq(x.numerator, x.denominator)])
        for name, e in powers:
            for _ in range(e if name in roots else 0):
                term = (term * roots[name]) % modulus
        sums[rest] = sums.get(rest, fmpq_poly()) + term
    return not any(total % modulus for total in sums.values())


def _order(name: str, ring: Ring) -> int:
    """An n such that a letter lies in the field of the n-th root of one."""
    if name in ring.radicands:
        return 4 * int(ring.radicands[name])
    angle = fixed_angle(name[4:-1])
    return 4 * angle[0].denominator if angle is not None else 1


def _in_roots_of_one(name: str, ring: Ring, n: int) -> Any:
    """A letter as a polynomial in z."""
    powers: dict[int, Fraction] = {}
    for power, factor in _powers(name, ring, n):
        powers[power % n] = powers.get(power % n, Fraction(0)) + factor
    return fmpq_poly([fmpq(x.numerator, x.denominator) for x in (powers.get(k, Fraction(0)) for k in range(n))])


def _powers(name: str, ring: Ring, n: int) -> Iterator[tuple[int, Fraction]]:
    """(power of z, factor) of a letter."""
    half = Fraction(1, 2)
    if name in ring.radicands:
        p = int(ring.radicands[name])
        if p == 2:
            yield from ((n // 8, Fraction(1)), (-n // 8, Fraction(1)))
            return
        back = 0 if p % 4 == 1 else -n // 4  # G = i sqrt(p) for p = 3 mod 4
        for a in range(1, p):
            yield a * n // p + back, Fraction(1 if pow(a, (p - 1) // 2, p) == 1 else -1)
        return
    angle = fixed_angle(name[4:-1])
    k = int(angle[0] * n / 2) if angle is not None else 0
    if name.startswith("cos"):
        yield from ((k, half), (-k, half))
    else:
        yield from ((k - n // 4, half), (-k - n // 4, -half))


def numbers_at(letters: frozenset[str], ring: Ring) -> Mapping[str, Any]:
    """The values of those letters that stand for numbers, as balls of DIGITS digits."""
    with ctx.workdps(DIGITS):
        return {name: ball(name, ring) for name in sorted(letters & ring.numbers)}
