"""The record of a run: snapshots of its state at the wanted times and at events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from dynamis.arrays import Array
from dynamis.simulation.runs.flow import Flow


@dataclass(frozen=True)
class Snapshot:
    """The state x at t [s], what held joints then, and what x does not contain."""

    t: float
    x: Array
    stops: float
    """The energy that stops have taken so far [J]."""
    resting: list[int]
    """The joints on stops."""
    sticking: list[int]
    """The joints held by friction."""
    direction: Array | float
    """Of sliding, s (n,); 0 where friction is smooth or absent."""
    torque: Array | float
    """Of a user's function (n,); 0 where there is none."""


@dataclass
class Recorder:
    """Keeps snapshots of a flow; `wanted` are the times that were asked for."""

    flow: Flow
    wanted: Array
    snapshots: list[Snapshot] = field(default_factory=list[Snapshot])
    _next: int = 0

    def keep(self, t: float, x: Array, stops: float) -> None:
        """A snapshot, whatever its time. One append: Ctrl-C keeps all of it or nothing."""
        setup, friction = self.flow.setup, self.flow.friction
        self.snapshots.append(
            Snapshot(
                float(t), np.array(x), stops, list(self.flow.resting), list(friction.sticking) if friction else [],
                friction.directions(t, np.asarray(x)).copy() if friction else 0.0,
                setup.torques_of(t, *self.flow.state(x)) if setup.calls_function else 0.0,
            )
        )  # fmt: skip

    def amend(self, x: Array, part: slice) -> None:
        """Writes a part of x into all snapshots so far."""
        for snapshot in self.snapshots:
            snapshot.x[part] = x[part]

    def until(self, end: float, at: Callable[[float], Array], stops: float) -> None:
        """Keeps the states at the wanted times up to `end` that are not kept already."""
        while self._next < len(self.wanted) and self.wanted[self._next] <= end:
            t = float(self.wanted[self._next])
            if not self.snapshots or t > self.snapshots[-1].t:
                self.keep(t, at(t), stops)
            self._next += 1
