"""Pictures of what torques are made of: one row a joint, its parts by their size; and the ratio without / with gravity.

Parts differ by orders of magnitude. Those that could not be seen beside a joint's torque stand on a scale of their own,
one column further to the right, and those that could not be seen beside these once more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.arrays import Array
from dynamis.document.figure import INK, WIDE, grid, legend, line
from dynamis.motion.torque_budget.axes import FEW, columns_of, effort, joint_name, kept, moving, some, time_below

if TYPE_CHECKING:
    from dynamis.motion.torque_budget.result import TorqueBudget

SMALL = 0.08
"""Parts below this part of the largest of their axes go to the next ones."""
NOTHING = 1e-4
"""Parts below this part of a joint's peak are not drawn."""
HEADS = ("torque and its main parts", "smaller parts", "smallest parts")
QUIET = 0.02
"""The ratio of two torques is not drawn where the torque below is less than this part of its peak."""
NO_TORQUE = 1e-6
"""Nor for a joint whose peak is less than this part of the largest one: it is 0 but for rounding."""
LEFT_OUT = "not drawn where the torque is below 2 % of the joint's peak"


def torques(budget: TorqueBudget) -> Any:
    """Figure 2: the torque of every joint and its parts."""
    return _parts(budget, budget.history.tau, without=())


def torques_without_gravity(budget: TorqueBudget) -> Any:
    """Figure 3: the same without gravity."""
    return _parts(budget, budget.history.without_gravity, without=("gravity",))


def levels(largest: Array, peak: float) -> list[list[int]]:
    """Which parts share their axes, by their largest |values|: no more than three levels.

    >>> levels(np.array([15.0, 0.6, 0.01, 2.2, 0.0]), 15.6)
    [[0, 3], [1], [2]]
    """
    order = [int(k) for k in np.argsort(-largest, kind="stable") if largest[k] > NOTHING * peak]
    found: list[list[int]] = [[]]
    size = peak
    for k in order:
        if largest[k] < SMALL * size and len(found) < len(HEADS):
            found.append([])
            size = float(largest[k])
        found[-1].append(k)
    return [sorted(level) for level in found]


def _parts(budget: TorqueBudget, total: Array, without: tuple[str, ...]) -> Any:
    x, n, drawn = budget.history, budget.n, some(budget)
    names = budget.groups.names
    groups = kept(x.groups, "the parts of the torques were not kept")
    shown = [k for k, name in enumerate(names) if name not in without]
    largest, peaks = budget.groups.largest[:, shown], np.abs(total).max(axis=0)
    per_joint = [[[shown[k] for k in level] for level in levels(largest[j], float(peaks[j]))] for j in range(n)]
    columns = max(len(found) for found in per_joint)
    width = WIDE if columns > 1 else WIDE * 0.72
    figure, axes = grid(columns * n, columns, 2.1 if n <= FEW else 1.35, width, sharex=True)
    friction, whole = names.index("friction"), moving(budget, total)
    for j, found in enumerate(per_joint):
        row = axes[j * columns : (j + 1) * columns]
        for ax, level in zip(row, found, strict=False):
            for k in level:
                values = groups[..., k]
                values = moving(budget, values) if k == friction else values
                line(ax, x.t[drawn], values[drawn, j], k, names[k])
            ax.set_ylabel(effort(budget, j))
        line(row[0], x.t[drawn], whole[drawn, j], 0, "total", color=INK, linestyle="-", linewidth=1.6, zorder=1.9)
        # From 0, so that the eye sees how much of the torque a part is.
        low, high = min(row[0].dataLim.y0, 0.0), max(row[0].dataLim.y1, 0.0)
        row[0].set_ylim(low - 0.05 * (high - low), high + 0.05 * (high - low) or 1.0)
        name = joint_name(budget, j, 16).replace(": ", "\n", 1)
        row[0].set_ylabel(f"{name}\n{effort(budget, j)}")
        for ax in row[len(found) :]:
            _empty(ax)
    for ax, head in zip(axes[:columns], HEADS, strict=False):
        whose = head if columns > 1 else "torque and its parts"
        ax.set_title(f"{whose}, without gravity" if without and ax is axes[0] else whose)
    time_below(axes, columns)
    figure.align_ylabels(axes[::columns])
    legend(figure, axes, 4 if columns == 1 else 8, order=(*names, "total"))
    return figure


def _empty(ax: Any) -> None:
    """Axes of a joint that has no parts so small: nothing but their place."""
    ax.text(0.5, 0.5, "none", transform=ax.transAxes, ha="center", va="center", color="#888888")
    ax.set_axis_off()


def gravity_ratio(budget: TorqueBudget) -> Any:
    """Figure 4: the torque without gravity over the torque with it; of many joints each on its own axes."""
    x, drawn, n = budget.history, some(budget), budget.n
    peaks = np.abs(x.tau).max(axis=0)
    loud = (np.abs(x.tau) >= QUIET * peaks) & (peaks > NO_TORQUE * peaks.max())
    ratio = moving(budget, np.where(loud, x.ratio, np.nan))
    if n <= FEW:
        figure, (ax,) = grid(1, 1, 2.6, WIDE * 0.72)
        for j in range(n):
            line(ax, x.t[drawn], ratio[drawn, j], j, joint_name(budget, j))
        _bounds(ax, ratio)
        ax.set_title(LEFT_OUT)
        ax.set_xlabel("time [s]")
        ax.set_ylabel("torque without / with gravity [–]")
        legend(figure, [ax])
        return figure
    columns = columns_of(n)
    figure, axes = grid(n, columns, 1.5, sharex=True)
    for j, ax in enumerate(axes):
        ax.axhline(1, color=INK, lw=0.6, label="gravity has no part")
        line(ax, x.t[drawn], ratio[drawn, j], 0, "torque without / torque with gravity")
        _bounds(ax, ratio[:, j])
        if not np.isfinite(ratio[:, j]).any():
            ax.text(0.5, 0.35, "no torque", transform=ax.transAxes, ha="center", va="center", color="#888888")
        ax.set_title(joint_name(budget, j))
        if j % columns == 0:
            ax.set_ylabel("without / with [–]")
    figure.suptitle(LEFT_OUT, fontsize="medium")
    time_below(axes, columns)
    legend(figure, axes)
    return figure


def _bounds(ax: Any, ratio: Array) -> None:
    """The axis from its bulk: where the torque below passes 0, the ratio has no bounds."""
    finite = ratio[np.isfinite(ratio)]
    if finite.size:
        low, high = np.quantile(finite, [0.01, 0.99])
        room = 0.15 * max(high - low, 0.1)
        low, high = max(finite.min(), low - 2 * room), min(finite.max(), high + 2 * room)
        ax.set_ylim(low - room / 3, high + room / 3)
