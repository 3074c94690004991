"""The unit cube laid over each solid, so that integrals over the solid become integrals over the cube.

A chart takes u, v, w of [0, 1] to a point x, y, z of the solid in its own axes; `weight` is the volume that a small
cube becomes (of a plate its area, of a bar its length). As the formulas of the shapes, charts are text over
the letters of a shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dynamis.bodies.shapes import cyclic
from dynamis.expressions.expression import Expression, substitute
from dynamis.expressions.parser import parse
from dynamis.scalars.floats import number

Values = Mapping[str, Expression]
CUBE = ("u", "v", "w")


@dataclass(frozen=True)
class Chart:
    """x, y, z and the weight as expressions in u, v, w.

    `squares` gives sums of squares of coordinates that have a short formula: about an axis, about the centre.
    """

    x: Expression
    y: Expression
    z: Expression
    weight: Expression
    squares: tuple[tuple[tuple[str, ...], Expression], ...] = ()


_TUBE = ("T*cos(2*pi*v)", "T*sin(2*pi*v)", "h*(w - 1/2)", "2*pi*h*(r - s)*T")
_BALL = (
    "T*sin(P)*cos(2*pi*v)", "T*sin(P)*sin(2*pi*v)", "lift + T*cos(P)", "2*pi^2*(last - first)*(r - s)*T^2*sin(P)",
)  # fmt: skip
# T is the distance from the axis or the centre, P the angle from the z axis.
_BETWEEN = {"T": "s + (r - s)*u", "P": "pi*(first + (last - first)*w)"}
# The square of the distance from the axis, where it is not that of x, y above put together; and from the centre.
_AROUND = {"cylinder": "T^2", "hollow-cylinder": "T^2", "cone": "(r*(1 - w)*u)^2"}
_ABOUT = ("sphere", "hollow-sphere")
_WHOLE = {"first": "0", "last": "1", "lift": "0", "s": "0"}
# The letters of the sizes; u, v, w; what stands in a formula for something longer.
_CHARTS: Mapping[str, list[tuple[tuple[str, str, str, str], dict[str, str]]]] = {
    "box": [(("a*(u - 1/2)", "b*(v - 1/2)", "c*(w - 1/2)", "a*b*c"), {})],
    "cylinder": [(_TUBE, {"s": "0"})],
    "hollow-cylinder": [(_TUBE, {})],
    "sphere": [(_BALL, _WHOLE)],
    "hollow-sphere": [(_BALL, {"first": "0", "last": "1", "lift": "0"})],
    "capsule": [
        (_TUBE, {"s": "0"}),
        (_BALL, {**_WHOLE, "last": "1/2", "lift": "h/2"}),
        (_BALL, {**_WHOLE, "first": "1/2", "lift": "-h/2"}),
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


def charts(shape: str, values: Values, axis: str = "z") -> list[Chart]:
    """The charts that together cover a solid once; its z axis is laid along `axis`.

    >>> [(str(c.z), str(c.weight)) for c in charts("bar", {"l": parse("0.5")})]
    [('0.5*(w - 0.5)', '0.5')]
    """
    if shape == "tetrahedron":
        return [_tetrahedron(values)]
    found: list[Chart] = []
    for texts, short in _CHARTS[shape]:
        put = {**{name: substitute(parse(text), values) for name, text in short.items()}, **_own(values, short)}
        inner = {name: substitute(parse(text), put) for name, text in _BETWEEN.items()}

        def filled(text: str, inner: Values = inner, put: Values = put) -> Expression:
            return substitute(substitute(parse(text), inner), put)

        x, y, z, weight = (filled(text) for text in texts)
        across = tuple(name for name in "xyz" if name != axis)
        squares = [(across, filled(_AROUND[shape]))] if shape in _AROUND else []
        squares += [(("x", "y", "z"), filled("T^2")), (across, filled("(T*sin(P))^2"))] if shape in _ABOUT else []
        found.append(Chart(*cyclic(axis, (x, y, z)), weight, tuple(squares)))
    return found


def _own(values: Values, short: Mapping[str, str]) -> Values:
    return {name: value for name, value in values.items() if name not in short}


def _tetrahedron(values: Values) -> Chart:
    """Duffy: (u, v (1 - u), w (1 - u) (1 - v)) fills the corner u + v + w <= 1."""
    inside = [parse(text) for text in ("u", "v*(1 - u)", "w*(1 - u)*(1 - v)")]
    edges = [[values[f"{p}{axis}"] - values[f"p{axis}"] for axis in "xyz"] for p in "qst"]
    places: list[Expression] = []
    for k, axis in enumerate("xyz"):
        place = values[f"p{axis}"]
        for part, edge in zip(inside, edges, strict=True):
            place = place + part * edge[k]
        places.append(place)
    (a, b, c), (d, e, f), (g, h, i) = edges
    six = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    size = six if (number(six, {}) or 0.0) >= 0 else -six
    return Chart(places[0], places[1], places[2], size * parse("(1 - u)^2*(1 - v)"))
