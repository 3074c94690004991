"""A periodic motion that is followed from rest to rest: the path of the curve, taken slowly at both ends.

    q(t) = Q(s(t)),      ds/dt = h(t/T), 1, h((duration - t)/T)      h(x) = 10 x^3 - 15 x^4 + 6 x^5, T the ramp

Q is the periodic curve. On the ramps the robot is on the same path as later, so that it keeps all limits of position
and of the tool, and moves no faster. Accelerations have the term dQ/ds d2s/dt2 more, which a longer ramp makes small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from dynamis.apps.identification.excitation.curves import Curve, instants, motion_of
from dynamis.base.arrays import Array
from dynamis.motion.trajectories.trajectory import Motion, Peaks, clip_times, sampled_peaks


@dataclass(frozen=True, eq=False)
class PeriodicTrajectory:
    """A `Trajectory`: a ramp, `periods` of the curve from its instant `start`, and a ramp."""

    curve: Curve
    coefficients: Array
    periods: int
    ramp: float
    """The time of each ramp [s]."""
    start: float = 0.0
    kind: str = "periodic"

    @property
    def n(self) -> int:
        """The number of joints."""
        return self.coefficients.shape[1]

    @property
    def duration(self) -> float:
        """[s]"""
        return self.periods * self.curve.period + 2 * self.ramp

    def at(self, t: ArrayLike) -> Motion:
        """q, qd, qdd at the times t [s]: t.shape + (n,) each."""
        times, outside = clip_times(t, self.duration)
        flat, T = times.ravel(), self.ramp
        x = np.clip(flat / T, 0, 1), np.clip((self.duration - flat) / T, 0, 1)
        first, last = (T * x**4 * (2.5 - 3 * x + x**2) for x in x)
        # Half of a ramp's time is lost against the curve: it has passed T/2 of it when the ramp ends.
        s = first - T / 2 + np.clip(flat - T, 0, self.periods * self.curve.period) + (T / 2 - last)
        rate = np.minimum(*(x**3 * (10 - 15 * x + 6 * x**2) for x in x))
        slope = (30 * (x[0] * (1 - x[0])) ** 2 - 30 * (x[1] * (1 - x[1])) ** 2) / T
        Q, Qd, Qdd = motion_of(self.coefficients, self.curve.matrices(np.asarray(self.start + s, np.float64)))
        rate, slope = rate[:, None], slope[:, None]
        still = outside.ravel()[:, None]
        parts = Q, np.where(still, 0.0, Qd * rate), np.where(still, 0.0, Qdd * rate**2 + Qd * slope)
        q, qd, qdd = (part.reshape(*times.shape, self.n) for part in parts)
        return q, qd, qdd

    def period_samples(self, count: int) -> Motion:
        """q, qd, qdd at equal steps of one period of the curve."""
        return motion_of(self.coefficients, self.curve.matrices(self.start + instants(self.curve, count)))

    def peaks(self) -> Peaks:
        """The extremes of q, qd and qdd, sampled."""
        return sampled_peaks(self, np.array([self.ramp, self.duration - self.ramp]))

    def sentences(self) -> list[str]:
        """What the motion is, for its page."""
        return [
            f"{self.periods} period{'s' * (self.periods != 1)} of {self.curve.period:g} s, from rest to rest over "
            f"ramps of {self.ramp:g} s"
        ]
