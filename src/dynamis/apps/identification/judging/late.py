"""Torques that are late or early against the motion.

Coulomb friction that changes its sign has no slope, so that delays are tried one by one: the one whose torques, shifted
back, leave least when the model is fitted to them again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.judging.look import FEW, Look
from dynamis.apps.identification.logs.samples import Samples
from dynamis.apps.identification.logs.time_stamps import median_step

TRIED_DELAYS = np.array([0, 2, 5, 10, 15, 20, 30, 40, 50, 65, 80, 100, 125, 150, 200]) / 1000
"""Delays that are tried, both ways [s]; longer ones leave fits that nobody trusts."""
MIN_DELAY, MAX_RESIDUAL_RATIO = 0.008, 0.85
"""A delay counts from so many seconds on, where it leaves at most this part of the residuals."""


def late(model: LinearModel, runs: Sequence[Samples]) -> list[str]:
    """The delay of the torques in a sentence, where there is one."""
    step = median_step(np.concatenate([run.t for run in runs]))
    room = min(max(map(len, runs)) // 4, round(float(TRIED_DELAYS[-1]) / step))
    runs = [run for run in runs if len(run) >= 4 * room]
    every = max(1, sum(map(len, runs)) // FEW)
    rows = [np.arange(room, len(run) - room, every) for run in runs]
    look = Look.at(model, [run.part(k) for run, k in zip(runs, rows, strict=True)])
    shifts = np.array([x for x in (*-TRIED_DELAYS[:0:-1], *TRIED_DELAYS) if abs(x) <= room * step])
    if len(shifts) < 3:
        return []
    left: list[float] = []
    for shift in shifts.tolist():
        whole, part = divmod(shift / step, 1.0)
        # Linearly between two samples.
        tau = np.concatenate([
            (1 - part) * run.tau[k + int(whole)] + part * run.tau[np.minimum(k + int(whole) + 1, len(run) - 1)]
            for run, k in zip(runs, rows, strict=True)
        ])  # fmt: skip
        left.append(float(np.linalg.norm(look.unexplained(tau * look.weights))))
    best, now = int(np.argmin(left)), left[int(np.flatnonzero(shifts == 0)[0])]
    delay = float(shifts[best])
    if 0 < best < len(shifts) - 1:
        a, b, _ = np.polyfit(shifts[best - 1 : best + 2], np.square(left[best - 1 : best + 2]), 2)
        delay = float(-b / (2 * a)) if a > 0 else delay
    if abs(delay) < MIN_DELAY or left[best] >= MAX_RESIDUAL_RATIO * now:
        return []
    return [
        f"the torques are {1e3 * abs(delay):.2g} ms {'late' if delay > 0 else 'early'} against the motion: shifted by "
        f"as much the fit leaves {left[best] / now:.0%} of its error. Shift them in the log."
    ]
