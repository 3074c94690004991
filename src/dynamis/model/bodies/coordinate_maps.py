"""The unit cube mapped onto each solid, so that integrals over the solid become integrals over the cube.

A map takes u, v, w in [0, 1] to a point x, y, z of the solid in its own axes; `weight` is the volume element
|d(x, y, z)/d(u, v, w)| (for a plate its area, for a bar its length). Like the formulas of the shapes, maps are text
over the symbols of a shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dynamis.base.expressions.expression import Expression, substitute
from dynamis.base.expressions.parser import parse
from dynamis.model.bodies.shapes import corners, cyclic, tetrahedron_volume
from dynamis.scalars.floats import number

Values = Mapping[str, Expression]
CUBE = ("u", "v", "w")


@dataclass(frozen=True)
class CoordinateMap:
    """x, y, z and the weight as expressions in u, v, w."""

    x: Expression
    y: Expression
    z: Expression
    weight: Expression


_TUBE = ("T*cos(2*pi*v)", "T*sin(2*pi*v)", "h*(w - 1/2)", "2*pi*h*(r - s)*T")
_BALL = (
    "T*sin(P)*cos(2*pi*v)", "T*sin(P)*sin(2*pi*v)", "lift + T*cos(P)", "2*pi^2*(last - first)*(r - s)*T^2*sin(P)",
)  # fmt: skip
# T is the distance from the axis or the centre, P the angle from the z axis.
_BETWEEN = {"T": "s + (r - s)*u", "P": "pi*(first + (last - first)*w)"}
_FULL_BALL = {"first": "0", "last": "1", "lift": "0", "s": "0"}
# Formulas of x, y, z and the weight in u, v, w and the symbols of the sizes; abbreviations in them.
_MAPS: Mapping[str, list[tuple[tuple[str, str, str, str], dict[str, str]]]] = {
    "box": [(("a*(u - 1/2)", "b*(v - 1/2)", "c*(w - 1/2)", "a*b*c"), {})],
    "cylinder": [(_TUBE, {"s": "0"})],
    "hollow-cylinder": [(_TUBE, {})],
    "sphere": [(_BALL, _FULL_BALL)],
    "hollow-sphere": [(_BALL, {"first": "0", "last": "1", "lift": "0"})],
    "capsule": [
        (_TUBE, {"s": "0"}),
        (_BALL, {**_FULL_BALL, "last": "1/2", "lift": "h/2"}),
        (_BALL, {**_FULL_BALL, "first": "1/2", "lift": "-h/2"}),
    ],
    "cone": [
        (("r*(1 - w)*u*cos(2*pi*v)", "r*(1 - w)*u*sin(2*pi*v)", "h*w", "2*pi*h*r^2*(1 - w)^2*u"), {}),
    ],
    "ellipsoid": [
        (("a*u*sin(pi*w)*cos(2*pi*v)", "b*u*sin(pi*w)*sin(2*pi*v)", "c*u*cos(pi*w)", "2*pi^2*a*b*c*u^2*sin(pi*w)"), {})
    ],
    "bar": [(("0", "0", "l*(w - 1/2)", "l"), {})],
    "plate": [(("a*(u - 1/2)", "b*(v - 1/2)", "0", "a*b"), {})],
}  # fmt: skip


def coordinate_maps(shape: str, values: Values, axis: str = "z") -> list[CoordinateMap]:
    """The maps that together cover a solid once; its z axis is laid along `axis`.

    >>> [(str(m.z), str(m.weight)) for m in coordinate_maps("bar", {"l": parse("0.5")})]
    [('0.5*(w - 0.5)', '0.5')]
    """
    if shape == "tetrahedron":
        return [_tetrahedron(values)]
    maps: list[CoordinateMap] = []
    for texts, abbreviations in _MAPS[shape]:
        sizes = {**values, **{name: substitute(parse(text), values) for name, text in abbreviations.items()}}
        inner = {name: substitute(parse(text), sizes) for name, text in _BETWEEN.items()}
        x, y, z, weight = (substitute(substitute(parse(text), inner), sizes) for text in texts)
        maps.append(CoordinateMap(*cyclic(axis, (x, y, z)), weight))
    return maps


def _tetrahedron(values: Values) -> CoordinateMap:
    """Duffy's map: (u, v (1 - u), w (1 - u) (1 - v)) fills the corner u + v + w <= 1."""
    inside = [parse(text) for text in ("u", "v*(1 - u)", "w*(1 - u)*(1 - v)")]
    edges = [[values[f"{p}{axis}"] - values[f"p{axis}"] for axis in "xyz"] for p in "qst"]
    places: list[Expression] = []
    for k, axis in enumerate("xyz"):
        place = values[f"p{axis}"]
        for part, edge in zip(inside, edges, strict=True):
            place = place + part * edge[k]
        places.append(place)
    volume = tetrahedron_volume(corners(values))
    weight = parse("6*(1 - u)^2*(1 - v)") * (volume if (number(volume, {}) or 0.0) >= 0 else -volume)
    return CoordinateMap(places[0], places[1], places[2], weight)
