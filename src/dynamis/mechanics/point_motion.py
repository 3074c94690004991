"""How a point of a body moves, in base axes: what a tool or a sensor does along a trajectory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from dynamis.mechanics.kinematics import frame_pose, poses, velocities
from dynamis.mechanics.mechanism import Mechanism, Place, State
from dynamis.mechanics.newton_euler import outward
from dynamis.scalars.vectors import S, Vector


@dataclass(frozen=True, slots=True)
class PointMotion(Generic[S]):
    """Position, velocity and acceleration of a point, angular velocity and acceleration of its body."""

    p: Vector[S]
    v: Vector[S]
    a: Vector[S]
    w: Vector[S]
    wd: Vector[S]


def point_motion(m: Mechanism[S], state: State[S], place: Place[S]) -> PointMotion[S]:
    """The motion of a frame's origin x, in base axes, without gravity.

    v_x = v_P + w x r,  a_x = a_P + wd x r + w x (w x r),  r from the joint point P to x.
    """
    where = poses(m, state)
    p = frame_pose(where, place).p
    if place.body is None:
        return PointMotion(p, m.null, m.null, m.null, m.null)
    r, R = place.p, where[place.body].R
    fast, motion = velocities(m, state)[place.body], outward(m, state, m.null)[place.body]
    v = fast.v + fast.w.cross(r)
    a = motion.a + motion.wd.cross(r) + motion.w.cross(motion.w.cross(r))
    return PointMotion(p, R @ v, R @ a, R @ motion.w, R @ motion.wd)
