"""The largest speeds along a path within limits that are linear in (u, x) = (sdd, sd^2): TOPP-RA.

Every step of the grid has rows a u + b x <= r, and x at its end is x + 2 h u. A backward pass finds from which x the
end can still be reached: the interval that is left when u is eliminated from the rows and from x + 2 h u in the
interval of the step after (Fourier and Motzkin). A forward pass then takes the largest u that stays within them.

Source: H. Pham, Q.-C. Pham, A new approach to time-optimal path parameterization based on reachability analysis,
IEEE Trans. Robotics 34(3), 2018.
"""

from __future__ import annotations

import numpy as np

from dynamis.base.arrays import Array

MAX_SQUARED_SPEED = 1e8
"""sd^2 where nothing bounds it."""


class NoSpeedError(Exception):
    """No speed keeps the limits in step `step` of the grid."""

    def __init__(self, step: int) -> None:
        super().__init__(f"no speed in step {step}")
        self.step = step


def largest_speeds(h: Array, a: Array, b: Array, r: Array, largest_x: Array) -> tuple[Array, Array]:
    """sd at the points of the grid (k + 1), from rest to rest, and sdd in its steps (k).

    h (k) are the steps, a, b, r (k, m) their rows, largest_x (k + 1) the bounds of x.
    """
    low, high = _reachable(h, a, b, r, np.minimum(largest_x, MAX_SQUARED_SPEED))
    x, u = np.zeros(len(h) + 1), np.zeros(len(h))
    for k in range(len(h)):
        left = r[k] - b[k] * x[k]
        up, down = a[k] > 0, a[k] < 0
        most = min(float((left[up] / a[k, up]).min(initial=np.inf)), (high[k + 1] - x[k]) / (2 * h[k]))
        least = max(float((left[down] / a[k, down]).max(initial=-np.inf)), (low[k + 1] - x[k]) / (2 * h[k]))
        # In exact numbers most >= least; where rounding leaves them crossed, the middle breaks neither by more than it.
        u[k] = most if most >= least else (most + least) / 2
        x[k + 1] = min(max(x[k] + 2 * h[k] * u[k], low[k + 1]), high[k + 1])
    return np.sqrt(x), u


def _reachable(h: Array, a: Array, b: Array, r: Array, largest_x: Array) -> tuple[Array, Array]:
    """The interval of x (k + 1) from which rest at the end can be reached."""
    low, high = np.zeros(len(h) + 1), np.append(largest_x[:-1], 0.0)
    for k in range(len(h) - 1, -1, -1):
        # The rows of the step, and x + 2 h u within the interval of its end.
        to, ends = 2 * h[k], [high[k + 1], -low[k + 1]]
        bottom, top = _without_u(np.append(a[k], [to, -to]), np.append(b[k], [1.0, -1.0]), np.append(r[k], ends))
        low[k], high[k] = max(0.0, bottom), min(high[k], top)
        if low[k] > high[k]:
            raise NoSpeedError(k)
    return low, high


def _without_u(a: Array, b: Array, r: Array) -> tuple[float, float]:
    """The interval of x that rows a u + b x <= r leave for some u: each row with a > 0 against each one with a < 0."""
    up, down, none = a > 0, a < 0, a == 0
    slope = np.append((b[up, None] * -a[down] + a[up, None] * b[down]).ravel(), b[none])
    value = np.append((r[up, None] * -a[down] + a[up, None] * r[down]).ravel(), r[none])
    if (value[slope == 0] < 0).any():
        return np.inf, -np.inf
    bounded, least = slope > 0, slope < 0
    return (
        float((value[least] / slope[least]).max(initial=-np.inf)),
        float((value[bounded] / slope[bounded]).min(initial=np.inf)),
    )
