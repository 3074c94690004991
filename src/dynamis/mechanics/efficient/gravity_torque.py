"""What gravity asks of the motors: a composite body hangs at each joint, with its first moment h.

    tau_i = -(k x h).g  (revolute)      -m k.g  (prismatic)      g in the axes of link i

h and the mass m of what joint i carries are passed to the base, g is turned to the tips. (The potential energy is
-g.h of the whole; its derivative by q_i is this.) Fewer operations than Newton-Euler at rest, the same result.

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2, for the composite bodies.
"""

from __future__ import annotations

from dynamis.mechanics.coupling import projected
from dynamis.mechanics.efficient.regrouping.body_moments import moments_in_body_axes
from dynamis.mechanics.efficient.regrouping.dh_frames import align_frames
from dynamis.mechanics.efficient.regrouping.joint_transforms import joint_transforms
from dynamis.mechanics.mechanism import Mechanism, State
from dynamis.scalars.vectors import S, Vector


def gravity_torque(
    m: Mechanism[S],
    state: State[S],
    gravity: Vector[S] | None = None,
) -> list[S]:
    """g(q) [N m or N]: the torques that hold the robot still; friction and loads are not in it.

    >>> from dynamis import load
    >>> from dynamis.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> gravity_torque(m, state_at(m, [0.0, 0.0]))
    [30.0, 0.0]
    """
    m, state, _ = align_frames(m, state)
    joints = joint_transforms(m, state)
    base = -(m.gravity if gravity is None else gravity)
    up: list[Vector[S]] = []
    for body, joint in zip(m.bodies, joints, strict=True):
        up.append(joint.from_parent(base if body.parent is None else up[body.parent]))
    own = moments_in_body_axes(m, joints)
    mass, h = [body.mass for body in own], [body.h for body in own]
    tau = [m.zero] * m.joints
    for i in reversed(range(len(m.bodies))):
        body = m.bodies[i]
        if body.joint is not None:
            tau[body.joint] = (body.k.cross(h[i]) if body.revolute else body.k * mass[i]).dot(up[i])
        if (p := body.parent) is not None:
            h[p] = (h[p] + joints[i].r * mass[i]) + joints[i].to_parent(h[i])
            mass[p] = mass[p] + mass[i]
    return projected(m.coupling, tau)
