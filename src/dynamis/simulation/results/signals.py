"""The units of what controllers tell beside their torques."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy import float64
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dynamis.simulation.results.result import Simulation

TORQUES = ("integral", "gravity", "residual")
"""One torque per joint."""
SPEEDS = ("s",)
"""One velocity per joint."""
UNITS = {"position_error": "m", "orientation_error": "rad", "updates": "1", "parameters": "kg, kg m, kg m^2"}


def signal_series(run: Simulation, name: str) -> list[tuple[str, str, NDArray[float64]]]:
    """One signal's series: the number of each (from 1, empty for a lone one), its unit, its values.

    The unit is empty where it is not known: a signal of one's own controller.
    """
    values = run.signals[name].reshape(len(run.times), -1)
    count = values.shape[1]
    units = [UNITS.get(name, "")] * count
    if count == run.n and name in TORQUES:
        units = list(run.units)
    elif count == run.n and name in SPEEDS:
        units = [f"{'rad' if turns else 'm'}/s" for turns in run.revolute]
    return [("" if count == 1 else str(k + 1), units[k], values[:, k]) for k in range(count)]
