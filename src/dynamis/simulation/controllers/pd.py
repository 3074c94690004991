"""PD control: a spring and a damper to the goal.

    tau = K_P (q_d - q) + K_D (qd_d - qd)

Without gravity it brings the robot to rest at any constant q_d; with gravity an error stays, K_P e = g.

Source: M. Takegaki, S. Arimoto, A new feedback method for dynamic control of manipulators, J. Dynamic Systems,
Measurement and Control 103, 1981.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dynamis.simulation.controllers.conditions import no_gravity, positive, stops_short
from dynamis.simulation.controllers.law import Command, Condition, Controller, Observation

if TYPE_CHECKING:
    from dynamis.robot import Robot

AT_REST = "so that the robot comes to rest for any constant goal"


@dataclass(frozen=True, repr=False)
class PD(Controller):
    """K_P [N m/rad or N/m] and K_D [N m s/rad or N s/m]: a number, or one per joint.

    >>> PD(100, [20, 10])
    PD(kp=100, kd=[20, 10])
    """

    kp: Any
    kd: Any

    joint_gains = ("kp", "kd")

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        law = self.check(robot)
        return [
            positive(AT_REST, kp=law.kp, kd=law.kd), no_gravity(robot, law.kp, goal), *stops_short(robot, law.kp)
        ]  # fmt: skip

    def law(self, observation: Observation) -> Command:
        return Command(self.feedback(observation))

    def feedback(self, observation: Observation) -> list[Any]:
        """K_P e + K_D ed"""
        parts = zip(self.kp, observation.error, self.kd, observation.error_rate, strict=True)
        return [p * e + d * ed for p, e, d, ed in parts]
