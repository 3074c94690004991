"""Arms of six revolute joints whose last three axes meet in a point and whose axes 2 and 3 are parallel, as a Puma.

The wrist point c does not move with joints 4 to 6, so with G = T T(0)^-1 the target of the first three is G c:

    q1      z2 . e^[-S1 q1] G c is constant, as axes 2 and 3 are parallel                      (2 values: the shoulder)
    q2, q3  a planar arm of two joints                                                         (2: the elbow)
    q4..q6  the turn that is left: z4 . Rot(z5, q5) z6 = z4 . R z6, then q4 and q6             (2: the wrist)

Every step holds for any directions and offsets of the axes, so frames by any convention are taken.

Source: D. L. Pieper, The Kinematics of Manipulators under Computer Control, 1968; B. Paden, Kinematics and Control of
Robot Manipulators, 1986 (the subproblems); R. M. Murray, Z. Li, S. S. Sastry, 1994, section 3.3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.motion.inverse_kinematics.branches import REACH_TOLERANCE, Branches, branches
from dynamis.motion.inverse_kinematics.planar import Bends
from dynamis.motion.inverse_kinematics.screws import (
    PARALLEL_SINE,
    Screws,
    StructureError,
    across,
    angle_about,
    cosine_sum,
    intersection,
    rotate_vectors,
    screws,
    turned_about,
)
from dynamis.motion.inverse_kinematics.targets import target_array
from dynamis.robot import Robot

NAMES = tuple(
    f"{shoulder}, {elbow}, {wrist}"
    for shoulder in ("left", "right")
    for elbow in ("elbow up", "elbow down")
    for wrist in ("flip", "no flip")
)
_SINGULAR_SINE = 1e-9
"""Sine of the wrist's bend below which axes 4 and 6 are one."""


def spherical_wrist_inverse_kinematics(robot: Robot, target: ArrayLike, *, frame: str = "tool") -> Branches:
    """All eight branches for poses (..., 4, 4): shoulder left or right, elbow up or down, wrist flipped or not.

    Up is the elbow that lies further along axis 1; for a Puma the names are those of the Robotics Toolbox. Where the
    wrist is straight only q4 + q6 is known, and q4 is 0.

    >>> import dynamis
    >>> puma = dynamis.load("puma560")
    >>> pose = puma.forward_kinematics([0.1, -0.7, 0.3, 0.4, 0.5, 0.6])
    >>> branches = spherical_wrist_inverse_kinematics(puma, pose)
    >>> branches.q.shape, bool(abs(puma.forward_kinematics(branches.q) - pose).max() < 1e-12)
    ((8, 6), True)
    """
    arm = screws(robot, frame, (6,), "the closed form of a spherical wrist")
    c = _wrist_point(arm)
    targets, pose = target_array(target)
    if not pose:
        raise ArgumentError("target is a position; an arm of six joints takes poses (..., 4, 4)", key="target")
    G = targets @ np.linalg.inv(arm.T)
    wrist = G[..., :3, :3] @ c + G[..., :3, 3]
    z, P = arm.z, arm.P
    # a cos q1 + b sin q1 = m
    v = wrist - P[0]
    flat = z[1] - (z[1] @ z[0]) * z[0]
    shoulder, out_1 = cosine_sum(v @ flat, v @ np.cross(z[0], flat), (c - P[0]) @ z[1] - (v @ z[0]) * (z[0] @ z[1]))
    out_1 = out_1 / np.linalg.norm(flat)
    # Everything from here on is (2 shoulders, ..., 2 elbows).
    back = turned_about(z[0], P[0], -shoulder, wrist)
    q2, turn_3, out_2, why = Bends.of(z[1], P[1], P[2], c).solve(back)
    q3 = turn_3 * np.sign(z[1] @ z[2])
    q1 = np.broadcast_to(shoulder[..., None], q2.shape)
    q1, q2, q3 = _elbow_up_first(arm, q1, q2, q3)
    R = _left_over(z, q1, q2, q3, G[..., :3, :3])
    q4, q5, q6, out_3 = _wrist_turns(z, R)
    q = np.stack([np.broadcast_to(x[..., None], q4.shape) for x in (q1, q2, q3)] + [q4, q5, q6], axis=-1)
    reach = REACH_TOLERANCE * arm.size
    good = (out_1 <= reach)[None, ..., None] & (out_2 <= reach)[..., None] & (out_3 <= 1e-9)
    batch = targets.shape[:-2]
    exists = np.moveaxis(np.broadcast_to(good[..., None], q4.shape), 0, len(batch)).reshape(*batch, 8)
    q = np.moveaxis(q, 0, len(batch)).reshape(*batch, 8, 6)
    # By how much: of the shoulder's reach, else of the elbow's for the shoulder that misses less.
    least = out_2.argmin(axis=0)[None]
    beyond = np.where(out_1 > reach, out_1, np.take_along_axis(out_2, least, 0)[0])
    sentence = np.where(out_1 > reach, "the wrist point is too near to axis 1", np.take_along_axis(why, least, 0)[0])
    return branches(arm, "spherical-wrist", NAMES, q, exists, beyond, sentence)


