"""What a simulation gives: states, torques and energies over time, what happened, and how well it went."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from dynamis.arrays import Array
from dynamis.document.blocks import Document
from dynamis.document.result import Result
from dynamis.simulation.results.accuracy import Accuracy
from dynamis.simulation.results.document import sentences, simulation_document

if TYPE_CHECKING:
    from dynamis.robot import Robot
    from dynamis.simulation.controllers.law import Condition


@dataclass(frozen=True)
class Event:
    """What happened, when [s], and to which joint (from 1), if to one."""

    time: float
    what: str
    joint: int | None = None


@dataclass(frozen=True)
class Energy:
    """Energies over time [J]: (k,) each. `motors`, `friction`, `loads` and `stops` are works since the start."""

    kinetic: Array
    potential: Array
    motors: Array
    friction: Array
    loads: Array
    stops: Array

    @property
    def total(self) -> Array:
        """Kinetic + potential."""
        return self.kinetic + self.potential

    @property
    def error(self) -> Array:
        """What of kinetic + potential - works has changed since the start: zero but for the integrator."""
        balance = self.total - self.motors - self.friction - self.loads - self.stops
        return balance - balance[0]

    @property
    def scale(self) -> float:
        """The largest energy that changed hands: what an error is compared with."""
        parts = (self.kinetic, self.potential - self.potential[0], self.motors, self.friction, self.loads, self.stops)
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
    """Of the rates, by Python; None where all was compiled."""
    seconds: float


@dataclass(frozen=True)
class Simulation(Result):
    """A run of a robot: k instants of n joints; times increase, but an instant of an impact stands there twice.

    It is a motion as well: `duration`, `n` and `at(t)` are those of a trajectory, so it can have a torque budget.
    """

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
    """Of the controller, (k, m)."""
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
    control: str = field(default="")
    signal_names: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """What the series of a signal are called, such as the parameters of an adaptive law."""
    accuracy: Accuracy | None = None
    """How long it can be trusted, where that was asked for."""
    conditions: tuple[Condition, ...] = ()
    """Sufficient for the stability of the controller, where they were asked for."""

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
        """Which joints turn (rad, N m); the others slide (m, N)."""
        return tuple(joint.revolute for joint in self.robot.coordinates)

    @property
    def units(self) -> tuple[str, ...]:
        """Of the torque of every joint."""
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
        given = np.asarray(t, np.float64)
        held = np.clip(given, 0.0, self.duration)
        last = len(self.times) - 1
        k = np.clip(np.searchsorted(self.times, held, "right") - 1, 0, max(0, last - 1))
        after = np.minimum(k + 1, last)
        lasts = (self.times[after] - self.times[k])[..., None]
        h = np.where(lasts > 0, lasts, 1.0)
        s = np.where(lasts > 0, (held - self.times[k])[..., None] / h, 1.0)  # after an impact at the very end
        ends = ((self.q[i], self.qd[i], self.qdd[i]) for i in (k, after))
        q, qd, qdd = _quintic(s, h, *ends)
        moving = ((given >= 0) & (given <= self.duration))[..., None]
        return q, np.where(moving, qd, 0.0), np.where(moving, qdd, 0.0)

    def document(self) -> Document:
        """Tables "summary", "joints", "energy", "events" and "sentences"; figures "position", "velocity", "torque",
        "energy", "phase" and "signals"."""
        return simulation_document(self)

    def sentences(self) -> list[str]:
        """What one would tell about the run: how it ended, peaks, the energy balance, events, warnings."""
        return sentences(self)

    def animate(self, path: str | Path, fps: float = 30.0, speed: float = 1.0) -> None:
        """An animation of the robot as the file's name says: .html (a page with a player, always), .gif or .mp4.

        `fps` are its frames per second; at `speed` 0.5 it takes twice the time of the motion.
        """
        from dynamis.simulation.animation.animate import animate

        animate(self, path, fps, speed)


def _quintic(s: Array, h: Array, a: Any, b: Any) -> tuple[Array, Array, Array]:
    """The polynomial of degree five with given q, qd, qdd at both ends, and its derivatives, at s in [0, 1]."""
    (q0, v0, a0), (q1, v1, a1) = a, b
    c0, c1, c2 = q0, h * v0, h * h * a0 / 2
    d = q1 - q0 - c1 - c2
    e = h * v1 - c1 - 2 * c2
    f = h * h * a1 - 2 * c2
    c3, c4, c5 = 10 * d - 4 * e + f / 2, -15 * d + 7 * e - f, 6 * d - 3 * e + f / 2
    q = c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))))
    qd = (c1 + s * (2 * c2 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h
    qdd = (2 * c2 + s * (6 * c3 + s * (12 * c4 + s * 20 * c5))) / (h * h)
    return q, qd, qdd
