"""Whether a path keeps the limits of position of all coordinates, and of the joints that follow several of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.coupling import mixed_joints
from dynamis.model.joint_limits import joint_limits
from dynamis.motion.trajectories.polynomials import hermite_trajectory
from dynamis.motion.trajectories.trajectory import MotionError
from dynamis.robot import Robot

CHECKED_FRACTIONS = np.arange(1, 8) / 8
"""Where a path is looked at between two knots."""


class PositionLimits:
    """The limits of position of a robot; `advice` is what whoever leaves them could do."""

    def __init__(self, robot: Robot, advice: str) -> None:
        self.mixed, self.advice = mixed_joints(robot), advice
        self.limits = joint_limits(robot, [*robot.coordinates, *self.mixed.joints])
        self.names = [*map(str, range(1, robot.n + 1)), *(f'"{joint.name}"' for joint in self.mixed.joints)]

    def check(self, y: Array, s: Array, coordinates: bool = True) -> None:
        """Raise where coordinates y (k, n) at one of the places s (k), from 0 to 1, take a joint beyond its limits.

        Without `coordinates`, only the joints that follow several of them are asked.
        """
        q = np.concatenate([y, self.mixed.positions(y)], axis=-1)
        outside = self._outside(q.min(axis=0), q.max(axis=0))
        outside[: y.shape[-1]] &= coordinates
        self._raise_if(outside, s, q)

    def check_curve(self, D: Array, places: Array) -> None:
        """Check the whole curve by its stationary points; D (k, 3, n) are y, y', y'' at the knots."""
        mixed = D @ self.mixed.A.T
        mixed[:, 0] += self.mixed.b
        joints, s = hermite_trajectory("joints", np.concatenate([D, mixed], axis=-1), places), between(places)
        peaks = joints.peaks()
        self._raise_if(self._outside(peaks.lowest, peaks.highest), s, joints.at(s)[0])

    def _outside(self, lowest: Array, highest: Array) -> NDArray[np.bool_]:
        return (lowest < self.limits.lower - 1e-9) | (highest > self.limits.upper + 1e-9)

    def _raise_if(self, outside: NDArray[np.bool_], s: Array, q: Array) -> None:
        """The error of the first joint that is outside, with its worst value among q (k, joints) at places s (k)."""
        if not outside.any():
            return
        j = int(np.argmax(outside))
        lower, upper = self.limits.lower[j], self.limits.upper[j]
        k = int(np.argmax(np.maximum(lower - q[:, j], q[:, j] - upper)))
        raise MotionError(
            f"joint {self.names[j]} leaves its limits {percent(float(s[k]))} of the way along: {q[k, j]:.4g} is not "
            f"within {lower:.4g} .. {upper:.4g}; {self.advice}",
            joint=j + 1 if j < self.mixed.A.shape[1] else None,
        )


def between(places: Array) -> Array:
    """Seven places between every two knots."""
    return (places[:-1, None] + np.diff(places)[:, None] * CHECKED_FRACTIONS).ravel()


def percent(s: float) -> str:
    """A place from 0 to 1 along a path."""
    return f"{100 * s:.3g} %" if 0 < s < 0.9995 else f"{s:.0%}".replace("%", " %")
