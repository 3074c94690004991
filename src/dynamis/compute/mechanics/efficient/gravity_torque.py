"""What gravity asks of the motors: a composite body hangs at each joint, with its first moment h.

    tau_i = -(k x h).g  (revolute)      -m k.g  (prismatic)      g in the axes of link i

h and the mass m of what joint i carries are passed to the base, g is turned to the tips. (The potential energy is
-g.h of the whole; its derivative by q_i is this.) Fewer operations than Newton-Euler at rest, the same result.

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.2, for the composite bodies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynamis.compute.mechanics.coupling import project_to_coordinates
from dynamis.compute.mechanics.efficient.regrouping.body_moments import BodyMoments
from dynamis.compute.mechanics.efficient.regrouping.regrouped import Regrouped, regroup_mechanism
from dynamis.compute.mechanics.friction import springs
from dynamis.compute.mechanics.mechanism import Mechanism, State
from dynamis.scalars.vectors import S, Vector


def gravity_torque(
    m: Mechanism[S],
    state: State[S],
    gravity: Vector[S] | None = None,
) -> list[S]:
    """g(q) = dU/dq [N m or N]: the torques that hold the robot still; friction and loads are not in it, springs are.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> gravity_torque(m, state_at(m, [0.0, 0.0]))
    [30.0, 0.0]
    """
    x = regroup_mechanism(m, state)
    weight: list[Any] = joint_gravity(x, x.composites(), m.gravity if gravity is None else gravity)
    return project_to_coordinates(m.coupling, [a + b for a, b in zip(weight, springs(m, state), strict=True)])


def joint_gravity(x: Regrouped[S], composites: Sequence[BodyMoments[S]], gravity: Vector[S]) -> list[S]:
    """The torques of gravity at every moving joint: up.(k x h) or m k.up, up = -gravity in the body's axes."""
    up: list[Vector[S]] = []
    tau: list[S] = []
    for body, joint, carried in zip(x.m.bodies, x.joints, composites, strict=True):
        up.append(joint.from_parent(-gravity if body.parent is None else up[body.parent]))
        if body.joint is not None:
            tau.append((body.k.cross(carried.h) if body.revolute else body.k * carried.mass).dot(up[-1]))
    return tau
