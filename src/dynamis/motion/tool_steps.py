"""The joints that follow a tool: from one pose to the next by Newton's steps, with their rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamis.compiled.function import Function
from dynamis.motion.damped_step import damped_step
from dynamis.motion.inverse_kinematics import inverse_kinematics
from dynamis.motion.limits import joint_limits
from dynamis.motion.tool_path import Curve, Turn
from dynamis.motion.trajectory import Array, MotionError
from dynamis.robot import Robot

STEPS = 200
"""Poses on the way that are followed in order."""
NEWTON = 20
"""Steps at one pose; three or four are taken."""
SINGULAR = 1e-6
"""Of the largest singular value of J: below this the joints' velocities are not bounded."""
UNDAMPED = np.zeros(1)


@dataclass(frozen=True, eq=False)
class ToolWay:
    """A tool's way over s from 0 to 1 and the robot that makes it; `turn` None leaves the orientation free."""

    robot: Robot
    frame: str
    curve: Curve
    turn: Turn | None
    step: Function
    grid: Array
    """Joint values at STEPS + 1 equal steps of s."""

    def at(self, s: Array) -> tuple[Array, Array, Array]:
        """q, dq/ds, d2q/ds2 at s (k) in [0, 1]: (k, n) each."""
        q = self._between(s)
        target = _flat(self.curve, self.turn, s)
        for _ in range(NEWTON):
            dq, _ = self.step(q, target, UNDAMPED)
            q = q + dq
            if np.abs(dq).max(initial=0.0) < 1e-14 * (1 + np.abs(q).max(initial=0.0)):
                break
        first, second = self.rates(q, s)
        return q, first, second

    def rates(self, q: Array, s: Array) -> tuple[Array, Array]:
        """dq/ds and d2q/ds2: J q' = x', J q'' = x'' - (dJ/ds) q'."""
        _, v, a = self.curve.at(s)
        rows = 3
        if self.turn is not None:
            rate = np.broadcast_to(self.turn.rate, v.shape)
            v, a, rows = np.concatenate([v, rate], axis=-1), np.concatenate([a, 0 * rate], axis=-1), 6
        J = self.robot.jacobian(q, self.frame)[..., :rows, :]
        first = _solve(J, v)
        bias = self.robot.bias_acceleration(q, first, self.frame)[..., :rows]
        return first, _solve(J, a - bias)

    def _between(self, s: Array) -> Array:
        """Near joint values: cubic between the grid's, whose rates are known."""
        places = np.linspace(0.0, 1.0, STEPS + 1)
        first, _ = self.rates(self.grid, places)
        k = np.clip((s * STEPS).astype(np.intp), 0, STEPS - 1)
        x = (s * STEPS - k)[..., None]
        a, b, da, db = self.grid[k], self.grid[k + 1], first[k] / STEPS, first[k + 1] / STEPS
        return a + x * da + x * x * (3 * (b - a) - 2 * da - db) + x**3 * (2 * (a - b) + da + db)


def follow(robot: Robot, frame: str, curve: Curve, turn: Turn | None, q: Array) -> ToolWay:
    """The way from joint values q; a sentence says where the robot cannot go on."""
    wide = np.full(robot.n, np.inf)
    step = damped_step(robot, frame, turn is not None, 1.0, -wide, wide)
    limits = joint_limits(robot)
    way = ToolWay(robot, frame, curve, turn, step, np.empty((0, robot.n)))
    found: list[Array] = [q]
    for k in range(STEPS + 1):
        s = np.array([k / STEPS])
        target = _flat(curve, turn, s)[0]
        if k:
            q = q + _rate(way, q, (k - 1) / STEPS) / STEPS
        moved = 0.0
        for _ in range(NEWTON):
            dq, error = step(q, target, UNDAMPED)
            q, moved = q + dq, moved + float(np.abs(dq).max())
            if np.abs(dq).max() < 1e-13 * (1 + np.abs(q).max()):
                break
        _, error = step(q, target, UNDAMPED)
        if float(error[1:].max()) > 1e-16 or moved > 0.5:
            raise MotionError(_lost(robot, frame, curve, turn, found[-1], k))
        outside = (q < limits.lower - 1e-9) | (q > limits.upper + 1e-9)
        if outside.any():
            j = int(np.argmax(outside))
            raise MotionError(
                f"joint {j + 1} leaves its limits {k / STEPS:.0%} of the way along: {q[j]:.4g} is not within "
                f"{limits.lower[j]:.4g} .. {limits.upper[j]:.4g}; start from another branch",
                joint=j + 1,
            )
        found = [q] if k == 0 else [*found, q]
    return ToolWay(robot, frame, curve, turn, step, np.array(found))


def _rate(way: ToolWay, q: Array, s: float) -> Array:
    J = way.robot.jacobian(q, way.frame)[: 3 if way.turn is None else 6]
    values = np.linalg.svd(J, compute_uv=False)
    if values[-1] < SINGULAR * values[0]:
        raise MotionError(
            f"the robot is singular {s:.0%} of the way along (q = {_short(q)}), where the tool's velocity "
            "does not give the joints'; lead the tool around that pose"
        )
    return way.rates(q[None], np.array([s]))[0][0]


def _lost(robot: Robot, frame: str, curve: Curve, turn: Turn | None, q: Array, k: int) -> str:
    s = np.array([k / STEPS])
    p = curve.at(s)[0][0]
    target: Array = p
    if turn is not None:
        target = np.eye(4)
        target[:3, :3], target[:3, 3] = turn.at(s)[0], p
    found = inverse_kinematics(robot, target, frame=frame, start=q, starts=20, limits=False)
    where = f"{k / STEPS:.0%} of the way along, at {_short(p)} m,"
    if found.success:
        return (
            f"{where} the tool's way meets a singular pose and the branch of its start ends; start from another branch"
        )
    return (
        f"{where} the tool is out of reach: the nearest pose found is {float(found.position_error):.3g} m and "
        f"{float(found.orientation_error):.3g} rad away; make the way end before it"
    )


def _flat(curve: Curve, turn: Turn | None, s: Array) -> Array:
    """Targets of the compiled step: p, and the columns of R."""
    p = curve.at(s)[0]
    if turn is None:
        return np.ascontiguousarray(p)
    R = turn.at(s)
    return np.concatenate([p, R[..., :, 0], R[..., :, 1], R[..., :, 2]], axis=-1)


def _solve(J: Array, x: Array) -> Array:
    """J y = x, in the sense of least squares where J has more rows than columns."""
    if J.shape[-1] == J.shape[-2]:
        return np.asarray(np.linalg.solve(J, x[..., None])[..., 0], dtype=np.float64)
    T = np.swapaxes(J, -1, -2)
    return np.asarray(np.linalg.solve(T @ J, T @ x[..., None])[..., 0], dtype=np.float64)


def _short(values: Array) -> str:
    return f"[{', '.join(f'{x:.4g}' for x in values)}]"
