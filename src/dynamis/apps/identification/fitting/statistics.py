"""How well a motion excites the parameters: condition numbers and the determinant of what the samples tell.

All from the matrix A of A x = b, or from any R with R^T R = A^T A: what is optimised for an exciting motion is the
same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamis.base.arrays import Array


@dataclass(frozen=True)
class Excitation:
    """Of a regressor A with one column per parameter."""

    condition: float
    """The condition number of A as it is, in SI units; infinite where the rank is not full."""
    scaled_condition: float
    """The condition number with all columns scaled to length 1, which does not depend on units."""
    log_determinant: float
    """log det(A^T A), what a D-optimal motion makes large; -infinity where the rank is not full."""
    rank: int
    free: tuple[int, ...]
    """The parameters that the samples cannot tell: those in directions along which A is zero."""


def excitation(A: Array) -> Excitation:
    """The excitation of a regressor (rows, parameters).

    >>> excitation(np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0]])).condition
    2.0
    """
    count = A.shape[1]
    if not count or not len(A):
        return Excitation(np.inf, np.inf, -np.inf, 0, tuple(range(count)))
    values = np.linalg.svd(A, compute_uv=False)
    scales = column_scales(A)
    scaled, _, directions = null_directions(A / scales)
    full = len(directions) == 0
    whole = np.zeros(count)
    whole[: len(values)] = values
    free = np.flatnonzero((directions**2).sum(axis=0) > 1e-6) if not full else np.empty(0, dtype=int)
    return Excitation(
        float(whole[0] / whole[-1]) if full else np.inf,
        float(scaled[0] / scaled[-1]) if full else np.inf,
        float(2 * np.log(whole).sum()) if full else -np.inf,
        count - len(directions),
        tuple(free.tolist()),
    )


SINGULAR_RATIO = 1e-10
"""Directions with a smaller singular value, relative to the largest of scaled columns, are not told by the samples."""


def column_scales(A: Array) -> Array:
    """The lengths of the columns; 1 for those that are zero."""
    scales = np.linalg.norm(A, axis=0)
    return np.where(scales > 0, scales, 1.0)


def null_directions(A: Array) -> tuple[Array, Array, Array]:
    """The singular values of A, the directions (rows) that the samples tell, and those that they do not."""
    _, values, Vt = np.linalg.svd(A, full_matrices=True)
    whole = np.zeros(A.shape[1])
    whole[: len(values)] = values
    kept = whole > SINGULAR_RATIO * whole.max(initial=0.0)
    return whole, Vt[kept], Vt[~kept]
