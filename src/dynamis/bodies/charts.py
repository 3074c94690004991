"""The unit cube laid over each solid, so that integrals over the solid become integrals over the cube.

A chart takes points u of [0, 1]^3, shape (3, k), to points of the solid in its own axes and gives the
volume that a small cube around u becomes. Angles go with u itself, so that charts are as smooth as they can be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Chart = Callable[[Array], tuple[Array, Array]]
Numbers = Mapping[str, float]


def charts(shape: str, v: Numbers, axis: str = "z") -> list[Chart]:
    """The charts that together cover a solid once; its z axis is laid along `axis`."""
    order = {"z": [0, 1, 2], "x": [2, 0, 1], "y": [1, 2, 0]}[axis]

    def turned(chart: Chart) -> Chart:
        def at(u: Array) -> tuple[Array, Array]:
            points, weights = chart(u)
            return points[order], weights

        return at

    return [turned(chart) for chart in _CHARTS[shape](v)]


def _constant(u: Array, value: float) -> Array:
    return np.full(u.shape[1:], value)


def _box(v: Numbers) -> list[Chart]:
    sides = np.array([v["a"], v["b"], v["c"]])
    return [lambda u: (sides[:, None] * (u - 0.5), _constant(u, float(np.prod(sides))))]


def _tube(v: Numbers) -> list[Chart]:
    inner, outer, h = v.get("s", 0.0), v["r"], v["h"]

    def chart(u: Array) -> tuple[Array, Array]:
        r, turn = inner + (outer - inner) * u[0], 2 * pi * u[1]
        return np.stack([r * np.cos(turn), r * np.sin(turn), h * (u[2] - 0.5)]), 2 * pi * h * (outer - inner) * r

    return [chart]


def _shell(v: Numbers) -> list[Chart]:
    return [_ball_part(v.get("s", 0.0), v["r"], 0.0, 1.0, 0.0)]


def _ball_part(inner: float, outer: float, first: float, last: float, lifted: float) -> Chart:
    """Between two radii, from the polar angle first * pi to last * pi, its centre at z = lifted."""

    def chart(u: Array) -> tuple[Array, Array]:
        r, turn = inner + (outer - inner) * u[0], 2 * pi * u[1]
        polar = pi * (first + (last - first) * u[2])
        sine = np.sin(polar)
        points = np.stack([r * sine * np.cos(turn), r * sine * np.sin(turn), lifted + r * np.cos(polar)])
        return points, 2 * pi * pi * (last - first) * (outer - inner) * r * r * sine

    return chart


def _capsule(v: Numbers) -> list[Chart]:
    caps = [_ball_part(0.0, v["r"], 0.0, 0.5, v["h"] / 2), _ball_part(0.0, v["r"], 0.5, 1.0, -v["h"] / 2)]
    return [*_tube(v), *caps]


def _cone(v: Numbers) -> list[Chart]:
    def chart(u: Array) -> tuple[Array, Array]:
        edge, turn = v["r"] * (1 - u[2]), 2 * pi * u[1]
        r = edge * u[0]
        return np.stack([r * np.cos(turn), r * np.sin(turn), v["h"] * u[2]]), 2 * pi * v["h"] * r * edge

    return [chart]


def _ellipsoid(v: Numbers) -> list[Chart]:
    axes, ball = np.array([v["a"], v["b"], v["c"]]), _ball_part(0.0, 1.0, 0.0, 1.0, 0.0)

    def chart(u: Array) -> tuple[Array, Array]:
        points, weights = ball(u)
        return axes[:, None] * points, weights * float(np.prod(axes))

    return [chart]


def _bar(v: Numbers) -> list[Chart]:
    return [lambda u: (np.stack([0 * u[0], 0 * u[0], v["l"] * (u[2] - 0.5)]), _constant(u, v["l"]))]


def _plate(v: Numbers) -> list[Chart]:
    a, b = v["a"], v["b"]
    return [lambda u: (np.stack([a * (u[0] - 0.5), b * (u[1] - 0.5), 0 * u[0]]), _constant(u, a * b))]


def _tetrahedron(v: Numbers) -> list[Chart]:
    """Duffy: (u, v (1 - u), w (1 - u) (1 - v)) fills the corner u + v + w <= 1."""
    corners = np.array([[v[f"{p}{axis}"] for axis in "xyz"] for p in "pqst"])
    edges = corners[1:] - corners[0]
    six = abs(float(np.linalg.det(edges)))

    def chart(u: Array) -> tuple[Array, Array]:
        first, second = 1 - u[0], 1 - u[1]
        inside = np.stack([u[0], u[1] * first, u[2] * first * second])
        return corners[0][:, None] + edges.T @ inside, six * first**2 * second

    return [chart]


_CHARTS: Mapping[str, Callable[[Numbers], list[Chart]]] = {
    "box": _box,
    "cylinder": _tube,
    "hollow-cylinder": _tube,
    "sphere": _shell,
    "hollow-sphere": _shell,
    "capsule": _capsule,
    "cone": _cone,
    "ellipsoid": _ellipsoid,
    "bar": _bar,
    "plate": _plate,
    "tetrahedron": _tetrahedron,
}
