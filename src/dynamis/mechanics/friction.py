"""The friction of a joint: viscous, and Coulomb's.

    friction = damping qd + coulomb s

s is the direction of sliding, in the set Sgn(qd): +1 or -1 for a joint that slides, anything between for one at rest.
Dry friction takes s = sign(qd), which is 0 at rest; smoothed friction grows over a small speed v:

    s = qd / sqrt(qd^2 + v^2)

Torques, regressor, torque budget, control laws and simulation all take friction from here.

Source: A. F. Filippov, Differential Equations with Discontinuous Righthand Sides, 1988, section 4.
"""

from __future__ import annotations

from typing import Any

from dynamis.mechanics.mechanism import Body, State
from dynamis.model.robot import RobotModel
from dynamis.scalars.scalars import Scalars, evaluate
from dynamis.scalars.vectors import S


def friction(body: Body[S], state: State[S]) -> S:
    """damping qd + coulomb s [N m or N] of the joint that carries a body: what friction takes from its motor."""
    i = body.coordinate
    assert i is not None
    return body.damping * state.qd[i] + body.coulomb * state.sign[i]


def direction(scalars: Scalars[Any], qd: Any, speed: float) -> Any:
    """s, smoothed over `speed` [rad/s or m/s]; with speed 0 the sign of qd."""
    return qd / scalars.sqrt(qd * qd + speed * speed) if speed else scalars.sign(qd)


def coulomb(robot: RobotModel) -> list[float]:
    """The Coulomb friction of every joint [N m or N], in numbers."""
    scalars = robot.floats()
    return [float(evaluate(joint.coulomb, scalars)) for joint in robot.joints]
