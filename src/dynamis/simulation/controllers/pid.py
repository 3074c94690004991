"""PID control: PD, and the integral of the error, which learns the torque that holds the robot at its goal.

    tau = K_P e + K_I z + K_D ed        z' = e

No model is needed and no error stays, but the stability is local. Near a constant goal, with friction B qd and
G = dg/dq there, the error follows

    M e''' + (K_D + B) e'' + (K_P + G) e' + K_I e = 0

and the goal is stable if all roots of this have negative real parts (Lyapunov's first method).

`integral_limit` keeps the torque of the integral within bounds, and z from growing beyond them (conditional
integration), so that a large first error or motors at their limits do not wind it up.

Sources: S. Arimoto, F. Miyazaki, Stability and robustness of PID feedback control for robot manipulators of sensory
capability, Robotics Research: the First International Symposium, 1984; K. J. Astrom, L. Rundqwist, Integrator windup
and how to avoid it, American Control Conference, 1989.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.friction import damping_matrix
from dynamis.simulation.controllers.conditions import constant, stops_short
from dynamis.simulation.controllers.law import EFFORT, Command, Condition, Observation, gains
from dynamis.simulation.controllers.pd import PD

if TYPE_CHECKING:
    from dynamis.robot import Robot


@dataclass(frozen=True, repr=False)
class PID(PD):
    """K_P and K_D as PD, K_I [N m/(rad s) or N/(m s)]; `integral_limit` [N m or N] or None.

    >>> PID(100, 20, ki=50)
    PID(kp=100, kd=20, ki=50)
    """

    ki: Any = field(kw_only=True)
    integral_limit: Any = field(default=None, kw_only=True)

    joint_gains = ("kp", "ki", "kd")
    signal_units: ClassVar = {"integral": EFFORT}
    signal_titles: ClassVar = {"integral": "torque of the integral"}

    def check(self, robot: Robot) -> Self:
        law = super().check(robot)
        if self.integral_limit is None:
            return law
        limit = gains("integral_limit", self.integral_limit, robot.n)
        if min(limit, default=0.0) < 0:
            raise ArgumentError(f"integral_limit must be non-negative, got {min(limit):g}", key="integral_limit")
        return replace(law, integral_limit=limit)

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        hunting = "While it does, the integral grows until the joint breaks away: it may hunt about its goal."
        return [self.check(robot).local(robot, goal), *stops_short(robot, words=hunting)]

    def local(self, robot: Robot, goal: Any) -> Condition:
        """Whether all roots near a constant goal have negative real parts."""
        claim = "all roots of the loop near the goal have negative real parts, so that the goal is stable nearby"
        q = constant(goal, robot.n)
        if q is None:
            return Condition(claim, None, "It needs a constant goal.")
        n, B = robot.n, np.array(damping_matrix(robot))
        per_M, G = robot.inverse_mass_matrix(q), robot.inverse_dynamics_derivatives(q).dtau_dq
        if not np.isfinite(per_M).all():
            return Condition(claim, None, "M has no inverse at the goal.")
        A = np.zeros((3 * n, 3 * n))
        A[: 2 * n, n:] = np.eye(2 * n)
        A[2 * n :] = -per_M @ np.hstack([np.diag(self.ki), np.diag(self.kp) + G, np.diag(self.kd) + B])
        right = float(np.linalg.eigvals(A).real.max())
        weight = np.abs(robot.gravity_torque(q))
        limited = self.integral_limit is not None and bool((weight > np.asarray(self.integral_limit)).any())
        detail = f"The rightmost root at the goal has real part {right:.4g} 1/s (without samples and Coulomb friction)."
        if limited:
            detail += " But integral_limit is below the torque that gravity asks for at the goal."
        return Condition(claim, right < 0 and not limited, detail)

    def start(self, robot: Robot, q: Any, qd: Any) -> list[float]:
        return [0.0] * robot.n

    def law(self, observation: Observation) -> Command:
        pushed = [k * z for k, z in zip(self.ki, observation.memory, strict=True)]
        rates = observation.error
        if self.integral_limit is not None:
            f = observation.scalars
            beyond = [p * f.sign(p) - top for p, top in zip(pushed, self.integral_limit, strict=True)]
            pushed = [f.greatest(f.least(p, t), -t) for p, t in zip(pushed, self.integral_limit, strict=True)]
            # 0 where the torque is beyond its limit and the error would take it further, else 1.
            growing = [f.sign(k * e * z) for k, e, z in zip(self.ki, rates, pushed, strict=True)]
            free = [1.0 - f.greatest(f.least(f.sign(b), g), 0.0) for b, g in zip(beyond, growing, strict=True)]
            rates = [e * open for e, open in zip(rates, free, strict=True)]
        tau = [a + b for a, b in zip(self.feedback(observation), pushed, strict=True)]
        return Command(tau, rates, signals={"integral": pushed})
