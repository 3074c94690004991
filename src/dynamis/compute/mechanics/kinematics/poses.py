"""Where the bodies are: poses (forward kinematics), and geometric Jacobians."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from dynamis.compute.mechanics.coupling import project_to_coordinates
from dynamis.compute.mechanics.mechanism import Mechanism, Place, State, joint_transform
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


def relative_pose(m: Mechanism[S], state: State[S], a: Place[S], b: Place[S]) -> Pose[S]:
    """T_ab = T_ca^-1 T_cb: frame b in frame a, from the joints between them and the last body c that carries both."""
    carriers: set[int | None] = {None}
    at = a.body
    while at is not None:
        carriers.add(at)
        at = m.bodies[at].parent
    common = b.body
    while common is not None and common not in carriers:
        common = m.bodies[common].parent
    first, second = (_pose_on(m, state, place, common) for place in (a, b))
    return Pose(first.R.T.times(second.R), first.R.T @ (second.p - first.p))


def homogeneous(pose: Pose[S], m: Mechanism[S]) -> list[list[S]]:
    """A pose as a 4x4 matrix."""
    rows = [[*row, p] for row, p in zip(pose.R, pose.p, strict=True)]
    return [*rows, [m.zero, m.zero, m.zero, m.one]]


def _pose_on(m: Mechanism[S], state: State[S], place: Place[S], carrier: int | None) -> Pose[S]:
    """The pose of a frame on a body that carries it, from that body's joint point and in its axes."""
    pose, at = Pose(place.R, place.p), place.body
    while at != carrier and at is not None:
        R, r = joint_transform(m.bodies[at], state, m)
        pose, at = Pose(R.times(pose.R), r + R @ pose.p), m.bodies[at].parent
    return pose


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
    return project_to_coordinates(m.coupling, linear), project_to_coordinates(m.coupling, angular)


def com_position(m: Mechanism[S], bodies: Sequence[Pose[S]], body: int) -> Vector[S]:
    """The CoM of a body in the base frame."""
    return bodies[body].p + bodies[body].R @ m.bodies[body].com
