"""Learning as files: CSV and JSON."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dynamis.errors import FormatError
from dynamis.report.series import text_cell

if TYPE_CHECKING:
    from dynamis.simulation.learning_result import Learning

Array = NDArray[np.float64]


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
    """One row a sample; numbers in full precision."""
    found = columns(learning)
    with _written(path) as file:
        csv.writer(file).writerow(map(text_cell, found))
        csv.writer(file).writerows(np.column_stack(list(found.values())).tolist())


def to_json(learning: Learning, path: str | Path | None, history: bool) -> str:
    """Trials, conditions and words; what is not finite is null."""
    x = learning
    data: dict[str, Any] = {
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
    if history:
        data["history"] = columns(x)
    text = json.dumps(_plain(data), indent=2, allow_nan=False)
    if path is not None:
        with _written(path) as file:
            file.write(text)
    return text


def _plain(value: Any) -> Any:
    """Lists and numbers, None for what is not finite."""
    match value:
        case dict():
            return {key: _plain(x) for key, x in value.items()}  # type: ignore[reportUnknownVariableType]
        case list() | tuple():
            return [_plain(x) for x in value]  # type: ignore[reportUnknownVariableType]
        case np.ndarray():
            return _plain(value.tolist())  # type: ignore[reportUnknownMemberType]
        case float():
            return value if np.isfinite(value) else None
        case _:
            return value


def _written(path: str | Path) -> Any:
    try:
        return Path(path).open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise FormatError(f"cannot be written: {error.strerror or error}").at(str(path)) from None
