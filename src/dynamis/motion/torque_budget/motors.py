"""The motors behind the gears: torque, speed, power and inertia ratio on the motor's side.

With the gear ratio N (motor speed / joint speed), the rotor inertia J and the efficiency e of the gear, the joint's
torque tau = tau_load + N^2 J qdd asks of the motor

    speed N qd        torque N J qdd + tau_load / (N e)  where the motor drives the load (tau_load qd > 0)
                             N J qdd + tau_load e / N    where the load drives the motor
                             N J qdd + tau_load / N      at rest

so that the motor's power is that of its rotor, of the load, and of the gear's loss, which is never negative. The
inertia ratio is that of the load, as the motor feels it, to the rotor: (M_jj - N^2 J) / (N^2 J), the largest along the
motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.base.arguments import per_joint
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal
from dynamis.motion.torque_budget.sizing import time_weights
from dynamis.scalars.scalars import evaluate

if TYPE_CHECKING:
    from dynamis.motion.torque_budget.run import History, Job

MOST_STATES = 2001
"""States at which the mass matrix is looked at for the inertia ratio."""


@dataclass(frozen=True)
class MotorSizing:
    """One value per coordinate: torques [N m], speeds [rad/s], powers [W], energies [J] of the motor.

    `gear_ratio` is motor speed / joint speed (1/m for prismatic joints), `rotor_inertia` [kg m^2]. `loss` is the energy
    that the gear takes up, `work` what the motor gives where it drives; `efficiency` is that of the gear.
    """

    gear_ratio: Array
    rotor_inertia: Array
    efficiency: Array
    torque: Array
    """Over time: (samples, n)."""
    speed: Array
    """Over time: (samples, n)."""
    peak_torque: Array
    rms_torque: Array
    peak_speed: Array
    peak_power: Array
    work: Array
    loss: Array
    inertia_ratio: Array
    """NaN where a motor has no rotor inertia."""


def motor_sizing(job: Job, history: History, efficiency: Any = None) -> MotorSizing | None:
    """The motors of a motion; None where no joint has a gear or a rotor, and no efficiency is given.

    Joints that follow other coordinates have no motor of their own: coordinates have.
    """
    robot = job.robot
    scalars = robot.floats()
    own = {joint.name: joint for joint in robot.joints}
    joints = [own.get(coordinate.name) for coordinate in robot.coordinates]
    N = np.array([1.0 if j is None else float(evaluate(j.gear_ratio, scalars)) for j in joints])
    J = np.array([0.0 if j is None else float(evaluate(j.rotor_inertia, scalars)) for j in joints])
    e = np.ones(robot.n) if efficiency is None else per_joint("efficiency", efficiency, robot.n)
    if not ((e > 0) & (e <= 1)).all():
        raise ArgumentError(f"efficiency must be above 0 and at most 1, got {literal(e.tolist())}", key="efficiency")
    if efficiency is None and (N == 1).all() and not J.any():
        return None
    load = history.tau - N**2 * J * history.qdd
    power = load * history.qd
    after = np.where(power > 0, load / e, np.where(power < 0, load * e, load))
    torque = N * J * history.qdd + after / N
    speed = N * history.qd
    weights = time_weights(history.t)
    span = float(weights.sum()) or 1.0
    powers = torque * speed
    return MotorSizing(
        N, J, e, torque, speed, np.abs(torque).max(axis=0), np.sqrt(weights @ torque**2 / span),
        np.abs(speed).max(axis=0), np.abs(powers).max(axis=0), weights @ np.maximum(powers, 0.0),
        weights @ ((after - load) * history.qd), _inertia_ratio(job, history.q, N**2 * J),
    )  # fmt: skip


def _inertia_ratio(job: Job, q: Array, rotor: Array) -> Array:
    """The largest (M_jj - N^2 J) / (N^2 J) along the motion."""
    some = np.unique(np.linspace(0, len(q) - 1, min(len(q), MOST_STATES)).round().astype(np.intp))
    largest = np.zeros(job.robot.n)
    for k, robot in enumerate((job.robot, *job.others)):
        here = some if job.which is None else some[job.which[some] == k]
        if here.size:
            M = robot.mass_matrix(q[here])
            largest = np.maximum(largest, np.diagonal(M, axis1=1, axis2=2).max(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(rotor > 0, (largest - rotor) / rotor, np.nan)
