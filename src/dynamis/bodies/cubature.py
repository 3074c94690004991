"""Adaptive cubature over the unit cube: Gauss-Kronrod rules in three directions, with an error estimate.

A cell is measured by the product of three 15-point Kronrod rules (3375 points); in each direction the 7-point
Gauss rule on every second point gives the error. The cell with the largest error is halved across its worst
direction until the sum of all errors is small enough (the rule: Piessens et al., QUADPACK, 1983; the halving:
Genz and Malik, 1980).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamis.errors import ArgumentError

Array = NDArray[np.float64]
MAX_CELLS = 2000
_HALF_NODES = (
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851, 0.864864423359769072789712788640926,
    0.741531185599394439863864773280788, 0.586087235467691130294144691693013, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245,
)  # fmt: skip
_KRONROD = (
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518,
    0.140653259715525918745189590510238, 0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714,
)  # fmt: skip
_GAUSS = (
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780, 0.381830050505118944950369775488975,
    0.417959183673469387755102040816327,
)  # fmt: skip
# On [0, 1].
NODES: Array = (np.array([-x for x in _HALF_NODES] + [0.0] + list(_HALF_NODES[::-1])) + 1) / 2
KRONROD: Array = np.array([*_KRONROD, *_KRONROD[-2::-1]]) / 2
GAUSS: Array = np.zeros(15)
GAUSS[1::2] = np.array([*_GAUSS, *_GAUSS[-2::-1]]) / 2


@dataclass(frozen=True)
class Integral:
    """Values, an estimate of the largest error of each, the integrals of |f|; how many points were looked at."""

    value: Array
    error: Array
    size: Array
    points: int


def integrate(function: Callable[[Array], Array], tolerance: float = 1e-10) -> Integral:
    """The integral over the unit cube of a function (3, k) -> (outputs, k).

    Stops when every error is below `tolerance` times the largest integral of |f| of its kind.

    >>> found = integrate(lambda u: np.exp(u[:1]) * u[1:2])
    >>> bool(abs(found.value[0] - (np.e - 1) / 2) < 1e-13)
    True
    """
    first = _cell(function, np.zeros(3), np.ones(3))
    size = np.maximum(first[2], 1e-300)
    heap: list[tuple[float, int, tuple[Array, Array], Array, Array, int]] = []
    total, error, count = np.zeros_like(first[0]), np.zeros_like(first[0]), 0

    def push(low: Array, side: Array, cell: tuple[Array, Array, Array, int]) -> None:
        nonlocal count, total, error
        value, errors, _, axis = cell
        total, error, count = total + value, error + errors, count + 1
        heapq.heappush(heap, (-float(np.max(errors / size)), count, (low, side), value, errors, axis))

    push(np.zeros(3), np.ones(3), first)
    while bool(np.any(error > tolerance * size)):
        if count >= MAX_CELLS:
            raise ArgumentError(
                f"the density does not settle: after {count * 3375} points the error of its integrals is still "
                f"{float(np.max(error / size)):.1g} of their size; a density is smooth: split the body where it jumps"
            )
        _, _, (low, side), value, errors, axis = heapq.heappop(heap)
        total, error = total - value, error - errors
        half = side.copy()
        half[axis] /= 2
        high = low.copy()
        high[axis] += half[axis]
        push(low, half, _cell(function, low, half))
        push(high, half, _cell(function, high, half))
    value = np.sum([entry[3] for entry in heap], axis=0)
    bound = np.sum([entry[4] for entry in heap], axis=0)
    # Rounding of a sum of so many numbers of one size.
    return Integral(value, bound + 1e-15 * size, size, count * 3375)


def _cell(function: Callable[[Array], Array], low: Array, side: Array) -> tuple[Array, Array, Array, int]:
    """(integral, error, integral of the size, worst direction) over one cell."""
    grid = np.stack(np.meshgrid(*(low[k] + side[k] * NODES for k in range(3)), indexing="ij")).reshape(3, -1)
    values = function(grid)
    if not np.isfinite(values).all():
        x = grid[:, int(np.argmin(np.isfinite(values).all(axis=0)))]
        raise ArgumentError(f"the density is not finite inside the body (at {', '.join(f'{v:.3g}' for v in x)} of it)")
    cube = values.reshape(-1, 15, 15, 15) * float(np.prod(side))
    whole = _rule(cube, KRONROD, KRONROD, KRONROD)
    coarse = [
        _rule(cube, *(GAUSS if axis == k else KRONROD for k in range(3)))
        for axis in range(3)
    ]  # fmt: skip
    errors = np.abs(np.stack(coarse) - whole)
    size = _rule(np.abs(cube), KRONROD, KRONROD, KRONROD)
    worst = int(np.argmax(np.max(errors / np.maximum(size, 1e-300), axis=1)))
    return whole, np.sum(errors, axis=0), size, worst


def _rule(cube: Array, x: Array, y: Array, z: Array) -> Array:
    found: Array = np.einsum("nijk,i,j,k->n", cube, x, y, z, optimize=True)
    return found
