"""What the pictures of a torque budget have in common: which samples are drawn, and what is written at the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dynamis.errors import ArgumentError

if TYPE_CHECKING:
    from dynamis.motion.torque_budget_result import TorqueBudget

Array = NDArray[np.float64]
POINTS = 4000
"""A line is drawn with no more points than this: more than the dots of a page."""
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
    """Values (samples, n) without the rest at both ends of a motion, where dry friction drops to 0 at once."""
    groups = budget.history.groups
    if groups is None or len(values) < 3:
        return values
    friction = groups[..., budget.groups.names.index("friction")]
    shown = values.copy()
    for end, inner in ((0, 1), (-1, -2)):
        dropped = (friction[end] == 0) & (friction[inner] != 0)
        shown[end, dropped] = np.nan
    return shown


def joint_name(budget: TorqueBudget, j: int) -> str:
    """`joint 2`, with its own name if that says more."""
    name = budget.joints[j]
    return f"joint {j + 1}" if name in (f"q{j + 1}", f"joint{j + 1}", f"joint {j + 1}") else f"joint {j + 1}: {name}"


def effort(budget: TorqueBudget, j: int, bars: bool = False) -> str:
    """`torque [N m]` or `force [N]`."""
    word = "torque" if budget.turns[j] else "force"
    return f"{'|' * bars}{word}{'|' * bars} [{budget.units[j]}]"


def columns_of(count: int) -> int:
    """Three or four columns of axes, whichever leaves fewer places empty."""
    return min(3, 4, key=lambda columns: -count % columns)


def time_below(axes: list[Any], columns: int) -> None:
    """The time under the lowest axes of every column."""
    for k, ax in enumerate(axes):
        if k + columns >= len(axes):
            ax.set_xlabel("time [s]")
