"""A pose that shows an arm well, for drawings without a q."""

from __future__ import annotations

from itertools import combinations
from math import floor, log10, pi

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.mechanism import Mechanism, place
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import number
from dynamis.telling.drawing.numbers import array
from dynamis.telling.drawing.view import view

POSE_TRIES = 400
"""Poses that are looked at."""
LEAST_ANGLE, MOST_ANGLE = 20 * pi / 180, 75 * pi / 180
SUFFICIENT_DISTANCE = 0.3
"""Points farther from each other than this share of the picture are far enough."""


def pose(robot: RobotModel, m: Mechanism[float]) -> Array:
    """Joint positions that show the arm well: its points apart on the page, above the ground, within the limits.

    The best of a fixed list of poses: the sum of the distances from each point to its nearest ones is the largest.
    """
    if robot.n == 0:
        return np.zeros(0)
    zero = _points(robot, m, np.zeros((1, robot.n)))
    reach = float(np.ptp(zero[0], axis=0).max()) or 1.0
    looks = view(m, zero)
    tries: Array = np.stack([_values(robot, k, reach) for k in range(robot.n)], axis=1)
    points = _points(robot, m, tries)
    seen = points @ looks.page()[:2].T
    gaps = np.linalg.norm(seen[:, :, None] - seen[:, None], axis=3)
    # Points that are one in space are one on the page in every pose: the others decide.
    apart = np.linalg.norm(points[:, :, None] - points[:, None], axis=3) > 1e-6 * reach
    size = gaps.max(axis=(1, 2)) + 1e-12
    nearest = np.where(apart, gaps, np.inf).min(axis=2) / size[:, None]
    score: Array = np.where(np.isfinite(nearest), np.minimum(nearest, SUFFICIENT_DISTANCE), 0.0).sum(axis=1)
    lines = _lines(m)
    score += 2 * np.minimum(_clearance(seen, lines) / size[:, None], SUFFICIENT_DISTANCE / 2).sum(axis=1) - _crossings(
        seen, lines
    )
    away = looks.axes[1] if looks.flat else _mounting(m, looks.axes[2])
    score += (points @ away).mean(axis=1) / reach
    if not looks.flat:
        score -= (points @ away < -0.02 * reach).sum(axis=1)
    best: Array = tries[int(score.round(9).argmax())]
    return best


def _mounting(m: Mechanism[float], up: Array) -> Array:
    """The direction in which a robot leaves its mounting plane: along the post of its first joint, else up."""
    first, k = m.bodies[0], np.array([*m.bodies[0].k])
    post = np.array([*first.t0]) + array(first.R0) @ k * float(k @ np.array([*first.origin]))
    length = float(np.linalg.norm(post))
    return post / length if length > 0 else up


def _range(robot: RobotModel, k: int, reach: float) -> tuple[float, float]:
    """Where a coordinate may be drawn: within its limits and less than 75 degrees, or 0.6 of the arm, from zero."""
    limits = robot.coordinates[k].limits
    bounds = [None if x is None else number(x, robot.values, robot.name) for x in (limits.lower, limits.upper)]
    wished = (-MOST_ANGLE, MOST_ANGLE) if robot.coordinates[k].revolute else (0.3 * reach, 0.6 * reach)
    low = wished[0] if bounds[0] is None else bounds[0]
    high = wished[1] if bounds[1] is None else bounds[1]
    if low >= high:
        low, high = (high - 0.1 * reach, high) if bounds[0] is None else (low, low + 0.1 * reach)
    room = 0.1 * (high - low)
    inside = max(low + room, wished[0]), min(high - room, wished[1])
    return inside if inside[0] < inside[1] else (low + room, high - room)


