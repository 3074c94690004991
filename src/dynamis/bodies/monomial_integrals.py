"""Integrals of x^a y^b z^c over solids, exactly and over any symbols.

Box and disk by parts, sphere by its angles; with n!! the double factorial and a, b, c even (else 0),

    circle   integral of cos^a sin^b             = 2 pi (a-1)!! (b-1)!! / (a+b)!!
    sphere   integral of ux^a uy^b uz^c on |u|=1 = 4 pi (a-1)!! (b-1)!! (c-1)!! / (a+b+c+1)!!
    corner   integral of u^i v^j w^k, u+v+w <= 1 = i! j! k! / (i+j+k+3)!        (Dirichlet)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb, factorial, prod

from dynamis.bodies.polynomial import Polynomial, Polynomials

Letters = Mapping[str, Polynomial]
Powers = tuple[int, int, int]
Integral = Callable[[Letters, Powers, Polynomials], Polynomial]


def double_factorial(n: int) -> int:
    """n (n-2) (n-4) ... down to 1 or 2; 1 for n <= 0.

    >>> [double_factorial(n) for n in (-1, 0, 5, 6)]
    [1, 1, 15, 48]
    """
    return prod(range(n, 0, -2))


def _power(x: Polynomial, n: int, scalars: Polynomials) -> Polynomial:
    found = scalars.one
    for _ in range(n):
        found = found * x
    return found


def _symmetric(side: Polynomial, k: int, scalars: Polynomials) -> Polynomial:
    """Integral of t^k for |t| <= side/2."""
    return scalars.constant(Fraction(1 - k % 2, 2**k * (k + 1))) * _power(side, k + 1, scalars)


def _circle(a: int, b: int) -> Fraction:
    """Integral of cos^a sin^b over a turn, over pi."""
    if a % 2 or b % 2:
        return Fraction(0)
    return Fraction(2 * double_factorial(a - 1) * double_factorial(b - 1), double_factorial(a + b))


def _disk(r: Polynomial, a: int, b: int, scalars: Polynomials) -> Polynomial:
    """Integral of x^a y^b for x^2 + y^2 <= r^2."""
    return scalars.constant(_circle(a, b) / (a + b + 2)) * scalars.pi() * _power(r, a + b + 2, scalars)


def _ball(powers: Powers, scalars: Polynomials) -> Polynomial:
    """Over the ball of radius 1."""
    if any(k % 2 for k in powers):
        return scalars.zero
    n = sum(powers)
    above = 4 * prod(double_factorial(k - 1) for k in powers)
    return scalars.constant(Fraction(above, double_factorial(n + 1) * (n + 3))) * scalars.pi()


def _box(v: Letters, powers: Powers, scalars: Polynomials) -> Polynomial:
    x, y, z = (_symmetric(v[side], k, scalars) for side, k in zip("abc", powers, strict=True))
    return x * y * z


def _cylinder(v: Letters, powers: Powers, scalars: Polynomials) -> Polynomial:
    a, b, c = powers
    return _disk(v["r"], a, b, scalars) * _symmetric(v["h"], c, scalars)


def _sphere(v: Letters, powers: Powers, scalars: Polynomials) -> Polynomial:
    return _ball(powers, scalars) * _power(v["r"], sum(powers) + 3, scalars)


def _ellipsoid(v: Letters, powers: Powers, scalars: Polynomials) -> Polynomial:
    a, b, c = (_power(v[axis], k + 1, scalars) for axis, k in zip("abc", powers, strict=True))
    return _ball(powers, scalars) * a * b * c


def _cone(v: Letters, powers: Powers, scalars: Polynomials) -> Polynomial:
    """Disks of radius r (1 - z/h): integral of z^c (1 - z/h)^n is h^(c+1) c! n!/(c+n+1)!, n = a + b + 2."""
    a, b, c = powers
    n = a + b + 2
    beta = scalars.constant(Fraction(factorial(c) * factorial(n), factorial(c + n + 1)))
    return _disk(v["r"], a, b, scalars) * beta * _power(v["h"], c + 1, scalars)


def _less_inner(whole: Integral) -> Integral:
    def hollow(v: Letters, powers: Powers, scalars: Polynomials) -> Polynomial:
        return whole(v, powers, scalars) - whole({**v, "r": v["s"]}, powers, scalars)

    return hollow


def _tetrahedron(v: Letters, powers: Powers, scalars: Polynomials) -> Polynomial:
    """x = p + u e1 + v e2 + w e3 put into x^a y^b z^c, term by term by Dirichlet's formula; 6 V outside."""
    found: dict[Powers, Polynomial] = {(0, 0, 0): scalars.one}
    for axis, k in zip("xyz", powers, strict=True):
        start = v[f"p{axis}"]
        edges = [v[f"{corner}{axis}"] - start for corner in "qst"]
        found = _times(found, _multinomial([start, *edges], k, scalars))
    total = scalars.zero
    for (i, j, k), coefficient in found.items():
        total = total + coefficient * scalars.constant(
            Fraction(factorial(i) * factorial(j) * factorial(k), factorial(i + j + k + 3))
        )
    return total * v["six_volumes"]


def _multinomial(parts: list[Polynomial], k: int, scalars: Polynomials) -> dict[Powers, Polynomial]:
    """(start + u e1 + v e2 + w e3)^k by the powers of u, v, w."""
    found: dict[Powers, Polynomial] = {}
    for i in range(k + 1):
        for j in range(k + 1 - i):
            for n in range(k + 1 - i - j):
                ways = comb(k, i) * comb(k - i, j) * comb(k - i - j, n)
                powers = (k - i - j - n, i, j, n)
                term = scalars.constant(Fraction(ways))
                for part, e in zip(parts, powers, strict=True):
                    term = term * _power(part, e, scalars)
                if term:
                    found[(i, j, n)] = term
    return found


def _times(a: dict[Powers, Polynomial], b: dict[Powers, Polynomial]) -> dict[Powers, Polynomial]:
    found: dict[Powers, Polynomial] = {}
    for (i, j, k), x in a.items():
        for (p, q, r), y in b.items():
            key = (i + p, j + q, k + r)
            found[key] = found[key] + x * y if key in found else x * y
    return found


EXACT: Mapping[str, Integral] = {
    "box": _box,
    "cylinder": _cylinder,
    "hollow-cylinder": _less_inner(_cylinder),
    "sphere": _sphere,
    "hollow-sphere": _less_inner(_sphere),
    "ellipsoid": _ellipsoid,
    "cone": _cone,
    "tetrahedron": _tetrahedron,
}
