"""A density rho(x, y, z) over a solid: mass, CoM and inertia by volume integrals (Akdogan, The Inertia Tensor).

    m = int rho dV    m c = int r rho dV    I_xx = int (y^2 + z^2) rho dV    I_xy = -int x y rho dV

A polynomial is integrated exactly, symbols included; anything else by adaptive cubature.
x, y, z are the coordinates of the solid's own frame. A density may use more functions than other values do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, ModelError
from dynamis.base.expressions.expression import Call, Expression, Number, walk
from dynamis.base.expressions.parser import as_expression
from dynamis.model.bodies.array_functions import FUNCTIONS, Arrays
from dynamis.model.bodies.coordinate_maps import CUBE, CoordinateMap, coordinate_maps
from dynamis.model.bodies.cubature import integrate
from dynamis.model.bodies.monomial_integrals import EXACT, Powers
from dynamis.model.bodies.polynomial import Polynomial, Polynomials, is_negative
from dynamis.model.bodies.shapes import Error, Inertial, Shape, size_of
from dynamis.model.inertia import Tensor
from dynamis.scalars.scalars import evaluate

COORDINATES = ("x", "y", "z")
INTEGRATION_TOLERANCE = 1e-11
MAX_DEGREE = 12
# Along each side of the unit cube: where a density is checked, whatever way it is integrated.
CHECK_POINTS: Array = (np.polynomial.legendre.leggauss(15)[0] + 1) / 2
# x^a y^b z^c of the ten integrals: mass, first moments, second moments xx, yy, zz, xy, xz, yz.
MOMENT_POWERS: tuple[Powers, ...] = (
    (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (1, 0, 1), (0, 1, 1),
)  # fmt: skip
Values = Mapping[str, Expression]


def varies(density: Expression) -> bool:
    """Whether a density depends on the place."""
    return bool(density.parameters() & {*COORDINATES})


def with_density(shape: Shape, values: Values, density: Expression, axis: str = "z") -> Inertial:
    """Mass, CoM and inertia of a solid whose density depends on the place."""
    symbols = (density.parameters() - {*COORDINATES}).union(*(value.parameters() for value in values.values()))
    if not symbols:
        _check_density(shape, values, density, axis)
    scalars = Polynomials()
    powers = _powers(density, scalars, fallback=not symbols)
    # Over a tetrahedron the terms of a high power are many; with numbers, cubature is faster.
    high = shape.name == "tetrahedron" and not symbols and max((sum(p) for p in powers or ()), default=0) > MAX_DEGREE
    if powers is not None and shape.name in EXACT and not high:
        return _exactly(shape, values, powers, axis, scalars)
    if symbols:
        why = f"a {shape.name} has no exact integrals" if powers is not None else "it is not a polynomial in x, y, z"
        raise ArgumentError(
            f'the density "{density}" is integrated numerically ({why}), and {", ".join(sorted(symbols))} '
            "has no value; give values to all symbols",
            key="density",
        )
    return _numerically(shape, values, density, axis)


def _powers(density: Expression, scalars: Polynomials, fallback: bool) -> dict[tuple[int, ...], Polynomial] | None:
    """The density by powers of x, y, z; None where it is not a polynomial, or too long and there is another way."""
    try:
        return evaluate(density, scalars).by_powers(COORDINATES)
    except ArgumentError:
        if fallback:
            return None
        raise


def _exactly(
    shape: Shape, values: Values, powers: Mapping[tuple[int, ...], Polynomial], axis: str, scalars: Polynomials
) -> Inertial:
    sizes = {name: evaluate(value, scalars) for name, value in values.items()}
    if shape.name == "tetrahedron":
        six = evaluate(size_of(shape, values), scalars) * scalars.constant(Fraction(6))
        sizes["six_volumes"] = -six if is_negative(six) else six
    moment: Callable[..., Polynomial] = EXACT[shape.name]

    def integral(extra: Powers) -> Polynomial:
        total = scalars.zero
        for exponents, coefficient in powers.items():
            x, y, z = (exponents[k] + extra[k] for k in range(3))
            # The solid stands with its z axis along `axis`: these are the powers of its own x, y, z.
            turned = {"z": (x, y, z), "x": (y, z, x), "y": (z, x, y)}[axis]
            total = total + coefficient * moment(sizes, turned, scalars)
        return total

    ten = [integral(extra) for extra in MOMENT_POWERS]
    if not ten[0]:
        raise ModelError("the density integrates to the mass 0; a mass must be > 0", key="density")
    return _from_ten(ten)


def _numerically(shape: Shape, values: Values, density: Expression, axis: str) -> Inertial:
    ten, error = np.zeros(10), np.zeros(10)
    for onto in coordinate_maps(shape.name, values, axis):

        def integrands(u: Array, v: Array, w: Array, onto: CoordinateMap = onto) -> list[Array]:
            (x, y, z), weight = _places(onto, (u, v, w))
            mass = _density_at(density, (x, y, z)) * weight
            X, Y, Z = mass * x, mass * y, mass * z
            return [mass, X, Y, Z, X * x, Y * y, Z * z, X * y, X * z, Y * z]

        integral = integrate(integrands, INTEGRATION_TOLERANCE)
        ten, error = ten + integral.value, error + integral.error
    if ten[0] <= error[0]:
        raise ModelError("the density integrates to the mass 0; a mass must be > 0", key="density")
    # What is below its error is zero in the file.
    zero = np.abs(ten) <= error
    ten, error = np.where(zero, 0.0, ten), np.where(zero, 2 * error, error)
    m, com = ten[0], ten[1:4] / ten[0]
    J = _symmetric(ten[4:]) - m * np.outer(com, com)
    rows = [[number(e) for e in row] for row in np.trace(J) * np.eye(3) - J]
    inertia: Tensor = tuple(tuple(row) for row in rows)  # type: ignore[assignment]
    x, y, z = (number(c) for c in com)
    return Inertial(number(m), (x, y, z), inertia, error=_error(ten, error))


def _symmetric(six: Array) -> Array:
    """The matrix with the entries xx, yy, zz, xy, xz, yz."""
    return six[[[0, 3, 4], [3, 1, 5], [4, 5, 2]]]


def _error(ten: Array, error: Array) -> Error:
    """Errors of mass, CoM and inertia from those of the ten integrals."""
    m, first = float(ten[0]), ten[1:4]
    mass = float(error[0])
    com = (error[1:4] + np.abs(first) / m * mass) / (m - mass)
    # J = S - h h^T/m, so that |dJ| <= |dS| + |dh| |c| + |h| |dc| + |dh| |dc|.
    J = _symmetric(error[4:]) + np.outer(error[1:4], np.abs(first) / m + com) + np.outer(np.abs(first), com)
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
    """Raise if a density is negative or not finite at a point of the grid of CHECKED."""
    cube = np.meshgrid(CHECK_POINTS, CHECK_POINTS, CHECK_POINTS, indexing="ij", sparse=True)
    for onto in coordinate_maps(shape.name, values, axis):
        _density_at(density, _places(onto, cube)[0])


def _places(onto: CoordinateMap, cube: Sequence[Array]) -> tuple[tuple[Array, Array, Array], Array]:
    """(x, y, z) and the weight at points of the unit cube."""
    arrays = Arrays(dict(zip(CUBE, cube, strict=True)))
    x, y, z, weight = (evaluate(entry, arrays) for entry in (onto.x, onto.y, onto.z, onto.weight))
    return (x, y, z), weight


def _density_at(density: Expression, places: Sequence[Array]) -> Array:
    """The density at points of the solid; raises where it is negative or not finite."""
    with np.errstate(all="ignore"):
        values = evaluate(density, Arrays(dict(zip(COORDINATES, places, strict=True))))
    values, *at = np.broadcast_arrays(values, *places)
    least = np.unravel_index(np.argmin(values), values.shape)
    x, y, z = (float(place[least]) for place in at)
    if values[least] < 0:
        raise ModelError(
            f'the density "{density}" is {values[least]:.4g} at ({x:.4g}, {y:.4g}, {z:.4g}); a density must be >= 0 '
            "everywhere in the body",
            key="density",
        )
    if not np.isfinite(values).all():
        x, y, z = (float(place[~np.isfinite(values)][0]) for place in at)
        raise ArgumentError(f"the density is not finite inside the body, at ({x:.4g}, {y:.4g}, {z:.4g})", key="density")
    return values


def density_of(value: Any) -> Expression:
    """A number, a text or an expression as a density, in which all of FUNCTIONS may stand.

    >>> str(density_of("exp(-x)*rho")), str(density_of("1000*exp(0)"))
    ('exp(-x)*rho', '1000')
    """
    return as_number(as_expression(value, "density", tuple(FUNCTIONS)))


def as_number(density: Expression) -> Expression:
    """A density without symbols as a number, where it uses functions that other values have not."""
    exact = {"sin", "cos", "sqrt"}
    if density.parameters() or not any(isinstance(n, Call) and n.function not in exact for n in walk(density)):
        return density
    with np.errstate(all="ignore"):
        value = float(evaluate(density, Arrays({})))
    if not np.isfinite(value):
        raise ArgumentError(f'the density "{density}" is not a finite number', key="density")
    return number(value)


def number(value: float) -> Expression:
    """A float as the decimal that it prints as."""
    return Number(Fraction(repr(float(value) + 0.0)))
