"""What all runs of one robot share: time and state, events, what is recorded, progress."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dynamis.arrays import Array
from dynamis.simulation.runs.blow_up import BlowUpError, blow_up
from dynamis.simulation.runs.events import EventMonitor
from dynamis.simulation.runs.flow import Flow
from dynamis.simulation.runs.recorder import Recorder

BREAKAWAY_MARGIN = 1e-9
"""How far beyond 1 the direction s of a joint is where it breaks away without a jump: 1e-12, and rounding."""


class Run:
    """One run: the time, the state, and how many steps were taken and rejected."""

    rejected: int = 0
    stiff: str = ""
    """A sentence about a loop that is stiff."""

    def __init__(
        self, flow: Flow, monitor: EventMonitor, recorder: Recorder, integrator: str,
        progress: Callable[[str], None] | None,
    ) -> None:  # fmt: skip
        self.flow, self.monitor, self.recorder, self.integrator = flow, monitor, recorder, integrator
        self._progress = progress
        self.steps: int = 0
        self.t = 0.0
        self.x: Array = flow.setup.x0.copy()

    def run(self, noise: Callable[[], Array]) -> None:
        """Runs to the end, or to an event that ends it; `noise` returns that of the next sample."""
        raise NotImplementedError

    def start(self) -> None:
        """Applies the events of the start, such as a joint that moves against its stop."""
        after = self.monitor.begin(self.x)
        self.recorder.keep(self.t, self.x, 0.0)
        self._changed(after)

    def apply_events(self) -> None:
        """Applies the events of now; the state before them is recorded too, with the joints that rested on a stop.

        Where a torque has jumped beyond what friction holds, there is no state before with that torque.
        """
        friction = self.flow.friction
        if friction is None or np.abs(friction.directions(self.t, self.x)).max() < 1 + BREAKAWAY_MARGIN:
            self.recorder.keep(self.t, self.x, self.monitor.stops)
        self._changed(self.monitor.apply(self.t, self.x))

    def blown_up(self, h: float, t: float, x: Array, stuck: bool = False) -> BlowUpError:
        """The error of a run whose last finite state is x at t, which is recorded."""
        if t > self.recorder.snapshots[-1].t:
            self.recorder.keep(t, x, self.monitor.stops)
        return blow_up(self.flow, self.integrator, h, t, x, self.flow.setup.x0, stuck)

    def report(self) -> None:
        """Reports how far the run is."""
        if self._progress is not None:
            self._progress(f"{self.t:.3g} of {self.flow.setup.duration:.3g} s")

    def sampled(self, noise: Array, first: bool) -> None:
        """The control measures, and sets its torque; at the first instant it belongs to the state that is kept."""
        self.x = self.flow.sampled(self.t, self.x, noise)
        if first:
            self.recorder.amend(self.x, self.flow.sampled_part)

    def _changed(self, after: Array) -> None:
        """Takes over the state after events, if it is another one."""
        if after is not self.x:
            self.x = after
            self.recorder.keep(self.t, self.x, self.monitor.stops)
