"""The steps of a fixed-step run: how many, within which bounds, and their inputs, a piece of the run at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from dynamis.base.arguments import positive
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.simulation.loop.integrators import FIXED
from dynamis.simulation.loop.setup import SimulationSetup

MAX_STEPS = 1_000_000_000
"""Steps of one run: at 0.2 us, the least that a compiled step takes, minutes; in Python, days."""
MAX_BYTES = 8_000_000_000
"""Memory of the states that a run keeps."""
MAX_ENTRIES = 2**21
"""Entries of the inputs of one piece: 16 MB."""
LONGEST_PIECE = 4096
"""Steps, which take hundreds of microseconds; a call takes some."""
MAX_PIECE_STEPS = 2**23
"""Steps of all robots in one piece: a few seconds, after which progress is reported and Ctrl-C takes effect."""


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


def steps_of(setup: SimulationSetup, step: float) -> Steps:
    """The steps of a run: of `step` seconds, the last one shorter if need be."""
    h, sampling = positive("step", step, "s"), setup.loop.sampling
    check_steps(setup.duration, h)
    hold = 1
    if sampling is not None:
        if h > sampling.period * (1 + 1e-9):
            raise ArgumentError(
                f"the step {h:g} s is longer than the control's period {sampling.period:g} s (Ts > Tc): a robot moves "
                "between two samples",
                key="step",
            )
        check_steps(sampling.period, h)
        ratio = sampling.period / h
        hold = round(ratio)
        if abs(ratio - hold) > 1e-6 * ratio:
            raise ArgumentError(
                f"the control's period {sampling.period:g} s must be a multiple of the step {h:g} s", key="step"
            )
    count = max(1, round(setup.duration / h))
    if abs(count * h - setup.duration) > 1e-9 * setup.duration:
        count = int(np.ceil(setup.duration / h))
    return Steps(h, count, setup.duration - (count - 1) * h, hold)


class StepInputs:
    """The inputs of the steps of a run, in pieces that must be taken in order (they share one stream of noise)."""

    def __init__(self, setup: SimulationSetup, steps: Steps, integrator: str) -> None:
        self.setup, self.steps, self.integrator = setup, steps, integrator
        self.layout = setup.programs.step_layout(integrator)
        sampling = setup.loop.sampling
        self._random = np.random.default_rng(sampling.seed if sampling else 0)

    @property
    def _same(self) -> bool:
        """Whether the inputs of all steps of one length are the same."""
        return self.setup.schedule.constant and self.setup.loop.sampling is None

    def piece(self, first: int, count: int) -> Array:
        """The inputs of `count` steps from step `first` on: (..., count, size)."""
        schedule, sampling, steps = self.setup.schedule, self.setup.loop.sampling, self.steps
        h: Array = np.full(count, steps.h)
        if first + count == steps.count:
            h[-1] = steps.last
        noisy = sampling is not None and any(sampling.noise)
        if self._same and (h == h[0]).all():
            return self._constant(h[0], count)
        start = np.arange(first, first + count, dtype=np.float64) * steps.h
        slices = self.layout.slices
        instants = self.instants(start, h)
        batch = np.broadcast_shapes(*(x.shape[:-2] for x in instants))
        if noisy:
            batch = np.broadcast_shapes(batch, self.setup.x0.shape[:-1])
        inputs = np.zeros((*batch, count, self.layout.size))
        inputs[..., slices["h"]] = h[:, None]
        for k, instant in enumerate(instants):
            inputs[..., slices[f"instant{k}"]] = instant
        if sampling is not None:
            now = np.arange(first, first + count) % steps.hold == 0
            inputs[..., slices["now"]] = now[:, None]
            layout = self.setup.loop.sample_inputs
            sample = np.zeros((*batch, count, layout.size))
            sample[..., : self.setup.loop.inputs.size] = schedule.inputs(start)
            if noisy:
                sample[..., now, self.setup.loop.inputs.size :] = sampling.draw(
                    self._random, self.setup.robot.n, int(now.sum()), batch
                )
            inputs[..., slices["sample"]] = sample
        return inputs

    def instants(self, start: Array, h: Array) -> list[Array]:
        """The inputs at each instant of steps of h from `start`; those of the end are the ones just before it."""
        inputs = self.setup.schedule.inputs
        return [inputs(start + part * h, before=part == 1.0) for part in FIXED[self.integrator].instants]

    def _constant(self, h: float, count: int) -> Array:
        """One row of inputs for all steps, without the memory of one per step."""
        inputs = self.setup.schedule.inputs(np.zeros(1))
        row = np.empty((*inputs.shape[:-1], self.layout.size))
        row[..., 0] = h
        for k in range(len(FIXED[self.integrator].instants)):
            row[..., self.layout.slices[f"instant{k}"]] = inputs
        return np.broadcast_to(row, (*row.shape[:-2], count, self.layout.size))

    def pieces(self, every: int | None = None) -> Iterator[tuple[int, Array]]:
        """All pieces in order, each with the number of its first step; one ends at every multiple of `every`, and
        where the payload changes."""
        sampling = self.setup.loop.sampling
        own = self.setup.schedule.inputs(np.zeros(1)).shape[:-2]  # robots with goals or torques of their own
        states = prod(self.setup.x0.shape[:-1] if sampling and any(sampling.noise) else own)
        states = 0 if self._same else states  # one row for all steps takes no memory per step
        robots = max(1, prod(self.setup.x0.shape[:-1]))
        longest = max(
            1, min(LONGEST_PIECE, MAX_PIECE_STEPS // robots, MAX_ENTRIES // max(1, self.layout.size * states))
        )
        payload = self.setup.schedule.payload
        changes = [] if payload is None else payload.steps(self.steps.h)
        first = 0
        while first < self.steps.count:
            # One call of the schedule for many pieces: it costs as much for two instants as for hundreds.
            count = min(longest, self.steps.count - first)
            if every is not None and every < count:
                count -= (first + count) % every  # blocks end where a piece does
            if first + count == self.steps.count and count > 1 and self.steps.last != self.steps.h:
                count -= 1  # the last step is another length: a piece of its own
            block, start = self.piece(first, count), first
            first += count
            while start < first:
                end = first if every is None else min(first, start + every - start % every)
                end = min([end, *(change for change in changes if change > start)])
                yield start, block[..., start - first + count : end - first + count, :]
                start = end


def check_steps(duration: float, step: float, what: str = "step") -> None:
    """Whether so many steps, or samples of a control, may be taken."""
    count = duration / step  # infinite where it overflows
    if count > MAX_STEPS:
        number = f"{count:.3g}" if count < float("inf") else "more than 1e308"
        raise ArgumentError(
            f"{duration:g} s with a {what} of {step:g} s take {number} steps; at most {MAX_STEPS:.0e} are allowed: "
            f"give a longer {what} or a shorter duration",
            key=what,
        )


def check_kept(count: int, keep: int, robots: int, size: int) -> None:
    """Whether the states of so many robots, of `size` numbers each, can be kept after every `keep` steps."""
    times = count // keep + 2
    needed = 2 * 8 * times * robots * size  # the states, and the array that they are joined to
    if needed > MAX_BYTES:
        least = -(-keep * needed // MAX_BYTES)
        raise ArgumentError(
            f"keep={keep} keeps {times:,} states of {robots:,} robots, {needed / 1e9:.3g} GB; {MAX_BYTES / 1e9:g} GB "
            f"are allowed: give keep={least} or more",
            key="keep",
        )
