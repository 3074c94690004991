"""The forces of joints themselves in a state: their friction and their springs (model/joint_forces.py).

    friction = damping qd + coulomb s + stribeck s exp(-(qd / stribeck_speed)^2) + friction_offset

s is the direction of sliding, in the set Sgn(qd): +1 or -1 for a joint that slides, anything between for one at rest.
Dry friction takes s = sign(qd), which is 0 at rest; smoothed friction grows over a small speed v:

    s = qd / sqrt(qd^2 + v^2)

Torques, regressor, torque budget, control laws and simulation all take friction from here.

Source: A. F. Filippov, Differential Equations with Discontinuous Righthand Sides, 1988, section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.coupling import coupling_matrix
from dynamis.compute.mechanics.mechanism import Body, Mechanism, State
from dynamis.model.checks import warned_already
from dynamis.model.joint_forces import FORCE_KEYS, JointForces
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.scalars.vectors import S

M = TypeVar("M", bound=RobotModel)
SMOOTHING_SPEED = 1e-3
"""The speed [rad/s or m/s] over which friction is smoothed where a bare sign would chatter: in the law of a sampled
control, whose measured speed is noisy, and in compiled steps, which cannot stop where a joint does."""


def friction(body: Body[S], state: State[S]) -> S:
    """What the friction of the joint that carries a body takes from its motor [N m or N]."""
    i = body.joint
    assert i is not None
    return body.forces.friction(state.qd[i], state.sign[i], state.stribeck[i])


def joint_force(body: Body[S], state: State[S]) -> S:
    """What friction and the spring of the joint that carries a body take from its motor [N m or N]."""
    force: Any = friction(body, state)
    assert body.joint is not None
    return force if body.forces.stiffness is None else force + body.forces.spring(state.q[body.joint], force)


def springs(m: Mechanism[S], state: State[S]) -> list[S]:
    """What the springs of the moving joints take from their motors [N m or N], one entry per joint."""
    return [body.forces.spring(q, m.zero) for body, q in zip(m.moving, state.q, strict=True)]


def columns(body: Body[S], state: State[S], m: Mechanism[S]) -> list[S]:
    """What the parameters of a joint's forces are multiplied by, for all `m.force_terms`."""
    i, own = body.joint, body.forces
    assert i is not None
    return [own.column(x, state.q[i], state.qd[i], state.sign[i], state.stribeck[i], m.one) for x in m.force_terms]


def parameters(body: Body[S], m: Mechanism[S]) -> list[S]:
    """The parameters of a joint's forces, for all `m.force_terms`; 0 for those that it does not have."""
    values = (getattr(body.forces, term) for term in m.force_terms)
    return [m.zero if value is None else value for value in values]


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


def numeric_forces(robot: RobotModel) -> list[JointForces[float]]:
    """The forces of the moving joints themselves, in numbers."""
    scalars = robot.floats()
    return [joint.forces.map(lambda x: float(evaluate(x, scalars))) for joint in robot.joints]


def dry_levels(robot: RobotModel, qd: Array) -> Array:
    """How much dry friction opposes each axis at velocities (..., n) [N m or N]: (..., n + joints that follow several).

    A joint with q = A_jk y_k + b_j slides when its coordinate does, so |A_jk| times its friction acts against y_k. One
    that follows several coordinates (`mixed_joints`) is an axis of its own, after them.
    """
    A = coupling_matrix(robot)[0]
    rates, along = qd @ A.T, [np.zeros(qd.shape[:-1]) for _ in range(robot.n)]
    for j, (own, row) in enumerate(zip(numeric_forces(robot), robot.couplings, strict=True)):
        level = own.coulomb + np.zeros(qd.shape[:-1])
        if own.stribeck is not None and own.stribeck_speed is not None:
            level = level + own.stribeck * np.exp(-((rates[..., j] / own.stribeck_speed) ** 2))
        if row.only is None:
            along.append(level)
        else:
            along[row.only[0]] = along[row.only[0]] + abs(A[j, row.only[0]]) * level
    return np.stack(along, axis=-1) if along else np.zeros((*qd.shape[:-1], 0))


def coulomb(robot: RobotModel) -> list[float]:
    """The dry friction that holds every coordinate at rest [N m or N]: that of the joints that follow it alone."""
    return dry_levels(robot, np.zeros(robot.n))[: robot.n].tolist()


def without_forces(robot: M, keys: Iterable[str] = FORCE_KEYS) -> M:
    """The robot without some forces of its joints."""
    nothing: dict[str, Any] = dict.fromkeys(keys, 0)
    with warned_already():
        links = (replace(x, joint=replace(x.joint, **nothing)) if x.joint.moves else x for x in robot.links)
        return replace(robot, links=tuple(links))


def friction_torque(robot: RobotModel, qd: Array) -> Array:
    """What friction takes from the motor of every coordinate (n,) [N m or N] at velocities (n,), in numbers."""
    A, f = coupling_matrix(robot)[0], robot.floats()
    rates: list[float] = (A @ qd).tolist()
    own = zip(numeric_forces(robot), rates, map(f.sign, rates), strict=True)
    return A.T @ np.array([x.friction(v, s, x.curve(v, s, f)) for x, v, s in own], np.float64)


def mixed_joints(robot: RobotModel) -> list[int]:
    """The moving joints (from 0) that follow several coordinates."""
    return [j for j, row in enumerate(robot.couplings) if row.only is None]


def damping_matrix(robot: RobotModel) -> Array:
    """A^T diag(damping) A (n, n) [N m s/rad or N s/m], in numbers."""
    A = coupling_matrix(robot)[0]
    return A.T @ (A * np.array([own.damping for own in numeric_forces(robot)]).reshape(-1, 1))
