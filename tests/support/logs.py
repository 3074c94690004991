"""Logs of motions that the project simulates itself: truth is known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dynamis import Robot, load
from dynamis.base.arrays import Array
from dynamis.identification import with_mass_error

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


def rough_log(name: str, seed: int, seconds: float, friction: float = 0.1) -> tuple[Robot, dict[str, Array]]:
    """A robot with the masses of its drawings, and a log of the real one: noise in all signals, friction that no model
    has."""
    robot = load(name)
    real, rng = with_mass_error(robot, 15, seed=seed), np.random.default_rng(seed + 77)
    t, w = np.arange(4000) / 200, 0.2 * np.pi * np.arange(1, 6)
    a, b = 0.8 * rng.normal(size=(2, 5, robot.n)) / (w[:, None] + 1)
    s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
    q = rng.uniform(-1, 1, robot.n) + s @ a + c @ b
    qd, qdd = (c * w) @ a - (s * w) @ b, -(s * w**2) @ a - (c * w**2) @ b
    tau = real.inverse_dynamics(q, qd, qdd)
    size = np.maximum(tau.std(axis=0), 0.02 * tau.std(axis=0).max())
    tau = tau + size * (friction * (np.tanh(qd / 0.02) + qd / qd.std(axis=0)) + 0.02 * rng.normal(size=q.shape))
    some = slice(round(200 * seconds))
    return robot, {"t": t[some], "q": (q + 1e-4 * rng.normal(size=q.shape))[some], "tau": tau[some]}
