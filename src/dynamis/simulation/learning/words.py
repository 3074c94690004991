"""Learning in words: the table of its trials, and what came of it in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dynamis.errors import UnknownNameError

if TYPE_CHECKING:
    from dynamis.simulation.learning.result import Learning, Trial

KINDS = ("rms", "peak", "torque")
CELL = 9
"""Width of a number, so that rows can be printed while the trials run."""


def header(n: int, kind: str = "rms") -> str:
    """The two lines over the rows."""
    if kind not in KINDS:
        raise UnknownNameError("table", kind, KINDS, key="kind")
    word = {"rms": "rms", "peak": "peak", "torque": "du"}[kind]
    names = ["error", *(f"{word} {j + 1}" for j in range(n)), "peak", "torque"]
    line = "trial" + "".join(f"  {name:>{CELL}}" for name in names)
    return f"{line}\n{'-----' + ('  ' + '-' * CELL) * len(names)}"


def row(trial: Trial, kind: str = "rms") -> str:
    """One trial under the header."""
    if trial.failed is not None:
        return f"{trial.number:<5}  blew up at {trial.failed:.4g} s"
    values = {"rms": trial.rms, "peak": trial.peak, "torque": trial.torque_rms}[kind]
    numbers = [trial.error, *values.tolist(), float(trial.peak.max())]
    cells = "".join(f"  {x:{CELL}.2e}" for x in numbers)
    share = f"{100 * trial.torque_distance:.3g} %"
    return f"{trial.number:<5}{cells}  {share:>{CELL}}"


def legend(kind: str, units: Sequence[str]) -> str:
    """What the columns are."""
    what = {
        "rms": "rms: RMS tracking error of each joint [rad or m]",
        "peak": "peak j: largest tracking error of each joint [rad or m]",
        "torque": f"du: RMS distance of u from the analytic torque of each joint [{', '.join(dict.fromkeys(units))}]",
    }[kind]
    return f"{what}; error: over all joints, weighted by K_D; torque: distance of u from the analytic torque"


def table(learning: Learning, kind: str = "rms") -> str:
    """Every trial, and what the columns are."""
    lines = [header(learning.n, kind), *(row(trial, kind) for trial in learning.trials), legend(kind, learning.units)]
    return "\n".join(lines)


def sentences(learning: Learning) -> list[str]:
    """Convergence, the end and its reasons, u(0), conditions, warnings."""
    x, sound = learning, [trial for trial in learning.trials if trial.failed is None]
    found: list[str] = []
    if sound:
        first, best = sound[0], next(trial for trial in sound if trial.number == x.best)
        ratio = first.error / best.error if best.error else np.inf
        found.append(
            f"No trial was better than the first, whose error is {first.error:.3g}."
            if best is first and len(x.trials) > 1
            else f"The tracking error fell from {first.error:.3g} to {best.error:.3g} ({ratio:.3g} times smaller) in "
            f"trial {best.number}; its torque is {100 * best.torque_distance:.3g} % away from the analytic inverse "
            f"dynamics of the true plant, after {100 * first.torque_distance:.3g} % in the first trial."
        )
    found.append(f"{'Diverged' if x.diverged else 'Ended'}: {x.ended}.")
    found += x.reasons
    if sound:
        found.append(_first_torque(x))
    found += [f"Condition: {condition}" for condition in x.conditions]
    return found + [f"Warning: {words}" for words in x.warnings]


def _first_torque(x: Learning) -> str:
    gap = np.abs(x.first_sample_gap)
    j = int(gap.argmax())
    size = f"{gap[j]:.3g} {x.units[j]} at {_joint(x.joints, j)}"
    before = np.abs(x.first[0] - x.nominal[0])[j]
    same = "At t = 0 the true error is zero in every trial, whatever u(0) is, so u(0) is never learned"
    if np.array_equal(x.u[0], x.first[0]):
        return f"{same}: it is still that of the first trial, and away from the analytic torque by {size}, the most."
    went = f"its distance from the analytic torque went from {before:.3g} to {size}"
    if x.settings["ahead"]:
        return f"{same} from it; with ahead = {x.settings['ahead']} it learns from a later sample instead: {went}."
    if x.settings["cutoff"] is not None:
        return f"{same} from it; the filter gives it a part of what its neighbours learn: {went}."
    return f"{same}: it only takes up noise; {went}."


def _joint(joints: Sequence[str], j: int) -> str:
    """`joint 2`, with its own name if that says more."""
    name = joints[j]
    return f"joint {j + 1}" if name in (f"q{j + 1}", f"joint{j + 1}", f"joint {j + 1}") else f"joint {j + 1} ({name})"
