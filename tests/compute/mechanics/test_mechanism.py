"""The reduction of a joint to R0, t0, k and origin, against the product that defines the joint."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.kinematics.poses import frame_pose, poses
from dynamis.compute.mechanics.mechanism import mechanism, place, rotation, state_at
from dynamis.scalars.vectors import Vector
from tests.support.closeness import close
from tests.support.strategies import Case, Part, matrix, robots


def motion(part: Part, q: float) -> Array:
    """The motion of a joint as a homogeneous matrix: Rodrigues' formula, or a translation."""
    T, K = np.eye(4), np.cross(np.eye(3), part.k)  # K u = k x u
    if part.revolute:
        T[:3, :3] = np.eye(3) + np.sin(q) * K + (1 - np.cos(q)) * K @ K
    elif part.moves:
        T[:3, 3] = part.k * q
    return T


@settings(max_examples=100)
@given(robots())
def test_links_stand_where_before_motion_after_lead(case: Case) -> None:
    """T_0i = T_0p before motion(q) after; the joint point is the origin before `after`."""
    robot = case.robot()
    scalars = robot.floats()
    m = mechanism(robot, scalars)
    found = poses(m, state_at(m, [*case.q], [*case.qd], [*case.qdd]))
    q, frames = case.of_part(case.q), []
    for i, part in enumerate(case.parts):
        parent = np.eye(4) if part.parent is None else frames[part.parent]
        moved = parent @ matrix(part.before) @ motion(part, q[i])
        frames.append(moved @ matrix(part.after))
        close([*found[i].p], moved[:3, 3], scale=1 + np.abs(moved).max())
        close([[*row] for row in found[i].R], frames[i][:3, :3])
        own = frame_pose(found, place(robot, m, robot.frame(part.name)))
        close([*own.p], frames[i][:3, 3], scale=1 + np.abs(frames[i]).max())


@settings(max_examples=100)
@given(robots(friction=True))
def test_bodies_in_link_axes_about_the_joint_point(case: Case) -> None:
    robot = case.robot()
    m = mechanism(robot, robot.floats())
    assert m.n == robot.n == len(case.moving)
    coordinates = [body.joint for body in m.bodies if body.joint is not None]
    assert coordinates == list(range(m.n))
    for part, body in zip(case.parts, m.bodies, strict=True):
        T = matrix(part.after)
        origin = T[:3, :3].T @ T[:3, 3]
        close([*body.k], T[:3, :3].T @ part.k)
        close([*body.com], origin + part.com)
        close([[*row] for row in body.inertia], part.inertia, scale=1 + part.mass * part.com @ part.com)
        assert body.mass == part.mass
        if part.kind != "fixed":
            close(body.rotor, part.gear_ratio**2 * part.rotor_inertia)


@given(robots(joints=(1, 1), kinds=("revolute",)))
def test_rotation_about_an_axis(case: Case) -> None:
    m = mechanism(case.robot(), case.robot().floats())
    k, angle = case.parts[0].k, case.q[0]
    R = np.array([[*row] for row in rotation(Vector(*k), np.cos(angle), np.sin(angle), m)])
    close(R @ R.T, np.eye(3))
    close(np.linalg.det(R), 1.0)
    close(R @ k, k)
    close(np.trace(R), 1 + 2 * np.cos(angle), scale=1.0)
