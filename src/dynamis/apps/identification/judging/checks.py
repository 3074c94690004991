"""Mistakes in a log that a fit would swallow: units, signs, joints in another order, joints that stand still.

A linear fit takes torques in any unit and of any sign, and gives masses that are wrong by the same factor. What gives
the mistake away are the derivatives of the positions, the gravity of the given model, and that kinetic energy is
positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.factor import Factor
from dynamis.apps.identification.fitting.linear_model import LinearModel, friction_column
from dynamis.apps.identification.judging.against_given import Comparison, against_given, in_words
from dynamis.apps.identification.logs.log import Log
from dynamis.apps.identification.logs.samples import Samples
from dynamis.apps.identification.logs.time_stamps import forward, median_step
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.base.faces import option
from dynamis.motion.trajectories.trajectory import Motion

MAX_TURNS = 2.0
"""Full turns of a revolute joint beyond which its positions are more likely degrees."""
LOOKED_AT = 2000
"""Samples of every log that the checks compute with."""
DEGREES_PER_RADIAN = 180 / np.pi
IMPOSSIBLE_VALUE = 1e12
"""No robot has such positions or torques."""
OUT_OF_ORDER = 0.05
"""Of the rows, whose time may lie before that of the row above; such rows are left out."""
STANDSTILL_RANGE = 1e-6
"""Ranges of positions [rad or m] and speeds of joints that stand still."""
NO_MOTION = "no joint moves in the log; standing still tells a few gravity torques and no inertia"
MAX_TIME_STEP = 0.2
"""The longest step [s] between samples from which velocities can be differentiated."""


def check_log(model: LinearModel, log: Log) -> None:
    """Raise where positions, velocities and times of a log cannot belong together."""
    names = model.joint_names
    step = median_step(log.t)
    back = int((np.diff(log.t[np.isfinite(log.t)]) < 0).sum())
    if back > OUT_OF_ORDER * len(log):
        raise ArgumentError(
            f"the time goes back at {back} of {len(log)} rows: check which column is the time, or sort the rows by it",
            key="data",
        )
    if not np.nanmax(np.ptp(log.tau, axis=0), initial=0.0) > 0 and np.isfinite(log.tau).all():
        raise ArgumentError("the torques never change in the log: they were not measured", key="data")
    for what, values in (("position", log.q), ("torque", log.tau)):
        for j, name in enumerate(names):
            largest = float(np.abs(values[np.isfinite(values[:, j]), j]).max(initial=0.0))
            if largest > IMPOSSIBLE_VALUE:
                raise ArgumentError(f"the {what} of {name} goes to {largest:.3g}: it is not in SI units", key="data")
    if log.qd is None and step > MAX_TIME_STEP:
        raise ArgumentError(
            f"samples are {step:.4g} s apart, too far to differentiate positions: the time looks like milliseconds or "
            'less (call its column "time [ms]", [us] or [ns]); if it is not, give measured velocities too',
            key="data",
        )
    if log.qd is None:
        for j, coordinate in enumerate(model.robot.coordinates):
            highest = float(np.abs(log.q[np.isfinite(log.q[:, j]), j]).max(initial=0.0))
            if coordinate.unit == "N m" and highest > MAX_TURNS * 2 * np.pi:
                raise ArgumentError(
                    f"the position of {names[j]} goes to {highest:.4g} rad, more than {MAX_TURNS:g} turns: it looks "
                    f"like degrees ({option('degrees')}); if it is not, give measured velocities too",
                    key="data",
                )
        return
    slopes, correlations = _velocities(log)
    for j, name in enumerate(names):
        ratio = slopes[j, j]
        other = next((k for k in range(len(names)) if k != j and correlations[j, k] > 0.9), None)
        if correlations[j, j] < 0.8 and other is not None:
            raise ArgumentError(
                f"the velocity of {names[other]} is the derivative of the position of {name}: columns are swapped",
                key="data",
            )
        if abs(correlations[j, j]) < 0.5 or 0.5 < ratio < 2:
            continue
        reasons = {
            "the position is in degrees and the velocity in rad/s": 1 / DEGREES_PER_RADIAN,
            "the position is in rad and the velocity in deg/s": DEGREES_PER_RADIAN,
            "the time is in milliseconds": 1000.0,
            "the time is in microseconds": 1e6,
            "the time is in nanoseconds": 1e9,
            "one of them has the wrong sign": -1.0,
        }
        reason = next((text for text, value in reasons.items() if abs(ratio / value - 1) < 0.3), "check their units")
        raise ArgumentError(
            f"the velocity of {name} is {ratio:.3g} times the derivative of its position: {reason}", key="data"
        )


def check_amount(model: LinearModel, samples: int, logs: Sequence[Log]) -> None:
    """Raise where there are too few samples for the parameters."""
    if not samples:
        moved = any((np.nanmax(log.q, axis=0) - np.nanmin(log.q, axis=0) > STANDSTILL_RANGE).any() for log in logs)
        raise ArgumentError(
            "trim, filter, standstill and decimation leave no samples of the log; it is too short"
            if moved
            else NO_MOTION,
            key="data",
        )
    needed = -(-4 * len(model.base) // max(model.robot.n, 1))
    if samples < needed:
        raise ArgumentError(
            f"{samples} usable samples are too few for {len(model.base)} parameters; at least {needed} are needed, and "
            "several hundred for errors that mean something",
            key="data",
        )


@dataclass(frozen=True)
class Estimated:
    """Parameters, their covariance, and what they are without one stretch of the samples each."""

    beta: Array
    covariance: Array
    blind: Sequence[Array]

    def errors(self, columns: Array, part: Sequence[int]) -> Array:
        """Standard errors of columns @ beta[part]: by the covariance, or by how far the stretches disagree.

        Residuals of a short log are not noise, and the covariance knows only noise.
        """
        rows, few = list(part), np.array([one[list(part)] for one in self.blind])
        noise = np.einsum("ki,ij,kj->k", columns, self.covariance[np.ix_(rows, rows)], columns)
        return np.sqrt(np.maximum(noise, max(len(few) - 1, 0) * (columns @ few.T).var(axis=1)))


def looked_at(runs: Sequence[Samples]) -> tuple[Motion, Array]:
    """Motion and torques of some of the samples."""
    some = [run.part(slice(None, None, max(1, len(run) // LOOKED_AT))) for run in runs]
    q, qd, qdd, tau = (np.concatenate([getattr(run, key) for run in some]) for key in ("q", "qd", "qdd", "tau"))
    return (q, qd, qdd), tau


def suspicions(
    model: LinearModel, of: Factor, motion: Motion, tau: Array, estimated: Estimated, given: Comparison | None,
    blind: bool,
) -> list[str]:  # fmt: skip
    """What looks wrong, in sentences, each a reason not to trust the fit.

    given: the torques beside those of the given links, where there are any
    blind: the log excites so little that only units and standstill can be told
    """
    robot, beta, (q, qd, qdd) = model.robot, estimated.beta, motion
    said: list[str] = []
    names = model.joint_names
    ranges, speeds = np.ptp(q, axis=0), np.abs(qd).max(axis=0, initial=0.0)
    still = [names[j] for j in range(robot.n) if max(ranges[j], speeds[j]) < STANDSTILL_RANGE]
    at_odds = [
        names[j] for j in range(robot.n) if min(ranges[j], speeds[j]) < STANDSTILL_RANGE <= max(ranges[j], speeds[j])
    ]
    odd = (
        f"{in_words(at_odds)}: positions and speeds contradict each other, as one of them stands still."
        if at_odds
        else ""
    )
    if len(still) + len(at_odds) == robot.n:
        raise ArgumentError(odd.rstrip(".") or NO_MOTION, key="data")
    if odd:
        said.append(odd)
    if still:
        said.append(f"{in_words(still)} never move{'s' * (len(still) == 1)}; what only this would excite is not told.")
    highest = float(np.abs(q[:, [x.unit == "N m" for x in robot.coordinates]]).max(initial=0.0))
    if highest > MAX_TURNS * 2 * np.pi and (of.rms(beta) > 0.2 * tau.std(axis=0)).any():
        said.append(
            f"positions go to {highest:.4g} rad and the fit is poor: they look like degrees ({option('degrees')})."
        )
    reasons = [] if given is None else against_given(model, motion, given, blind)
    if blind:
        return said + reasons
    # Whatever is wrong may make inertia or friction negative.
    consequences = _energies(model, (q, qdd), of.rms(beta), estimated, names) + _powers(model, qd, estimated)
    return said + (reasons or consequences)


def swapped_torques(of: Factor, names: Sequence[str]) -> list[str]:
    """Pairs of joints whose torques fit better in each other's place, each joint fitted by itself."""
    n = of.n
    left = np.array([
        [np.linalg.norm(of.R[j][len(of.model.rows[j]) :, len(of.model.rows[j]) + i]) for i in range(n)]
        for j in range(n)
    ])  # fmt: skip
    sizes = np.array([np.linalg.norm(of.right(i)) for i in range(n)])
    E = left / np.maximum(sizes, 1e-300)
    return [
        f"the torques of {names[j]} and {names[i]} fit better in each other's place ({E[j, i]:.0%} and {E[i, j]:.0%} "
        f"left instead of {E[j, j]:.0%} and {E[i, i]:.0%}): their columns look swapped."
        for j in range(n)
        for i in range(j)
        if E[j, i] < 0.5 * E[j, j] and E[i, j] < 0.5 * E[i, i] and min(E[j, j], E[i, i]) > 0.02
    ]


