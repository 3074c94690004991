"""Adaptive cubature over the unit cube with a bound on its error.

Cells are measured by the product of three 7-point Gauss rules Q_1 Q_2 Q_3. With the integrals I_k along each side,

    I_1 I_2 I_3 - Q_1 Q_2 Q_3 = (I_1 - Q_1) I_2 I_3 + Q_1 (I_2 - Q_2) I_3 + Q_1 Q_2 (I_3 - Q_3)

and as all weights are positive, the error is at most the sum over the sides of that of a 7-point rule on a line,
at its worst in the cell. In Taylor coefficients c_m per length of the side, on a cell of volume V,

    |I_k - Q_k| <= V max|c_14| 7!^4 / (15 14!^2)                         (Davis and Rabinowitz 1984, section 2.7)
    |I_k - Q_k| <= V max|c_m| (int |t|^m + Q|t|^m),   m = 1..13, |t| <= 1/2    (the rest of Taylor's polynomial)
    |I - Q|     <= V (max f - min f)

whichever is least. The maxima come from ball arithmetic over the cell, and the values at the points are balls too, so
that rounding is in the bound. Cells with the largest bounds are halved until the sum is small enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.arrays import Array
from dynamis.bodies.balls import EPS, Balls
from dynamis.errors import ArgumentError

Integrand = Callable[[Sequence[Balls]], Sequence[Balls]]
MAX_CELLS = 4000
# Cells that are halved at once, and cells that are computed at once.
MOST_HALVED, AT_ONCE = 1000, 256
# A bound above this share of an integral is no answer.
COARSEST = 1e-3
COUNT = 7
ORDER = 2 * COUNT
_points, _weights = np.polynomial.legendre.leggauss(COUNT)
# On [0, 1].
NODES: Array = (_points + 1) / 2
WEIGHTS: Array = _weights / 2


def _constants() -> Array:
    """Of the bounds by c_1 ... c_14."""
    found = [0.5**m / (m + 1) + float(WEIGHTS @ np.abs(NODES - 0.5) ** m) for m in range(1, ORDER)]
    return np.array([*found, factorial(COUNT) ** 4 / ((ORDER + 1) * factorial(ORDER) ** 2)]) * (1 + 1e-12)


BOUNDS: Array = _constants()


@dataclass(frozen=True)
class Integral:
    """Values, bounds on the error of each, the integrals of |f|; how many points were looked at."""

    value: Array
    error: Array
    size: Array
    points: int


@dataclass(frozen=True)
class _Cells:
    """Cells by their low corner and sides (k, 3); values, bounds and sizes (k, outputs); where to halve (k,)."""

    low: Array
    side: Array
    value: Array
    error: Array
    size: Array
    axis: NDArray[np.int64]

    def __getitem__(self, which: NDArray[np.int64]) -> _Cells:
        return _Cells(*(entry[which] for entry in self._fields()))

    def __add__(self, other: _Cells) -> _Cells:
        return _Cells(*(np.concatenate(pair) for pair in zip(self._fields(), other._fields(), strict=True)))

    def _fields(self) -> tuple[Any, ...]:
        return self.low, self.side, self.value, self.error, self.size, self.axis


def integrate(function: Integrand, tolerance: float = 1e-10) -> Integral:
    """The integrals over the unit cube of a function that takes u, v, w as balls.

    Stops when every bound is below `tolerance` times the integral of |f| of its kind, or when MAX_CELLS are spent;
    bounds above COARSEST are refused.

    >>> from dynamis.bodies.ball_functions import exp
    >>> found = integrate(lambda u: [exp(u[0]) * u[1]])
    >>> bool(abs(found.value[0] - (np.e - 1) / 2) <= found.error[0] < 1e-10)
    True
    """
    cells = _measured(function, np.zeros((1, 3)), np.ones((1, 3)))
    while True:
        size = np.maximum(cells.size.sum(axis=0), 1e-300)
        share = np.max(cells.error / size, axis=1)
        most = MAX_CELLS if np.isfinite(share).all() else MAX_CELLS // 4
        if share.sum() <= tolerance or len(share) >= most:
            break
        worst = _worst(share, tolerance)
        split, kept = cells[worst], cells[np.setdiff1d(np.arange(len(share)), worst)]
        cells = kept + _measured(function, *_halved(split.low, split.side, split.axis))
    value, error = cells.value.sum(axis=0), cells.error.sum(axis=0)
    # The rounding of the sums.
    error = error * (1 + 1e-12) + EPS * len(share) * size
    if not np.all(error <= COARSEST * size):
        far = float(np.max(error / size))
        known = "has no bound" if not np.isfinite(far) else f"may still be {far:.1g} of their size"
        raise ArgumentError(
            f"the density does not settle: after {len(share) * COUNT**3} points the error of its integrals {known}; "
            "a density is finite and smooth: split the body where it jumps"
        )
    return Integral(value, error, size, len(share) * COUNT**3)


def _worst(share: Array, tolerance: float) -> NDArray[np.int64]:
    """The cells without which the rest would do, the worst of them first."""
    order = np.argsort(share)
    needed = len(share) - int(np.searchsorted(np.cumsum(share[order]), tolerance / 2))
    return order[::-1][: max(1, min(needed, MOST_HALVED))]


def _halved(low: Array, side: Array, axis: NDArray[np.int64]) -> tuple[Array, Array]:
    """Low corners and sides of the lower halves, then of the upper."""
    which = np.arange(len(axis))
    side, high = side.copy(), low.copy()
    side[which, axis] /= 2
    high[which, axis] += side[which, axis]
    return np.concatenate([low, high]), np.concatenate([side, side])


def _measured(function: Integrand, low: Array, side: Array) -> _Cells:
    """New cells, some at a time."""
    parts = [_some(function, low[k : k + AT_ONCE], side[k : k + AT_ONCE]) for k in range(0, len(low), AT_ONCE)]
    found = parts[0]
    for part in parts[1:]:
        found = found + part
    return found


def _some(function: Integrand, low: Array, side: Array) -> _Cells:
    value, rounding, size = _by_points(function, low, side)
    bound, axis = _by_series(function, low, side)
    return _Cells(low, side, value, bound + rounding, size, axis)


def _by_points(function: Integrand, low: Array, side: Array) -> tuple[Array, Array, Array]:
    """The rule: its value, how far rounding may have moved it, and the same of |f|; each (k, outputs)."""
    grid = np.stack(np.meshgrid(NODES, NODES, NODES, indexing="ij"), axis=-1).reshape(-1, 3)
    weights = np.einsum("i,j,k->ijk", WEIGHTS, WEIGHTS, WEIGHTS).ravel()
    places = low[:, None, :] + side[:, None, :] * grid
    # A place is known to its last digits, and so are the weights.
    found = function([Balls.of(places[..., k].reshape(1, -1), 4 * EPS) for k in range(3)])
    if not all(np.isfinite(f.rad).all() for f in found):
        wrong = np.argmax(np.max([np.broadcast_to(np.isinf(f.rad[0]), len(grid) * len(low)) for f in found], axis=0))
        at = ", ".join(f"{x:.3g}" for x in places.reshape(-1, 3)[wrong])
        raise ArgumentError(f"the density is not finite inside the body (at {at} of it)")
    volume = np.prod(side, axis=1)[:, None]

    def summed(values: Sequence[Array]) -> Array:
        full = [np.broadcast_to(entry, len(low) * len(grid)).reshape(len(low), -1) for entry in values]
        return np.stack([entry @ weights for entry in full], axis=1) * volume

    size = summed([np.abs(f.mid[0]) for f in found])
    return summed([f.mid[0] for f in found]), summed([f.rad[0] for f in found]) + 400 * EPS * size, size


def _by_series(function: Integrand, low: Array, side: Array) -> tuple[Array, NDArray[np.int64]]:
    """The bound of each cell (k, outputs), and the side across which it is to be halved."""
    along = np.stack([_along(function, low, side, axis) for axis in range(3)])
    jumps = _jumps(function, low, side)
    bound = np.minimum(along.sum(axis=0), jumps)
    scale = np.maximum(np.max(bound, axis=0, where=np.isfinite(bound), initial=0.0), 1e-300)
    blame = np.max(along / scale, axis=2)
    # Where no derivative is known along several sides, only halving shows which of them brings the extremes together.
    unknown = np.isinf(blame)
    blind = np.flatnonzero(unknown.sum(axis=0) > 1)
    longest = np.max(side[blind], axis=1)
    for axis in range(3) if len(blind) else ():
        halves = _halved(low[blind], side[blind], np.full(len(blind), axis))
        left = np.max(_jumps(function, *halves).reshape(2, len(blind), -1).sum(axis=0) / scale, axis=1)
        score = np.minimum(left, 1e300) * (1 - 0.1 * side[blind, axis] / longest)
        blame[axis, blind] = np.where(unknown[axis, blind], -score, -np.inf)
    return bound, np.argmax(blame, axis=0)


def _jumps(function: Integrand, low: Array, side: Array) -> Array:
    """V (max f - min f), (k, outputs)."""
    found = function([Balls(*(entry[None] for entry in _extent(low, side, axis))) for axis in range(3)])
    return np.stack([np.broadcast_to(2 * f.rad[0], len(low)) for f in found], axis=1) * np.prod(side, axis=1)[:, None]


def _along(function: Integrand, low: Array, side: Array, along: int) -> Array:
    """The bound on |I_k - Q_k| along one side, (k, outputs)."""
    cube: list[Balls] = []
    for axis in range(3):
        mid, rad = np.zeros((ORDER + 1, len(low))), np.zeros((ORDER + 1, len(low)))
        mid[0], rad[0] = _extent(low, side, axis)
        if axis == along:
            mid[1] = side[:, axis]
        cube.append(Balls(mid, rad))
    volume = np.prod(side, axis=1)
    found = [
        np.min(BOUNDS[:, None] * np.broadcast_to(f.size, (ORDER + 1, len(low)))[1:], axis=0) for f in function(cube)
    ]
    return np.stack([bound * volume for bound in found], axis=1)


def _extent(low: Array, side: Array, axis: int) -> tuple[Array, Array]:
    """The middle of each cell along a side, and the way from there to its ends."""
    return (low + side / 2)[:, axis], (side / 2 * (1 + 2 * EPS))[:, axis] + EPS
