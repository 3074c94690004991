"""Filters without phase, and derivatives of sampled signals."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.errors import check_name

ORDER = 4
"""Of the Butterworth filter; run forwards and backwards it has twice as many, and no phase."""
DIFFERENTIATION = ("central", "savgol", "spline")


def low_pass(x: Array, cutoff: float, step: float) -> Array:
    """Zero-phase Butterworth filter along the samples: -6 dB at `cutoff` [Hz], as it runs in both directions."""
    signal: Any = import_module("scipy.signal")
    sections = signal.butter(ORDER, cutoff, fs=1 / step, output="sos")
    pad = min(len(x) - 1, int(3 / (cutoff * step)) + 1)
    return np.asarray(signal.sosfiltfilt(sections, x, axis=0, padlen=pad), dtype=np.float64)


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
