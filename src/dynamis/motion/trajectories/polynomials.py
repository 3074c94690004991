"""One polynomial from start to goal: cubic, quintic, septic; ends given with their derivatives.

    q(t) = q0 + d h(t/T),  h_3 = 3 x^2 - 2 x^3,  h_5 = 10 x^3 - 15 x^4 + 6 x^5,  h_7 = 35 x^4 - 84 x^5 + 70 x^6 - 20 x^7

from rest to rest. Peaks: |qd| = 3/2, 15/8, 35/16 times |d|/T; |qdd| = 6, 10/sqrt(3), 7.513 times |d|/T^2.

Source: L. Biagiotti, C. Melchiorri, Trajectory Planning for Automatic Machines and Robots, 2008, section 2.1.
"""

from __future__ import annotations

from functools import cache
from math import factorial, perm
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arrays import Array
from dynamis.motion.trajectories.piecewise import EXACT, JointTrajectory, Profile
from dynamis.motion.trajectories.trajectory import (
    SMALLEST_POSITIVE,
    MotionError,
    joint_values,
    measure,
    no_time,
    positive_limits,
)

NAMES = {3: "cubic", 5: "quintic", 7: "septic"}
_ENDS = ("velocity", "acceleration", "jerk")


def cubic(
    start: ArrayLike, goal: ArrayLike, duration: float | None = None, *, start_velocity: ArrayLike = 0.0,
    goal_velocity: ArrayLike = 0.0, velocity: ArrayLike | None = None, acceleration: ArrayLike | None = None,
) -> JointTrajectory:  # fmt: skip
    """A cubic per joint: positions and velocities at its ends.

    With `velocity` and/or `acceleration` limits, they are kept; without a `duration`, it is the shortest
    within them (from rest to rest).

    >>> q, qd, qdd = cubic([0.0], [1.0], 2.0).at(1.0)
    >>> q, qd, qdd
    (array([0.5]), array([0.75]), array([0.]))
    """
    return _polynomial(3, start, goal, duration, [(start_velocity, goal_velocity)], velocity, acceleration)


def quintic(
    start: ArrayLike, goal: ArrayLike, duration: float | None = None, *, start_velocity: ArrayLike = 0.0,
    goal_velocity: ArrayLike = 0.0, start_acceleration: ArrayLike = 0.0, goal_acceleration: ArrayLike = 0.0,
    velocity: ArrayLike | None = None, acceleration: ArrayLike | None = None,
) -> JointTrajectory:  # fmt: skip
    """A quintic per joint: positions, velocities and accelerations at its ends; limits as for `cubic`.

    >>> float(quintic([0.0], [1.0], 2.0).peaks().velocity[0])
    0.9375
    """
    ends = [(start_velocity, goal_velocity), (start_acceleration, goal_acceleration)]
    return _polynomial(5, start, goal, duration, ends, velocity, acceleration)


def septic(
    start: ArrayLike, goal: ArrayLike, duration: float | None = None, *, start_velocity: ArrayLike = 0.0,
    goal_velocity: ArrayLike = 0.0, start_acceleration: ArrayLike = 0.0, goal_acceleration: ArrayLike = 0.0,
    start_jerk: ArrayLike = 0.0, goal_jerk: ArrayLike = 0.0, velocity: ArrayLike | None = None,
    acceleration: ArrayLike | None = None,
) -> JointTrajectory:  # fmt: skip
    """A polynomial of degree 7 per joint: positions, velocities, accelerations and jerks at its ends.

    >>> round(float(septic([0.0], [1.0], 2.0).peaks().velocity[0]), 12)
    1.09375
    """
    ends = [(start_velocity, goal_velocity), (start_acceleration, goal_acceleration), (start_jerk, goal_jerk)]
    return _polynomial(7, start, goal, duration, ends, velocity, acceleration)


def _polynomial(
    degree: int, start: ArrayLike, goal: ArrayLike, duration: float | None, ends: Any, velocity: Any, acceleration: Any
) -> JointTrajectory:
    q0 = joint_values("start", start)
    n = q0.size
    q1 = joint_values("goal", goal, n)
    pairs = [
        (joint_values(f"start_{name}", a, n), joint_values(f"goal_{name}", b, n))
        for name, (a, b) in zip(_ENDS, ends, strict=False)
    ]
    left, right = np.array([q0, *(a for a, _ in pairs)]), np.array([q1, *(b for _, b in pairs)])
    limits = [
        (order, positive_limits(name, limit, n))
        for order, name, limit in ((1, "velocity", velocity), (2, "acceleration", acceleration))
        if limit is not None
    ]
    T = _shortest(degree, left, right, limits) if duration is None else measure("duration", duration, "s")
    trajectory = _between(degree, left, right, T).computable()
    _check(trajectory, limits, degree, left, right)
    return trajectory


def _between(degree: int, left: Array, right: Array, T: float) -> JointTrajectory:
    """The polynomials with these derivatives (m, n) at 0 and at T."""
    return hermite_trajectory(NAMES[degree], np.stack([left, right]), np.array([0.0, T]))