def _values(robot: RobotModel, k: int, reach: float) -> Array:
    """Values of the k-th coordinate, one per pose; angles in whole steps of 5 degrees where there is one.

    Multiples of irrational numbers: together with those of the other coordinates they are evenly spread.
    """
    low, high = _range(robot, k, reach)
    shares = (0.78 + np.arange(1, POSE_TRIES + 1) * 0.9 ** (k + 1) * 0.6180339887) % 1.0
    values = low + (high - low) * shares
    step = pi / 36 if robot.coordinates[k].revolute else 10.0 ** floor(log10(high - low)) / 10
    near = step * np.round(values / step)
    if robot.coordinates[k].revolute and low <= -LEAST_ANGLE and high >= LEAST_ANGLE:
        near = np.where(np.abs(near) < LEAST_ANGLE, np.where(near < 0, -LEAST_ANGLE, LEAST_ANGLE), near)
    return np.where((low <= near) & (near <= high), near, values)


def _points(robot: RobotModel, m: Mechanism[float], q: Array) -> Array:
    """Joint points, frame origins and the tool at states (tries, n): (tries, points, 3), in the base frame."""
    joints = q if m.coupling is None else np.array([m.coupling.positions(row) for row in q.tolist()])
    count = len(joints)
    where: list[tuple[Array, Array]] = []
    rows = [np.zeros((count, 3))]

    for body in m.bodies:
        k, x = np.array([*body.k]), np.zeros(count) if body.joint is None else joints[:, body.joint]
        fixed, by = array(body.R0), np.array([*body.t0])
        own = fixed @ _turns(k, x if body.revolute else 0.0 * x)
        by = by + x[:, None] * (fixed @ k) if not body.revolute else np.broadcast_to(by, (count, 3))
        turn, at = (np.eye(3), np.zeros((count, 3))) if body.parent is None else where[body.parent]
        where.append((turn @ own, at + (turn @ by[..., None])[..., 0]))
        rows += [where[-1][1], where[-1][1] + where[-1][0] @ np.array([*body.origin])]
    if robot.tool is not None:
        on = place(robot, m, robot.tool)
        if on.body is not None:
            rows.append(where[on.body][1] + where[on.body][0] @ np.array([*on.p]))
    return np.stack(rows, axis=1)


def _lines(m: Mechanism[float]) -> list[tuple[int, int]]:
    """The straight lines between the rows of `_points`: parent's origin to joint point, joint point to origin."""
    lines: list[tuple[int, int]] = []
    for i, body in enumerate(m.bodies):
        lines += [(0 if body.parent is None else 2 * body.parent + 2, 2 * i + 1), (2 * i + 1, 2 * i + 2)]
    return lines


def _clearance(seen: Array, lines: list[tuple[int, int]]) -> Array:
    """How far each point is on the page from the lines that do not end in it: (tries, points)."""
    least = np.full(seen.shape[:2], np.inf)
    for a, b in lines:
        start, along = seen[:, a, None], seen[:, b, None] - seen[:, a, None]
        square = (along**2).sum(axis=2) + 1e-30
        share = np.clip(((seen - start) * along).sum(axis=2) / square, 0.0, 1.0)
        away = np.linalg.norm(seen - start - share[..., None] * along, axis=2)
        ends = np.minimum(*(np.linalg.norm(seen - seen[:, k, None], axis=2) for k in (a, b)))
        least = np.where(ends > 1e-9 * (1 + np.sqrt(square)), np.minimum(least, away), least)
    return np.where(np.isfinite(least), least, 0.0)


def _crossings(seen: Array, lines: list[tuple[int, int]]) -> Array:
    """How many pairs of lines cross each other on the page, per pose: (tries,)."""

    def side(a: Array, b: Array, c: Array) -> Array:
        return (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])

    count = np.zeros(len(seen))
    for (a, b), (c, d) in combinations(lines, 2):
        A, B, C, D = seen[:, a], seen[:, b], seen[:, c], seen[:, d]
        count += (side(A, B, C) * side(A, B, D) < -1e-12) & (side(C, D, A) * side(C, D, B) < -1e-12)
    return count


def _turns(k: Array, x: Array) -> Array:
    """Rotations by angles x about a unit vector k: (tries, 3, 3) (Rodrigues)."""
    S = np.array([[0.0, -k[2], k[1]], [k[2], 0.0, -k[0]], [-k[1], k[0], 0.0]])
    return np.eye(3) + np.sin(x)[:, None, None] * S + (1 - np.cos(x))[:, None, None] * (S @ S)
