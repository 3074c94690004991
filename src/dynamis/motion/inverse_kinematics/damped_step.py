"""One step of damped least squares as a compiled program: pose, error, Jacobian and solve, over a batch of targets.

With e the error of the pose (position over a length L, orientation 2 sin(theta/2) about its axis), J its Jacobian and
E = |e|^2 / 2, the step is

    (J^T J + (k E + w) 1) dq = J^T e

(k = 1 at first) whose damping vanishes with the error, so that it turns into Gauss-Newton's step near a solution.
A joint at a limit that the gradient pushes against stays there: its column is left out. Of coupled joints q = A y + b
the coordinates y are sought, with J A in the place of J.

Source: T. Sugihara, Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method, IEEE Trans. Robotics
27(5), 2011, equation 17.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.backends.backend import ArrayFunction
from dynamis.compute.mechanics.coupling import coordinates_of
from dynamis.compute.mechanics.efficient.factor import dense_factor
from dynamis.compute.mechanics.kinematics.poses import frame_pose, jacobian
from dynamis.compute.program.program import program
from dynamis.compute.program.quantity_program import state_operand, traced_robot
from dynamis.compute.program.signature import Operand
from dynamis.compute.quantities.arguments import owner
from dynamis.robot import Robot
from dynamis.scalars.scalars import Scalars
from dynamis.scalars.vectors import Matrix, Vector

SMALLEST_DAMPING = 1e-12
"""w, so that the step exists in singular poses."""
HALF_A_TURN = 1e-9
"""4 cos^2(theta/2) is kept above this."""
AT_LIMIT = 1e-9
"""A joint this near to its limit [rad or m] is at it."""


def damped_step(robot: Robot, frame: str, oriented: bool, length: float, lower: Array, upper: Array) -> ArrayFunction:
    """f(q, target, k) -> (dq, [E, |position error|^2, |orientation error|^2]).

    `target` is p (3) or, for a pose, p and the three columns of R (12); k (1) is a factor on the damping.
    """
    at_state = traced_robot(robot).at_state
    scalars, trace = at_state.m.scalars, at_state.state.q[0].trace
    target = [trace.input(f"target:{k}") for k in range(12 if oriented else 3)]
    where, on = at_state.poses, at_state.place(frame)
    pose = frame_pose(where, on)
    linear, angular = jacobian(at_state.m, where, on.body, pose.p)
    off = Vector(*target[:3]) - pose.p
    errors: list[Any] = [x * (1.0 / length) for x in off]
    rows: list[list[Any]] = [[getattr(column, axis) * (1.0 / length) for column in linear] for axis in "xyz"]
    turn: Any = 0.0
    hidden: Any = 0.0
    if oriented:
        e, hidden = _orientation_error(scalars, target[3:], pose.R)
        turn = e.dot(e) + hidden
        errors += list(e)
        rows += [[getattr(column, axis) for column in angular] for axis in "xyz"]
    E = (sum((x * x for x in errors), 0.0) + hidden) * 0.5
    n, q = robot.n, coordinates_of(at_state.m.coupling, at_state.state.q)
    gradient: list[Any] = [sum((row[i] * x for row, x in zip(rows, errors, strict=True)), 0.0) for i in range(n)]
    free = [_free(scalars, q[i], gradient[i], float(lower[i]), float(upper[i])) for i in range(n)]
    rows = [[x * on for x, on in zip(row, free, strict=True)] for row in rows]
    gradient = [x * on for x, on in zip(gradient, free, strict=True)]
    A: list[list[Any]] = [[sum((row[i] * row[j] for row in rows), 0.0) for j in range(n)] for i in range(n)]
    damping = E * trace.input("damping:0") + SMALLEST_DAMPING
    for i in range(n):
        A[i][i] = A[i][i] + damping
    dq = dense_factor(A, 0.0, 1.0).solve(gradient)
    inputs = [state_operand(robot, "q"), Operand("target", (len(target),)), Operand("damping", (1,))]
    outputs = [(Operand("step", (n,)), dq), (Operand("error", (3,)), [E, off.dot(off), turn])]
    return robot.engine.backend.function("inverse_kinematics", program(inputs, outputs), owner(robot))


def _orientation_error(scalars: Scalars[Any], columns: list[Any], R: Matrix[Any]) -> tuple[Vector[Any], Any]:
    """2 sin(theta/2) times the axis that turns R into the target, in base axes: sum of n x n_d over 2 cos(theta/2).

    Half a turn away the axis is not known and the vector vanishes; the second value is what its square then lacks.
    """
    goal = [Vector(*columns[3 * k : 3 * k + 3]) for k in range(3)]
    axes = list(R.T)
    crossed = axes[0].cross(goal[0]) + axes[1].cross(goal[1]) + axes[2].cross(goal[2])
    cosine = axes[0].dot(goal[0]) + axes[1].dot(goal[1]) + axes[2].dot(goal[2])
    # 1 + trace = 4 cos^2(theta/2), kept above 0; 3 - trace = 4 sin^2(theta/2).
    below = 1.0 / (cosine + (1.0 + HALF_A_TURN))
    return crossed * scalars.sqrt(below), (3.0 - cosine) * (HALF_A_TURN * below)


def _free(scalars: Scalars[Any], q: Any, gradient: Any, lower: float, upper: float) -> Any:
    """1, or 0 for a joint at the limit that the gradient pushes against."""
    if not np.isfinite([lower, upper]).any():
        return 1.0
    if gradient.__class__ is float:
        return 1.0
    up = (scalars.sign(gradient) + 1.0) * 0.5
    room_up: Any = 1.0 if upper == np.inf else (scalars.sign(upper - AT_LIMIT - q) + 1.0) * 0.5
    room_down: Any = 1.0 if lower == -np.inf else (scalars.sign(q - (lower + AT_LIMIT)) + 1.0) * 0.5
    return up * room_up + (1.0 - up) * room_down
