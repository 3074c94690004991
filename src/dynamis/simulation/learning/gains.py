"""Gains for learning from the mass matrix along the motion, and a model whose masses are off.

With M, K_P and K_D constant, the error of the next trial is (M s^2 + K_D s + K_P)^-1 M s^2 times this one's. That is
no longer than this one's, in the norm of K_D, at all frequencies if

    K_D - M R - R M >= 0 (positive semidefinite),    R = K_P K_D^-1;

for gains that are the same for all joints this is K_D^2 >= 2 K_P lambda_max(M). Where only `gain` times the feedback is
learned, (2 - gain) K_D stands in place of K_D.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.base.arguments import per_joint
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.quantities.arguments import Gravity
from dynamis.motion.trajectories.trajectory import Trajectory
from dynamis.robot import Robot
from dynamis.simulation.controllers.law import Condition
from dynamis.simulation.learning.sampled import sampled_model

MASS_MATRIX_INSTANTS = 201
"""Instants of the motion at which the mass matrix is evaluated."""
FASTEST_LOOP = 20.0
"""The largest bandwidth of suggested gains [rad/s]: 3 Hz, usual for a geared arm."""
GAIN_LADDER = ((1.0, 3.0), (1.0, 2.2), (1.1, 2.2))
"""(Share of the speed of the lightest direction that one sample may take, least b^2) of suggested gains, the first for
which the loop holds. A share of 1 is all of it, 2 is not stable; b^2 = 2 is the condition, the rest is for models that
are off. The later ones are stiffer, for arms that gravity pulls away from their motion; from 1.2 on, learning itself
diverged on such an arm whose masses were 20 % off."""
POLE_INSTANTS = 41
"""Instants of the motion at which the poles of the loop are computed."""


def pd_gains(
    model: Robot, motion: Trajectory, period: float, kp: Any, kd: Any, gravity: Gravity = True
) -> tuple[Array, Array, str]:
    """K_P and K_D, one per joint: those that are given, or suggested ones where none are; and where they come from."""
    if (kp is None) != (kd is None):
        raise ArgumentError("kp and kd go together; give both, or neither to have them suggested", key="kp")
    if kp is None:
        return suggested_gains(model, motion, period, gravity)
    return non_negative_gains("kp", kp, model), non_negative_gains("kd", kd, model, positive=True), "given"


def non_negative_gains(name: str, values: Any, robot: Robot, positive: bool = False) -> Array:
    """Gains, one per joint, none of them negative (or zero, if they must be positive)."""
    gains = per_joint(name, values, robot.n)
    for joint, value in zip(robot.coordinates, gains.tolist(), strict=True):
        if value < 0 or (positive and value == 0):
            raise ArgumentError(
                f"{name} of joint {joint.name} must be {'positive' if positive else 'non-negative'}, got {value:g}: a "
                "trial needs a loop that holds the robot at its motion, and what that adds is learned",
                key=name,
            )
    return gains


def suggested_gains(
    model: Robot, motion: Trajectory, period: float, gravity: Gravity = True
) -> tuple[Array, Array, str]:
    """K_P = w^2 S and K_D = b w S with S diagonal, S >= M along the motion: K_D^2 >= 2 K_P M where b^2 >= 2.

    S follows the joints' own inertias (the mean of M_jj and 1/(M^-1)_jj, so that light wrists have small gains). b is 2
    and w 20 rad/s, unless the lightest direction would lose more than its speed in one sample: K_D Tc <= M. Then K_D is
    what that allows, and K_P as stiff as the condition leaves it with room for a wrong model, b^2 = 3. Where gravity
    pulls away more than such a loop holds, it is stiffer (LADDER).
    """
    q, *_ = motion.at(np.linspace(0.0, motion.duration, MASS_MATRIX_INSTANTS))
    M = model.mass_matrix(q)
    with np.errstate(all="ignore"):
        with_others_free = (1 / np.diagonal(model.inverse_mass_matrix(q), axis1=1, axis2=2)).min(axis=0)
        shape = np.sqrt(np.diagonal(M, axis1=1, axis2=2).max(axis=0) * with_others_free)
    if not (np.isfinite(shape).all() and (shape > 0).all()):
        raise ArgumentError(
            f'the mass matrix of "{model.name}" is singular on this motion: no gains can be suggested; give kp and kd',
            key="kp",
        )
    values = np.linalg.eigvalsh(M / np.sqrt(np.outer(shape, shape)))
    heaviest, lightest = float(values.max()), float(values.min())
    S = shape * heaviest
    A, B = _linearise_model(model, motion, period, gravity)

    def rung(share: float, least: float) -> tuple[float, float, Array, Array]:
        damping = min(2 * FASTEST_LOOP, share * lightest / heaviest / period)
        w = min(FASTEST_LOOP, damping / np.sqrt(least))
        return damping, w, _round_gains(w * w * S), _round_gains(damping * S, up=True)

    def holds(kp: Array, kd: Array) -> bool:
        return bool(np.abs(np.linalg.eigvals(A - B @ np.hstack([np.diag(kp), np.diag(kd)]))).max() < 1)

    rungs = [rung(*step) for step in GAIN_LADDER]
    damping, w, kp, kd = next((step for step in rungs if holds(*step[2:])), rungs[0])
    why = "the bandwidth that is usual" if w == FASTEST_LOOP else f"as fast as samples every {period:g} s allow"
    words = (
        f"suggested from the mass matrix along the motion: K_P = w^2 S, K_D = {damping / w:.3g} w S, w = {w:.3g} "
        f"rad/s, {why}"
    )
    return kp, kd, words


def _linearise_model(model: Robot, motion: Trajectory, period: float, gravity: Gravity) -> tuple[Array, Array]:
    goal = motion.at(np.linspace(0.0, motion.duration, POLE_INSTANTS))
    return sampled_model(model, (*goal[:2], model.inverse_dynamics(*goal, gravity=gravity)), period, gravity)


def _round_gains(values: Array, up: bool = False) -> Array:
    """Three digits, K_P down and K_D up, so that the condition holds as before."""
    units = 10.0 ** (np.floor(np.log10(values)) - 2)
    whole = (np.ceil if up else np.floor)(values / units)
    return np.array([float(f"{x:.6g}") for x in whole * units])


def damping_condition(model: Robot, motion: Trajectory, kp: Array, kd: Array, gain: float | None) -> Condition:
    """K_D^2 >= 2 K_P M along the motion; `gain` is None for a law that does not learn the feedback."""
    enough = "so that the error decreases from trial to trial (M frozen, continuous time)"
    if gain is None:
        return Condition(
            f"K_D^2 >= 2 K_P lambda_max(M), {enough}", None, "It is known for the law that learns the feedback."
        )
    if gain >= 2:
        slow = (
            f"With gain {gain:g} a slow error comes back {gain - 1:g} times as large, the other way; take less than 2."
        )
        return Condition(f"gain < 2 and (2 - gain) K_D^2 >= 2 K_P lambda_max(M), {enough}", False, slow)
    M = model.mass_matrix(motion.at(np.linspace(0.0, motion.duration, MASS_MATRIX_INSTANTS))[0])
    room, R = 2.0 - gain, kp / kd
    share = float(np.linalg.eigvalsh((M * R + R[:, None] * M) / np.sqrt(np.outer(kd, kd))).max())
    holds = bool(share <= room * (1 + 1e-12))
    scaled = "" if gain == 1 else f"{room:g} "
    if len({*kp}) == len({*kd}) == 1:
        largest = float(np.linalg.eigvalsh(M).max())
        claim = f"{scaled}K_D^2 >= 2 K_P lambda_max(M), {enough}"
        detail = f"{scaled}K_D^2 is {room * kd[0] ** 2:.4g}, 2 K_P lambda_max(M) is {2 * kp[0] * largest:.4g}"
    else:
        claim = f"{scaled}K_D >= M K_P/K_D + K_P/K_D M (K_D^2 >= 2 K_P M for each joint's own gains), {enough}"
        detail = f"The right side is at most {share:.3g} of K_D along the motion"
    return Condition(claim, holds, f"{detail}{'' if holds else '; more K_D or less K_P'}. It is only sufficient.")
