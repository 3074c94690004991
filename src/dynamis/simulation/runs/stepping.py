"""Rows for the steps of a fixed-step run, a piece of it at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from dynamis.arrays import Array
from dynamis.errors import ArgumentError
from dynamis.motion.trajectories.trajectory import positive
from dynamis.simulation.loop.experiment import Experiment, whole
from dynamis.simulation.loop.integrators import FIXED
from dynamis.simulation.runs.step_bounds import check_steps

MOST_ENTRIES = 2**21
"""Of the rows of one piece: 16 MB."""
LONGEST_PIECE = 4096
MOST_STEPS = 2**23
"""Of all robots in one piece: a few seconds, between which progress is told and Ctrl-C is heard."""


@dataclass(frozen=True)
class Steps:
    """`count` steps of `h` seconds, the last one `last` seconds; the control samples every `hold` steps."""

    h: float
    count: int
    last: float
    hold: int

    def time(self, k: int) -> float:
        """When step k begins; that of step `count` is the end."""
        return k * self.h if k < self.count else (self.count - 1) * self.h + self.last


def steps_of(experiment: Experiment, step: float) -> Steps:
    """The steps of an experiment: of `step` seconds, the last one shorter if need be."""
    h, sampling = positive("step", step, "s"), experiment.loop.sampling
    check_steps(experiment.duration, h)
    hold = 1
    if sampling is not None:
        if h > sampling.period * (1 + 1e-9):
            raise ArgumentError(
                f"the step {h:g} s is longer than the control's period {sampling.period:g} s (Ts > Tc): a robot moves "
                "between two samples",
                key="step",
            )
        check_steps(sampling.period, h)
        words = f"the control's period {sampling.period:g} s is no whole number of steps of {h:g} s"
        hold = whole("step", sampling.period / h, words)
    count = max(1, round(experiment.duration / h))
    if abs(count * h - experiment.duration) > 1e-9 * experiment.duration:
        count = int(np.ceil(experiment.duration / h))
    return Steps(h, count, experiment.duration - (count - 1) * h, hold)


class Rows:
    """The rows of an experiment's steps, in pieces that must be taken in order (they share one stream of noise)."""

    def __init__(self, experiment: Experiment, steps: Steps, integrator: str) -> None:
        self.experiment, self.steps, self.integrator = experiment, steps, integrator
        self.layout = experiment.programs.step_layout(integrator)
        sampling = experiment.loop.sampling
        self._random = np.random.default_rng(sampling.seed if sampling else 0)

    @property
    def _same(self) -> bool:
        """Whether the rows of all steps of one length are the same."""
        return self.experiment.course.constant and self.experiment.loop.sampling is None

    def piece(self, first: int, count: int) -> Array:
        """The rows of `count` steps from step `first` on: (..., count, size)."""
        course, sampling, steps = self.experiment.course, self.experiment.loop.sampling, self.steps
        h: Array = np.full(count, steps.h)
        if first + count == steps.count:
            h[-1] = steps.last
        noisy = sampling is not None and any(sampling.noise)
        if self._same and (h == h[0]).all():
            return self._constant(h[0], count)
        start = np.arange(first, first + count, dtype=np.float64) * steps.h
        slices = self.layout.slices
        instants = [course.rows(start + part * h, before=part == 1.0) for part in FIXED[self.integrator].instants]
        batch = np.broadcast_shapes(*(x.shape[:-2] for x in instants))
        if noisy:
            batch = np.broadcast_shapes(batch, self.experiment.x0.shape[:-1])
        rows = np.zeros((*batch, count, self.layout.size))
        rows[..., slices["h"]] = h[:, None]
        for k, instant in enumerate(instants):
            rows[..., slices[f"instant{k}"]] = instant
        if sampling is not None:
            now = np.arange(first, first + count) % steps.hold == 0
            rows[..., slices["now"]] = now[:, None]
            layout = self.experiment.loop.sample_row
            sample = np.zeros((*batch, count, layout.size))
            sample[..., : self.experiment.loop.row.size] = course.rows(start)
            if noisy:
                sample[..., now, self.experiment.loop.row.size :] = self.noise(batch, int(now.sum()))
            rows[..., slices["sample"]] = sample
        return rows

    def noise(self, batch: tuple[int, ...], count: int) -> Array:
        """The noise of q and qd of the next `count` samples: (*batch, count, 2 n)."""
        sampling, n = self.experiment.loop.sampling, self.experiment.robot.n
        assert sampling
        drawn = self._random.standard_normal((count, *batch, 2, n)) * np.array(sampling.noise)[:, None]
        return np.moveaxis(drawn.reshape(count, *batch, 2 * n), 0, -2)

    def _constant(self, h: float, count: int) -> Array:
        """One row for all steps, without the memory."""
        rows = self.experiment.course.rows(np.zeros(1))
        found = np.empty((*rows.shape[:-1], self.layout.size))
        found[..., 0] = h
        for k in range(len(FIXED[self.integrator].instants)):
            found[..., self.layout.slices[f"instant{k}"]] = rows
        return np.broadcast_to(found, (*found.shape[:-2], count, self.layout.size))

    def pieces(self, every: int | None = None) -> Iterator[tuple[int, Array]]:
        """All pieces in order, each with the number of its first step; one ends at every multiple of `every`."""
        sampling = self.experiment.loop.sampling
        own = self.experiment.course.rows(np.zeros(1)).shape[:-2]  # robots with goals or torques of their own
        states = prod(self.experiment.x0.shape[:-1] if sampling and any(sampling.noise) else own)
        states = 0 if self._same else states  # one row for all steps takes no memory a step
        robots = max(1, prod(self.experiment.x0.shape[:-1]))
        longest = max(1, min(LONGEST_PIECE, MOST_STEPS // robots, MOST_ENTRIES // max(1, self.layout.size * states)))
        first = 0
        while first < self.steps.count:
            # One look at the course for many pieces: it costs as much for two instants as for hundreds.
            count = min(longest, self.steps.count - first)
            if every is not None and every < count:
                count -= (first + count) % every  # blocks end where a piece does
            if first + count == self.steps.count and count > 1 and self.steps.last != self.steps.h:
                count -= 1  # the last step is another length: a piece of its own
            block, start = self.piece(first, count), first
            first += count
            while start < first:
                end = first if every is None else min(first, start + every - start % every)
                yield start, block[..., start - first + count : end - first + count, :]
                start = end
