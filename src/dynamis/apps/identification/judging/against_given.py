"""A log against the robot as it was given: units, gains, signs, zeros and orders of joints that do not match.

The torque of every joint is fitted by what the given masses make of the motion,

    tau_j = a g_j(q) + b (whole_j(q, qd, qdd) - g_j(q)) + friction + constant

With the right signs and gains a and b are near 1, however fast the motion is. Where little of the torque is explained,
mistakes that people make are tried: the zero of a joint elsewhere, a joint that turns the other way, the columns of two
joints in each other's place. A mistake that explains most of the torque is the likely one: a fit would swallow it,
with CoMs that lie elsewhere.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.fitting.statistics import column_scales
from dynamis.base.arrays import Array
from dynamis.motion.trajectories.trajectory import Motion

OTHER_UNIT = 30.0
"""Torques that differ by more than this factor from the given model's are in another unit: the next are 1000 apart."""
WRONG_GAIN_FACTOR = 2.5
"""A factor between the torque of one joint and the given model's that masses hardly explain: its gain may be wrong."""
OTHER_ROBOT_RATIO = 1.2
"""|torques - those of the given links| / |torques| above which the given robot is hardly that of the log."""
MIN_UNEXPLAINED_SHARE = 0.1
"""Of the variation of a torque, what the given model may leave before mistakes are tried."""
MIN_TORQUE_SHARE = 0.05
"""Torques of the given links below this part of the largest one tell little against them."""
LIKELY_MISTAKE_RATIO = 0.6
"""A mistake is likely when it leaves less than this part of what is left without it."""
ZEROS = np.radians([30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180])
LOG_STRETCHES = 5
NEAR = np.radians(10)
"""Moves of a zero between which a parabola is laid through what is left."""
MAX_TRIED_SAMPLES = 300
"""Samples that a mistake is tried on."""


@dataclass(frozen=True)
class Comparison:
    """Torques fitted by those of the given links: factors (n, 2) of gravity and of the rest, and what is left."""

    columns: tuple[Array, ...]
    """What the torque of every coordinate is fitted by: the two parts, friction, a constant."""
    tau: Array
    factors: Array
    parts: Array
    """(n, 2): standard deviations of the two parts, with their factors."""
    left: Array
    """Standard deviation of what is left, per coordinate."""
    variation: Array
    size: Array
    """Standard deviation of the given model's torque."""

    def share(self, also: NDArray[np.bool_]) -> float:
        """The largest part of the variation that is left, of joints on which the links bear at all, and of others."""
        counted = (self.loaded | also) & (self.variation > 0)
        return float((self.left[counted] / self.variation[counted]).max(initial=0.0))

    @cached_property
    def errors(self) -> Array:
        """Standard errors of the factors (n, 2), by how far the fits without one stretch each go apart (jackknife)."""
        return np.array([_disagreement(A, self.tau[:, j])[:2] for j, A in enumerate(self.columns)])

    @property
    def larger(self) -> NDArray[np.intp]:
        """Which of the two parts is the larger one, per coordinate."""
        return (self.parts[:, 1] > self.parts[:, 0]).astype(np.intp)

    def factor(self, j: int) -> tuple[float, float]:
        """The factor of the larger part of coordinate j, and its standard error."""
        return float(self.factors[j, self.larger[j]]), float(self.errors[j, self.larger[j]])

    def tells(self, j: int) -> bool:
        """Whether the given links bear so much of the torque of coordinate j that their factor tells its gain."""
        return self.parts[j, self.larger[j]] > max(2 * self.left[j], 0.25 * self.variation[j])

    @property
    def loaded(self) -> NDArray[np.bool_]:
        """Joints on which the given links bear more than a little."""
        return self.size > MIN_TORQUE_SHARE * max(float(self.size.max(initial=0.0)), 1e-300)


