"""What a motor is chosen by: peak and RMS torque, speed, power, energy, and torque against speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.coupling import mixed_joints
from dynamis.model.joint_limits import JointLimits, joint_limits
from dynamis.model.robot import RobotModel

SPEED_BINS = 32
RELATIVE_ROUNDING = 1e-9
"""A joint that comes to its stop stays within it: a smaller excess is rounding."""


@dataclass(frozen=True)
class MixedRanges:
    """The joints that follow several coordinates: where they come to, how fast, and their limits, NaN where none."""

    joints: tuple[str, ...]
    lengths: tuple[str, ...]
    """The units of position, rad or m."""
    peak_speed: Array
    speed_limit: Array
    lowest: Array
    highest: Array
    lower: Array
    upper: Array


@dataclass(frozen=True)
class Sizing:
    """One value per joint: torques [N m or N], speeds [rad/s or m/s], powers [W], energies [J].

    `motoring` is the largest power that the motor gives and `braking` the largest that it takes up; `energy` is what it
    gives in all (the integral of tau qd), `work` the part of it where it drives, `braked` where it is driven (<= 0).
    `lowest` and `highest` are the positions [rad or m] that the joint comes to. `lower`, `upper`, `speed_limit` and
    `effort` are its limits, NaN where the robot gives none. `mixed` has the joints that follow several coordinates.
    """

    peak_torque: Array
    """With its sign."""
    peak_time: Array
    rms_torque: Array
    peak_without_gravity: Array
    """With its sign, too."""
    rms_without_gravity: Array
    peak_speed: Array
    rms_speed: Array
    motoring: Array
    braking: Array
    energy: Array
    work: Array
    braked: Array
    effort: Array
    speed_limit: Array
    lowest: Array
    highest: Array
    lower: Array
    upper: Array
    mixed: MixedRanges

    @property
    def beyond(self) -> list[tuple[int | str, str, float, float]]:
        """The limits that the motion exceeds: which joint and limit, what the motion needs, what is allowed.

        A joint is its number from 1; one that follows several coordinates has none, and is its name.
        """
        torques = np.abs(self.peak_torque)
        efforts = ("effort", torques, self.effort, torques > self.effort)
        coordinates = _beyond(range(1, len(torques) + 1), self, efforts)
        return sorted(coordinates, key=lambda row: (int(row[0]), row[1])) + _beyond(self.mixed.joints, self.mixed)


Check = tuple[str, Array, Array, NDArray[np.bool_]]
"""Which limit, what is needed, what is allowed, and where that is exceeded: one value per joint."""


def _beyond(
    joints: Sequence[int | str], x: Sizing | MixedRanges, *checks: Check
) -> list[tuple[int | str, str, float, float]]:
    """The limits that are exceeded, of velocity, position and other checks."""
    room = RELATIVE_ROUNDING * np.maximum(np.abs([x.lower, x.upper]), 1.0)
    checks = (
        *checks,
        ("velocity", x.peak_speed, x.speed_limit, x.peak_speed > x.speed_limit),
        ("lower position", x.lowest, x.lower, x.lower - x.lowest > room[0]),
        ("upper position", x.highest, x.upper, x.highest - x.upper > room[1]),
    )
    return [
        (joints[int(j)], name, float(need[j]), float(allowed[j]))
        for name, need, allowed, past in checks
        for j in np.flatnonzero(past)
    ]


def sizing(
    robot: RobotModel,
    t: Array,
    q: Array,
    qd: Array,
    tau: Array,
    without_gravity: tuple[Array, Array] | None = None,
) -> tuple[Sizing, list[int]]:
    """What a motion (samples, n) over times t asks of the robot's motors, and the samples of the torque peaks.

    `without_gravity` are peak and RMS torques of the same motion without weight, NaN where they are not known.
    """
    weights, unknown = time_weights(t), np.full(tau.shape[1], np.nan)
    columns = [_of_joint(qd[:, j].copy(), tau[:, j].copy(), weights) for j in range(tau.shape[1])]
    at = [int(column.pop("at")) for column in columns]
    peak, rms = (unknown, unknown) if without_gravity is None else without_gravity
    limits, mixed = joint_limits(robot), mixed_joints(robot)
    joints, lengths = tuple(j.name for j in mixed.joints), tuple("rad" if j.revolute else "m" for j in mixed.joints)
    speeds = np.abs(qd @ mixed.A.T).max(axis=0)
    return Sizing(
        **{name: np.array([column[name] for column in columns]) for name in columns[0]},
        peak_time=t[at], peak_without_gravity=peak, rms_without_gravity=rms, effort=_or_nan(limits.effort),
        **_ranges(q, limits), mixed=MixedRanges(joints, lengths, speeds, **_ranges(mixed.positions(q), mixed.limits)),
    ), at  # fmt: skip


def _ranges(q: Array, limits: JointLimits) -> dict[str, Array]:
    return {
        "lowest": q.min(axis=0), "highest": q.max(axis=0), "speed_limit": _or_nan(limits.velocity),
        "lower": _or_nan(limits.lower), "upper": _or_nan(limits.upper),
    }  # fmt: skip


def _or_nan(limits: Array) -> Array:
    return np.where(np.isfinite(limits), limits, np.nan)


def time_weights(t: Array) -> Array:
    """The weights of the trapezoidal rule: weights @ values is the integral over t; a single sample has weight 1.

    >>> time_weights(np.array([0.0, 1.0, 1.0, 3.0]))
    array([0.5, 0.5, 1. , 1. ])
    """
    if len(t) == 1:
        return np.ones(1)
    weights, half = np.zeros_like(t), np.diff(t) / 2
    weights[:-1] += half
    weights[1:] += half
    return weights


def _of_joint(qd: Array, tau: Array, weights: Array) -> dict[str, float]:
    span = float(weights.sum()) or 1.0
    at = max(int(tau.argmax()), int(tau.argmin()), key=lambda k: abs(tau[k]))
    power = tau * qd
    energy = float(weights @ power)
    motoring, braking = max(float(power.max()), 0.0), max(-float(power.min()), 0.0)
    work = float(weights @ np.maximum(power, 0.0, out=power))
    return {
        "at": at, "peak_torque": float(tau[at]),
        "rms_torque": float(np.sqrt(weights @ (tau * tau) / span)),
        "peak_speed": max(float(qd.max()), -float(qd.min())), "rms_speed": float(np.sqrt(weights @ (qd * qd) / span)),
        "motoring": motoring, "braking": braking, "energy": energy, "work": work, "braked": energy - work,
    }  # fmt: skip


def torque_speed_envelope(qd: Array, tau: Array, bins: int = SPEED_BINS) -> tuple[Array, Array]:
    """The largest |tau| of one joint at a speed or above it: edges of bins of |qd| (bins + 1), and |tau| (bins).

    A motor whose torque-speed curve lies above it can make the motion.

    >>> edges, torque = torque_speed_envelope(np.array([0.0, 1.0, -2.0]), np.array([3.0, -1.0, 2.0]), 2)
    >>> edges, torque
    (array([0., 1., 2.]), array([3., 2.]))
    """
    speed = np.abs(qd)
    edges = np.linspace(0.0, float(speed.max()) or 1.0, bins + 1)
    inside = np.minimum(np.searchsorted(edges, speed, side="right") - 1, bins - 1)
    torque = np.zeros(bins)
    np.maximum.at(torque, inside, np.abs(tau))
    return edges, np.maximum.accumulate(torque[::-1])[::-1]
