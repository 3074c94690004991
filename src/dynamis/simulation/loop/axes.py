"""The axes along which stops and dry friction act: the coordinates, and the joints that follow several of them.

A joint that follows one coordinate acts along that coordinate, which has its limits (model/coordinate.py) and its
friction (compute/mechanics/friction.py). One that follows several, such as the pitch of a differential wrist, is an
axis of its own, a row of G:

    position = G y + b        velocity = G yd        torques of a force f along the axes = G^T f

Without such joints G is the identity.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.compute.mechanics.friction import dry_levels, mixed_joints
from dynamis.model.joint_limits import joint_limits
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import evaluate


@dataclass(frozen=True)
class Axes:
    """The n coordinates of a robot, then its joints that follow several: names, limits [rad or m], and the
    dry friction that holds them at rest."""

    n: int
    names: tuple[str, ...]
    revolute: tuple[bool, ...]
    G: Array
    b: Array
    lower: Array
    upper: Array
    coulomb: Array

    @property
    def mixed(self) -> bool:
        """Whether a joint follows several coordinates."""
        return len(self.names) > self.n

    @cached_property
    def bounded(self) -> NDArray[np.bool_]:
        """Which axes have a limit."""
        return np.isfinite(self.lower) | np.isfinite(self.upper)

    def positions(self, y: Array) -> Array:
        """G y + b, of coordinates (..., n)"""
        return y @ self.G.T + self.b if self.mixed else y

    def along(self, v: Array) -> Array:
        """G v: velocities or accelerations along the axes, from those of the coordinates (..., n)."""
        return v @ self.G.T if self.mixed else v

    def without(self, v: Array, on: Sequence[int]) -> Array:
        """v without its part along some axes: exactly zero for coordinates, zero but for rounding for others."""
        rest = v.copy()
        if max(on, default=0) >= self.n:
            G = self.G[list(on)]
            rest -= np.linalg.pinv(G) @ (G @ rest)
        rest[[k for k in on if k < self.n]] = 0.0
        return rest

    def fixed(self, on: Sequence[int]) -> list[int]:
        """The axes that cannot move when these do not: they, and those that depend on them."""
        if not self.mixed or not on:
            return list(on)
        G = self.G[list(on)]
        free = self.G - self.G @ np.linalg.pinv(G, rcond=1e-12) @ G
        return [k for k in range(len(self.names)) if k in on or np.abs(free[k]).max() < 1e-12 * np.abs(self.G[k]).max()]

    def forces(self, inverse: Array, on: Sequence[int], change: Array) -> tuple[Array, Array]:
        """Forces f along some axes that change the motion along them: G M^-1 G^T f = change; and M^-1 G^T f.

        Where the axes depend on each other, the smallest such forces.
        """
        reach = inverse @ self.G[list(on)].T
        matrix = self.G[list(on)] @ reach
        f = np.linalg.lstsq(matrix, change)[0] if self.mixed else np.linalg.solve(matrix, change)
        return np.asarray(f, np.float64), reach @ f


def robot_axes(robot: RobotModel) -> Axes:
    """The axes of a robot with numbers for its parameters."""
    scalars, limits, mixed = robot.floats(), joint_limits(robot), mixed_joints(robot)
    A, b = coupling_matrix(robot)
    joints = [robot.joints[j] for j in mixed]

    def ends(name: str, none: float) -> list[float]:
        values = [getattr(joint.limits, name) for joint in joints]
        return [none if value is None else float(evaluate(value, scalars)) for value in values]

    return Axes(
        robot.n, tuple(each.name for each in (*robot.coordinates, *joints)),
        tuple(each.revolute for each in (*robot.coordinates, *joints)),
        np.concatenate([np.eye(robot.n), A[mixed]]), np.concatenate([np.zeros(robot.n), b[mixed]]),
        np.concatenate([limits.lower, ends("lower", -inf)]), np.concatenate([limits.upper, ends("upper", inf)]),
        dry_levels(robot, np.zeros(robot.n)),
    )  # fmt: skip
