"""From one trial to the next: the law of learning, and a low-pass filter without phase.

    u_{k+1}(i) = u_k(i) + Q [ L_P e_k(i + a) + L_D ed_k(i + a) ]

The law "feedback" learns what the PD loop had to add, L = gain (K_P, K_D); "pd-type" has gains of its own. a is
`ahead`: torque held from sample i acts on what is measured at i + 1. Q is the identity or a smoother.

Sources: S. Arimoto, S. Kawamura, F. Miyazaki, Bettering operation of robots by learning, J. Robotic Systems 1, 1984
(the law); E. T. Whittaker, On a new method of graduation, Proc. Edinburgh Math. Soc. 41, 1923 (the smoother); R. W.
Longman, Iterative learning control and repetitive control for engineering practice, Int. J. Control 73, 2000 (the
advance by a sample, and the filter).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arguments import integer, number, positive
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.simulation.learning.gains import non_negative_gains
from dynamis.simulation.learning.trial import Trials

LAWS = ("feedback", "pd-type")
MOST_GAIN, LEAST_HZ = 1e6, 1e-6
"""Beyond these no law converges and no filter passes a motion; far beyond, their powers overflow."""


@dataclass(frozen=True)
class Update:
    """The gains L = [L_P L_D] (n, 2 n), the advance in samples, and the cut-off of the filter [Hz], None for none.

    `gain` is that of the law "feedback", None for other laws.
    """

    gain: float | None
    L: Array
    ahead: int
    cutoff: float | None
    period: float
    count: int

    @cached_property
    def reads(self) -> NDArray[np.intp]:
        """Which of the count + 1 instants each sample learns from."""
        return np.minimum(np.arange(self.count) + self.ahead, self.count)

    def change(self, errors: Array) -> Array:
        """u_{k+1} - u_k from the errors e and ed at count + 1 instants, (count + 1, 2 n)."""
        return self.filtered(errors[self.reads] @ self.L.T)

    def filtered(self, values: Array) -> Array:
        """Q times values (count, ...). Q is symmetric, with eigenvalues in (0, 1].

        Q^-1 = 1 + w D^T D with D the second differences: |Q(f)| = 1 / (1 + (sin(pi f Tc) / sin(pi f_c Tc))^4).
        """
        if self.cutoff is None or self.count < 3:
            return values
        weight = (2 * np.sin(np.pi * self.cutoff * self.period)) ** -4
        bands = np.zeros((3, self.count))
        for row, weights in ((0, (1.0, 4.0, 1.0)), (1, (-2.0, -2.0)), (2, (1.0,))):
            for k, value in enumerate(weights):
                bands[row, k : self.count - 2 + k] += weight * value
        bands[0] += 1.0
        return import_module("scipy.linalg").solveh_banded(bands, values, lower=True)


def learning_update(law: Any, gain: Any, lp: Any, ld: Any, ahead: Any, cutoff: Any, runs: Trials) -> Update:
    """The law for the arguments of `learn`, checked."""
    period = runs.sampling.period
    if law not in LAWS:
        raise UnknownNameError("law of learning", law, LAWS, key="law")
    if cutoff is not None and number("cutoff", positive("cutoff", cutoff, "Hz"), "Hz", least=LEAST_HZ) >= 0.5 / period:
        raise ArgumentError(
            f"cutoff must be below {0.5 / period:g} Hz with samples every {period:g} s, got {cutoff:g} Hz", key="cutoff"
        )
    rest = (integer("ahead", ahead, 0, runs.count), cutoff, period, runs.count)
    if law == "feedback":
        if lp is not None or ld is not None:
            raise ArgumentError('lp and ld are gains of the law "pd-type"; "feedback" has its gain=...', key="law")
        gain = number("gain", positive("gain", gain, "1"), "1", least=0, most=MOST_GAIN)
        return Update(gain, gain * runs.K, *rest)
    if lp is None or ld is None:
        raise ArgumentError('the law "pd-type" needs its gains, lp=... and ld=...', key="lp" if lp is None else "ld")
    if gain != 1.0:
        raise ArgumentError('gain is of the law "feedback"; "pd-type" has lp and ld', key="gain")
    robot = runs.setup.robot
    L = np.hstack([np.diag(non_negative_gains(name, values, robot)) for name, values in (("lp", lp), ("ld", ld))])
    return Update(None, L, *rest)
