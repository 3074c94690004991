"""What a trajectory is: joint positions, velocities and accelerations at any time from 0 to its duration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.base.arguments import per_joint, positive, real_array
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, DynamisError, literal

Motion = tuple[Array, Array, Array]
"""q, qd, qdd: (..., n) each."""


@runtime_checkable
class Trajectory(Protocol):
    """A motion of n joints over `duration` seconds.

    `at(t)` takes times [s] of any shape and gives q, qd, qdd with the joints along one more axis.
    Derivatives are exact, and at 0 and at `duration` they are those that were asked for, to the last bit. Before 0 and
    after `duration` the robot stands still at the ends. Where the acceleration jumps, its value is the one that follows
    (at `duration`, the one before).
    """

    @property
    def duration(self) -> float:
        """[s]"""
        ...

    @property
    def n(self) -> int:
        """The number of joints."""
        ...

    def at(self, t: ArrayLike) -> Motion:
        """q, qd, qdd at the times t [s]: t.shape + (n,) each."""
        ...


@dataclass(frozen=True, slots=True)
class Peaks:
    """The extremes of a trajectory, one value per joint: range of q, largest |qd|, |qdd| and |qddd|."""

    lowest: Array
    highest: Array
    velocity: Array
    acceleration: Array
    jerk: Array


PEAK_SAMPLES = 4001
"""Instants at which the peaks of a motion are sampled that are not known from polynomials: a peak of half a sine over
1/10 of the motion is then met to 3e-5."""


def sampled_peaks(trajectory: Trajectory, breaks: Array) -> Peaks:
    """Extremes at PEAK_SAMPLES equal steps and on both sides of the breaks [s]; the jerk is not known: NaN."""
    t = np.linspace(0.0, trajectory.duration, PEAK_SAMPLES)
    q, qd, qdd = trajectory.at(np.unique(np.concatenate([t, breaks, np.nextafter(breaks, 0.0)])))
    jerk = np.full(trajectory.n, np.nan)
    return Peaks(q.min(axis=0), q.max(axis=0), np.abs(qd).max(axis=0), np.abs(qdd).max(axis=0), jerk)


class MotionError(DynamisError):
    """A motion that cannot be; `needs` has the numbers that would do, by what they are called."""

    def __init__(self, message: str, *, joint: int | None = None, needs: dict[str, float] | None = None) -> None:
        super().__init__(message)
        self.joint = joint
        """The joint that it is about, from 1."""
        self.needs = needs or {}


LARGEST_NUMBER, SMALLEST_POSITIVE = 1e20, 1e-20
"""The largest size of a number of a motion, and the smallest of a time or a limit: polynomials take up to the seventh
power of times that are quotients of two such numbers, and 1e20^2^7 is still a number."""
NO_WAY = 1e-60
"""A joint with a shorter way stands still: its time, a root of way over limit, would be lost in rounding."""


def no_time(duration: float) -> MotionError:
    """The error of a motion without a way."""
    return MotionError(
        f"start and goal are the same, so the shortest time is {duration:.3g}; give duration=... to stay there"
    )


def clip_times(t: ArrayLike, duration: float) -> tuple[Array, NDArray[np.bool_]]:
    """Times as an array clipped to [0, duration], and which of them lay outside."""
    times = real_array("t", t)
    if times is None:
        raise ArgumentError("t must be one time [s] or an array of times, got no array of numbers", key="t")
    if np.isnan(times).any():
        raise ArgumentError("t must be one time [s] or an array of times, got nan", key="t")
    return np.clip(times, 0.0, duration), (times < 0.0) | (times > duration)


def joint_count(n: int) -> str:
    """The number of joints as words.

    >>> joint_count(1), joint_count(2)
    ('1 joint', '2 joints')
    """
    return f"{n} joint{'s' * (n != 1)}"


def joint_values(name: str, values: Any, n: int | None = None) -> Array:
    """One number per joint, within LARGEST; a single number stands for all n joints."""
    array = per_joint(name, values, n)
    check_size(name, array)
    return array


def check_size(name: str, array: Array) -> None:
    """That all values are finite and none is beyond LARGEST."""
    if not np.isfinite(array).all():
        raise ArgumentError(f"{name} must be finite, got {literal(array.tolist())}", key=name)
    if (np.abs(array) > LARGEST_NUMBER).any():
        value = array[np.abs(array) > LARGEST_NUMBER][0]
        raise ArgumentError(f"values of {name} must be within ±{LARGEST_NUMBER:g}, got {value:g}", key=name)


def measure(name: str, value: Any, unit: str) -> float:
    """A positive number from SMALLEST to LARGEST."""
    if not SMALLEST_POSITIVE <= positive(name, value, unit) <= LARGEST_NUMBER:
        raise ArgumentError(
            f"{name} must be from {SMALLEST_POSITIVE:g} to {LARGEST_NUMBER:g} [{unit}], got {value:g}", key=name
        )
    return float(value)


def positive_limits(name: str, values: Any, n: int) -> Array:
    """One limit per joint, or one for all, each at least SMALLEST."""
    limits = joint_values(name, values, n)
    j = int(np.argmin(limits))
    if limits[j] < SMALLEST_POSITIVE:
        allowed = "positive" if limits[j] <= 0 else f"at least {SMALLEST_POSITIVE:g}"
        raise ArgumentError(f"{name} of joint {j + 1} must be {allowed}, got {limits[j]:g}", key=name)
    return limits
