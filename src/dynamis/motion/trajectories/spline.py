"""Splines through waypoints: cubic (velocity and acceleration are continuous), quintic and septic (more so).

SciPy's B-spline of degree 2m - 1 through the waypoints, with the derivatives 1 to m - 1 given at both ends, has the
derivatives 0 to m - 1 at every waypoint; the polynomials between them (`hermite_trajectory`) then meet waypoints and
ends to the last bit.

Source: C. de Boor, A Practical Guide to Splines, 1978, chapter IV; L. Biagiotti, C. Melchiorri, 2008, section 4.4.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arguments import real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.motion.trajectories.piecewise import JointTrajectory
from dynamis.motion.trajectories.polynomials import NAMES, hermite_trajectory
from dynamis.motion.trajectories.trajectory import (
    SMALLEST_POSITIVE,
    MotionError,
    check_size,
    joint_values,
    positive_limits,
)


def spline(
    waypoints: ArrayLike, times: ArrayLike | None = None, *, degree: int = 3, start_velocity: ArrayLike = 0.0,
    goal_velocity: ArrayLike = 0.0, velocity: ArrayLike | None = None, acceleration: ArrayLike | None = None,
) -> JointTrajectory:  # fmt: skip
    """A spline through waypoints (k, n) at `times` [s] from 0; derivatives above the velocity are 0 at its ends.

    (The acceleration at the ends of a cubic spline is what it is; a quintic one begins and ends with 0.)
    Without `times`, they are in proportion to the largest joint distance between waypoints over `velocity` (one for
    all if it is not given), and the whole takes the shortest time within `velocity` and `acceleration`.

    >>> moving = spline([[0.0], [1.0], [0.5]], [0.0, 1.0, 2.0])
    >>> moving.at([0.0, 1.0, 2.0])[0].ravel()
    array([0. , 1. , 0.5])
    """
    q = waypoint_array(waypoints)
    n = q.shape[1]
    if degree not in (3, 5, 7):
        raise ArgumentError(f"degree must be 3, 5 or 7, got {degree!r}", key="degree")
    v0, v1 = joint_values("start_velocity", start_velocity, n), joint_values("goal_velocity", goal_velocity, n)
    v = None if velocity is None else positive_limits("velocity", velocity, n)
    a = None if acceleration is None else positive_limits("acceleration", acceleration, n)
    if times is None:
        if v is None and a is None:
            raise MotionError("the spline has no times; give times=..., or velocity=... and acceleration=... limits")
        if v0.any() or v1.any():
            raise MotionError("the shortest time of a spline is known from rest to rest; give times=...")
        t = chord_times(q, v)
    else:
        t = knot_times(times, len(q))
    with of_any_times():
        trajectory = through(q, t, degree, v0, v1).computable()
        factor = _factor(trajectory, v, a)
    if times is None:
        return trajectory.with_duration(trajectory.duration * factor * (1 + 4e-16))
    if factor > 1 + 1e-12:
        raise MotionError(
            f"the spline exceeds its limits; it needs all times longer by the factor {factor:.6g}, "
            f"T >= {trajectory.duration * factor:.6g} s",
            needs={"duration": trajectory.duration * factor},
        )
    return trajectory


def through(q: Array, t: Array, degree: int, v0: Array, v1: Array) -> JointTrajectory:
    """The spline of a degree through points q (k, n) at times t, with these velocities at its ends."""
    m = (degree + 1) // 2
    rates = np.zeros((2, m - 1, q.shape[1]))
    rates[:, 0] = v0, v1
    conditions = tuple([*enumerate(end, 1)] for end in rates)
    # SciPy takes 0.2 s to import, which other motions need not wait for.
    basis: Any = import_module("scipy.interpolate").make_interp_spline(t, q, degree, bc_type=conditions)
    D: Array = np.stack([basis(t, order) for order in range(m)], axis=1)
    D[:, 0], D[[0, -1], 1:] = q, rates
    return hermite_trajectory(f"{NAMES[degree]} spline", D, t)


@contextmanager
def of_any_times() -> Generator[None]:
    """Splines whose times may be too unequal: a sentence then."""
    try:
        with np.errstate(all="ignore"):
            yield
    except np.linalg.LinAlgError:
        raise MotionError(
            "the distances of the times are too unequal for a spline; give times that are nearer to each other in size"
        ) from None


def _factor(trajectory: JointTrajectory, v: Array | None, a: Array | None) -> float:
    """How many times as long the motion must take to keep its limits."""
    needs = [0.0]
    if v is None and a is None:
        return 0.0
    peaks = trajectory.peaks()
    if v is not None:
        needs.append(float((peaks.velocity / v).max()))
    if a is not None:
        needs.append(float(np.sqrt(peaks.acceleration / a).max()))
    return max(needs)


def chord_times(q: Array, v: Array | None) -> Array:
    steps = (np.abs(np.diff(q, axis=0)) / (1.0 if v is None else v)).max(axis=1)
    if steps.min() < SMALLEST_POSITIVE:
        k = int(np.argmin(steps))
        raise MotionError(f"waypoints {k + 1} and {k + 2} are the same; give times=..., or leave one out")
    return np.concatenate([[0.0], np.cumsum(steps)])


def waypoint_array(waypoints: Any) -> Array:
    """At least two points of joint values: (k, n)."""
    q = real_values("waypoints", waypoints)
    if q.ndim == 2 and np.isfinite(q).all():
        check_size("waypoints", q)
    if q.ndim != 2 or len(q) < 2 or not q.shape[1] or not np.isfinite(q).all():
        raise ArgumentError(
            f"waypoints must be at least two rows with one finite value per joint, got shape {np.shape(q)}",
            key="waypoints",
        )
    return q


def knot_times(times: Any, count: int) -> Array:
    """Increasing times from 0, one per waypoint."""
    t = real_values("times", times)
    if t.shape != (count,):
        raise ArgumentError(f"times must be {count} times [s], one per row, got shape {t.shape}", key="times")
    if not np.isfinite(t).all():
        k = int(np.argmin(np.isfinite(t)))
        raise ArgumentError(f"time {k + 1} is {t[k]:g}; times are finite numbers [s]", key="times")
    check_size("times", t)
    if (np.diff(t) <= 0).any():
        k = int(np.argmax(np.diff(t) <= 0)) + 1
        raise ArgumentError(
            f"time {k + 1} is {t[k]:g} s, after {t[k - 1]:g} s; each time is later than the one before", key="times"
        )
    if (np.diff(t) < SMALLEST_POSITIVE).any():
        k = int(np.argmin(np.diff(t))) + 1
        raise ArgumentError(
            f"times {k} and {k + 1} must be at least {SMALLEST_POSITIVE:g} s apart, got {t[k] - t[k - 1]:g} s",
            key="times",
        )
    return t - t[0]
