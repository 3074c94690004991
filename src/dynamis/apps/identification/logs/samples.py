"""Samples of a motion with torques, ready for a fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.identification.logs.signals import low_pass
from dynamis.base.arrays import Array

SETTLING_PERIODS = 10.0
"""Periods of the cut-off after which the filter has forgotten where it began: 1e-10 of it is left."""


@dataclass(frozen=True)
class Filter:
    """The filter that the torques of a run went through, and the velocities of the whole run."""

    cutoff: float
    step: float
    qd: Array
    """Of the run before its ends were trimmed and samples left out, (longer, n)."""
    rows: NDArray[np.intp]
    """Which of them the samples are."""

    def of(self, function: Callable[[Array], Array]) -> Array:
        """A function of the velocities, filtered, at the samples."""
        around = int(SETTLING_PERIODS / (self.cutoff * self.step)) + 1
        first, last = (int(self.rows[0]), int(self.rows[-1])) if len(self.rows) else (0, 0)
        first = max(first - around, 0)
        values = function(self.qd[first : last + around + 1])
        return (low_pass(values, self.cutoff, self.step) if values.size else values)[self.rows - first]


@dataclass(frozen=True)
class Samples:
    """Motion and torques at uniform steps, after filters and differentiation: (samples, n) each."""

    name: str
    t: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array
    measured: Array
    """The torque before any filter."""
    filter: Filter | None = None
    """Of the torques, where there is one."""
    halves: tuple[Samples, Samples] | None = None
    """With the motion from the even and from the odd rows of the log: their noise is independent."""

    def __len__(self) -> int:
        return len(self.t)

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return self.q.shape[1]

    def part(self, which: Any) -> Samples:
        """Some of them, in their order: a slice or rising indices."""
        arrays = (self.t, self.q, self.qd, self.qdd, self.tau, self.measured)
        of_torques = None if self.filter is None else replace(self.filter, rows=self.filter.rows[which])
        halves = None if self.halves is None else (self.halves[0].part(which), self.halves[1].part(which))
        return Samples(self.name, *(x[which] for x in arrays), filter=of_torques, halves=halves)

    def filtered(self, function: Callable[[Array], Array]) -> Array:
        """A function of the velocities, (samples, ...), filtered as the torques were.

        A filter rounds the steps of dry friction in the torques; the model that is fitted to them must be as round.
        """
        return function(self.qd) if self.filter is None else self.filter.of(function)
