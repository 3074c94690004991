"""How bodies and their points move: velocities and accelerations, outward from the base to the tips, in link axes.

    w_i  = R^T w_p + k qd                                                   revolute
    v_i  = R^T (v_p + w_p x r) [+ k qd]                                     [prismatic]
    wd_i = R^T wd_p + (R^T w_p) x k qd + k qdd                              revolute
    a_i  = R^T (a_p + wd_p x r + w_p x (w_p x r)) [+ 2 w_i x k qd + k qdd]  [prismatic]

of the joint points P_i; a point of body i at x from P_i has v_i + w_i x x and a_i + wd_i x x + w_i x (w_i x x).
Source: Luh, Walker and Paul, 1980; Craig, Introduction to Robotics, eqs. 6.45 to 6.48. The same recursion at the
origins of the link frames is known as the method of moving frames (De Luca, Robotics 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from dynamis.compute.mechanics.kinematics.poses import frame_pose, poses
from dynamis.compute.mechanics.mechanism import Mechanism, Place, State, joint_transform
from dynamis.scalars.vectors import Matrix, S, Vector


@dataclass(frozen=True, slots=True)
class Velocity(Generic[S]):
    """Angular velocity, and the velocities of joint point and CoM, in link axes."""

    w: Vector[S]
    v: Vector[S]
    v_com: Vector[S]

    def at(self, point: Vector[S]) -> Vector[S]:
        """v + w x r: the velocity of a point of the body at r from the joint point, in link axes."""
        return self.v + self.w.cross(point)


@dataclass(frozen=True, slots=True)
class Motion(Generic[S]):
    """How a body moves, in its own axes. R: to parent axes. r: P_parent to P_i, parent axes."""

    R: Matrix[S]
    r: Vector[S]
    w: Vector[S]
    wd: Vector[S]
    a: Vector[S]
    a_com: Vector[S]


def velocities(m: Mechanism[S], state: State[S]) -> list[Velocity[S]]:
    """w_i = R^T w_p + k qd (revolute), v_i = R^T (v_p + w_p x r) + k qd (prismatic)."""
    moving: list[Velocity[S]] = []
    for body in m.bodies:
        R, r = joint_transform(body, state, m)
        w, v = m.null, m.null
        if body.parent is not None:
            p = moving[body.parent]
            w, v = R.T @ p.w, R.T @ (p.v + p.w.cross(r))
        if body.joint is not None:
            k_qd = body.k * state.qd[body.joint]
            w, v = (w + k_qd, v) if body.revolute else (w, v + k_qd)
        moving.append(Velocity(w, v, v + w.cross(body.com)))
    return moving


def outward(m: Mechanism[S], state: State[S], base_acceleration: Vector[S]) -> list[Motion[S]]:
    """Angular velocity, angular acceleration and acceleration of every body."""
    motions: list[Motion[S]] = []
    for body in m.bodies:
        R, r = joint_transform(body, state, m)
        if body.parent is None:
            w, wd, a = m.null, m.null, R.T @ base_acceleration
        else:
            p = motions[body.parent]
            w, wd = R.T @ p.w, R.T @ p.wd
            a = R.T @ (p.a + p.wd.cross(r) + p.w.cross(p.w.cross(r)))
        if body.joint is not None:
            k_qd, k_qdd = body.k * state.qd[body.joint], body.k * state.qdd[body.joint]
            coriolis = w.cross(k_qd)
            if body.revolute:
                w, wd = w + k_qd, wd + coriolis + k_qdd
            else:
                a = a + coriolis + coriolis + k_qdd
        a_com = a + wd.cross(body.com) + w.cross(w.cross(body.com))
        motions.append(Motion(R, r, w, wd, a, a_com))
    return motions


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
    a = motion.a + motion.wd.cross(r) + motion.w.cross(motion.w.cross(r))
    return PointMotion(p, R @ fast.at(r), R @ a, R @ motion.w, R @ motion.wd)
