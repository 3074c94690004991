"""What learning gives: the errors of every trial, the learned torque beside the analytic one, and why it ended."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dynamis.base.arrays import Array
from dynamis.simulation.controllers.law import Condition
from dynamis.simulation.learning.document import learning_document, sentences
from dynamis.simulation.loop.schedule import TorqueSamples
from dynamis.telling.blocks import Document
from dynamis.telling.result import Result


@dataclass(frozen=True)
class Trial:
    """One trial, from 1: true tracking errors of every joint [rad or m], and how far its torque u_k was from u_d.

    `error` is the RMS of the true errors over joints and samples, joints weighted by K_D; `seen` the same of the errors
    that were measured, which is what the learning knows. `torque_distance` is RMS(u_k - u_d) / RMS(u_d) over all
    joints, `torque_rms` RMS(u_k - u_d) of every joint [N m or N]; u_d is the nominal torque, its mean over each hold.
    """

    number: int
    rms: Array
    peak: Array
    error: float
    seen: float
    torque_rms: Array
    torque_distance: float
    saturated: float = 0.0
    """The part of the samples at which a motor was at its limit."""
    failed: float | None = None
    """When the run blew up [s]; its errors are infinite then."""


@dataclass(frozen=True)
class Learning(Result):
    """Trials of a motion, and the torque that they found: of `best`, the trial with the smallest measured error
    (or, where that was asked for, the one with the smallest distance of its torque).

    `times` (k + 1) are the samples and the end [s]; `u` (k, n) is held from its sample to the next. `analytic` is the
    inverse dynamics of the true plant at the samples, `nominal` its mean over each hold, which is what a held torque
    can come to; `first` is the torque of the first trial.
    """

    robot: str
    joints: tuple[str, ...]
    units: tuple[str, ...]
    revolute: tuple[bool, ...]
    times: Array
    goal: tuple[Array, Array]
    """q and qd of the motion at `times`, (k + 1, n) each."""
    u: Array
    first: Array
    analytic: Array
    nominal: Array
    e_first: Array
    """True errors of q in the first trial, (k + 1, n) [rad or m]."""
    e_best: Array
    trials: tuple[Trial, ...]
    best: int
    """The number of the trial that `u` and `e_best` are of, from 1."""
    conditions: tuple[Condition, ...]
    settings: dict[str, Any]
    ended: str
    """Why there was no further trial."""
    diverged: bool
    reasons: tuple[str, ...]
    """What is likely behind a divergence or a floor."""
    warnings: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        """The number of joints."""
        return len(self.joints)

    @property
    def torque(self) -> TorqueSamples:
        """The learned torque as a control for `dynamis.simulate`; give it `period=` the period of the trials too."""
        return TorqueSamples(self.times[:-1], self.u, hold=True)

    @cached_property
    def first_sample_gap(self) -> Array:
        """u(0) - nominal torque over the first hold, one value per joint [N m or N]."""
        return self.u[0] - self.nominal[0]

    @property
    def lengths(self) -> tuple[str, ...]:
        """The unit of every joint's position: rad or m."""
        return tuple("rad" if turns else "m" for turns in self.revolute)

    def sentences(self) -> list[str]:
        """What came of it: convergence, the end and its reasons, u(0), and the conditions."""
        return sentences(self)

    def document(self) -> Document:
        """Tables of the trials, "rms", "peak" and "torque", and "sentences"; figures "errors", "torque" and
        "tracking"."""
        return learning_document(self)
