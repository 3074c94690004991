"""Figures of an identification: torques and what the model makes of them, residuals over time and over velocity."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dynamis.apps.identification.result import Identification
from dynamis.telling.chart import TIME, Chart, Level, Line, Panel, some
from dynamis.telling.joints import joint_chart


def _torques(x: Identification) -> Chart:
    r, which = x.residuals, some(len(x.residuals.t))
    t = _times(x)[which]
    measured = "measured, filtered" if x.preparation.cutoff else "measured"

    def panel(j: int, name: str) -> Panel:
        lines = (
            Line(t, r.tau[which, j], measured, "faint"), Line(t, r.predicted[which, j], "predicted, not fitted", 0),
            Line(t, r.error[which, j], "error", 1),
        )  # fmt: skip
        return Panel(lines, name, TIME, f"torque [{x.torque_units[j]}]")

    return joint_chart(x.joints, panel)


def _over_time(x: Identification) -> Chart:
    r, which = x.residuals, some(len(x.residuals.t))
    t = _times(x)[which]

    def panel(j: int, name: str) -> Panel:
        return Panel((Line(t, r.error[which, j], "residual", 0), Level(0.0)), name, TIME, f"[{x.torque_units[j]}]")

    return joint_chart(x.joints, panel)


def _over_velocity(x: Identification) -> Chart:
    r, which = x.residuals, some(len(x.residuals.t))

    def panel(j: int, name: str) -> Panel:
        unit = x.torque_units[j]
        dots = Line(r.qd[which, j], r.error[which, j], "residual", "dots")
        return Panel((dots, Level(0.0)), name, f"velocity [{'rad' if unit == 'N m' else 'm'}/s]", f"[{unit}]")

    return joint_chart(x.joints, panel)


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
