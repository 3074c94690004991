"""A simulation as files: CSV, Parquet, JSON."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.arrays import Array
from dynamis.document.series import json_text
from dynamis.simulation.results.signals import signal_series
from dynamis.simulation.results.summary import Summary, summary

if TYPE_CHECKING:
    from dynamis.simulation.results.accuracy import Accuracy
    from dynamis.simulation.results.result import Simulation


def columns(run: Simulation) -> dict[str, Array]:
    """Every series by its name with its unit, one value an instant; named as those of a torque budget."""
    found: dict[str, Array] = {"t [s]": run.times}
    for name, values, power in (("q", run.q, ""), ("qd", run.qd, "/s"), ("qdd", run.qdd, "/s^2")):
        for j, turns in enumerate(run.turns):
            found[f"{name}{j + 1} [{'rad' if turns else 'm'}{power}]"] = values[:, j]
    for j, unit in enumerate(run.units):
        found[f"tau{j + 1} [{unit}]"] = run.tau[:, j]
    if run.goal is not None:
        for j, turns in enumerate(run.turns):
            found[f"goal{j + 1} [{'rad' if turns else 'm'}]"] = run.goal[:, j]
    for part in ("kinetic", "potential"):
        found[f"{part} energy [J]"] = getattr(run.energy, part)
    for part in ("motors", "friction", "loads", "stops"):
        found[f"work of {part} [J]"] = getattr(run.energy, part)
    found["energy error [J]"] = run.energy.error
    for name in run.signals:
        for number, unit, values in signal_series(run, name):
            found[f"{name}{number}{f' [{unit}]' if unit else ''}"] = values
    return found


def as_dict(run: Simulation) -> dict[str, Any]:
    """All but the instants as data for JSON."""
    energy = run.energy
    parts = ("kinetic", "potential", "motors", "friction", "loads", "stops")
    return {
        "robot": run.robot.name, "control": run.control,
        "joints": list(run.joints), "units": list(run.units), "turns": list(run.turns),
        "duration": run.duration, "samples": len(run.times), "settings": run.settings, "ended": run.ended,
        "warnings": list(run.warnings),
        "effort": asdict(run.effort),
        "summary": _joints(summary(run)),
        "energy": {
            **{part: {"start": getattr(energy, part)[0], "end": getattr(energy, part)[-1]} for part in parts},
            "error": {"end": energy.error[-1], "largest": np.abs(energy.error).max()},
            "scale": energy.scale, "drift": energy.drift,
        },
        "events": [asdict(event) for event in run.events],
        "accuracy": None if run.accuracy is None else _accuracy(run.accuracy),
        "sentences": run.sentences(),
    }  # fmt: skip


def _accuracy(found: Accuracy) -> dict[str, Any]:
    names = ("how", "tolerance", "until", "growth", "ended")
    return {**{name: getattr(found, name) for name in names}, "largest": found.difference.max(initial=0.0)}


def _joints(found: Summary) -> dict[str, Any]:
    motors, approach = found.motors, found.approach
    of_motors = (
        "peak_torque", "peak_time", "rms_torque", "peak_speed", "rms_speed", "motoring", "braking", "energy",
    )  # fmt: skip
    return {
        **{name: getattr(found, name) for name in ("start", "end", "lowest", "highest", "end_velocity")},
        **{name: getattr(motors, name) for name in of_motors},
        "goal": None if approach is None else asdict(approach),
    }


def to_json(run: Simulation, path: str | Path | None, history: bool) -> str:
    """The summary, and with `history` every column; NaN is null."""
    data = as_dict(run)
    if history:
        data["history"] = columns(run)
    return json_text(data, path)
