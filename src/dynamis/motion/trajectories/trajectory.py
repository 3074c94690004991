"""What a trajectory is: joint positions, velocities and accelerations at any time from 0 to its duration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.arrays import Array
from dynamis.errors import ArgumentError, DynamisError, shown

Motion = tuple[Array, Array, Array]
"""q, qd, qdd: (..., n) each."""


@runtime_checkable
class Trajectory(Protocol):
    """A motion of n joints over `duration` seconds.

    `at(t)` takes times [s] of any shape and gives q, qd, qdd of that shape with one value a joint behind it.
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
    """The extremes of a trajectory, one value a joint: range of q, largest |qd|, |qdd| and |qddd|."""

    lowest: Array
    highest: Array
    velocity: Array
    acceleration: Array
    jerk: Array


LOOKS = 4001
"""Instants at which a motion is looked at whose extremes are not known from its polynomials."""


def peaks_of_looks(trajectory: Trajectory, breaks: Array) -> Peaks:
    """Extremes at LOOKS equal steps and on both sides of the breaks [s]; the jerk is NaN, as it is not known."""
    t = np.linspace(0.0, trajectory.duration, LOOKS)
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


LARGEST, SMALLEST = 1e20, 1e-20
"""The largest size of a number of a motion, and the smallest of a time or a limit: polynomials take up to the seventh
power of times that are quotients of two such numbers, and 1e20^2^7 is still a number."""
NO_WAY = 1e-60
"""A joint with a shorter way stands still: its time, a root of way over limit, would be lost in rounding."""


def no_time(found: float) -> MotionError:
    """The error of a motion without a way."""
    return MotionError(
        f"start and goal are the same, so the shortest time is {found:.3g}; give duration=... to stay there"
    )


def times(t: ArrayLike, duration: float) -> tuple[Array, NDArray[np.bool_]]:
    """Times as an array, held to [0, duration], and which of them lay outside."""
    try:
        given = np.asarray(t, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError("t is not an array of numbers; it is one time or an array of times [s]", key="t") from None
    if np.isnan(given).any():
        raise ArgumentError("t is not a number somewhere (nan); it is one time or an array of times [s]", key="t")
    return np.clip(given, 0.0, duration), (given < 0.0) | (given > duration)


def joints(n: int) -> str:
    """How many, in a sentence.

    >>> joints(1), joints(2)
    ('1 joint', '2 joints')
    """
    return f"{n} joint{'s' * (n != 1)}"


def joint_values(name: str, values: Any, n: int | None = None) -> Array:
    """One finite number a joint; a single number stands for all n joints."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(f"{name} is not a list of numbers; it has one value a joint", key=name) from None
    if n is not None and array.ndim == 0:
        array = np.full(n, float(array))
    if array.ndim != 1 or not array.size:
        raise ArgumentError(f"{name} has shape {array.shape}; it is a list with one value a joint", key=name)
    if n is not None and array.size != n:
        raise ArgumentError(f"{name} has {array.size} values; the motion is of {joints(n)}", key=name)
    check_size(name, array)
    return array


def check_size(name: str, array: Array) -> None:
    """All values are finite, and none beyond LARGEST."""
    if not np.isfinite(array).all():
        raise ArgumentError(f"{name} is {shown(array.tolist())}; its values are finite numbers", key=name)
    if (np.abs(array) > LARGEST).any():
        value = array[np.abs(array) > LARGEST][0]
        raise ArgumentError(f"{name} has the value {value:g}; values of a motion lie within ±{LARGEST:g}", key=name)


def positive(name: str, value: Any, unit: str) -> float:
    """A finite number above 0."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = np.nan
    if not 0 < number < np.inf:
        raise ArgumentError(f"{name} is {shown(value)}; it is a number > 0 [{unit}]", key=name)
    return number


def measure(name: str, value: Any, unit: str) -> float:
    """A number above 0 of which a motion can be made: from SMALLEST to LARGEST."""
    number = positive(name, value, unit)
    if not SMALLEST <= number <= LARGEST:
        raise ArgumentError(f"{name} is {number:g} {unit}; it must lie between {SMALLEST:g} and {LARGEST:g}", key=name)
    return number


def positive_limits(name: str, values: Any, n: int) -> Array:
    """One limit > 0 a joint, or one for all."""
    limits = joint_values(name, values, n)
    if (limits <= 0).any():
        j = int(np.argmax(limits <= 0))
        raise ArgumentError(f"{name} of joint {j + 1} is {limits[j]:g}; a limit is > 0", key=name)
    if (limits < SMALLEST).any():
        j = int(np.argmin(limits))
        sentence = f"{name} of joint {j + 1} is {limits[j]:g}; a limit of a motion is at least {SMALLEST:g}"
        raise ArgumentError(sentence, key=name)
    return limits
