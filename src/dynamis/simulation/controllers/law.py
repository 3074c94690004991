"""What a controller is: a law from what it sees to torques, over any scalar.

The law is written once. On traced scalars it becomes part of the compiled loop, on floats it is the
reference that the loop is tested against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dynamis.algorithms.mechanism import State
from dynamis.quantities import Setting
from dynamis.simulation.scalars import Functions

if TYPE_CHECKING:
    from dynamis.robot import Robot

Scalars = list[Any]


@dataclass(frozen=True)
class Look:
    """What a controller sees: measured q and qd, where they should be, its own memory, and its model of the robot.

    `model` is its robot in the measured state, with qdd = 0 and without loads; `period` [s] is the time between two
    samples, None where control is continuous.
    """

    model: Setting
    functions: Functions
    goal_q: Scalars
    goal_qd: Scalars
    goal_qdd: Scalars
    memory: Scalars
    period: float | None

    @property
    def q(self) -> Scalars:
        return list(self.model.state.q)

    @property
    def qd(self) -> Scalars:
        return list(self.model.state.qd)

    @property
    def error(self) -> Scalars:
        """goal_q - q"""
        return [a - b for a, b in zip(self.goal_q, self.q, strict=True)]

    @property
    def error_rate(self) -> Scalars:
        """goal_qd - qd"""
        return [a - b for a, b in zip(self.goal_qd, self.qd, strict=True)]

    def at(self, q: Sequence[Any], qd: Sequence[Any], qdd: Sequence[Any]) -> Setting:
        """The model in another state; Coulomb friction acts against qd."""
        f = self.functions
        cosines, sines, signs = [f.cos(x) for x in q], [f.sin(x) for x in q], [f.sign(x) for x in qd]
        return replace(self.model, state=State(list(q), cosines, sines, list(qd), list(qdd), signs))

    def gravity(self, q: Sequence[Any] | None = None) -> Scalars:
        """g of the model at the measured q, or at another."""
        from dynamis.algorithms.gravity_torque import gravity_torque

        zeros = [0.0] * self.model.m.n
        state = self.model.state if q is None else self.at(q, zeros, zeros).state
        return gravity_torque(self.model.m, state, self.model.gravity)


@dataclass(frozen=True)
class Command:
    """What a controller gives: torques, and the rate of change of its memory.

    `after` is for laws that live in samples only: the memory after this sample, instead of rates. `signals` are
    what else is worth recording, by name.
    """

    tau: Scalars
    rates: Scalars = field(default_factory=list[Any])
    after: Scalars | None = None
    signals: Mapping[str, Scalars] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Condition:
    """A sufficient condition: what it asks for, in words and numbers, and whether it holds for this robot.

    `holds` is None where it could not be decided. That a sufficient condition fails does not mean that the loop is
    unstable.
    """

    claim: str
    holds: bool | None
    detail: str

    def __str__(self) -> str:
        verdict = {True: "holds", False: "does not hold", None: "not decided"}[self.holds]
        return f"{self.claim}: {verdict}. {self.detail}"


@dataclass(frozen=True, kw_only=True)
class Controller:
    """A law with its gains; `model` is the robot that the controller believes in, None for the true one."""

    model: Robot | None = None

    sampled_only = False
    """Whether the law needs samples (Command.after)."""
    needs_goal = True
    """Whether the law follows goal_q."""

    def start(self, robot: Robot, q: Any, qd: Any) -> list[float]:
        """The memory at the start, from the controller's model and the first state."""
        return []

    def law(self, look: Look) -> Command:
        """The torques for what the controller sees."""
        raise NotImplementedError

    def check(self, robot: Robot) -> Controller:
        """The controller for this robot: gains as one value a joint; wrong ones are an error."""
        return self

    def warnings(self, robot: Robot) -> list[str]:
        """What is odd about the gains, such as a wrong sign."""
        return []

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        """The sufficient conditions that are known for this law, for this robot, these gains and this goal.

        `goal` is joint values, a trajectory, or None.
        """
        return []
