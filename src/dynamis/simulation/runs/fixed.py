"""Runs with fixed steps of one robot: compiled pieces where no event can occur, else step by step.

A step with an event is done in parts: up to the event, and from it to the end of the step. While a joint
rests on a stop or is held by friction, and where the control is a Python function, the step is Runge and Kutta's in
Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.simulation.loop.integrators import FIXED, rk4
from dynamis.simulation.runs.events import EventMonitor
from dynamis.simulation.runs.flow import Flow
from dynamis.simulation.runs.run import Run
from dynamis.simulation.runs.steps import StepInputs, Steps

PIECE_STEPS = 256
"""Steps whose inputs are computed at once."""
MAX_PARTS = 64
"""Parts of one step: more events in it are applied at its end."""


class FixedRun(Run):
    """One run with the steps of a plan; a snapshot is taken `every` so many of them."""

    def __init__(self, flow: Flow, monitor: EventMonitor, integrator: str, plan: Steps, every: int) -> None:
        super().__init__(flow, monitor, integrator)
        self.plan, self.every = plan, every
        self.inputs = StepInputs(flow.setup, plan, integrator)
        self._take_steps = flow.setup.programs.step(integrator)

    def advance(self) -> Iterator[None]:
        """Runs to the end, or to an event that ends it, and pauses after every piece of steps."""
        self.start()
        if self.monitor.ended:
            return
        sampled = self.flow.setup.loop.sampling is not None
        if self.monitor.idle and self.flow.setup.function is None:
            if sampled:  # the compiled steps take their samples themselves; this one is for the record
                self.sample(0)
            yield from self._compiled_pieces()
            return
        for first, piece in self.inputs.pieces(PIECE_STEPS):
            self.t = self.plan.time(first)
            self.change_payload()
            self.flow.look_ahead(self._instants(first, piece.shape[-2]))
            if sampled:
                piece[..., self.inputs.layout.slices["now"]] = 0.0  # samples are taken here, not in the compiled step
            for k in range(first, first + piece.shape[-2]):
                self.t = self.plan.time(k)
                if sampled and k % self.plan.hold == 0:
                    self.x = self.sample(k)
                self._take_step(self.plan.time(k + 1), piece[k - first])
                self.steps += 1
                if self.monitor.ended:
                    return
                self._record_step()
            yield

    def repeat(self, x: Array, first: int, piece: Array) -> Array:
        """x after a piece of steps from step `first` on, with the events in it; a batch has run it without them."""
        self.t, self.x = self.plan.time(first), x.copy()
        if (payload := self.flow.setup.schedule.payload) is not None:
            self.flow.hold(int(payload.index(self.t)))
        if not self.snapshots:
            self.start() if first == 0 else self.record(self.t, self.x)
        del self.snapshots[:-1]
        self.flow.look_ahead(self._instants(first, len(piece)))
        slices = self.inputs.layout.slices
        for k, inputs in enumerate(piece, first):
            self.t = self.plan.time(k)
            if self.flow.setup.loop.sampling is not None:
                inputs = inputs.copy()
                if inputs[slices["now"]][0]:
                    self.x = self.flow.setup.programs.sample(self.x, inputs[slices["sample"]])
                inputs[slices["now"]] = 0.0
            self._take_step(self.plan.time(k + 1), inputs)
            if self.monitor.ended:
                break
        return self.x

    def _instants(self, first: int, count: int) -> Array:
        """The times at which steps in Python look at rates: where events are checked, and halfway there."""
        times = np.array([self.plan.time(k) for k in range(first, first + count + 1)])
        start, h = times[:-1], np.diff(times)
        checks = self.monitor.checks(self.plan.h, 1)
        ends = [start + k / checks * h for k in range(1, checks)] + [times[1:]]
        return np.concatenate([start, *ends, *(start + (end - start) / 2 for end in ends)])

    def _compiled_pieces(self) -> Iterator[None]:
        """Compiled pieces, a snapshot after each."""
        for first, piece in self.inputs.pieces(self.every):
            self.change_payload()
            after = self._take_steps(self.x, piece)
            if not self.flow.setup.is_finite(after):
                self._replay(first, piece)
            self.t, self.x = self.plan.time(first + piece.shape[-2]), after
            self.steps += piece.shape[-2]
            self._record_step()
            yield

    def _record_step(self) -> None:
        due = self.steps % self.every == 0 or self.steps == self.plan.count
        if due and self.t > self.snapshots[-1].time:
            self.record(self.t, self.x)

    def _replay(self, first: int, piece: Array) -> None:
        """Replays a piece that diverged up to the step that did."""
        for k in range(piece.shape[-2]):
            start, x = self.plan.time(first + k), self.x
            self.x = self._take_steps.once(x, piece[k])
            if not self.flow.setup.is_finite(self.x):
                raise self.blown_up(self.plan.h, start, x)

    def _take_step(self, end: float, inputs: Array) -> None:
        """One step, in parts where events occur in it."""
        for _ in range(MAX_PARTS):
            if not self._advance(end, inputs):
                return
            self.apply_events()
            if self.monitor.ended or self.t >= end:
                return
        self.x = self._advanced(self.t, end, self.x, inputs)
        self.t = end

    def _advance(self, end: float, inputs: Array) -> bool:
        """Advances to the end of the step or to the first event in it; returns whether there is one."""
        start, x = self.t, self.x
        after = self._advanced(start, end, x, inputs)

        def at(t: float) -> Array:
            if t <= start:
                return x
            return after if t >= end else self._advanced(start, t, x, inputs)

        hit = None if self.monitor.idle else self.monitor.first(start, end, at, least=1)
        self.t = end if hit is None else hit
        self.x = at(self.t)
        return hit is not None

    def _advanced(self, start: float, end: float, x: Array, inputs: Array) -> Array:
        """x at the end of a step or of a part of it; the inputs are those of the whole step."""
        setup, friction = self.flow.setup, self.flow.friction
        calls_function = setup.calls_function
        holds = self.flow.resting or (friction is not None and friction.sticking)
        if holds and setup.schedule.constant and not calls_function and not self.flow.rate(start, x).any():
            return x  # all joints are held, and nothing changes
        if holds or (calls_function and self.integrator == "rk4"):
            after = self._runge_kutta(start, end, x)
        else:
            part = abs(inputs[0] - (end - start)) > 1e-12 * max(1.0, end)
            inputs = self._inputs_of_part(start, end, x, inputs, calls_function) if part or calls_function else inputs
            if friction is not None:
                inputs = inputs.copy()
                for k in range(len(FIXED[self.integrator].instants)):
                    inputs[self.inputs.layout.slices[f"instant{k}"]][setup.loop.inputs.slices["direction"]] = friction.s
            after = self._take_steps.once.quick_call(x, inputs)
        if not self.flow.setup.is_finite(after):
            raise self.blown_up(self.plan.h, start, x)
        return after

    def _inputs_of_part(self, start: float, end: float, x: Array, inputs: Array, calls_function: bool) -> Array:
        """The inputs of a part of a step; torques of a user's function are those of its middle."""
        layout, setup, loop = self.inputs.layout, self.flow.setup, self.flow.setup.loop
        part = inputs.copy()
        part[0] = end - start
        half = (end - start) / 2
        middle = x + half * self.flow.rate(start, x) if calls_function else x
        tau = setup.torques_of(start + half, *self.flow.state(middle)) if calls_function else None
        for k, share in enumerate(FIXED[self.integrator].instants):
            place = layout.slices[f"instant{k}"]
            t = end if share == 1.0 else start + share * (end - start)
            part[place] = self.flow.scheduled(t, before=share == 1.0)[: loop.inputs.size]
            if tau is not None:
                part[place][loop.inputs.slices["torque"]] = tau
        return part

    def _runge_kutta(self, start: float, end: float, x: Array) -> Array:
        """A step in Python: the flow as equations whose inputs are times."""

        def rate(x: Any, t: Any) -> Array:
            return self.flow.rate(t, np.asarray(x, np.float64))

        flow: Any = SimpleNamespace(rate=rate)
        times: Any = (start, start + (end - start) / 2, end)
        return np.array(rk4(flow, x.tolist(), end - start, times))
