"""What a log says of itself: mistakes of a size, with a standard error, each a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

SURE_STANDARD_ERRORS = 4.0
"""Standard errors: those of some ten stretches are uncertain themselves, and a log has a dozen gains and zeros."""
WRONG_GAIN_FACTOR = 1.12
"""The least factor between a torque and what the other joints expect that is said to be a wrong gain. The torque
sensors of a Panda differ by 1.1, the gains that the literature has of a UR10e by 1.03."""
SENSOR_GAIN_FACTOR = 1.08
"""The least factor that is said at all."""
SAID = {"rad": np.radians(0.5), "m": 0.003}
"""The least move of a zero that is said: calibrations are no better."""
DOUBTED = {"rad": np.radians(6), "m": 0.03}
"""The move of a zero from which on the model is not to be trusted."""
TOLD_GAIN_SHARE = 0.5
"""A gain is told where two standard errors are less than this part of it."""
ABSURD_GAIN_FACTOR, ABSURD_ZERO_RATIO = 12.0, 8.0
"""Gains and, as multiples of what is doubted, zeros beyond these are not what is wrong: a step along a slope
does not go so far."""
CHECKED_GAIN_ERROR = 0.15
"""A gain is checked where it is sure, by two standard errors, to be off by less."""


@dataclass(frozen=True)
class Finding:
    """A mistake of a coordinate as the log has it: how large it looks, and how well that is known."""

    kind: str
    """gain or zero."""
    joint: int
    size: float
    """Of a gain relative: 0.5 where the torque is 1.5 times what it should be. Of a zero how much larger than the true
    position that of the log is [rad or m]."""
    error: float
    """Standard error of the size."""
    unit: str = "rad"
    alike: tuple[Finding, ...] = ()
    """Other single mistakes that explain the log as well."""
    others: tuple[int, ...] = ()
    """Of a gain in an arm of three joints the two others: the log is the same if theirs are wrong by the inverse."""

    @property
    def sure(self) -> bool:
        """Whether it is not noise."""
        return self.told and abs(self.size) > SURE_STANDARD_ERRORS * self.error

    @property
    def told(self) -> bool:
        """Whether the log tells its size at all: friction makes gains of 0 +- 0.3, and zeros of 90 +- 15 degrees, of
        wrists whose links bear little."""
        return 2 * self.error < (TOLD_GAIN_SHARE * abs(1 + self.size) if self.kind == "gain" else DOUBTED[self.unit])

    @property
    def counts(self) -> bool:
        """Whether it is large enough to be said."""
        if self.kind == "gain":
            return not 1 / SENSOR_GAIN_FACTOR < 1 + self.size < SENSOR_GAIN_FACTOR
        return abs(self.size) > SAID[self.unit]

    @property
    def doubts(self) -> bool:
        """Whether it, or what fits alike, is a reason not to trust the model."""
        large = (
            not 1 / WRONG_GAIN_FACTOR < 1 + self.size < WRONG_GAIN_FACTOR
            if self.kind == "gain"
            else abs(self.size) > DOUBTED[self.unit]
        )
        return large or any(x.doubts for x in self.alike)

    @property
    def checked(self) -> bool:
        """Whether it is sure not to count, by two standard errors."""
        return abs(self.size) + 2 * self.error <= (CHECKED_GAIN_ERROR if self.kind == "gain" else DOUBTED[self.unit])

    def sentence(self, names: Sequence[str]) -> str:
        """What is wrong, and what else may be."""
        absurd = not 1 / ABSURD_GAIN_FACTOR < 1 + self.size < ABSURD_GAIN_FACTOR
        if absurd if self.kind == "gain" else abs(self.size) > ABSURD_ZERO_RATIO * DOUBTED[self.unit]:
            return (
                f"the torques of the other joints contradict that of {names[self.joint]}: columns, signs or zeros are "
                "wrong, or the log is of another robot."
            )
        others = "".join(f", or {x.clause(names, False)}" for x in self.alike)
        if self.others:
            both = " and ".join(names[j] for j in self.others)
            times = f"{1 / (1 + self.size):.2g} times what that of {names[self.joint]} expects"
            others += f", or those of {both} are both {times}"
        advice = ": check units and drive gains" if "gain" in {self.kind, *(x.kind for x in self.alike)} else ""
        advice = advice if self.doubts or not advice else ", as sensors and drives may differ"
        return f"{self.clause(names)}{others}{', which fits alike' if others else ''}{advice}."

    def clause(self, names: Sequence[str], first: bool = True) -> str:
        """Without a full stop."""
        name = names[self.joint]
        if self.kind == "gain":
            what = f"the torque of {name} is" if first else f"that of {name} is"
            return (
                f"{what} {1 + self.size:.2g} times what those of the other joints expect (standard error "
                f"{self.error:.1g})"
            )
        by, unit, form = (1000, "mm", ".0f") if self.unit == "m" else (180 / np.pi, "degrees", ".2g")
        moved = format(-by * self.size, ".0f" if abs(by * self.size) >= 10 else form)
        error = f"(standard error {by * self.error:.1g})"
        return f"the torques fit better with the zero of {name} moved by {moved} {unit} {error}"
