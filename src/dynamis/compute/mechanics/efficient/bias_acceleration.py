"""How a frame accelerates when no joint does: Jd qd, the part of its acceleration that velocities cause.

    (a, wd) = J qdd + Jd qd

so Jd qd is the motion of the frame for qdd = 0 and without gravity (B. Siciliano et al., Robotics: Modelling,
Planning and Control, 2009, section 3.6). J need not be differentiated.
"""

from __future__ import annotations

from dataclasses import replace

from dynamis.compute.mechanics.efficient.inverse_dynamics import outward
from dynamis.compute.mechanics.efficient.regrouping.joint_transforms import axis_rates, joint_transforms
from dynamis.compute.mechanics.mechanism import Mechanism, Place, State
from dynamis.scalars.vectors import S, Vector


def bias_acceleration(m: Mechanism[S], state: State[S], place: Place[S]) -> tuple[Vector[S], Vector[S]]:
    """Jd qd of the origin of a frame on a body [m/s^2] and of the body [rad/s^2], in base axes; qdd is not read.

    A bar that turns with 3 rad/s draws a point at 2 m along x inward:

    >>> from dynamis import Joint, Link, Robot
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> m = mechanism(robot := Robot("bar", (Link("bar", Joint("turn")),)), robot.floats())
    >>> from dynamis.scalars.vectors import diagonal
    >>> tip = Place(0, diagonal(1.0, 0.0), Vector(2.0, 0.0, 0.0))
    >>> bias_acceleration(m, state_at(m, [0.0], [3.0]), tip)[0].x
    -18.0
    """
    if place.body is None:
        return m.null, m.null
    joints = joint_transforms(m, state)
    w, zd = axis_rates(m, state, joints)
    motion = outward(m, replace(state, qdd=[m.zero] * m.joints), joints, w, zd, m.null)[place.body]
    rotation = joints[place.body].own_rotation
    a, wd = motion.a + motion.U @ (place.p if rotation is None else rotation.vector(place.p)), motion.wd
    i: int | None = place.body
    while i is not None:
        a, wd = joints[i].to_parent(a), joints[i].to_parent(wd)
        i = m.bodies[i].parent
    return a, wd
