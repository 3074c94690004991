"""The cut-off of the filter, chosen by what predicts best.

Filtered torques are easier to predict the lower the cut-off, so that an error against them flatters. Here every cut-off
is judged by the same torques: those that were measured, unfiltered, on samples that the fit has not seen. Noise of the
torque sensor adds the same to all of them. Too low a cut-off loses part of the motion, too high a one lets the noise
of the accelerations in; the least error lies between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dynamis.apps.identification.fitting.folds import blind_error, make_folds
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.logs.log import Log, Recording
from dynamis.apps.identification.logs.preparation import Preparation, prepare_log
from dynamis.apps.identification.logs.time_stamps import median_step, usable
from dynamis.base.arrays import Array

CUTOFF_CANDIDATES = (1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0, 50.0, 80.0, 120.0)
"""Cut-offs that are tried [Hz]: arms move below 5 Hz, and their drives resonate from 10 Hz on."""
SAMPLES_PER_LOG = 4_000
"""Samples of every log that the choice fits."""
STOP_ERROR_RATIO = 1.5
"""An error of so many times the least ends the search."""
MAX_ROWS = 25_000
"""Rows that it filters, from the middle of the first piece of a log."""


@dataclass(frozen=True)
class Choice:
    """A cut-off [Hz], None for no filter, and the error that it leaves on samples that were not fitted."""

    cutoff: float | None
    error: float
    """Against the measured torques, relative to them."""


def choose_cutoff(
    model: LinearModel, logs: Sequence[Recording], how: Preparation, folds: int, start: Array
) -> tuple[Choice, ...]:
    """The candidates that were tried with their errors, the best one first: every second one, then its neighbours."""
    first = [_middle(log.first) for log in logs]
    step = max(median_step(log.t[usable(log)]) for log in first)
    every = max(1, max(len(log) for log in first) // SAMPLES_PER_LOG)
    candidates = [*(cutoff for cutoff in CUTOFF_CANDIDATES if cutoff < 0.4 / step), None]
    errors: dict[float | None, float] = {}

    def error(cutoff: float | None) -> float:
        samples = [prepare_log(log, replace(how, cutoff=cutoff, decimate=every))[0] for log in first]
        samples = [runs for runs in samples if sum(map(len, runs)) > folds * 10]
        if not samples:
            return np.inf
        parts = make_folds(model, [[runs] for runs in samples], folds, 0)
        return blind_error(parts, start)

    for cutoff in dict.fromkeys((*candidates[::2], None)):
        errors[cutoff] = error(cutoff)
        if errors[cutoff] > STOP_ERROR_RATIO * min(errors.values()):
            break  # the noise of the accelerations only grows from here on
    best = candidates.index(min(errors, key=lambda cutoff: errors[cutoff]))
    for cutoff in candidates[max(0, best - 1) : best + 2]:
        if cutoff not in errors:
            errors[cutoff] = error(cutoff)
    choices = [Choice(cutoff, errors[cutoff]) for cutoff in candidates if errors.get(cutoff, np.inf) < np.inf]
    # A higher cut-off must pay: of those within 0.1 % of the best the lowest is taken.
    least = min((choice.error for choice in choices), default=0.0)
    chosen = next((choice for choice in choices if choice.error <= 1.001 * least), Choice(None, np.nan))
    return (chosen, *(choice for choice in choices if choice is not chosen))


def _middle(log: Log) -> Log:
    start = max(0, (len(log) - MAX_ROWS) // 2)
    return log.rows(slice(start, start + MAX_ROWS))
