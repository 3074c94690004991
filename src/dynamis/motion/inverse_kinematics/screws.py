"""The geometry of an arm whatever its frames: axes and points of its joints at q = 0, and the frame's pose there.

    T(q) = e^[S_1 q_1] ... e^[S_n q_n] T(0),   S_j a turn about the axis z_j through P_j

(the product of exponentials), so that D-H, URDF and chains of transforms look alike.

Source: R. M. Murray, Z. Li, S. S. Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.errors import DynamisError
from dynamis.library import check_robot
from dynamis.robot import Robot

PARALLEL = 1e-9
"""Sine of an angle below which axes are parallel; lengths below this times the arm's size are 0."""


class StructureError(DynamisError):
    """An arm that has no closed form here; `inverse_kinematics` finds its joint values numerically."""


@dataclass(frozen=True, eq=False)
class Screws:
    """Axes z (n, 3) through P (n, 3) and the frame's pose T (4, 4), all at q = 0 in the base frame."""

    z: Array
    P: Array
    T: Array

    @property
    def size(self) -> float:
        """How long the arm is [m]: along its joint points to the frame."""
        points = np.vstack([self.P, self.T[:3, 3]])
        return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()) or 1.0


def screws(robot: Robot, frame: str, count: tuple[int, ...], what: str) -> Screws:
    """The geometry of a robot of `count` revolute joints that all carry the frame; `what` begins the error."""
    check_robot(robot)
    name = f'robot "{robot.name}"'
    if robot.coupled:
        raise StructureError(f"{what} is for independent joints; {name} has coupled ones: use inverse_kinematics")
    if robot.n not in count:
        wanted = " or ".join(map(str, count))
        raise StructureError(f"{what} is for {wanted} joints; {name} has {robot.n}: use inverse_kinematics")
    if slides := [joint.name for joint in robot.joints if not joint.revolute]:
        raise StructureError(
            f'{what} is for revolute joints; "{slides[0]}" of {name} is prismatic: use inverse_kinematics'
        )
    zero = np.zeros(robot.n)
    J = robot.jacobian(zero, frame)
    z = J[3:].T
    for j in range(robot.n):
        if np.linalg.norm(z[j]) < 0.5:
            raise StructureError(
                f'{what} is for joints in a row; "{robot.joints[j].name}" of {name} does not move frame "{frame}": '
                "use inverse_kinematics"
            )
    moving = [k for k, link in enumerate(robot.links) if link.joint.moves]
    P = robot.link_motions(zero).point_position[moving]
    return Screws(z, P, robot.forward_kinematics(zero, frame))


def across(z: Array) -> Array:
    """A unit vector across the unit vector z."""
    x: Array = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))]).astype(np.float64)
    return x / np.linalg.norm(x)


def turned(z: Array, angle: Any, v: Array) -> Array:
    """Rodrigues: v (..., 3) turned about the unit vector z by angles (...)."""
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return v * c + np.cross(z, v) * s + z * ((v @ z)[..., None] * (1 - c))


def turned_about(z: Array, P: Array, angle: Any, x: Array) -> Array:
    """Points x (..., 3) turned about the axis z through P."""
    return P + turned(z, angle, x - P)


def angle_about(z: Array, u: Array, w: Array) -> Array:
    """The angle about z that turns u (..., 3) into w, or as near as can be; 0 where either lies along z."""
    sine = np.cross(u, w) @ z
    cosine = (u * w).sum(-1) - (u @ z) * (w @ z)
    along = np.hypot(sine, cosine) < 1e-14
    return np.where(along, 0.0, np.arctan2(sine, cosine))


def cosine_sum(a: Array, b: Array, m: Array) -> tuple[Array, Array]:
    """Both x with a cos x + b sin x = m, and by how much |m| exceeds the amplitude (<= 0 where there is a solution)."""
    amplitude = np.hypot(a, b)
    excess = np.abs(m) - amplitude
    ratio = np.clip(np.divide(m, amplitude, out=np.ones_like(amplitude), where=amplitude > 0), -1.0, 1.0)
    around, away = np.arctan2(b, a), np.arccos(ratio)
    return np.stack([around + away, around - away]), excess


def intersection(z: Array, P: Array) -> tuple[Array, float]:
    """The point nearest to all lines (z_k, P_k), and its largest distance from them."""
    away = np.eye(3) - z[:, :, None] * z[:, None, :]
    inverse: Array = np.asarray(np.linalg.pinv(away.sum(axis=0)), dtype=np.float64)  # type: ignore[reportUnknownArgumentType]
    point: Array = inverse @ (away @ P[:, :, None]).sum(axis=0)[:, 0]
    off = np.linalg.norm((away @ (point - P)[:, :, None])[:, :, 0], axis=1)
    return point, float(off.max())
