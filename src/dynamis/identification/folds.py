"""Samples that a fit does not see: the logs that are held out, each log in turn, or stretches of a single one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.arrays import Array
from dynamis.identification.estimators import Estimate, estimate, robust
from dynamis.identification.factor import Factor, combined, factor
from dynamis.identification.linear_model import LinearModel
from dynamis.identification.samples import Samples

KEPT = 200_000
"""Samples whose residuals are looked at one by one, over all folds; errors are of all samples."""


@dataclass(frozen=True)
class Fold:
    """Some of the samples, and what they tell."""

    runs: tuple[Samples, ...]
    factor: Factor


@dataclass(frozen=True)
class Fit:
    """The estimate from all samples that may be fitted, and one per fold that was judged, which has not seen it."""

    whole: Estimate
    factor: Factor
    """Of the samples of `whole`, with its weights where it is robust."""
    judged: tuple[Fold, ...]
    blind: tuple[Estimate, ...]
    """For every fold that is judged, the estimate from the others."""
    how: str
    """How samples were held out, in a clause."""

    def squares(self, measured: bool = False) -> Array:
        """Squared errors of the folds, each under the estimate that has not seen it, per coordinate."""
        pairs = zip(self.judged, self.blind, strict=True)
        return np.sum([fold.factor.squares(one.beta, measured) for fold, one in pairs], axis=0)

    def torque_squares(self, measured: bool = False) -> Array:
        """Squared torques of the folds."""
        return np.sum([fold.factor.squares(np.zeros_like(self.whole.beta), measured) for fold in self.judged], axis=0)

    @property
    def samples(self) -> int:
        """How many samples are judged."""
        return sum(fold.factor.samples for fold in self.judged)

    def relative_error(self, measured: bool = False) -> float:
        """|errors| / |torques| over all joints and all samples that were held out."""
        total = float(self.torque_squares(measured).sum())
        return float(np.sqrt(self.squares(measured).sum() / total)) if total else 0.0


def make_folds(model: LinearModel, logs: Sequence[Sequence[Samples]], folds: int) -> list[Fold]:
    """One fold per log; a single log is cut into `folds` stretches."""
    if len(logs) == 1:
        edges = np.linspace(0, sum(map(len, logs[0])), folds + 1).round().astype(int)
        parts = [_stretch(logs[0], a, b) for a, b in itertools.pairwise(edges)]
    else:
        parts = [tuple(runs) for runs in logs]
    return [Fold(runs, combined([factor(model, run) for run in runs])) for runs in parts if runs]


def fit(folds: Sequence[Fold], held_out: Sequence[Fold], method: str, start: Array, of_one: bool) -> Fit:
    """The estimate from `folds`, judged on `held_out`, or else on each fold under the estimate from the others."""
    whole, weighted = _estimate(folds, method, start)
    if held_out:
        return Fit(whole, weighted, tuple(held_out), (whole,) * len(held_out), "on the logs that were held out")
    if len(folds) < 2:
        return Fit(whole, weighted, tuple(folds), (whole,), "on the samples of the fit themselves")
    blind = [_estimate([*folds[:k], *folds[k + 1 :]], method, start)[0] for k in range(len(folds))]
    what = f"{len(folds)} stretches of the log" if of_one else f"{len(folds)} logs"
    how = f"on each of {what}, predicted by a fit to the others"
    return Fit(whole, weighted, tuple(folds), tuple(blind), how)


def _estimate(folds: Sequence[Fold], method: str, start: Array) -> tuple[Estimate, Factor]:
    all_of_them = combined([fold.factor for fold in folds])
    if method == "robust":
        return robust(all_of_them, [run for fold in folds for run in fold.runs], start)
    return estimate(all_of_them, method, start), all_of_them


def _stretch(runs: Sequence[Samples], first: int, last: int) -> tuple[Samples, ...]:
    """Samples `first` to `last` of runs one after another."""
    parts: list[Samples] = []
    at = 0
    for run in runs:
        a, b = max(first - at, 0), min(last - at, len(run))
        if b > a:
            parts.append(run.part(slice(a, b)))
        at += len(run)
    return tuple(parts)
