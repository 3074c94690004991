"""Computed torque: the model turns the robot into n double integrators, and PD control moves those.

    tau = M(q) (qdd_d + K_D ed + K_P e) + c(q, qd) + g(q) + friction

If the model is the robot, the error follows e'' + K_D e' + K_P e = 0 exactly, joint by joint; with K_D = 2 w and
K_P = w^2 it vanishes as fast as it can without swinging, with the time 1/w.

Sources: B. R. Markiewicz, Analysis of the computed torque drive method and comparison with conventional position
servo for a computer-controlled manipulator, JPL technical memorandum 33-601, 1973; J. Y. S. Luh, M. W. Walker,
R. P. C. Paul, Resolved-acceleration control of mechanical manipulators, IEEE Trans. Automatic Control 25(3), 1980.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dynamis.simulation.controllers.conditions import positive, same_friction, same_model
from dynamis.simulation.controllers.law import Command, Condition, Observation
from dynamis.simulation.controllers.pd import PD

if TYPE_CHECKING:
    from dynamis.robot import Robot


@dataclass(frozen=True, repr=False)
class ComputedTorque(PD):
    """K_P [1/s^2] and K_D [1/s], of accelerations: a number, or one per joint."""

    compensates_friction = True

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        law = self.check(robot)
        gains = positive("so that the error vanishes", kp=law.kp, kd=law.kd)
        return [gains, same_model(self, robot), *same_friction(self, robot)]

    def law(self, observation: Observation) -> Command:
        qdd = [a + u for a, u in zip(observation.goal_qdd, self.feedback(observation), strict=True)]
        return Command(observation.torques(qdd))
