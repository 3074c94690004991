"""A trajectory as a document: the ends and the peaks of every joint, and its motion over time."""

from __future__ import annotations

from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arrays import Array
from dynamis.motion.trajectories.trajectory import Motion, Peaks
from dynamis.telling.blocks import Column, Document, Figure, Items, Table, Words
from dynamis.telling.chart import TIME, Chart, Line, Panel

FIGURE_SAMPLES = 501
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


EITHER = "rad or m"
"""The unit of a joint of no robot."""
NO_ROBOT = "A trajectory alone knows no robot: units are rad for revolute joints, m for prismatic ones."


def trajectory_document(motion: _Motion, title: str) -> Document:
    """One row per joint, with its unit where the robot is known: on tool paths and their sequences."""
    (start, end), peaks = motion.at([0.0, motion.duration])[0], motion.peaks()
    parts = start, end, peaks.lowest, peaks.highest, peaks.velocity, peaks.acceleration
    units = joint_units(motion, len(start))
    names = "from", "to", "lowest", "highest", "peak speed", "peak acceleration"
    rows = tuple(
        (k, *row[:4], unit, row[4], _per(unit, "/s"), row[5], _per(unit, "/s^2"))
        for k, (unit, *row) in enumerate(zip(units, *(x.tolist() for x in parts), strict=True), 1)
    )
    columns: list[Column | str] = ["joint"]
    for name in names:
        columns.append(Column(name, form=".4g"))
        columns += [Column("unit")] if name in ("highest", *names[4:]) else []
    words = Items((f"{title}, {motion.duration:g} s", *motion.sentences()))
    note = (Words(NO_ROBOT),) if EITHER in units else ()
    blocks = (words, Table(tuple(columns), rows), *note, motion_figure(motion))
    return Document("", blocks, columns=partial(_columns, motion), methods=motion_methods(motion))


def motion_figure(motion: _Motion) -> Figure:
    """The joints of a motion over time."""
    return Figure("motion", partial(_chart, motion), caption="Positions, velocities and accelerations of the joints.")


def joint_units(motion: Any, n: int) -> list[str]:
    """rad or m of every joint, by the robot of a tool path or of the limits of a motion, also in a part of it."""
    for part in (motion, *getattr(motion, "parts", ())):
        for owner in (getattr(part, "task", None), getattr(part, "limits", None)):
            if (robot := getattr(owner, "robot", None)) is not None:
                return [coordinate.length for coordinate in robot.coordinates]
    return [EITHER] * n


def _per(unit: str, per: str) -> str:
    """`rad/s or m/s` for `rad or m`."""
    return " or ".join(f"{each}{per}" for each in unit.split(" or "))


def motion_methods(motion: Any) -> tuple[str, ...]:
    """What a motion was made by: its kind, the time law of a tool path with inverse kinematics, the parts of others."""
    inner = [*getattr(motion, "parts", ()), *([motion.law] if hasattr(motion, "law") else [])]
    names = ["inverse-kinematics"] if hasattr(motion, "task") else []
    names += [method for words, method in METHODS.items() if words in getattr(motion, "kind", "")]
    return tuple(dict.fromkeys([*names, *(name for part in inner for name in motion_methods(part))]))


def _samples(motion: _Motion) -> tuple[Array, dict[str, Array]]:
    t = np.linspace(0.0, motion.duration, FIGURE_SAMPLES)
    return t, dict(zip(("q", "qd", "qdd"), motion.at(t), strict=True))


def _columns(motion: _Motion) -> dict[str, Array]:
    t, parts = _samples(motion)
    return {"t [s]": t} | {f"{name}{j + 1}": x[:, j] for name, x in parts.items() for j in range(x.shape[1])}


def _chart(motion: _Motion) -> Chart:
    t, parts = _samples(motion)
    unit = " or ".join(dict.fromkeys(joint_units(motion, parts["q"].shape[1])))
    names = {"q": ("position", ""), "qd": ("velocity", "/s"), "qdd": ("acceleration", "/s²")}
    titles = {key: f"{name} [{_per(unit, per)}]" for key, (name, per) in names.items()}
    panels = [
        Panel(tuple(Line(t, x[:, j], f"joint {j + 1}", j) for j in range(x.shape[1])), titles[name], TIME)
        for name, x in parts.items()
    ]
    return Chart(tuple(panels), 3)
