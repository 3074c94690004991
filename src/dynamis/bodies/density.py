"""A density rho(x, y, z) over a solid: mass, CoM and inertia by volume integrals (Akdogan, The Inertia Tensor).

    m = int rho dV    m c = int r rho dV    I_xx = int (y^2 + z^2) rho dV    I_xy = -int x y rho dV

A polynomial is integrated exactly, with letters where there are letters; anything else by adaptive cubature.
x, y, z are the coordinates of the solid's own frame. A density may use more functions than other values do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.bodies.ball_functions import FUNCTIONS, BallWorld
from dynamis.bodies.balls import Balls
from dynamis.bodies.charts import CUBE, Chart, charts
from dynamis.bodies.cubature import integrate
from dynamis.bodies.monomials import EXACT, Powers
from dynamis.bodies.polynomial import Polynomial, Polynomials, is_negative
from dynamis.bodies.radii import in_radii
from dynamis.bodies.shapes import Error, Inertial, Shape
from dynamis.errors import ArgumentError, ModelError
from dynamis.expressions.expression import Call, Expression, Number, evaluate, walk
from dynamis.expressions.parser import as_expression
from dynamis.model.inertia import Tensor

COORDINATES = ("x", "y", "z")
TOLERANCE = 1e-11
MAX_DEGREE = 12
# Places along each side of the unit cube at which a density is looked at, whatever way it is integrated.
LOOKED_AT: Array = (np.polynomial.legendre.leggauss(15)[0] + 1) / 2
# x^a y^b z^c of the ten integrals: mass, first moments, second moments xx, yy, zz, xy, xz, yz.
TEN: tuple[Powers, ...] = (
    (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (1, 0, 1), (0, 1, 1),
)  # fmt: skip
Values = Mapping[str, Expression]


def varies(density: Expression) -> bool:
    """Whether a density depends on the place."""
    return bool(density.parameters() & {*COORDINATES})


def with_density(shape: Shape, values: Values, density: Expression, axis: str = "z") -> Inertial:
    """Mass, CoM and inertia of a solid whose density depends on the place."""
    used = (density.parameters() - {*COORDINATES}).union(*(value.parameters() for value in values.values()))
    if not used:
        _check_density(shape, values, density, axis)
    world = Polynomials()
    powers = _powers(density, world, fallback=not used)
    # Over a tetrahedron the terms of a high power are many; with numbers, cubature is faster.
    high = shape.name == "tetrahedron" and not used and max((sum(p) for p in powers or ()), default=0) > MAX_DEGREE
    if powers is not None and shape.name in EXACT and not high:
        return _exactly(shape, values, powers, axis, world)
    if used:
        why = f"a {shape.name} has no exact integrals" if powers is not None else "it is no polynomial in x, y, z"
        raise ArgumentError(
            f'the density "{density}" is integrated numerically ({why}), and {", ".join(sorted(used))} '
            "has no value; give values to all letters",
            key="density",
        )
    return _numerically(shape, values, density, axis)


def _powers(density: Expression, world: Polynomials, fallback: bool) -> dict[tuple[int, ...], Polynomial] | None:
    """The density by powers of x, y, z; None where it is no polynomial, or too long a one and there is another way."""
    try:
        return evaluate(density, world).by_powers(COORDINATES)
    except ArgumentError:
        if fallback:
            return None
        raise


def _exactly(
    shape: Shape, values: Values, powers: Mapping[tuple[int, ...], Polynomial], axis: str, world: Polynomials
) -> Inertial:
    letters = {name: evaluate(value, world) for name, value in values.items()}
    if shape.name == "tetrahedron":
        letters["six_volumes"] = _six_volumes(letters, world)
    moment: Callable[..., Polynomial] = EXACT[shape.name]

    def integral(extra: Powers) -> Polynomial:
        total = world.number(Fraction(0))
        for found, coefficient in powers.items():
            x, y, z = (found[k] + extra[k] for k in range(3))
            # The solid stands with its z axis along `axis`: its own x, y, z are these.
            own = {"z": (x, y, z), "x": (y, z, x), "y": (z, x, y)}[axis]
            total = total + coefficient * moment(letters, own, world)
        return total

    ten = [integral(extra) for extra in TEN]
    if not ten[0]:
        raise ModelError("the density integrates to the mass 0; a mass is > 0", key="density")
    return _from_ten(ten)


def _six_volumes(v: Mapping[str, Polynomial], world: Polynomials) -> Polynomial:
    """The determinant of the edges, made positive."""
    e = [[v[f"{p}{axis}"] - v[f"p{axis}"] for axis in COORDINATES] for p in "qst"]
    (a, b, c), (d, f, g), (h, i, j) = e
    six = a * (f * j - g * i) - b * (d * j - g * h) + c * (d * i - f * h)
    return -six if is_negative(six) else six


def _numerically(shape: Shape, values: Values, density: Expression, axis: str) -> Inertial:
    ten, error = np.zeros(10), np.zeros(10)
    for chart in charts(shape.name, values, axis):
        squares = {f"square_{k}": entry for k, entry in enumerate(chart.squares)}
        short = in_radii(density, {letter: sides for letter, (sides, _) in squares.items()})

        def integrands(
            cube: Sequence[Balls], chart: Chart = chart, squares: Any = squares, short: Expression = short
        ) -> list[Balls]:
            (x, y, z), weight = _places(chart, cube)
            world = BallWorld(dict(zip(CUBE, cube, strict=True)), cube[0].length)
            radii = {letter: evaluate(square, world) for letter, (_, square) in squares.items()}
            inside = evaluate(short, BallWorld({"x": x, "y": y, "z": z, **radii}, cube[0].length))
            whole = _not_negative(inside, density, (x, y, z)) * weight
            X, Y, Z = whole * x, whole * y, whole * z
            return [whole, X, Y, Z, X * x, Y * y, Z * z, X * y, X * z, Y * z]

        found = integrate(integrands, TOLERANCE)
        ten, error = ten + found.value, error + found.error
    if ten[0] <= error[0]:
        raise ModelError("the density integrates to the mass 0; a mass is > 0", key="density")
    # What is below its error is zero in the file.
    zero = np.abs(ten) <= error
    ten, error = np.where(zero, 0.0, ten), np.where(zero, 2 * error, error)
    m, com = ten[0], ten[1:4] / ten[0]
    second = np.array([[ten[4], ten[7], ten[8]], [ten[7], ten[5], ten[9]], [ten[8], ten[9], ten[6]]])
    J = second - m * np.outer(com, com)
    rows = [[number(e) for e in row] for row in np.trace(J) * np.eye(3) - J]
    inertia: Tensor = tuple(tuple(row) for row in rows)  # type: ignore[assignment]
    x, y, z = (number(c) for c in com)
    return Inertial(number(m), (x, y, z), inertia, error=_error(ten, error))


def _error(ten: Array, error: Array) -> Error:
    """How far mass, CoM and inertia may be off, from how far the ten integrals may be off."""
    m, first = float(ten[0]), ten[1:4]
    mass = float(error[0])
    com = (error[1:4] + np.abs(first) / m * mass) / (m - mass)
    # J = S - h h^T/m, so that |dJ| <= |dS| + |dh| |c| + |h| |dc| + |dh| |dc|.
    off = np.array([[error[4], error[7], error[8]], [error[7], error[5], error[9]], [error[8], error[9], error[6]]])
    J = off + np.outer(error[1:4], np.abs(first) / m + com) + np.outer(np.abs(first), com)
    inertia = np.trace(J) * np.eye(3) + J
    return Error(mass, float(np.linalg.norm(com)), float(np.linalg.norm(inertia)))


def _from_ten(ten: list[Polynomial]) -> Inertial:
    """CoM and the inertia about it: I_c = trace(J) 1 - J with J = int r r^T dm - m c c^T."""
    m, first = ten[0], ten[1:4]
    com = [h / m for h in first]
    at = {(0, 0): 4, (1, 1): 5, (2, 2): 6, (0, 1): 7, (0, 2): 8, (1, 2): 9}
    J = [[ten[at[min(i, j), max(i, j)]] - first[i] * com[j] for j in range(3)] for i in range(3)]
    trace = J[0][0] + J[1][1] + J[2][2]
    rows = [[(trace - J[i][i] if i == j else -J[i][j]).expression() for j in range(3)] for i in range(3)]
    matrix: Tensor = tuple(tuple(row) for row in rows)  # type: ignore[assignment]
    x, y, z = (c.expression() for c in com)
    return Inertial(m.expression(), (x, y, z), matrix)


def _check_density(shape: Shape, values: Values, density: Expression, axis: str) -> None:
    """A density is >= 0 wherever it is looked at."""
    grid = np.stack(np.meshgrid(LOOKED_AT, LOOKED_AT, LOOKED_AT, indexing="ij")).reshape(3, 1, -1)
    for chart in charts(shape.name, values, axis):
        _at(density, _places(chart, [Balls.of(entry) for entry in grid])[0])


def _places(chart: Chart, cube: Sequence[Balls]) -> tuple[tuple[Balls, Balls, Balls], Balls]:
    """(x, y, z) and the weight at balls of the unit cube."""
    world = BallWorld(dict(zip(CUBE, cube, strict=True)), cube[0].length)
    x, y, z, weight = (evaluate(entry, world) for entry in (chart.x, chart.y, chart.z, chart.weight))
    return (x, y, z), weight


def _at(density: Expression, places: Sequence[Balls]) -> Balls:
    """The density at balls of the solid; an error where it is negative for certain."""
    found = evaluate(density, BallWorld(dict(zip(COORDINATES, places, strict=True)), places[0].length))
    return _not_negative(found, density, places)


def _not_negative(found: Balls, density: Expression, places: Sequence[Balls]) -> Balls:
    least = int(np.argmin(found.high))
    if found.high[least] < 0:
        x, y, z = (float(place.mid[0, min(least, place.mid.shape[1] - 1)]) for place in places)
        raise ModelError(
            f'the density "{density}" is {found.mid[0, least]:.4g} at ({x:.4g}, {y:.4g}, {z:.4g}); a density is >= 0 '
            "everywhere in the body",
            key="density",
        )
    return found


def density_of(value: Any) -> Expression:
    """A number, a text or an expression as a density, in which all of FUNCTIONS may stand.

    >>> str(density_of("exp(-x)*rho")), str(density_of("1000*exp(0)"))
    ('exp(-x)*rho', '1000')
    """
    return settled(as_expression(value, "density", tuple(FUNCTIONS)))


def settled(density: Expression) -> Expression:
    """A density without letters as a number, where it has functions that other values have not."""
    known = {"sin", "cos", "sqrt"}
    if density.parameters() or not any(isinstance(n, Call) and n.function not in known for n in walk(density)):
        return density
    found = evaluate(density, BallWorld({}))
    if not np.isfinite(found.rad).all():
        raise ArgumentError(f'the density "{density}" is not a finite number', key="density")
    return number(float(found.mid[0, 0]))


def number(value: float) -> Expression:
    """A float as the decimal that it prints as."""
    return Number(Fraction(repr(float(value) + 0.0)))
