"""Where the CoM of a link may lie: in a box, or in the convex hull of its mesh.

A convex region is the half-spaces n.c <= d of its faces. With the mass m and the first moment h = m c of the link they
are linear, d m - n.h >= 0, so that a fit under them stays convex.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.base.arguments import real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.model.bodies.mesh import Mesh, read_mesh

if TYPE_CHECKING:
    from dynamis.robot import Robot


def com_regions(robot: Robot, inside: Mapping[str, Any] | None) -> dict[int, Array]:
    """Of links by their index the rows (d, -n), (faces, 4), with d m - n.h >= 0 for every face.

    inside: for links by name two corners of a box, the points of a hull, or a mesh or its file, in link axes [m]
    """
    regions: dict[int, Array] = {}
    for name, region in (inside or {}).items():
        link = robot.link(name)
        if isinstance(region, str | Path):
            region = read_mesh(region, density=1)
        points = region.vertices if isinstance(region, Mesh) else real_values("com_inside", region)
        if points.ndim != 2 or points.shape[1] != 3 or not np.isfinite(points).all():
            raise ArgumentError(
                f'com_inside of "{name}" must be two corners of a box ((x, y, z), (x, y, z)), points or a mesh [m]',
                key="com_inside",
            )
        regions[robot.links.index(link)] = _box(name, points) if len(points) == 2 else _hull(name, points)
    return regions


def _box(name: str, corners: Array) -> Array:
    low, high = corners
    if not (low <= high).all():
        raise ArgumentError(
            f'com_inside of "{name}" must have its lowest corner first, ((x, y, z), (x, y, z)) [m]', key="com_inside"
        )
    return np.vstack([np.column_stack([high, -np.eye(3)]), np.column_stack([-low, np.eye(3)])])


def _hull(name: str, points: Array) -> Array:
    spatial = import_module("scipy.spatial")
    try:
        faces = spatial.ConvexHull(points).equations  # n.c + offset <= 0
    except (spatial.QhullError, ValueError):
        raise ArgumentError(
            f'com_inside of "{name}" has {len(points)} points without a volume; a hull needs four that are not in a '
            "plane",
            key="com_inside",
        ) from None
    return np.unique(np.column_stack([-faces[:, 3], -faces[:, :3]]).round(12), axis=0)
