"""The torque budget of a motion: what every joint must give, when, and why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

import numpy as np

from dynamis.base.arguments import integer
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.compute.mechanics.dynamics.parameter_torques import OF_LINK
from dynamis.motion.torque_budget.motors import MotorSizing
from dynamis.motion.torque_budget.run import History
from dynamis.motion.torque_budget.sizing import Sizing
from dynamis.motion.trajectories.trajectory import joint_count
from dynamis.telling.result import Result


@dataclass(frozen=True)
class Shares:
    """What part of each joint's torque has which cause, (n, causes); every row adds up to 1.

    `of_peak` is at the joint's peak, part / tau. `of_rms` is the integral of part tau over that of tau^2, so that parts
    which push against the others are negative. NaN where a joint has no torque at all.
    """

    names: tuple[str, ...]
    of_peak: Array
    of_rms: Array

    def largest(self, joint: int, count: int = 5, of: str = "peak") -> list[tuple[str, float]]:
        """The causes of the largest shares of a joint (from 1), with their shares; `of` its "peak" or its "rms"."""
        integer("joint", joint, 1, len(self.of_peak))
        if of not in ("peak", "rms"):
            raise UnknownNameError("torque", of, ("peak", "rms"), key="of")
        row = (self.of_peak if of == "peak" else self.of_rms)[joint - 1]
        order = np.argsort(-np.abs(row), kind="stable")[:count]
        return [(self.names[k], float(row[k])) for k in order if abs(row[k]) > 0]


@dataclass(frozen=True)
class Extremes:
    """Lowest, highest and RMS value over the motion of parts of the torques: (n, parts)."""

    names: tuple[str, ...]
    lowest: Array
    highest: Array
    rms: Array

    @property
    def largest(self) -> Array:
        """The largest |value| of each."""
        return np.maximum(np.abs(self.lowest), np.abs(self.highest))


@dataclass(frozen=True)
class TorqueBudget(Result):
    """The torque of every joint along a motion, taken apart by effect, by link and by parameter.

    `groups` and `parts` are how large the effects are, `effects` and `causes` their shares; `sizing` is what motors
    are chosen by, `bearings` the largest reactions of every joint (links, 6), `history` all over time. `residual` is
    the largest |sum of the parts - tau| relative to the largest part: the parts are computed apart from tau.
    Tables: "sizing", "motors", "effects", "shares", "bearings", "tool" and "causes"; figures: "tool", "torques",
    "torques-without-gravity", "gravity-ratio", "joints", "torque-speed", "power", "shares" and "bearings".
    """

    _page = "dynamis.motion.torque_budget.document"

    robot: str
    joints: tuple[str, ...]
    units: tuple[str, ...]
    revolute: tuple[bool, ...]
    links: tuple[str, ...]
    kinds: tuple[str, ...]
    """The kind of the joint of every link."""
    tool: str | None
    loads: tuple[str, ...]
    groups: Extremes
    parts: Extremes
    effects: Shares
    causes: Shares
    sizing: Sizing
    bearings: Array
    residual: float
    history: History
    motors: MotorSizing | None = None
    """The motors behind the gears; None where no joint has a gear or a rotor."""
    motion: tuple[str, ...] = ()
    """What the motion says of itself: how samples were differentiated, which limits hold it back, ..."""
    notes: tuple[str, ...] = ()
    """What a reader must know of the robot."""
    methods: tuple[str, ...] = ()
    """What the motion was made by, of those in telling/works.toml."""

    @property
    def lengths(self) -> tuple[str, ...]:
        """The unit of every joint's position: rad or m."""
        return tuple("rad" if revolute else "m" for revolute in self.revolute)

    @property
    def n(self) -> int:
        """The number of joints that move."""
        return len(self.joints)

    @cached_property
    def by_link(self) -> Shares:
        """The shares of whole links (all that is theirs), of the drives and of the loads."""
        per, count = len(OF_LINK), len(self.links)
        names = (*self.links, *self.causes.names[per * count :])

        def summed(shares: Array) -> Array:
            of_links = shares[:, : per * count].reshape(-1, count, per).sum(axis=2)
            return np.concatenate([of_links, shares[:, per * count :]], axis=1)

        return Shares(names, summed(self.causes.of_peak), summed(self.causes.of_rms))

    def part(self, name: str) -> Array:
        """A part of the torques over time by its name: "gravity", "Coriolis", "Coriolis 1,2", ...: (samples, n)."""
        history = self.history
        for names, values in ((self.groups.names, history.groups), (self.parts.names, history.parts)):
            if name in names:
                if values is None:
                    raise ArgumentError(
                        f'"{name}" was not kept over time; ask torque_budget for keep="everything"', key="keep"
                    )
                return values[..., names.index(name)]
        raise UnknownNameError("part", name, dict.fromkeys((*self.groups.names, *self.parts.names)))

    def tool_motion(self) -> tuple[Array, Array, Array]:
        """Position, velocity and acceleration of the tool over time, (samples, 3) each, if there is one and it was
        kept."""
        if self.tool is None:
            raise ArgumentError(
                f'robot "{self.robot}" has no tool, so its motion is not shown; '
                "name a frame: torque_budget(..., tool=...)", key="tool",
            )  # fmt: skip
        x = self.history
        if x.position is None or x.velocity is None or x.acceleration is None:
            raise ArgumentError('the tool was not kept over time; ask torque_budget for keep="sums"', key="keep")
        return x.position, x.velocity, x.acceleration

    def sentences(self, count: int = 3) -> list[str]:
        """The main causes of every joint's peak and RMS torque, in words."""
        return import_module(self._page).sentences(self, count)

    def __repr__(self) -> str:
        t = self.history.t
        return f"<TorqueBudget of {self.robot}: {joint_count(self.n)}, {t[-1] - t[0]:g} s in {len(t)} samples>"
