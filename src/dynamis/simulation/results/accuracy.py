"""How long a run can be trusted: the same run less (or more) exactly, and until when both agree.

An arm that falls freely is chaotic: two runs that differ in the last digit come apart, by a factor e every so often,
and no integrator helps for long. A second run shows the time until then.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dynamis.base.arrays import Array
from dynamis.simulation.results.result import Accuracy, Simulation

POSITION_TOLERANCE = 1e-6
"""Positions that differ by more than this [rad or m] do not agree."""
TIGHTER_FACTOR, LOOSER_FACTOR = 0.01, 100.0
"""Factors on the tolerances of the second run of an adaptive integrator."""
TIGHT_RTOL = 3e-12
"""Below it the second run is looser: a hundredth is beyond SciPy's integrators (3e-14)."""
LEAST_INSTANTS = 20
"""For a fit of the growth."""


def accuracy(run: Simulation, again: Callable[[float], Simulation], integrator: str = "") -> Accuracy:
    """The run compared with `again(factor)`, a run with its tolerances times the factor, or with half the step.

    With another `integrator` the factor is 1.
    """
    if integrator:
        factor, how = 1.0, f"a second run with {integrator}"
    elif "step" in run.settings:
        factor, how = 1.0, "a second run with half the step"
    elif run.settings["rtol"] >= TIGHT_RTOL:
        factor, how = TIGHTER_FACTOR, "a second run with a hundredth of the tolerances"
    else:
        factor, how = LOOSER_FACTOR, "a second run with a hundred times the tolerances"
    other = again(factor)
    times, mine, others = np.intersect1d(run.times, other.times, return_indices=True)
    difference: Array = np.abs(run.q[mine] - other.q[others]).max(axis=1)
    apart = np.flatnonzero(difference > POSITION_TOLERANCE)
    until = float(times[-1]) if not apart.size else float(times[max(0, apart[0] - 1)])
    ended = other.ended if other.duration < run.duration and not run.ended else ""
    unit = " or ".join(sorted({"rad" if joint.revolute else "m" for joint in run.robot.coordinates}, reverse=True))
    return Accuracy(how, times, difference, POSITION_TOLERANCE, until, _growth(times, difference), ended, unit)


def _growth(times: Array, difference: Array) -> float | None:
    """The rate of exponential growth, from where the difference is well above rounding until it is large."""
    end = np.flatnonzero(difference > 0.1)
    last = int(end[0]) if end.size else len(times)
    rows = np.flatnonzero(difference[:last] > 1e-12)
    if rows.size < LEAST_INSTANTS or difference[rows].max() < 1e4 * difference[rows[0]]:
        return None
    slope, _ = np.polyfit(times[rows], np.log(difference[rows]), 1)
    fit = np.corrcoef(times[rows], np.log(difference[rows]))[0, 1]
    return float(slope) if slope > 0 and fit > 0.8 else None
