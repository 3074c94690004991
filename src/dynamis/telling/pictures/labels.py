"""Where labels stand: beside what they name, clear of each other and, where there is room, of the lines.

Candidates stand around the point in 16 directions and in growing distances; the cheapest of those that touch no other
label is taken, one label after the other, the important ones first (Christensen, Marks and Shieber, 1995). Then each
label is placed again among all the others, since those that came later may have left it a better place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, pi
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.telling.pictures.picture import Circle, Label, Mark, Path, Point, Role
from dynamis.telling.pictures.text import Text, size

LABEL_DIRECTIONS = 16
RING_STEP = 4.0
"""From one distance to the next [pt]."""
RING_COUNT = 11
LABEL_GAP = 1.5
"""Between two labels at least [pt]."""
LEADER_DISTANCE = 14.0
"""A label that is farther away than this has a line to its point [pt]."""
PLACEMENT_SWEEPS = 2
"""How often each label is placed; a third time changes little."""
CROSSING_COST, HEAVY_COST, DIRECTION_COST = 14.0, 60.0, 2.5
"""The cost of a line behind a label, of a heavy one, and of a direction against the wanted one, in distances [pt]."""
HEAVY_ROLES = ("link", "rod")


@dataclass(frozen=True)
class Wish:
    """A label for a point, at least `gap` away from it, best in a `direction` [pt]; the lower rank is placed first."""

    text: Text
    at: Point
    role: Role
    direction: Point | None = None
    gap: float = 3.0
    rank: int = 1


def place(wishes: Sequence[Wish], marks: Sequence[Mark]) -> list[Mark]:
    """A label for every wish, none over another one, and lines from those that stand far from their points."""
    lines = _segments([mark for mark in marks if mark.role != "halo"])
    order = sorted(wishes, key=lambda wish: wish.rank)
    placed: dict[int, tuple[Label, Path | None]] = {}
    for _ in range(PLACEMENT_SWEEPS):
        for k, wish in enumerate(order):
            others = [spot for i, spot in placed.items() if i != k]
            leaders = _segments([leader for _, leader in others if leader])
            boxes = np.array([label.box for label, _ in others], dtype=np.float64).reshape(-1, 4)
            label, distance = _best(wish, np.concatenate([lines, leaders]), boxes)
            x, y = map(float, _near(wish.at, np.array([label.box]))[0])
            placed[k] = label, Path((wish.at, (x, y)), "dimension") if distance > LEADER_DISTANCE else None
    return [mark for k in range(len(order)) for mark in placed[k] if mark]


def _best(wish: Wish, lines: Array, boxes: Array) -> tuple[Label, float]:
    width, above, below = size(wish.text)
    start = 0
    while True:
        rings = np.arange(start, start + RING_COUNT)
        angle, ring = (a.ravel() for a in np.meshgrid(2 * pi * np.arange(LABEL_DIRECTIONS) / LABEL_DIRECTIONS, rings))
        ahead = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        reach = (wish.gap + RING_STEP * ring)[:, None] * ahead
        # The box touches the circle about the point from outside.
        middle = np.asarray(wish.at) + reach + ahead * [width / 2, (above + below) / 2]
        low = middle - [width / 2, (above + below) / 2]
        box = np.concatenate([low, low + np.array([width, above + below])], axis=1)
        cost = RING_STEP * ring + _crossings(box, lines)
        if wish.direction is not None and hypot(*wish.direction) > 1e-9:
            cost = cost + DIRECTION_COST * (1 - ahead @ (np.asarray(wish.direction) / hypot(*wish.direction))) * 2
        leaders = np.concatenate([np.broadcast_to(wish.at, low.shape), _near(wish.at, box)], axis=1)
        cost = cost + HEAVY_COST * (wish.gap + RING_STEP * ring > LEADER_DISTANCE) * _hits(boxes, leaders).sum(axis=0)
        free = ~_overlaps(box, boxes)
        if free.any():
            k = int(np.argmin(np.round(np.where(free, cost, np.inf), 6)))
            at = float(middle[k, 0]), float(low[k, 1] + below)
            return Label(wish.text, at, wish.role), wish.gap + RING_STEP * float(ring[k])
        start += RING_COUNT


def _overlaps(box: Array, boxes: Array) -> Any:
    """Whether each candidate comes nearer than GAP to a label that stands already."""
    a, b = box[:, None], boxes[None]
    apart = (a[..., 0] > b[..., 2] + LABEL_GAP) | (b[..., 0] > a[..., 2] + LABEL_GAP)
    apart |= (a[..., 1] > b[..., 3] + LABEL_GAP) | (b[..., 1] > a[..., 3] + LABEL_GAP)
    return (~apart).any(axis=1)


def _near(point: Point, box: Array) -> Array:
    """The point of each box that is nearest to a point: (boxes, 2)."""
    return np.clip(np.asarray(point), box[:, :2], box[:, 2:])


def _crossings(box: Array, lines: Array) -> Array:
    """The cost of the lines that run through each candidate."""
    low, high = box[:, :2].min(axis=0) - 1, box[:, 2:].max(axis=0) + 1
    ends = np.sort(lines[:, :4].reshape(-1, 2, 2), axis=1)
    lines = lines[((ends[:, 1] >= low) & (ends[:, 0] <= high)).all(axis=1)]
    return _hits(box, lines) @ lines[:, 4]


def _hits(box: Array, lines: Array) -> Any:
    """Whether a line runs through a box: (boxes, lines) (Liang and Barsky, 1984)."""
    enter, leave = np.zeros((len(box), len(lines))), np.ones((len(box), len(lines)))
    for k in (0, 1):
        along = lines[:, k + 2] - lines[:, k]
        along = np.where(np.abs(along) < 1e-12, 1e-12, along)
        a, b = ((box[:, None, k + side] + move - lines[:, k]) / along for side, move in ((0, -1.0), (2, 1.0)))
        enter, leave = np.maximum(enter, np.minimum(a, b)), np.minimum(leave, np.maximum(a, b))
    return enter <= leave


def _segments(marks: Sequence[Mark]) -> Array:
    rows: list[tuple[float, ...]] = []
    for mark in marks:
        if isinstance(mark, Circle):
            (x, y), r = mark.centre, mark.radius
            rows += [(x - r, y, x + r, y, CROSSING_COST), (x, y - r, x, y + r, CROSSING_COST)]
        elif isinstance(mark, Path):
            ends = (*mark.points, mark.points[0]) if mark.closed else mark.points
            cost = HEAVY_COST if mark.role in HEAVY_ROLES else CROSSING_COST
            rows += [(*a, *b, cost) for a, b in pairwise(ends)]
    return np.array(rows, dtype=np.float64).reshape(-1, 5)
