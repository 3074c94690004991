"""The numbers that a run is judged by: where the joints went, what the motors gave, how near they came to the goal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.motion.torque_budget.sizing import Sizing, sizing, time_weights
from dynamis.simulation.results.result import Simulation

MAX_DRIFT = 1e-3
"""A larger energy error, as a fraction of the largest energy, is reported."""
MAX_SATURATION = 0.2
"""Motors that are at their limit for a larger fraction of the time cause a warning."""
SETTLING_BAND = 0.02
"""A joint has settled when it stays within this fraction of its first error."""


@dataclass(frozen=True)
class Approach:
    """How a run ends at its goal, one value per joint [rad or m].

    `error` is goal - q at the end, `largest` the largest |goal - q|, `rms` its RMS over time. Where the goal stands
    still, `settled` [s] is when the joint is within `SETTLING_BAND` of its first error for good (NaN: not within the
    run) and     `overshoot` how far it went beyond the goal, in parts of the first error; None where the goal moves.
    """

    goal: Array
    error: Array
    largest: Array
    rms: Array
    settled: Array | None
    overshoot: Array | None


@dataclass(frozen=True)
class Summary:
    """One value per joint: positions [rad or m], velocities [rad/s or m/s], and torques in `motors` [N m or N].

    Mean values weigh every instant by its time, so they do not depend on where instants were kept.
    """

    start: Array
    end: Array
    lowest: Array
    highest: Array
    end_velocity: Array
    motors: Sizing
    """Peak and RMS torque, peak speed, power and energy; its torques without gravity are NaN."""
    approach: Approach | None
    """None where the control has no goal."""


def summary(run: Simulation) -> Summary:
    """What the tables, the sentences and the JSON of a run say about its joints."""
    weights = time_weights(run.times)
    motors, _ = sizing(run.robot, run.times, run.q, run.qd, run.tau)
    return Summary(
        run.q[0], run.q[-1], run.q.min(axis=0), run.q.max(axis=0), run.qd[-1], motors,
        None if run.goal is None else _approach(run.times, run.q, run.goal, weights),
    )  # fmt: skip


def at_limit(run: Simulation) -> tuple[float, list[int]]:
    """For which part of the time a motor gave all that it can, and the joints (from 1) of those that did."""
    if "torque_limit" not in run.settings:
        return 0.0, []
    full = np.abs(run.tau) >= (1 - 1e-12) * np.array(run.settings["torque_limit"])
    weights = time_weights(run.times)
    share = float(weights @ full.any(axis=1) / (weights.sum() or 1.0))
    return share, [int(j) + 1 for j in np.flatnonzero(full.any(axis=0))]


def _approach(times: Array, q: Array, goal: Array, weights: Array) -> Approach:
    error = goal - q
    rms = np.sqrt(weights @ error**2 / (weights.sum() or 1.0))
    settled = overshoot = None
    if (goal == goal[0]).all():
        first = np.where(error[0] == 0, np.nan, np.abs(error[0]))
        outside = ~(np.abs(error) <= SETTLING_BAND * first)
        settled = np.array([_for_good(times, outside[:, j]) for j in range(q.shape[1])])
        settled[np.isnan(first)] = np.nan
        overshoot = np.maximum(0.0, -(error * np.sign(error[0])).min(axis=0)) / first
    return Approach(goal[-1], error[-1], np.abs(error).max(axis=0), rms, settled, overshoot)


def _for_good(times: Array, outside: NDArray[np.bool_]) -> float:
    """The first time after which nothing is outside; NaN where the last still is."""
    if outside[-1]:
        return np.nan
    return float(times[len(outside) - int(np.argmax(outside[::-1]))]) if outside.any() else float(times[0])
