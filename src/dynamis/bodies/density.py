"""A density rho(x, y, z) over a solid: mass, CoM and inertia by volume integrals (Akdogan, The Inertia Tensor).

    m = int rho dV    m c = int r rho dV    I_xx = int (y^2 + z^2) rho dV    I_xy = -int x y rho dV

A polynomial is integrated exactly, with letters where there are letters; anything else by adaptive cubature.
x, y, z are the coordinates of the solid's own frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dynamis.bodies.charts import Chart, charts
from dynamis.bodies.cubature import NODES, integrate
from dynamis.bodies.monomials import EXACT, Powers
from dynamis.bodies.polynomial import Polynomial, Polynomials, is_negative
from dynamis.bodies.shapes import Inertial, Shape
from dynamis.errors import ArgumentError, ModelError
from dynamis.model.expression import Expression, Number, evaluate
from dynamis.model.floats import Floats
from dynamis.model.inertia import Tensor

Array = NDArray[np.float64]
COORDINATES = ("x", "y", "z")
TOLERANCE = 1e-10
MAX_DEGREE = 12
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
    ten, error, size = np.zeros(10), np.zeros(10), np.zeros(10)
    for chart in charts(shape.name, _numbers(values), axis):

        def integrand(u: Array, chart: Chart = chart) -> Array:
            points, weights = chart(u)
            x, y, z = points
            powers = np.stack([x**a * y**b * z**c for a, b, c in TEN])
            return powers * (_at(density, points) * weights)

        found = integrate(integrand, TOLERANCE)
        ten, error, size = ten + found.value, error + found.error, size + found.size
    if ten[0] <= 0:
        raise ModelError("the density integrates to the mass 0; a mass is > 0", key="density")
    # What is below the error of its kind is rounding, and zero in the file.
    ten = np.where(np.abs(ten) <= error + 1e-14 * size, 0.0, ten)
    m, com = ten[0], ten[1:4] / ten[0]
    second = np.array([[ten[4], ten[7], ten[8]], [ten[7], ten[5], ten[9]], [ten[8], ten[9], ten[6]]])
    J = second - m * np.outer(com, com)
    rows = [[number(e) for e in row] for row in np.trace(J) * np.eye(3) - J]
    inertia: Tensor = tuple(tuple(row) for row in rows)  # type: ignore[assignment]
    x, y, z = (number(c) for c in com)
    worst = float(np.max(error / np.maximum(size, 1e-300)))
    return Inertial(number(m), (x, y, z), inertia, error=worst)


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
    grid = np.stack(np.meshgrid(NODES, NODES, NODES, indexing="ij")).reshape(3, -1)
    for chart in charts(shape.name, _numbers(values), axis):
        points, _ = chart(grid)
        found = np.broadcast_to(_at(density, points), points.shape[1:])
        least = int(np.argmin(found))
        if found[least] < 0:
            x, y, z = np.round(points[:, least], 12)
            raise ModelError(
                f'the density "{density}" is {found[least]:.4g} at ({x:.4g}, {y:.4g}, {z:.4g}); a density is >= 0 '
                "everywhere in the body",
                key="density",
            )


def _numbers(values: Values) -> dict[str, float]:
    return {name: evaluate(value, Floats({})) for name, value in values.items()}


def _at(density: Expression, points: Array) -> Array:
    """The density at points (3, k)."""
    with np.errstate(all="ignore"):
        return np.asarray(evaluate(density, _Points(points)), dtype=np.float64)


@dataclass(frozen=True)
class _Points:
    """The world of arrays over points."""

    points: Array

    def number(self, value: Fraction) -> Array:
        return np.asarray(float(value))

    def pi(self) -> Array:
        return np.asarray(np.pi)

    def parameter(self, name: str) -> Array:
        return self.points[COORDINATES.index(name)]

    def cos_sin(self, angle: Expression) -> tuple[Array, Array]:
        radians = evaluate(angle, self)
        return np.cos(radians), np.sin(radians)

    def sqrt(self, argument: Expression) -> Array:
        value = evaluate(argument, self)
        if np.min(value) < 0:
            raise ArgumentError(f"sqrt({argument}) is the root of a negative number inside the body", key="density")
        return np.sqrt(value)


def number(value: float) -> Expression:
    """A float as the decimal that it prints as."""
    return Number(Fraction(repr(float(value) + 0.0)))
