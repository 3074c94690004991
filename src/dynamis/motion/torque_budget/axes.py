"""What the pictures of a torque budget have in common: which samples are drawn, and what is written at the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.arrays import Array
from dynamis.document.figure import label
from dynamis.errors import ArgumentError

if TYPE_CHECKING:
    from dynamis.motion.torque_budget.result import TorqueBudget

POINTS = 4000
"""A line is drawn with no more points than this: more than the dots of a page."""
INSTANT = 1e-3
"""Of the time of a motion: what is shorter cannot be seen."""
FEW = 3
"""Up to so many joints share their axes; more have their own."""


def some(budget: TorqueBudget) -> Any:
    """Which samples are drawn."""
    count = len(budget.history.t)
    return slice(None) if count <= POINTS else np.unique(np.linspace(0, count - 1, POINTS).astype(int))


def kept(values: Array | None, what: str) -> Array:
    """Values over time, or a sentence that says how to have them."""
    if values is None:
        raise ArgumentError(f'{what} over time; ask torque_budget for keep="sums"', key="keep")
    return values


def moving(budget: TorqueBudget, values: Array) -> Array:
    """Values (samples, n) without the instant of rest at both ends of a motion, where dry friction is none."""
    groups, t = budget.history.groups, budget.history.t
    if groups is None:
        return values
    dry = groups[..., budget.groups.names.index("friction")] != 0
    shown = values.copy()
    for j in np.flatnonzero(dry.any(axis=0)):
        first, last = int(np.argmax(dry[:, j])), len(t) - int(np.argmax(dry[::-1, j]))
        if t[first] - t[0] <= INSTANT * (t[-1] - t[0]):
            shown[:first, j] = np.nan
        if t[-1] - t[last - 1] <= INSTANT * (t[-1] - t[0]):
            shown[last:, j] = np.nan
    return shown


def joint_name(budget: TorqueBudget, j: int, most: int = 18) -> str:
    """`joint 2`, with its own name if that says more, of at most so many letters."""
    name = budget.joints[j]
    usual = name in (f"q{j + 1}", f"joint{j + 1}", f"joint {j + 1}")
    return f"joint {j + 1}" if usual else f"joint {j + 1}: {label(name, most)}"


def effort(budget: TorqueBudget, j: int, bars: bool = False) -> str:
    """`torque [N m]` or `force [N]`."""
    word = "torque" if budget.turns[j] else "force"
    return f"{'|' * bars}{word}{'|' * bars} [{budget.units[j]}]"


def columns_of(count: int) -> int:
    """Three or four columns of axes, whichever leaves fewer places empty."""
    return min(3, 4, key=lambda columns: -count % columns)


def time_below(axes: list[Any], columns: int) -> None:
    """The time under the lowest axes of every column that are there."""
    for column in range(columns):
        there = [ax for ax in axes[column::columns] if ax.axison]
        if there:
            there[-1].set_xlabel("time [s]")
            there[-1].tick_params(labelbottom=True)
