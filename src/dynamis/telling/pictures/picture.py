"""A picture as data: paths, circles and labels in points (1/72 in), y upwards, each with what it means.

What a mark means decides how it looks (LOOKS). Arrow heads, hatches and ellipses are paths too, so that a format only
has to write three kinds of marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, sin
from typing import Literal

from dynamis.telling.figure import INK
from dynamis.telling.pictures.text import Text, size

Point = tuple[float, float]
Role = Literal[
    "link", "rod", "halo", "joint", "ground", "x", "y", "z", "CoM", "gravity", "load", "reaction", "next reaction",
    "inertia", "motion", "dimension", "construction", "body", "name",
]  # fmt: skip
Fill = Literal["none", "paper", "tint", "ink"]
PAPER, STEEL = "#FFFFFF", "#444444"
BLUE, ORANGE, GREEN, PINK = "#0072B2", "#BF5300", "#007F5C", "#A8507F"
"""The hues of charts, dark enough for the letters of labels: 4.5 to 1 on paper at least."""
PICTURE_MARGIN = 6.0
"""Around a picture [pt]."""


@dataclass(frozen=True)
class Look:
    """Colour, width of the line [pt], lengths of dashes and gaps [pt]."""

    colour: str
    width: float = 0.8
    dashes: tuple[float, ...] = ()


LOOKS: dict[Role, Look] = {
    "link": Look(STEEL, 3.0), "rod": Look(STEEL, 1.8), "halo": Look(PAPER, 5.4), "joint": Look(INK, 0.9),
    "ground": Look(INK, 0.8), "x": Look(ORANGE), "y": Look(GREEN), "z": Look(BLUE), "CoM": Look(INK),
    "gravity": Look(BLUE, 1.2), "load": Look(ORANGE, 1.4), "reaction": Look(GREEN, 1.4),
    "next reaction": Look(PINK, 1.4), "inertia": Look("#A06A00", 1.4), "motion": Look(INK, 0.7),
    "dimension": Look(INK, 0.5), "construction": Look("#707070", 0.5, (5, 2, 1, 2)), "body": Look(STEEL, 1.0),
    "name": Look(INK),
}  # fmt: skip
"""How the marks of each meaning look."""
TINT = "#E8EDF2"


@dataclass(frozen=True)
class Path:
    """Straight lines from point to point; a closed one is filled with paper, a tint or the colour of its role."""

    points: tuple[Point, ...]
    role: Role
    closed: bool = False
    fill: Fill = "none"
    stroke: bool = True


@dataclass(frozen=True)
class Circle:
    """A circle about its centre."""

    centre: Point
    radius: float
    role: Role
    fill: Fill = "paper"


@dataclass(frozen=True)
class Label:
    """Text whose baseline has its middle at a point."""

    text: Text
    at: Point
    role: Role

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right and top of the text."""
        width, above, below = size(self.text)
        x, y = self.at
        return x - width / 2, y - below, x + width / 2, y + above


Mark = Path | Circle | Label


@dataclass(frozen=True)
class Picture:
    """Marks in the order in which they are drawn, inside of a page of this size [pt]; `title` says what it shows."""

    title: str
    width: float
    height: float
    marks: tuple[Mark, ...]

    @property
    def labels(self) -> tuple[Label, ...]:
        """The texts of the picture."""
        return tuple(mark for mark in self.marks if isinstance(mark, Label))

    def paths(self, role: Role) -> tuple[Path, ...]:
        """The paths of one meaning."""
        return tuple(mark for mark in self.marks if isinstance(mark, Path) and mark.role == role)


def picture(title: str, marks: Sequence[Mark]) -> Picture:
    """The marks moved into a page that holds all of them."""
    boxes = [_box(mark) for mark in marks] or [(0.0, 0.0, 0.0, 0.0)]
    left, bottom = (min(box[k] for box in boxes) - PICTURE_MARGIN for k in (0, 1))
    right, top = (max(box[k] for box in boxes) + PICTURE_MARGIN for k in (2, 3))
    moved = tuple(_shift_mark(mark, -left, -bottom) for mark in marks)
    return Picture(title, round(right - left, 2), round(top - bottom, 2), moved)


def arrow(start: Point, end: Point, role: Role, heads: int = 1, head: float = 6.0) -> list[Mark]:
    """A straight arrow, with two heads for a moment."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    if length < 1e-9:
        return []
    head = min(head, 0.6 * length)
    angle = atan2(end[1] - start[1], end[0] - start[0])
    ends = [(end[0] - k * 0.75 * head * cos(angle), end[1] - k * 0.75 * head * sin(angle)) for k in range(heads)]
    # The line ends inside of its head: the point stays sharp.
    shaft = (end[0] - 0.7 * head * cos(angle), end[1] - 0.7 * head * sin(angle))
    return [Path((start, shaft), role), *(arrow_head(point, angle, role, head) for point in ends)]


def arrow_head(point: Point, angle: float, role: Role, head: float = 6.0) -> Path:
    """The head of an arrow that ends in a point and goes in a direction [rad]."""
    sides = [(point[0] - head * cos(angle + turn), point[1] - head * sin(angle + turn)) for turn in (0.3, -0.3)]
    return Path((point, *sides), role, closed=True, fill="ink", stroke=False)


def _box(mark: Mark) -> tuple[float, float, float, float]:
    if isinstance(mark, Label):
        return mark.box
    if isinstance(mark, Circle):
        (x, y), r = mark.centre, mark.radius
        return x - r, y - r, x + r, y + r
    xs, ys = zip(*mark.points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _shift_mark(mark: Mark, dx: float, dy: float) -> Mark:
    def move(point: Point) -> Point:
        # Hundredths of a point; adding 0.0 turns -0.0 into 0.0.
        return round(float(point[0]) + dx, 2) + 0.0, round(float(point[1]) + dy, 2) + 0.0

    match mark:
        case Label():
            return Label(mark.text, move(mark.at), mark.role)
        case Circle():
            return Circle(move(mark.centre), round(mark.radius, 2), mark.role, mark.fill)
        case Path():
            return Path(tuple(map(move, mark.points)), mark.role, mark.closed, mark.fill, mark.stroke)