def _wrist_point(arm: Screws) -> Array:
    """Where axes 4, 5 and 6 meet; a sentence that says what is missing if the arm is not of this kind."""
    z, size, name, at = arm.z, arm.size, arm.robot.name, arm.numbers
    point, off = intersection(z[3:], arm.P[3:])
    use = "use inverse_kinematics"
    if off > PARALLEL_SINE * size:
        raise StructureError(
            f'axes {at[3]}, {at[4]} and {at[5]} of robot "{name}" do not meet in a point (they pass it at {off:.3g} '
            f"m); the closed form is for a spherical wrist: {use}"
        )
    for i, j in ((3, 4), (4, 5), (0, 1)):
        if np.linalg.norm(np.cross(z[i], z[j])) <= PARALLEL_SINE:
            raise StructureError(
                f'axes {at[i]} and {at[j]} of robot "{name}" are parallel, which the closed form cannot have: {use}'
            )
    if np.linalg.norm(np.cross(z[1], z[2])) > PARALLEL_SINE:
        raise StructureError(
            f'axes {at[1]} and {at[2]} of robot "{name}" are not parallel; the closed form is for an elbow that '
            f"has them so: {use}"
        )
    return point


def _elbow_up_first(arm: Screws, q1: Array, q2: Array, q3: Array) -> tuple[Array, Array, Array]:
    """The two elbows in order: first the one whose axis 3 lies further along axis 1."""
    z, P = arm.z, arm.P
    height = turned_about(z[1], P[1], q2, np.broadcast_to(P[2], (*q2.shape, 3))) @ z[0]
    swap = (height[..., :1] < height[..., 1:]).repeat(2, axis=-1)
    return q1, np.where(swap, q2[..., ::-1], q2), np.where(swap, q3[..., ::-1], q3)


def _left_over(z: Array, q1: Array, q2: Array, q3: Array, R: Array) -> Array:
    """(R1 R2 R3)^T R, column by column: (..., 3, 3)."""
    columns: list[Array] = []
    for k in range(3):
        v = np.broadcast_to(R[..., :, k][None, ..., None, :], (*q1.shape, 3))
        for axis, q in ((z[0], q1), (z[1], q2), (z[2], q3)):
            v = rotate_vectors(axis, -q, v)
        columns.append(v)
    return np.stack(columns, axis=-1)


def _wrist_turns(z: Array, R: Array) -> tuple[Array, Array, Array, Array]:
    """q4, q5, q6 (..., 2) with Rot(z4, q4) Rot(z5, q5) Rot(z6, q6) = R; and by how much there is none."""
    z4, z5, z6 = z[3], z[4], z[5]
    image = R @ z6
    flat = z6 - (z6 @ z5) * z5
    a, b = float(z4 @ flat), float(z4 @ np.cross(z5, flat))
    m = image @ z4 - (z6 @ z5) * (z4 @ z5)
    both, excess = cosine_sum(a + 0 * m, b + 0 * m, m)
    q5 = np.moveaxis(both, 0, -1)
    u = rotate_vectors(z5, q5, np.broadcast_to(z6, (*q5.shape, 3)))
    straight = np.linalg.norm(np.cross(u, z4), axis=-1) < _SINGULAR_SINE
    q4 = np.where(straight, 0.0, angle_about(z4, u, np.broadcast_to(image[..., None, :], u.shape)))
    # What is left turns about z6: follow a vector across it.
    x = across(z6)
    v = np.broadcast_to((R @ x)[..., None, :], u.shape)
    v = rotate_vectors(z5, -q5, rotate_vectors(z4, -q4, v))
    return q4, q5, angle_about(z6, np.broadcast_to(x, u.shape), v), excess
