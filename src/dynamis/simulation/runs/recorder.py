"""What is kept of a run: states at times, as they come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from dynamis.arrays import Array
from dynamis.simulation.runs.dry_friction import DryFriction


@dataclass
class Recorder:
    """Keeps states at the times that were asked for, and where something happens; torques with them if the user's.

    `stops` is the energy that stops had taken by then, `rested` the joints that lay on a stop, which `resting` tells;
    `directions` are those of sliding, and `stuck` the joints that friction held, which `friction` tells.
    """

    wanted: Array
    torque: Callable[[float, Array], Array] | None = None
    resting: Mapping[int, int] = field(default_factory=dict[int, int])
    friction: DryFriction | None = None
    times: list[float] = field(default_factory=list[float])
    states: list[Array] = field(default_factory=list[Array])
    torques: list[Array] = field(default_factory=list[Array])
    stops: list[float] = field(default_factory=list[float])
    directions: list[Array] = field(default_factory=list[Array])
    stuck: list[list[int]] = field(default_factory=list[list[int]])
    rested: list[list[int]] = field(default_factory=list[list[int]])
    _next: int = 0

    def keep(self, t: float, x: Array, stops: float) -> None:
        """A state, whatever its time."""
        if self.torque is not None:
            self.torques.append(self.torque(t, x))  # first of all: an interrupt in it keeps the lists of one length
        if self.friction is not None:
            self.directions.append(self.friction.directions(t, np.asarray(x)).copy())
            self.stuck.append(list(self.friction.sticking))
        self.times.append(float(t))
        self.states.append(np.array(x))
        self.stops.append(stops)
        self.rested.append(list(self.resting))

    def amend(self, x: Array, part: slice) -> None:
        """A part of all that was kept so far becomes that of x."""
        for state in self.states:
            state[part] = x[part]

    def until(self, end: float, at: Callable[[float], Array], stops: float) -> None:
        """The states at the wanted times up to `end`, not those that are kept already."""
        while self._next < len(self.wanted) and self.wanted[self._next] <= end:
            t = float(self.wanted[self._next])
            if not self.times or t > self.times[-1]:
                self.keep(t, at(t), stops)
            self._next += 1
