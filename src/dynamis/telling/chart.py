"""What a figure shows, as data: panels with lines, areas, levels, bars, marks, points and heat maps. `figure` draws it.

A `look` is a number, the k-th colour and dashes of the house style, or one of the roles in LOOKS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.base.printable import in_a_line

MAX_POINTS = 4000
"""A line is drawn with no more points than this: more than the dots of a page."""
TIME = "time [s]"
"""The label of an axis; it stands under the lowest panel of every column only."""
MAX_SHARED_JOINTS = 3
"""Up to so many joints share a panel; more have their own."""

Look = int | Literal[
    "total", "solid", "thick", "thin", "second", "goal", "goal of one", "limit", "rms", "faint", "many", "dots",
    "envelope", "start", "end", "target", "axis", "kept", "truth",
]  # fmt: skip


@dataclass(frozen=True)
class Line:
    """y over x; `steps` where a value holds until the next one, `dotted` with a mark at every value.

    `straight` keeps the colour of a numbered look without its dashes.
    """

    x: ArrayLike
    y: ArrayLike
    label: str = ""
    look: Look = 0
    steps: bool = False
    dotted: bool = False
    straight: bool = False
    colour: int | None = None


@dataclass(frozen=True)
class Area:
    """Between y and zero, by its sign."""

    x: ArrayLike
    y: ArrayLike
    above: str
    below: str


@dataclass(frozen=True)
class Level:
    """A value over the whole width of a panel, or, if `upright`, over its height."""

    value: float
    label: str = ""
    look: Look = "limit"
    upright: bool = False
    colour: int | None = None


@dataclass(frozen=True)
class Marks:
    """Short or tall marks at instants."""

    times: tuple[float, ...]
    label: str
    tall: bool = True


@dataclass(frozen=True)
class Bars:
    """Shares of 1 of every row, stacked to both sides of zero; one (name, values) per part.

    Parts from `coloured` on are grey.
    """

    rows: tuple[str, ...]
    parts: tuple[tuple[str, NDArray[np.float64]], ...]
    coloured: int


@dataclass(frozen=True)
class HeatMap:
    """The colours of equal cells, `values` (rows, columns) from the lowest y on; NaN stays white."""

    values: NDArray[np.float64]
    x: tuple[float, float]
    """From the left edge of the first column to the right edge of the last."""
    y: tuple[float, float]
    unit: str = ""
    range: tuple[float, float] | None = None
    """Of the colours, where several panels share it."""
    names: tuple[str, ...] = ()
    """Where the values are numbers of names, from 1 on: a colour per name."""
    alike: bool = False
    """Whether both axes have one scale, as lengths do."""


@dataclass(frozen=True)
class Points:
    """Points in colours of their values, the first behind the others."""

    x: ArrayLike
    y: ArrayLike
    values: ArrayLike
    unit: str = ""
    range: tuple[float, float] | None = None
    """Of the colours."""


Mark = Line | Area | Level | Marks | Bars | HeatMap | Points


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    marks: tuple[Mark, ...] = ()
    title: str = ""
    x: str = ""
    """The label of the axis."""
    y: str = ""
    side: Literal["left", "center", "right"] = "center"
    """Where the title stands."""
    low: float | None = None
    high: float | None = None
    left: float | None = None
    margin: float | None = None
    logarithmic: bool = False
    whole_numbers: bool = False
    """Whether x is labelled with whole numbers only."""
    note: str = ""
    """In the middle of a panel that has nothing else to show."""
    empty: bool = False
    """A place without axes."""


@dataclass(frozen=True)
class Chart:
    """Panels in columns under a title, and one legend for all of them, or one beside each."""

    panels: tuple[Panel, ...]
    columns: int = 1
    height: float = 1.9
    """The height of a panel [in]."""
    narrow: bool = False
    title: str = ""
    order: tuple[str, ...] = ()
    """The order of the legend, where it is not that of the panels."""
    legend_columns: int = 8
    heights: tuple[float, ...] = ()
    """The heights of the rows, as ratios."""
    share_x: bool = False
    share_y: bool = False
    legends: Literal["below", "beside"] = "below"


def some(count: int) -> Any:
    """Which of `count` samples are drawn."""
    return slice(None) if count <= MAX_POINTS else np.unique(np.linspace(0, count - 1, MAX_POINTS).astype(int))


def columns_of(count: int) -> int:
    """Three or four columns of panels, whichever leaves fewer places empty."""
    return min(3, 4, key=lambda columns: -count % columns)


def joint_name(joints: Sequence[str], j: int, most: int = 18) -> str:
    """`joint 2`, with its own name if that says more, of at most so many characters."""
    name = joints[j]
    usual = name in (f"q{j + 1}", f"joint{j + 1}", f"joint {j + 1}")
    return f"joint {j + 1}" if usual else f"joint {j + 1}: {shorten_label(name, most)}"


def joint_names(joints: Sequence[str], columns: int = 1) -> list[str]:
    """The names of all joints, short enough for the titles of panels in so many columns."""
    return [joint_name(joints, j, 18 if columns <= 3 else 11) for j in range(len(joints))]


def shorten_label(text: str, most: int = 24) -> str:
    """A name from outside in one line, of at most so many characters.

    >>> shorten_label("shoulder_pan_joint_of_the_left_arm")
    'shoulder_pan…he_left_arm'
    """
    shown = in_a_line(text)
    if len(shown) <= most:
        return shown
    # The end stays: it is what the names of many joints differ in.
    return f"{shown[: most // 2]}…{shown[len(shown) - (most - 1) // 2 :]}"
