"""Samples of a motion with torques, ready for a fit."""

from __future__ import annotations

from dataclasses import dataclass

from dynamis.arrays import Array


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
    halves: tuple[Array, Array] | None = None
    """(q, qd, qdd), (3, samples, n), from the even and from the odd rows of the log: their noise is independent."""

    def __len__(self) -> int:
        return len(self.t)

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return self.q.shape[1]

    def part(self, which: slice) -> Samples:
        """Some of them."""
        arrays = (self.t, self.q, self.qd, self.qdd, self.tau, self.measured)
        halves = None if self.halves is None else (self.halves[0][:, which], self.halves[1][:, which])
        return Samples(self.name, *(x[which] for x in arrays), halves=halves)