def compare_torques(model: LinearModel, motion: Motion, tau: Array) -> Comparison:
    """The torques beside those of the given links, and of the given rotors."""
    q, qd, qdd = motion
    given, zero = model.parameters(), np.zeros_like(q)
    rotors = [k for k, x in enumerate(model.drives) if x.kind == "rotor"]
    drives = model.drive_columns(q, qd, qdd)
    spinning = drives[:, :, rotors] @ given[model.inertial :][rotors] if rotors else zero
    sprung = [k for k, x in enumerate(model.drives) if x.kind == "spring"]
    gravity = model.robot.regressor(q, zero, zero) @ given[: model.inertial]
    whole = model.robot.regressor(q, qd, qdd) @ given[: model.inertial] + spinning
    n = model.robot.n
    factors, parts, left, fitted_by = np.zeros((n, 2)), np.zeros((n, 2)), np.zeros(n), list[Array]()
    for j in range(n):
        # A rotor of which nothing is given may be anything.
        free = [qdd[:, j]] if rotors and not spinning[:, j].any() else []
        springs = [drives[:, j, k] for k in sprung if model.A[model.drives[k].joint, j]]
        others = [qd[:, j], np.sign(qd[:, j]), np.ones(len(q)), *springs, *free]
        columns = np.column_stack([gravity[:, j], whole[:, j] - gravity[:, j], *others])
        x = np.linalg.lstsq(columns, tau[:, j], rcond=None)[0]
        factors[j], left[j] = x[:2], (tau[:, j] - columns @ x).std()
        fitted_by.append(columns)
        parts[j] = np.abs(x[:2]) * columns[:, :2].std(axis=0)
    return Comparison(tuple(fitted_by), tau, factors, parts, left, tau.std(axis=0), whole.std(axis=0))


def _disagreement(columns: Array, right: Array) -> Array:
    """Jackknife errors of least squares over stretches of the rows."""
    scales = column_scales(columns)
    edges = np.linspace(0, len(right), LOG_STRETCHES + 1).astype(int)
    parts = [(columns[a:b] / scales, right[a:b]) for a, b in itertools.pairwise(edges)]
    N, r = np.array([A.T @ A for A, _ in parts]), np.array([A.T @ b for A, b in parts])
    others = zip(N.sum(axis=0) - N, r.sum(axis=0) - r, strict=True)
    without: list[Array] = [np.linalg.lstsq(Nk, rk, rcond=1e-12)[0] for Nk, rk in others]
    return np.sqrt((LOG_STRETCHES - 1) * np.var(without, axis=0)) / scales


def against_given(model: LinearModel, motion: Motion, x: Comparison, blind: bool) -> list[str]:
    """What looks wrong, in sentences. `blind`: only units are compared."""
    names, tau, loaded = model.joint_names, x.tau, x.loaded
    constant = x.variation <= 1e-12 * np.abs(tau).max(axis=0, initial=0.0)
    unmeasured = [name for j, name in enumerate(names) if loaded[j] and constant[j]]
    if unmeasured:
        which = in_words(unmeasured)
        return [f"the torque of {which} never changes, though that of the given links does: it was not measured."]
    said: list[str] = []
    ratio = float(np.median(x.variation[loaded] / np.maximum(x.size[loaded], 1e-300)))
    if loaded.any() and not 1 / OTHER_UNIT < ratio < OTHER_UNIT:
        said.append(
            f"the torques are {ratio:.3g} times as large as those of the given model: their unit is not N m (or N), or "
            "the log is of another robot."
        )
    if blind:
        return said
    opposite = [
        f"{name} ({x.factors[j, 0]:.2f} times)"
        for j, name in enumerate(names)
        if x.factors[j, 0] + 2 * x.errors[j, 0] < -0.3 and x.parts[j, 0] > max(0.5 * x.left[j], 0.02 * x.variation[j])
    ]
    if opposite:
        said.append(
            f"{_torques(opposite)} opposite to the gravity torque of the given model: a wrong sign, or the log is of "
            "another robot."
        )
    said = said or _mistake(model, motion, tau, names)
    far: list[str] = []
    for j, name in enumerate(names):
        factor, error = x.factor(j)
        if x.tells(j) and not 1 / WRONG_GAIN_FACTOR - 2 * error < abs(factor) < WRONG_GAIN_FACTOR + 2 * error:
            far.append(f"{name} ({factor:.2g} times)")
    if far and not said:
        said.append(
            f"{_torques(far)} far from what the given masses make: check sign, unit and drive gain, unless these "
            "masses are only guesses."
        )
    left = np.linalg.norm(tau - np.column_stack([A[:, 0] + A[:, 1] for A in x.columns])) / np.linalg.norm(tau)
    if left > OTHER_ROBOT_RATIO and not said:
        said.append(
            f"the given model predicts the torques worse than zero does ({left:.2g} times their size is left): the log "
            "is of another robot, unless the given masses are only guesses."
        )
    return said


