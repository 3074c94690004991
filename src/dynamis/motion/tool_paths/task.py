"""What a tool on a way asks of the joints: the error of its pose, and the joint rates that follow the way.

With x(s) the tool's way and J its Jacobian (rows of position over a length L, and of orientation where it is followed),

    q' = J^+ x',    q'' = J^+ (x'' - J' q') + (1 - J^+ J) J'^T (J^+)^T q'

the rates of the flow q' = J^+(q) x'(s). J^+ is the pseudo-inverse of the rank that J has in general, so that a planar
arm (fewer directions than rows) and a redundant one (more joints than directions: the smallest rates) are the same. The
last term is the derivative of J^+ within the motions that leave the tool alone; it is 0 without such motions.

Source: G. H. Golub, V. Pereyra, The differentiation of pseudo-inverses and nonlinear least squares problems whose
variables separate, SIAM J. Numerical Analysis 10(2), 1973, equation 4.12; D. E. Whitney, Resolved motion rate control,
IEEE Trans. Man-Machine Systems 10(2), 1969.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamis.base.arrays import Array
from dynamis.motion.inverse_kinematics.numerical import lever
from dynamis.motion.tool_paths.path import Curve, Turn
from dynamis.robot import Robot

RANK_SAMPLES = 16
"""Random joint values; the largest rank of J at them is the rank that J has in general."""
MAX_NEWTON_STEPS = 12
"""Steps of a correction at most; two or three are taken."""


@dataclass(frozen=True, eq=False)
class Inverse:
    """J^+ at joint values (...), by its singular values above the rank's."""

    U: Array
    S: Array
    V: Array
    quality: Array
    """The smallest over the largest singular value: 0 where the robot is singular."""

    def solve(self, x: Array) -> Array:
        """J^+ x."""
        return _times(self.V, _times(_transpose_axes(self.U), x) / self.S)

    def transposed(self, y: Array) -> Array:
        """(J^+)^T y."""
        return _times(self.U, _times(_transpose_axes(self.V), y) / self.S)

    def free(self, y: Array) -> Array:
        """(1 - J^+ J) y: what of y leaves the tool alone."""
        return y - _times(self.V, _times(_transpose_axes(self.V), y))


@dataclass(frozen=True, eq=False)
class ToolTask:
    """A way of a robot's frame over s from 0 to 1; `turn` None leaves the orientation free."""

    robot: Robot
    frame: str
    curve: Curve
    turn: Turn | None
    rank: int
    length: float
    """L [m], which weighs metres against radians."""

    @property
    def redundant(self) -> bool:
        """Whether the joints can move while the tool does not."""
        return self.robot.n > self.rank

    def error(self, q: Array, s: Array) -> Array:
        """From the tool to its way: position over L, and 2 sin(theta/2) about its axis: (k, 3 or 6)."""
        T = self.robot.forward_kinematics(q, self.frame)
        off = (self.curve.at(s)[0] - T[..., :3, 3]) / self.length
        if self.turn is None:
            return off
        R, target = T[..., :3, :3], self.turn.at(s)
        crossed = np.cross(R, target, axisa=-2, axisb=-2, axisc=-2).sum(axis=-1)
        cosine = (R * target).sum(axis=(-1, -2))
        return np.concatenate([off, crossed / np.sqrt(np.maximum(cosine + 1.0, 1e-9))[..., None]], axis=-1)

    def inverse(self, q: Array) -> Inverse:
        """J^+ at joint values (k, n)."""
        return inverse(self.jacobian(q), self.rank)

    def jacobian(self, q: Array) -> Array:
        """J at joint values (k, n)."""
        return _rows(self.robot.jacobian(q, self.frame), self.turn is not None, self.length)

    def velocity(self, s: Array) -> Array:
        """x' at s (k)."""
        _, v, _ = self.curve.at(s)
        return v / self.length if self.turn is None else self._joined(v, self.turn.rate)

    def rates(self, q: Array, s: Array) -> tuple[Array, Array, Array]:
        """q', q'' (k, n) of the flow, and the quality of J."""
        J = self.inverse(q)
        first = J.solve(self.velocity(s))
        second = self.second(J, q, first, s)
        if self.redundant:
            # J' along q', by differences: it only shapes the motion that leaves the tool alone.
            e = 1e-5 / np.maximum(1.0, np.abs(first).max(axis=-1, keepdims=True))
            J_s = (self.jacobian(q + e * first) - self.jacobian(q - e * first)) / (2 * e[..., None])
            second = second + J.free(_times(_transpose_axes(J_s), J.transposed(first)))
        return first, second, J.quality

    def second(self, J: Inverse, q: Array, first: Array, s: Array) -> Array:
        """J^+ (x'' - J' q')."""
        _, _, a = self.curve.at(s)
        x = a / self.length if self.turn is None else self._joined(a, np.zeros(3))
        bias = self.robot.bias_acceleration(q, first, self.frame)[..., None]
        return J.solve(x - _rows(bias, self.turn is not None, self.length)[..., 0])

    def corrected(self, q: Array, s: Array) -> tuple[Array, Array, Array]:
        """Joint values brought onto the way by the smallest steps, how far they went, and the error that is left."""
        moved = np.zeros(len(q))
        for _ in range(MAX_NEWTON_STEPS):
            dq = self.inverse(q).solve(self.error(q, s))
            q, moved = q + dq, moved + np.abs(dq).max(axis=-1)
            # The next step would be the square of this one.
            if not np.isfinite(dq).all() or np.abs(dq).max(initial=0.0) < 1e-10:
                break
        return q, moved, np.abs(self.error(q, s)).max(axis=-1)

    def _joined(self, v: Array, w: Array) -> Array:
        return np.concatenate([v / self.length, np.broadcast_to(w, v.shape)], axis=-1)


def tool_task(robot: Robot, frame: str, curve: Curve, turn: Turn | None) -> ToolTask:
    """The task, with the rank that the robot's Jacobian has in general."""
    length = lever(robot, frame)
    return ToolTask(robot, frame, curve, turn, general_rank(robot, frame, turn is not None, length), length)


def general_rank(robot: Robot, frame: str, oriented: bool, length: float) -> int:
    """How many directions the tool can move in, of position alone or with orientation."""
    q = np.random.default_rng(0).uniform(-1.5, 1.5, (RANK_SAMPLES, robot.n))
    values = np.linalg.svd(_rows(robot.jacobian(q, frame), oriented, length), compute_uv=False)
    return int((values > 1e-9 * values.max(initial=0.0)).sum(axis=-1).max(initial=0))


def inverse(J: Array, rank: int) -> Inverse:
    """J^+ (k, n, m) from the `rank` largest singular values of J (k, m, n)."""
    U, values, Vt = np.linalg.svd(J, full_matrices=False)
    S = values[..., :rank]
    largest = np.maximum(S[..., :1], 1e-300)
    return Inverse(
        U[..., :rank], np.maximum(S, 1e-14 * largest), _transpose_axes(Vt[..., :rank, :]), S[..., -1] / largest[..., 0]
    )


def _rows(J: Array, oriented: bool, length: float) -> Array:
    linear = J[..., :3, :] / length
    return np.concatenate([linear, J[..., 3:, :]], axis=-2) if oriented else linear


def _times(A: Array, x: Array) -> Array:
    return (A @ x[..., None])[..., 0]


def _transpose_axes(A: Array) -> Array:
    return np.swapaxes(A, -1, -2)
