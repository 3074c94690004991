"""Do the parts of a body fit together: overlaps, holes outside of their body, holes that meet.

With the package manifold3d the solids are meshes, and intersections are computed. Without it only what boxes
around the parts show is known, and what they do not show is said. Thin solids and point masses fill no room; CAD
data has no shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import pi, sqrt
from operator import add
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.extras import install
from dynamis.model.bodies.cad_body import CadBody
from dynamis.model.bodies.mesh import EXTRA, Mesh
from dynamis.model.bodies.solid import Solid
from dynamis.model.placement import Placement
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import evaluate

if TYPE_CHECKING:
    from dynamis.model.bodies.body import Body

CIRCLE_SEGMENTS = 96
# The search stops after so many problems.
MAX_PROBLEMS = 10
# Solids become meshes with SEGMENTS corners a turn, so that a shaft in its own bore shares a sliver with it.
SLIVER_SHARE = 0.004


@dataclass(frozen=True)
class Problem:
    """A sentence, and the part that it is about."""

    sentence: str
    part: str


@dataclass(frozen=True)
class Fit:
    """`problems` that were found, and sentences on what was `unchecked`."""

    problems: tuple[Problem, ...] = ()
    unchecked: tuple[str, ...] = ()


def check_fit(signed: Sequence[tuple[int, Body]]) -> Fit:
    """How parts (1) and holes (-1) fit together, where their sizes and places are numbers; not what is inside of them.

    >>> from dynamis.model.bodies.body import Body
    >>> cube = Body.box([1, 1, 1], mass=1)
    >>> check_fit([(1, cube), (1, cube.at("Tx(1)"))])
    Fit(problems=(), unchecked=())
    """
    if len(signed) < 2:
        return Fit()
    unchecked: dict[str, None] = {}
    leaves = [leaf for _, part in signed for leaf in part.leaves()]
    if any(isinstance(leaf.content, CadBody) for _, leaf, _ in leaves):
        unchecked["whether CAD data overlaps: it has no shape"] = None
    if any(_has_symbols(leaf, placement) for _, leaf, placement in leaves):
        return Fit(unchecked=(*unchecked, "whether parts overlap: the sizes have symbols"))
    kit = _kit()
    shapes = [(sign, part, _shape(part, kit)) for sign, part in signed]
    problems: list[Problem] = []
    for finding in (_by_manifold if kit else _by_boxes)(shapes):
        if isinstance(finding, Problem):
            problems.append(finding)
        else:
            unchecked[finding] = None
        if len(problems) == MAX_PROBLEMS:
            break
    return Fit(tuple(problems), tuple(unchecked))


def _has_symbols(leaf: Body, placement: Placement) -> bool:
    """Whether a size or a place has no value yet; masses may have symbols."""
    sizes = leaf.content.sizes if isinstance(leaf.content, Solid) else ()
    return bool(placement.parameters()) or any(value.parameters() for _, value in sizes)


def _kit() -> Any:
    try:
        import manifold3d
    except ImportError:
        return None
    return manifold3d


def _by_manifold(shapes: list[tuple[int, Body, Any]]) -> Iterator[Problem | str]:
    solid = [(part, shape) for sign, part, shape in shapes if sign > 0 and shape is not None]
    holes = [(part, shape) for sign, part, shape in shapes if sign < 0 and shape is not None]
    for group, what, counted in ((solid, "parts", "counted"), (holes, "holes", "taken away")):
        for both, (_, first), (part, second) in _meeting(group, what, [_box(shape) for _, shape in group]):
            shared, least = first ^ second, min(first.volume(), second.volume())
            # A shaft may stand where a hole was made for it.
            for _, hole in holes if what == "parts" else ():
                shared = shared - hole
            common = shared.volume()
            if common > SLIVER_SHARE * least:
                sentence = f"{both} overlap in about {common:.3g} m^3; that mass is {counted} twice"
                yield Problem(f"{sentence}: cut one of them back", part.name)
    thin = any(sign > 0 and shape is None for sign, _, shape in shapes)
    if not solid and holes and not thin:
        yield Problem(f'hole "{holes[0][0].name}" has no part that it is taken from', holes[0][0].name)
    if not holes or not solid:
        return
    filled = reduce(add, (shape for _, shape in solid))
    for part, shape in holes:
        outside, size = (shape - filled).volume(), shape.volume()
        if size > filled.volume() * (1 + SLIVER_SHARE):
            yield _too_large(part, size, filled.volume())
        elif outside > SLIVER_SHARE * size:
            sentence = f'hole "{part.name}" lies {outside / size:.0%} outside of its body'
            yield Problem(f"{sentence}; take away only what is there: make it shorter, or move it", part.name)


def _meeting(group: list[tuple[Body, Any]], what: str, boxes: Sequence[Any]) -> Iterator[tuple[str, Any, Any]]:
    """Pairs whose boxes meet, each with its names: `parts "a" and "b"`, numbered where a name stands twice."""
    names = [body.name for body, _ in group]
    names = [f'"{name}"' if names.count(name) == 1 else f'"{name}" (no. {k})' for k, name in enumerate(names, 1)]
    for i, j in combinations(range(len(group)), 2):
        if _meet(boxes[i], boxes[j]):
            yield f"{what} {names[i]} and {names[j]}", group[i], group[j]


def _too_large(hole: Body, size: float, room: float) -> Problem:
    sentence = f'hole "{hole.name}" ({size:.3g} m^3) is larger than what it is taken from ({room:.3g} m^3)'
    return Problem(sentence, hole.name)


def _by_boxes(shapes: list[tuple[int, Body, Any]]) -> Iterator[Problem | str]:
    """What axis-parallel boxes around the parts show; shapes are (low corner, high corner, volume)."""
    solid = [(part, shape) for sign, part, shape in shapes if sign > 0 and shape is not None]
    holes = [(part, shape) for sign, part, shape in shapes if sign < 0 and shape is not None]
    for group, what in ((solid, "parts"), (holes, "holes")):
        for both, _, _ in _meeting(group, what, [shape for _, shape in group]):
            yield f"whether {both} overlap (for that: {install(EXTRA)})"
    room = sum(shape[2] for _, shape in solid)
    for part, shape in holes:
        if solid and not any(_meet(shape, other) for _, other in solid):
            sentence = f'hole "{part.name}" lies outside of its body; move it to where there is something to take away'
            yield Problem(sentence, part.name)
        elif solid and shape[2] > room * (1 + 1e-9):
            yield _too_large(part, shape[2], room)
        else:
            yield f'whether hole "{part.name}" lies inside of its body (for that: {install(EXTRA)})'


def _box(shape: Any) -> tuple[Array, Array, float]:
    """The corners of the box around a Manifold, and its volume."""
    corners = np.array(shape.bounding_box(), dtype=np.float64)
    return corners[:3], corners[3:], float(shape.volume())


def _meet(a: tuple[Array, Array, float], b: tuple[Array, Array, float]) -> bool:
    gap = 1e-9 * max(float(np.max(np.abs(box))) for box in (*a[:2], *b[:2]))
    return bool(np.all(a[0] < b[1] - gap) and np.all(b[0] < a[1] - gap))


def _shape(body: Body, kit: Any) -> Any:
    """The room that a body fills, holes taken away: a Manifold, or a box and a volume; None for no room."""
    room: Any = None
    for sign, leaf, placement in body.leaves():
        one = _leaf(leaf, placement, kit)
        if one is None:
            continue
        if room is None:
            room = one if sign > 0 else None
        elif kit:
            room = room + one if sign > 0 else room - one
        elif sign > 0:
            room = (np.minimum(room[0], one[0]), np.maximum(room[1], one[1]), room[2] + one[2])
        else:
            room = (*room[:2], room[2] - one[2])
    return room


def _leaf(leaf: Body, placement: Placement, kit: Any) -> Any:
    content = leaf.content
    turn, offset = placement.evaluate(Floats({}))
    R, p = np.array([list(row) for row in turn]), np.array([*offset])
    if isinstance(content, Mesh):
        if kit:
            vertices = np.asarray(content.vertices @ R.T + p, dtype=np.float64)
            mesh = kit.Manifold(kit.Mesh64(vertices, content.faces.astype(np.uint64)))
            return mesh if mesh.volume() > 0 else None
        points = content.vertices @ R.T + p
        return points.min(axis=0), points.max(axis=0), content.volume
    if not isinstance(content, Solid) or content.volume is None:
        return None
    sizes = {name: evaluate(value, Floats({})) for name, value in content.sizes}
    if kit:
        shape = _manifold(content.shape, sizes, kit)
        order = {"z": [0, 1, 2], "x": [2, 0, 1], "y": [1, 2, 0]}[content.axis]
        return shape.transform(np.hstack([R @ np.eye(3)[order], p[:, None]]))
    half, middle = _half_sides(content.shape, sizes, content.axis)
    reach = np.abs(R) @ half
    centre = R @ middle + p
    return centre - reach, centre + reach, evaluate(content.volume, Floats({}))


def _manifold(shape: str, v: dict[str, float], kit: Any) -> Any:
    """The solid about z as a mesh; spheres and cylinders with corners a little outside, of the same volume."""
    m = kit.Manifold
    # A regular polygon of the circle's area.
    round_up = sqrt(2 * pi / CIRCLE_SEGMENTS / np.sin(2 * pi / CIRCLE_SEGMENTS))
    match shape:
        case "box":
            return m.cube([v["a"], v["b"], v["c"]], True)
        case "cylinder":
            return m.cylinder(v["h"], v["r"] * round_up, -1.0, CIRCLE_SEGMENTS, True)
        case "hollow-cylinder":
            outer, inner = (m.cylinder(v["h"], v[k] * round_up, -1.0, CIRCLE_SEGMENTS, True) for k in "rs")
            return outer - inner
        case "sphere":
            return m.sphere(v["r"], CIRCLE_SEGMENTS)
        case "hollow-sphere":
            return m.sphere(v["r"], CIRCLE_SEGMENTS) - m.sphere(v["s"], CIRCLE_SEGMENTS)
        case "capsule":
            ball = m.sphere(v["r"], CIRCLE_SEGMENTS)
            ends = ball.translate([0, 0, v["h"] / 2]) + ball.translate([0, 0, -v["h"] / 2])
            return ends if v["h"] == 0 else ends + m.cylinder(v["h"], v["r"] * round_up, -1.0, CIRCLE_SEGMENTS, True)
        case "cone":
            return m.cylinder(v["h"], v["r"] * round_up, 0.0, CIRCLE_SEGMENTS, False)
        case "ellipsoid":
            return m.sphere(1.0, CIRCLE_SEGMENTS).scale([v["a"], v["b"], v["c"]])
        case _:
            points = np.array([[v[f"{p}{axis}"] for axis in "xyz"] for p in "pqst"])
            return m.hull_points(points)


def _half_sides(shape: str, v: dict[str, float], axis: str) -> tuple[Array, Array]:
    """Half the sides of the box around a solid, and its middle."""
    if shape == "tetrahedron":
        points = np.array([[v[f"{p}{axis}"] for axis in "xyz"] for p in "pqst"])
        return np.ptp(points, axis=0) / 2, (points.max(axis=0) + points.min(axis=0)) / 2
    r, h = v.get("r", 0.0), v.get("h", 0.0)
    half = {
        "box": [v.get("a", 0) / 2, v.get("b", 0) / 2, v.get("c", 0) / 2],
        "ellipsoid": [v.get("a", 0), v.get("b", 0), v.get("c", 0)],
        "sphere": [r, r, r],
        "hollow-sphere": [r, r, r],
        "capsule": [r, r, r + h / 2],
    }.get(shape, [r, r, h / 2])
    middle = [0.0, 0.0, h / 2 if shape == "cone" else 0.0]
    order = {"z": [0, 1, 2], "x": [2, 0, 1], "y": [1, 2, 0]}[axis]
    return np.array(half)[order], np.array(middle)[order]
