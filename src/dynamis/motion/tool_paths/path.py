"""Where the tool goes: a straight line or a circular arc of its point, with its orientation turned about one axis.

Over s from 0 to 1: position p(s) with p', p'' and R(s) = exp(s theta [w]) R(0) with a constant axis w (slerp), so that
w theta is its angular velocity over s.

Source: K. Shoemake, Animating rotation with quaternion curves, SIGGRAPH 1985 (slerp); L. Biagiotti, C. Melchiorri,
Trajectory Planning for Automatic Machines and Robots, 2008, sections 8.2 and 8.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dynamis.base.arrays import Array
from dynamis.motion.inverse_kinematics.screws import rotate_vectors
from dynamis.motion.inverse_kinematics.targets import angle_between
from dynamis.motion.trajectories.trajectory import MotionError


class Curve(Protocol):
    """A curve of a point over s from 0 to 1."""

    @property
    def length(self) -> float:
        """[m]"""
        ...

    def at(self, s: Array) -> tuple[Array, Array, Array]:
        """p, p', p'': (..., 3) each."""
        ...


@dataclass(frozen=True, eq=False)
class Line:
    """p = a + s (b - a)."""

    a: Array
    b: Array

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.b - self.a))

    def at(self, s: Array) -> tuple[Array, Array, Array]:
        way = np.broadcast_to(self.b - self.a, (*s.shape, 3))
        return self.a + s[..., None] * way, way, np.zeros_like(way)


@dataclass(frozen=True, eq=False)
class Arc:
    """p = c + cos(s phi) u + sin(s phi) v, with u and v of the circle's radius and at right angles."""

    c: Array
    u: Array
    v: Array
    phi: float

    @property
    def length(self) -> float:
        return self.phi * float(np.linalg.norm(self.u))

    def at(self, s: Array) -> tuple[Array, Array, Array]:
        x = self.phi * s[..., None]
        out = np.cos(x) * self.u + np.sin(x) * self.v
        along = np.cos(x) * self.v - np.sin(x) * self.u
        return self.c + out, self.phi * along, -(self.phi**2) * out

    @staticmethod
    def through(a: Array, b: Array, d: Array) -> Arc:
        """The arc from a through b to d."""
        x, y = b - a, d - a
        normal = np.cross(x, y)
        square = float(normal @ normal)
        if square <= 1e-20 * float((x @ x) * (y @ y)) or not square:
            raise MotionError(
                "start, via and goal lie on one line (or two are the same), so no circle is given by them; "
                "move via aside, or use tool_line"
            )
        # Circumcentre of a triangle with a corner at 0.
        c = a + (np.cross(normal, x) * (y @ y) + np.cross(y, normal) * (x @ x)) / (2 * square)
        u, n = a - c, normal / np.sqrt(square)
        v = np.cross(n, u)
        phi = float(np.arctan2((d - c) @ v, (d - c) @ u)) % (2 * np.pi)
        return Arc(c, u, v.astype(np.float64), phi)


@dataclass(frozen=True, eq=False)
class Turn:
    """R(s) = exp(s theta [w]) R(0); `rate` is theta w, in base axes."""

    R: Array
    rate: Array

    def at(self, s: Array) -> Array:
        theta = float(np.linalg.norm(self.rate))
        if not theta:
            return np.broadcast_to(self.R, (*s.shape, 3, 3))
        columns = [
            rotate_vectors(self.rate / theta, theta * s, np.broadcast_to(self.R[:, k], (*s.shape, 3))) for k in range(3)
        ]
        return np.stack(columns, axis=-1)

    @staticmethod
    def between(R: Array, S: Array) -> Turn:
        """The shortest turn from R to S."""
        theta = float(angle_between(R, S))
        D = S @ R.T
        sine = np.array([D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]])
        if theta < 1e-12:
            return Turn(R, np.zeros(3))
        if theta < np.pi - 1e-6:
            return Turn(R, theta * sine / np.linalg.norm(sine))
        # Half a turn: (D + 1)/2 = w w^T.
        square = (D + np.eye(3)) / 2
        w = square[:, int(np.argmax(np.diag(square)))]
        w = w / np.linalg.norm(w)
        return Turn(R, theta * (w if w @ sine >= 0 else -w))
