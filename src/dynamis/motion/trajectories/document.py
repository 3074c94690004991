"""A trajectory as a document: the ends and the peaks of every joint, and its motion over time."""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from dynamis.arrays import Array
from dynamis.document.blocks import Column, Document, Figure, Items, Table
from dynamis.document.chart import Chart, Line, Panel
from dynamis.document.figure import TIME
from dynamis.motion.trajectories.trajectory import Motion, Peaks

SAMPLES = 501
"""Instants of a figure and of the columns."""
METHODS = {
    "cubic": "polynomial", "quintic": "polynomial", "septic": "polynomial", "trapezoidal": "trapezoidal",
    "double-S": "double-s", "parabolic blends": "parabolic-blends", "shortest time": "shortest-time",
}  # fmt: skip
"""Words of the kind of a motion, and the methods whose works it follows."""


class _Motion(Protocol):
    """What a document needs of a motion."""

    @property
    def duration(self) -> float: ...

    def at(self, t: ArrayLike) -> Motion: ...

    def peaks(self) -> Peaks: ...

    def sentences(self) -> list[str]: ...


def trajectory_document(motion: _Motion, title: str) -> Document:
    """One row per joint; units are rad or m, as the robot's joints have them."""
    (start, end), peaks = motion.at([0.0, motion.duration])[0], motion.peaks()
    parts = start, end, peaks.lowest, peaks.highest, peaks.velocity, peaks.acceleration
    units = {"peak speed": "rad/s or m/s", "peak acceleration": "rad/s^2 or m/s^2"}
    names = "from", "to", "lowest", "highest", *units
    rows = tuple((k, *map(float, row)) for k, row in enumerate(zip(*parts, strict=True), 1))
    table = Table(("joint", *(Column(name, units.get(name, "rad or m"), ".4g") for name in names)), rows)
    figure = Figure("motion", partial(_chart, motion), caption="Positions, velocities and accelerations of the joints.")
    words = Items((f"{title}, {motion.duration:g} s", *motion.sentences()))
    return Document("", (words, table, figure), columns=partial(_columns, motion), methods=motion_methods(motion))


def motion_methods(motion: Any) -> tuple[str, ...]:
    """What a motion was made by: its kind, the time law of a tool path with inverse kinematics, the parts of others."""
    inner = [*getattr(motion, "parts", ()), *([motion.law] if hasattr(motion, "law") else [])]
    names = ["inverse-kinematics"] if hasattr(motion, "task") else []
    names += [method for words, method in METHODS.items() if words in getattr(motion, "kind", "")]
    return tuple(dict.fromkeys([*names, *(name for part in inner for name in motion_methods(part))]))


def _samples(motion: _Motion) -> tuple[Array, dict[str, Array]]:
    t = np.linspace(0.0, motion.duration, SAMPLES)
    return t, dict(zip(("q", "qd", "qdd"), motion.at(t), strict=True))


def _columns(motion: _Motion) -> dict[str, Array]:
    t, parts = _samples(motion)
    return {"t [s]": t} | {f"{name}{j + 1}": x[:, j] for name, x in parts.items() for j in range(x.shape[1])}


def _chart(motion: _Motion) -> Chart:
    t, parts = _samples(motion)
    titles = {"q": "position [rad or m]", "qd": "velocity [rad/s or m/s]", "qdd": "acceleration [rad/s² or m/s²]"}
    panels = [
        Panel(tuple(Line(t, x[:, j], f"joint {j + 1}", j) for j in range(x.shape[1])), titles[name], TIME)
        for name, x in parts.items()
    ]
    return Chart(tuple(panels), 3)
