"""From logs to samples: uniform steps, a filter without phase, derivatives, trimmed ends, fewer samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamis.errors import ArgumentError
from dynamis.identification.log import Log
from dynamis.identification.samples import Samples
from dynamis.identification.signals import derivative, low_pass
from dynamis.identification.time_stamps import TimeStamps, uniform_runs

STILL = 0.01
"""A joint moves when it is faster than this share of its highest speed."""


@dataclass(frozen=True)
class Preparation:
    """How logs become samples."""

    cutoff: float | None = None
    """Of the filter on positions, velocities and torques [Hz]; None without one."""
    differentiation: str = "central"
    trim: float | None = None
    """What is left out at both ends of every run [s]; None: the time in which no joint moves, and one period of the
    cut-off, in which the filter has transients."""
    decimate: int = 1
    """Every how many samples are kept."""


def prepared(log: Log, how: Preparation) -> tuple[list[Samples], TimeStamps]:
    """The runs of a log, and what was found in its time stamps."""
    # An oscillation at the cut-off that hides in a gap of a quarter of its period can be drawn by hand; no longer one.
    longest = 0.25 / how.cutoff if how.cutoff else 0.0
    runs, stamps = uniform_runs(log, max(longest, 5 * float(np.median(np.diff(log.t)))))
    if how.cutoff is not None and how.cutoff >= 0.5 / stamps.step:
        raise ArgumentError(
            f"the cut-off must be below half the sampling rate of {log.name}, {0.5 / stamps.step:.4g} Hz, got "
            f"{how.cutoff:g} Hz",
            key="cutoff",
        )
    samples = [_samples(run, how, stamps.step) for run in runs]
    return [run for run in samples if len(run) > 1], stamps


def _samples(log: Log, how: Preparation, step: float) -> Samples:
    q, qd, qdd, tau = log.q, log.qd, log.qdd, log.tau
    if how.cutoff is not None:
        q, tau = low_pass(q, how.cutoff, step), low_pass(tau, how.cutoff, step)
        qd = None if qd is None else low_pass(qd, how.cutoff, step)
        qdd = None if qdd is None else low_pass(qdd, how.cutoff, step)
    window = int(0.25 / (how.cutoff * step)) if how.cutoff else 5
    if qd is None:
        qd = derivative(q, step, how.differentiation, window)
    if qdd is None:
        qdd = derivative(qd, step, how.differentiation, window)
    start, end = 0, len(q)
    edge = 0.0 if how.trim is None else how.trim
    if how.trim is None and (log.qd is None or log.qdd is None or how.cutoff):
        moving = np.flatnonzero((np.abs(qd) > STILL * np.abs(qd).max(axis=0, initial=1e-300)).any(axis=1))
        start, end = (int(moving[0]), int(moving[-1]) + 1) if len(moving) else (0, 0)
        edge = 1 / how.cutoff if how.cutoff else 0.0
    cut = round(edge / step)
    part = slice(max(start, cut), min(end, len(q) - cut), how.decimate)
    return Samples(log.name, *(x[part] for x in (log.t, q, qd, qdd, tau, log.tau)))
