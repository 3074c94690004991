"""What a simulation gives: states, torques and energies over time, what happened, and how well it went."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.polynomial.polynomial import polyder, polyval
from numpy.typing import ArrayLike

from dynamis.base.arrays import Array
from dynamis.model.payload import payload_words
from dynamis.motion.trajectories.polynomials import hermite
from dynamis.motion.trajectories.trajectory import clip_times
from dynamis.simulation.controllers.law import EFFORT, SPEED, Condition, Controller
from dynamis.telling.result import Result

if TYPE_CHECKING:
    from dynamis.base.provenance import Provenance
    from dynamis.robot import Robot
    from dynamis.simulation.loop.payloads import PayloadSchedule


@dataclass(frozen=True)
class Event:
    """What happened, when [s], and to which joint, if to one.

    A joint is its number from 1; one that follows several coordinates has none, and is its name.
    """

    time: float
    what: str
    joint: int | str | None = None


@dataclass(frozen=True)
class Energy:
    """Energies over time [J]: (k,) each. `motors`, `friction`, `loads`, `stops`: work since the start."""

    kinetic: Array
    potential: Array
    motors: Array
    friction: Array
    loads: Array
    stops: Array
    payloads: Array = field(default_factory=lambda: np.zeros(1))
    """What payloads that are grasped bring along, less what those that are released take with them."""

    @property
    def total(self) -> Array:
        """Kinetic + potential."""
        return self.kinetic + self.potential

    @property
    def error(self) -> Array:
        """What of energy minus work has changed since the start: zero but for the integrator."""
        balance = self.total - self.motors - self.friction - self.loads - self.stops - self.payloads
        return balance - balance[0]

    @property
    def scale(self) -> float:
        """The largest energy that changed hands: what an error is compared with."""
        work = (self.motors, self.friction, self.loads, self.stops, self.payloads)
        parts = (self.kinetic, self.potential - self.potential[0], *work)
        return max(float(np.abs(x).max()) for x in parts)

    @property
    def drift(self) -> float:
        """The largest error in parts of `scale`."""
        return float(np.abs(self.error).max()) / self.scale if self.scale else 0.0


@dataclass(frozen=True)
class Effort:
    """How the result was found."""

    integrator: str
    steps: int
    rejected: int
    evaluations: int | None
    """Evaluations of the rates by Python; None where all was compiled."""
    seconds: float


@dataclass(frozen=True)
class Accuracy:
    """A second run beside the first: `difference` (k,) [rad or m] is the largest of all joints' at `times`.

    `until` [s] is how long it stays below `tolerance`; `growth` [1/s] the rate at which it grows, None where it does
    not grow like a power of e.
    """

    how: str
    times: Array
    difference: Array
    tolerance: float
    until: float
    growth: float | None
    ended: str = ""
    """Why the second run ended before the first."""
    unit: str = "rad or m"

    @property
    def agrees(self) -> bool:
        """Whether the second run lasts as long as the first, and both stay within the tolerance."""
        return self.until >= self.times[-1] and not self.ended

    def sentences(self) -> list[str]:
        """Sentences about it; where the runs disagree, that comes first."""
        largest = float(self.difference.max(initial=0.0))
        if self.until >= self.times[-1] and self.ended:
            sentences = [
                f"{self.how} differs by {largest:.2g} {self.unit} at most until t = {self.times[-1]:.3g} s; it ended "
                f"early: {self.ended}"
            ]
        elif self.agrees:
            sentences = [f"{self.how} differs by {largest:.2g} {self.unit} at most, over all the run"]
        else:
            sentences = [
                f"{self.how} agrees to {self.tolerance:g} {self.unit} until t = {self.until:.3g} s: later positions "
                "are not to be trusted in detail"
            ]
        if self.growth is not None:
            sentences.append(f"the motion is sensitive: differences double about every {np.log(2) / self.growth:.2g} s")
        return sentences


@dataclass(frozen=True)
class Simulation(Result):
    """A run of a robot: k instants of n joints; times increase, but an instant of an impact stands there twice.

    It is a motion as well: `duration`, `n` and `at(t)` are those of a trajectory, so it can have a torque budget.
    Tables: "summary", "joints", "energy", "events" and "sentences"; figures: "position", "tracking-error", "velocity",
    "torque", "energy", "phase" and "signals".
    """

    _page = "dynamis.simulation.results.document"

    robot: Robot
    times: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array
    """The motors' torques [N m or N]."""
    goal: Array | None
    """Where q should have been, (k, n)."""
    memory: Array
    """The memory of the controller, (k, m)."""
    signals: dict[str, Array]
    """What the controller tells beside its torques, (k, ...) each."""
    energy: Energy
    events: tuple[Event, ...]
    effort: Effort
    settings: dict[str, Any]
    """What was simulated, in words and numbers."""
    warnings: tuple[str, ...] = ()
    ended: str = ""
    """Why it ended before its time; empty where it did not."""
    control: str = ""
    """The control in a word or two."""
    controller: Controller | None = None
    """The control law with its gains, one per joint; None where there is none."""
    accuracy: Accuracy | None = None
    """How long it can be trusted, where that was asked for."""
    tells_conditions: bool = True
    """Whether the document states the conditions, which may take a second to decide."""
    payloads: PayloadSchedule | None = None
    """The robot with each payload that it holds in turn, where that changes; `robot` is the first of them."""
    methods: tuple[str, ...] = ()
    """The methods of the trajectory that was followed, whose works are cited."""

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """The sufficient conditions for the stability of the controller, decided when they are first asked for."""
        if self.controller is None:
            return ()
        controller, gravity = self.controller, self.settings.get("gravity")
        if gravity is not None and controller.model is not None:
            controller = controller.with_model(controller.model.with_gravity(gravity))
        still = self.goal is not None and (self.goal == self.goal[0]).all()
        goal = self.goal[0] if self.goal is not None and still else None
        if self.payloads is None:
            robots = {"": self.robot}
        else:
            robots = {" ".join(payload_words(each)[-1:]) or "no payload": each for each in self.payloads.robots}
        of_payloads: dict[Condition, list[str]] = {}
        for held, robot in robots.items():
            for condition in controller.conditions(robot if gravity is None else robot.with_gravity(gravity), goal):
                of_payloads.setdefault(condition, []).append(held)
        return tuple(
            condition
            if len(held) == len(robots)
            else replace(condition, claim=f"with {' or '.join(held)}: {condition.claim}")
            for condition, held in of_payloads.items()
        )

    @property
    def signal_units(self) -> Mapping[str, str]:
        """The units of the signals, as the controller tells them."""
        return {} if self.controller is None else self.controller.signal_units

    @property
    def signal_names(self) -> dict[str, tuple[str, ...]]:
        """What the series of a signal are called, such as the parameters of an adaptive law."""
        names = {} if self.controller is None else self.controller.signal_names(self.robot)
        return {signal: tuple(units) for signal, units in names.items()}

    @property
    def n(self) -> int:
        """The number of joints."""
        return self.q.shape[1]

    @property
    def joints(self) -> tuple[str, ...]:
        """The names of the joints."""
        return tuple(joint.name for joint in self.robot.coordinates)

    @property
    def revolute(self) -> tuple[bool, ...]:
        """Which joints are revolute (rad, N m); the others are prismatic (m, N)."""
        return tuple(joint.revolute for joint in self.robot.coordinates)

    @property
    def units(self) -> tuple[str, ...]:
        """The unit of every joint's torque: N m or N."""
        return tuple(joint.unit for joint in self.robot.coordinates)

    @property
    def lengths(self) -> tuple[str, ...]:
        """The unit of every joint's position: rad or m."""
        return tuple("rad" if turns else "m" for turns in self.revolute)

    @property
    def duration(self) -> float:
        """[s]"""
        return float(self.times[-1])

    def at(self, t: ArrayLike) -> tuple[Array, Array, Array]:
        """q, qd, qdd at times [s]: t.shape + (n,), by the quintics through what was kept; at rest outside."""
        within, outside = clip_times(t, self.duration)
        last = len(self.times) - 1
        k = np.clip(np.searchsorted(self.times, within, "right") - 1, 0, max(0, last - 1))
        after = np.minimum(k + 1, last)
        start, end = (np.stack([self.q[i], self.qd[i], self.qdd[i]]) for i in (k, after))
        h = (self.times[after] - self.times[k])[..., None]
        since = np.where(h > 0, (within - self.times[k])[..., None], 1.0)  # 1: after an impact at the very end
        c = hermite(start, end, np.where(h > 0, h, 1.0))
        derivatives = (polyval(since, polyder(c, order), tensor=False) for order in range(3))
        q, qd, qdd = (np.asarray(x, np.float64) for x in derivatives)
        moving = ~outside[..., None]
        return q, np.where(moving, qd, 0.0), np.where(moving, qdd, 0.0)

    def signal_series(self, name: str) -> list[tuple[str, str, Array]]:
        """One signal's series: the name or the number of each (from 1, empty for a lone one), its unit, its values.

        The unit is empty where the controller does not tell it.
        """
        values = self.signals[name].reshape(len(self.times), -1)
        count, unit = values.shape[1], self.signal_units.get(name, "")
        names = {} if self.controller is None else self.controller.signal_names(self.robot).get(name, {})
        if len(names) == count:
            return [(own, its, values[:, k]) for k, (own, its) in enumerate(names.items())]
        units = [unit] * count
        if count == self.n and unit in (EFFORT, SPEED):
            units = list(self.units) if unit == EFFORT else [f"{length}/s" for length in self.lengths]
        return [("" if count == 1 else str(k + 1), units[k], values[:, k]) for k in range(count)]

    def sentences(self) -> list[str]:
        """What one would tell about the run: how it ended, peaks, the energy balance, events, warnings."""
        return import_module(self._page).sentences(self)

    def animate(
        self, path: str | Path, fps: float = 30.0, speed: float = 1.0, provenance: Provenance | None = None
    ) -> None:
        """An animation of the robot as the file's name says: .html (a page with a player, always), .gif or .mp4.

        `fps` are its frames per second; at `speed` 0.5 it takes twice the time of the motion.
        """
        from dynamis.simulation.animation.animate import animate

        animate(self, path, fps, speed, provenance)
