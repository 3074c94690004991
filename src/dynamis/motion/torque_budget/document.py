"""What a torque budget tells: what the motors must give, what the torques are made of, what the bearings carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.base.numbers import percent, short
from dynamis.compute.mechanics.dynamics.reactions import BEARING, UNITS
from dynamis.motion.torque_budget.charts import CAPTIONS, CHARTS, meaningless
from dynamis.motion.torque_budget.result import Shares, TorqueBudget
from dynamis.motion.torque_budget.sizing import Sizing, torque_speed_envelope
from dynamis.telling.blocks import Block, Column, Document, Figure, Items, Note, Section, Table, Words
from dynamis.telling.joints import joint_table
from dynamis.telling.series import motion_columns, numbered_columns

LEAST_SHARE = 0.005
"""Shares below half a percent are left out of the tables."""
TABLES: tuple[str, ...] = ("all", "sizing", "motors", "effects", "shares", "bearings", "tool", "causes")


def page_of(budget: TorqueBudget) -> Document:
    """Tables, the main cause of every joint's torques in words, figures and series."""
    t = budget.history.t
    tool = _tool(budget)
    blocks: list[Block] = [
        *map(Note, budget.notes),
        Items((*budget.loads, *budget.motion)),
        _sizing(budget),
        _motors(budget),
        _effects(budget),
    ]
    blocks += [_shares(budget), _bearings(budget)]
    blocks += [tool, Section("", (Items(tuple(sentences(budget, 1))),), "causes")]
    empty = meaningless(budget)
    if budget.tool is None:
        empty.pop("tool", None)
    reasons = {reason: [name for name in empty if empty[name] == reason] for reason in empty.values()}
    blocks += [Items(tuple(f"not drawn, as {why}: {', '.join(names)}" for why, names in reasons.items()))]
    for name, chart in CHARTS.items():
        missing = ArgumentError(f'there is no figure "{name}": {empty[name]}', key="kind") if name in empty else None
        missing = tool.missing if name == "tool" and budget.tool is None else missing
        blocks.append(Figure(name, partial(chart, budget), missing, CAPTIONS[name]))
    title = f"{budget.robot}: {short(t[-1] - t[0])} s in {len(t)} samples"
    return Document(
        title,
        tuple(blocks),
        data=lambda: budget_data(budget),
        columns=lambda: budget_columns(budget),
        methods=("inverse_dynamics", "bearing_loads", *budget.methods),
        main_figure="torques",
    )


def sentences(budget: TorqueBudget, count: int) -> list[str]:
    """`62 % of the peak of joint 2 is the mass of link 3`, for the largest causes of every joint.

    A cause that acts against the others: `the mass of link 3 relieves the peak of joint 2 by 10 %`.
    """
    lines: list[str] = []
    for j in range(1, budget.n + 1):
        for of, word in (("peak", "peak"), ("rms", "RMS torque")):
            for name, share in budget.causes.largest(j, count, of):
                cause = name if name.startswith("load ") else f"the {name}"
                if share >= LEAST_SHARE:
                    lines.append(f"{percent(share)} of the {word} of joint {j} is {cause}")
                elif share <= -LEAST_SHARE:
                    lines.append(f"{cause} relieves the {word} of joint {j} by {percent(-share)}")
    return lines


def _sizing(budget: TorqueBudget) -> Section:
    x = budget.sizing
    table = joint_table(
        budget.joints,
        (Column("peak torque", form="fixed"), x.peak_torque),
        (Column("at", "s", "fixed"), x.peak_time),
        (Column("RMS torque", form="fixed"), x.rms_torque),
        (Column("peak without gravity", form="fixed"), x.peak_without_gravity),
        ("unit", budget.units),
        (Column("peak speed", form="fixed"), x.peak_speed),
        ("unit", [f"{length}/s" for length in budget.lengths]),
        (Column("motoring", "W", "fixed"), x.motoring),
        (Column("braking", "W", "fixed"), x.braking),
        (Column("energy", "J", "fixed"), x.energy),
        (Column("work", "J", "fixed"), x.work),
    )
    notes = limit_notes(x, budget.lengths, budget.units, "needs")
    return Section("What the motors must give", (table, *notes), "sizing")


