"""Random trajectories of every kind."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.motion.trajectories.double_s import double_s
from dynamis.motion.trajectories.parabolic_blends import parabolic_blends
from dynamis.motion.trajectories.polynomials import cubic, quintic, septic
from dynamis.motion.trajectories.spline import spline
from dynamis.motion.trajectories.trapezoidal import trapezoidal

KINDS = [
    "cubic", "quintic", "septic", "blends", "blends shortest", "blends own times", "via", "via shortest",
    "trapezoidal", "trapezoidal own times", "trapezoidal longer", "double-S", "double-S own times", "double-S longer",
    "spline 3", "spline 5", "spline 7", "spline shortest",
]  # fmt: skip


class Drawn:
    """A trajectory with what was asked of it."""

    def __init__(self, kind: str, seed: int) -> None:
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 5))
        self.points = rng.uniform(-3, 3, (int(rng.integers(2, 6)), n))
        q0, q1 = self.points[0], self.points[-1]
        if n > 1 and rng.random() < 0.2:
            q1[0] = q0[0]
        T = float(rng.uniform(0.3, 5))
        self.v, self.a, self.j = rng.uniform(0.3, 4, n), rng.uniform(0.3, 8, n), rng.uniform(0.5, 40, n)
        t = np.concatenate([[0.0], np.cumsum(rng.uniform(0.2, 2, len(self.points) - 1))])
        own = kind.endswith("own times")
        self.limits: dict[str, Any] = {"velocity": self.v, "acceleration": self.a}
        self.through = (0, -1)
        match kind.split():
            case ["cubic"]:
                self.trajectory = cubic(q0, q1, T)
            case ["quintic"]:
                self.trajectory = quintic(q0, q1, T)
            case ["septic"]:
                self.trajectory = septic(q0, q1, T)
            case ["blends"]:
                self.a = 4 * np.abs(q1 - q0) / T**2 * rng.uniform(1, 3, n) + 1e-3
                self.trajectory = parabolic_blends(q0, q1, T, acceleration=self.a)
                self.limits = {"acceleration": self.a}
            case ["blends", *_]:
                self.trajectory = parabolic_blends(q0, q1, acceleration=self.a, velocity=self.v, synchronised=not own)
            case ["via"]:
                self.a = np.full(n, 2000.0)
                via = self.points[1:-1]
                times = np.diff(t) if len(via) else float(t[-1])
                self.trajectory = parabolic_blends(q0, q1, times, acceleration=self.a, via=via)
                self.limits = {"acceleration": self.a}
            case ["via", _]:
                self.trajectory = parabolic_blends(q0, q1, acceleration=self.a, velocity=self.v, via=self.points[1:-1])
            case ["trapezoidal", *rest]:
                self.trajectory = trapezoidal(
                    q0, q1, self.v, self.a, synchronised=not own, duration=100.0 if rest == ["longer"] else None
                )
            case ["double-S", *rest]:
                self.trajectory = double_s(
                    q0, q1, self.v, self.a, self.j, synchronised=not own,
                    duration=100.0 if rest == ["longer"] else None,
                )  # fmt: skip
                self.limits["jerk"] = self.j
            case ["spline", "shortest"]:
                self.trajectory = spline(self.points, velocity=self.v, acceleration=self.a)
                self.through = tuple(range(len(self.points)))
            case ["spline", degree]:
                self.trajectory = spline(self.points, t, degree=int(degree))
                self.through = tuple(range(len(self.points)))
        if kind in ("cubic", "quintic", "septic", "spline 3", "spline 5", "spline 7"):
            self.limits = {}
        self.rests = kind in ("quintic", "septic", "spline 5", "spline 7") or kind.startswith("double-S")
        self.smooth = {"quintic": 2, "septic": 3, "spline 5": 4, "spline 7": 6}.get(
            kind, 2 if kind.startswith(("double-S", "spline")) else 1
        )
