"""When the trials end, and why: the tolerance is met, the error stops improving, or it grows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.simulation.controllers.law import Condition
from dynamis.simulation.learning.operator import LearningOperator
from dynamis.simulation.learning.result import Trial
from dynamis.simulation.learning.update import Update
from dynamis.simulation.loop.system import Sampling

KEEP = ("error", "torque")
"""By what the best trial is chosen: the measured error, or the distance of its torque from the analytic one."""
BETTER = 0.98
"""An error below this part of the best one is an improvement."""
POOR = 0.1
"""A floor above this part of the first error asks for the reasons of a divergence."""
WORSE, RISES, FAR = 2.0, 3, 10.0
"""Diverging: above twice the best error after three rises in a row, or above ten times the first error."""


@dataclass
class Watch:
    """Looks at the measured errors of the trials as they come."""

    tolerance: float
    patience: int
    """Trials without improvement before the end; 0 for no such end."""
    keep: str = "error"
    kept: int = 0
    """The number of the trial whose torque is kept, from 1; 0 as long as none was sound."""
    least: float = np.inf
    errors: list[float] = field(default_factory=list[float])
    best: int = 0
    """The number of the best trial, from 1; 0 as long as none was sound."""
    mark: int = 0
    """The last trial that was an improvement."""
    ended: str = ""
    diverged: bool = False
    floor: bool = False

    def look(self, trial: Trial, seen_peak: float) -> None:
        """Take in a trial; `ended` says why it was the last one, if it was."""
        self.errors.append(np.inf if trial.failed is not None else trial.seen)
        e, k = self.errors, len(self.errors)
        if not self.best or e[-1] < e[self.best - 1]:
            improved = not self.mark or e[-1] < BETTER * e[self.mark - 1]
            self.best, self.mark = (k, k if improved else self.mark) if np.isfinite(e[-1]) else (self.best, self.mark)
        measure = e[-1] if self.keep == "error" or trial.failed is not None else trial.torque_distance
        if measure < self.least:
            self.kept, self.least = k, measure
        if trial.failed is not None:
            self._diverge(f"trial {k} blew up at t = {trial.failed:.4g} s")
        elif seen_peak <= self.tolerance:
            self.ended = f"the largest measured error, {seen_peak:.3g}, is within the tolerance {self.tolerance:g}"
        elif e[-1] > FAR * e[0]:
            self._diverge(f"the error of trial {k} is {e[-1] / e[0]:.3g} times that of trial 1")
        elif e[-1] > WORSE * e[self.best - 1] and len(e) > RISES and all(np.diff(e[-RISES - 1 :]) > 0):
            self._diverge(
                f"the error grows: trial {k} has {e[-1] / e[self.best - 1]:.3g} times that of trial {self.best}"
            )
        elif self.patience and k - self.mark >= self.patience:
            self.floor = True
            self.ended = f"the error stopped improving; the last {self.patience} trials brought less than 2 %"

    def _diverge(self, words: str) -> None:
        kept = f"; the torque of trial {self.kept} is kept" if self.kept else ""
        self.ended, self.diverged = words + kept, True


def noise_alone(sampling: Sampling, weights: Array) -> float:
    """The measured error of a trial without any true error: noise, and half steps of the encoders."""
    steps = np.array(sampling.resolution)
    return float(np.sqrt(weights @ (sampling.noise[0] ** 2 + steps**2 / 12)))


def reasons(
    monitor: Watch, trials: list[Trial], update: Update, damping: Condition, operator: LearningOperator | None,
    sampling: Sampling, weights: Array,
) -> list[str]:  # fmt: skip
    """What is likely behind a divergence or a floor, the most likely first."""
    found: list[str] = []
    noise = noise_alone(sampling, weights)
    last = trials[-1]
    poor = monitor.floor and last.seen > 3 * noise and min(monitor.errors) > POOR * monitor.errors[0]
    if monitor.diverged or poor:
        if operator and operator.loop >= 1:
            wrong = f"The PD loop itself is not stable (largest |z| {operator.loop:.4g}): "
            pulled = "gravity or a load pulls away more than K_P holds; more K_P, and K_D with it."
            fast = f"samples every {update.period:g} s are too slow for it; less gain, mainly K_D, or a shorter period."
            found.append(wrong + (pulled if operator.falls else fast))
        if operator and operator.radius is not None and operator.radius > 1:
            found.append(
                f"The gain of learning is too high: the spectral radius is {operator.radius:.4g}; "
                f"{2 / (1 + operator.radius):.3g} times the gain is the bound."
            )
        elif operator and operator.norm is not None and operator.norm > 1.0005:
            found.append(
                f"Linearised, a part of the torque's error may grow up to {operator.norm:.4g} times in a trial."
            )
        if damping.holds is False:
            less = "A gain below 2" if update.gain >= 2 else "More K_D or less K_P"
            found.append(f"The sufficient condition does not hold: {damping.detail} {less} would be safe.")
    if monitor.floor and noise and last.seen < 3 * noise:
        found.append(
            f"This is the noise floor: the measured error is {last.seen:.3g}, of which noise and encoders alone make "
            f"{noise:.3g}."
        )
    if noise and update.cutoff is None and (monitor.diverged or monitor.floor):
        found.append("Noise is learned with the error and adds up over trials; a filter (cutoff=...) keeps it out.")
    if last.saturated:
        found.append(
            f"Motors were at their limit in {100 * last.saturated:.3g} % of the samples of the last trial: what lies "
            "beyond the limit cannot be learned."
        )
    late = monitor.diverged and monitor.best > 1  # it had fallen before
    if not update.ahead and (late or ((monitor.diverged or monitor.floor) and not found)):
        found.append(
            "Every sample learns from the error that it starts with, not from the one that it makes, which adds up "
            "over many trials; ahead=1 learns from the next sample."
        )
    elif monitor.floor and not found:
        found.append(
            f"What is left is what a torque held for {update.period:g} s cannot do: K_P e + K_D ed is zero at the "
            "samples, e and ed alone are not."
        )
    return found


def settings_of(values: dict[str, Any]) -> dict[str, Any]:
    """Settings as plain data."""
    return {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in values.items()}
