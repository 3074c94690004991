"""Where the bodies are: poses (forward kinematics), and geometric Jacobians."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from dynamis.mechanics.coupling import projected
from dynamis.mechanics.mechanism import Mechanism, Place, State, joint_transform
from dynamis.scalars.vectors import Matrix, S, Vector


@dataclass(frozen=True, slots=True)
class Pose(Generic[S]):
    """Orientation R (to base axes) and position p of a frame, in the base frame."""

    R: Matrix[S]
    p: Vector[S]


def poses(m: Mechanism[S], state: State[S]) -> list[Pose[S]]:
    """Link axes and joint point of every body: R_0i = R_0p R_i, p_0i = p_0p + R_0p r_i."""
    chain: list[Pose[S]] = []
    for body in m.bodies:
        R, r = joint_transform(body, state, m)
        if body.parent is None:
            chain.append(Pose(R, r))
        else:
            parent = chain[body.parent]
            chain.append(Pose(parent.R.times(R), parent.p + parent.R @ r))
    return chain


def relative_pose(a: Pose[S], b: Pose[S]) -> Pose[S]:
    """T_ab = T_0a^-1 T_0b: frame b in frame a."""
    return Pose(a.R.T.times(b.R), a.R.T @ (b.p - a.p))


def frame_pose(bodies: Sequence[Pose[S]], place: Place[S]) -> Pose[S]:
    """The pose of a frame that stands on a body."""
    if place.body is None:
        return Pose(place.R, place.p)
    body = bodies[place.body]
    return Pose(body.R.times(place.R), body.p + body.R @ place.p)


def jacobian(
    m: Mechanism[S], bodies: Sequence[Pose[S]], body: int | None, point: Vector[S]
) -> tuple[list[Vector[S]], list[Vector[S]]]:
    """Columns of the geometric Jacobian of a point on a body, in base axes: (J_v, J_w).

    With z the joint axis: revolute (z x (x - P_j), z), prismatic (z, 0); a joint that does not
    carry the body has the column 0. `point` is x in the base frame. Coupled joints add up to the columns of their
    coordinates.
    """
    linear, angular = [m.null] * m.joints, [m.null] * m.joints
    while body is not None:
        link, pose = m.bodies[body], bodies[body]
        if link.joint is not None:
            z = pose.R @ link.k
            linear[link.joint] = z.cross(point - pose.p) if link.revolute else z
            angular[link.joint] = z if link.revolute else m.null
        body = link.parent
    return projected(m.coupling, linear), projected(m.coupling, angular)


def com_position(m: Mechanism[S], bodies: Sequence[Pose[S]], body: int) -> Vector[S]:
    """The CoM of a body in the base frame."""
    return bodies[body].p + bodies[body].R @ m.bodies[body].com
