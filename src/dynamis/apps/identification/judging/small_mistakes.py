"""Small mistakes that the joints of a log tell of each other: a wrong gain, a zero that is off, torques that are late.

The torques of all joints share parameters, so that a mistake in one of them contradicts the others, whatever masses
were given. With a mistake of size d the torques are Y beta + c d,

    gain of joint j       c = Y_j beta, its own torque
    zero of joint i       c = d(Y beta)/dq_i

and beta adapts to it: only the part of c that no parameters explain tells. With M = I - Q Q^T, where Q spans the
columns of Y (rows weighted by joint), and the residual r,

    d = c^T M r / c^T M c        standard error  s / |M c|

A large standard error is an answer too: this log looks the same with the mistake and without it. Late torques are
found by the residuals of torques that are shifted in time: Coulomb friction that changes its sign has no slope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.identification.fitting.estimators import solve
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.fitting.statistics import SINGULAR, column_scales
from dynamis.apps.identification.logs.samples import Samples
from dynamis.apps.identification.logs.time_stamps import median_step
from dynamis.base.arrays import Array

State = tuple[Array, Array, Array, Array]
"""q, qd, qdd and the columns of dry friction, filtered as the torques were."""
FEW = 600
"""Samples that are looked at."""
SHIFTS = np.array([0, 2, 5, 10, 15, 20, 30, 40, 50, 65, 80, 100, 125, 150, 200]) / 1000
"""Delays that are tried, both ways [s]; longer ones leave fits that nobody trusts."""
ROUNDS = 8
"""Of Gauss and Newton, for a mistake that is large."""
SURE = 4.0
"""Standard errors: residuals that remember, and friction of another kind, make three no rarity."""
GAIN, ZERO, SLIDE = 0.5, np.radians(6), 0.03
"""Relative gains, and zeros of revolute [rad] and prismatic joints [m], that are off by less are within what
calibration and friction of another kind leave. Where two standard errors are larger than that nothing is told:
friction makes zeros of 90 +- 15 degrees of wrists whose links bear little."""
ABSURD, FAR = 12.0, 8.0
"""Gains and, as multiples of the above, zeros beyond these are not what is wrong: a step along a slope does not go so
far."""
LATE, LEFT = 0.008, 0.85
"""A delay counts from so many seconds on, where it leaves at most this part of the residuals."""


@dataclass(frozen=True)
class Mistake:
    """The size of a mistake at a coordinate that fits best, with its standard error."""

    joint: int
    size: float
    error: float
    limit: float
    """The size from which on it counts: GAIN, ZERO or SLIDE."""

    @property
    def sure(self) -> bool:
        """Whether it is not noise."""
        return abs(self.size) > SURE * self.error

    @property
    def checked(self) -> bool:
        """Whether it is sure not to count, by two standard errors."""
        return abs(self.size) + 2 * self.error <= self.limit


@dataclass(frozen=True)
class SmallMistakes:
    """What the joints of a log say of each other."""

    gains: tuple[Mistake, ...]
    """Relative: 2 where the torque is three times what the other joints expect."""
    zeros: tuple[Mistake, ...]
    """Of coordinates whose zero changes any torque [rad or m]."""
    delay: float
    """By which the torques are late [s], 0 where that explains little."""
    delay_left: float
    """RMS of the residuals without this delay, relative to that with it."""

    def sentences(self, names: Sequence[str]) -> list[str]:
        """The mistakes that this log has."""
        if self.delay:
            return [
                f"the torques are {1e3 * abs(self.delay):.2g} ms {'late' if self.delay > 0 else 'early'} against the "
                f"motion: shifted by as much the fit leaves {self.delay_left:.0%} of its error. Shift them in the log."
            ]
        gains = [x for x in self.gains if x.sure and 2 * x.error < x.limit * abs(1 + x.size)]
        zeros = [x for x in self.zeros if x.sure and 2 * x.error < x.limit]
        gain = max(gains, key=lambda x: abs(np.log(max(1 + x.size, 1e-9))), default=None)
        zero = max(zeros, key=lambda x: abs(x.size / x.error), default=None)
        if gain is not None and not 1 / (1 + GAIN) < 1 + gain.size < 1 + GAIN:
            if not 1 / ABSURD < 1 + gain.size < ABSURD:
                return [_contradicted(names[gain.joint])]
            return [
                f"the torque of {names[gain.joint]} is {1 + gain.size:.2g} times what those of the other joints "
                f"expect (standard error {gain.error:.1g}): check its unit and drive gain."
            ]
        if zero is not None and abs(zero.size) > zero.limit:
            if abs(zero.size) > FAR * zero.limit:
                return [_contradicted(names[zero.joint])]
            by, unit = (1000, "mm") if zero.limit == SLIDE else (180 / np.pi, "degrees")
            return [
                f"the torques fit better with the zero of {names[zero.joint]} moved by {by * zero.size:.0f} {unit} "
                f"(standard error {by * zero.error:.1g})."
            ]
        return []


def _contradicted(name: str) -> str:
    return (
        f"the torques of the other joints contradict that of {name}: columns, signs or zeros are wrong, or the log is "
        "of another robot."
    )


def small_mistakes(model: LinearModel, runs: Sequence[Samples], beta: Array, memory: Array) -> SmallMistakes:
    """Gains, zeros and the delay, each as if it were the only mistake.

    memory: of the residuals per coordinate, in samples (residuals.py)
    """
    step = median_step(np.concatenate([run.t for run in runs]))
    room = min(max(map(len, runs)) // 4, round(float(SHIFTS[-1]) / step))
    runs = [run for run in runs if len(run) >= 4 * room]
    n, every = model.robot.n, max(1, sum(map(len, runs)) // FEW)
    rows = [np.arange(room, len(run) - room, every) for run in runs]
    motion, tau = _at(model, runs, rows)
    fit = _fitted(model, motion, tau, beta)
    # What the residuals still remember from one of these samples to the next.
    again = np.sqrt(max(1.0, float(memory.mean()) / every))
    gains = [_gain(model, motion, tau, fit, j, again) for j in range(n)]
    zeros: list[Mistake] = []
    for i, coordinate in enumerate(model.robot.coordinates):
        little = 1e-4 * np.eye(n)[i]
        ahead, behind = (model.torques(beta, motion[0] + x, *motion[1:]) for x in (little, -little))
        if np.abs(ahead - behind).max() > 1e-8 * np.abs(fit.predicted).max():
            limit = ZERO if coordinate.revolute else SLIDE
            zeros.append(fit.mistake(i, (ahead - behind) / 2e-4, again, limit))
    return SmallMistakes(tuple(gains), tuple(zeros), *_delay(fit, runs, rows, room, step))


@dataclass(frozen=True)
class _Fit:
    """A fit to some samples: its torques, weights per joint, the directions that parameters explain, and M r."""

    predicted: Array
    weights: Array
    A: Array
    Q: Array
    left: Array

    def unexplained(self, tau: Array) -> Array:
        """M of torques (samples, n), in weighted rows."""
        flat = (tau * self.weights).T.ravel()
        return flat - self.Q @ (self.Q.T @ flat)

    def mistake(self, joint: int, c: Array, again: float, limit: float = GAIN) -> Mistake:
        """The size of the mistake whose derivative is c."""
        told, whole = self.unexplained(c), float(np.linalg.norm(c * self.weights))
        size = float(np.linalg.norm(told))
        if size <= 1e-7 * whole:
            return Mistake(joint, 0.0, np.inf, limit)
        error = again * float(np.linalg.norm(self.left)) / np.sqrt(max(len(told) - self.Q.shape[1], 1)) / size
        return Mistake(joint, float(told @ self.left) / size**2, error, limit)


def _at(model: LinearModel, runs: Sequence[Samples], rows: Sequence[NDArray[np.intp]]) -> tuple[State, Array]:
    """Motion, columns of dry friction, and torques at some rows of the runs."""
    some = [run.part(k) for run, k in zip(runs, rows, strict=True)]
    q, qd, qdd, tau = (np.concatenate([getattr(run, key) for run in some]) for key in ("q", "qd", "qdd", "tau"))
    return (q, qd, qdd, np.concatenate([run.filtered(model.dry_columns) for run in some])), tau


def _fitted(model: LinearModel, motion: State, tau: Array, beta: Array) -> _Fit:
    columns = model.base_columns(*motion)
    predicted = np.column_stack([Y @ beta[list(row)] for Y, row in zip(columns, model.rows, strict=True)])
    rms = np.sqrt(((tau - predicted) ** 2).mean(axis=0))
    weights = 1 / np.maximum(rms, 1e-9 * max(float(np.abs(tau).max(initial=0.0)), 1e-300))
    A = np.zeros((model.robot.n * len(tau), len(beta)))
    for j, row in enumerate(model.rows):
        A[j * len(tau) : (j + 1) * len(tau), list(row)] = columns[j] * weights[j]
    Q, R = np.linalg.qr(A / column_scales(A))
    U, values, _ = np.linalg.svd(R)
    fit = _Fit(predicted, weights, A, Q @ U[:, values > SINGULAR * values.max(initial=0.0)], np.zeros(0))
    return replace(fit, left=fit.unexplained(tau))


def _gain(model: LinearModel, motion: State, tau: Array, fit: _Fit, j: int, again: float) -> Mistake:
    """The gain of joint j; a large one in several steps, each with the torque that the last one leaves."""
    own = np.eye(model.robot.n)[j]
    found = fit.mistake(j, fit.predicted * own, again)
    if not (found.sure and abs(found.size) > GAIN / 2):
        return found
    factor = 1.0
    for _ in range(ROUNDS):
        # A step never changes a gain by more than a factor of 3, so that it keeps its sign.
        factor *= float(np.clip(1 + found.size, 1 / 3, 3))
        right = tau / (1 + (factor - 1) * own)
        nothing = np.zeros_like(fit.A[0])
        beta = solve(fit.A, (right * fit.weights).T.ravel(), nothing)
        fit = _fitted(model, motion, right, beta)
        found = fit.mistake(j, fit.predicted * own, again)
        if abs(found.size) < 0.02:
            break
    return Mistake(j, factor - 1, found.error * factor, GAIN)


def _delay(
    fit: _Fit, runs: Sequence[Samples], rows: Sequence[NDArray[np.intp]], room: int, step: float
) -> tuple[float, float]:
    """By how much the torques are late [s], and what is left of the residuals without it."""
    shifts = np.array([x for x in (*-SHIFTS[:0:-1], *SHIFTS) if abs(x) <= room * step])
    left: list[float] = []
    for shift in shifts.tolist():
        whole, part = divmod(shift / step, 1.0)
        # Linearly between two samples.
        tau = np.concatenate([
            (1 - part) * run.tau[k + int(whole)] + part * run.tau[np.minimum(k + int(whole) + 1, len(run) - 1)]
            for run, k in zip(runs, rows, strict=True)
        ])  # fmt: skip
        left.append(float(np.linalg.norm(fit.unexplained(tau))))
    if len(shifts) < 3:
        return 0.0, 1.0
    best, now = int(np.argmin(left)), float(np.linalg.norm(fit.left))
    delay = float(shifts[best])
    if 0 < best < len(shifts) - 1:
        a, b, _ = np.polyfit(shifts[best - 1 : best + 2], np.square(left[best - 1 : best + 2]), 2)
        delay = float(-b / (2 * a)) if a > 0 else delay
    known = abs(delay) >= LATE and left[best] < LEFT * now
    return (delay, left[best] / now) if known else (0.0, 1.0)
