"""Gains and zeros by one step of Gauss and Newton: any set of them at once, with standard errors.

With the changes c of the torques that a set of mistakes makes, C, what no parameters explain of them, M C, and the
residual r, the mistakes of the set, all others as they are, change by

    d = (C^T M C)^-1 C^T M r

Standard errors are those of stretches of the log: with u_b the sum of (M C)^T (r - M C d) over the stretch b of B,

    covariance = B / (B - k) (C^T M C)^-1 (sum over b of u_b u_b^T) (C^T M C)^-1

for k mistakes, so that residuals that remember, and are different in different joints, count as what they are (Liang
and Zeger, Longitudinal data analysis using generalized linear models, Biometrika 73, 1986). What a model lacks may come
back in every stretch. It shows in how much more the joints leave together, S, than each when it is fitted by itself,
S_0, for every parameter that they share, nu in all: mistakes that are not much larger than such contradictions of which
they explain nothing are not sure. Variances are therefore no less than (Birge, Phys. Rev. 40, 1932)

    (S - d^T C^T M C d - S_0) / (nu - k) (C^T M C)^-1
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.identification.judging.findings import Finding
from dynamis.apps.identification.judging.look import Kind, Look
from dynamis.base.arrays import Array

STRETCHES = 12
"""Stretches of the log that standard errors are of: fewer scatter, more are shorter than what residuals remember."""
APART = 1e-4
"""The least eigenvalue of C^T M C, with columns of one length, of mistakes that are told apart."""


@dataclass(frozen=True)
class Slopes:
    """What a look tells of changes of some gains and zeros."""

    kinds: tuple[Kind, ...]
    units: tuple[str, ...]
    now: Array
    """What is corrected already: of a gain what it is more than 1."""
    changes: Array
    """Whether any torque depends on it."""
    information: Array
    """C^T M C."""
    scores: Array
    """(stretches, kinds): C^T M r of each."""
    parts: Array
    """(stretches, kinds, kinds): C^T M C of each."""
    squares: float
    """r^T r."""
    alone: float
    """S_0."""
    shared: int
    """nu."""

    @classmethod
    def of(cls, look: Look, kinds: Sequence[Kind]) -> Slopes:
        """All slopes at a look."""
        c = np.stack([look.slope(*kind) for kind in kinds], axis=-1)
        told, left = look.unexplained(c), look.fitted[2]
        edges = np.linspace(0, len(left), STRETCHES + 1).astype(np.intp).tolist()
        rows = [(told[a:b].reshape(-1, len(kinds)), left[a:b].ravel()) for a, b in itertools.pairwise(edges)]
        parts = np.array([T.T @ T for T, _ in rows])
        sizes = (c**2).sum(axis=(0, 1))
        information = parts.sum(axis=0)
        nothing = np.diag(information) <= 1e-12 * sizes
        information[nothing] = information[:, nothing] = 0.0
        coordinates = look.model.robot.coordinates
        return cls(
            tuple(kinds),
            tuple("rad" if coordinates[j].revolute else "m" for _, j in kinds),
            np.array([look.gains[j] - 1 if kind == "gain" else look.zeros[j] for kind, j in kinds]),
            sizes > 0, information, np.array([T.T @ r for T, r in rows]), parts, float((left**2).sum()),
            look.alone[0], look.alone[1] - look.inverse.shape[1],
        )  # fmt: skip

    def steps(self, sets: NDArray[np.intp], rest: Array | float = 0.0) -> tuple[Array, Array, Array]:
        """How each set of mistakes (sets, k) changes, with standard errors, and the squares that it leaves.

        rest: what is changed of all kinds before: -now where all others are nothing
        Errors are infinite where the mistakes of a set are not told apart.
        """
        k, all_scores = sets.shape[1], self.scores.sum(axis=0)
        F = self.information[sets[:, :, None], sets[:, None, :]]
        lengths = np.sqrt(np.maximum(np.einsum("kii->ki", F), 1e-300))
        both = lengths[:, :, None] * lengths[:, None, :]
        apart = np.linalg.eigvalsh(F / both).min(axis=1, initial=1.0) > APART
        inverse = np.zeros_like(F)
        inverse[apart] = np.linalg.inv((F / both)[apart]) / both[apart]
        before = np.zeros(len(self.kinds)) + rest
        d = np.einsum("kij,kj->ki", inverse, (all_scores - self.information @ before)[sets])
        moved = np.tile(before, (len(sets), 1))
        np.put_along_axis(moved, sets, before[sets] + d, 1)
        left = self.squares + np.einsum("ki,ki->k", moved, moved @ self.information - 2 * all_scores)
        scores = self.scores - np.einsum("bij,kj->kbi", self.parts, moved)
        u = np.einsum("kij,kbj->kbi", inverse, np.take_along_axis(scores, sets[:, None, :], 2))
        noise = STRETCHES / (STRETCHES - k) * (u**2).sum(axis=1)
        errors = np.sqrt(np.maximum(noise, self.lacks(left, k)[:, None] * np.einsum("kii->ki", inverse)))
        errors[~apart] = np.inf
        return d, np.maximum(errors, 1e-9), left

    def lacks(self, left: Array, k: int) -> Array:
        """What the joints contradict each other by, for every parameter that they share beside k mistakes."""
        return (left - self.alone) / max(self.shared - k, 1)

    def findings(self, which: Sequence[int], rest: Array | float = 0.0) -> list[Finding]:
        """The mistakes of a set, as `steps` has them."""
        d, errors, _ = self.steps(np.array([which], dtype=np.intp), rest)
        return [
            Finding(*self.kinds[i], float(size), float(error), self.units[i])
            for i, size, error in zip(which, d[0], errors[0], strict=True)
        ]
