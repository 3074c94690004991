"""The regressor: joint torques as a linear function of the standard inertial parameters.

Link i has ten of them, all about the origin O_i of its link frame and in the axes of that frame
(the frame that the robot's file names, not the joint point P_i of the recursion), C_i at c from O_i:

    pi_i = (m, m c_x, m c_y, m c_z, I_xx, I_yy, I_zz, I_xy, I_xz, I_yz)
    I = I_C + m (c.c 1 - c c^T)           entries of the tensor: I_xy = -integral of x y dm

With h = m c, a the acceleration of O_i minus gravity, w and wd of the link, Newton and Euler say

    f = m a + wd x h + w x (w x h)
    n = h x a + I wd + w x I w            about O_i

and d'Alembert's principle gives the torques: with v_j, w_j the velocities of O_i and of the link
for qd = e_j (columns of its Jacobian), tau_j = sum over links ( v_j.f + w_j.n ). Hence tau = Y pi with

    Y_j of m    v_j.a
    Y_j of h    v_j x wd + w x (w x v_j) + a x w_j
    Y_j of I    w_j.I wd + (w_j x w).I w, entry by entry

The energies are linear in pi too: 2T = m v.v + 2 h.(v x w) + w.I w with v of O_i, and U = -m g.p - h.R^T g.

What the drives need is no inertia of a link and comes on top (`drive_torques`). It is linear too, with three parameters
per moving joint: the rotor inertia at the joint, damping and Coulomb friction, whose columns are qdd, qd and sign(qd).

Source: C. G. Atkeson, C. H. An, J. M. Hollerbach, Estimation of inertial parameters of manipulator
loads and links, Int. J. Robotics Research 5(3), 1986, sections 2 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dynamis.compute.mechanics.coupling import project_to_coordinates
from dynamis.compute.mechanics.dynamics.mass_matrix import unit_velocities
from dynamis.compute.mechanics.friction import columns, joint_force, parameters
from dynamis.compute.mechanics.kinematics.motion import Motion, Velocity, outward, velocities
from dynamis.compute.mechanics.kinematics.poses import poses
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State
from dynamis.model.inertia import parallel_axis
from dynamis.model.inertial_parameters import STANDARD
from dynamis.scalars.vectors import S, Vector


def base_order(links: int) -> list[int]:
    """The columns of Y in the order in which base parameters are chosen, the first independent ones.

    Link by link, inertias before first moments, and the masses last of all.
    """
    kinds = len(STANDARD)
    return sorted(range(kinds * links), key=lambda k: (k % kinds == 0, k // kinds, (k + 6) % kinds))


def regressor(m: Mechanism[S], state: State[S], gravity: Vector[S] | None = None) -> list[list[S]]:
    """Y(q, qd, qdd), (n, 10 links), with tau = Y pi + drive torques; fixed links have columns too.

    A slider that lifts itself: tau = m (qdd + g).

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> Y = regressor(m, state_at(m, [0.0, 0.0], [0.0, 0.0], [0.5, 3.0]))
    >>> Y[0][0], Y[1][10]
    (10.5, 3.0)
    """
    g = m.gravity if gravity is None else gravity
    motions = outward(m, state, -g)
    rows: list[list[S]] = []
    for j in range(m.n):
        columns = m.of_links(list(zip(m.bodies, motions, unit_velocities(m, state, j), strict=True)))
        rows.append([x for body, motion, unit in columns for x in entries(body, motion, unit)])
    return rows


def full_regressor(m: Mechanism[S], state: State[S], gravity: Vector[S] | None = None) -> list[list[S]]:
    """(n, 10 links + 3 joints): Y with the columns of the drives after it, so that tau = Y (pi, drive parameters)."""
    return [[*row, *drives] for row, drives in zip(regressor(m, state, gravity), drive_columns(m, state), strict=True)]


def drive_columns(m: Mechanism[S], state: State[S]) -> list[list[S]]:
    """(n, 3 joints): what rotor inertia, damping and Coulomb friction of every joint are multiplied by.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> m = mechanism(arm := load("bar-2r"), arm.floats())
    >>> drive_columns(m, state_at(m, [0.0, 0.0], [2.0, -3.0], [5.0, 6.0]))
    [[5.0, 2.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 6.0, -3.0, -1.0]]
    """
    none = [m.zero] * (1 + len(m.force_terms))
    own = [[state.qdd[j], *columns(body, state, m)] for j, body in enumerate(m.moving)]
    rows = [[x for k in range(m.joints) for x in (row if k == j else none)] for j, row in enumerate(own)]
    return project_to_coordinates(m.coupling, rows)


def energy_regressor(m: Mechanism[S], state: State[S], gravity: Vector[S] | None = None) -> tuple[list[S], list[S]]:
    """Two rows of 10 links entries, with which 2T = row pi (the links' alone) and U = row pi [J].

    They hold the same as Y: by Lagrange's equations columns of Y depend on each other as those of T do
    and those of U up to constants.
    """
    g = m.gravity if gravity is None else gravity
    kinetic: list[S] = []
    potential: list[S] = []
    for body, velocity, pose in m.of_links(list(zip(m.bodies, velocities(m, state), poses(m, state), strict=True))):
        w, v = velocity.w, velocity.at(body.origin)
        moment = v.cross(w)
        kinetic += [v.dot(v), *(moment + moment), w.x * w.x, w.y * w.y, w.z * w.z]
        kinetic += [_both(w, w, p, q) for p, q in ("xy", "xz", "yz")]
        potential += [-g.dot(pose.p + pose.R @ body.origin), *(-(pose.R.T @ g)), *([m.zero] * 6)]
    return kinetic, potential


def inertial_parameters(m: Mechanism[S]) -> list[S]:
    """pi: the ten standard inertial parameters of every link, in the order of Y's columns."""
    parameters: list[S] = []
    for body in m.of_links(m.bodies):
        c = body.com - body.origin
        I = body.inertia + parallel_axis(body.mass, c, m.scalars)  # noqa: E741
        parameters += [body.mass, *(c * body.mass), I.a.x, I.b.y, I.c.z, I.a.y, I.a.z, I.b.z]
    return parameters


def drive_parameters(m: Mechanism[S]) -> list[S]:
    """Rotor inertia at the joint, damping and Coulomb friction of every moving joint, in the order of the columns."""
    return [x for body in m.bodies if body.joint is not None for x in (body.rotor, *parameters(body, m))]


def drive_torques(m: Mechanism[S], state: State[S]) -> list[S]:
    """rotor qdd + damping qd + coulomb sign(qd) of every coordinate: tau = Y pi + these."""
    drives: list[Any] = [
        body.rotor * qdd + joint_force(body, state) for body, qdd in zip(m.moving, state.qdd, strict=True)
    ]
    return project_to_coordinates(m.coupling, drives)


def entries(body: Body[S], motion: Motion[S], unit: Velocity[S]) -> Iterator[Any]:
    """The ten entries of one joint and one link, about the origin of the link frame."""
    o, w, wd, w_j = body.origin, motion.w, motion.wd, unit.w
    a = motion.a + wd.cross(o) + w.cross(w.cross(o))
    v_j = unit.at(o)
    yield v_j.dot(a)
    yield from v_j.cross(wd) + w.cross(w.cross(v_j)) + a.cross(w_j)
    u = w_j.cross(w)
    yield from (w_j.x * wd.x + u.x * w.x, w_j.y * wd.y + u.y * w.y, w_j.z * wd.z + u.z * w.z)
    for p, q in ("xy", "xz", "yz"):
        yield _both(w_j, wd, p, q) + _both(u, w, p, q)


def _both(a: Vector[S], b: Vector[S], p: str, q: str) -> Any:
    """a_p b_q + a_q b_p: what an off-diagonal entry of I multiplies in a.I b."""
    return getattr(a, p) * getattr(b, q) + getattr(a, q) * getattr(b, p)
