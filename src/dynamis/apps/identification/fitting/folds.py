"""Samples that a fit does not see: the logs that are held out, each log in turn, or stretches of a single one."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.estimators import Estimate, estimate, robust, solve
from dynamis.apps.identification.fitting.factor import Factor, combine_factors, factor
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.logs.samples import Samples
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError

MAX_KEPT_SAMPLES = 200_000
"""Samples whose residuals are looked at one by one, over all folds; errors are of all samples."""
MAX_ROBUST_SAMPLES = 1_000_000
"""Samples that a robust fit goes through again and again; they stay in memory."""


@dataclass(frozen=True)
class Fold:
    """What some of the samples tell, and the first of them."""

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


def make_folds(model: LinearModel, logs: Sequence[Iterable[Sequence[Samples]]], folds: int, keep: int) -> list[Fold]:
    """One fold per log; of a single log each piece is cut into `folds` stretches, one per fold.

    logs: of every log its pieces, each of them runs; they are gone through once
    keep: how many samples all folds together keep beside their factors
    """
    count = folds if len(logs) == 1 else len(logs)
    factors: list[Factor | None] = [None] * count
    kept: list[list[Samples]] = [[] for _ in range(count)]
    for number, log in enumerate(logs):
        for runs in log:
            edges = np.linspace(0, sum(map(len, runs)), folds + 1).round().astype(int)
            parts = [_stretch(runs, a, b) for a, b in itertools.pairwise(edges)] if len(logs) == 1 else [tuple(runs)]
            for k, part in enumerate(parts, number):
                for run in part:
                    now, before = factor(model, run), factors[k]
                    factors[k] = now if before is None else combine_factors([before, now])
                    left = keep // count - sum(map(len, kept[k]))
                    if left > 0:
                        kept[k].append(run.part(slice(left)))
    return [Fold(tuple(runs), one) for runs, one in zip(kept, factors, strict=True) if one is not None]


def fit(folds: Sequence[Fold], held_out: Sequence[Fold], method: str, start: Array, of_one: bool) -> Fit:
    """The estimate from `folds`, judged on `held_out`, or else on each fold under the estimate from the others."""
    whole, weighted = _estimate(folds, method, start)
    if held_out:
        return Fit(whole, weighted, tuple(held_out), (whole,) * len(held_out), "on the logs that were held out")
    if len(folds) < 2:
        return Fit(whole, weighted, tuple(folds), (whole,), "on the samples of the fit themselves")
    blind = _blind(folds, method, start)
    what = f"{len(folds)} stretches of the log" if of_one else f"{len(folds)} logs"
    how = f"on each of {what}, predicted by a fit to the others"
    return Fit(whole, weighted, tuple(folds), tuple(blind), how)


def blind_error(folds: Sequence[Fold], start: Array) -> float:
    """|errors| / |torques| against the torques as they were measured, of each fold under a fit to the others.

    Each joint counts by what is left where it is fitted together with the others, or by itself if that is less: where
    a gain or a zero is wrong the joints contradict each other, and together they fit motions best that are too smooth.
    """
    n = folds[0].factor.n
    together, alone = np.zeros(n), np.zeros(n)
    for k, fold in enumerate(folds):
        beta, of = _estimate([*folds[:k], *folds[k + 1 :]] or folds, "weighted", start)
        together += fold.factor.squares(beta.beta, True)
        for j, row in enumerate(of.model.rows):
            own = solve(of.left(j), of.right(j), start[list(row)])
            alone[j] += float(((fold.factor.sharp(j) @ own - fold.factor.right(j, n)) ** 2).sum())
    total = float(np.sum([fold.factor.squares(0 * start, True) for fold in folds]))
    return float(np.sqrt(np.minimum(together, alone).sum() / total)) if total else 0.0


def _blind(folds: Sequence[Fold], method: str, start: Array) -> list[Estimate]:
    return [_estimate([*folds[:k], *folds[k + 1 :]], method, start)[0] for k in range(len(folds))]


def _estimate(folds: Sequence[Fold], method: str, start: Array) -> tuple[Estimate, Factor]:
    all_of_them = combine_factors([fold.factor for fold in folds])
    if method == "robust":
        if all_of_them.samples > sum(len(run) for fold in folds for run in fold.runs):
            raise ArgumentError(
                f"{all_of_them.samples} samples are too many for the robust method, which keeps them in memory; take "
                "every so many (decimate) or the weighted method",
                key="method",
            )
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
