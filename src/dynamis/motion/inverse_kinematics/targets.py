"""Targets of a frame: positions (..., 3) or poses (..., 4, 4), checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.base.arguments import real_values
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, literal


def target_array(target: Any, name: str = "target") -> tuple[Array, bool]:
    """Targets as an array, and whether they are poses; `name` is what they are called in a sentence."""
    array = real_values(name, target)
    pose = array.ndim >= 2 and array.shape[-2:] == (4, 4)
    if not pose and (array.ndim < 1 or array.shape[-1] != 3):
        got = f"shape {array.shape}" if array.size else literal(target)
        raise ArgumentError(f"{name} must be a position (..., 3) [m] or a pose (..., 4, 4), got {got}", key=name)
    if not np.isfinite(array).all():
        raise ArgumentError(f"{name} has values that are not finite", key=name)
    if pose:
        R = array[..., :3, :3]
        off = np.abs(R @ np.swapaxes(R, -1, -2) - np.eye(3)).max(initial=0.0)
        if off > 1e-6 or (np.linalg.det(R) < 0).any() or (array[..., 3, :] != [0.0, 0.0, 0.0, 1.0]).any():
            raise ArgumentError(
                f"{name} is not a pose: R R^T is {off:.2g} from 1, or its last row is not 0 0 0 1; "
                "a pose is [R p; 0 0 0 1] with a rotation R",
                key=name,
            )
    return array, pose


def angle_between(R: Array, S: Array) -> Array:
    """The angle [rad] of the rotation from R to S: (...)."""
    D = np.swapaxes(R, -1, -2) @ S
    sine = np.stack([D[..., 2, 1] - D[..., 1, 2], D[..., 0, 2] - D[..., 2, 0], D[..., 1, 0] - D[..., 0, 1]], axis=-1)
    return np.arctan2(np.linalg.norm(sine, axis=-1), np.trace(D, axis1=-2, axis2=-1) - 1)
