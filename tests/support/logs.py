"""Logs of motions that the project simulates itself: truth is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dynamis import Robot
from dynamis.arrays import Array

DATA = Path(__file__).parents[3] / "shared" / "data"
"""Logs of real robots beside the project, which their licences keep out of it; most machines do not have them."""


def fourier(n: int, samples: int = 1000, rate: float = 200.0, seed: int = 0) -> tuple[Array, Array, Array, Array]:
    """t, q, qd, qdd of random Fourier series of five harmonics."""
    rng = np.random.default_rng(seed)
    t = np.arange(samples) / rate
    w = 2 * np.pi * 0.2 * np.arange(1, 6)
    a, b = rng.normal(size=(2, 5, n)) / (w[:, None] + 1)
    s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
    q = rng.uniform(-1, 1, n) + s @ a + c @ b
    qd = (c * w) @ a - (s * w) @ b
    return t, q, qd, -(s * w**2) @ a - (c * w**2) @ b


def log(robot: Robot, noise: float = 0.0, whole: bool = True, **options: Any) -> dict[str, Array]:
    """A log of the robot along Fourier series; `whole` with velocities and accelerations."""
    t, q, qd, qdd = fourier(robot.n, **options)
    tau = robot.inverse_dynamics(q, qd, qdd)
    if noise:
        tau = tau + noise * np.random.default_rng(options.get("seed", 0) + 1000).normal(size=tau.shape)
    return {"t": t, "q": q, "tau": tau, **({"qd": qd, "qdd": qdd} if whole else {})}