def _shortest(degree: int, left: Array, right: Array, limits: list[tuple[int, Array]]) -> float:
    if not limits:
        raise MotionError("the motion has no duration; give duration=..., or velocity=... and acceleration=... limits")
    if left[1:].any() or right[1:].any():
        raise MotionError("the shortest time within limits is known from rest to rest; give duration=...")
    way = np.abs(right[0] - left[0])
    rows = hermite(np.eye(len(left))[:, :1] * 0, np.eye(len(left))[:, :1], 1.0)
    unit = JointTrajectory("", (Profile(np.array([0.0, 1.0]), rows[None, :, 0], 1.0),)).peaks()
    peak = {1: unit.velocity[0], 2: unit.acceleration[0]}
    least = max(float(np.max((peak[order] * way / limit) ** (1 / order))) for order, limit in limits)
    if least < SMALLEST_POSITIVE:
        raise no_time(least)
    return least * (1 + 4e-16)


def _check(
    trajectory: JointTrajectory, limits: list[tuple[int, Array]], degree: int, left: Array, right: Array
) -> None:
    for order, limit in limits:
        peak = _peak(trajectory, order)
        over = peak / limit
        j = int(np.argmax(over))
        if over[j] > 1 + 1e-12:
            word = _ENDS[order - 1]
            needs, does = {word: float(peak[j])}, f"it needs a {word} limit >= {peak[j]:.6g}"
            if not (left[1:].any() or right[1:].any()):
                needs["duration"] = trajectory.duration * float(over[j]) ** (1 / order)
                does = f"from rest to rest it needs T >= {needs['duration']:.6g} s"
            elif (other := _other_duration(trajectory.duration, limits, degree, left, right)) is not None:
                needs["duration"] = other
                does = f"T = {other:.6g} s would do"
            raise MotionError(
                f"the {trajectory.kind} of joint {j + 1} takes a {word} of {peak[j]:.6g} in {trajectory.duration:g} s, "
                f"its limit is {limit[j]:g}; {does}",
                joint=j + 1, needs=needs,
            )  # fmt: skip


def _peak(trajectory: JointTrajectory, order: int) -> Array:
    """The largest |qd| (order 1) or |qdd| (2) of every joint."""
    return np.array([max(map(abs, profile.extremes(order))) for profile in trajectory.profiles])


def _other_duration(T: float, limits: list[tuple[int, Array]], degree: int, left: Array, right: Array) -> float | None:
    """A duration, the nearest of a hundred shorter and longer ones, with which moving ends keep the limits."""
    for factor in sorted(np.geomspace(0.01, 100, 101), key=lambda x: abs(np.log(x))):
        other = float(f"{T * factor:.6g}")
        trajectory = _between(degree, left, right, other)
        if all((_peak(trajectory, order) <= limit * (1 + 1e-12)).all() for order, limit in limits):
            return other
    return None


def hermite(left: Array, right: Array, h: float | Array) -> Array:
    """Coefficients (2m, ...), lowest power first, of the polynomial on [0, h] with m derivatives (m, ...) at both ends.

    h is one length, or an array that broadcasts over what follows the first axis.
    With x = t/h the first m coefficients are left_k / k!; the others solve the m conditions at x = 1.
    """
    m, column = len(left), (-1, *[1] * (left.ndim - 1))
    powers = np.asarray(h, dtype=np.float64) ** np.arange(2.0 * m).reshape(column)
    upper, lower, factorials = _tables(m)
    first = left * powers[:m] / factorials.reshape(column)
    rest = np.tensordot(upper, right * powers[:m] - np.tensordot(lower, first, 1), 1)
    coefficients = np.concatenate([first, rest])
    coefficients /= powers  # in place: a long sampled motion has as many of them as fit in memory
    return coefficients


def hermite_trajectory(kind: str, D: Array, t: Array, differentiation: str = EXACT) -> JointTrajectory:
    """The polynomials of degree 2m - 1 between times t (k) that have the m derivatives D (k, m, n) of q there."""
    values = D.swapaxes(0, 1)
    rows = hermite(values[:, :-1], values[:, 1:], np.diff(t)[:, None]).swapaxes(0, 1)
    ends = D[[0, -1], 1:]
    profiles = (Profile(t, rows[:, :, j], float(D[-1, 0, j]), ends[:, :, j]) for j in range(D.shape[2]))
    return JointTrajectory(kind, tuple(profiles), differentiation)


@cache
def _tables(m: int) -> tuple[Array, Array, Array]:
    """The derivatives at x = 1 of the powers m..2m-1, inverted (multiples of 1/(m-1)!), of 0..m-1; and k!."""
    both = np.array([[perm(p, k) for p in range(2 * m)] for k in range(m)], dtype=np.float64)
    unit = factorial(m - 1)
    factorials = np.array([factorial(k) for k in range(m)], dtype=np.float64)
    return np.round(np.linalg.inv(both[:, m:]) * unit) / unit, both[:, :m], factorials
