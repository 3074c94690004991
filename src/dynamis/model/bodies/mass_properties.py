"""What a body is in numbers: mass, CoM, inertia, principal axes, Euler matrix."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.display import Displayable
from dynamis.base.errors import ArgumentError, literal
from dynamis.model.bodies.shapes import Error
from dynamis.model.placement import Placement
from dynamis.scalars.floats import Floats

# Moments are equal if they differ by less than this share of the largest.
EQUALITY_TOLERANCE = 1e-10


@dataclass(frozen=True)
class PrincipalAxes(Displayable):
    """Principal moments [kg m^2], smallest first, and their axes as the columns of a rotation."""

    moments: Array
    axes: Array


@dataclass(frozen=True)
class MassProperties(Displayable):
    """Mass [kg], CoM (3,) [m] and inertia about the CoM (3, 3) [kg m^2] of a body.

    `error` estimates their relative error where a density was integrated numerically: of the mass, of the CoM (over
    the radius of gyration) and of the inertia (over its norm); 0 where there was no such density. `notes` are sentences
    on what was not checked about the body.

    >>> found = MassProperties(2.0, np.array([0.0, 0.0, 1.0]), np.diag([1.0, 2.0, 2.5]))
    >>> found.about([0, 0, 0])[0, 0], found.euler_matrix[0, 0]
    (np.float64(3.0), np.float64(1.75))
    """

    mass: float
    com: Array
    inertia: Array
    error: float = 0.0
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<MassProperties: {self.mass:.6g} kg>"

    def about(self, point: Any) -> Array:
        """The inertia about a point (3,) [m], in the same axes (parallel-axis theorem)."""
        d = self.com - _point(point)
        return self.inertia + self.mass * (d @ d * np.eye(3) - np.outer(d, d))

    def seen_from(self, frame: Any) -> MassProperties:
        """The same body in another frame: a chain such as "Tz(0.1) Rx(pi/2)" says where that frame stands."""
        turn, offset = Placement.of(frame).evaluate(Floats({}))
        R, p = np.array([list(row) for row in turn]), np.array(list(offset))
        return MassProperties(self.mass, R.T @ (self.com - p), R.T @ self.inertia @ R, self.error, self.notes)

    @property
    def principal(self) -> PrincipalAxes:
        """The principal moments and axes; each of the first two axes has its largest entry positive.

        Where moments are equal, any axes across the others would do: the nearest to x, y, z are given.
        """
        moments, axes = np.linalg.eigh(self.inertia)
        axes = _turn_to_frame(moments, axes)
        for k in (0, 1):
            axes[:, k] *= np.sign(axes[np.argmax(np.abs(axes[:, k])), k])
        axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
        return PrincipalAxes(moments, axes + 0.0)

    @property
    def euler_matrix(self) -> Array:
        """J_c = integral of r r^T dm about the CoM; I_c = trace(J_c) 1 - J_c."""
        return np.trace(self.inertia) / 2 * np.eye(3) - self.inertia

    def as_dict(self) -> dict[str, Any]:
        """Plain data: numbers and lists of numbers."""
        principal = self.principal
        return {
            "mass": self.mass,
            "com": self.com.tolist(),
            "inertia_about_com": self.inertia.tolist(),
            "inertia_about_origin": self.about([0, 0, 0]).tolist(),
            "principal_moments": principal.moments.tolist(),
            "principal_axes": principal.axes.T.tolist(),
            "euler_matrix": self.euler_matrix.tolist(),
            "integration_error": self.error,
        }


def _point(values: Any) -> Array:
    """Three finite numbers."""
    try:
        point = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        point = np.empty(0)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise ArgumentError(f"point must be three finite values [x, y, z] in m, got {literal(values)}", key="point")
    return point


def relative(error: Error, mass: float, inertia: Array) -> float:
    """The largest of the errors of mass, CoM and inertia over the mass, the radius of gyration, the inertia."""
    if error == Error():
        return 0.0
    size = float(np.linalg.norm(inertia))
    radius = float(np.sqrt(np.trace(inertia) / 2 / mass))
    shares = [error.mass / mass, *([error.com / radius, error.inertia / size] if size > 0 else [])]
    return max(shares)


def _turn_to_frame(moments: Array, axes: Array) -> Array:
    """The eigenvectors, with those of equal moments turned towards x, y, z."""
    same = np.diff(moments) <= EQUALITY_TOLERANCE * max(abs(float(moments[-1])), 1e-300)
    if same.all():
        return np.eye(3)
    if not same.any():
        return axes
    pair, single = ([0, 1], 2) if same[0] else ([1, 2], 0)
    alone = axes[:, single]
    # Of x, y and z, that which lies best in the plane across the third axis.
    inside = np.eye(3) - np.outer(alone, alone)
    best = inside[:, int(np.argmax(np.round(np.diag(inside), 9)))]
    axes = axes.copy()
    axes[:, pair[0]] = best / np.linalg.norm(best)
    axes[:, pair[1]] = np.cross(alone, axes[:, pair[0]])
    return axes
