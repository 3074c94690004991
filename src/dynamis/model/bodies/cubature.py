"""Adaptive cubature over the unit cube, with an estimate of the error of every integral.

A cell is integrated by the product K_1 K_2 K_3 of three 15-point Kronrod rules. Replacing the rule along one side by
the 7-point Gauss rule whose points it contains shows the error along that side, and QUADPACK's formula turns the sum of
the three into an estimate:

    e_k = |K_1 K_2 K_3 f - (G_k in place of K_k) f|        a = integral of |f - mean of f|
    error = a min(1, (200 (e_1 + e_2 + e_3) / a)^(3/2))

The cells with the largest estimates are halved, each across the side with the largest e_k only. A jump across one axis
then adds two cells per halving; `scipy.integrate.cubature`, which halves all sides, would add eight cells for each of
the 4^k that the jump meets, and cannot locate it to 1e-11.

Source: R. Piessens et al., QUADPACK, 1983, section 2.2.1 and routine QK15.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError

Integrand = Callable[[Array, Array, Array], Sequence[Array]]
# 4 million points, about a second, for the worst densities: corners and jumps that run obliquely.
MAX_CELLS = 1200
# 64 cells are 216 000 points, 2 MB per integrand: halving more at once gains no speed.
CELLS_AT_ONCE = 64
# Points of the scan along each axis that precedes the first cells, and what share of the largest value counts as a
# steep change from one to the next: exp(20 z) changes by 4 %, a layer 1/500 thick by all of it.
SCAN_POINTS, STEEP_CHANGE = 512, 0.05
# An estimate above this share of an integral is no answer.
MAX_RELATIVE_ERROR = 1e-3
EPS = float(np.finfo(np.float64).eps)
# Of the 15-point rule on [-1, 1], from its end to its middle; every second point belongs to the 7-point Gauss rule.
_HALF_KRONROD_POINTS = (0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
           0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
           0.586087235467691130294144838258730, 0.405845151377397166906606412076961,
           0.207784955007898467600689403773245, 0.0)  # fmt: skip
_HALF_KRONROD_WEIGHTS = (0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
            0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
            0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
            0.204432940075298892414161999234649, 0.209482141084727828012999174891714)  # fmt: skip
# On [0, 1].
KRONROD_NODES: Array = (1 + np.array([*(-x for x in _HALF_KRONROD_POINTS), *_HALF_KRONROD_POINTS[-2::-1]])) / 2
KRONROD_WEIGHTS: Array = np.array([*_HALF_KRONROD_WEIGHTS, *_HALF_KRONROD_WEIGHTS[-2::-1]]) / 2
GAUSS: Array = np.zeros(15)
GAUSS[1::2] = np.polynomial.legendre.leggauss(7)[1] / 2
# Of the points of a cell (15^3, 4): K_1 K_2 K_3, and with the Gauss rule along each side.
RULES: Array = np.stack(
    [
        np.einsum("i,j,k->ijk", *(GAUSS if axis == side else KRONROD_WEIGHTS for axis in range(3))).ravel()
        for side in (None, 0, 1, 2)
    ],
    axis=1,
)


@dataclass(frozen=True)
class Integral:
    """Values, estimates of their errors and the integrals of |f|, each (k,)."""

    value: Array
    error: Array
    size: Array


def integrate(function: Integrand, tolerance: float = 1e-10) -> Integral:
    """The integrals over the unit cube of the k arrays that `function` returns for arrays u, v, w that broadcast.

    Cells are halved until every estimate is below `tolerance` times the integral of the integrand's absolute value, or
    until there are MAX_CELLS. Raises ArgumentError if an estimate is then above COARSEST.

    >>> integral = integrate(lambda u, v, w: [np.exp(u) * v])
    >>> bool(abs(integral.value[0] - (np.e - 1) / 2) <= integral.error[0] < 1e-10)
    True
    """
    edges = [_edges(function, axis) for axis in range(3)]
    grids = np.meshgrid(*(x[:-1] for x in edges)), np.meshgrid(*(np.diff(x) for x in edges))
    cells = _measure_cells(function, *(np.stack(grid, axis=-1).reshape(-1, 3) for grid in grids))
    while True:
        low, side, value, error, size, across = cells
        sizes = size.sum(axis=0)
        share = np.max(np.divide(error, sizes, out=np.zeros_like(error), where=sizes > 0), axis=1)
        if share.sum() <= tolerance or len(share) >= MAX_CELLS:
            break
        # The cells without which the others would be good enough, the worst of them first.
        order = np.argsort(share)
        wanting = len(share) - int(np.searchsorted(np.cumsum(share[order]), tolerance / 2))
        worst = order[::-1][: min(max(wanting, 1), MAX_CELLS // 4)]
        step = side[worst] / 2 * np.eye(3)[across[worst]]
        halves = np.concatenate([low[worst], low[worst] + step])
        new = _measure_cells(function, halves, np.concatenate([side[worst] - step] * 2))
        cells = [np.concatenate([np.delete(old, worst, axis=0), more]) for old, more in zip(cells, new, strict=True)]
    total = error.sum(axis=0)
    if np.any(total > MAX_RELATIVE_ERROR * sizes):
        raise ArgumentError(
            f"the integrals of the density do not converge: with {len(share) * len(KRONROD_NODES) ** 3} points their "
            f"estimated error is still {np.max(total / sizes, where=sizes > 0, initial=0):.1g} of their size; a "
            "density must be finite and smooth: split the body where it jumps"
        )
    return Integral(value.sum(axis=0), total, sizes)


def _measure_cells(function: Integrand, low: Array, side: Array) -> list[Any]:
    """The cells at the corners `low` (n, 3) with the sides `side`: low, side; value, estimated error, integral of |f|
    (n, k); and across which side to halve (n,)."""
    chunks = range(0, len(low), CELLS_AT_ONCE)
    parts = [_measure(function, low[k : k + CELLS_AT_ONCE], side[k : k + CELLS_AT_ONCE]) for k in chunks]
    return [low, side, *(np.concatenate(arrays) for arrays in zip(*parts, strict=True))]


def _measure(function: Integrand, low: Array, side: Array) -> tuple[Array, Array, Array, NDArray[np.int64]]:
    places = low[:, :, None] + side[:, :, None] * KRONROD_NODES
    cube = places[:, 0, :, None, None], places[:, 1, None, :, None], places[:, 2, None, None, :]
    columns: list[list[Array]] = []
    for f in function(*cube):
        f = np.broadcast_to(f, (len(low), *[len(KRONROD_NODES)] * 3)).reshape(len(low), -1)
        value, *gauss = (f @ RULES).T
        size, spread = np.abs(f) @ RULES[:, 0], np.abs(f - value[:, None]) @ RULES[:, 0]
        columns.append([value, spread, size, *(np.abs(value - g) for g in gauss)])
    volume = np.prod(side, axis=1)[:, None]
    value, spread, size, *sides = (np.stack(column, axis=1) * volume for column in zip(*columns, strict=True))
    off = sides[0] + sides[1] + sides[2]
    ratio = np.divide(200 * off, spread, out=np.zeros_like(off), where=spread > 0)
    error = np.maximum(spread * np.minimum(1.0, ratio**1.5), 50 * EPS * size)
    largest = np.maximum(np.max(off, axis=0), np.finfo(np.float64).tiny)
    return value, error, size, np.argmax([np.max(e / largest, axis=1) for e in sides], axis=0)


def _edges(function: Integrand, axis: int) -> Array:
    """The ends of the first cells along an axis: 0, 1/2, 1 and, on both sides, the steepest changes of the first
    integrand that a scan finds, so that no thin layer or needle is missed between the points of the rule."""
    t = (np.arange(SCAN_POINTS) + 0.5) / SCAN_POINTS
    cube = np.meshgrid(*(t if k == axis else KRONROD_NODES[1::4] for k in range(3)), indexing="ij", sparse=True)
    f = np.broadcast_to(function(*cube)[0], [x.size for x in cube])
    change = np.max(np.abs(np.diff(np.moveaxis(f, axis, 0), axis=0)), axis=(1, 2))
    steepest = np.argsort(change)[-2:]
    steepest = steepest[change[steepest] > STEEP_CHANGE * np.max(np.abs(f))]
    return np.unique([0.0, 0.5, 1.0, *t[steepest], *t[steepest + 1]])
