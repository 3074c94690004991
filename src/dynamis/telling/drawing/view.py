"""From where a robot is seen: a flat one across its plane, a spatial one in an axonometric view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.kinematics.poses import poses
from dynamis.compute.mechanics.mechanism import Mechanism, state_at

PARALLEL_SINE = 1e-9
"""Axes with a smaller sine between them are parallel."""
FLAT_SHARE = 0.25
"""A robot whose points move in parallel planes is drawn flat if these are within this share of its size."""
POSTURES = 12
"""Of a motion, that a view takes in."""
LEAST_SIZE = 0.3
"""Of an arm as a share of its motion: a gantry whose joints all start in one point is drawn, too."""
VIEW_AZIMUTH, VIEW_ELEVATION = -0.9, 0.35
"""From where a spatial robot is first seen [rad]."""


@dataclass(frozen=True)
class View:
    """Three unit vectors of the base frame. Of a flat robot: to the right, up the page, and towards the reader.

    Of a spatial one: two horizontal ones and the vertical one; it is seen from `VIEW_AZIMUTH` and `VIEW_ELEVATION`.
    """

    flat: bool
    axes: Array
    """(3, 3), one vector per row."""

    def page(self) -> Array:
        """To the right, up the page, towards the reader: (3, 3), one vector per row."""
        if self.flat:
            return self.axes
        (ca, sa), (ce, se) = (np.array([np.cos(x), np.sin(x)]) for x in (VIEW_AZIMUTH, VIEW_ELEVATION))
        return np.array([[-sa, ca, 0.0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]]) @ self.axes

    def scene(self, points: Array, seen: Array) -> dict[str, Any]:
        """What a viewer in three dimensions takes in: the figure, points (points, 3), and of a motion, (..., 3)."""
        seen = seen.reshape(-1, seen.shape[-2], 3)[:: max(1, seen[..., 0, 0].size // POSTURES)].reshape(-1, 3)
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        size, way = (float(np.linalg.norm(x - middle, axis=1).max()) for x in (points, seen))
        return {
            "flat": self.flat, "axes": self.axes, "middle": middle, "seen": seen.round(4),
            "size": max(size, LEAST_SIZE * way) or 1.0,
        }  # fmt: skip


def view(m: Mechanism[float], points: Array) -> View:
    """How to look at a robot whose points (..., points, 3) are drawn.

    It is flat if all revolute axes are parallel and all prismatic ones are normal to them: then no point ever leaves
    its plane. Up is against gravity, or z without gravity.
    """
    gravity = np.array([*m.gravity])
    size = np.linalg.norm(gravity)  # which is 0 for 1e-320, too
    up = -gravity / size if size > 0 else np.array([0.0, 0.0, 1.0])
    normal = _normal(m, up)
    if normal is not None:
        heights = points @ normal
        extent = max(float(np.ptp(points[..., k])) for k in range(3))
        if np.ptp(heights) <= FLAT_SHARE * extent:
            candidates = (up, np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]))
            upward = next(v for v in candidates if np.linalg.norm(np.cross(v, normal)) > 0.1)
            upward = upward - normal * (normal @ upward)
            upward /= np.linalg.norm(upward)
            return View(True, np.array([np.cross(upward, normal), upward, normal]))
    ahead = next(v for v in np.eye(3) if np.linalg.norm(np.cross(v, up)) > 0.1)
    ahead = ahead - up * (up @ ahead)
    ahead /= np.linalg.norm(ahead)
    return View(False, np.array([ahead, np.cross(up, ahead), up]))


def _normal(m: Mechanism[float], up: Array) -> Array | None:
    """The unit vector across the plane in which a robot moves for all q; None where it leaves every plane."""
    bodies = zip(m.bodies, poses(m, state_at(m, [0.0] * m.n)), strict=True)
    axes = [(body.revolute, np.array([*(pose.R @ body.k)])) for body, pose in bodies if body.joint is not None]
    revolute, prismatic = ([axis for kind, axis in axes if kind is wanted] for wanted in (True, False))
    if not axes:
        return None
    if revolute:
        normal = revolute[0]
    else:
        # Only prismatic joints: across two of them, or for a single line also across what is up.
        other = next(
            (axis for axis in [*prismatic[1:], up, *np.eye(3)] if _sine(prismatic[0], axis) > PARALLEL_SINE), up
        )
        normal = np.cross(prismatic[0], other)
        normal /= np.linalg.norm(normal)
        # Seen from where the axes of the base go to the right, or, from above, towards the reader.
        right = np.cross(up, normal) if _sine(up, normal) > PARALLEL_SINE else normal
        normal *= np.sign(right[np.argmax(np.abs(right))])
    parallel = all(_sine(axis, normal) <= PARALLEL_SINE for axis in revolute)
    return normal if parallel and all(abs(axis @ normal) <= PARALLEL_SINE for axis in prismatic) else None


def _sine(a: Array, b: Array) -> float:
    return float(np.linalg.norm(np.cross(a, b)))
