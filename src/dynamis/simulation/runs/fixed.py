"""Runs with fixed steps of one robot: compiled pieces where nothing needs a watch, else step by step.

A step in which something happens is done in parts: up to it, and from it to the end of the step. While a joint
rests on a stop or is held by friction, and where the control is a Python function, the step is Runge and Kutta's in
Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.backends.llvm.loop import CALLS
from dynamis.simulation.loop.integrators import FIXED, rk4
from dynamis.simulation.runs.flow import Flow
from dynamis.simulation.runs.happenings import Happenings
from dynamis.simulation.runs.recorder import Recorder
from dynamis.simulation.runs.run import Run
from dynamis.simulation.runs.stepping import Rows, Steps

PIECE = 256
"""Steps whose rows are made at once."""
MOST_PARTS = 64
"""Of one step."""


class FixedRun(Run):
    """One run with steps of a plan; `every` so many steps a state is kept."""

    def __init__(
        self, flow: Flow, watch: Happenings, recorder: Recorder, integrator: str, steps: Steps, every: int,
        progress: Callable[[str], None] | None,
    ) -> None:  # fmt: skip
        super().__init__(flow, watch, recorder, integrator, progress)
        self.plan, self.every = steps, every
        self.rows = Rows(flow.made, steps, integrator)
        self.loop = flow.made.programs.step(integrator)

    def run(self, noise: Callable[[], Array]) -> None:
        """To the end, or until it ends itself; `noise` is that of the next sample."""
        self.start()
        if self.watch.ended:
            return
        sampled = self.flow.made.loop.sampling is not None
        if self.watch.idle and self.flow.made.function is None:
            if sampled:  # the compiled steps take their samples themselves; this one is for the record
                self.recorder.amend(self.flow.sampled(0.0, self.x, noise()), self.flow.sampled_part)
            self._pieces()
            return
        for first, piece in self.rows.pieces(PIECE):
            if sampled:
                piece[..., self.rows.layout.slices["now"]] = 0.0  # samples are taken here, not in the compiled step
            for k in range(first, first + piece.shape[-2]):
                self.t = self.plan.time(k)
                if sampled and k % self.plan.hold == 0:
                    self.sampled(noise(), first=k == 0)
                self._step(self.plan.time(k + 1), piece[k - first])
                self.steps += 1
                if self.steps == CALLS:
                    self.loop.once.ufunc()
                if self.watch.ended:
                    return
                if ((k + 1) % self.every == 0 or k + 1 == self.plan.count) and self.t > self.recorder.times[-1]:
                    self.recorder.keep(self.t, self.x, self.watch.stops)
            self.told()

    def _pieces(self) -> None:
        """Compiled pieces, a state kept after each."""
        for first, piece in self.rows.pieces(self.every):
            after = self.loop(self.x, piece)
            if not self.is_sound(after):
                self._to_the_end(first, piece)
            self.t, self.x = self.plan.time(first + piece.shape[-2]), after
            self.steps += piece.shape[-2]
            if self.steps % self.every == 0 or self.steps == self.plan.count:
                self.recorder.keep(self.t, self.x, 0.0)
            self.told()

    def _to_the_end(self, first: int, piece: Array) -> None:
        """The steps of a piece that blew up, up to the one that did."""
        for k in range(piece.shape[-2]):
            start, x = self.plan.time(first + k), self.x
            self.x = self.loop.once(x, piece[k])
            if not self.is_sound(self.x):
                raise self.blown_up(self.plan.h, start, x)

    def _step(self, end: float, row: Array) -> None:
        """One step, in parts where something happens in it."""
        for _ in range(MOST_PARTS):
            if not self._moves_on(end, row):
                return
            self.happens()
            if self.watch.ended or self.t >= end:
                return
        self.x = self._advanced(self.t, end, self.x, row)
        self.t = end

    def _moves_on(self, end: float, row: Array) -> bool:
        """To the end of the step, or to where something happens: whether it does."""
        start, x = self.t, self.x
        after = self._advanced(start, end, x, row)

        def at(t: float) -> Array:
            if t <= start:
                return x
            return after if t >= end else self._advanced(start, t, x, row)

        hit = None if self.watch.idle else self.watch.first(start, end, at, least=1)
        self.t = end if hit is None else hit
        self.x = at(self.t)
        return hit is not None

    def _advanced(self, start: float, end: float, x: Array, row: Array) -> Array:
        """x at the end of a step or of a part of it; the row is that of the whole step."""
        made, friction = self.flow.made, self.flow.friction
        asked = made.function is not None and made.loop.sampling is None
        held = self.flow.resting or (friction is not None and friction.sticking)
        if held and made.course.constant and not asked and not self.flow.rate(start, x).any():
            return x  # all joints are held, and nothing changes
        if held or (asked and self.integrator == "rk4"):
            after = self._runge_kutta(start, end, x)
        else:
            part = abs(row[0] - (end - start)) > 1e-12 * max(1.0, end)
            row = self._row(start, end, x, row, asked) if part or asked else row
            if friction is not None:
                row = row.copy()
                for k in range(len(FIXED[self.integrator].instants)):
                    row[self.rows.layout.slices[f"instant{k}"]][self.flow.loop.row.slices["direction"]] = friction.s
            after = self.loop.once.single(x, row)
        if not self.is_sound(after):
            raise self.blown_up(self.plan.h, start, x)
        return after

    def _row(self, start: float, end: float, x: Array, row: Array, asked: bool) -> Array:
        """The row of a part of a step; the torques of the user's function are those of its middle, half a step on."""
        layout, made = self.rows.layout, self.flow.made
        part = row.copy()
        part[0] = end - start
        half = (end - start) / 2
        middle = x + half * self.flow.rate(start, x) if asked else x
        tau = made.torques_of(start + half, *self.flow.state(middle)) if asked else None
        for k, instant in enumerate(made.course.step_rows(start, end, FIXED[self.integrator].instants)):
            if tau is not None:
                instant[made.loop.row.slices["torque"]] = tau
            part[layout.slices[f"instant{k}"]] = instant
        return part

    def _runge_kutta(self, start: float, end: float, x: Array) -> Array:
        h = end - start
        system: Any = _Timed(self.flow)
        return np.array(rk4(system, x.tolist(), h, [(start,), (start + h / 2,), (end,)]))


class _Timed:
    """A flow as a system whose rows are times."""

    def __init__(self, flow: Flow) -> None:
        self.flow, self.loop = flow, flow.loop

    def rate(self, x: Any, row: tuple[float]) -> Array:
        return self.flow.rate(row[0], np.asarray(x, np.float64))
