"""Joint stops of a batch: robots that come near one are stepped one by one, as `simulate` steps them.

The compiled steps of the batch watch how far each robot comes towards its stops. One that may have reached a stop
within a piece of steps takes that piece again from its start, in Python, with its impacts, and the pieces after it for
as long as a joint rests on a stop. The others go on in compiled code, where a stop costs a few operations per step.
"""

from __future__ import annotations

import numpy as np

from dynamis.base.arrays import Array
from dynamis.simulation.loop.setup import SimulationSetup
from dynamis.simulation.runs.blow_up import BlowUpError
from dynamis.simulation.runs.events import EventMonitor, check_start
from dynamis.simulation.runs.fixed import FixedRun
from dynamis.simulation.runs.flow import Flow
from dynamis.simulation.runs.steps import Steps

PIECE_STEPS = 64
"""Steps between two looks at the stops: a robot that reaches one repeats half as many in Python on average."""


class BatchStops:
    """The stops of a batch of robots with the steps of a plan; `energy` [J] is what they have taken, below 0."""

    def __init__(self, setup: SimulationSetup, plan: Steps, integrator: str, restitution: float) -> None:
        self.setup, self.plan, self.integrator, self.restitution = setup, plan, integrator, restitution
        self._take_steps = setup.programs.step(integrator, watched=True)
        self._runs: dict[tuple[int, ...], FixedRun] = {}
        self.energy: Array = np.zeros(setup.x0.shape[:-1])
        self.lost: dict[tuple[int, ...], tuple[float, Array]] = {}
        """The robots that have blown up at their stops, or rattle between them: when [s], and the last state."""
        check_start(setup)

    def take_steps(self, x: Array, first: int, piece: Array, threads: int) -> Array:
        """x after the steps of a piece, from step `first` on."""
        near = nearest_stop(self.setup, x, self.plan.h)
        watched = np.concatenate([x, near[..., None]], axis=-1)
        after = self._take_steps(watched, piece, threads)
        result = np.array(after[..., :-1])
        rows = np.broadcast_to(piece, (*x.shape[:-1], *piece.shape[-2:]))
        busy = {at for at, run in self._runs.items() if run.flow.resting}
        reached = ~(after[..., -1] < 0)  # also where it is not a number
        for at in sorted({*map(tuple, np.argwhere(reached).tolist()), *busy} - set(self.lost)):
            result[at] = self._alone(at, x[at], first, rows[at])
        return result

    def _alone(self, at: tuple[int, ...], x: Array, first: int, piece: Array) -> Array:
        """x of one robot after a piece of steps in Python."""
        if at not in self._runs:
            flow = Flow(self.setup.of_robot(at))
            monitor = EventMonitor(flow, "stop", self.restitution, ())
            self._runs[at] = FixedRun(flow, monitor, self.integrator, self.plan, self.plan.count)
        run = self._runs[at]
        try:
            result = run.repeat(x, first, piece)
        except BlowUpError:
            result = run.snapshots[-1].x
            self.lost[at] = (run.snapshots[-1].time, result)
        if run.monitor.ended:
            self.lost[at] = (run.t, result)
        self.energy[at] = run.monitor.stops
        return result


def nearest_stop(setup: SimulationSetup, x: Array, h: float) -> Array:
    """How far a robot may come beyond a stop within a step of h from the states x (..., size) [rad or m].

    A joint with velocity v comes h v further at most before it turns around within the step.
    """
    axes, parts = setup.loop.axes, setup.loop.state.slices
    positions, speeds = axes.positions(x[..., parts["q"]]), axes.along(x[..., parts["qd"]])
    over = positions + h * np.maximum(speeds, 0.0) - axes.upper
    under = axes.lower - positions + h * np.maximum(-speeds, 0.0)
    return np.maximum(over, under).max(axis=-1)
