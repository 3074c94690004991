"""The symbols of mechanisms: revolute and prismatic joints, the ground, the tool, the centre of mass."""

from __future__ import annotations

from itertools import pairwise
from math import cos, hypot, pi, sin

import numpy as np

from dynamis.base.arrays import Array
from dynamis.telling.drawing.sketch import END_ON, Sketch, end_on, hull
from dynamis.telling.pictures.picture import Circle, Mark, Path, Point, arrow

PIN_RADIUS = 5.0
"""Radius of a revolute joint seen along its axis [pt]."""
DRUM_RADIUS, DRUM_HALF_HEIGHT = 5.0, 8.0
"""Radius and half the height of a revolute joint in an axonometric view [pt]."""
SLEEVE_HALF_LENGTH, SLEEVE_HALF_WIDTH = 11.0, 6.0
"""Half the length and half the width of the sleeve of a prismatic joint [pt]."""
ARROW_HALF_ANGLE = 0.72 * pi
"""The arrow about a revolute axis goes from minus to plus this angle, its gap is behind."""


def revolute(sketch: Sketch, at: Array, axis: Array) -> None:
    """A circle in a flat drawing; a drum on its axis in an axonometric one."""
    if sketch.flat:
        sketch.add("joint", at, Circle(sketch.at(at), PIN_RADIUS, "joint"))
        return
    rings = [
        sketch.ring(sketch.shifted(at, axis, by), axis, DRUM_RADIUS, 0, 2 * pi, 33)
        for by in (-DRUM_HALF_HEIGHT, DRUM_HALF_HEIGHT)
    ]
    seen = [tuple(sketch.at(point) for point in ring) for ring in rings]
    near = seen[1] if axis @ sketch.page[2] > 0 else seen[0]
    tail, tip = (sketch.at(sketch.shifted(at, axis, by)) for by in (-DRUM_HALF_HEIGHT - 9, DRUM_HALF_HEIGHT + 12))
    sketch.add("line", at, Path((tail, tip), "construction"))
    sketch.add("joint", at, Path(hull([*seen[0], *seen[1]]), "joint", True, "paper"), Path(near, "joint", True, "tint"))


def turn(sketch: Sketch, at: Array, axis: Array) -> Point:
    """The arrow of a positive rotation about the axis of a drum; the point of the page for its label."""
    centre = sketch.shifted(at, axis, DRUM_HALF_HEIGHT + 5)
    arc = sketch.ring(centre, axis, DRUM_RADIUS + 4, -ARROW_HALF_ANGLE, ARROW_HALF_ANGLE, 25)
    sketch.add("joint", at, *sketch.turn_arrow(arc, "motion"))
    return sketch.at(arc[12])


def prismatic(sketch: Sketch, at: Array, axis: Array) -> None:
    """A sleeve along the axis: a rectangle in a flat drawing, a box in an axonometric one."""
    if sketch.flat:
        x, y = sketch.at(at)
        ax, ay = sketch.along(axis)
        corners = [
            (SLEEVE_HALF_LENGTH, SLEEVE_HALF_WIDTH),
            (-SLEEVE_HALF_LENGTH, SLEEVE_HALF_WIDTH),
            (-SLEEVE_HALF_LENGTH, -SLEEVE_HALF_WIDTH),
            (SLEEVE_HALF_LENGTH, -SLEEVE_HALF_WIDTH),
        ]
        box = tuple((x + u * ax - v * ay, y + u * ay + v * ax) for u, v in corners)
        sketch.add("joint", at, Path(box, "joint", True, "paper"))
        return
    aside, beside = across(axis)
    signs = (1.0, -1.0)
    corner = {
        (i, j, k): sketch.at(
            at + (i * SLEEVE_HALF_LENGTH * axis + j * SLEEVE_HALF_WIDTH * aside + k * SLEEVE_HALF_WIDTH * beside)
            / sketch.scale
        )
        for i in signs for j in signs for k in signs
    }  # fmt: skip
    faces: list[Mark] = []
    around = ((1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0))
    for number, normal in enumerate((axis, aside, beside)):
        sign = 1.0 if normal @ sketch.page[2] > 0 else -1.0
        square = [(sign, a, b) if number == 0 else (a, sign, b) if number == 1 else (a, b, sign) for a, b in around]
        faces.append(Path(tuple(corner[key] for key in square), "joint", True, "tint" if number == 0 else "paper"))
    sketch.add("joint", at, *faces)


