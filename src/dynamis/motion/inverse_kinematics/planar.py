"""Planar arms of two and three revolute joints in closed form, elbow up and elbow down.

In the plane across the axes, with l1 and l2 from axis to axis to wrist point and w the wrist point from axis 1:

    cos g = (|w|^2 - l1^2 - l2^2) / (2 l1 l2),   a = angle(w) - atan2(l2 sin g, l1 + l2 cos g)

g the bend of the elbow (> 0: elbow down), a the direction of the upper arm. The third joint turns the tool.

Source: J. J. Craig, Introduction to Robotics, 3rd ed., 2005, section 4.4, equations 4.14 to 4.20.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.motion.inverse_kinematics.branches import REACH_TOLERANCE, Branches, branches
from dynamis.motion.inverse_kinematics.screws import (
    PARALLEL_SINE,
    Screws,
    StructureError,
    across,
    rotate_vectors,
    screws,
)
from dynamis.motion.inverse_kinematics.targets import target_array
from dynamis.robot import Robot

NAMES = ("elbow down", "elbow up")


def planar_inverse_kinematics(robot: Robot, target: ArrayLike, *, frame: str = "tool") -> Branches:
    """Both branches of a planar arm: positions (..., 3) for two joints, poses (..., 4, 4) for three.

    "elbow down" bends the elbow by a positive angle about the first axis, "elbow up" by a negative one.

    >>> import dynamis
    >>> arm = dynamis.load("bar-2r")
    >>> both = planar_inverse_kinematics(arm, arm.forward_kinematics([0.3, 0.8])[:3, 3])
    >>> both.branch("elbow down").round(6)
    array([0.3, 0.8])
    """
    what = "the planar closed form"
    arm = screws(robot, frame, (2, 3), what)
    tilted = np.linalg.norm(np.cross(arm.z, arm.z[0]), axis=1) > PARALLEL_SINE
    if tilted.any():
        j = int(np.argmax(tilted))
        raise StructureError(
            f'{what} is for parallel axes; joint {j + 1} of robot "{robot.name}" is not parallel to joint 1: '
            "use inverse_kinematics"
        )
    targets, pose = target_array(target)
    if pose != (len(arm.z) == 3):
        shape = "poses (..., 4, 4)" if len(arm.z) == 3 else "positions (..., 3)"
        raise ArgumentError(
            f"target has shape {targets.shape}; a planar arm of {len(arm.z)} joints takes {shape}", key="target"
        )
    signs = np.sign(arm.z @ arm.z[0])
    if len(arm.z) == 2:
        bends = Bends.of(arm.z[0], arm.P[0], arm.P[1], arm.T[:3, 3])
        a, g, excess, why = bends.solve(targets)
        off = np.abs((targets - arm.T[:3, 3]) @ arm.z[0])
        q = np.stack([a * signs[0], g * signs[1]], axis=-1)
    else:
        bends = Bends.of(arm.z[0], arm.P[0], arm.P[1], arm.P[2])
        turn, off = _turn(arm, targets)
        wrist = targets[..., :3, 3] - rotate_vectors(
            arm.z[0], turn, np.broadcast_to(arm.T[:3, 3] - arm.P[2], (*turn.shape, 3))
        )
        a, g, excess, why = bends.solve(wrist)
        q = np.stack([a * signs[0], g * signs[1], (turn[..., None] - a - g) * signs[2]], axis=-1)
    out = off > REACH_TOLERANCE * arm.size
    why = np.where(out, "it does not lie in the plane of the arm", why)
    missed = np.where(out, np.maximum(off, excess), excess)
    exists = np.broadcast_to((missed <= REACH_TOLERANCE * arm.size)[..., None], q.shape[:-1])
    return branches(arm, "planar-arm", NAMES, q, exists, missed, why)


@dataclass(frozen=True, eq=False)
class Bends:
    """Two parallel axes and a point: the plane's directions x, y, the lengths, and the angles at q = 0."""

    x: Array
    y: Array
    origin: Array
    l1: float
    l2: float
    a0: float
    g0: float

    @staticmethod
    def of(z: Array, P1: Array, P2: Array, point: Array) -> Bends:
        x = across(z)
        y: Array = np.cross(z, x).astype(np.float64)
        (u1, v1), (u2, v2) = ((d @ x, d @ y) for d in (P2 - P1, point - P2))
        a0 = float(np.arctan2(v1, u1))
        return Bends(x, y, P1, float(np.hypot(u1, v1)), float(np.hypot(u2, v2)), a0, float(np.arctan2(v2, u2)) - a0)

    def solve(self, points: Array) -> tuple[Array, Array, Array, NDArray[np.str_]]:
        """Turns (..., 2) of the first and second axis from q = 0, elbow down and up; by how much out of reach, why."""
        w = points - self.origin
        u, v = w @ self.x, w @ self.y
        r, l1, l2 = np.hypot(u, v), self.l1, self.l2
        if min(l1, l2) <= 0:
            raise StructureError("the closed form needs both links to have a length: use inverse_kinematics")
        # Out of reach the arm is straight, however far the target is; its square may overflow.
        d = np.minimum(r, 2 * (l1 + l2))
        bend = np.arccos(np.clip((d * d - l1 * l1 - l2 * l2) / (2 * l1 * l2), -1.0, 1.0))
        g = np.stack([bend, -bend], axis=-1)
        a = np.arctan2(v, u)[..., None] - np.arctan2(l2 * np.sin(g), l1 + l2 * np.cos(g))
        far, near = r - (l1 + l2), abs(l1 - l2) - r
        reach, hole = f"the arm reaches {l1 + l2:.6g} m", f"the arm comes no nearer than {abs(l1 - l2):.6g} m"
        return a - self.a0, g - self.g0, np.maximum(far, near), np.where(far > near, reach, hole)


def _turn(arm: Screws, targets: Array) -> tuple[Array, Array]:
    """The angle of the tool from its pose at q = 0, and how far the target is off the plane (with its tilt)."""
    z = arm.z[0]
    R = targets[..., :3, :3] @ arm.T[:3, :3].T
    tilt = np.linalg.norm(R @ z - z, axis=-1)
    x = across(z)
    image = R @ x
    turn = np.arctan2(image @ np.cross(z, x), image @ x)
    return turn, np.abs((targets[..., :3, 3] - arm.T[:3, 3]) @ z) + tilt * arm.size
