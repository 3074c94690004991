"""Local maxima from many starts at once: BFGS, with one call of a batched function per step for all of them.

J. Nocedal, S. J. Wright, Numerical Optimization, 2006, equation 6.17 for the inverse of the Hessian.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dynamis.base.arrays import Array

ASCENT_STEPS = 60
"""The largest stiffness of gravity of a UR5, a Puma and a Panda is then within 1e-9 of its end (30: 1e-6)."""
FIRST_STEP, LONGEST_STEP = 0.1, 0.5
"""Lengths of the first step and of the longest one [rad or m]."""
DIFFERENCE_STEP = 1e-6
"""Of the slopes [rad or m]."""


def ascend(f: Callable[[Array], Array], x: Array, low: Array, high: Array) -> Array:
    """Where climbs from the rows of x, (k, n), end within low and high (n); f takes (..., n) to (...).

    >>> import numpy as np
    >>> hill = lambda x: -((x[..., 0] - 1) ** 2) - 5 * (x[..., 1] - x[..., 0]) ** 2
    >>> ascend(hill, np.zeros((1, 2)), np.full(2, -9.0), np.array([9.0, 0.5])).round(3)
    array([[0.583, 0.5  ]])
    """
    n = x.shape[-1]

    def slopes(x: Array) -> tuple[Array, Array]:
        values = f(x[:, None] + DIFFERENCE_STEP * np.eye(n + 1, n, -1))
        return values[:, 0], (values[:, 1:] - values[:, :1]) / DIFFERENCE_STEP

    value, g = slopes(x)
    inverse = np.broadcast_to(np.eye(n), (len(x), n, n))
    step = FIRST_STEP * g / np.maximum(_lengths(g), 1e-300)
    for k in range(ASCENT_STEPS):
        there = np.clip(x + step, low, high)
        new, slope = slopes(there)
        inverse = _update_inverse(inverse, there - x, g - slope, first=not k)
        better = new > value
        value, took = np.where(better, new, value), better[:, None]
        x, g = np.where(took, there, x), np.where(took, slope, g)
        inside = ((x > low) | (g > 0)) & ((x < high) | (g < 0))
        ahead = inside * np.einsum("kij,kj->ki", inverse, inside * g)
        step = np.where(took, ahead * np.minimum(1.0, LONGEST_STEP / np.maximum(_lengths(ahead), 1e-300)), step / 3)
    return x


def _update_inverse(inverse: Array, s: Array, y: Array, first: bool) -> Array:
    """Inverse Hessians after steps s that changed the slopes by -y; the first step gives their size."""
    curvature = np.einsum("ki,ki->k", s, y)
    known = curvature > 1e-12  # where the hill is not curved downwards, they stay
    rho = 1 / np.where(known, curvature, 1.0)
    eye = np.eye(s.shape[-1])
    if first:
        inverse = eye * (curvature / np.maximum(np.einsum("ki,ki->k", y, y), 1e-300))[:, None, None]
        inverse = np.where(known[:, None, None], inverse, eye)
    left = eye - np.einsum("k,ki,kj->kij", rho, s, y)
    after = left @ inverse @ np.swapaxes(left, -1, -2) + np.einsum("k,ki,kj->kij", rho, s, s)
    return np.where(known[:, None, None], after, inverse)


def _lengths(x: Array) -> Array:
    return np.linalg.norm(x, axis=-1, keepdims=True)