def across(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors across an axis and each other."""
    first: Array = np.eye(3)[int(np.argmin(np.abs(axis)))]
    aside: Array = first - axis * float(axis @ first)
    aside /= np.linalg.norm(aside)
    beside: Array = np.cross(axis, aside)
    return aside, beside


def centre_of_mass(sketch: Sketch, at: Array, radius: float = 3.6) -> Point:
    """A disc with two black quarters."""
    x, y = sketch.at(at)
    marks: list[Mark] = [Circle((x, y), radius, "CoM")]
    for start in (0.0, pi):
        arc = [(x + radius * cos(start + a), y + radius * sin(start + a)) for a in np.linspace(0, pi / 2, 7)]
        marks.append(Path(((x, y), *arc), "CoM", True, "ink", stroke=False))
    sketch.add("CoM", at, *marks)
    return x, y


def pin_support(sketch: Sketch, at: Array) -> None:
    """The triangle under a revolute joint on the ground, in a flat drawing."""
    x, y = sketch.at(at)
    sketch.add("ground", at, Path(((x, y), (x - 9, y - 15), (x + 9, y - 15)), "joint", True, "paper"))
    sketch.add("ground", at, *hatched_line((x - 16, y - 15), (x + 16, y - 15), (0.0, -1.0)))


def wall(sketch: Sketch, at: Array, normal: Array) -> None:
    """The ground as a hatched line in a flat drawing, as a hatched plate in an axonometric one; `normal` leaves it."""
    if sketch.flat:
        x, y = sketch.at(at)
        nx, ny = sketch.along(normal)
        sketch.add("ground", at, *hatched_line((x + 16 * ny, y - 16 * nx), (x - 16 * ny, y + 16 * nx), (-nx, -ny)))
        return
    aside, beside = across(normal)
    corners = [sketch.at(sketch.shifted(sketch.shifted(at, aside, 17 * i), beside, 17 * j)) for i, j in _CORNER_SIGNS]
    marks: list[Mark] = [Path(tuple(corners), "ground", True, "tint")]
    # The hatches hang on the edges that look down.
    middle = sum(y for _, y in corners) / 4
    for a, b in pairwise([*corners, corners[0]]):
        if (a[1] + b[1]) / 2 < middle - 0.5:
            marks += hatched_line(a, b, (0.0, -1.0), line=False)
    sketch.add("ground", at, *marks)


_CORNER_SIGNS = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def hatched_line(start: Point, end: Point, away: Point, line: bool = True) -> list[Mark]:
    """A line with hatches on the side `away`."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    marks: list[Mark] = [Path((start, end), "ground")] if line else []
    if length < 1:
        return marks
    u = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    count = max(2, round(length / 4.5))
    for k in range(count):
        x, y = (start[i] + (k + 0.9) / count * length * u[i] for i in (0, 1))
        marks.append(Path(((x, y), (x - 4 * u[0] + 4 * away[0], y - 4 * u[1] + 4 * away[1])), "ground"))
    return marks


def tool(sketch: Sketch, at: Array, direction: Array) -> None:
    """A gripper that opens in a direction; a dot where that goes towards the reader."""
    x, y = sketch.at(at)
    dx, dy = sketch.along(direction)
    length = hypot(dx, dy)
    if length < 0.25:
        sketch.add("link", at, Circle((x, y), 2.6, "link", "ink"))
        return
    dx, dy = dx / length, dy / length
    corners = [(9, 6), (1, 6), (1, -6), (9, -6)]
    fork = tuple((x + u * dx - v * dy, y + u * dy + v * dx) for u, v in corners)
    sketch.add("link", at, Path(fork, "rod"))


def gravity(at: Point, direction: Point, towards: bool) -> list[Mark]:
    """The arrow of gravity on the page, or its end seen along it."""
    if hypot(*direction) < END_ON:
        return end_on(at, towards, "gravity")
    x, y = at
    return arrow((x, y), (x + 30 * direction[0], y + 30 * direction[1]), "gravity")
