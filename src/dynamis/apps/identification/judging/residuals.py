"""What is left of the torques: over time, over velocity, and whether it is noise.

Residuals that are white are noise; those that remember are not explained by the model, and fewer samples count than
there are. The memory is the integrated autocorrelation time

    T = 1 + 2 sum over lags k of r(k),      summed to the first lag with r(k) < 0.05

so that N samples tell as much about the mean of a residual as N / T independent ones. Standard errors are larger by
sqrt(T) than those of white residuals, which is exact for parameters whose columns change slowly and cautious for
others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.folds import MAX_KEPT_SAMPLES, Fit
from dynamis.base.arrays import Array

NEGLIGIBLE_CORRELATION = 0.05


@dataclass(frozen=True)
class Residuals:
    """Torques and their errors on samples that were not fitted, (samples, n), and their memory."""

    t: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array
    measured: Array
    predicted: Array
    run: Array
    """The number of the run that a sample belongs to."""
    memory: Array
    """T of every coordinate, in samples."""
    lag1: Array
    """The correlation of neighbours."""

    @property
    def error(self) -> Array:
        """tau - predicted."""
        return self.tau - self.predicted


def residuals(fit: Fit) -> Residuals:
    """Of all folds, of each no more than its share of KEPT samples."""
    most = max(MAX_KEPT_SAMPLES // max(len(fit.judged), 1), 1)
    parts: list[tuple[Array, ...]] = []
    for fold, one in zip(fit.judged, fit.blind, strict=True):
        left = most
        for run in fold.runs:
            part = run.part(slice(0, left))
            left -= len(part)
            predicted = fold.factor.model.predicted(one.beta, part)
            number = np.full(len(part), len(parts))
            parts.append((part.t, part.q, part.qd, part.qdd, part.tau, part.measured, predicted, number))
            if left <= 0:
                break
    t, q, qd, qdd, tau, measured, predicted, run = (np.concatenate(x) for x in zip(*parts, strict=True))
    errors = [(part[4] - part[6]) for part in parts]
    memories = [_memory(error) for error in errors if len(error) > 20]
    sizes = np.array([len(error) for error in errors if len(error) > 20], dtype=np.float64)
    n = tau.shape[1]
    memory = np.average([x[0] for x in memories], axis=0, weights=sizes) if memories else np.ones(n)
    lag1 = np.average([x[1] for x in memories], axis=0, weights=sizes) if memories else np.zeros(n)
    return Residuals(t, q, qd, qdd, tau, measured, predicted, run, memory, lag1)


def _memory(error: Array) -> tuple[Array, Array]:
    """The integrated autocorrelation time and the correlation of neighbours, per coordinate."""
    centred = error - error.mean(axis=0)
    size = 1 << (2 * len(error) - 1).bit_length()
    spectrum = np.abs(np.fft.rfft(centred, size, axis=0)) ** 2
    correlation = np.fft.irfft(spectrum, size, axis=0)[: len(error) // 2]
    first = np.where(correlation[0] > 0, correlation[0], 1.0)
    r = correlation / first
    times: list[float] = []
    for column in r.T:
        small = np.flatnonzero(column < NEGLIGIBLE_CORRELATION)
        end = int(small[0]) if len(small) else len(column)
        times.append(max(1.0, float(1 + 2 * column[1:end].sum())))
    return np.array(times), r[1]
