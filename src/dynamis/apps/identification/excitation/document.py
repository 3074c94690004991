"""The page of an exciting motion: condition numbers, limits and how much of them is used, parameters, figures."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import listed
from dynamis.telling.blocks import Column, Document, Figure, Items, Section, Table, Words
from dynamis.telling.chart import Chart, Level, Line, Panel, columns_of, joint_names, some
from dynamis.telling.series import numbered

if TYPE_CHECKING:
    from dynamis.apps.identification.excitation.result import ExcitingMotion

TIME = "time [s]"
CRITERIA = {
    "balanced": "balance of a large determinant and a small condition number",
    "determinant": "largest determinant (D-optimal)",
    "condition": "smallest condition number",
}


def excitation_document(x: ExcitingMotion) -> Document:
    """Tables, words and figures."""
    t = x.trajectory
    figures = (
        Figure("motion", partial(_motion, x), None, "Positions of the joints, and their limits."),
        Figure("search", partial(_search, x), None, "The motion that keeps all limits, iteration by iteration."),
        *(() if x.torques is None else (Figure("torques", partial(_torques, x), None, "Torques of the given robot."),)),
    )
    blocks = (
        _excitation(x), _limits(x), _parameters(x), Section("What to know", (Items(tuple(x.words())),), "words"),
        *figures,
    )  # fmt: skip
    return Document(
        f"{x.robot.name}: exciting motion of {t.periods} x {t.curve.period:g} s",
        blocks, data=partial(_json, x), columns=partial(_columns, x), methods=("excitation", "base-parameters"),
        main_figure="motion",
    )  # fmt: skip


def _excitation(x: ExcitingMotion) -> Section:
    rows = tuple(
        (name, count, e.rank, e.condition, e.scaled_condition, e.log_determinant)
        for name, e, count in (
            (listed(["links", *dict.fromkeys(x.kind for x in x.model.drives)]), x.excitation, len(x.model.base)),
            ("links alone", x.links_alone, sum(k < x.model.inertial for k in x.model.base)),
        )
    )
    columns = (
        "parameters", Column("number", form="d"), Column("told", form="d"), Column("condition number", form=".4g"),
        Column("columns of length 1", form=".4g"), Column("log determinant", form=".5g"),
    )  # fmt: skip
    first = x.history[0]
    said = Words(
        f"Of the base regressor stacked over the {x.samples} samples of one period, not weighted, in SI units and with "
        f"all columns scaled to length 1. Searched for the {CRITERIA[x.criterion]}, {x.ended}; it began at a condition "
        f"number of {first.condition:.4g} and a log determinant of {first.log_determinant:.5g}."
    )
    return Section("Excitation", (Table(columns, rows), said), "excitation")


def _limits(x: ExcitingMotion) -> Section:
    n, uses = x.robot.n, x.uses
    start = x.trajectory.at(0.0)[0]
    q = x.motion[0]
    has_torque = "torque" in uses
    columns = (
        Column(), Column("joint"), Column("start", form=".4g"), Column("lowest", form=".4g"),
        Column("highest", form=".4g"), Column("unit"), Column("range", form="%"), Column("velocity", form="%"),
        Column("acceleration", form="%"), *([Column("torque", form="%")] if has_torque else []),
    )  # fmt: skip
    kinds = ("position", "velocity", "acceleration", *(("torque",) if has_torque else ()))
    rows = tuple(
        (
            j + 1, x.joints[j], float(start[j]), float(q[:, j].min()), float(q[:, j].max()), one.length,
            *(float(uses[kind][j]) for kind in kinds),
        )
        for j, one in enumerate(x.robot.coordinates[:n])
    )  # fmt: skip
    said = [
        "Percentages are of the limits, the range to both sides of its middle. Positions, velocities and accelerations "
        "keep them between the samples, too, by a bound on such curves; torques of the given robot and the tool are "
        "checked at finer samples, with second differences for what is between them."
    ]
    if "tool" in uses and len(uses["tool"]):
        said.append(f"The tool stays {1e3 * float(uses['tool'].min()):.3g} mm within its region.")
    return Section("Limits", (Table(columns, rows, keys=2), Items(tuple(said))), "limits")


def _parameters(x: ExcitingMotion) -> Section:
    told = x.told
    columns = (
        "parameter", Column("standard error", form=".2g"), "unit", Column("relative", form="%"),
        Column("inflation", form=".3g"), "told most by",
    )  # fmt: skip
    rows = tuple(
        (
            name, float(told.errors[i]), x.model.units[i], None if np.isnan(told.relative[i]) else told.relative[i],
            float(told.inflation[i]), x.joints[int(told.joint[i])],
        )
        for i, name in enumerate(x.model.names)
    )  # fmt: skip
    noise = "5 % of the RMS torque of every joint" if x.torques is not None else "1 N m or N"
    text = (
        f"Standard errors of least squares weighted by joint, from all periods, with white noise of {noise}; relative "
        "to the largest parameter of the same kind in the link. If the others were known, they would be smaller by the "
        "inflation."
    )
    return Section("Parameters", (Table(columns, rows), Words(text)), "parameters")


def _motion(x: ExcitingMotion) -> Chart:
    t, q = _times(x)
    which = some(len(t))
    columns = columns_of(x.robot.n)
    panels = tuple(
        Panel(
            (
                Line(t[which], q[which, j], "position", 0),
                Level(float(x.limits.lower[j]), "limit"), Level(float(x.limits.upper[j])),
            ),
            title=name, x=TIME, y=f"[{x.robot.coordinates[j].length}]",
        )
        for j, name in enumerate(joint_names(x.joints, columns))
    )  # fmt: skip
    return Chart(panels, columns)


def _torques(x: ExcitingMotion) -> Chart:
    assert x.torques is not None
    t = np.arange(x.samples) / x.rate
    which, columns = some(len(t)), columns_of(x.robot.n)
    bounds = np.full(x.robot.n, np.inf) if x.limits.torque is None else x.limits.torque
    panels = tuple(
        Panel(
            (
                Line(t[which], x.torques[which, j], "torque", 0),
                *([Level(s * float(bounds[j]), "limit" * (s > 0)) for s in (1, -1)] if np.isfinite(bounds[j]) else []),
            ),
            title=name, x=TIME, y=f"[{x.robot.coordinates[j].unit}]",
        )
        for j, name in enumerate(joint_names(x.joints, columns))
    )  # fmt: skip
    return Chart(panels, columns)


def _search(x: ExcitingMotion) -> Chart:
    k = [one.number for one in x.history]
    panels = (
        Panel(
            (Line(k, [one.condition for one in x.history], "", "solid"),), title="condition number", x="iteration",
            logarithmic=True, whole_numbers=True,
        ),
        Panel(
            (Line(k, [one.log_determinant for one in x.history], "", "solid"),), title="log determinant", x="iteration",
            whole_numbers=True,
        ),
    )  # fmt: skip
    return Chart(panels, 2)


def _times(x: ExcitingMotion) -> tuple[Array, Array]:
    t = _sample_times(x)
    return t, x.trajectory.at(t)[0]


def _sample_times(x: ExcitingMotion) -> Array:
    """From 0 to the end, the end included."""
    return np.arange(round(x.trajectory.duration * x.rate) + 1) / x.rate


def _columns(x: ExcitingMotion) -> dict[str, Array]:
    t = _sample_times(x)
    columns: dict[str, Array] = {"t [s]": t}
    for name, values, per in zip(("q", "qd", "qdd"), x.trajectory.at(t), ("", "/s", "/s^2"), strict=True):
        columns |= numbered(name, values, [f"{one.length}{per}" for one in x.robot.coordinates])
    return columns


def _json(x: ExcitingMotion) -> dict[str, Any]:
    told, t = x.told, x.trajectory
    return {
        "robot": x.robot.name, "joints": x.joints, "criterion": x.criterion, "curve": type(t.curve).__name__.lower(),
        "period": t.curve.period, "periods": t.periods, "ramp": t.ramp, "start": t.start, "duration": t.duration,
        "rate": x.rate, "samples": x.samples, "coefficients": t.coefficients.T,
        "excitation": vars(x.excitation), "links_alone": vars(x.links_alone),
        "uses": x.uses, "noise": x.noise,
        "parameters": [
            {"name": name, "unit": x.model.units[i], "combination": x.model.combination(i),
             "standard_error": told.errors[i], "relative": told.relative[i], "inflation": told.inflation[i],
             "told_by": x.joints[int(told.joint[i])], "reason": told.reasons[i]}
            for i, name in enumerate(x.model.names)
        ],
        "history": [vars(one) for one in x.history], "ended": x.ended, "words": x.words(),
    }  # fmt: skip
