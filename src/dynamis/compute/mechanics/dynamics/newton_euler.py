"""Recursive Newton-Euler algorithm (RNEA): the torques and the wrench at every joint, for a given motion.

Outward, from the base to the tips, in the axes of each link (Luh, Walker and Paul, 1980;
Craig, Introduction to Robotics, eqs. 6.45 to 6.53); P_i is the joint point, C_i the CoM:

    w_i  = R^T w_p + k qd                                                   revolute
    wd_i = R^T wd_p + (R^T w_p) x k qd + k qdd                              revolute
    a_i  = R^T (a_p + wd_p x r + w_p x (w_p x r)) [+ 2 w_i x k qd + k qdd]  [prismatic]
    a_Ci = a_i + wd_i x c + w_i x (w_i x c)

Inward, from the tips to the base, with f_ext and m_ext the loads (moment about P_i):

    F = m a_C                   f_i = F - f_ext + sum over children R_j f_j
    N = I wd + w x I w          n_i = N + c x F - m_ext + sum over children (R_j n_j + r_j x R_j f_j)

    tau = k.n_i (revolute) or k.f_i (prismatic), + rotor qdd + friction + spring

Gravity enters as the acceleration -g of the base, so a_i is the true acceleration minus g.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from dynamis.base.display import Displayable
from dynamis.compute.mechanics.coupling import project_to_coordinates
from dynamis.compute.mechanics.friction import joint_force
from dynamis.compute.mechanics.kinematics.motion import Motion, outward
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State, Wrench
from dynamis.scalars.vectors import S, Vector


@dataclass(frozen=True, slots=True)
class InverseDynamics(Displayable, Generic[S]):
    """tau of every coordinate; motion, net force F = m a_C, net moment N = I wd + w x I w and
    the wrench of the parent at the joint, for every body."""

    tau: list[S]
    motions: list[Motion[S]]
    net: list[Wrench[S]]
    wrenches: list[Wrench[S]]

    def __repr__(self) -> str:
        return f"<InverseDynamics of {len(self.net)} bodies>"


def newton_euler(
    m: Mechanism[S], state: State[S], gravity: Vector[S] | None = None, loads: Sequence[Wrench[S] | None] = ()
) -> InverseDynamics[S]:
    """Inverse dynamics. `loads`: one wrench per body or None, in link axes about the joint point.

    Two sliders, the first lifts 3 kg at rest, the second pushes 2 kg with 3 m/s^2:

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> newton_euler(m, state_at(m, [0.0, 0.0], [0.0, 0.0], [0.0, 3.0])).tau
    [30.0, 6.0]
    """
    g = m.gravity if gravity is None else gravity
    motions = outward(m, state, -g)
    net = [net_wrench(body, motion) for body, motion in zip(m.bodies, motions, strict=True)]
    wrenches = inward(m, motions, net, loads)
    tau = [
        joint_torque(body, state, wrench)
        for body, wrench in zip(m.bodies, wrenches, strict=True)
        if body.joint is not None
    ]
    return InverseDynamics(project_to_coordinates(m.coupling, tau), motions, net, wrenches)


def net_wrench(body: Body[S], motion: Motion[S]) -> Wrench[S]:
    """F and N: what a body needs to move so, about its CoM."""
    force = motion.a_com * body.mass
    moment = body.inertia @ motion.wd + motion.w.cross(body.inertia @ motion.w)
    return Wrench(force, moment)


def inward(
    m: Mechanism[S], motions: Sequence[Motion[S]], net: Sequence[Wrench[S]], loads: Sequence[Wrench[S] | None] = ()
) -> list[Wrench[S]]:
    """The wrench of the parent on every body, about its joint point, in its axes."""
    force = [wrench.force for wrench in net]
    moment = [wrench.moment + body.com.cross(wrench.force) for body, wrench in zip(m.bodies, net, strict=True)]
    for i, load in enumerate(loads):
        if load is not None:
            force[i], moment[i] = force[i] - load.force, moment[i] - load.moment
    for i in reversed(range(len(m.bodies))):
        parent, motion = m.bodies[i].parent, motions[i]
        if parent is not None:
            passed = motion.R @ force[i]
            force[parent] = force[parent] + passed
            moment[parent] = moment[parent] + motion.R @ moment[i] + motion.r.cross(passed)
    return [Wrench(f, n) for f, n in zip(force, moment, strict=True)]


def joint_torque(body: Body[S], state: State[S], wrench: Wrench[S]) -> S:
    """What the motor gives: the wrench along the axis, the rotor's inertia and friction."""
    i = body.joint
    assert i is not None
    along = body.k.dot(wrench.moment if body.revolute else wrench.force)
    return along + body.rotor * state.qdd[i] + joint_force(body, state)
