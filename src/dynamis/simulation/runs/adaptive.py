"""Runs with adaptive steps: SciPy's integrators, one step at a time, each checked for events."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.simulation.runs.blow_up import STIFF_STEP, fastest_decay
from dynamis.simulation.runs.events import EventMonitor, StateAt
from dynamis.simulation.runs.flow import Flow
from dynamis.simulation.runs.run import Run

ADAPTIVE = {"rk45": ("RK45", 6), "dop853": ("DOP853", 12), "radau": ("Radau", 0)}
"""SciPy's integrators by name, and how often an attempted step evaluates the rates (0 where that varies)."""
RADAU_TIMES = 3
"""Instants after its start at which an attempted step of Radau evaluates the rates, once per Newton iteration."""

STUCK_AFTER, LEAST_SHARE = 1000, 1e-9
"""A run ends as stuck after so many steps that together advance less than this share of it each."""
MAX_ADAPTIVE_STEPS = 2_000_000
"""Steps of one run: some minutes. Ten seconds of a falling arm take some hundreds."""
STIFF_AFTER, STIFF_STEPS = 500, 5_000
"""Every so many steps it is checked whether the loop is stiff, if so many steps are still ahead."""


class AdaptiveRun(Run):
    """One run with tolerances; `times` are those that snapshots are taken at."""

    def __init__(
        self, flow: Flow, monitor: EventMonitor, integrator: str, rtol: float, atol: float, times: Array,
        may_switch: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(flow, monitor, integrator)
        self._times = list(times[::-1])
        self.rtol, self.atol, self._may_switch = rtol, atol, may_switch
        self._use(integrator)
        self._instants: set[float] = set()
        self._evaluations = 0
        self._h: float | None = None
        self._mark = 0.0

    def _use(self, integrator: str) -> None:
        name, self._stages = ADAPTIVE[integrator]
        self._solver_class: Any = getattr(import_module("scipy.integrate"), name)

    def advance(self) -> Iterator[None]:
        """Runs to the end, or to an event that ends it, and pauses after every step."""
        setup = self.flow.setup
        sampling = setup.loop.sampling
        self.start()
        period = setup.duration if sampling is None else sampling.period
        for k in range(int(np.ceil(setup.duration / period * (1 - 1e-12)))):
            if self.monitor.ended:
                return
            self.change_payload()
            if sampling is not None:
                self.x = self.sample(k)
            yield from self._until(min(setup.duration, (k + 1) * period))

    def _until(self, end: float) -> Iterator[None]:
        """To `end`, or until it ends itself, with a fresh start at every corner of what comes from outside."""
        corners = self.flow.setup.schedule.corners
        inner = corners[(corners > self.t) & (corners < end)]
        for until in (*inner.tolist(), end):
            if not self.monitor.ended:
                self.flow.piece_end = until
                self.change_payload()
                yield from self._piece(until)
        self.flow.piece_end = np.inf

    def _piece(self, end: float) -> Iterator[None]:
        solver = self._solver(end)
        while self.t < end and not self.monitor.ended:
            self._evaluations = 0
            self._instants.clear()
            try:
                with np.errstate(all="ignore"):
                    if self._stages:
                        self.flow.look_ahead(_stage_times(solver, end))
                    solver.step()
            except (ValueError, np.linalg.LinAlgError):  # Radau's linear algebra refuses what is not finite
                raise self.blown_up(float(solver.h_abs), self.t, self.x) from None
            if self._stages:
                attempts = self._evaluations // self._stages
            else:
                attempts = sum(t > self.t for t in self._instants) // RADAU_TIMES
            self.rejected += max(0, attempts - 1)
            self.steps += 1
            if self.steps % STUCK_AFTER == 0:
                self._check_progress(float(solver.h_abs))
            switch = self.steps % STIFF_AFTER == 0 and self._stages and not self.stiff and self._is_stiff(solver)
            if solver.status == "failed" or not self.flow.setup.is_finite(solver.y):
                raise self.blown_up(float(solver.h_abs), self.t, self.x)
            dense = solver.dense_output()
            hit = self.monitor.first(self.t, solver.t, dense)
            stop = solver.t if hit is None else hit
            self._record_until(stop, dense)
            self.t, self.x = stop, solver.y.copy() if hit is None else dense(stop)
            self._h = float(solver.h_abs)
            if hit is not None:
                self.apply_events()
            if switch and self._may_switch:
                self._use("radau")
                self._h = None
            if self.t < end and (hit is not None or (switch and self._may_switch)):
                solver = self._solver(end)
            yield

    def _record_until(self, end: float, at: StateAt) -> None:
        """Takes the snapshots up to `end` that there are none of yet."""
        while self._times and self._times[-1] <= end:
            t = float(self._times.pop())
            if t > self.snapshots[-1].time:
                self.record(t, at(t))

    def _check_progress(self, h: float) -> None:
        """Raises where the last steps were so short that the run would not end."""
        few = self.t - self._mark < STUCK_AFTER * LEAST_SHARE * self.flow.setup.duration
        if few or self.steps >= MAX_ADAPTIVE_STEPS:
            raise self.blown_up(h, self.t, self.x, stuck=True)
        self._mark = self.t

    def _is_stiff(self, solver: Any) -> bool:
        """Whether stability keeps the steps of an explicit integrator short, with many ahead; `stiff` then says so."""
        h = float(solver.step_size)
        if self.flow.setup.duration - solver.t < STIFF_STEPS * h or not np.isfinite(solver.y).all():
            return False
        decay = fastest_decay(self.flow, solver.y, solver.t)
        if decay * h <= STIFF_STEP:
            return False
        stiff = f"the loop is stiff, with a mode that decays at {decay:.3g} 1/s"
        if self._may_switch:
            self.stiff = f"{stiff}: radau took over from {self.integrator} at t = {solver.t:.3g} s"
            self.integrator = f"{self.integrator} and radau"
        else:
            self.stiff = f'{stiff}; integrator="radau" would take longer steps than {self.integrator}'
        return True

    def _rate(self, t: float, x: Array) -> Array:
        self._evaluations += 1
        self._instants.add(float(t))
        return self.flow.rate(t, x)

    def _solver(self, end: float) -> Any:
        first = None if self._h is None else min(self._h, end - self.t)
        with np.errstate(all="ignore"):  # of extreme gains; the state is checked after the step
            return self._solver_class(
                self._rate, self.t, self.x, end, rtol=self.rtol, atol=self.atol, first_step=first or None
            )


def _stage_times(solver: Any, end: float) -> Array:
    """The instants that the next step of an explicit integrator asks for, unless it is rejected."""
    t = float(solver.t)
    h = min(t + float(solver.h_abs), end) - t
    return t + np.concatenate([solver.C, getattr(solver, "C_EXTRA", ()), [1.0]]) * h
