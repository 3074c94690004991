"""From the best of many states to a better one near by: one dimension after the other, in ever shorter steps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dynamis.base.arrays import Array

SHRINKING_ROUNDS = 80
"""Of shrinking steps: 0.7^80 of the box is beyond what float64 can tell."""


def climb_in_box(
    evaluate: Callable[[Array], Array], start: Array, least: Array, greatest: Array
) -> tuple[float, Array]:
    """(value, point) of a larger value within the box, from a point of it; both ends of every side are tried."""
    x, step = start.copy(), (greatest - least) / 4
    best = float(evaluate(x[None])[0])
    for _ in range(SHRINKING_ROUNDS):
        points = np.repeat(x[None], 4 * len(x), 0)
        for k in range(len(x)):
            points[4 * k : 4 * k + 4, k] = least[k], greatest[k], x[k] - step[k], x[k] + step[k]
        points = np.clip(points, least, greatest)
        values = evaluate(points)
        k = int(np.nanargmax(values))
        if values[k] > best:
            best, x = float(values[k]), points[k]
        else:
            step = step * 0.5
    return best, x
