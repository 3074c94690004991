"""Where a path q(s) is cut for the shortest time: equal steps, the ends of its pieces, the reversals of its joints.

Dry friction jumps where a joint reverses, and appears and vanishes at the ends of the motion. Each of these places gets
a narrow step of its own, in which a motion keeps its limits with the friction of both sides and with none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.motion.trajectories.piecewise import JointTrajectory
from dynamis.motion.trajectories.trajectory import Trajectory

REVERSAL_HALF_WIDTH = 1e-7
"""Half the width of a step around a reversal, as a share of the path: far above the rounding of s (1e-16), and so short
that creeping through it at a tenth of the acceleration costs less than a thousandth of the time."""
POINTS_PER_STEP = 16
"""Points in every equal step at which directions are compared: reversals that are nearer to each other than that are
found from the extremes of q' between them."""
BISECTION_STEPS = 40
"""From the distance of two points (1e-4 of a path) to far below NARROW."""
STANDSTILL_SHARE = 1e-13
"""A joint with |q'| below this share of the largest has no direction: what is left is rounding."""


def path_grid(path: Trajectory, steps: int, dry: NDArray[np.bool_]) -> Array:
    """About `steps` steps over s; reversals of `dry` joints, those with Coulomb friction, get steps of their own."""
    ends = path.breaks if isinstance(path, JointTrajectory) else np.array([0.0, path.duration])
    counts = np.maximum(np.ceil(np.diff(ends) / path.duration * steps), 2).astype(np.intp)
    pieces: list[Array] = [np.linspace(a, b, k + 1)[:-1] for a, b, k in zip(ends[:-1], ends[1:], counts, strict=True)]
    equal = np.concatenate([*pieces, ends[-1:]])
    if not dry.any():
        return equal
    narrow, length = REVERSAL_HALF_WIDTH * path.duration, path.duration
    turns = reversals(path, equal, np.flatnonzero(dry))
    places = np.concatenate([[narrow, length - narrow], turns - narrow, turns + narrow])
    places = np.unique(places[(places > 0) & (places < length)])
    # A point of the equal steps that comes too near to one of these would make a step of no length.
    near = np.abs(equal[:, None] - places).min(axis=1) < narrow / 2
    near[[0, -1]] = False
    return _apart(np.union1d(equal[~near], places), narrow / 2)


def reversals(path: Trajectory, equal: Array, joints: NDArray[np.intp]) -> Array:
    """Where q' of a joint changes its sign, by bisection between points that bracket every extreme of q'."""
    parts = np.linspace(0.0, 1.0, POINTS_PER_STEP, endpoint=False)
    fine = np.append((equal[:-1, None] + np.diff(equal)[:, None] * parts).ravel(), equal[-1])
    points = np.union1d(fine, _zeros(path, fine, 2, joints))
    return _zeros(path, points, 1, joints)


def directions(first: Array) -> Array:
    """The signs of q' (k, n): 0 where a joint has no direction."""
    return np.where(np.abs(first) > STANDSTILL_SHARE * np.abs(first).max(), np.sign(first), 0.0)


def _zeros(path: Trajectory, s: Array, order: int, joints: NDArray[np.intp]) -> Array:
    """Where a derivative of one of the joints changes its sign between neighbouring points of s."""
    sign = np.sign(path.at(s)[order])
    brackets: list[tuple[int, int, int]] = []
    for j in joints.tolist():
        moving = np.flatnonzero(sign[:, j])  # a point of no sign lies between two that have one
        change = np.flatnonzero(sign[moving[:-1], j] != sign[moving[1:], j])
        brackets += [(int(moving[k]), int(moving[k + 1]), j) for k in change]
    begin, end, joint = np.array(brackets, dtype=np.intp).reshape(-1, 3).T
    a, b, side = s[begin], s[end], sign[begin, joint]
    for _ in range(BISECTION_STEPS if a.size else 0):
        middle = (a + b) / 2
        same = np.sign(path.at(middle)[order][np.arange(len(a)), joint]) == side
        a, b = np.where(same, middle, a), np.where(same, b, middle)
    return (a + b) / 2


def _apart(s: Array, least: float) -> Array:
    """The points without those that follow another at less than `least`; both ends stay."""
    indices = [0]
    for k in range(1, len(s) - 1):
        if s[k] - s[indices[-1]] >= least and s[-1] - s[k] >= least:
            indices.append(k)
    return s[[*indices, len(s) - 1]]
