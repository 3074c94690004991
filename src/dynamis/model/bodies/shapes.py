"""The solids and their textbook formulas: volume, CoM and inertia of a uniform body.

The formulas are text over the symbols of a shape and its mass m, read by the parser that reads robot files, so
they are what a book prints and work over any scalar. The axis of every solid of revolution is z; the origin is
the centre, except that a cone stands on its base and a tetrahedron is where its corners are.
Source: Meriam and Kraige, Engineering Mechanics: Dynamics, tables D/3 and D/4; capsule and hollow sphere are
sums and differences of those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from dynamis.base.expressions.expression import ZERO, Expression, Number, substitute
from dynamis.base.expressions.parser import parse
from dynamis.model.inertia import Tensor

Triple = tuple[Expression, Expression, Expression]


@dataclass(frozen=True)
class Shape:
    """A kind of solid: the symbols of each key, its formulas, and what its density is a mass of."""

    name: str
    keys: Mapping[str, tuple[str, ...]]
    size: str
    """Its volume; of a bar its length, of a plate its area."""
    moments: tuple[str, str, str]
    com: tuple[str, str, str] = ("0", "0", "0")
    unit: str = "kg/m^3"
    above: tuple[tuple[str, str], ...] = ()
    """(symbol, symbol) pairs: the first is larger than the second."""
    about_an_axis: bool = True
    meaning: str = ""


def _shape(name: str, keys: str, size: str, *moments: str, **more: object) -> Shape:
    """`keys` such as `radius:r height:h` or `size:abc`; one moment, or two (across, along), or three."""
    symbols = {key: tuple(names) for key, _, names in (word.partition(":") for word in keys.split())}
    xx, yy, zz = moments if len(moments) == 3 else (moments[0], moments[0], moments[-1])
    return Shape(name, symbols, size, (xx, yy, zz), **more)  # type: ignore[arg-type]


SHAPES: Mapping[str, Shape] = {
    shape.name: shape
    for shape in (
        _shape("box", "size:abc", "a*b*c", "m*(b^2 + c^2)/12", "m*(a^2 + c^2)/12", "m*(a^2 + b^2)/12",
               about_an_axis=False, meaning="size = [along x, y, z]"),
        _shape("cylinder", "radius:r height:h", "pi*r^2*h", "m*(3*r^2 + h^2)/12", "m*r^2/2"),
        _shape("hollow-cylinder", "radius:r inner_radius:s height:h", "pi*(r^2 - s^2)*h",
               "m*(3*(r^2 + s^2) + h^2)/12", "m*(r^2 + s^2)/2", above=(("r", "s"),)),
        _shape("sphere", "radius:r", "4*pi*r^3/3", "2*m*r^2/5", about_an_axis=False),
        _shape("hollow-sphere", "radius:r inner_radius:s", "4*pi*(r^3 - s^3)/3",
               "2*m*(r^5 - s^5)/(5*(r^3 - s^3))", above=(("r", "s"),), about_an_axis=False),
        _shape("capsule", "radius:r height:h", "pi*r^2*(3*h + 4*r)/3",
               "m*(h*(3*r^2 + h^2)/4 + 4*r*(2*r^2/5 + h^2/4 + 3*h*r/8))/(3*h + 4*r)",
               "m*(3*h*r^2/2 + 8*r^3/5)/(3*h + 4*r)", meaning="height of the part between the half spheres"),
        _shape("cone", "radius:r height:h", "pi*r^2*h/3", "3*m*(4*r^2 + h^2)/80", "3*m*r^2/10",
               com=("0", "0", "h/4"), meaning="base in the plane through the origin, tip at height along the axis"),
        _shape("ellipsoid", "semi_axes:abc", "4*pi*a*b*c/3", "m*(b^2 + c^2)/5", "m*(a^2 + c^2)/5",
               "m*(a^2 + b^2)/5", about_an_axis=False, meaning="semi_axes = [along x, y, z]"),
        _shape("bar", "length:l", "l", "m*l^2/12", "0", unit="kg/m", meaning="thin, along the axis"),
        _shape("plate", "size:ab", "a*b", "m*b^2/12", "m*a^2/12", "m*(a^2 + b^2)/12", unit="kg/m^2",
               meaning="thin, across the axis"),
        _shape("tetrahedron", "vertices:pqst", "", "0", about_an_axis=False,
               meaning="vertices = four corners [x, y, z]"),
        _shape("point", "", "", "0", unit="", about_an_axis=False, meaning="has a mass only"),
    )
}  # fmt: skip


@dataclass(frozen=True)
class Error:
    """The estimated error of numerical integrals: mass [kg], CoM [m], inertia about it [kg m^2], as norms."""

    mass: float = 0.0
    com: float = 0.0
    inertia: float = 0.0


@dataclass(frozen=True)
class Inertial:
    """Mass [kg], CoM [m] and inertia about the CoM [kg m^2] of one piece, in its own axes.

    `error` is the estimated error of the integrals behind it; 0 where they are exact.
    """

    mass: Expression
    com: Triple = (ZERO, ZERO, ZERO)
    inertia: Tensor = field(default=((ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO), (ZERO, ZERO, ZERO)))
    error: Error = Error()


def diagonal(xx: Expression, yy: Expression, zz: Expression) -> Tensor:
    return (xx, ZERO, ZERO), (ZERO, yy, ZERO), (ZERO, ZERO, zz)


def cyclic(axis: str, entries: Triple) -> Triple:
    """The entries along x, y, z after the z axis of the solid was laid along `axis`: x -> y -> z -> x."""
    x, y, z = entries
    return {"z": (x, y, z), "x": (z, x, y), "y": (y, z, x)}[axis]


def size_of(shape: Shape, values: Mapping[str, Expression]) -> Expression:
    """The volume of a solid (of a bar its length, of a plate its area)."""
    if shape.name == "tetrahedron":
        return tetrahedron_volume(corners(values))
    return substitute(parse(shape.size), values)


def uniform(shape: Shape, values: Mapping[str, Expression], mass: Expression, axis: str = "z") -> Inertial:
    """The textbook's CoM and inertia with `values` for the symbols of the shape."""
    if shape.name == "tetrahedron":
        return _tetrahedron(corners(values), mass)
    values = {**values, "m": mass}
    moments = [substitute(parse(text), values) for text in shape.moments]
    com = [substitute(parse(text), values) for text in shape.com]
    return Inertial(
        mass, cyclic(axis, (com[0], com[1], com[2])), diagonal(*cyclic(axis, (moments[0], moments[1], moments[2])))
    )


