"""Learning as files: CSV and JSON."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dynamis.arrays import Array
from dynamis.document.series import json_text, write_csv

if TYPE_CHECKING:
    from dynamis.simulation.learning.result import Learning


def columns(learning: Learning) -> dict[str, Array]:
    """Every series by its name with its unit, one value a sample (without the end, where no torque is given)."""
    x = learning
    found: dict[str, Array] = {"t [s]": x.times[:-1]}
    for name, values in (
        ("learned u", x.u),
        ("first u", x.first),
        ("analytic tau", x.analytic),
        ("mean tau", x.nominal),
    ):
        for j, unit in enumerate(x.units):
            found[f"{name}{j + 1} [{unit}]"] = values[:, j]
    for name, values in (("goal q", x.goal[0]), ("first e", x.e_first), ("best e", x.e_best)):
        for j, turns in enumerate(x.turns):
            found[f"{name}{j + 1} [{'rad' if turns else 'm'}]"] = values[:-1, j]
    return found


def to_csv(learning: Learning, path: str | Path) -> None:
    """One row per sample; numbers in full precision."""
    write_csv(path, columns(learning))


def to_json(learning: Learning, path: str | Path | None, history: bool) -> str:
    """The summary, and with `history` every column; what is not finite is null."""
    data = as_dict(learning)
    if history:
        data["history"] = columns(learning)
    return json_text(data, path)


def as_dict(learning: Learning) -> dict[str, Any]:
    """Trials, conditions and words as data for JSON."""
    x = learning
    return {
        "robot": x.robot, "joints": list(x.joints), "units": list(x.units), "samples": len(x.u),
        "duration": float(x.times[-1]), "settings": x.settings, "best": x.best, "diverged": x.diverged,
        "ended": x.ended,
        "trials": [
            {
                "trial": trial.number, "error": trial.error, "seen": trial.seen, "rms": trial.rms, "peak": trial.peak,
                "torque_rms": trial.torque_rms, "torque_distance": trial.torque_distance,
                "saturated": trial.saturated, "blew_up_at": trial.failed,
            }
            for trial in x.trials
        ],
        "first_sample_gap": x.first_sample_gap,
        "conditions": [{"claim": c.claim, "holds": c.holds, "detail": c.detail} for c in x.conditions],
        "sentences": x.sentences(), "warnings": list(x.warnings),
    }  # fmt: skip
