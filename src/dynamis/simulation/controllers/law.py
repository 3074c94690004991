"""What a controller is: a law from an observation to torques, over any scalar.

The law is written once. On traced scalars it becomes part of the compiled loop, on floats it is the
reference that the loop is tested against.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arguments import per_joint
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.mechanics.coupling import coordinates_of
from dynamis.compute.mechanics.efficient.gravity_torque import gravity_torque
from dynamis.compute.mechanics.friction import joint_directions
from dynamis.compute.mechanics.mechanism import state_at
from dynamis.compute.quantities.robot_at_state import RobotAtState
from dynamis.scalars.scalars import Scalars

if TYPE_CHECKING:
    from dynamis.robot import Robot

Values = list[Any]
EFFORT, SPEED = "N m or N", "rad/s or m/s"
"""The units of signals with one value per joint; each value has that of its joint."""


@dataclass(frozen=True)
class Observation:
    """What a controller sees: measured q and qd, where they should be, its own memory, and its model of the robot.

    `model` is its robot in the measured state, with qdd = 0 and without loads; its friction has the directions of
    sliding of the true robot, also of joints that stick, or those of the measured speed where the law samples.
    `period` [s] is the time between two samples, None where control is continuous.
    """

    model: RobotAtState
    goal_q: Values
    goal_qd: Values
    goal_qdd: Values
    memory: Values
    period: float | None
    stiction_speed: float = 0.0
    """The speed [rad/s or m/s] over which Coulomb friction is smoothed in other states than the measured one."""

    @property
    def scalars(self) -> Scalars[Any]:
        """What a law may do with numbers: sign, least, greatest, ..."""
        return self.model.m.scalars

    @property
    def q(self) -> Values:
        """Measured joint values."""
        return coordinates_of(self.model.m.coupling, self.model.state.q)

    @property
    def qd(self) -> Values:
        """Measured joint velocities."""
        return coordinates_of(self.model.m.coupling, self.model.state.qd)

    @property
    def error(self) -> Values:
        """goal_q - q"""
        return [a - b for a, b in zip(self.goal_q, self.q, strict=True)]

    @property
    def error_rate(self) -> Values:
        """goal_qd - qd"""
        return [a - b for a, b in zip(self.goal_qd, self.qd, strict=True)]

    def at(self, q: Sequence[Any], qd: Sequence[Any], qdd: Sequence[Any]) -> RobotAtState:
        """The model in another state; Coulomb friction acts against its qd."""
        m = self.model.m
        sliding = joint_directions(m, qd, self.stiction_speed)
        return replace(self.model, state=state_at(m, list(q), list(qd), list(qdd), sign=sliding))

    def gravity(self, q: Sequence[Any] | None = None) -> Values:
        """g of the model at the measured q, or at another."""
        state = self.model.state if q is None else state_at(self.model.m, q)
        return gravity_torque(self.model.m, state, self.model.gravity)

    def torques(self, qdd: Sequence[Any]) -> Values:
        """M qdd + c + g + friction of the model in the measured state, with these accelerations."""
        return self.model.accelerated(qdd).torques()


@dataclass(frozen=True)
class Command:
    """What a controller gives: torques, and the rate of change of its memory.

    `after` is for laws that live in samples only: the memory after this sample, instead of rates. `signals` are
    what else is worth recording, by name.
    """

    tau: Values
    rates: Values = field(default_factory=list[Any])
    after: Values | None = None
    signals: Mapping[str, Values] = field(default_factory=dict[str, Any])


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


@dataclass(frozen=True, kw_only=True, repr=False)
class Controller:
    """A law with its gains; `model` is the robot that the controller believes in, None for the true one."""

    model: Robot | None = None

    sampled_only = False
    """Whether the law needs samples (Command.after)."""
    needs_goal = True
    """Whether the law follows goal_q."""
    compensates_friction = False
    """Whether the law adds the friction of its model to its torques."""
    joint_gains: ClassVar[tuple[str, ...]] = ()
    """The gains that have one value per joint, or one for all."""
    signal_units: ClassVar[Mapping[str, str]] = {}
    """The units of the law's signals: EFFORT or SPEED for one value per joint, or a unit of all values."""
    signal_titles: ClassVar[Mapping[str, str]] = {}
    """What the signals are, in a few words, where their names do not say it."""

    def start(self, robot: Robot, q: Any, qd: Any) -> list[float] | NDArray[np.float64]:
        """The memory at the start, (k) or (..., k), from the controller's model and the first states (..., n)."""
        return []

    def law(self, observation: Observation) -> Command:
        """The torques for what the controller sees."""
        raise NotImplementedError

    def check(self, robot: Robot) -> Self:
        """The controller for this robot: gains as one value per joint; raises if they are wrong."""
        self.believed(robot)
        values = {name: gains(name, getattr(self, name), robot.n) for name in self.joint_gains}
        return replace(self, **values) if values else self

    def believed(self, robot: Robot) -> Robot:
        """The controller's model of this robot: its own, or the robot itself."""
        if self.model is None:
            return robot
        kinds, model_kinds = ([joint.revolute for joint in each.coordinates] for each in (robot, self.model))
        if kinds != model_kinds:
            raise ArgumentError(
                f'the controller\'s model "{self.model.name}" has other joints than the robot "{robot.name}": '
                "both have the same number of joints, of the same kinds",
                key="model",
            )
        return self.model

    def with_model(self, model: Robot) -> Self:
        """The same law with another model."""
        return replace(self, model=model)

    def signal_names(self, robot: Robot) -> dict[str, dict[str, str]]:
        """What the series of a signal are called, with their units, where they are not one per joint."""
        del robot
        return {}

    def signal_truth(self, robot: Robot) -> dict[str, Sequence[float] | Array]:
        """For a signal that estimates something constant, the true values, one per series."""
        del robot
        return {}

    def warnings(self, robot: Robot) -> list[str]:
        """Sentences about gains that are likely wrong: a negative one drives the robot away from its goal."""
        law = self.check(robot)
        return [
            f"{name} of joint {joint.name} is {value:g}: a negative gain drives the joint away from its goal"
            for name in self.joint_gains
            for joint, value in zip(robot.coordinates, getattr(law, name), strict=True)
            if value < 0
        ]

    def conditions(self, robot: Robot, goal: Any = None) -> list[Condition]:
        """The sufficient conditions that are known for this law, for this robot, these gains and this goal.

        `goal` is joint values, a trajectory, or None.
        """
        return []

    def _repr_html_(self) -> str:
        """What the law takes, with units, and its gains."""
        from dynamis.telling.blocks import Document, Table, Words
        from dynamis.telling.renderers.page import render

        about = " ".join((self.__doc__ or "").partition("\n\n")[0].split()).replace("`", "")
        names = [f.name for f in fields(self) if f.repr and f.name != "model"]
        rows = [(name, _short(getattr(self, name))) for name in names]
        rows += [] if self.model is None else [("model", self.model.name)]
        words = Words(f"{type(self).__name__}: {about}")
        return render(Document("", (words, Table(("gain", "value"), tuple(rows)))), "notebook")

    def __repr__(self) -> str:
        """The law with its gains; defaults are left out."""
        entries = [(f.name, getattr(self, f.name), f.default) for f in fields(self) if f.repr and f.name != "model"]
        gains = [f"{name}={_short(value)}" for name, value, usual in entries if not _same(value, usual)]
        model = [] if self.model is None else [f'model="{self.model.name}"']
        return f"{type(self).__name__}({', '.join([*gains, *model])})"


def gains(name: str, values: Any, n: int, of: str = "joint") -> tuple[float, ...]:
    """n finite gains, one per joint or whatever `of` names; a single number stands for all.

    >>> gains("kp", 10, 2), gains("kp", [10, 20], 2)
    ((10.0, 10.0), (10.0, 20.0))
    """
    return tuple(per_joint(name, values, n, of).tolist())


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and bool(a == b))


def _short(value: Any) -> str:
    """One number where all gains are equal."""
    values = cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)
    if not values or not all(isinstance(x, float) for x in values):
        return repr(cast(Any, value))
    numbers = [f"{x:g}" for x in values]
    return numbers[0] if len({*numbers}) == 1 else f"[{', '.join(numbers)}]"
