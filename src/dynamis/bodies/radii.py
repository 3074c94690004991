"""Densities about an axis or a centre, written in the squares of distances.

A chart of a ball knows x^2 + y^2 + z^2 as the square of one coordinate; put together from x, y and z it would
vary with the angles as far as ball arithmetic can see. So sums of squares in a density become one letter.
"""

from __future__ import annotations

from collections.abc import Mapping

from dynamis.bodies.polynomial import Polynomial, Polynomials
from dynamis.errors import ArgumentError
from dynamis.expressions.expression import Call, Expression, Power, Product, Quotient, Sum, evaluate, walk

COORDINATES = ("x", "y", "z")
Squares = Mapping[str, tuple[str, ...]]
"""A letter, and the coordinates whose squares add up to it."""


def in_radii(density: Expression, squares: Squares) -> Expression:
    """The density with letters for sums of squares, where it has such sums.

    >>> from dynamis.expressions.parser import parse
    >>> str(in_radii(parse("sqrt(z^2 + 1 + y^2 + x^2)*x"), {"rr": ("x", "y", "z")}))
    'sqrt(rr + 1)*x'
    """
    if not density.parameters() & {*COORDINATES}:
        return density
    if not any(isinstance(node, Call) for node in walk(density)):
        for letter, sides in squares.items():
            if (found := _put(density, letter, sides)) is not None:
                return found
    match density:
        case Sum(a, b):
            return in_radii(a, squares) + in_radii(b, squares)
        case Product(a, b):
            return in_radii(a, squares) * in_radii(b, squares)
        case Quotient(a, b):
            return in_radii(a, squares) / in_radii(b, squares)
        case Power(a, n):
            return Power(in_radii(a, squares), n)
        case Call(function, a):
            return Call(function, in_radii(a, squares))
        case _:
            return density


def _put(density: Expression, letter: str, sides: tuple[str, ...]) -> Expression | None:
    """A polynomial with x^2 = letter - y^2 (- z^2); None where the coordinates do not all vanish."""
    world = Polynomials()
    first, *others = sides
    try:
        powers = evaluate(density, world).by_powers(COORDINATES)
        if powers is None:
            return None
        square = world.parameter(letter)
        for name in others:
            square = square - world.parameter(name) * world.parameter(name)
        total = Polynomial()
        for exponents, coefficient in powers.items():
            term = coefficient
            for name, e in zip(COORDINATES, exponents, strict=True):
                if name == first and e % 2:
                    return None
                factor = square if name == first else world.parameter(name)
                for _ in range(e // 2 if name == first else e):
                    term = term * factor
            total = total + term
        found = total.expression()
    except ArgumentError:
        return None
    return None if found.parameters() & {*sides} else found
