"""What `excite` gives: a trajectory for the controller, how well it tells the parameters, and what holds it back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dynamis.apps.identification.excitation.document import excitation_document
from dynamis.apps.identification.excitation.limits import MotionLimits
from dynamis.apps.identification.excitation.periodic import PeriodicTrajectory
from dynamis.apps.identification.excitation.search import FINER, Iteration
from dynamis.apps.identification.excitation.told import NOISE, ToldParameters, told_parameters
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.fitting.statistics import Excitation, excitation
from dynamis.base.arguments import per_joint
from dynamis.base.arrays import Array
from dynamis.base.errors import MissingMassError, listed
from dynamis.motion.trajectories.trajectory import Motion
from dynamis.robot import Robot
from dynamis.telling.blocks import Document
from dynamis.telling.result import Result

AT_LIMIT = 0.95
"""A joint that uses so much of a limit is held back by it."""


@dataclass(frozen=True, eq=False)
class ExcitingMotion(Result):
    """A periodic motion within limits, and what its torques tell.

    `trajectory` can be followed by `simulate`; its samples for a controller are `to_csv` and `to_pandas`.
    """

    robot: Robot
    model: LinearModel
    limits: MotionLimits
    trajectory: PeriodicTrajectory
    criterion: str
    rate: float
    samples: int
    """Of one period."""
    history: tuple[Iteration, ...]
    ended: str
    notes: tuple[str, ...]
    """Limits that the robot does not have, and what was taken instead."""

    @property
    def joints(self) -> tuple[str, ...]:
        """The names of the coordinates."""
        return tuple(x.name for x in self.robot.coordinates)

    @cached_property
    def motion(self) -> Motion:
        """q, qd, qdd at the samples of one period."""
        return self.trajectory.period_samples(self.samples)

    @cached_property
    def regressor(self) -> Array:
        """W (samples, n, p): the base columns at the samples of one period, links first."""
        return self.model.columns(*self.motion)[:, :, list(self.model.base)]

    @cached_property
    def excitation(self) -> Excitation:
        """Of all parameters, over one period."""
        return _excitation(self.regressor)

    @cached_property
    def links_alone(self) -> Excitation:
        """Of the parameters of links, without friction, offsets and rotors: what many papers give."""
        return _excitation(self.regressor[:, :, [k < self.model.inertial for k in self.model.base]])

    @cached_property
    def torques(self) -> Array | None:
        """Of the given robot over one period (samples, n) [N m or N]; None where it has no masses."""
        try:
            return self.robot.inverse_dynamics(*self.motion)
        except MissingMassError:
            return None

    @cached_property
    def noise(self) -> Array:
        """The noise that standard errors are predicted for: 5 % of the RMS torques, or 1 N m where none is known."""
        if self.torques is None:
            return np.ones(self.robot.n)
        rms = np.sqrt((self.torques**2).mean(axis=0))
        return NOISE * np.maximum(rms, 1e-3 * rms.max(initial=0.0)) if rms.any() else np.ones(self.robot.n)

    @cached_property
    def told(self) -> ToldParameters:
        """How well every parameter is told with this noise, and why some are told badly."""
        return self._told(self.noise)

    def standard_errors(self, noise: Any) -> Array:
        """Predicted standard errors of the base parameters with white noise [N m or N] on the torques.

        noise: standard deviation, one per joint or one for all
        """
        return self._told(per_joint("noise", noise, self.robot.n)).errors

    @cached_property
    def uses(self) -> dict[str, Array]:
        """How much of every limit is used, from 0 to 1, also between the samples; one value per joint or plane."""
        count = FINER * self.samples
        uses: dict[str, Array] = {}
        for signal in self.limits.signals(self.trajectory.period_samples(count)):
            low, high = signal.range(self.trajectory.curve.overshoot(count))
            if signal.name == "tool":
                uses[signal.name] = low - signal.lower
                continue
            held = np.isfinite(signal.lower) & np.isfinite(signal.upper) & (signal.upper > signal.lower)
            lower, upper = np.where(held, signal.lower, 0.0), np.where(held, signal.upper, 0.0)
            middle, half = (upper + lower) / 2, np.where(held, (upper - lower) / 2, np.inf)
            uses[signal.name] = np.maximum(high - middle, middle - low) / half
        return uses

    def words(self) -> list[str]:
        """What the motion is, what holds it back, and what it tells badly, in sentences."""
        said = [*self.trajectory.sentences(), *self.notes]
        said[0] = f"The motion: {said[0]}."
        for kind, use in self.uses.items():
            if kind == "tool":
                said += ["The region of the tool holds the motion back."] * bool((use < 0.01 * self.limits.reach).any())
                continue
            full = [self.joints[k] for k in np.flatnonzero(use[: self.robot.n] > AT_LIMIT)]
            if full:
                who = "all joints" if len(full) == self.robot.n else listed(full)
                said.append(f"Held back by limits of {kind}: {who}.")
        reasons = {name: why for name, why in zip(self.model.names, self.told.reasons, strict=True) if why}
        said += [f"{name} {why}." for name, why in reasons.items()]
        if not reasons:
            said.append("All parameters are told well.")
        return said

    def document(self) -> Document:
        """Tables "excitation", "limits" and "parameters", the words, and figures."""
        return excitation_document(self)

    def _told(self, noise: Array) -> ToldParameters:
        locked = [name for name, moves in zip(self.joints, self.limits.moving, strict=True) if not moves]
        held = f"{listed(locked)} cannot move" if locked else ""
        return told_parameters(self.model, self.regressor, noise, self.samples * self.trajectory.periods, held)


def _excitation(W: Array) -> Excitation:
    return excitation(np.asarray(np.linalg.qr(W.reshape(-1, W.shape[2]), mode="r")))
