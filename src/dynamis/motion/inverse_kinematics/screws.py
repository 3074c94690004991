"""The geometry of an arm whatever its frames: axes and points of its joints at q = 0, and the frame's pose there.

    T(q) = e^[S_1 q_1] ... e^[S_n q_n] T(0),   S_j a turn about the axis z_j through P_j

(the product of exponentials), so that D-H, URDF and chains of transforms look alike.

Source: R. M. Murray, Z. Li, S. S. Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, section 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import DynamisError
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.library import require_robot
from dynamis.model.joint_limits import JointLimits, joint_limits
from dynamis.robot import Robot

PARALLEL_SINE = 1e-9
"""Sine of an angle below which axes are parallel; lengths below this times the arm's size are 0."""


class StructureError(DynamisError):
    """An arm that has no closed form here; `inverse_kinematics` finds its joint values numerically."""


@dataclass(frozen=True, eq=False)
class Screws:
    """Axes z (k, 3) through P (k, 3) of the joints that carry a frame, and its pose T (4, 4), at q = 0 in base axes.

    Coupled joints follow the robot's coordinates, q = A y + b: `inverse` is A^-1; 1 and b = 0 without couplings.
    """

    robot: Robot
    limits: JointLimits
    """The limits of the coordinates; `joint_limits` are those of the joints themselves."""
    joint_limits: JointLimits
    z: Array
    P: Array
    T: Array
    inverse: Array
    b: Array
    numbers: tuple[int, ...]
    """Of the joints among all that move, from 1: others may follow coordinates and carry another frame."""

    @property
    def size(self) -> float:
        """How long the arm is [m]: along its joint points to the frame."""
        points = np.vstack([self.P, self.T[:3, 3]])
        return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()) or 1.0

    def coordinates(self, q: Array) -> Array:
        """y (..., n) from joint values q (..., k)."""
        return (q - self.b) @ self.inverse.T if self.robot.coupled else q


def screws(robot: Robot, frame: str, count: tuple[int, ...], what: str) -> Screws:
    """The geometry of an arm of `count` revolute joints that carry the frame; `what` begins the error."""
    require_robot(robot)
    return robot.memo(("screws", frame, count), lambda: _screws(robot, frame, count, what))


def _screws(robot: Robot, frame: str, count: tuple[int, ...], what: str) -> Screws:
    name, carrying = f'robot "{robot.name}"', _carrying(robot, frame)
    joints = tuple(robot.links[k].joint for k in carrying)

    def refuse(reason: str) -> NoReturn:
        raise StructureError(f"{what} is for {reason}: use inverse_kinematics")

    idle = [joint.name for joint in robot.joints if joint not in joints]
    number, where = (len(joints), f' that carry frame "{frame}"') if robot.coupled else (robot.n, "")
    if number not in count:
        refuse(f"{' or '.join(map(str, count))} joints; {name} has {number}{where}")
    if prismatic := [joint.name for joint in joints if not joint.revolute]:
        refuse(f'revolute joints; "{prismatic[0]}" of {name} is prismatic')
    if idle and not robot.coupled:
        refuse(f'joints in a row; "{idle[0]}" of {name} does not move frame "{frame}"')
    moving = [k for k, link in enumerate(robot.links) if link.joint.moves]
    A, b = (x[[moving.index(k) for k in carrying]] for x in coupling_matrix(robot))
    if A.shape[0] != A.shape[1] or np.linalg.matrix_rank(A) < len(A):
        refuse(
            f"joints that can be chosen freely; {name} moves {len(A)} joints by {robot.n} coordinates in a way that "
            "cannot be inverted"
        )
    inverse = np.linalg.inv(A).astype(np.float64)
    zero, numbers = -inverse @ b, tuple(moving.index(k) + 1 for k in carrying)
    z = (robot.jacobian(zero, frame)[3:] @ inverse).T
    P = robot.link_motions(zero).point_position[carrying]
    T = robot.forward_kinematics(zero, frame)
    return Screws(robot, joint_limits(robot), joint_limits(robot, joints), z, P, T, inverse, b, numbers)


def _carrying(robot: Robot, frame: str) -> list[int]:
    """The links from the base to a frame whose joints move."""
    index = {link.name: k for k, link in enumerate(robot.links)}
    chain: list[int] = []
    at = index.get(robot.frame(frame).link)
    while at is not None:
        chain.append(at)
        at = index.get(robot.links[at].parent)
    return [k for k in reversed(chain) if robot.links[k].joint.moves]


def across(z: Array) -> Array:
    """A unit vector across the unit vector z."""
    x: Array = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))]).astype(np.float64)
    return x / np.linalg.norm(x)


def rotate_vectors(z: Array, angle: Any, v: Array) -> Array:
    """Rodrigues: v (..., 3) turned about the unit vector z by angles (...)."""
    c, s = np.cos(angle)[..., None], np.sin(angle)[..., None]
    return v * c + np.cross(z, v) * s + z * ((v @ z)[..., None] * (1 - c))


def turned_about(z: Array, P: Array, angle: Any, x: Array) -> Array:
    """Points x (..., 3) turned about the axis z through P."""
    return P + rotate_vectors(z, angle, x - P)


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
