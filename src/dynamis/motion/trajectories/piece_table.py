"""The pieces of all joints in one table, for the few instants at a time that a simulation asks for.

One instant costs a look-up and one Horner scheme over all joints and derivatives, some tens of times less than going
from joint to joint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.motion.trajectories.trajectory import Array

FEW = 256
"""Instants up to which the table is used: what it looks up then fits the processor's cache."""
LARGEST = 2**20
"""Entries of a table (8 MB); long sampled motions go without."""
MOST_INNER = 64
"""Pieces of joints with breaks of their own, which are counted instead of searched."""
ORDERS = 3
"""q, qd, qdd."""


@dataclass(frozen=True, eq=False)
class PieceTable:
    """Rows (pieces, n, powers, ORDERS), zero where a joint has fewer."""

    rows: Array
    starts: Array
    """(pieces,) where the joints share their breaks, else (n, pieces), infinite where there are no more."""
    ends: Array
    """When every joint arrives; one time where they share it. Between arrivals a last piece stands still."""

    @classmethod
    def of(cls, breaks: Sequence[Array], coefficients: Sequence[Array], goals: Sequence[float]) -> PieceTable | None:
        """The table of the joints' breaks (pieces + 1), coefficients (pieces, powers) and places of arrival.

        None where it is too large.
        """
        n, pieces = len(breaks), max(len(rows) for rows in coefficients) + 1
        powers = max(rows.shape[1] for rows in coefficients)
        shared = all(x is breaks[0] or np.array_equal(x, breaks[0]) for x in breaks[1:])
        if pieces * n * powers * ORDERS > LARGEST or (not shared and pieces > MOST_INNER):
            return None
        rows, starts = np.zeros((pieces, n, powers, ORDERS)), np.full((n, pieces), np.inf)
        for j, (own, goal) in enumerate(zip(coefficients, goals, strict=True)):
            rows[len(own), j, 0, 0] = goal
            starts[j, : len(own) + 1] = breaks[j]
            for order in range(min(ORDERS, own.shape[1])):
                rows[: len(own), j, : own.shape[1], order] = own
                own = own[:, 1:] * np.arange(1.0, own.shape[1])
        ends = np.array([x[-1] for x in breaks])
        return cls(rows, starts[0], ends[:1]) if shared else cls(rows, starts, ends)

    def within(self, t: Array) -> bool:
        """Whether times (k) are few, and strictly between start and end and the arrivals of joints (NaN is not)."""
        if not (0 < t.size <= FEW and t.min() > 0.0 and t.max() < self.ends.max()):
            return False
        return self.starts.ndim == 1 or not bool((t[:, None] == self.ends).any())

    def at(self, t: Array) -> list[Array]:
        """q, qd, qdd (k, n) at times (k) that are `within`."""
        if self.starts.ndim == 1:
            piece = self.starts.searchsorted(t, side="right") - 1
            rows, u = self.rows[piece], (t - self.starts[piece])[:, None, None]
        else:
            joints = np.arange(len(self.starts))
            piece = (self.starts <= t[:, None, None]).sum(axis=-1) - 1
            rows, u = self.rows[piece, joints], (t[:, None] - self.starts[joints, piece])[..., None]
        value = rows[:, :, -1]
        for power in range(rows.shape[2] - 2, -1, -1):
            value = value * u + rows[:, :, power]
        return [value[..., order].copy() for order in range(ORDERS)]
