"""exp(-x) in the operations that every backend has: one function of all machines, to the same bits.

    e^-x = ((1 + d)^2)      d = expm1(-z) doubled seven times, d <- d (2 + d)      z = x / 256

Doubling d, and not squaring 1 + d, keeps the error near rounding of 1: squares would make it 256 times as large. That
d >= -1 is said so that intervals (bounds of sweeps) stay within 0 and 1.
"""

from __future__ import annotations

from math import factorial
from typing import Any

from dynamis.compute.program.trace import Node, Trace

FARTHEST = 40.0
"""exp(-40) is 4e-18, below the rounding of 1; what is smaller is as good as this."""
DOUBLINGS = 7
TERMS = 11
"""Of the series of expm1(-z), z <= 40 / 256: the next one is 3e-18 z."""


def exponential_decay(x: Node, trace: Trace) -> Any:
    """exp(-x) for x >= 0; NaN for NaN."""
    z: Any = trace.least(x, FARTHEST) * (0.5 ** (DOUBLINGS + 1))
    series: Any = 1.0 / factorial(TERMS)
    for k in range(TERMS - 1, 0, -1):
        series = 1.0 / factorial(k) - z * series
    d = -(z * series)
    for _ in range(DOUBLINGS):
        d = trace.greatest(d * (2.0 + d), -1.0)
    root = 1.0 + d
    return root * root