def _motors(budget: TorqueBudget) -> Section:
    x = budget.motors
    if x is None:
        missing = ArgumentError(
            f'no joint of robot "{budget.robot}" has a gear or a rotor, so that the motors see what the joints see; '
            "give gear_ratio and rotor_inertia, or an efficiency",
            key="table",
        )
        return Section("", name="motors", missing=missing)
    table = joint_table(
        budget.joints,
        (Column("gear ratio", form=".6g"), x.gear_ratio),
        (Column("efficiency", form="%"), x.efficiency),
        (Column("peak torque", "N m", "fixed"), x.peak_torque),
        (Column("RMS torque", "N m", "fixed"), x.rms_torque),
        (Column("peak speed", "1/min", ".0f"), 30 / np.pi * x.peak_speed),
        (Column("peak power", "W", "fixed"), x.peak_power),
        (Column("inertia ratio", form=".3g"), x.inertia_ratio),
        (Column("work", "J", "fixed"), x.work),
        (Column("loss", "J", "fixed"), x.loss),
    )
    return Section("On the motors' side of the gears", (table,), "motors")


def limit_notes(x: Sizing, lengths: Sequence[str], units: Sequence[str], verb: str) -> list[Note]:
    """What goes beyond a limit; `lengths` and `units` are those of the coordinates and of their torques."""
    mixed = dict(zip(x.mixed.joints, x.mixed.lengths, strict=True))
    notes: list[Note] = []
    for joint, limit, need, allowed in x.beyond:
        length = lengths[joint - 1] if isinstance(joint, int) else mixed[joint]
        unit = units[int(joint) - 1] if limit == "effort" else f"{length}/s" if limit == "velocity" else length
        does = "goes to" if limit.endswith("position") else verb
        notes.append(Note(f"joint {joint} {does} {short(need)} {unit}; its {limit} limit is {short(allowed)} {unit}"))
    return notes


def _effects(budget: TorqueBudget) -> Section:
    groups, effects = budget.groups, budget.effects
    families = [name.split(" ")[0] for name in budget.parts.names]
    rows: list[tuple[Any, ...]] = []
    for j, unit in enumerate(budget.units):
        for k, name in enumerate(groups.names):
            inside = [p for p, family in enumerate(families) if family == name]
            values = (x[j, k] for x in (groups.lowest, groups.highest, groups.rms))
            shares = (x[j, inside].sum() for x in (effects.of_peak, effects.of_rms))
            rows.append((j + 1, name, *map(float, values), unit, *map(float, shares)))
    columns = (
        "joint", "effect", Column("lowest", form="fixed"), Column("highest", form="fixed"), Column("RMS", form="fixed"),
        "unit", Column("of the peak", form="%"), Column("of the RMS", form="%"),
    )  # fmt: skip
    note = f"the effects add up to the torque within {budget.residual:.1e} of the largest part"
    table = Table(columns, tuple(rows), keys=2, hide_zeros=True)
    return Section("What the torques are made of", (table, Words((note,))), "effects")


def _shares(budget: TorqueBudget) -> Section:
    return Section("Shares of the peak and of the RMS torque of every joint", (
        Section("By link", (_share_table(budget, budget.by_link),)),
        Section(
            "By parameter (the mass at its CoM, the inertia about the CoM)", (_share_table(budget, budget.causes),)
        ),
    ), "shares")  # fmt: skip


def _share_table(budget: TorqueBudget, shares: Shares) -> Table:
    both = np.stack([shares.of_peak, shares.of_rms], axis=1).reshape(2 * budget.n, -1)
    rows = np.flatnonzero(np.nan_to_num(np.abs(both)).max(axis=0, initial=0.0) >= LEAST_SHARE)
    columns = [Column(f"{of} {j + 1}", form="%") for j in range(budget.n) for of in ("peak", "RMS")]
    splits = tuple(range(3, 1 + len(columns), 2))
    return Table(("cause", *columns), tuple((shares.names[k], *both[:, k].tolist()) for k in rows), splits=splits)


def _bearings(budget: TorqueBudget) -> Section:
    columns = [Column(name, unit, "fixed") for name, unit in zip(BEARING, UNITS, strict=True)]
    rows = zip(budget.links, budget.kinds, budget.bearings.tolist(), strict=True)
    table = Table(("link", "joint", *columns), tuple((link, kind, *row) for link, kind, row in rows), keys=2)
    return Section("The largest reactions of every joint", (table,), "bearings")


