"""How a Jacobian changes: its rate Jd along a motion, and its derivatives by the joints, the Hessian of the kinematics.

With z_j the axis of joint j, P_j its point, w_j = z_j (revolute) or 0 (prismatic) and v_j the columns of J_v, all in
base axes, a joint i nearer to the base turns all that comes after it:

    dv_j/dq_i = dv_i/dq_j = w_i x v_j        dw_j/dq_i = w_i x w_j        dw_i/dq_j = 0        (i carries j, or i = j)

so the Hessian of J_v is symmetric, that of J_w is not. Along a motion, with zd_j = w x z_j of the link of joint j,

    d/dt v_j = zd_j x (x - P_j) + z_j x (xd - Pd_j)   revolute,  zd_j   prismatic        d/dt w_j = zd_j   revolute

Source: B. Siciliano et al., Robotics: Modelling, Planning and Control, 2009, section 3.1; A. Hourtash, The kinematic
Hessian and higher derivatives, IEEE CIRA 2005.
"""

from __future__ import annotations

from typing import Any

from dynamis.compute.mechanics.coupling import project_to_coordinates, projected_matrix
from dynamis.compute.mechanics.kinematics.motion import velocities
from dynamis.compute.mechanics.kinematics.poses import frame_pose, poses
from dynamis.compute.mechanics.mechanism import Mechanism, Place, State
from dynamis.scalars.vectors import S, Vector


def jacobian_rate(m: Mechanism[S], state: State[S], place: Place[S]) -> tuple[list[Vector[S]], list[Vector[S]]]:
    """Columns of Jd = dJ/dt of a frame's origin along the motion, in base axes: (Jd_v, Jd_w); qdd is not read.

    A bar of 2 m that turns with 3 rad/s: J_v = 2 (-s, c), and at q = 0 it changes by 2 (-c, -s) 3.

    >>> from dynamis import Joint, Link, Robot
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> m = mechanism(robot := Robot("bar", (Link("bar", Joint("turn")),)), robot.floats())
    >>> from dynamis.scalars.vectors import diagonal
    >>> tip = Place(0, diagonal(1.0, 0.0), Vector(2.0, 0.0, 0.0))
    >>> jacobian_rate(m, state_at(m, [0.0], [3.0]), tip)[0][0].x
    -6.0
    """
    linear, angular = [m.null] * m.joints, [m.null] * m.joints
    where, moving, i = poses(m, state), velocities(m, state), place.body
    x = frame_pose(where, place).p
    xd = m.null if i is None else where[i].R @ moving[i].at(place.p)
    while i is not None:
        body, R = m.bodies[i], where[i].R
        if body.joint is not None:
            z, zd = R @ body.k, R @ moving[i].w.cross(body.k)
            linear[body.joint] = zd.cross(x - where[i].p) + z.cross(xd - R @ moving[i].v) if body.revolute else zd
            angular[body.joint] = zd if body.revolute else m.null
        i = body.parent
    return project_to_coordinates(m.coupling, linear), project_to_coordinates(m.coupling, angular)


def hessian(m: Mechanism[S], state: State[S], place: Place[S]) -> tuple[list[list[Any]], list[list[Any]]]:
    """dJ_j/dq_k of a frame's origin at [j][k], vectors in base axes: (of J_v, of J_w).

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, place, state_at
    >>> arm = load("bar-2r")
    >>> m = mechanism(arm, arm.floats())
    >>> hessian(m, state_at(m, [0.0, 0.0]), place(arm, m, arm.frame("tool")))[0][0][1].x
    -0.5
    """
    of_linear, of_angular = ([[m.null] * m.joints for _ in range(m.joints)] for _ in range(2))
    where = poses(m, state)
    x = frame_pose(where, place).p
    after: list[tuple[int, Vector[S], Vector[S]]] = []
    i = place.body
    while i is not None:
        body, pose = m.bodies[i], where[i]
        if body.joint is not None:
            j, z = body.joint, pose.R @ body.k
            after.append((j, z.cross(x - pose.p), z) if body.revolute else (j, z, m.null))
            for k, v, w in after if body.revolute else ():
                of_linear[k][j] = of_linear[j][k] = z.cross(v)
                if k != j:
                    of_angular[k][j] = z.cross(w)
        i = body.parent
    return projected_matrix(m.coupling, of_linear), projected_matrix(m.coupling, of_angular)
