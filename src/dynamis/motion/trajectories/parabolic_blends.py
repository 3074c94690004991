"""Linear segments with parabolic blends (LSPB): constant velocity between short times of constant acceleration.

From q0 to q1 (d = |q1 - q0|) in the time T with acceleration a, the blends at both ends take

    t_b = (T - sqrt(T^2 - 4 d/a)) / 2        which needs  a >= 4 d / T^2

Through via points k, each with an acceleration a_k and times T_k between them, the robot passes near the via points:
the velocity changes from that of one segment to that of the next in t_k = |v_k+1 - v_k| / a_k, half of it before and
half of it after the time of the via point; at both ends the blend lies within its segment.

Source: J. J. Craig, Introduction to Robotics, 3rd ed., 2005, section 7.4, equations 7.20 to 7.34.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arguments import real_values
from dynamis.base.arrays import Array, check_computed
from dynamis.base.errors import ArgumentError
from dynamis.motion.trajectories.piecewise import JointTrajectory, Profile, integrate_pieces, resting
from dynamis.motion.trajectories.trajectory import (
    NO_WAY,
    MotionError,
    check_size,
    joint_values,
    measure,
    positive_limits,
)
from dynamis.motion.trajectories.trapezoidal import trapezoidal
from dynamis.motion.trajectories.via_blends import via_blends

KIND = "linear with parabolic blends"


def parabolic_blends(
    start: ArrayLike, goal: ArrayLike, duration: ArrayLike | None = None, *, acceleration: ArrayLike,
    velocity: ArrayLike | None = None, via: ArrayLike | None = None, synchronised: bool = True,
) -> JointTrajectory:  # fmt: skip
    """From rest to rest, linear with parabolic blends.

    start, goal     joint values (n,)
    duration        [s]; with it the blends have exactly the given acceleration, without it the time is the shortest
                    within the limits. With `via`, one time per segment (k + 1) or None: then the segments' times are
                    those of the velocity limits, all longer by the smallest factor that works
    acceleration    of the blends, one for all joints or (n,)
    velocity        limit, one for all joints or (n,); required without a duration
    via             points (k, n) to pass near, each at its time
    synchronised    True slows the joints down to the slowest

    >>> moving = parabolic_blends([0.0], [1.0], 2.0, acceleration=2.0)
    >>> [round(float(x), 4) for x in moving.breaks]
    [0.0, 0.2929, 1.7071, 2.0]
    >>> parabolic_blends([0.0], [1.0], 2.0, acceleration=0.9)
    Traceback (most recent call last):
        ...
    dynamis.motion.trajectories.trajectory.MotionError: joint 1 cannot make 1 in 2 s with a = 0.9; \
it needs a >= 4 |dq| / T^2 = 1, or T >= 2 sqrt(|dq| / a) = 2.10819 s
    """
    q0 = joint_values("start", start)
    n = q0.size
    q1 = joint_values("goal", goal, n)
    a = positive_limits("acceleration", acceleration, n)
    v = None if velocity is None else positive_limits("velocity", velocity, n)
    check_computed("via", via)
    if via is not None and np.size(via):
        return JointTrajectory(KIND, via_blends(_points(q0, via, q1), duration, a, v))
    if duration is None:
        if v is None:
            raise MotionError("the motion has no duration; give duration=..., or velocity=... for the shortest time")
        trajectory = trapezoidal(q0, q1, v, a, synchronised=synchronised)
        return JointTrajectory(KIND, trajectory.profiles)
    T = measure("duration", duration, "s")
    trajectory = JointTrajectory(KIND, tuple(_one(j, float(q0[j]), float(q1[j]), T, float(a[j])) for j in range(n)))
    if v is not None:
        _check_velocity(trajectory, v, np.abs(q1 - q0), a)
    return trajectory


def _one(j: int, q0: float, q1: float, T: float, a: float) -> Profile:
    d = abs(q1 - q0)
    if d < NO_WAY:
        return resting(q1, T)
    left = T * T - 4 * d / a
    if left < -1e-12 * T * T:
        least_a, least_T = 4 * d / T**2, 2 * sqrt(d / a)
        raise MotionError(
            f"joint {j + 1} cannot make {d:.6g} in {T:g} s with a = {a:g}; it needs a >= 4 |dq| / T^2 = {least_a:.6g}, "
            f"or T >= 2 sqrt(|dq| / a) = {least_T:.6g} s",
            joint=j + 1, needs={"acceleration": least_a, "duration": least_T},
        )  # fmt: skip
    # (T - sqrt(T^2 - 4 d/a)) / 2 without the difference of near numbers.
    t_b = 2 * d / a / (T + sqrt(max(left, 0.0)))
    s = a if q1 > q0 else -a
    return integrate_pieces(q0, q1, [t_b, max(T - 2 * t_b, 0.0), t_b], [s, 0.0, -s], 2)


def _check_velocity(trajectory: JointTrajectory, v: Array, d: Array, a: Array) -> None:
    peak = trajectory.peaks().velocity
    j = int(np.argmax(peak / v))
    if peak[j] > v[j] * (1 + 1e-12):
        least = float(d[j] / v[j] + v[j] / a[j])
        raise MotionError(
            f"joint {j + 1} cruises at {peak[j]:.6g}, its limit is {v[j]:g}; "
            f"it needs T >= |dq| / v + v / a = {least:.6g} s",
            joint=j + 1, needs={"duration": least, "velocity": float(peak[j])},
        )  # fmt: skip


def _points(q0: Array, via: Any, q1: Array) -> Array:
    between = np.atleast_2d(real_values("via", via))
    check_size("via", between)
    if between.ndim != 2 or between.shape[1] != q0.size:
        raise ArgumentError(
            f"via must be a list of points with {q0.size} finite values each, got shape {between.shape}", key="via"
        )
    return np.vstack([q0, between, q1])
