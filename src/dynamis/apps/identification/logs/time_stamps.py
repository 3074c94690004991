"""Time stamps: what is wrong with them, and samples at uniform steps instead.

Rows that are not numbers and stamps that go back or repeat are left out. Stamps that jitter are taken as they are: the
samples are interpolated to uniform steps of the median interval. A gap longer than `longest` splits the run, because
what is interpolated over it would be invented.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.identification.logs.log import Log
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError

UNIFORM_STEP_TOLERANCE = 0.01
"""Intervals within 1 % of their median need no interpolation."""
REPEATED_STAMP_SHARE = 1e-3
"""Of the median interval: stamps that are closer repeat. Interpolation between them would make noise of rounding."""
MIN_SAMPLES = 10
"""A stretch of fewer samples has no derivatives worth the name."""


@dataclass(frozen=True)
class TimeStamps:
    """What was found in the stamps of a log."""

    name: str
    samples: int
    duration: float
    step: float
    """The median interval [s]."""
    shortest: float
    longest: float
    not_numbers: int
    """Rows with NaN or without a number, left out."""
    back: int
    """Stamps that go back or repeat, left out."""
    gaps: int
    """Intervals that split the run."""
    resampled: bool

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was repaired, in sentences."""
        said: list[str] = []
        if self.not_numbers:
            said.append(f"{self.name}: {self.not_numbers} of {self.samples} rows are not numbers; they are left out.")
        if self.back:
            said.append(f"{self.name}: {self.back} time stamps repeat or go back; their samples are left out.")
        if self.gaps:
            said.append(
                f"{self.name}: {self.gaps} gap{'s' * (self.gaps != 1)} in the time stamps, the longest of "
                f"{self.longest:.3g} s; the run is split there."
            )
        if self.resampled:
            between = f" between {1e3 * self.shortest:.3g} and {1e3 * self.longest:.3g} ms" if not self.gaps else ""
            said.append(
                f"{self.name}: time stamps jitter{between}; the samples are interpolated to steps of "
                f"{1e3 * self.step:.4g} ms."
            )
        return tuple(said)


def median_step(t: Array) -> float:
    """The median of the intervals in which time goes on, by more than rounding [s]."""
    t = t[np.isfinite(t)]
    intervals = np.diff(t)
    onward = intervals[intervals > 8 * np.spacing(np.abs(t).max(initial=0.0))]
    if not len(intervals):
        raise ArgumentError(
            f"at most one row of the log has all its numbers; at least {MIN_SAMPLES} are needed", key="data"
        )
    if not len(onward):
        raise ArgumentError("the times of the log never increase; check which column is the time", key="data")
    return float(np.median(onward))


def forward(t: Array) -> NDArray[np.bool_]:
    """Which stamps come after all before them."""
    if len(t) < 2:
        return np.ones(len(t), dtype=bool)
    return np.concatenate([[True], t[1:] > np.maximum.accumulate(t)[:-1] + REPEATED_STAMP_SHARE * median_step(t)])


def usable(log: Log) -> NDArray[np.bool_]:
    """Which rows are numbers."""
    values = [x for x in (log.q, log.tau, log.qd, log.qdd) if x is not None]
    return np.isfinite(log.t) & np.all([np.isfinite(x).all(axis=1) for x in values], axis=0)


def together(parts: Sequence[TimeStamps]) -> TimeStamps:
    """What was found in a log, from what was found in its pieces."""
    return replace(
        parts[0],
        samples=sum(x.samples for x in parts), duration=sum(x.duration for x in parts),
        shortest=min(x.shortest for x in parts), longest=max(x.longest for x in parts),
        not_numbers=sum(x.not_numbers for x in parts), back=sum(x.back for x in parts),
        gaps=sum(x.gaps for x in parts), resampled=any(x.resampled for x in parts),
    )  # fmt: skip


def uniform_runs(log: Log, longest: float) -> tuple[list[Log], TimeStamps]:
    """The log as runs at uniform steps, split at gaps of more than `longest` seconds."""
    good = usable(log)
    kept = log.rows(good)
    later = forward(kept.t)
    kept = kept.rows(later)
    if len(kept) < MIN_SAMPLES:
        raise ArgumentError(
            f"{log.name} has {len(kept)} usable samples of {len(log)}; at least {MIN_SAMPLES} with increasing "
            "times are "
            "needed",
            key="data",
        )
    intervals = np.diff(kept.t)
    step = float(np.median(intervals))
    resampled = bool(
        intervals.max() > (1 + UNIFORM_STEP_TOLERANCE) * step or intervals.min() < (1 - UNIFORM_STEP_TOLERANCE) * step
    )
    cuts = np.flatnonzero(intervals > max(longest, 3 * step)) + 1
    edges = [0, *cuts.tolist(), len(kept)]
    pieces = [kept.rows(slice(a, b)) for a, b in itertools.pairwise(edges) if b - a >= MIN_SAMPLES]
    stamps = TimeStamps(
        log.name, len(log), float(kept.t[-1] - kept.t[0]), step, float(intervals.min()), float(intervals.max()),
        int(len(log) - good.sum()), int(len(later) - later.sum()), len(cuts), resampled,
    )  # fmt: skip
    return [_resample_log(piece, step) if resampled else piece for piece in pieces], stamps


def _resample_log(log: Log, step: float) -> Log:
    """At uniform steps: positions by a cubic spline, whose derivatives are continuous; the rest linearly."""
    count = int(np.floor((log.t[-1] - log.t[0]) / step + 1e-9)) + 1
    t = log.t[0] + step * np.arange(count)
    q = import_module("scipy.interpolate").CubicSpline(log.t, log.q)(t)

    def linear(x: Array) -> Array:
        columns: list[Array] = [np.interp(t, log.t, x[:, j]) for j in range(x.shape[1])]
        return np.stack(columns, axis=1)

    qd, qdd = (None if x is None else linear(x) for x in (log.qd, log.qdd))
    return replace(log, t=t, q=q, tau=linear(log.tau), qd=qd, qdd=qdd)
