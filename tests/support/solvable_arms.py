"""Random arms of the kinds that have closed forms, with link frames at random."""

from __future__ import annotations

import numpy as np

from dynamis import Frame, Joint, Limits, Link, Robot
from dynamis.base.arrays import Array


def rotation(rng: np.random.Generator) -> tuple[Array, str]:
    """A random rotation, as a matrix and as a chain."""
    a, b, c = rng.uniform(-np.pi, np.pi, 3).tolist()
    Rz = lambda x: np.array([[np.cos(x), -np.sin(x), 0], [np.sin(x), np.cos(x), 0], [0, 0, 1]])  # noqa: E731
    Rx = lambda x: np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])  # noqa: E731
    return Rz(a) @ Rx(b) @ Rz(c), f"Rz({a!r}) Rx({b!r}) Rz({c!r})"


def arm(axes: Array, points: Array, tool: Array, rng: np.random.Generator, limits: Limits | None = None) -> Robot:
    """Turning joints about `axes` through `points` (base frame, q = 0); links have frames turned at random."""
    links: list[Link] = []
    R = np.eye(3)
    at, back = np.zeros(3), ""
    for j, (z, P) in enumerate(zip(axes, points, strict=True)):
        slide = float(rng.uniform(-0.2, 0.2))
        origin = P + slide * z  # anywhere on the axis
        x, y, w = (float(v) for v in R.T @ (origin - at))
        S, turn = rotation(rng)
        before = f"Tx({x!r}) Ty({y!r}) Tz({w!r}) {turn}"
        R = R @ S
        axis = tuple(float(v) for v in R.T @ z)
        joint = Joint(f"q{j + 1}", axis=axis, before=before, limits=limits or Limits())  # type: ignore[arg-type]
        links.append(Link(f"link{j + 1}", joint, back or "base", mass=1.0))
        at, back = origin, f"link{j + 1}"
    x, y, w = (float(v) for v in R.T @ (tool - at))
    placed = Frame("tool", back, f"Tx({x!r}) Ty({y!r}) Tz({w!r}) {rotation(rng)[1]}")  # type: ignore[arg-type]
    return Robot("drawn", tuple(links), tool=placed)


def unit(rng: np.random.Generator) -> Array:
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def planar_arm(rng: np.random.Generator, n: int) -> Robot:
    z = unit(rng)
    signs = rng.choice([-1.0, 1.0], n)
    points = rng.uniform(-1, 1, (n, 3))
    return arm(z * signs[:, None], points, rng.uniform(-1, 1, 3), rng)


def wrist_arm(rng: np.random.Generator, limits: Limits | None = None, general: bool = False) -> Robot:
    """Axes 2 and 3 parallel and across axis 1 (`general`: at any angle), axes 4, 5, 6 through a point."""
    z1, other = unit(rng), unit(rng)
    z2 = other if general else np.cross(z1, other) / np.linalg.norm(np.cross(z1, other))
    c = rng.uniform(-1, 1, 3)
    z4, z6 = unit(rng), unit(rng)
    z5 = np.cross(z4, z6) / np.linalg.norm(np.cross(z4, z6)) if not general else unit(rng)
    axes = np.array([z1, z2, z2 * rng.choice([-1.0, 1.0]), z4, z5, z6])
    points = np.vstack([rng.uniform(-1, 1, (3, 3)), c, c, c])
    return arm(axes, points, rng.uniform(-1, 1, 3), rng, limits)
