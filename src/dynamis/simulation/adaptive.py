"""Runs with adaptive steps: SciPy's integrators, one step at a time, with a watch over each."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.simulation.blow_up import blow_up
from dynamis.simulation.flow import Flow
from dynamis.simulation.happenings import Happenings
from dynamis.simulation.recorder import Recorder
from dynamis.simulation.rollouts import FASTEST

Array = NDArray[np.float64]
ADAPTIVE = {"rk45": ("RK45", 6), "dop853": ("DOP853", 12), "radau": ("Radau", 0)}
"""SciPy's integrators by name, and how often an attempted step looks at the rates (0 where that is not fixed)."""


class AdaptiveRun:
    """One run; `steps` were taken and `rejected` (None where the integrator does not tell)."""

    def __init__(
        self, flow: Flow, watch: Happenings, recorder: Recorder, integrator: str, rtol: float, atol: float,
        progress: Callable[[str], None] | None,
    ) -> None:  # fmt: skip
        self.flow, self.watch, self.recorder, self.integrator = flow, watch, recorder, integrator
        self.rtol, self.atol, self.progress = rtol, atol, progress
        self.steps = 0
        name, self._stages = ADAPTIVE[integrator]
        self._solver_class: Any = getattr(import_module("scipy.integrate"), name)
        self.rejected: int | None = 0 if self._stages else None
        self._h: float | None = None
        self.t, self.x = 0.0, flow.made.x0.copy()

    def run(self, noise: Callable[[], Array]) -> None:
        """To the end, or until it ends itself; `noise` is that of the next sample."""
        made = self.flow.made
        self.recorder.keep(0.0, self.x, 0.0)
        sampling = made.loop.sampling
        self._start()
        if self.watch.ended:
            return
        if sampling is None:
            self._until(made.duration)
            return
        samples = int(np.ceil(made.duration / sampling.period * (1 - 1e-12)))
        for k in range(samples):
            self.x = self.flow.sampled(self.t, self.x, noise())
            if k == 0:
                self.recorder.amend(self.x, self.flow.sampled_part)
            self._until(min(made.duration, (k + 1) * sampling.period))
            if self.watch.ended:
                return

    def _until(self, end: float) -> None:
        solver = self._solver(end)
        while self.t < end and not self.watch.ended:
            before = self.flow.evaluations
            try:
                solver.step()
            except (ValueError, np.linalg.LinAlgError):  # Radau's linear algebra refuses what is not finite
                raise blow_up(
                    self.flow, self.integrator, float(solver.h_abs), self.t, self.x, self.flow.made.x0
                ) from None
            if self._stages:
                attempts = (self.flow.evaluations - before) // self._stages
                self.rejected = (self.rejected or 0) + max(0, attempts - 1)
            self.steps += 1
            if solver.status == "failed" or not self._is_sound(solver.y):
                h = float(solver.h_abs)
                raise blow_up(self.flow, self.integrator, h, self.t, self.x, self.flow.made.x0)
            dense = solver.dense_output()
            hit = self.watch.first(self.t, solver.t, dense)
            stop = solver.t if hit is None else hit
            self.recorder.until(stop, dense, self.watch.stops)
            self.t, self.x = stop, solver.y.copy() if hit is None else dense(stop)
            self._h = float(solver.h_abs)
            if hit is not None:
                self._happens()
                if self.t < end:
                    solver = self._solver(end)
            if self.progress is not None and self.steps % 50 == 0:
                self.progress(f"{self.t:.3g} of {self.flow.made.duration:.3g} s")

    def _happens(self) -> None:
        self.recorder.keep(self.t, self.x, self.watch.stops)
        after = self.watch.happen(self.t, self.x)
        if after is not self.x:
            self.x = after
            self.recorder.keep(self.t, self.x, self.watch.stops)

    def _start(self) -> None:
        """What happens at the start, such as a joint that moves against its stop."""
        after = self.watch.begin(self.x)
        if after is not self.x:
            self.x = after
            self.recorder.keep(0.0, self.x, self.watch.stops)

    def _solver(self, end: float) -> Any:
        first = None if self._h is None else min(self._h, end - self.t)
        return self._solver_class(
            self.flow.rate, self.t, self.x, end, rtol=self.rtol, atol=self.atol, first_step=first or None
        )

    def _is_sound(self, x: Array) -> bool:
        return bool(np.isfinite(x).all() and np.abs(x[self.flow.parts["qd"]]).max() < FASTEST)
