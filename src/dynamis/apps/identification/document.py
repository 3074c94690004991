"""The page of an identification: data, errors, parameters, links, residuals, and what to trust."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from dynamis.apps.identification.charts import CAPTIONS, CHARTS
from dynamis.apps.identification.excited_by import excited_by
from dynamis.apps.identification.physical.drive_gains import DriveGains
from dynamis.apps.identification.physical.payload import PayloadFit
from dynamis.apps.identification.result import Identification
from dynamis.apps.identification.verdict import words
from dynamis.base.arrays import Array
from dynamis.base.errors import name_list
from dynamis.model.inertial_parameters import STANDARD
from dynamis.telling.blocks import Block, Column, Document, Figure, Items, Note, Section, Table, Words
from dynamis.telling.joints import joint_table
from dynamis.telling.series import motion_columns, numbered_columns

METHODS = {
    "weighted": "least squares weighted by joint", "ordinary": "ordinary least squares",
    "robust": "robust least squares (Huber)", "total": "total least squares",
    "instrumental": "instrumental variables from every second row",
}  # fmt: skip
ERRORS = ("torque", "variation", "held_out", "measured", "fitted", "gravity", "given", "elsewhere", "extrapolation")
DERIVATIVES = {"central": "central differences", "savgol": "Savitzky-Golay filters", "spline": "a cubic spline"}

NOT_IN_A_URDF = {"offset": "the offsets of friction", "stribeck": "Stribeck friction", "spring": "springs"}


def page_of(x: Identification) -> Document:
    """Tables, words and figures."""
    blocks: list[Block] = [_data(x), _errors(x), _parameters(x), _links(x), _residuals(x)]
    blocks += [] if x.gains is None else [_gains(x, x.gains)]
    blocks += [] if x.payload is None else [_payload(x, x.payload)]
    if x.sensitivities:
        blocks.append(_sensitivities(x))
    blocks.append(Section("What to trust", (Items(tuple(words(x))),), "words"))
    blocks += [Figure(name, partial(chart, x), None, CAPTIONS[name]) for name, chart in CHARTS.items()]
    methods = ["identification", "base-parameters"]
    methods += ["physical-parameters"] if x.physical else []
    methods += ["instrumental-variables"] if x.method == "instrumental" else []
    methods += ["payload-identification"] if x.payload else []
    methods += ["drive-gains"] if x.gains else []
    return Document(
        f"{x.given.name}: identified from {x.fit.factor.samples} samples",
        tuple(blocks), data=partial(_json, x), columns=partial(_columns, x), methods=tuple(methods),
        main_figure="torques",
    )  # fmt: skip


def _data(x: Identification) -> Section:
    rows = tuple((one.name, one.samples, one.duration, 1 / one.step) for one in x.stamps)
    table = Table(
        ("log", Column("samples", form="d"), Column("duration", "s", ".4g"), Column("rate", "Hz", ".5g")), rows
    )
    how = x.preparation
    filtered = "no filter" if how.cutoff is None else f"zero-phase low-pass filter at {how.cutoff:g} Hz"
    chosen = ""
    if x.choices:
        best = x.choices[0]
        tried = ", ".join(
            f"{'none' if one.cutoff is None else f'{one.cutoff:g} Hz'} {one.error:.2%}"
            for one in sorted(x.choices, key=lambda one: np.inf if one.cutoff is None else one.cutoff)
        )
        chosen = (
            f"The cut-off is the one that predicts unfiltered torques best on samples that were not fitted "
            f"({best.error:.2%} of them left; tried: {tried})."
        )
    items = [remark for one in x.stamps for remark in one.remarks]
    items += [
        f"{x.fit.factor.samples} samples fitted by {METHODS[x.method]}; {filtered}; derivatives that were not measured "
        f"by {DERIVATIVES[how.differentiation]}."
    ]
    items += [chosen] if chosen else []
    items += _speeds(x)
    return Section("Data", (table, Items(tuple(items))), "data")


def _speeds(x: Identification) -> list[str]:
    """The speeds of friction, one sentence per kind."""
    sentences = {
        "coulomb": "Coulomb friction is tanh(qd / v)",
        "stribeck": "Stribeck friction decays as exp(-(qd/v)^2)",
    }
    said: list[str] = []
    for kind, sentence in sentences.items():
        speeds = [drive for drive in x.model.drives if drive.kind == kind and drive.speed]
        if speeds:
            each = ", ".join(f"{drive.speed:.3g} (joint {drive.joint + 1})" for drive in speeds)
            said.append(f"{sentence} with v = {each} [rad/s or m/s].")
    return said


def _gains(x: Identification, gains: DriveGains) -> Section:
    table = joint_table(
        x.joints,
        (Column("gain", form=".5g"), gains.values),
        (Column("standard error", form=".2g"), gains.standard_errors),
        ("unit", [f"{unit}/A" for unit in x.torque_units]),
    )
    return Section("Drive gains", (table, Words("Torque over current; the known payload sets the scale.")), "gains")


def _payload(x: Identification, payload: PayloadFit) -> Section:
    ten, errors = payload.ten, payload.standard_errors
    rows = tuple(
        (name, float(ten[k]), float(errors[k]), unit)
        for k, (name, unit) in enumerate(zip(STANDARD, ("kg", *("kg m",) * 3, *("kg m^2",) * 6), strict=True))
    )
    columns = ("parameter", Column("value", form=".5g"), Column("standard error", form=".2g"), "unit")
    errors_of = joint_table(
        x.joints,
        (Column("held-out error", form=".3g"), payload.held_out),
        (Column("without payload", form=".3g"), payload.without),
        ("unit", x.torque_units),
    )
    com = ", ".join(f"{moment / ten[0]:.4g}" for moment in ten[1:4]) if ten[0] > 0 else ""
    said = f"CoM at [{com}] m. " if com else ""
    said += "All about the origin of the tool frame, in its axes. "
    if payload.untold:
        said += f"The motion does not tell {name_list(payload.untold)}."
    else:
        said += f"{'A' if payload.physical else 'No'} body can have these parameters."
    return Section("Payload", (Table(columns, rows), Words(said), errors_of), "payload")


def _errors(x: Identification) -> Section:
    e = x.errors
    table = joint_table(
        x.joints,
        (Column("held-out error", form=".3g"), e.held_out),
        (Column("of variation", form="%"), e.shares),
        (Column("fitted", form=".3g"), e.fitted),
        (Column("gravity alone", form=".3g"), e.gravity),
        *([] if e.given is None else [(Column("given model", form=".3g"), e.given)]),
        (Column("zero", form=".3g"), e.torque),
        ("unit", x.torque_units),
    )
    said = [
        f"RMS errors {x.fit.how}; all columns but the fitted error are of these samples. Variation is the standard "
        "deviation of the torque.",
        f"Relative error over all joints, |error| / |torque|: {x.relative_error:.3%} held out.",
    ]
    if x.preparation.cutoff is not None:
        said.append(
            f"Against the torques before the filter it is {x.fit.relative_error(True):.3%}, with the noise of the "
            "torque measurement."
        )
    return Section("Errors of the torques", (table, Items(tuple(said))), "errors")


def _parameters(x: Identification) -> Section:
    told = excited_by(x)
    given = x.model.K @ x.model.parameters()
    has_given = bool(x.model.parameters()[: x.model.inertial].any())
    rows = tuple(
        (
            name, float(x.beta[i]), float(x.standard_errors[i]), float(x.relative_errors[i]),
            *([float(given[i])] if has_given else []), x.units[i], told[i], x.combinations[i],
        )
        for i, name in enumerate(x.names)
    )  # fmt: skip
    columns = (
        "parameter", Column("value", form=".5g"), Column("standard error", form=".2g"), Column("relative", form="%"),
        *([Column("given", form=".5g")] if has_given else []), "unit", "excited most by", "combination",
    )  # fmt: skip
    proof = (
        "The combinations were found in numbers, at random states; they are not proved."
        if x.base_parameters is None
        else x.base_parameters.proof
    )
    e = x.excitation
    said = [
        proof,
        f"Condition number {e.condition:.4g} in SI units, {e.scaled_condition:.4g} with columns of one length.",
    ]
    return Section("Base parameters", (Table(columns, rows), Items(tuple(said))), "parameters")


def _links(x: Identification) -> Section:
    pi = x.parameters[: x.model.inertial].reshape(-1, len(STANDARD))
    units = ("kg", *("m",) * 3, *("kg m^2",) * 6)
    names = ("mass", "cx", "cy", "cz", *STANDARD[4:])
    columns = ("link", *(Column(name, unit, ".4g") for name, unit in zip(names, units, strict=True)))
    rows: list[tuple[Any, ...]] = []
    for link, ten in zip(x.given.links, pi, strict=True):
        com = ten[1:4] / ten[0] if ten[0] else ten[1:4] * np.nan
        rows.append((link.name, float(ten[0]), *com.tolist(), *ten[4:].tolist()))
    said: list[Block] = []
    if x.physical is not None:
        rise = np.sqrt((x.physical.rms**2).sum() / max(float((x.errors.fitted**2).sum()), 1e-300)) - 1
        text = (
            "All links are physically consistent: positive masses, and inertias that bodies can have. "
            f"That makes the error of the fitted samples {max(rise, 0.0):.2%} larger. What the torques do not tell is "
            "as near to the given robot as possible."
        )
        if x.physical.guessed:
            text += f" The given robot has no mass for {', '.join(x.physical.guessed)}: there it is a guess."
        said.append(Words(text))
    else:
        said.append(
            Note(
                f"These parameters give the identified torques, but no body need have them: {x.no_physical}.",
                "warning",
            )
        )
    kinds = {drive.kind for drive in x.model.drives}
    if absent := [text for kind, text in NOT_IN_A_URDF.items() if kind in kinds]:
        said.append(Words(f"The robot has {name_list(absent)} too; a URDF has them as comments alone, a .toml whole."))
    table = Table(columns, tuple(rows), splits=(5, 8))
    frame = Words("Inertias about the origin of the link frame, in its axes.")
    return Section("Links of the identified robot", (table, frame, *said), "links")


def _residuals(x: Identification) -> Section:
    r = x.residuals
    step = x.stamps[0].step * x.preparation.decimate
    table = joint_table(
        x.joints,
        (Column("mean", form=".2g"), r.error.mean(axis=0)),
        (Column("largest", form=".3g"), np.abs(r.error).max(axis=0)),
        ("unit", x.torque_units),
        (Column("correlation of neighbours", form=".3f"), r.lag1),
        (Column("memory", "ms", ".3g"), 1e3 * step * r.memory),
        (Column("independent samples", form="d"), [round(x.fit.samples / memory) for memory in r.memory.tolist()]),
    )
    return Section("Residuals on held-out samples", (table,), "residuals")


def _sensitivities(x: Identification) -> Section:
    rows = tuple((one.what, one.error, one.measured, one.moved, one.most) for one in x.sensitivities)
    columns = (
        "changed", Column("held-out error", form="%"), Column("before the filter", form="%"),
        Column("parameters move", form=".2g"), "most of all",
    )  # fmt: skip
    words = Words("Parameters move by so many of their standard errors (RMS).")
    return Section("What the settings change", (Table(columns, rows), words), "sensitivities")


def _columns(x: Identification) -> dict[str, Array]:
    r = x.residuals
    lengths = ["rad" if unit == "N m" else "m" for unit in x.torque_units]
    columns: dict[str, Array] = {"t [s]": r.t, "run": r.run.astype(np.float64)}
    columns |= motion_columns(lengths, r.q, r.qd, r.qdd)
    for name, values in (("tau", r.tau), ("measured", r.measured), ("predicted", r.predicted)):
        columns |= numbered_columns(name, values, x.torque_units)
    return columns


def _json(x: Identification) -> dict[str, Any]:
    e, told = x.errors, excited_by(x)
    return {
        "robot": x.given.name, "joints": x.joints, "units": x.torque_units, "method": x.method,
        "logs": [vars(one) for one in x.stamps], "samples": x.fit.factor.samples,
        "cutoff": x.preparation.cutoff, "differentiation": x.preparation.differentiation,
        "cutoffs": [vars(one) for one in x.choices],
        "held_out": x.fit.how, "relative_error": x.relative_error,
        "relative_error_before_filter": x.fit.relative_error(True),
        "errors": {name: getattr(e, name) for name in ERRORS},
        "parameters": [
            {"name": name, "unit": x.units[i], "value": x.beta[i], "standard_error": x.standard_errors[i],
             "excited_by": told[i], "combination": x.combinations[i]}
            for i, name in enumerate(x.names)
        ],
        "friction_speeds": {
            f"{one.kind}{one.joint + 1}": one.speed for one in x.model.drives if one.kind in ("coulomb", "stribeck")
        },
        "gains": None if x.gains is None else vars(x.gains),
        "payload": None if x.payload is None else vars(x.payload),
        "covariance": x.covariance, "free": [x.names[k] for k in x.excitation.free],
        "condition": x.excitation.condition, "scaled_condition": x.excitation.scaled_condition,
        "log_determinant": x.excitation.log_determinant,
        "standard_parameters": dict(zip(x.model.all_names, x.parameters.tolist(), strict=True)),
        "physical": None if x.physical is None else {"rms": x.physical.rms, "distances": x.physical.distances},
        "memory": x.residuals.memory, "suspicions": x.suspicions, "unchecked": x.unchecked, "remarks": x.remarks,
        "trusted": x.trusted,
        "sensitivities": [vars(one) for one in x.sensitivities], "words": words(x),
    }  # fmt: skip
