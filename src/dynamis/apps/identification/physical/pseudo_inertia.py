"""Pseudo-inertias: the ten parameters of a rigid body as a matrix that is positive definite for bodies that exist.

    P = [ S  h ]      S = tr(I)/2 1 - I about the origin of the link frame,  h = m c
        [ h' m ]

the second moments of the mass with (x, y, z, 1). The entropic divergence of two mass distributions, taken as normal
ones, is

    D(P || P0) = tr(X) - log det(X) - 4,      X = P0^-1 P

the same in all frames and units; 1/2 tr[(X - 1)^2] where P is near P0.
"""

from __future__ import annotations

import numpy as np

from dynamis.base.arrays import Array
from dynamis.model.inertial_parameters import STANDARD

TEN = len(STANDARD)


def _basis() -> Array:
    E = np.zeros((TEN, 4, 4))
    E[0, 3, 3] = 1.0
    for axis in range(3):
        E[1 + axis, axis, 3] = E[1 + axis, 3, axis] = 1.0
        E[4 + axis, :3, :3] = 0.5 * np.eye(3)
        E[4 + axis, axis, axis] -= 1.0
    for k, (a, b) in enumerate(((0, 1), (0, 2), (1, 2)), 7):
        E[k, a, b] = E[k, b, a] = -1.0
    return E


BASIS = _basis()
"""P of the unit vectors of pi, (10, 4, 4)."""


def pseudo_inertia(ten: Array) -> Array:
    """P (4, 4) of the ten parameters of a link.

    >>> pseudo_inertia(np.array([2.0, 0, 0, 0, 1, 1, 1, 0, 0, 0])).diagonal().tolist()
    [0.5, 0.5, 0.5, 2.0]
    """
    return np.einsum("k,kij->ij", ten, BASIS)


def ten_of(P: Array) -> Array:
    """pi of a pseudo-inertia."""
    S, h = P[:3, :3], P[:3, 3]
    I = np.trace(S) * np.eye(3) - S  # noqa: E741
    return np.array([P[3, 3], *h, I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])


def divergence(P: Array, P0: Array) -> float:
    """D(P || P0), for positive definite matrices.

    >>> round(divergence(2 * np.eye(4), np.eye(4)), 4)  # 4 (2 - 1 - log 2)
    1.2274
    """
    X = np.linalg.solve(P0, P)
    return max(0.0, float(np.trace(X) - np.linalg.slogdet(X)[1] - len(X)))


def curvature(P0: Array) -> Array:
    """G (10, 10) with D = dpi^T G dpi for small changes dpi of the parameters of P0."""
    turned = np.einsum("ij,kjl->kil", np.linalg.inv(P0), BASIS)
    return 0.5 * np.einsum("kij,lji->kl", turned, turned)
