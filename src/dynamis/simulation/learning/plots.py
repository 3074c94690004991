"""Pictures of learning: errors over trials, the learned torque, and how well the robot followed its motion."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.arrays import Array
from dynamis.document.figure import COLOURS, INK, grid, legend, line, style
from dynamis.errors import UnknownNameError
from dynamis.motion.torque_budget.axes import POINTS, columns_of, time_below

if TYPE_CHECKING:
    from dynamis.simulation.learning.result import Learning


def plot(learning: Learning, kind: str) -> Any:
    """A matplotlib figure of one kind."""
    if kind not in KINDS:
        raise UnknownNameError("plot", kind, KINDS, key="kind")
    with style():
        return KINDS[kind](learning)


def _errors(x: Learning) -> Any:
    """RMS and peak error of every joint, and the distance of the torque, over trials."""
    from matplotlib.ticker import MaxNLocator

    figure, axes = grid(3, 3, height=2.4)
    sound = [trial for trial in x.trials if trial.failed is None]
    numbers = [trial.number for trial in sound]
    unit = _unit(x)
    named = ((f"RMS tracking error [{unit}]", "rms"), (f"peak tracking error [{unit}]", "peak"))
    for ax, (label, name) in zip(axes, named, strict=False):
        for j in range(x.n):
            values = [getattr(trial, name)[j] for trial in sound]
            line(ax, numbers, _positive(values), j, f"joint {j + 1}", marker="o", markersize=2)
        ax.set_ylabel(label)
    distances = _positive([100 * trial.torque_distance for trial in sound])
    axes[2].plot(numbers, distances, color=INK, marker="o", markersize=2, label="torque, all joints")
    axes[2].set_ylabel("distance from analytic torque [%]")
    for ax in axes:
        ax.set_xlabel("trial")
        if sound:
            ax.set_yscale("log")
            ax.axvline(x.best, color="#999999", linewidth=0.8, linestyle=":", label="kept trial")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    legend(figure, axes, columns=5)
    return figure


def _torque(x: Learning) -> Any:
    """The torque of the first trial, the learned one and the analytic one of every joint."""
    columns = min(2, x.n) if x.n <= 4 else columns_of(x.n)
    figure, axes = grid(x.n, columns, height=2.1, sharex=True)
    some = _some(len(x.u))
    t = x.times[:-1][some]
    for j, ax in enumerate(axes):
        step = {"drawstyle": "steps-post"}
        ax.plot(t, x.first[some, j], color=COLOURS[1], linestyle=(0, (5, 1.5)), label="first trial", **step)
        ax.plot(t, x.u[some, j], color=COLOURS[0], linewidth=2.2, label=f"learned (trial {x.best})", **step)
        ax.plot(t, x.analytic[some, j], color=INK, linewidth=0.9, label="analytic inverse dynamics")
        ax.set_title(f"joint {j + 1}", loc="left")
        ax.set_ylabel(f"{'torque' if x.turns[j] else 'force'} [{x.units[j]}]")
    time_below(axes, columns)
    legend(figure, axes, columns=5)
    return figure


def _tracking(x: Learning) -> Any:
    """Tracking errors over time: of the first trial above, of the kept one below."""
    figure, axes = grid(2, 1, height=2.1, sharex=True)
    some = _some(len(x.times))
    for ax, values, name in ((axes[0], x.e_first, "first trial"), (axes[1], x.e_best, f"trial {x.best}")):
        for j in range(x.n):
            line(ax, x.times[some], values[some, j], j, f"joint {j + 1}")
        ax.set_title(name, loc="left")
        ax.set_ylabel(f"tracking error [{_unit(x)}]")
    axes[1].set_xlabel("time [s]")
    legend(figure, axes, columns=5)
    return figure


def _unit(x: Learning) -> str:
    return " or ".join(dict.fromkeys("rad" if turns else "m" for turns in x.turns))


def _positive(values: list[float]) -> Array:
    """For an axis of logarithms: what is not above zero is left out."""
    found = np.array(values, dtype=np.float64)
    return np.where(found > 0, found, np.nan)


def _some(count: int) -> Any:
    """Which samples are drawn."""
    return slice(None) if count <= POINTS else np.unique(np.linspace(0, count - 1, POINTS).astype(int))


KINDS = {"errors": _errors, "torque": _torque, "tracking": _tracking}
"""What can be drawn, by name."""