def zero_beside_given(model: LinearModel, motion: Motion, x: Comparison, i: int) -> float | None:
    """By how much the zero of a revolute coordinate is off for the given links [rad]; None where they do not tell."""
    if not model.robot.coordinates[i].revolute:
        return None
    few = slice(None, None, max(1, len(x.tau) // MAX_TRIED_SAMPLES))
    (q, qd, qdd), tau = (y[few] for y in motion), x.tau[few]
    step = NEAR * np.eye(model.robot.n)[i]
    moved = [compare_torques(model, (q + k * step, qd, qdd), tau) for k in (-1, 0, 1)]
    sizes = np.maximum(moved[1].left, 1e-9 * max(float(x.variation.max(initial=0.0)), 1e-300))
    a, b, c = (float(((y.left / sizes) ** 2).sum()) for y in moved)
    if a - 2 * b + c < NEAR**2:
        return None
    zero = -NEAR * (a - c) / 2 / (a - 2 * b + c)
    return zero if abs(zero) < 3 * NEAR else None


def _mistake(model: LinearModel, motion: Motion, tau: Array, names: Sequence[str]) -> list[str]:
    """The mistake that explains most of what the given model does not, if there is one."""
    few = slice(None, None, max(1, len(tau) // MAX_TRIED_SAMPLES))
    motion, tau = (motion[0][few], motion[1][few], motion[2][few]), tau[few]
    given = compare_torques(model, motion, tau)
    share = given.share(given.loaded)
    if share < MIN_UNEXPLAINED_SHARE:
        return []
    # What was badly explained must be explained where it goes, be it to a joint that bears nothing.
    found = [
        (compare_torques(model, other, tau[:, order] * signs).share(given.loaded[order]), text)
        for text, other, order, signs in _mistakes(model, motion, names)
    ]
    best, text = min(found, default=(share, ""))
    if best > LIKELY_MISTAKE_RATIO * share:
        return []
    return [
        f"the given model fits the log much better {text} (at most {best:.0%} of a torque left instead of {share:.0%})."
    ]


def _mistakes(
    model: LinearModel, motion: Motion, names: Sequence[str]
) -> Iterator[tuple[str, Motion, NDArray[np.intp], Array]]:
    """Mistakes that a log may have: in words, the motion without it, and the order and signs of its torques."""
    q, qd, qdd = motion
    same, ones = np.arange(model.robot.n), np.ones(model.robot.n)
    for j, coordinate in enumerate(model.robot.coordinates):
        unit = np.eye(model.robot.n)[j]
        if coordinate.revolute:
            for angle in ZEROS:
                where = f"with the zero of {names[j]} moved by {np.degrees(angle):.0f} degrees"
                yield where, (q + angle * unit, qd, qdd), same, ones
        signs = 1 - 2 * unit
        yield f"with {names[j]} turning the other way", (q * signs, qd * signs, qdd * signs), same, signs
        for i in range(j):
            order = same.copy()
            order[[i, j]] = j, i
            text = f"with {names[i]} and {names[j]} in each other's place"
            yield text, (q[:, order], qd[:, order], qdd[:, order]), order, ones


def _torques(names: Sequence[str]) -> str:
    return f"the torque{'s' * (len(names) > 1)} of {in_words(names)} {'are' if len(names) > 1 else 'is'}"


def in_words(names: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
