"""What the 3-D view of a page draws: points that the model gives, what lies between them, and from where it is seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.mechanism import mechanism
from dynamis.robot import Robot
from dynamis.simulation.animation.skeleton import Skeleton, skeleton
from dynamis.telling.drawing.numbers import array
from dynamis.telling.drawing.view import POSTURES, view

LEAST_MOMENT = 1e-9
"""Inertia below this share of the largest moment is none: the ellipsoid of a thin bar is thin."""


def figure_data(robot: Robot, q: Array, motion: Array | None = None) -> dict[str, Any]:
    """Segments between points, the ellipsoids of inertia, and the view; all else comes from the model in the page.

    The view takes in the posture `q`, and the postures (samples, n) of a motion.
    """
    figure = skeleton(robot, np.stack([q, 0.9 * q + 0.1]))
    points = figure.points(q[None])[0]
    seen = points if motion is None else figure.points(motion[:: max(1, len(motion) // POSTURES)])
    m = mechanism(robot, robot.floats())
    return {
        "segments": [[_point(figure, k) for k in pair] for pair in figure.segments],
        "tip": _point(figure, figure.tip),
        "ellipsoids": [_ellipsoid(float(body.mass), array(body.inertia)) for body in m.of_links(m.bodies)],
        **view(m, points[None]).scene(points, seen),
    }  # fmt: skip


def _point(figure: Skeleton, k: int) -> list[Any]:
    """A point by its kind: the base, the joint of a link, the tool, a link's CoM, a point of a link."""
    links, tool = len(figure.robot.links), figure.robot.tool is not None
    if k == 0:
        return ["base"]
    if k <= links:
        return ["joint", k - 1]
    k -= links + 1
    if tool and k == 0:
        return ["tool"]
    k -= tool
    if k < len(figure.ends):
        return ["com", figure.ends[k]]
    loop = figure.loops[k - len(figure.ends)]
    return ["point", loop.links[1] - 1, *map(float, loop.points[1])]


def _ellipsoid(mass: float, inertia: Array) -> list[list[float]] | None:
    """The semi-axes of the solid ellipsoid with this mass and inertia about its CoM, as columns in link axes [m].

    The square of a semi-axis is 5/(2 m) times the other two principal moments less its own.
    """
    moments, axes = np.linalg.eigh(inertia)
    if mass <= 0 or moments[-1] <= 0:
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        squares = 2.5 / mass * (moments.sum() - 2 * moments)
    if not np.isfinite(squares).all():  # a mass of 1e-320
        return None
    return (axes * np.sqrt(np.maximum(squares, LEAST_MOMENT * squares.max()))).tolist()
