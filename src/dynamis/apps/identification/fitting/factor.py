"""What samples tell about the parameters, in a size that does not grow with them: triangular factors, made block by
block.

For every coordinate j the rows [Y_j | tau] of all samples are reduced by QR decompositions to an upper triangle R_j
with

    R_j^T R_j = sum over samples of [Y_j | tau]^T [Y_j | tau]

so that |Y_j x - tau|^2 over all samples is |R_j (x, -1)|^2 for every x: fits, errors on samples that were not fitted
and condition numbers need no second look at the samples. Factors of several runs are put together by one more QR
decomposition. Unlike normal equations this does not square the condition number.

The right sides of coordinate j: the torques of all coordinates (for swapped columns), and its own torque as it was
measured, before any filter. Filtered torques are fitted by columns of dry friction that went through the same filter;
beside them stand those that did not, for the measured torque.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.linear_model import BLOCK_SAMPLES, LinearModel
from dynamis.apps.identification.logs.samples import Samples
from dynamis.base.arrays import Array


@dataclass(frozen=True)
class Factor:
    """The triangles of all coordinates, and how many samples they are of."""

    model: LinearModel
    R: tuple[Array, ...]
    samples: int
    cross: tuple[Array, ...] = ()
    """For instrumental variables, per coordinate [(Ya^T Yb + Yb^T Ya) / 2 | (Ya + Yb)^T tau / 2] with the rows Ya and
    Yb from the even and the odd rows of the log."""

    @property
    def n(self) -> int:
        """The number of coordinates."""
        return len(self.R)

    def left(self, j: int) -> Array:
        """The part of the parameters of coordinate j."""
        return self.R[j][:, : len(self.model.rows[j])]

    def right(self, j: int, of: int | None = None) -> Array:
        """The part of its torque; `of` another coordinate's, n for its own as it was measured."""
        return self.R[j][:, len(self.model.rows[j]) + (j if of is None else of)]

    def sharp(self, j: int) -> Array:
        """`left` with dry friction that no filter rounds."""
        left = self.left(j).copy()
        for column, (place, _, _) in enumerate(self.model.dry_places[j], len(self.model.rows[j]) + self.n + 1):
            left[:, place] = self.R[j][:, column]
        return left

    def squares(self, x: Array, measured: bool = False) -> Array:
        """|Y_j x - tau_j|^2 over all samples, per coordinate; against the `measured` torque where asked."""
        errors = (
            (self.sharp(j) if measured else self.left(j)) @ x[list(row)] - self.right(j, self.n if measured else None)
            for j, row in enumerate(self.model.rows)
        )
        return np.array([float(error @ error) for error in errors])

    def rms(self, x: Array, measured: bool = False) -> Array:
        """The RMS error per coordinate."""
        return np.sqrt(self.squares(x, measured) / max(self.samples, 1))

    def torque_rms(self, measured: bool = False) -> Array:
        """The RMS torque per coordinate."""
        return self.rms(np.zeros(len(self.model.base)), measured)

    def stacked(self, weights: Array) -> tuple[Array, Array]:
        """The rows of all coordinates, each times its weight: (rows, parameters) and (rows,)."""
        lefts: list[Array] = []
        rights: list[Array] = []
        for j, row in enumerate(self.model.rows):
            left = np.zeros((len(self.R[j]), len(self.model.base)))
            left[:, list(row)] = self.left(j) * weights[j]
            lefts.append(left)
            rights.append(self.right(j) * weights[j])
        return np.vstack(lefts), np.concatenate(rights)

    def normal(self, weights: Array) -> tuple[Array, Array]:
        """N and r of the instrumental-variable equations N x = r, the rows of every coordinate times its weight."""
        N, r = np.zeros((len(self.model.base),) * 2), np.zeros(len(self.model.base))
        for j, row in enumerate(self.model.rows):
            N[np.ix_(row, row)] += weights[j] ** 2 * self.cross[j][:, :-1]
            r[list(row)] += weights[j] ** 2 * self.cross[j][:, -1]
        return N, r


def factor(model: LinearModel, samples: Samples, weights: Array | None = None) -> Factor:
    """The factor of samples; `weights` (samples, n) multiply their rows."""
    n = model.robot.n
    beside = [n + 1 + len(places) for places in model.dry_places]
    R = [np.zeros((0, len(row) + more)) for row, more in zip(model.rows, beside, strict=True)]
    cross = tuple(np.zeros((len(row), len(row) + 1)) for row in model.rows if samples.halves is not None)
    for part, columns in _blocks(model, samples, beside):
        sharp = model.dry_columns(samples.qd[part])
        for j, rows in enumerate(columns):
            at = len(model.rows[j])
            rows[:, at : at + n], rows[:, at + n] = samples.tau[part], samples.measured[part, j]
            for column, (_, k, size) in enumerate(model.dry_places[j], at + n + 1):
                rows[:, column] = size * sharp[:, k]
            if weights is not None:
                rows *= weights[part, j : j + 1]
            R[j] = triangle([R[j], rows])
    if samples.halves is not None:
        for (part, a), (_, b) in zip(*(_blocks(model, half) for half in samples.halves), strict=True):
            for j in range(n):
                products = a[j].T @ b[j]
                cross[j][:, :-1] += (products + products.T) / 2
                cross[j][:, -1] += (a[j] + b[j]).T @ samples.tau[part, j] / 2
    return Factor(model, tuple(R), len(samples), cross)


def _blocks(model: LinearModel, samples: Samples, beside: Sequence[int] = ()) -> Iterator[tuple[slice, list[Array]]]:
    """Block by block its place and its base columns, dry friction filtered as the torques were."""
    dry = None if samples.filter is None else samples.filtered(model.dry_columns)
    for start in range(0, len(samples), BLOCK_SAMPLES):
        part = slice(start, start + BLOCK_SAMPLES)
        motion = samples.q[part], samples.qd[part], samples.qdd[part]
        yield part, model.base_columns(*motion, None if dry is None else dry[part], beside)


def combine_factors(factors: Sequence[Factor]) -> Factor:
    """The factor of all samples of several."""
    if len(factors) == 1:
        return factors[0]
    model = factors[0].model
    R = tuple(triangle([one.R[j] for one in factors]) for j in range(model.robot.n))
    cross = tuple(np.sum(parts, axis=0) for parts in zip(*(one.cross for one in factors), strict=True))
    return Factor(model, R, sum(one.samples for one in factors), cross)


def triangle(matrices: Iterable[Array]) -> Array:
    """R of the matrices on top of each other."""
    R: Array = np.linalg.qr(np.vstack(list(matrices)), mode="r")  # type: ignore[assignment]
    return R
