"""What the settings change: errors and parameters with another cut-off, trim or derivative, or other time stamps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dynamis.apps.identification.fitting.folds import MAX_ROBUST_SAMPLES, fit, make_folds
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.logs.log import Log, Recording
from dynamis.apps.identification.logs.preparation import Preparation, pieces
from dynamis.base.arrays import Array


@dataclass(frozen=True)
class Sensitivity:
    """The fit with one setting changed; errors are of samples that it has not seen."""

    what: str
    error: float
    """|error| / |torque| over all joints."""
    measured: float
    """The same against the torques before the filter, which does not depend on the cut-off."""
    moved: float
    """RMS over the parameters of their change over their standard errors."""
    most: str
    """The parameter that moves most, by how many of its standard errors."""


def sensitivities(
    model: LinearModel,
    logs: Sequence[Recording],
    how: Preparation,
    folds: int,
    method: str,
    beta: Array,
    errors: Array,
) -> Iterator[Sensitivity]:
    """The table: the settings as they are, then one by one as they might have been."""
    start = model.K @ model.parameters()
    for what, other_logs, other in _variants(logs, how):
        samples = [pieces(log, other, []) for log in other_logs]
        parts = make_folds(model, samples, folds, MAX_ROBUST_SAMPLES if method == "robust" else 0)
        if not parts:
            continue
        result = fit(parts, (), method, start, len(samples) == 1)
        steps = np.abs(result.whole.beta - beta) / np.maximum(errors, 1e-12 * max(float(np.abs(beta).max()), 1e-300))
        k = int(steps.argmax())
        most = f"{model.names[k]} ({steps[k]:.2g})" if steps[k] > 0.005 else ""
        yield Sensitivity(
            what, result.relative_error(), result.relative_error(True), float(np.sqrt((steps**2).mean())), most
        )


def _variants(logs: Sequence[Recording], how: Preparation) -> Iterator[tuple[str, Sequence[Recording], Preparation]]:
    first = [log.first for log in logs]
    yield "nothing", logs, how
    if how.cutoff is not None:
        step = max(float(np.median(np.diff(log.t))) for log in first)
        for factor in (0.5, 0.8, 1.25, 2.0):
            if how.cutoff * factor < 0.45 / step:
                yield f"cut-off {how.cutoff * factor:g} Hz", logs, replace(how, cutoff=how.cutoff * factor)
    for trim in (0.5, 1.0, 2.0):
        if all(log.t[-1] - log.t[0] > 6 * trim for log in first):
            yield f"{trim:g} s less at both ends", logs, replace(how, trim=trim)
    for method in ("central", "savgol", "spline"):
        if method != how.differentiation and any(log.qd is None or log.qdd is None for log in first):
            yield f"derivatives: {method}", logs, replace(how, differentiation=method)
    yield "every second sample", logs, replace(how, decimate=2 * how.decimate)
    if any(not np.allclose(log.t, _with_uniform_stamps(log).t, rtol=0, atol=1e-4) for log in first):
        yield "time stamps counted, not read", [log.changed(_with_uniform_stamps) for log in logs], how


def _with_uniform_stamps(log: Log) -> Log:
    """With time stamps at steps of their median interval."""
    return replace(log, t=log.t[0] + float(np.median(np.diff(log.t))) * np.arange(len(log)))
