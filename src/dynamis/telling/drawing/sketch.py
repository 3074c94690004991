"""The sheet that a drawing is made on: points of space become points of the page, marks keep their depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import atan2, hypot
from typing import Literal, get_args

import numpy as np

from dynamis.base.arrays import Array
from dynamis.telling.pictures.labels import Wish, place
from dynamis.telling.pictures.picture import Circle, Mark, Path, Picture, Point, Role, arrow_head, picture
from dynamis.telling.pictures.text import Sign, Text

Level = Literal["ground", "line", "link", "motion", "joint", "CoM", "frame", "force"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""What is drawn over what: the ground first, forces last; on one level, what is near hides what is far."""
END_ON = 0.2
"""A vector of which less than this share is seen on the page is drawn as a dot or a cross."""


@dataclass
class Sketch:
    """Marks and labels of one drawing; `page` has the directions to the right, up and to the reader as its rows."""

    page: Array
    scale: float
    """Points of the page for one metre."""
    flat: bool
    names: Mapping[Sign, Sign] = field(default_factory=dict[Sign, Sign])
    """Symbols of labels that a notation writes otherwise."""
    layers: list[tuple[int, float, list[Mark]]] = field(default_factory=list[tuple[int, float, list[Mark]]])
    wishes: list[Wish] = field(default_factory=list[Wish])

    def at(self, point: Array) -> Point:
        """A point of space on the page [pt]."""
        x, y = self.scale * (self.page[:2] @ point)
        return float(x), float(y)

    def along(self, direction: Array) -> Point:
        """A unit vector of space as a direction on the page, foreshortened."""
        x, y = self.page[:2] @ direction
        return float(x), float(y)

    def shifted(self, point: Array, direction: Array, by: float) -> Array:
        """A point of space, `by` points of the page away along a direction."""
        return point + direction * (by / self.scale)

    def add(self, level: Level, at: Array | None, *marks: Mark) -> None:
        """Marks of a level, at a point of space that says how near they are."""
        self.layers.append((LEVELS.index(level), 0.0 if at is None else self._depth(at), list(marks)))

    def label(
        self, text: Text, at: Point, role: Role, direction: Point | None = None, gap: float = 3.0, rank: int = 1
    ) -> None:
        """A label near a point of the page."""
        text = tuple(part if isinstance(part, str) else self.names.get(part, part) for part in text)
        self.wishes.append(Wish(text, at, role, direction, gap, rank))

    def ring(self, centre: Array, axis: Array, radius: float, start: float, end: float, count: int = 24) -> list[Array]:
        """Points of space on an arc about an axis, right-handed; angle 0 is towards the reader, the radius is in pt."""
        ahead = self.page[2] - axis * (axis @ self.page[2])
        if np.linalg.norm(ahead) < 1e-3:
            ahead = self.page[0] - axis * (axis @ self.page[0])
        ahead /= np.linalg.norm(ahead)
        aside = np.cross(axis, ahead)
        angles = np.linspace(start, end, count)
        return [self.shifted(centre, np.cos(a) * ahead + np.sin(a) * aside, radius) for a in angles]

    def turn_arrow(self, points: Sequence[Array], role: Role) -> list[Mark]:
        """An arrow along points of space."""
        return curved_arrow([self.at(point) for point in points], role)

    def _depth(self, point: Array) -> float:
        """How near to the reader a point is, in hundredths of a point; those of a flat robot are equally near."""
        return 0.0 if self.flat else round(float(self.scale * (self.page[2] @ point)), 2)

    def picture(self, title: str) -> Picture:
        """All marks in the order of their levels, the far ones first, and the labels over them."""
        layers = sorted(self.layers, key=lambda layer: layer[:2])
        marks = [mark for _, _, layer in layers for mark in layer]
        return picture(title, [*marks, *place(self.wishes, marks)])


def curved_arrow(points: Sequence[Point], role: Role, head: float = 5.0) -> list[Mark]:
    """An arrow along points of the page; its line ends inside of its head."""
    end = points[-1]
    back = next((p for p in reversed(points) if hypot(p[0] - end[0], p[1] - end[1]) >= 0.7 * head), points[0])
    angle = atan2(end[1] - back[1], end[0] - back[0])
    kept = [p for p in points if hypot(p[0] - end[0], p[1] - end[1]) >= 0.7 * head]
    return [Path((*kept, back) if kept else (points[0], end), role), arrow_head(end, angle, role, head)]


def end_on(at: Point, towards: bool, role: Role, radius: float = 4.0) -> list[Mark]:
    """A vector seen from its end: a dot in a circle comes towards the reader, a cross goes away."""
    x, y = at
    if towards:
        return [Circle(at, radius, role), Circle(at, 0.35 * radius, role, "ink")]
    d = 0.7 * radius
    strokes = (((x - d, y - d), (x + d, y + d)), ((x - d, y + d), (x + d, y - d)))
    return [Circle(at, radius, role), *(Path(stroke, role) for stroke in strokes)]


def hull(points: Sequence[Point]) -> tuple[Point, ...]:
    """The convex hull, counter-clockwise (A. M. Andrew, 1979).

    >>> hull([(0, 0), (2, 0), (1, 1), (2, 2), (0, 2)])
    ((0, 0), (2, 0), (2, 2), (0, 2))
    """

    def half(row: list[Point]) -> list[Point]:
        chain: list[Point] = []
        for p in row:
            while len(chain) > 1 and _left_turn(chain[-2], chain[-1], p) <= 1e-9:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    row = sorted(set(points))
    return (*half(row), *half(row[::-1])) if len(row) > 2 else tuple(row)


def _left_turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
