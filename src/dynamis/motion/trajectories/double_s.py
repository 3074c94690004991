"""Double-S velocity: the shortest time from rest to rest with limits of velocity, acceleration and jerk.

Seven pieces of constant jerk (j, 0, -j, 0, -j, 0, j). T_j is the time of a jerk, T_a of speeding up, T_v of the
cruise, d = |q1 - q0|:

    v reached:  v j < a^2:  T_j = sqrt(v/j), T_a = 2 T_j;  otherwise T_j = a/j, T_a = T_j + v/a;  T_v = d/v - T_a
    otherwise:  d >= 2 a^3/j^2:  T_j = a/j, T_a = T_j/2 + sqrt(T_j^2/4 + d/a);  otherwise T_a = 2 T_j = 2 (d/2j)^(1/3)

Source: L. Biagiotti, C. Melchiorri, Trajectory Planning for Automatic Machines and Robots, 2008, section 3.4.
"""

from __future__ import annotations

from math import sqrt

from numpy.typing import ArrayLike

from dynamis.motion.trajectories.piecewise import JointTrajectory, Profile, integrate_pieces
from dynamis.motion.trajectories.trajectory import NO_WAY, joint_values, positive_limits
from dynamis.motion.trajectories.trapezoidal import arrange_joints


def double_s(
    start: ArrayLike, goal: ArrayLike, velocity: ArrayLike, acceleration: ArrayLike, jerk: ArrayLike, *,
    duration: float | None = None, synchronised: bool = True,
) -> JointTrajectory:  # fmt: skip
    """From rest to rest in the shortest time within |qd| <= velocity, |qdd| <= acceleration, |qddd| <= jerk.

    `synchronised` slows every joint down to the time of the slowest, or to `duration`; otherwise each takes its own
    shortest time.

    >>> double_s([0.0], [10.0], velocity=5.0, acceleration=10.0, jerk=30.0).duration.__round__(6)
    2.833333
    """
    q0 = joint_values("start", start)
    n = q0.size
    q1, v = joint_values("goal", goal, n), positive_limits("velocity", velocity, n)
    a, j = positive_limits("acceleration", acceleration, n), positive_limits("jerk", jerk, n)
    profiles = [_one(*(float(x) for x in row)) for row in zip(q0, q1, v, a, j, strict=True)]
    return arrange_joints("double-S", profiles, duration, synchronised)


def _one(q0: float, q1: float, v: float, a: float, j: float) -> Profile | float:
    d = abs(q1 - q0)
    if d < NO_WAY:
        return q1
    T_j, T_a = (sqrt(v / j), 2 * sqrt(v / j)) if v * j < a * a else (a / j, a / j + v / a)
    T_v = d / v - T_a
    if T_v <= 0:
        T_v = 0.0
        if d >= 2 * a**3 / j**2:
            T_j = a / j
            T_a = T_j / 2 + sqrt(T_j * T_j / 4 + d / a)
        else:
            T_j = (d / (2 * j)) ** (1 / 3)
            T_a = 2 * T_j
    flat = max(T_a - 2 * T_j, 0.0)
    s = j if q1 > q0 else -j
    durations = [T_j, flat, T_j, T_v, T_j, flat, T_j]
    return integrate_pieces(q0, q1, durations, [s, 0.0, -s, 0.0, -s, 0.0, s], 3)
