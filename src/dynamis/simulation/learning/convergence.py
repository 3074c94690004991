"""When the trials end, and why: within the tolerance, no further improvement (a floor), or divergence."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dynamis.arrays import Array
from dynamis.simulation.controllers.law import Condition
from dynamis.simulation.learning.operator import LearningOperator
from dynamis.simulation.learning.result import Trial
from dynamis.simulation.learning.update import Update
from dynamis.simulation.loop.closed_loop import Sampling

KEEP = ("error", "torque")
"""What chooses the best trial: the measured error, or the distance of its torque from the analytic one."""
IMPROVEMENT = 0.98
"""A trial improves on the best one if its error is below this share of it: by 2 %."""
POOR_FLOOR = 0.1
"""A floor above this share of the first error is explained like a divergence."""
GROWTH, RISES, FAR = 2.0, 3, 10.0
"""Divergence: above twice the best error after three rises in a row, or above ten times the first error."""
NOISE_FLOOR = 3.0
"""An error below this many times what noise alone makes is a noise floor."""
NORM_ROUNDING = 5e-4
"""The norm ||T|| is known to about 1e-3; only above 1 by more than half of that it explains a growth."""


@dataclass
class ConvergenceMonitor:
    """The measured errors of the trials so far, which of them is best, and whether they end."""

    tolerance: float
    patience: int
    """Trials without improvement before the end; 0 for no such end."""
    keep: str = "error"
    kept: int = 0
    """The number of the trial whose torque is kept, from 1; 0 as long as none was finite."""
    least: float = np.inf
    errors: list[float] = field(default_factory=list[float])
    best: int = 0
    """The number of the trial with the smallest error, from 1; 0 as long as none was finite."""
    improved: int = 0
    """The last trial that was an improvement."""
    ended: str = ""
    diverged: bool = False
    floor: bool = False

    def add(self, trial: Trial, measured_peak: float) -> None:
        """Take in a trial; `ended` says why it was the last one, if it was."""
        error = np.inf if trial.failed is not None else trial.seen
        self.errors.append(error)
        e, k = self.errors, len(self.errors)
        if np.isfinite(error) and (not self.best or error < e[self.best - 1]):
            self.best = k
            if not self.improved or error < IMPROVEMENT * e[self.improved - 1]:
                self.improved = k
        measure = error if self.keep == "error" or trial.failed is not None else trial.torque_distance
        if measure < self.least:
            self.kept, self.least = k, measure
        if trial.failed is not None:
            self._diverge(f"trial {k} blew up at t = {trial.failed:.4g} s")
        elif measured_peak <= self.tolerance:
            self.ended = f"the largest measured error, {measured_peak:.3g}, is within the tolerance {self.tolerance:g}"
        elif error > FAR * e[0]:
            self._diverge(f"the error of trial {k} is {error / e[0]:.3g} times that of trial 1")
        elif error > GROWTH * e[self.best - 1] and k > RISES and all(np.diff(e[-RISES - 1 :]) > 0):
            self._diverge(
                f"the error grows: trial {k} has {error / e[self.best - 1]:.3g} times that of trial {self.best}"
            )
        elif self.patience and k - self.improved >= self.patience:
            self.floor = True
            self.ended = f"the error stopped improving; the last {self.patience} trials brought less than 2 %"

    def _diverge(self, words: str) -> None:
        kept = f"; the torque of trial {self.kept} is kept" if self.kept else ""
        self.ended, self.diverged = words + kept, True


def noise_alone(sampling: Sampling, weights: Array) -> float:
    """The measured error of a trial without any true error: noise, and the rounding of the encoders."""
    steps = np.array(sampling.resolution)
    return float(np.sqrt(weights @ (sampling.noise[0] ** 2 + steps**2 / 12)))


def reasons(
    monitor: ConvergenceMonitor, last: Trial, update: Update, damping: Condition, operator: LearningOperator,
    noise: float,
) -> list[str]:  # fmt: skip
    """The likely reasons of a divergence or a floor, the most likely first; `noise` is the error of noise alone."""
    stalled = monitor.diverged or monitor.floor
    noise_floor = monitor.floor and last.seen < NOISE_FLOOR * noise
    poor = monitor.floor and not noise_floor and min(monitor.errors) > POOR_FLOOR * monitor.errors[0]
    causes = _unstable(update, damping, operator) if monitor.diverged or poor else []
    if noise_floor:
        causes.append(
            f"This is the noise floor: the measured error is {last.seen:.3g}, of which noise and encoders alone make "
            f"{noise:.3g}."
        )
    if noise and update.cutoff is None and stalled:
        causes.append("Noise is learned with the error and adds up over trials; a filter (cutoff=...) keeps it out.")
    if last.saturated:
        causes.append(
            f"Motors were at their limit in {100 * last.saturated:.3g} % of the samples of the last trial: torque "
            "beyond the limit cannot be learned."
        )
    grew_again = monitor.diverged and monitor.best > 1
    if not update.ahead and (grew_again or (stalled and not causes)):
        causes.append(
            "Every sample learns from the error that it starts with, not from the one that it makes, which adds up "
            "over many trials; ahead=1 learns from the next sample."
        )
    elif monitor.floor and not causes:
        causes.append(
            f"The rest is beyond a torque that is held for {update.period:g} s: K_P e + K_D ed is zero at the "
            "samples, e and ed alone are not."
        )
    return causes


def _unstable(update: Update, damping: Condition, operator: LearningOperator) -> list[str]:
    """The conditions of convergence that do not hold, with what to change."""
    causes: list[str] = []
    if operator.loop >= 1:
        pulled = "gravity or a load pulls away more than K_P holds; more K_P, and K_D with it."
        fast = f"samples every {update.period:g} s are too slow for it; less gain, mainly K_D, or a shorter period."
        why = pulled if operator.falls else fast
        causes.append(f"The PD loop itself is not stable (largest |z| {operator.loop:.4g}): {why}")
    if operator.radius is not None and operator.radius > 1:
        causes.append(
            f"The gain of learning is too high: the spectral radius is {operator.radius:.4g}; "
            f"{2 / (1 + operator.radius):.3g} times the gain is the bound."
        )
    elif operator.norm is not None and operator.norm > 1 + NORM_ROUNDING:
        causes.append(f"Linearised, a part of the torque's error may grow up to {operator.norm:.4g} times in a trial.")
    if damping.holds is False:
        safe = "A gain below 2" if update.gain >= 2 else "More K_D or less K_P"
        causes.append(f"The sufficient condition does not hold: {damping.detail} {safe} would be safe.")
    return causes