def _tool(budget: TorqueBudget) -> Section:
    try:
        position, velocity, acceleration = budget.tool_motion()
    except ArgumentError as missing:
        return Section("", name="tool", missing=missing)
    t = budget.history.t
    speed, pull = (np.linalg.norm(v, axis=1) for v in (velocity, acceleration))
    places = {"start": position[0], "end": position[-1], "lowest": position.min(0), "highest": position.max(0)}
    axes = [Column(axis, "m", "fixed") for axis in "xyz"]
    peaks = (
        f"fastest {short(speed.max())} m/s at {short(float(t[speed.argmax()]))} s, "
        f"largest acceleration {short(pull.max())} m/s^2 at {short(float(t[pull.argmax()]))} s"
    )
    table = Table(("", *axes), tuple((name, *place.tolist()) for name, place in places.items()))
    return Section(f'Frame "{budget.tool}" in the base frame', (table, Words((peaks,))), "tool")


def budget_columns(budget: TorqueBudget) -> dict[str, Array]:
    """Every series that was kept by its name with its unit, one value per sample."""
    x, units = budget.history, budget.units
    columns = {"t [s]": x.t} | motion_columns(budget.lengths, x.q, x.qd, x.qdd)
    columns |= numbered_columns("tau", x.tau, units) | numbered_columns(
        "tau without gravity ", x.without_gravity, units
    )
    if budget.motors is not None:
        columns |= numbered_columns("motor torque ", budget.motors.torque, ["N m"] * budget.n)
        columns |= numbered_columns("motor speed ", budget.motors.speed, ["rad/s"] * budget.n)
    velocity = [k for k, name in enumerate(budget.parts.names) if " " in name]
    each = tuple(budget.parts.names[k] for k in velocity)
    for names, values in ((budget.groups.names, x.groups), (each, None if x.parts is None else x.parts[..., velocity])):
        if values is not None:
            for k, name in enumerate(names):
                columns |= {f"tau{j + 1} {name} [{unit}]": values[:, j, k] for j, unit in enumerate(units)}
    for name, values, unit in (("", x.position, "m"), ("v_", x.velocity, "m/s"), ("a_", x.acceleration, "m/s^2")):
        if values is not None:
            columns |= {f"tool {name}{axis} [{unit}]": values[:, k] for k, axis in enumerate("xyz")}
    if x.bearings is not None:
        for i, link in enumerate(budget.links):
            for k, (name, unit) in enumerate(zip(BEARING, UNITS, strict=True)):
                columns[f"{link} {name} [{unit}]"] = x.bearings[:, i, k]
    return columns


def budget_data(budget: TorqueBudget) -> dict[str, Any]:
    """All but the series."""
    x, sizing = budget.history, budget.sizing
    envelopes = (torque_speed_envelope(x.qd[:, j], x.tau[:, j]) for j in range(budget.n))
    extremes = ("lowest", "highest", "rms")

    def by_name(names: tuple[str, ...], source: Any, keys: tuple[str, ...]) -> dict[str, Any]:
        return {name: {key: getattr(source, key)[:, k] for key in keys} for k, name in enumerate(names)}

    def shares(source: Shares) -> dict[str, Any]:
        return by_name(source.names, source, ("of_peak", "of_rms"))

    return {
        "robot": budget.robot, "joints": budget.joints, "units": budget.units, "position_units": budget.lengths,
        "speed_units": [f"{length}/s" for length in budget.lengths],
        "samples": len(x.t), "start": x.t[0], "end": x.t[-1], "loads": budget.loads, "motion": budget.motion,
        "notes": budget.notes, "residual": budget.residual,
        "sizing": asdict(sizing),
        "motors": None if budget.motors is None else {
            name: value for name, value in asdict(budget.motors).items() if name not in ("torque", "speed")
        },
        "torque_speed": [{"speed": edges, "torque": torque} for edges, torque in envelopes],
        "effects": by_name(budget.groups.names, budget.groups, extremes),
        "parts": by_name(budget.parts.names, budget.parts, extremes),
        "shares": {
            "effects": shares(budget.effects), "links": shares(budget.by_link), "parameters": shares(budget.causes),
        },
        "sentences": sentences(budget, 3),
        "bearings": {
            link: dict(zip(BEARING, row, strict=True)) for link, row in zip(budget.links, budget.bearings, strict=True)
        },
        "tool": None if x.position is None else {
            "frame": budget.tool, "start": x.position[0], "end": x.position[-1],
        },
    }  # fmt: skip
