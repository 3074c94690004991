"""Integrals of x^a y^b z^c over solids, exactly and over any symbols.

All but the tetrahedron are a unit solid with its axes stretched by lengths p, q, s: the integral is p^(a+1) q^(b+1)
s^(c+1) times that over the unit solid. Those come by parts and by angles; with n!! the double factorial and even powers
(else 0),

    circle   integral of cos^a sin^b             = 2 pi (a-1)!! (b-1)!! / (a+b)!!
    sphere   integral of ux^a uy^b uz^c on |u|=1 = 4 pi (a-1)!! (b-1)!! (c-1)!! / (a+b+c+1)!!
    corners  integral of l0^i l1^j l2^k l3^n     = 6 V i! j! k! n! / (i+j+k+n+3)!        (Dirichlet)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import factorial, prod

from dynamis.model.bodies.polynomial import Polynomial, Polynomials

Sizes = Mapping[str, Polynomial]
Powers = tuple[int, int, int]
# Corners of a tetrahedron and their barycentric coordinates, under names that no symbol of a body has.
_BARYCENTRIC = {p: f"share of {p}" for p in "pqst"}
Integral = Callable[[Sizes, Powers, Polynomials], Polynomial]


def double_factorial(n: int) -> int:
    """n (n-2) (n-4) ... down to 1 or 2; 1 for n <= 0.

    >>> [double_factorial(n) for n in (-1, 0, 5, 6)]
    [1, 1, 15, 48]
    """
    return prod(range(n, 0, -2))


def _side(k: int) -> Fraction:
    """Integral of t^k for |t| <= 1/2."""
    return Fraction(1 - k % 2, 2**k * (k + 1))


def _disk(a: int, b: int) -> Fraction:
    """Integral of x^a y^b for x^2 + y^2 <= 1, over pi."""
    if a % 2 or b % 2:
        return Fraction(0)
    return Fraction(2 * double_factorial(a - 1) * double_factorial(b - 1), double_factorial(a + b) * (a + b + 2))


def _ball(*powers: int) -> Fraction:
    """Over the ball of radius 1, over pi."""
    if any(k % 2 for k in powers):
        return Fraction(0)
    n = sum(powers)
    return Fraction(4 * prod(double_factorial(k - 1) for k in powers), double_factorial(n + 1) * (n + 3))


def _cone(a: int, b: int, c: int) -> Fraction:
    """Disks of radius 1 - z: integral of z^c (1 - z)^n is c! n!/(c+n+1)!, n = a + b + 2; over pi."""
    n = a + b + 2
    return _disk(a, b) * Fraction(factorial(c) * factorial(n), factorial(c + n + 1))


def _stretched_integral(lengths: str, unit: Callable[[int, int, int], Fraction], of_pi: int = 1) -> Integral:
    """The integral over a unit solid, times pi where it is round, with its axes stretched by `lengths`."""

    def integral(sizes: Sizes, powers: Powers, scalars: Polynomials) -> Polynomial:
        total = scalars.constant(unit(*powers)) * _power(scalars.pi(), of_pi, scalars)
        for length, k in zip(lengths, powers, strict=True):
            total = total * _power(sizes[length], k + 1, scalars)
        return total

    return integral


def _less_inner(full: Integral) -> Integral:
    def hollow(sizes: Sizes, powers: Powers, scalars: Polynomials) -> Polynomial:
        return full(sizes, powers, scalars) - full({**sizes, "r": sizes["s"]}, powers, scalars)

    return hollow


def _power(x: Polynomial, n: int, scalars: Polynomials) -> Polynomial:
    return prod([x] * n, start=scalars.one)


def _tetrahedron(sizes: Sizes, powers: Powers, scalars: Polynomials) -> Polynomial:
    """x = sum of l_i (corner i) put into x^a y^b z^c, term by term by Dirichlet's formula; 6 V outside."""
    product = scalars.one
    for axis, k in zip("xyz", powers, strict=True):
        place = sum((sizes[p + axis] * scalars.parameter(name) for p, name in _BARYCENTRIC.items()), start=scalars.zero)
        product = product * _power(place, k, scalars)
    total = scalars.zero
    for exponents, coefficient in (product.by_powers(tuple(_BARYCENTRIC.values())) or {}).items():
        share = Fraction(prod(map(factorial, exponents)), factorial(sum(exponents) + 3))
        total = total + coefficient * scalars.constant(share)
    return total * sizes["six_volumes"]


_CYLINDER = _stretched_integral("rrh", lambda a, b, c: _disk(a, b) * _side(c))
_SPHERE = _stretched_integral("rrr", _ball)
EXACT: Mapping[str, Integral] = {
    "box": _stretched_integral("abc", lambda a, b, c: _side(a) * _side(b) * _side(c), of_pi=0),
    "cylinder": _CYLINDER,
    "hollow-cylinder": _less_inner(_CYLINDER),
    "sphere": _SPHERE,
    "hollow-sphere": _less_inner(_SPHERE),
    "ellipsoid": _stretched_integral("abc", _ball),
    "cone": _stretched_integral("rrh", _cone),
    "tetrahedron": _tetrahedron,
}
