"""When the trials end, and why: within the tolerance, no further improvement (a floor), or divergence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dynamis.base.arrays import Array
from dynamis.simulation.controllers.law import Condition
from dynamis.simulation.learning.result import Trial
from dynamis.simulation.learning.update import Update
from dynamis.simulation.loop.closed_loop import Sampling

KEEP = ("error", "torque")
"""What chooses the best trial: the measured error, or the distance of its torque from the analytic one."""
IMPROVEMENT_RATIO = 0.98
"""A trial improves on the best one if its error is below this share of it: by 2 %."""
POOR_FLOOR = 0.1
"""A floor above this share of the first error is explained like a divergence."""
DIVERGENCE_GROWTH, DIVERGENCE_RISES, DIVERGENCE_RATIO = 2.0, 3, 10.0
"""Divergence: above twice the best error after three rises in a row, or above ten times the first error."""
NOISE_FLOOR = 3.0
"""An error below this many times what noise alone makes is a noise floor."""


@dataclass
class ConvergenceMonitor:
    """The errors of the trials so far, which of them is best by what was asked for, and whether they end."""

    tolerance: float
    patience: int
    """Trials without improvement before the end; 0 for no such end."""
    keep: str = "error"
    errors: list[float] = field(default_factory=list[float])
    """The measured ones, infinite for a trial that blew up."""
    best: int = 0
    """The number of the best trial, from 1; 0 as long as none was finite."""
    least: float = np.inf
    """Its error, or the distance of its torque."""
    improved: tuple[int, float] = (0, np.inf)
    """The last trial that was better by 2 %, and its error or distance."""
    ended: str = ""
    diverged: bool = False
    floor: bool = False

    def add(self, trial: Trial, peak: float) -> None:
        """Take in a trial and its largest measured error; `ended` says why it was the last one, if it was."""
        error, k = trial.seen, len(self.errors) + 1
        self.errors.append(error)
        measure = trial.torque_distance if self.keep == "torque" and np.isfinite(error) else error
        if measure < self.least:
            self.best, self.least = k, measure
            if measure < IMPROVEMENT_RATIO * self.improved[1]:
                self.improved = (k, measure)
        grows = k > DIVERGENCE_RISES and all(np.diff(self.errors[-DIVERGENCE_RISES - 1 :]) > 0)
        if trial.failed is not None:
            self._diverge(f"trial {k} blew up at t = {trial.failed:.4g} s")
        elif peak <= self.tolerance:
            self.ended = f"the largest measured error, {peak:.3g}, is within the tolerance {self.tolerance:g}"
        elif error > DIVERGENCE_RATIO * self.errors[0]:
            self._diverge(f"the error of trial {k} is {error / self.errors[0]:.3g} times that of trial 1")
        elif grows and error > DIVERGENCE_GROWTH * (least := min(self.errors)):
            number = self.errors.index(least) + 1
            self._diverge(f"the error grows: trial {k} has {error / least:.3g} times that of trial {number}")
        elif self.patience and k - self.improved[0] >= self.patience:
            self.floor = True
            self.ended = f"the {self.keep} stopped improving; the last {self.patience} trials brought less than 2 %"

    def _diverge(self, words: str) -> None:
        kept = f"; the torque of trial {self.best} is kept" if self.best else ""
        self.ended, self.diverged = words + kept, True


def noise_alone(sampling: Sampling, weights: Array) -> float:
    """The measured error of a trial without any true error: noise, and the rounding of the encoders."""
    steps = np.array(sampling.resolution)
    return float(np.sqrt(weights @ (sampling.noise[0] ** 2 + steps**2 / 12)))


def reasons(
    monitor: ConvergenceMonitor, last: Trial, update: Update, conditions: Sequence[Condition], noise: float
) -> list[str]:
    """The likely reasons of a divergence or a floor, the most likely first; `noise` is the error of noise alone."""
    noise_floor = monitor.floor and last.seen < NOISE_FLOOR * noise
    poor = monitor.floor and (not update.ahead or min(monitor.errors) > POOR_FLOOR * monitor.errors[0])
    causes: list[str] = []
    if monitor.diverged or (poor and not noise_floor):
        causes += [condition.detail for condition in conditions if condition.holds is False]
    if noise_floor:
        causes.append(
            f"This is the noise floor: the measured error is {last.seen:.3g}, of which noise and encoders alone make "
            f"{noise:.3g}."
        )
    if noise and update.cutoff is None and (monitor.diverged or monitor.floor):
        causes.append("Noise is learned with the error and adds up over trials; a filter (cutoff=...) keeps it out.")
    if last.saturated:
        causes.append(
            f"Motors were at their limit in {100 * last.saturated:.3g} % of the samples of the last trial: torque "
            "beyond the limit cannot be learned."
        )
    if monitor.floor and not causes:
        causes.append(
            f"The rest is beyond a torque that is held for {update.period:g} s: K_P e + K_D ed is zero at the "
            "samples, e and ed alone are not."
        )
    return causes
