"""The closed loop as data: the robot, its control law, loads and sampling, with the names of its states and inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.model.loads import Load
from dynamis.robot import Robot
from dynamis.scalars.vectors import Vector
from dynamis.simulation.controllers.law import Controller
from dynamis.simulation.loop.axes import Axes, robot_axes

WORK = ("motors", "friction", "loads")
"""What does work on the robot."""


@dataclass(frozen=True)
class VectorLayout:
    """The parts of a state or input vector in their order, each with its length.

    >>> layout = VectorLayout((("q", 2), ("qd", 2)))
    >>> layout.size, layout.split([1, 2, 3, 4])
    (4, {'q': [1, 2], 'qd': [3, 4]})
    """

    parts: tuple[tuple[str, int], ...]

    @cached_property
    def size(self) -> int:
        return sum(count for _, count in self.parts)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where each part stands."""
        slices: dict[str, slice] = {}
        at = 0
        for name, count in self.parts:
            slices[name] = slice(at, at + count)
            at += count
        return slices

    def split(self, entries: Sequence[Any]) -> dict[str, list[Any]]:
        return {name: list(entries[part]) for name, part in self.slices.items()}

    def join(self, **parts: Sequence[Any]) -> list[Any]:
        """The list of these parts; all must be given."""
        return [x for name, _ in self.parts for x in parts[name]]


@dataclass(frozen=True)
class Sampling:
    """How the controller measures and acts: every `period` [s], with encoders of this resolution.

    `resolution` is the step of the encoders [rad or m] per joint, 0 for none; `noise` the standard deviations of q and
    of qd, which the inputs of a sample contain.
    """

    period: float
    resolution: tuple[float, ...] = ()
    noise: tuple[float, float] = (0.0, 0.0)
    seed: int = 0

    def measured(self, q: Any, qd: Any, noise: Any, nearest: Callable[[Any], Any]) -> tuple[list[Any], list[Any]]:
        """q and qd as the controller sees them: with the noise of both (none if it is empty), q in encoder steps.

        The entries are scalars of any kind, or arrays; `nearest` rounds one to an integer.
        """
        n = len(q)
        q, qd = list(q), list(qd)
        if len(noise):
            q = [a + b for a, b in zip(q, noise[:n], strict=True)]
            qd = [a + b for a, b in zip(qd, noise[n:], strict=True)]
        if any(self.resolution):
            q = [nearest(a / step) * step if step else a for a, step in zip(q, self.resolution, strict=True)]
        return q, qd

    def draw(self, random: np.random.Generator, n: int, count: int, batch: tuple[int, ...] = ()) -> Array:
        """The noise of q and qd of the next `count` samples: (*batch, count, 2 n)."""
        noise = random.standard_normal((count, *batch, 2, n)) * np.array(self.noise)[:, None]
        return np.moveaxis(noise.reshape(count, *batch, 2 * n), 0, -2)


@dataclass(frozen=True)
class ClosedLoop:
    """The description of the loop: what `LoopEquations` are written for, over floats and over traced scalars.

    `controller` None means that the torques come with the inputs. `loads` have a parameter, one of `load_names`, in
    every place that holds a value. `limit` are the largest torques of the motors, one per joint. Coulomb friction grows
    over `stiction_speed`; 0 is dry friction, whose directions come with the inputs. `payload` are the inertial numbers
    of the last link, a payload, that come with the inputs (loop/payloads.py).
    """

    robot: Robot
    controller: Controller | None = None
    memory: int = 0
    gravity: Vector[float] | None = None
    loads: tuple[Load, ...] = ()
    load_names: tuple[str, ...] = ()
    stiction_speed: float = 0.0
    limit: tuple[float, ...] | None = None
    sampling: Sampling | None = None
    payload: tuple[int, ...] = ()

    @cached_property
    def state(self) -> VectorLayout:
        """The parts of x."""
        n, held = self.robot.n, self.robot.n if self.sampling else 0
        return VectorLayout((("q", n), ("qd", n), ("memory", self.memory), ("held", held), ("work", len(WORK))))

    @cached_property
    def axes(self) -> Axes:
        """Along which stops and dry friction act."""
        return robot_axes(self.robot)

    @cached_property
    def dry(self) -> tuple[int, ...]:
        """The axes whose direction of sliding is an input: those with Coulomb friction, real or modelled."""
        if self.stiction_speed:
            return ()
        model = self.controller.model if self.controller else None
        felt = self.axes.coulomb != 0
        if model is not None:
            modelled = robot_axes(model).coulomb != 0
            same = len(modelled) if len(modelled) == len(felt) else self.robot.n
            felt[:same] |= modelled[:same]
        return tuple(int(k) for k in np.flatnonzero(felt))

    @cached_property
    def inputs(self) -> VectorLayout:
        """The parts of `inputs`: of the torques, the goal and the directions, what the loop needs."""
        n, open_loop = self.robot.n, self.controller is None
        goal = 0 if open_loop else n
        return VectorLayout(
            (
                ("torque", n if open_loop else 0),
                ("goal_q", goal),
                ("goal_qd", goal),
                ("goal_qdd", goal),
                ("loads", len(self.load_names)),
                ("payload", len(self.payload)),
                ("direction", len(self.axes.names) if self.dry and self.dry[-1] >= n else n if self.dry else 0),
            )
        )

    @cached_property
    def sample_inputs(self) -> VectorLayout:
        """The parts of `inputs` for a sample: those above, and the noise of q and qd."""
        n = self.robot.n if self.sampling and any(self.sampling.noise) else 0
        return VectorLayout((*self.inputs.parts, ("noise", 2 * n)))
