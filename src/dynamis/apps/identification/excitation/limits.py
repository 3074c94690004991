"""What a motion must keep: positions, velocities, accelerations, torques, and half-spaces for a point of the tool.

Each is a signal u of the motion with a lower and an upper bound. A penalty keeps away from them,

    b(z) = -log z  for z > d,      1/2 ((z/d - 2)^2 - 1) - log d  below,      z = (bound - u) / scale

a logarithmic barrier with a parabola in the place of its pole: it and its slope are known outside of the bounds, too.

Source: C. Feller, C. Ebenbauer, Relaxed logarithmic barrier function based model predictive control of linear systems,
IEEE Trans. Automatic Control 62(3), 2017.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dynamis.base.arrays import Array
from dynamis.motion.trajectories.trajectory import Motion
from dynamis.robot import Robot

ROUNDING_ERROR = 1e-12
"""A joint that cannot move is at both of its bounds."""
BARRIER_RELAXATION = 1e-3
"""d of the barrier: where the parabola begins, as a part of the scale."""

Parts = tuple[Array | None, Array | None, Array | None]


@dataclass(frozen=True)
class Signal:
    """Values (S, k) that stay between bounds (k); `scale` is what counts as a large distance from them."""

    name: str
    values: Array
    lower: Array
    upper: Array
    scale: Array
    pull: Callable[[Array], Parts]
    """The gradient with respect to q, qd, qdd of sum(w * values), of w (S, k); None where it is zero."""

    linear: bool = True
    """Whether it is linear in the coefficients of a curve."""

    def beyond(self, overshoot: float) -> float:
        """How far the signal leaves its bounds, over its scale; negative where it keeps them."""
        low, high = self.range(overshoot)
        return float(np.max([*((self.lower - low) / self.scale), *((high - self.upper) / self.scale)], initial=-np.inf))

    def range(self, overshoot: float) -> tuple[Array, Array]:
        """The lowest and the highest value, also between the samples.

        A linear signal is there at most `overshoot` times as far from the middle as at the samples, which is proved
        (`Curve.overshoot`); any other h^2/8 |u''| beyond them, with u'' from second differences.
        """
        low, high = self.values.min(axis=0), self.values.max(axis=0)
        more = (overshoot - 1) * (high - low) / 2
        if not self.linear:
            more = np.abs(np.diff(self.values, 2, axis=0)).max(axis=0, initial=0.0) / 8
        return low - more, high + more


@dataclass(frozen=True)
class MotionLimits:
    """Limits of the joints C y + b (coordinates first, then joints that follow several of them), torques and the tool.

    Infinite where there is none; `planes` has rows (n, d) with n.p >= d for the origin p of `frame`.
    """

    robot: Robot
    C: Array
    b: Array
    lower: Array
    upper: Array
    velocity: Array
    acceleration: Array
    torque: Array | None
    """None where no torque is limited, or the robot has no masses."""
    planes: Array
    frame: str
    reach: float
    """The size of the region of the tool [m]."""

    @property
    def middle(self) -> Array:
        """Of the ranges of the coordinates: (n,)."""
        n = self.robot.n
        return (self.lower[:n] + self.upper[:n]) / 2

    @property
    def moving(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which coordinates have room, velocity and acceleration."""
        moves = (self.upper > self.lower) & (self.velocity > 0) & (self.acceleration > 0)
        return moves[: self.robot.n]

    def joints(self, q: Array) -> Array:
        """Their positions (..., joints) from the coordinates."""
        return q @ self.C.T + self.b

    def signals(self, motion: Motion) -> list[Signal]:
        """All that is limited, of q, qd, qdd (S, n) each."""
        q, qd, qdd = motion
        span = (self.upper - self.lower) / 2
        scale = np.where(np.isfinite(span) & (span > 0), span, 1.0)
        found = [
            Signal("position", self.joints(q), self.lower, self.upper, scale, lambda w: (w @ self.C, None, None)),
            _two_sided("velocity", qd @ self.C.T, self.velocity, lambda w: (None, w @ self.C, None)),
            _two_sided("acceleration", qdd @ self.C.T, self.acceleration, lambda w: (None, None, w @ self.C)),
        ]
        if self.torque is not None:
            tau = self.robot.inverse_dynamics(q, qd, qdd)
            found.append(_two_sided("torque", tau, self.torque, lambda w: self._pull_torque(motion, w), False))
        if len(self.planes):
            p = self.robot.forward_kinematics(q, self.frame)[..., :3, 3]
            none = np.full(len(self.planes), np.inf)
            scales = np.full(len(self.planes), self.reach)
            found.append(
                Signal(
                    "tool", p @ self.planes[:, :3].T, self.planes[:, 3], none, scales,
                    lambda w: (self._pull_point(q, w @ self.planes[:, :3]), None, None), False,
                )
            )  # fmt: skip
        return found

    def penalty(self, motion: Motion) -> tuple[float, Motion]:
        """The mean barrier of the samples, summed over kinds of limits, and its gradient."""
        total, gradient = 0.0, [np.zeros_like(x) for x in motion]
        for signal in self.signals(motion):
            w = np.zeros_like(signal.values)
            size = signal.values.size
            for bound, sign in ((signal.upper, 1.0), (signal.lower, -1.0)):
                # A joint that cannot move has no distance to its bounds.
                which = np.isfinite(bound) & (signal.upper > signal.lower)
                z = sign * (bound - signal.values)[:, which] / signal.scale[which]
                value, slope = _barrier(z)
                total += value.sum() / size
                w[:, which] -= sign * slope / signal.scale[which] / size
            for k, part in enumerate(signal.pull(w)):
                if part is not None:
                    gradient[k] += part
        return float(total), (gradient[0], gradient[1], gradient[2])

    def beyond(self, motion: Motion, overshoot: float) -> float:
        """How far a motion leaves any limit, relative; at most 0 where it keeps them all."""
        return max(signal.beyond(overshoot) for signal in self.signals(motion)) - ROUNDING_ERROR

    def linear_share(self, motion: Motion, overshoot: float) -> float:
        """How much of a motion about its mean keeps the limits of the joints: 1 for all of it."""
        share = 1.0
        for signal in self.signals(motion):
            if not signal.linear:
                continue
            middle, (low, high) = signal.values.mean(axis=0), signal.range(overshoot)
            for bound, peak in ((signal.upper, high), (signal.lower, low)):
                room, way = np.abs(bound - middle), np.abs(peak - middle)
                share = float(np.min(np.divide(room, way, out=np.ones_like(way), where=way > room), initial=share))
        # The next number below: rounding must not leave a motion outside by its last bit.
        return share * (1 - 1e-9) if share < 1 else 1.0

    def _pull_torque(self, motion: Motion, w: Array) -> Motion:
        q, qd, qdd = motion
        d = self.robot.inverse_dynamics_derivatives(q, qd, qdd)
        row, M = w[:, None, :], self.robot.mass_matrix(q)
        return (row @ d.dtau_dq)[:, 0], (row @ d.dtau_dqd)[:, 0], (row @ M)[:, 0]

    def _pull_point(self, q: Array, w: Array) -> Array:
        return (w[:, None, :] @ self.robot.jacobian(q, self.frame)[:, :3])[:, 0]


def _two_sided(name: str, values: Array, bound: Array, pull: Callable[[Array], Parts], linear: bool = True) -> Signal:
    scale = np.where(np.isfinite(bound) & (bound > 0), bound, 1.0)
    return Signal(name, values, -bound, bound, scale, pull, linear)


def _barrier(z: Array) -> tuple[Array, Array]:
    """b(z) and db/dz."""
    near = z <= BARRIER_RELAXATION
    inside = np.where(near, 1.0, z)
    value = np.where(near, 0.5 * ((z / BARRIER_RELAXATION - 2) ** 2 - 1) - np.log(BARRIER_RELAXATION), -np.log(inside))
    return value, np.where(near, (z / BARRIER_RELAXATION - 2) / BARRIER_RELAXATION, -1 / inside)
