"""Where joint symbols stand: a joint may be drawn anywhere on its axis, so that joints in one point are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from math import dist

import numpy as np

from dynamis.base.arrays import Array
from dynamis.telling.drawing.scheme import Limb, Scheme
from dynamis.telling.drawing.sketch import Sketch
from dynamis.telling.drawing.symbols import DRUM_HALF_HEIGHT, PIN_RADIUS, SLEEVE_HALF_LENGTH

TOUCHING_DISTANCE = 15.0
"""Symbols nearer to each other than this touch each other [pt]."""
HIDING_DISTANCE = 11.0
"""Symbols nearer to each other than this on the page hide each other [pt]."""
MAX_CLUSTER_JOINTS = 5
"""Joints in one point that are moved apart together; with more, 3^n arrangements would take too long."""


def symbol_places(sketch: Sketch, scheme: Scheme) -> dict[int, Array]:
    """The point of the symbol of every moving joint, by the number of its link."""
    places: dict[int, Array] = {}
    # In an axonometric view the plate of the ground takes the room at the base.
    fixed = [] if sketch.flat else [np.zeros(3)]
    for cluster in _clusters(sketch, [limb for limb in scheme.limbs if limb.link.joint.moves]):
        for part in (cluster[k : k + MAX_CLUSTER_JOINTS] for k in range(0, len(cluster), MAX_CLUSTER_JOINTS)):
            options = [_options(sketch, limb) for limb in part]
            legs = [[*link_lines(scheme, limb), *((leg.start, leg.end) for leg in limb.way)] for limb in part]
            best = min(
                product(*options),
                key=lambda chosen: round(
                    _cost(sketch, [p for p, _ in chosen], [by for _, by in chosen], legs, fixed), 6
                ),
            )
            places |= {limb.number: point for limb, (point, _) in zip(part, best, strict=True)}
            fixed += [point for point, _ in best]
    return places


def _clusters(sketch: Sketch, limbs: Sequence[Limb]) -> list[list[Limb]]:
    """Joints whose symbols would hide each other."""
    clusters: list[list[Limb]] = []
    for limb in limbs:
        near = [
            any(_apart(sketch, limb.start, other.start) < TOUCHING_DISTANCE for other in cluster)
            for cluster in clusters
        ]
        joined = [other for cluster, joins in zip(clusters, near, strict=True) if joins for other in cluster]
        clusters = [cluster for cluster, joins in zip(clusters, near, strict=True) if not joins]
        clusters.append([*joined, limb])
    return clusters


def _options(sketch: Sketch, limb: Limb) -> list[tuple[Array, float]]:
    """The places on the axis of a joint, and how far each is from the joint point, in steps."""
    if sketch.flat and limb.link.joint.revolute:
        return [(limb.point, 0.0)]
    step = (
        2 * DRUM_HALF_HEIGHT + 9
        if limb.link.joint.revolute
        else SLEEVE_HALF_LENGTH + (PIN_RADIUS + 3 if sketch.flat else DRUM_HALF_HEIGHT + 3)
    )
    return [(sketch.shifted(limb.start, limb.axis, by * step), abs(by)) for by in (0.0, 1.0, -1.0)]


def link_lines(scheme: Scheme, limb: Limb) -> list[tuple[Array, Array]]:
    """The lines of a link in space: from its joint to its frame, to joints of children, to loops, to the tool."""
    legs = [*limb.body, *(leg for child in scheme.children(limb.number) for leg in child.way)]
    legs += scheme.tool if scheme.tool_number == limb.number else ()
    loops = [(limb.point, point) for point in scheme.closings(limb.number)]
    return [(limb.start, limb.point), *((leg.start, leg.end) for leg in legs), *loops]


def _cost(
    sketch: Sketch, points: Sequence[Array], steps: Sequence[float], legs: Sequence[Sequence[tuple[Array, Array]]],
    fixed: Sequence[Array],
) -> float:  # fmt: skip
    both = [*combinations(points, 2), *product(points, fixed)]
    hidden = sum(_apart(sketch, a, b) < TOUCHING_DISTANCE for a, b in both)
    behind = sum(dist(sketch.at(a), sketch.at(b)) < HIDING_DISTANCE for a, b in both)
    pairs = list(zip(points, legs, strict=True))
    stubs = sum(min(distance(p, *leg) for leg in own) * sketch.scale > 1.0 for p, own in pairs)
    inside = sum(
        any(distance(p, *leg) * sketch.scale <= 1.0 and _clear(sketch, p, *leg) for leg in own) for p, own in pairs
    )
    return 100.0 * hidden + 2.0 * behind + sum(steps) + 1.5 * stubs - 1.2 * inside


def _clear(sketch: Sketch, point: Array, start: Array, end: Array) -> bool:
    """Whether a symbol at a point of a line leaves both of its ends free."""
    return min(_apart(sketch, point, start), _apart(sketch, point, end)) > DRUM_HALF_HEIGHT + 4


def _apart(sketch: Sketch, a: Array, b: Array) -> float:
    return float(np.linalg.norm(a - b)) * sketch.scale


def distance(point: Array, start: Array, end: Array) -> float:
    """From a point to the line between two points [m]."""
    return float(np.linalg.norm(point - nearest(point, start, end)))


def nearest(point: Array, start: Array, end: Array) -> Array:
    """The point of the line between two points that is nearest to a point."""
    along = end - start
    length = float(along @ along)
    share = 0.0 if length == 0 else min(max(float((point - start) @ along) / length, 0.0), 1.0)
    return start + share * along
