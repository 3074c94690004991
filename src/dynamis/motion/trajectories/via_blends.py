"""Parabolic blends near via points: the velocities of the segments, the times of the blends, what does not fit."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, inf, log10, sqrt
from typing import Any

import numpy as np

from dynamis.base.arguments import real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.motion.trajectories.piecewise import Profile, profile, resting
from dynamis.motion.trajectories.trajectory import SMALLEST_POSITIVE, MotionError, measure


def via_blends(points: Array, durations: Any, a: Array, v: Array | None) -> tuple[Profile, ...]:
    """The profiles through near points (k + 2, n): times per segment given, or the shortest in proportion."""
    if durations is None and v is None:
        raise MotionError("via points need a duration for every segment, or a velocity limit for the shortest time")
    T = _shortest(points, a, v) if durations is None and v is not None else _durations(durations, len(points) - 1)
    profiles: list[Profile] = []
    for j, column in enumerate(points.T):
        segments = _blends(column, T, float(a[j]))
        if segments is None:
            least, factor = _least_acceleration(column, T, float(a[j])), _longer(points, T, a, v)
            raise MotionError(
                f"joint {j + 1} has no time between its blends with a = {a[j]:g}; "
                f"with these times it needs a >= {least:.6g}, or segments {factor:.6g} times as long",
                joint=j + 1, needs={"acceleration": least, "factor": factor},
            )  # fmt: skip
        speeds, blends = segments
        if v is not None and (fast := float(np.abs(speeds).max())) > v[j] * (1 + 1e-12):
            k, factor = int(np.abs(speeds).argmax()), _longer(points, T, a, v)
            raise MotionError(
                f"joint {j + 1} moves at {fast:.6g} in segment {k + 1}, its limit is {v[j]:g}; "
                f"it needs segments {factor:.6g} times as long",
                joint=j + 1, needs={"velocity": fast, "factor": factor},
            )  # fmt: skip
        profiles.append(_profile(column, T, speeds, blends))
    return tuple(profiles)


def _durations(durations: Any, count: int) -> Array:
    times = real_values("duration", durations)
    if times.shape != (count,) or not (times > 0).all():
        what = f"one time > 0 [s] for each of the {count} segments"
        raise ArgumentError(f"with via points, duration must be {what}, got {literal(durations)}", key="duration")
    for time in times:
        measure("duration", time, "s")
    return times


def _blends(x: Array, T: Array, a: float) -> tuple[Array, Array] | None:
    """Velocities of the segments and times of the blends at every point; None where the blends overlap."""
    speeds = np.diff(x) / T
    blends = np.zeros(len(x))
    for k, end in ((0, 0), (-1, -1)):
        d = abs(x[1] - x[0]) if k == 0 else abs(x[-1] - x[-2])
        left = T[k] ** 2 - 2 * d / a
        if left < 0:
            return None
        # T - sqrt(T^2 - 2 d/a), without the difference of near numbers (7.26, 7.29).
        blends[end] = 2 * d / a / (T[k] + sqrt(left))
        speeds[k] *= T[k] / (T[k] - blends[end] / 2)
    blends[1:-1] = np.abs(np.diff(speeds)) / a
    inner = blends.copy()
    inner[1:-1] /= 2
    if (T - inner[:-1] - inner[1:] < -1e-12 * T).any():
        return None
    return speeds, blends


def _profile(x: Array, T: Array, speeds: Array, blends: Array) -> Profile:
    if not speeds.any():
        return resting(float(x[0]), float(T.sum()))
    before = np.concatenate([[0.0], np.cumsum(T)])
    inner = blends / 2
    starts = np.concatenate([[0.0], before[1:-1] - inner[1:-1], [before[-1] - blends[-1]]])
    ends = np.concatenate([[blends[0]], before[1:-1] + inner[1:-1], [before[-1]]])
    rates = np.concatenate([[0.0], speeds, [0.0]])
    durations: list[float] = []
    rows: list[list[float]] = []
    q = float(x[0])
    for k in range(len(x)):
        h = float(ends[k] - starts[k])
        if h > 0:
            # From the blend's own times, so that the velocity is met at its end.
            bend = float(rates[k + 1] - rates[k]) / h / 2
            durations.append(h)
            rows.append([q, float(rates[k]), bend])
            q += h * float(rates[k]) + h * h * bend
        if k + 1 < len(x) and (cruise := float(starts[k + 1] - ends[k])) > 0:
            durations.append(cruise)
            rows.append([q, float(rates[k + 1])])
            q += cruise * float(rates[k + 1])
    return profile(durations, rows, float(x[-1]), 2)


def _least_acceleration(x: Array, T: Array, a: float) -> float:
    """The smallest acceleration above a, one that does not do, that leaves no blends overlapping."""
    return _smallest(lambda value: _blends(x, T, value) is not None, a)


def _shortest(points: Array, a: Array, v: Array) -> Array:
    """Times of the segments: those of the velocity limits, all times the smallest factor that works."""
    way = np.abs(np.diff(points, axis=0))
    base = (way / v).max(axis=1)
    if base.min() < SMALLEST_POSITIVE:
        k = int(np.argmin(base))
        raise MotionError(
            f"points {k + 1} and {k + 2} are the same, so segment {k + 1} has no shortest time; give duration=..."
        )
    return base * _factor(points, base, a, v)


def _longer(points: Array, T: Array, a: Array, v: Array | None) -> float:
    """How many times as long the segments do, to six digits and not less."""
    factor = _factor(points, T, a, v)
    unit = 10.0 ** (floor(log10(factor)) - 5)
    return ceil(factor / unit) * unit


def _factor(points: Array, T: Array, a: Array, v: Array | None) -> float:
    """The smallest factor from 1 on times T that keeps the limits."""

    def works(factor: float) -> bool:
        for j, column in enumerate(points.T):
            segments = _blends(column, T * factor, float(a[j]))
            if segments is None or (v is not None and np.abs(segments[0]).max() > v[j]):
                return False
        return True

    return _smallest(works, 1.0)


def _smallest(works: Callable[[float], bool], low: float) -> float:
    """The smallest value above `low` that works, by doubling and 60 bisections, to the last bit; infinity for none."""
    high = 2 * low
    while not works(high):
        low, high = high, 2 * high
        if high == inf:
            return inf
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if works(middle) else (middle, high)
    return high
