"""What a log could not check: mistakes with which it would look the same."""

from __future__ import annotations

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.judging.against_given import Comparison, in_words, zero_beside_given
from dynamis.apps.identification.judging.small_mistakes import SmallMistakes
from dynamis.motion.trajectories.trajectory import Motion

ROUGH = 0.5
"""The standard error of a factor to the given links beyond which it is not worth saying."""


def unchecked(model: LinearModel, mistakes: SmallMistakes, motion: Motion, given: Comparison | None) -> list[str]:
    """In sentences, with what the given links say instead."""
    names = [x.name for x in model.robot.coordinates]
    said: list[str] = []
    if given is None:
        said.append(
            "The robot has no masses to compare with: were the torques of all joints in another unit, or of the wrong "
            "gain, this log would look the same."
        )
    gains = [x.joint for x in mistakes.gains if not x.checked and not (given is not None and given.tells(x.joint))]
    if gains:
        beside = [""] * len(gains) if given is None else [_factor(given, j) for j in gains]
        said.append(
            f"Not checked: the drive gain{'s' * (len(gains) > 1)} of "
            f"{in_words([names[j] + x for j, x in zip(gains, beside, strict=True)])}. Links make too little of the "
            "torque there; a wrong gain would look the same."
        )
    zeros = [x.joint for x in mistakes.zeros if not x.checked]
    if zeros:
        beside = [""] * len(zeros)
        if given is not None:
            angles = [zero_beside_given(model, motion, given, i) for i in zeros]
            beside = ["" if x is None else f" (by the given masses off by {round(np.degrees(x))} deg)" for x in angles]
        said.append(
            f"Not checked: the zero{'s' * (len(zeros) > 1)} of "
            f"{in_words([names[i] + x for i, x in zip(zeros, beside, strict=True)])}. A wrong one would look the same, "
            "with CoMs that are turned."
        )
    return said


def _factor(given: Comparison, j: int) -> str:
    factor, error = given.factor(j)
    return f" ({factor:.2g} times that of the given masses)" if 0 < error < ROUGH * abs(factor) else ""
