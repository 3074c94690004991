"""From logs to samples: uniform steps, a filter without phase, derivatives, trimmed ends, fewer samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib import import_module

import numpy as np

from dynamis.apps.identification.logs.log import Log, Recording
from dynamis.apps.identification.logs.samples import Filter, Samples
from dynamis.apps.identification.logs.signals import derivative, low_pass
from dynamis.apps.identification.logs.time_stamps import MIN_SAMPLES, TimeStamps, median_step, together, uniform_runs
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError

STANDSTILL_SPEED_SHARE = 0.01
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
    halves: bool = False
    """Whether motions from the even and from the odd rows are kept too, for instrumental variables."""


def pieces(recording: Recording, how: Preparation, found: list[TimeStamps]) -> Iterator[list[Samples]]:
    """The runs of a recording piece by piece; what is `found` in its time stamps is added to the list at its end.

    A seam between pieces is like a gap in the log: the filter starts anew.
    """
    parts: list[TimeStamps] = []
    for piece in recording.pieces():
        if parts and np.isfinite(piece.t).sum() < MIN_SAMPLES:
            continue  # the last rows of a long log
        runs, stamps = prepare_log(piece, how)
        parts.append(stamps)
        yield runs
    found.append(together(parts))


def prepare_log(log: Log, how: Preparation) -> tuple[list[Samples], TimeStamps]:
    """The runs of a log, and what was found in its time stamps."""
    # An oscillation at the cut-off that hides in a gap of a quarter of its period can be drawn by hand; no longer one.
    longest = 0.25 / how.cutoff if how.cutoff else 0.0
    runs, stamps = uniform_runs(log, max(longest, 5 * median_step(log.t)))
    if how.cutoff is not None and how.cutoff >= 0.5 / stamps.step:
        raise ArgumentError(
            f"the cut-off must be below half the sampling rate of {log.name}, {0.5 / stamps.step:.4g} Hz, got "
            f"{how.cutoff:g} Hz",
            key="cutoff",
        )
    samples = [_samples(run, how, stamps.step) for run in runs]
    return [run for run in samples if len(run) > 1], stamps


def _samples(log: Log, how: Preparation, step: float) -> Samples:
    q, qd, qdd = _motion(log, how, step)
    tau = log.tau if how.cutoff is None else low_pass(log.tau, how.cutoff, step)
    start, end = 0, len(q)
    edge = 0.0 if how.trim is None else how.trim
    if how.trim is None and (log.qd is None or log.qdd is None or how.cutoff):
        moving = np.flatnonzero(
            (np.abs(qd) > STANDSTILL_SPEED_SHARE * np.abs(qd).max(axis=0, initial=1e-300)).any(axis=1)
        )
        start, end = (int(moving[0]), int(moving[-1]) + 1) if len(moving) else (0, 0)
        edge = 1 / how.cutoff if how.cutoff else 0.0
    cut = round(edge / step)
    part = slice(max(start, cut), min(end, len(q) - cut), how.decimate)
    rows = np.arange(len(q))[part]

    def chosen(q: Array, qd: Array, qdd: Array) -> Samples:
        of_torques = None if how.cutoff is None else Filter(how.cutoff, step, qd, rows)
        return Samples(log.name, *(x[part] for x in (log.t, q, qd, qdd, tau, log.tau)), filter=of_torques)

    samples = chosen(q, qd, qdd)
    if not how.halves:
        return samples
    return replace(samples, halves=(chosen(*_half(log, how, step, 0)), chosen(*_half(log, how, step, 1))))


def _motion(log: Log, how: Preparation, step: float) -> tuple[Array, Array, Array]:
    """q, qd and qdd: filtered, and differentiated where they were not measured."""
    q, qd, qdd = log.q, log.qd, log.qdd
    if how.cutoff is not None:
        q = low_pass(q, how.cutoff, step)
        qd = None if qd is None else low_pass(qd, how.cutoff, step)
        qdd = None if qdd is None else low_pass(qdd, how.cutoff, step)
    window = int(0.25 / (how.cutoff * step)) if how.cutoff else 5
    if qd is None:
        qd = derivative(q, step, how.differentiation, window)
    if qdd is None:
        qdd = derivative(qd, step, how.differentiation, window)
    return q, qd, qdd


def _half(log: Log, how: Preparation, step: float, first: int) -> Iterator[Array]:
    """q, qd and qdd from every second row, at all instants."""
    every_second = log.rows(slice(first, None, 2))
    spline = import_module("scipy.interpolate").CubicSpline
    return (spline(every_second.t, x)(log.t) for x in _motion(every_second, how, 2 * step))
