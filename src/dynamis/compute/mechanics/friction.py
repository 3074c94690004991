"""The friction of a joint: viscous, and Coulomb's.

    friction = damping qd + coulomb s

s is the direction of sliding, in the set Sgn(qd): +1 or -1 for a joint that slides, anything between for one at rest.
Dry friction takes s = sign(qd), which is 0 at rest; smoothed friction grows over a small speed v:

    s = qd / sqrt(qd^2 + v^2)

Torques, regressor, torque budget, control laws and simulation all take friction from here.

Source: A. F. Filippov, Differential Equations with Discontinuous Righthand Sides, 1988, section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.scalars.vectors import S

SMOOTHING_SPEED = 1e-3
"""The speed [rad/s or m/s] over which friction is smoothed where a bare sign would chatter: in the law of a sampled
control, whose measured speed is noisy, and in compiled steps, which cannot stop where a joint does."""


def friction(body: Body[S], state: State[S]) -> S:
    """damping qd + coulomb s [N m or N] of the joint that carries a body: what friction takes from its motor."""
    i = body.joint
    assert i is not None
    return body.forces.friction(state.qd[i], state.sign[i])


def direction(scalars: Scalars[Any], qd: Any, speed: float) -> Any:
    """s, smoothed over `speed` [rad/s or m/s]; with speed 0 the sign of qd."""
    return qd / scalars.sqrt(qd * qd + speed * speed) if speed else scalars.sign(qd)


def joint_directions(m: Mechanism[Any], qd: Sequence[Any], speed: float, s: Sequence[Any] = ()) -> list[Any]:
    """The directions of sliding of all joints, from the velocities of the coordinates or from directions s.

    s are the directions of the coordinates and then, or not, those of the joints that follow several. A joint that
    follows one coordinate slides as that does. For one that follows several, directions of the coordinates say
    nothing: where s does not have its own, dry friction there is smoothed over SMOOTHING_SPEED.
    """
    if m.coupling is None:
        return list(s[: m.n]) or [direction(m.scalars, v, speed) for v in qd]
    directions: list[Any] = []
    mixed = sum(len(row) > 1 for row in m.coupling.rows)
    mixed_directions = iter(s[m.n :] if len(s) == m.n + mixed else ())
    for row, rate in zip(m.coupling.rows, m.coupling.rates(qd), strict=True):
        (k, factor), *others = row
        if not others and s:
            directions.append(s[k] if factor > 0 else -s[k])
        elif others and len(s) == m.n + mixed:
            directions.append(next(mixed_directions))
        else:
            directions.append(direction(m.scalars, rate, speed or (SMOOTHING_SPEED if others else 0.0)))
    return directions


def coulomb(robot: RobotModel) -> list[float]:
    """The Coulomb friction of every coordinate [N m or N], in numbers: that of the joints that follow it alone.

    A joint with q = A_jk y_k + b_j slides when its coordinate does, so |A_jk| coulomb_j acts against y_k. The friction
    of joints that follow several coordinates (`mixed_joints`) acts along none of them and is not in it.
    """
    scalars, totals = robot.floats(), [0.0] * robot.n
    for joint, row in zip(robot.joints, robot.couplings, strict=True):
        if row.only is not None:
            k, factor = row.only
            totals[k] += abs(float(evaluate(factor, scalars))) * float(evaluate(joint.forces.coulomb, scalars))
    return totals


def friction_torque(robot: RobotModel, qd: Array) -> Array:
    """What friction takes from the motor of every coordinate (n,) [N m or N] at velocities (n,), in numbers."""
    A, scalars = coupling_matrix(robot)[0], robot.floats()
    forces = (joint.forces.map(lambda x: evaluate(x, scalars)) for joint in robot.joints)
    return A.T @ np.array([own.friction(v, np.sign(v)) for own, v in zip(forces, A @ qd, strict=True)])


def mixed_joints(robot: RobotModel) -> list[int]:
    """The moving joints (from 0) that follow several coordinates."""
    return [j for j, row in enumerate(robot.couplings) if row.only is None]


def damping_matrix(robot: RobotModel) -> Array:
    """A^T diag(damping) A (n, n) [N m s/rad or N s/m], in numbers."""
    scalars, A = robot.floats(), coupling_matrix(robot)[0]
    return A.T @ (A * np.array([[evaluate(joint.forces.damping, scalars)] for joint in robot.joints]).reshape(-1, 1))
