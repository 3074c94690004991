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
from typing import Any

from dynamis.simulation.controllers.law import Command, Look
from dynamis.simulation.controllers.pd import PD


@dataclass(frozen=True)
class PDGravity(PD):
    """PD and g(q) of the model; `at` "goal" takes g(q_d) instead."""

    at: str = "way"

    def law(self, look: Look) -> Command:
        g = look.gravity(look.goal_q if self.at == "goal" else None)
        return Command(_sum(self.feedback(look), g))


def _sum(a: list[Any], b: list[Any]) -> list[Any]:
    return [x + y for x, y in zip(a, b, strict=True)]
