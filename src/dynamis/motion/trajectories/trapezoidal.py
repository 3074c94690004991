"""Trapezoidal velocity (LSPB within limits): shortest time from rest to rest under velocity and acceleration limits.

With d = |q1 - q0|: if v^2/a < d the joint cruises at v and T = d/v + v/a; otherwise it only speeds up and slows
down, and T = 2 sqrt(d/a).

Source: L. Biagiotti, C. Melchiorri, Trajectory Planning for Automatic Machines and Robots, 2008, section 3.2.
"""

from __future__ import annotations

from math import sqrt

from numpy.typing import ArrayLike

from dynamis.motion.trajectories.piecewise import JointTrajectory, Profile, integrate_pieces, resting, same_duration
from dynamis.motion.trajectories.trajectory import (
    NO_WAY,
    SMALLEST_POSITIVE,
    joint_values,
    measure,
    no_time,
    positive_limits,
)


def trapezoidal(
    start: ArrayLike, goal: ArrayLike, velocity: ArrayLike, acceleration: ArrayLike, *,
    duration: float | None = None, synchronised: bool = True,
) -> JointTrajectory:  # fmt: skip
    """From rest to rest in the shortest time within |qd| <= velocity, |qdd| <= acceleration.

    `synchronised` slows every joint down to the time of the slowest, or to `duration`; otherwise each takes its own
    shortest time.

    >>> trapezoidal([0.0, 0.0], [1.0, 0.5], velocity=1.0, acceleration=2.0).duration
    1.5
    """
    q0 = joint_values("start", start)
    q1 = joint_values("goal", goal, q0.size)
    v, a = positive_limits("velocity", velocity, q0.size), positive_limits("acceleration", acceleration, q0.size)
    profiles = [_one(float(x), float(y), float(w), float(b)) for x, y, w, b in zip(q0, q1, v, a, strict=True)]
    return arrange_joints("trapezoidal velocity", profiles, duration, synchronised)


def arrange_joints(
    kind: str, profiles: list[Profile | float], duration: float | None, synchronised: bool
) -> JointTrajectory:
    """Joints together in time; a number instead of a profile is a joint that stays there."""
    if duration is not None:
        measure("duration", duration, "s")
    moving = [p for p in profiles if isinstance(p, Profile)]
    if not moving and duration is None:
        raise no_time(0.0)
    longest = max((float(p.breaks[-1]) for p in moving), default=duration or 0.0)
    if longest < SMALLEST_POSITIVE:
        raise no_time(longest)
    joints = tuple(p if isinstance(p, Profile) else resting(p, longest) for p in profiles)
    if synchronised or duration is not None:
        return same_duration(kind, joints, duration) if moving else JointTrajectory(kind, joints)
    return JointTrajectory(kind, joints)


def _one(q0: float, q1: float, v: float, a: float) -> Profile | float:
    d = abs(q1 - q0)
    if d < NO_WAY:
        return q1
    a_signed = a if q1 > q0 else -a
    ramp = min(v / a, sqrt(d / a))
    cruise = d / v - v / a if v * v / a < d else 0.0
    return integrate_pieces(q0, q1, [ramp, cruise, ramp], [a_signed, 0.0, -a_signed], 2)
