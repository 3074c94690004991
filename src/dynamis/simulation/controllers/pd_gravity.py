"""PD control with gravity compensation, along the way or at the goal.

    tau = K_P (q_d - q) + K_D (qd_d - qd) + g(q)        PDGravity
    tau = K_P (q_d - q) + K_D (qd_d - qd) + g(q_d)      PDGravity(at="goal")

For a constant q_d the first is stable for all K_P, K_D > 0. The second needs no model at run time but gains
that are stiffer than gravity: K_P > max ||dg/dq||.

Sources: M. Takegaki, S. Arimoto, 1981 (as pd.py); P. Tomei, Adaptive PD controller for robot manipulators, IEEE
Trans. Robotics and Automation 7(4), 1991.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from dynamis.base.errors import UnknownNameError
from dynamis.simulation.controllers.conditions import positive, same_model, stiffer_than_gravity, stops_short
from dynamis.simulation.controllers.law import Command, Condition, Observation
from dynamis.simulation.controllers.pd import AT_REST, PD

if TYPE_CHECKING:
    from dynamis.robot import Robot

PLACES = ("way", "goal")
AT_GOAL = "so that the goal is the only place of rest, for any constant goal"


@dataclass(frozen=True, repr=False)
class PDGravity(PD):
    """PD and g(q) of the model; `at` "goal" takes g(q_d) instead."""

    at: str = "way"

    def check(self, robot: Robot) -> Self:
        if self.at not in PLACES:
            raise UnknownNameError("place of the gravity", self.at, PLACES, key="at")
        return super().check(robot)

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        law = self.check(robot)
        conditions = [positive(AT_REST, kp=law.kp, kd=law.kd)]
        if self.at == "goal":
            conditions.append(stiffer_than_gravity(robot, law.kp, AT_GOAL))
        return [*conditions, same_model(self, robot, only_gravity=True), *stops_short(robot, law.kp)]

    def law(self, observation: Observation) -> Command:
        g = observation.gravity(observation.goal_q if self.at == "goal" else None)
        return Command([a + b for a, b in zip(self.feedback(observation), g, strict=True)])
