"""What a motor is chosen by: peak and RMS torque, speed, power, energy, and torque against speed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamis.arrays import Array
from dynamis.model.joint_limits import JointLimits

BINS = 32
ROUNDING = 1e-9
"""A joint that comes to its stop stays within it: a smaller excess is rounding."""


@dataclass(frozen=True)
class Sizing:
    """One value per joint: torques [N m or N], speeds [rad/s or m/s], powers [W], energies [J].

    `motoring` is the largest power that the motor gives and `braking` the largest that it takes up; `energy` is what it
    gives in all (the integral of tau qd), `work` the part of it where it drives, `braked` where it is driven (<= 0).
    `lowest` and `highest` are the positions [rad or m] that the joint comes to. `lower`, `upper`, `speed_limit` and
    `effort` are its limits, NaN where the robot gives none.
    """

    peak_torque: Array
    """With its sign."""
    peak_time: Array
    rms_torque: Array
    peak_without_gravity: Array
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

    @property
    def beyond(self) -> list[tuple[int, str, float, float]]:
        """The limits that the motion exceeds: joint from 1, which limit, what the motion needs, what is allowed."""
        room = ROUNDING * np.maximum(np.abs([self.lower, self.upper]), 1.0)
        checks = (
            ("effort", np.abs(self.peak_torque), self.effort, np.abs(self.peak_torque) > self.effort),
            ("velocity", self.peak_speed, self.speed_limit, self.peak_speed > self.speed_limit),
            ("lower position", self.lowest, self.lower, self.lower - self.lowest > room[0]),
            ("upper position", self.highest, self.upper, self.highest - self.upper > room[1]),
        )
        return sorted(
            (int(j) + 1, name, float(need[j]), float(allowed[j]))
            for name, need, allowed, past in checks
            for j in np.flatnonzero(past)
        )


def sizing(
    t: Array, q: Array, qd: Array, tau: Array, limits: JointLimits, without_gravity: tuple[Array, Array] | None = None
) -> tuple[Sizing, list[int]]:
    """What a motion (samples, n) over times t asks of the motors, and the samples of the torque peaks.

    `without_gravity` are peak and RMS torques of the same motion without weight, NaN where they are not known.
    """
    weights, unknown = time_weights(t), np.full(tau.shape[1], np.nan)
    columns = [_of_joint(qd[:, j].copy(), tau[:, j].copy(), weights) for j in range(tau.shape[1])]
    at = [int(column.pop("at")) for column in columns]
    peak, rms = (unknown, unknown) if without_gravity is None else without_gravity
    lower, upper, velocity, effort = (
        np.where(np.isfinite(x), x, np.nan) for x in (limits.lower, limits.upper, limits.velocity, limits.effort)
    )
    return Sizing(
        **{name: np.array([column[name] for column in columns]) for name in columns[0]},
        peak_time=t[at], peak_without_gravity=peak, rms_without_gravity=rms, effort=effort, speed_limit=velocity,
        lowest=q.min(axis=0), highest=q.max(axis=0), lower=lower, upper=upper,
    ), at  # fmt: skip


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


def torque_speed_envelope(qd: Array, tau: Array, bins: int = BINS) -> tuple[Array, Array]:
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
