"""Figures of an identification: torques and what the model makes of them, residuals over time and over velocity."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from dynamis.telling.chart import Chart, Level, Line, Panel, columns_of, joint_names, some

if TYPE_CHECKING:
    from dynamis.apps.identification.result import Identification

TIME = "time [s]"


def _torques(x: Identification) -> Chart:
    r, which = x.residuals, some(len(x.residuals.t))
    columns = columns_of(x.n)
    t = _times(x)[which]
    panels = tuple(
        Panel(
            (
                Line(t, r.tau[which, j], "measured, filtered" if x.preparation.cutoff else "measured", "faint"),
                Line(t, r.predicted[which, j], "predicted, not fitted", 0),
                Line(t, r.error[which, j], "error", 1),
            ),
            title=name, x=TIME, y=f"torque [{x.torque_units[j]}]",
        )
        for j, name in enumerate(joint_names(x.joints, columns))
    )  # fmt: skip
    return Chart(panels, columns)


def _over_time(x: Identification) -> Chart:
    r, which = x.residuals, some(len(x.residuals.t))
    columns, t = columns_of(x.n), _times(x)[which]
    panels = tuple(
        Panel((Line(t, r.error[which, j], "residual", 0), Level(0.0)), title=name, x=TIME, y=f"[{x.torque_units[j]}]")
        for j, name in enumerate(joint_names(x.joints, columns))
    )
    return Chart(panels, columns)


def _over_velocity(x: Identification) -> Chart:
    r, which = x.residuals, some(len(x.residuals.t))
    columns = columns_of(x.n)
    panels = tuple(
        Panel(
            (Line(r.qd[which, j], r.error[which, j], "residual", "dots"), Level(0.0)),
            title=name, x="velocity [rad/s]" if x.torque_units[j] == "N m" else "velocity [m/s]",
            y=f"[{x.torque_units[j]}]",
        )
        for j, name in enumerate(joint_names(x.joints, columns))
    )  # fmt: skip
    return Chart(panels, columns)


def _times(x: Identification) -> np.ndarray:
    """Times from the first sample; runs one after another, where their times start again."""
    r = x.residuals
    t = r.t - r.t[0]
    back = np.flatnonzero(np.diff(t) < 0)
    for k in back:
        t[k + 1 :] += t[k] - t[k + 1]
    return t


CHARTS: dict[str, Callable[[Identification], Chart]] = {
    "torques": _torques,
    "residuals": _over_time,
    "residuals-over-velocity": _over_velocity,
}
CAPTIONS = {
    "torques": "Torques on held-out samples, and what the identified model predicts.",
    "residuals": "What is left of the torques on held-out samples, over time.",
    "residuals-over-velocity": "What is left of the torques over velocity: a shape is friction that the model lacks.",
}
