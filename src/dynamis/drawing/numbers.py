"""Numbers for a drawing: parameters without a value get one that shows the arm well, and q a pose that spreads it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import floor, log10, pi

import numpy as np

from dynamis.arrays import Array
from dynamis.drawing.view import view
from dynamis.expressions.expression import Expression, Number
from dynamis.mechanics.mechanism import Mechanism, place
from dynamis.model.map_expressions import expressions_in
from dynamis.model.placement import Step
from dynamis.model.robot import RobotModel
from dynamis.scalars.floats import Floats, number
from dynamis.scalars.vectors import Matrix, Vector

ANGLE, MASS, GRAVITY, OTHER = Fraction(1, 2), Fraction(1), Fraction(981, 100), Fraction(1, 10)
COM = (Fraction(1, 2), Fraction(-1, 2), Fraction(3, 20))
"""Where a CoM may lie, in lengths of a link: in its middle, or a little aside."""
TRIES = 400
"""Poses that are looked at."""
MOST_ANGLE = 75 * pi / 180
NEAR = 0.3
"""Points farther from each other than this share of the picture are far enough."""


def free_numbers(robot: RobotModel) -> dict[str, Fraction]:
    """A number for every parameter that is used and has no value.

    Lengths are the mean of those that are known, or 1 m; a CoM lies in the middle of its link; masses are 1 kg.
    """
    used = {name for name in robot.missing_values if name in robot.used_parameters()}
    if not used:
        return {}
    uses: dict[str, set[str]] = {name: set() for name in used}
    lengths: list[float] = []
    for site in expressions_in(robot):
        kind = _kind(site.owner, site.path)
        for name in site.parameters & used:
            uses[name].add(kind)
        if kind == "length" and (known := number(site.expression, robot.values)):
            lengths.append(abs(known))
    unit = Fraction(float(f"{sum(lengths) / len(lengths):.2g}")).limit_denominator(10**6) if lengths else Fraction(1)
    amounts = {"length": unit, "angle": ANGLE, "com": COM[0] * unit, "mass": MASS, "gravity": GRAVITY}
    chosen = {
        name: next((amounts[kind] for kind in amounts if kind in uses[name]), OTHER)
        for name in robot.missing_values
        if name in used
    }
    for link in robot.links:
        for entry in link.com:
            for name in sorted(entry.parameters() & used):
                if "length" not in uses[name] and "angle" not in uses[name]:
                    chosen[name] = min((c * unit for c in COM), key=lambda c: _aside(robot, link.name, {**chosen, name: c}))
    return chosen


def floats(robot: RobotModel, chosen: Mapping[str, Fraction]) -> Floats:
    """Floats with the values of the robot and these numbers."""
    values: dict[str, Expression] = {**robot.values, **{name: Number(value) for name, value in chosen.items()}}
    return Floats(values, robot.name)


def _kind(owner: object, path: tuple[str | int, ...]) -> str:
    if isinstance(owner, Step):
        return "length" if owner.kind == "T" else "angle"
    return next((word for word in ("com", "mass", "gravity") if word in path), "other")


def _aside(robot: RobotModel, name: str, chosen: Mapping[str, Fraction]) -> float:
    """How far the CoM of a link lies from the middle between its joint and its farthest end."""
    scalars = floats(robot, chosen)
    link = robot.link(name)

    def at(entries: Vector[float]) -> Array:
        return np.array([*entries])

    R, p = link.joint.after.evaluate(scalars)
    joint = -at(R.T @ p)
    children = [other.joint.before for other in robot.links if other.parent == name]
    tool = [robot.tool.placement] if robot.tool and robot.tool.link == name else []
    ends = [at(Vector(0.0, 0.0, 0.0)), *(at(placement.evaluate(scalars)[1]) for placement in (*children, *tool))]
    end = max(ends, key=lambda point: float(np.linalg.norm(point - joint)))
    com = np.array([number(entry, scalars.values, robot.name) or 0.0 for entry in link.com])
    return float(np.linalg.norm(com - (joint + end) / 2))


def pose(robot: RobotModel, m: Mechanism[float]) -> Array:
    """Joint positions that show the arm well: its points apart on the page, above the ground, within the limits.

    The best of a fixed list of poses: the sum of the distances from each point to its nearest ones is the largest.
    """
    if robot.n == 0:
        return np.zeros(0)
    zero = _points(robot, m, np.zeros((1, robot.n)))
    reach = float(np.ptp(zero[0], axis=0).max()) or 1.0
    looks = view(m, zero)
    tries = np.stack([_values(*_range(robot, k, reach), _spread(k), robot.coordinates[k].revolute) for k in range(robot.n)], axis=1)
    points = _points(robot, m, tries)
    seen = points @ looks.page()[:2].T
    gaps = np.linalg.norm(seen[:, :, None] - seen[:, None], axis=3)
    # Points that are one in space are one on the page in every pose: the others decide.
    apart = np.linalg.norm(points[:, :, None] - points[:, None], axis=3) > 1e-6 * reach
    size = gaps.max(axis=(1, 2)) + 1e-12
    nearest = np.where(apart, gaps, np.inf).min(axis=2) / size[:, None]
    score = np.where(np.isfinite(nearest), np.minimum(nearest, NEAR), 0.0).sum(axis=1)
    score -= _crossings(seen, _lines(m))
    up = looks.axes[1 if looks.flat else 2]
    score += (points @ up).mean(axis=1) / reach
    if not looks.flat:
        score -= (points @ up < -0.02 * reach).sum(axis=1)
    return tries[int(np.argmax(np.round(score, 9)))]


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


def _values(low: float, high: float, shares: Array, revolute: bool) -> Array:
    """Values between two limits, angles in whole steps of 5 degrees where there is one."""
    values = low + (high - low) * shares
    step = pi / 36 if revolute else 10.0 ** floor(log10(high - low)) / 10
    near = step * np.round(values / step)
    return np.where((low <= near) & (near <= high), near, values)


def _spread(k: int) -> Array:
    """Numbers between 0 and 1 for the k-th coordinate, evenly spread together with those of the others."""
    return (0.78 + np.arange(1, TRIES + 1) * 0.9 ** (k + 1) * 0.6180339887) % 1.0


def _points(robot: RobotModel, m: Mechanism[float], q: Array) -> Array:
    """Joint points, frame origins and the tool at states (tries, n): (tries, points, 3), in the base frame."""
    joints = q if m.coupling is None else np.array([m.coupling.positions(row) for row in q.tolist()])
    count = len(joints)
    where: list[tuple[Array, Array]] = []
    rows = [np.zeros((count, 3))]

    for body in m.bodies:
        R, p = np.broadcast_to(array(body.R0), (count, 3, 3)), np.broadcast_to(np.array([*body.t0]), (count, 3))
        k = np.array([*body.k])
        if body.joint is not None:
            x = joints[:, body.joint]
            if body.revolute:
                R = R @ _turns(k, x)
            else:
                p = p + x[:, None] * (array(body.R0) @ k)
        turn, at = (np.eye(3), np.zeros((count, 3))) if body.parent is None else where[body.parent]
        where.append((turn @ R, at + (turn @ p[..., None])[..., 0]))
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


def array(matrix: Matrix[float]) -> Array:
    """A matrix of scalars as an array."""
    return np.array([[*row] for row in matrix])
