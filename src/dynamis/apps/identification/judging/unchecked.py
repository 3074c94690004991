"""What a log could not check: mistakes with which it would look the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.judging.against_given import Comparison, in_words, zero_beside_given
from dynamis.apps.identification.judging.findings import Finding
from dynamis.motion.trajectories.trajectory import Motion

MAX_FACTOR_ERROR = 0.5
"""The standard error of a factor to the given links beyond which it is not worth saying."""
MAX_MASS_FACTOR = 10.0
"""A factor of so much tells that the given links bear nothing there."""
UNTOLD = {"gain": 1.0, "rad": np.radians(45), "m": 0.3}
"""Standard errors beyond which their size says nothing more."""


def unchecked_notes(model: LinearModel, left: Sequence[Finding], motion: Motion, given: Comparison | None) -> list[str]:
    """In sentences, with standard errors and with what the given links say instead."""
    said: list[str] = []
    if given is None:
        said.append(
            "The robot has no masses to compare with: were the torques of all joints in another unit, or of the wrong "
            "gain, this log would look the same."
        )
    gains = [_gain(model, x, given) for x in left if x.kind == "gain" and not x.checked]
    if gains:
        said.append(
            f"Not checked: the drive gain{'s' * (len(gains) > 1)} of {in_words(gains)}. Links make too little of the "
            "torque there; a gain that is wrong by as much would look the same."
        )
    zeros = [_zero(model, x, motion, given) for x in left if x.kind == "zero" and not x.checked]
    if zeros:
        said.append(
            f"Not checked: the zero{'s' * (len(zeros) > 1)} of {in_words(zeros)}. A wrong one would look the same, "
            "with CoMs that are turned."
        )
    return said


def _gain(model: LinearModel, x: Finding, given: Comparison | None) -> str:
    told = [f"standard error {x.error:.0%}"] if x.error < UNTOLD["gain"] else []
    if 2 * x.error < abs(x.size) and x.error < UNTOLD["gain"] * (1 + x.size):
        told = [f"{1 + x.size:.2g} times what the other joints expect", f"standard error {x.error:.1g}"]
    if given is not None:
        factor, error = given.factor(x.joint)
        told += (
            [f"{factor:.2g} times that of the given masses"]
            if 0 < error < MAX_FACTOR_ERROR * abs(factor) < MAX_MASS_FACTOR
            else []
        )
    return _with(model, x.joint, told)


def _zero(model: LinearModel, x: Finding, motion: Motion, given: Comparison | None) -> str:
    by, unit = (1000, "mm") if x.unit == "m" else (180 / np.pi, "deg")
    told = [f"standard error {by * x.error:.0f} {unit}"] if x.error < UNTOLD[x.unit] else []
    angle = None if given is None else zero_beside_given(model, motion, given, x.joint)
    told += [] if angle is None else [f"by the given masses off by {round(np.degrees(angle))} deg"]
    return _with(model, x.joint, told)


def _with(model: LinearModel, joint: int, told: Sequence[str]) -> str:
    return model.robot.coordinates[joint].name + (f" ({'; '.join(told)})" if told else "")
