"""Errors of a model's torques per joint, on samples that it has not seen, beside what simpler models leave."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array

GOOD_ERROR_SHARE = 0.15
"""An error on held-out samples below this part of the torque's standard deviation is good: 98 % of the variance."""
POOR_ERROR_SHARE = 0.5
"""Above this part a model predicts little more than the mean."""
MAX_EXTRAPOLATION = 5.0
"""A log excites too little where the standard error at other states is more than so many times that on the log: of
logs of good motions it is 1 to 4, and models that are wrong elsewhere have 6 and more (benchmarks/mistakes.py)."""
NEGLIGIBLE_ERROR_SHARE = 1e-3
"""What held-out errors grow to at other states, relative to the variation, that needs no better excitation."""
MIN_TORQUE_VARIATION = 0.002
"""A joint whose torque varies by less than this part of the largest one is judged by itself: a last link that is round
about its axis leaves a torque of noise, which says nothing about the other joints."""


@dataclass(frozen=True)
class JointErrors:
    """RMS errors of every coordinate [N m or N]; each is of samples that were held out but `fitted`."""

    torque: Array
    """RMS torque: the error of predicting zero."""
    variation: Array
    """Standard deviation of the torque: the error of predicting its mean, which gravity cannot flatter."""
    held_out: Array
    measured: Array
    """Against the torque as it was measured, before the filter, with dry friction as sharp: `held_out` and the noise
    that was filtered off."""
    fitted: Array
    """On the samples of the fit themselves."""
    gravity: Array
    """Of the identified gravity torques alone."""
    given: Array | None
    """Of the robot as it was given; None where it has no masses."""
    elsewhere: Array
    """A cautious standard error of the torques at other states within the ranges of the log (elsewhere.py)."""
    extrapolation: Array
    """How many times the standard error at such states is as large as on the log, which depends on its motion alone."""
    unmodelled: Array
    """What the model has no terms for, at such states (unmodelled.py)."""

    @property
    def shares(self) -> Array:
        """`held_out` over `variation`, of joints that bear any torque."""
        return self._share(self.held_out)

    @property
    def shares_elsewhere(self) -> Array:
        """`elsewhere` over `variation`, of joints that bear any torque."""
        return self._share(self.elsewhere)

    @property
    def blind(self) -> NDArray[np.bool_]:
        """Whether the log excites a coordinate too little for other motions."""
        return (self.extrapolation > MAX_EXTRAPOLATION) & (self.extrapolation * self.shares > NEGLIGIBLE_ERROR_SHARE)

    @property
    def expected(self) -> Array:
        """What to expect in other motions within the ranges of the log, over `variation`: what no parameter explains,
        and what the parameters do not tell."""
        return np.hypot(self._share(self.unmodelled), self.shares_elsewhere)

    @property
    def good(self) -> NDArray[np.bool_]:
        """Whether a coordinate is predicted well, on samples that were held out and at other states."""
        return (self.expected <= GOOD_ERROR_SHARE) & ~self.vague

    @property
    def vague(self) -> NDArray[np.bool_]:
        """Whether the log tells too little of a coordinate for other motions."""
        return (self.shares_elsewhere > GOOD_ERROR_SHARE) | self.blind

    @property
    def failed(self) -> bool:
        """Whether so much is left of a coordinate that counts, or so uncertain, that the others are in doubt too."""
        counts = self.variation > MIN_TORQUE_VARIATION * self.variation.max(initial=0.0)
        return bool((counts & ((self.shares > POOR_ERROR_SHARE) | self.vague)).any() or self.blind.any())

    def _share(self, error: Array) -> Array:
        return error / np.maximum(self.variation, max(1e-9 * float(self.torque.max(initial=0.0)), 1e-300))
