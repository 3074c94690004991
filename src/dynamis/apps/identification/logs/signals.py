"""Filters without phase, and derivatives of sampled signals."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import check_name

FILTER_ORDER = 4
"""Of the Butterworth filter; run forwards and backwards it has twice as many, and no phase."""
DIFFERENTIATION = ("central", "savgol", "spline")


def low_pass(x: Array, cutoff: float, step: float) -> Array:
    """Zero-phase Butterworth filter along the samples: -6 dB at `cutoff` [Hz], as it runs in both directions.

    Each of its sections g (1 + 1/z)^2 / (1 + a1/z + a2/z^2) is a triangular system of equations with three diagonals.
    The ends are continued by their mirror images through the first and the last sample.
    """
    solve: Any = import_module("scipy.linalg.lapack").dtbtrs  # scipy.signal has it ready, but takes 0.8 s to import
    pad = min(len(x) - 1, int(3 / (cutoff * step)) + 1)
    y = np.concatenate([2 * x[0] - x[pad:0:-1], x, 2 * x[-1] - x[-2 : -pad - 2 : -1]])
    diagonals = np.ones((3, len(y)))
    k = np.tan(np.pi * cutoff * step)
    for _ in range(2):
        start = y[0]  # the filter has been there for ever
        w = np.asfortranarray(y - start)
        for damping in np.cos(np.pi * np.arange(1, FILTER_ORDER, 2) / (2 * FILTER_ORDER)).tolist():
            size = 1 + 2 * damping * k + k**2
            diagonals[1], diagonals[2] = 2 * (k**2 - 1) / size, (1 - 2 * damping * k + k**2) / size
            w *= k**2 / size
            w[1:] += w[:-1]
            w[1:] += w[:-1]
            w = solve(diagonals, w, uplo="L", diag="U", overwrite_b=True)[0]
        y = (w + start)[::-1]
    return np.ascontiguousarray(y[pad : pad + len(x)])


def derivative(x: Array, step: float, method: str = "central", window: int = 5) -> Array:
    """dx/dt of samples at uniform steps.

    "central": (x[k+1] - x[k-1]) / 2 step. "savgol": that of the cubic through the `window` nearest samples (Savitzky
    and Golay 1964). "spline": that of the cubic spline through all samples.
    """
    check_name("differentiation", method, DIFFERENTIATION, key="differentiation")
    if method == "savgol":
        width = min(max(window, 5) | 1, (len(x) - 1) | 1)
        return import_module("scipy.signal").savgol_filter(x, width, 3, deriv=1, delta=step, axis=0)
    if method == "spline":
        t = step * np.arange(len(x))
        return import_module("scipy.interpolate").CubicSpline(t, x)(t, 1)
    return np.gradient(x, step, axis=0, edge_order=2)