def corners(values: Mapping[str, Expression]) -> list[Triple]:
    """The corners of a tetrahedron: values px, py, pz, qx, ..."""
    return [(values[f"{p}x"], values[f"{p}y"], values[f"{p}z"]) for p in "pqst"]


def tetrahedron_volume(points: list[Triple]) -> Expression:
    """(b - a).((c - a) x (d - a))/6: positive where b, c, d turn to the right seen from a."""
    a, *others = points
    (x1, y1, z1), (x2, y2, z2), (x3, y3, z3) = (tuple(u - v for u, v in zip(p, a, strict=True)) for p in others)
    six = x1 * (y2 * z3 - z2 * y3) + y1 * (z2 * x3 - x2 * z3) + z1 * (x2 * y3 - y2 * x3)
    return six / Number(Fraction(6))


def _tetrahedron(points: list[Triple], mass: Expression) -> Inertial:
    """I = m/20 sum_i (d_i.d_i 1 - d_i d_i^T), d_i the corners seen from the CoM."""
    quarter, share = Number(Fraction(1, 4)), mass * Number(Fraction(1, 20))
    com = tuple(quarter * (a + b + c + d) for a, b, c, d in zip(*points, strict=True))
    d = [tuple(u - v for u, v in zip(p, com, strict=True)) for p in points]
    J = [[share * sum((p[i] * p[j] for p in d), start=ZERO) for j in range(3)] for i in range(3)]
    trace = J[0][0] + J[1][1] + J[2][2]
    rows = [tuple(trace - J[i][i] if i == j else -J[i][j] for j in range(3)) for i in range(3)]
    return Inertial(mass, (com[0], com[1], com[2]), (rows[0], rows[1], rows[2]))  # type: ignore[arg-type]
