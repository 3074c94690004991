"""How far the identified robot is from the one that was given, in sentences: its torques, its masses."""

from __future__ import annotations

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.judging.against_given import Comparison, in_words
from dynamis.apps.identification.physical.pseudo_inertia import TEN
from dynamis.base.arrays import Array

NOTABLE_MASS_RATIO = 2.0
"""Factors between masses that are worth saying."""


def distance(model: LinearModel, parameters: Array, given: Comparison | None) -> list[str]:
    """In sentences; of masses only where each is one that a body can have."""
    said: list[str] = []
    names = [x.name for x in model.robot.coordinates]
    if given is not None:
        told = [f"{given.factor(j)[0]:.2f} at {name}" for j, name in enumerate(names) if given.tells(j)]
        if told:
            said.append(
                "Only the given masses tell the scale that all gains have in common. The torques are those of the "
                f"given links times {in_words(told)}."
            )
    masses = parameters[: model.inertial : TEN]
    before = model.parameters()[: model.inertial : TEN]
    if masses.min(initial=0.0) < 0 or given is None:
        return said
    other = [
        f"{link.name} {mass:.4g} kg instead of {old:.4g} kg"
        for link, mass, old in zip(model.robot.links, masses.tolist(), before.tolist(), strict=True)
        if old > 0
        and not 1 / NOTABLE_MASS_RATIO < mass / old < NOTABLE_MASS_RATIO
        and max(mass, old) > 0.05 * float(np.sum(before))
    ]
    said.append(
        f"The identified links have {masses.sum():.4g} kg together, the given ones {before.sum():.4g} kg"
        f"{': ' if other else ''}{in_words(other) if other else ''}. Torques tell combinations, hardly a mass by "
        "itself."
    )
    return said
