"""The torque budget as files: CSV, Parquet, JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dynamis.arrays import Array
from dynamis.document.series import json_text, plain
from dynamis.mechanics.bearing_loads import BEARING, UNITS
from dynamis.motion.torque_budget.run import GROUPS
from dynamis.motion.torque_budget.sizing import torque_speed_envelope

if TYPE_CHECKING:
    from dynamis.motion.torque_budget.result import Shares, TorqueBudget


def columns(budget: TorqueBudget) -> dict[str, Array]:
    """Every kept series by its name with its unit, one value a sample."""
    x = budget.history
    found: dict[str, Array] = {"t [s]": x.t}
    for name, values, power in (("q", x.q, ""), ("qd", x.qd, "/s"), ("qdd", x.qdd, "/s^2")):
        for j, turns in enumerate(budget.turns):
            found[f"{name}{j + 1} [{'rad' if turns else 'm'}{power}]"] = values[:, j]
    for name, values in (("tau", x.tau), ("tau without gravity ", x.without_gravity)):
        for j, unit in enumerate(budget.units):
            found[f"{name}{j + 1} [{unit}]"] = values[:, j]
    named: list[tuple[tuple[str, ...], Array | None]] = [(GROUPS, x.groups)]
    velocity = [k for k, name in enumerate(budget.parts.names) if " " in name]
    each = tuple(budget.parts.names[k] for k in velocity)
    named.append((each, None if x.parts is None else x.parts[..., velocity]))
    for names, values in named:
        if values is not None:
            for k, name in enumerate(names):
                for j, unit in enumerate(budget.units):
                    found[f"tau{j + 1} {name} [{unit}]"] = values[:, j, k]
    for name, values, unit in (("", x.position, "m"), ("v", x.velocity, "m/s"), ("a", x.acceleration, "m/s^2")):
        if values is not None:
            for k, axis in enumerate("xyz"):
                found[f"tool {name}{'_' * bool(name)}{axis} [{unit}]"] = values[:, k]
    if x.bearings is not None:
        for i, link in enumerate(budget.links):
            for k, (name, unit) in enumerate(zip(BEARING, UNITS, strict=True)):
                found[f"{link} {name} [{unit}]"] = x.bearings[:, i, k]
    return found


def to_json(budget: TorqueBudget, path: str | Path | None, history: bool) -> str:
    """The summary, and with `history` every column; NaN is null."""
    data = as_dict(budget)
    if history:
        data["history"] = columns(budget)
    return json_text(data, path)


def as_dict(budget: TorqueBudget) -> dict[str, Any]:
    """The summary as plain data."""
    x, sizing = budget.history, budget.sizing
    envelopes = [torque_speed_envelope(x.qd[:, j], x.tau[:, j]) for j in range(budget.n)]
    return {
        "robot": budget.robot, "joints": list(budget.joints), "units": list(budget.units),
        "samples": len(x.t), "start": float(x.t[0]), "end": float(x.t[-1]), "loads": list(budget.loads),
        "motion": list(budget.motion),
        "residual": budget.residual,
        "sizing": {name: _plain(getattr(sizing, name)) for name in sizing.__dataclass_fields__},
        "torque_speed": [{"speed": _plain(edges), "torque": _plain(torque)} for edges, torque in envelopes],
        "effects": {
            name: {key: _plain(getattr(budget.groups, key)[:, k]) for key in ("lowest", "highest", "rms")}
            for k, name in enumerate(GROUPS)
        },
        "parts": {
            name: {key: _plain(getattr(budget.parts, key)[:, k]) for key in ("lowest", "highest", "rms")}
            for k, name in enumerate(budget.parts.names)
        },
        "shares": {
            "effects": _shares(budget.effects), "links": _shares(budget.by_link), "parameters": _shares(budget.causes),
        },
        "sentences": budget.sentences(),
        "bearings": {
            link: dict(zip(BEARING, _plain(row), strict=True))
            for link, row in zip(budget.links, budget.bearings, strict=True)
        },
        "tool": None if x.position is None else {
            "frame": budget.tool, "start": _plain(x.position[0]), "end": _plain(x.position[-1]),
        },
    }  # fmt: skip


def _shares(shares: Shares) -> dict[str, Any]:
    return {
        name: {"of_peak": _plain(shares.of_peak[:, k]), "of_rms": _plain(shares.of_rms[:, k])}
        for k, name in enumerate(shares.names)
    }


def _plain(values: Array) -> list[Any]:
    return plain(values)