def _energies(
    model: LinearModel, motion: tuple[Array, Array], left: Array, estimated: Estimated, names: Sequence[str]
) -> list[str]:
    """Joints whose own inertia M_jj is negative, by more than three standard errors, at most of the positions.

    left: RMS errors of the fit; where inertia makes smaller torques, friction of another kind can make it negative
    """
    q, qdd = motion
    few = q[:: max(1, len(q) // 20)]
    zero = np.zeros_like(few)
    rest = model.base_columns(few, zero, zero)
    negative: list[str] = []
    for j, row in enumerate(model.rows):
        unit = np.broadcast_to(np.eye(model.robot.n)[j], few.shape)
        columns = model.base_columns(few, zero, unit)[j] - rest[j]
        inertia, error = columns @ estimated.beta[list(row)], estimated.errors(columns, row)
        sure = np.median(inertia + 3 * error) < -1e-9 * np.abs(inertia).max(initial=0.0)
        if len(row) and sure and np.median(np.abs(inertia)) * qdd[:, j].std() > left[j]:
            negative.append(names[j])
    if not negative:
        return []
    what = (
        "all torques have" if len(negative) == len(names) else "its torque has" if len(negative) == 1 else "they have"
    )
    return [
        f"the fit gives {in_words(negative)} a negative inertia: {what} the wrong sign, or the log is of another robot."
    ]


def _powers(model: LinearModel, qd: Array, estimated: Estimated) -> list[str]:
    """Joints that friction drives, by more than five standard errors."""
    beta = estimated.beta
    feeding: list[str] = []
    speeds = qd @ model.A.T
    for j, joint in enumerate(model.robot.joints):
        v = speeds[:, j]
        if min((v > 0).mean(), (v < 0).mean()) < 0.1:
            continue  # Coulomb friction is not told from an offset
        power = np.zeros(len(beta))
        for i, k in enumerate(model.base):
            drive = model.drives[k - model.inertial] if k >= model.inertial else None
            if drive is not None and drive.joint == j and drive.kind in ("viscous", "coulomb", "stribeck"):
                power[i] = float((friction_column(drive, v) * v).mean())
        error, size = float(estimated.errors(power[None], range(len(beta)))[0]), float(np.abs(power * beta).sum())
        if power @ beta < -5 * error and power @ beta < -0.01 * size:
            feeding.append(joint.name)
    if not feeding:
        return []
    return [
        f"friction would drive {in_words(feeding)} instead of braking: positions or torques have the wrong sign, or "
        "the log is of another robot."
    ]


def _velocities(log: Log) -> tuple[Array, Array]:
    """Slope and correlation of every measured velocity (columns) over the derivative of every position (rows)."""
    assert log.qd is not None
    n = log.q.shape[1]
    good = np.isfinite(log.t) & np.isfinite(log.q).all(axis=1) & np.isfinite(log.qd).all(axis=1)
    t, q, v = log.t[good], log.q[good], log.qd[good]
    later = forward(t)
    t, q, v = t[later], q[later], v[later]
    step = max(1, len(t) // LOOKED_AT)
    t, q, v = t[::step], q[::step], v[::step]
    if len(t) < 10:
        return np.ones((n, n)), np.zeros((n, n))
    d = np.gradient(q, t, axis=0)
    d, v = d - d.mean(axis=0), v - v.mean(axis=0)
    products, own, other = d.T @ v, (d**2).sum(axis=0), (v**2).sum(axis=0)
    return products / np.maximum(own, 1e-300)[:, None], products / np.sqrt(np.maximum(np.outer(own, other), 1e-300))
