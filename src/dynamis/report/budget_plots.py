"""Pictures of a torque budget: the motion, the torques and what they are made of, what motors and bearings carry."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.report.figures import COLOURS, INK, WIDE, grid, legend, line, style

if TYPE_CHECKING:
    from dynamis.motion.torque_budget_result import TorqueBudget

Array = NDArray[np.float64]
POINTS = 4000
"""A line is drawn with no more points than this: more than the dots of a page."""
SMALL = 0.05
"""Parts that stay below this part of a joint's peak are drawn once more, larger."""
BEARING_ROWS = (1, "radial force [N]"), (0, "axial force [N]"), (3, "tilting moment [N m]")
QUIET = 0.02
"""The ratio of two torques is not drawn where the torque below is less than this part of its peak."""


def plot(budget: TorqueBudget, kind: str) -> Any:
    """The figure of this kind."""
    if kind not in KINDS:
        raise UnknownNameError("plot", kind, KINDS)
    with style():
        return KINDS[kind](budget)


def _tool(budget: TorqueBudget) -> Any:
    """Figure 1: position, velocity and acceleration of the tool."""
    x, some = budget.history, _some(budget)
    rows = ("position [m]", x.position), ("velocity [m/s]", x.velocity), ("acceleration [m/s²]", x.acceleration)
    figure, axes = grid(3, 1, 1.5, WIDE * 0.72, sharex=True)
    for ax, (label, values) in zip(axes, rows, strict=True):
        if values is None:
            raise ArgumentError('the tool was not kept over time; ask torque_budget for keep="sums"', key="keep")
        for k, axis in enumerate("xyz"):
            line(ax, x.t[some], values[some, k], k, f"${axis}$")
        ax.set_ylabel(label)
    axes[-1].set_xlabel("time [s]")
    axes[0].set_title(f"Frame “{budget.tool}” in the base frame")
    legend(figure, axes)
    return figure


def _joints(budget: TorqueBudget) -> Any:
    x, some = budget.history, _some(budget)
    units = {"rad" if turns else "m" for turns in budget.turns}
    unit = " or ".join(sorted(units, reverse=True))
    figure, axes = grid(3, 1, 1.5, WIDE * 0.72, sharex=True)
    rows = (
        (f"position [{unit}]", x.q),
        (f"velocity [{_per(unit, 's')}]", x.qd),
        (f"acceleration [{_per(unit, 's²')}]", x.qdd),
    )
    for ax, (label, values) in zip(axes, rows, strict=True):
        for j in range(budget.n):
            line(ax, x.t[some], values[some, j], j, f"joint {j + 1}")
        ax.set_ylabel(label)
    axes[-1].set_xlabel("time [s]")
    legend(figure, axes)
    return figure


def _torques(budget: TorqueBudget) -> Any:
    """Figure 2: the torque of every joint and its parts."""
    return _parts(budget, budget.history.tau, without=())


def _torques_without_gravity(budget: TorqueBudget) -> Any:
    """Figure 3: the same without gravity."""
    return _parts(budget, budget.history.without_gravity, without=("gravity",))


def _parts(budget: TorqueBudget, total: Array, without: tuple[str, ...]) -> Any:
    """Total and parts of every joint; of up to three joints the small parts again, on a scale of their own."""
    x, some, n = budget.history, _some(budget), budget.n
    names = [
        (k, name)
        for k, name in enumerate(budget.groups.names)
        if name not in without and budget.groups.largest[:, k].max() > 0
    ]
    drawn = {name: budget.part(name)[some] for _, name in names}
    small = [_small(budget, j, total, names) for j in range(n)] if n <= 3 else []
    columns = n if any(small) else 2
    figure, axes = grid(2 * n if any(small) else n, columns, 2.1, sharex=True)
    for j in range(n):
        ax = axes[j]
        for k, name in names:
            line(ax, x.t[some], drawn[name][:, j], k, name)
        line(ax, x.t[some], total[some, j], 0, "total", color=INK, linestyle="-", linewidth=1.8, zorder=1.9)
        ax.set_title(_joint(budget, j) + (", without gravity" if without else ""))
        ax.set_ylabel(_effort(budget, j))
        if any(small):
            below = axes[n + j]
            for k, name in small[j]:
                line(below, x.t[some], drawn[name][:, j], k, name)
            below.set_title(f"small parts of joint {j + 1}")
            below.set_ylabel(_effort(budget, j))
    _time(axes, columns)
    legend(figure, axes)
    return figure


def _small(budget: TorqueBudget, j: int, total: Array, names: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The parts of a joint that could not be seen beside its torque."""
    size = float(np.abs(total[:, j]).max())
    return [(k, name) for k, name in names if 0 < budget.groups.largest[j, k] < SMALL * size]


def _gravity_ratio(budget: TorqueBudget) -> Any:
    """Figure 4: the torque without gravity over the torque with it."""
    x, some = budget.history, _some(budget)
    figure, (ax,) = grid(1, 1, 2.6, WIDE * 0.72)
    ratio = np.where(np.abs(x.tau) >= QUIET * np.abs(x.tau).max(axis=0), x.ratio, np.nan)
    for j in range(budget.n):
        line(ax, x.t[some], ratio[some, j], j, _joint(budget, j))
    finite = ratio[np.isfinite(ratio)]
    if finite.size:
        low, high = np.quantile(finite, [0.01, 0.99])
        room = 0.15 * max(high - low, 0.1)
        ax.set_ylim(max(finite.min(), low - 2 * room) - room / 3, min(finite.max(), high + 2 * room) + room / 3)
    ax.set_xlabel("time [s]")
    ax.set_ylabel("torque without / with gravity [–]")
    legend(figure, [ax])
    return figure


def _torque_speed(budget: TorqueBudget) -> Any:
    from dynamis.motion.torque_budget_sizing import torque_speed_envelope

    x, some, sizing = budget.history, _some(budget), budget.sizing
    figure, axes = grid(budget.n, 3, 2.0)
    for j, ax in enumerate(axes):
        ax.plot(np.abs(x.qd[some, j]), np.abs(x.tau[some, j]), ".", color=COLOURS[5], ms=2.2, label="motion")
        edges, torque = torque_speed_envelope(x.qd[:, j], x.tau[:, j])
        ax.stairs(torque, edges, color=INK, lw=1.4, label="envelope (at this speed or above)", baseline=None)
        ax.axhline(sizing.rms_torque[j], color=COLOURS[1], ls=(0, (5, 1.5)), label="RMS torque")
        for limit, draw in ((sizing.effort[j], ax.axhline), (sizing.speed_limit[j], ax.axvline)):
            if np.isfinite(limit):
                draw(limit, color=COLOURS[6], ls=(0, (1, 2)), label="limit of the joint")
        ax.set_title(_joint(budget, j))
        ax.set_xlabel(f"speed [{'rad' if budget.turns[j] else 'm'}/s]")
        ax.set_ylabel(_effort(budget, j, bars=True))
        ax.set_xlim(left=0)
        ax.set_ylim(0, 1.08 * ax.get_ylim()[1])
    legend(figure, axes)
    return figure


def _power(budget: TorqueBudget) -> Any:
    x, some = budget.history, _some(budget)
    figure, (ax,) = grid(1, 1, 2.4, WIDE * 0.72)
    power = x.power
    for j in range(budget.n):
        line(ax, x.t[some], power[some, j], j, _joint(budget, j))
    line(ax, x.t[some], power[some].sum(axis=1), 0, "all joints", color=INK, linestyle="-", linewidth=1.8, zorder=1.9)
    ax.set_xlabel("time [s]")
    ax.set_ylabel("mechanical power [W]")
    legend(figure, [ax], 4)
    return figure


def _bearings(budget: TorqueBudget) -> Any:
    x, some = budget.history, _some(budget)
    if x.bearings is None:
        raise ArgumentError('the reactions were not kept over time; ask torque_budget for keep="sums"', key="keep")
    # A planar arm has neither axial forces nor tilting moments; what is zero everywhere is left out.
    shown = [(k, label) for k, label in BEARING_ROWS if k == 1 or budget.bearings[:, k].max() > 1e-9]
    figure, axes = grid(len(shown), 1, 1.6, WIDE * 0.72, sharex=True)
    for ax, (k, label) in zip(axes, shown, strict=True):
        for i, link in enumerate(budget.links):
            line(ax, x.t[some], x.bearings[some, i, k], i, f"joint of {link}")
        ax.set_ylabel(label)
        if k != 0:
            ax.set_ylim(bottom=0)
    axes[-1].set_xlabel("time [s]")
    legend(figure, axes, 4)
    return figure


def _shares(budget: TorqueBudget) -> Any:
    shares = budget.by_link
    figure, axes = grid(2, 2, 0.32 * budget.n + 0.9, sharey=True)
    size = np.nan_to_num(np.abs(np.concatenate([shares.of_peak, shares.of_rms]))).max(axis=0)
    shown = [int(k) for k in np.argsort(-size, kind="stable")[:7] if size[k] >= 0.005]
    rows = np.arange(budget.n)
    for ax, values, title in zip(axes, (shares.of_peak, shares.of_rms), ("peak torque", "RMS torque"), strict=True):
        right, left = np.zeros(budget.n), np.zeros(budget.n)
        others = np.nan_to_num(np.delete(values, shown, axis=1)).sum(axis=1)
        columns = [(shares.names[k], np.nan_to_num(values[:, k]), COLOURS[c]) for c, k in enumerate(shown)]
        if np.abs(others).max(initial=0.0) >= 0.005:
            columns.append(("all others", others, "#BBBBBB"))
        for c, (name, share, colour) in enumerate(columns):
            start = np.where(share >= 0, right, left)
            ax.barh(
                rows, 100 * share, 0.62, 100 * start, label=name, color=colour, edgecolor="white", linewidth=0.6,
                hatch=("", "////", "....", "xxxx", "\\\\\\\\", "", "++++", "")[c],
            )  # fmt: skip
            right, left = right + np.maximum(share, 0), left + np.minimum(share, 0)
        ax.axvline(0, color=INK, lw=0.6)
        ax.set_xlabel(f"share of the {title} [%]")
        ax.margins(x=0.02)
        ax.grid(axis="y", visible=False)
    axes[0].set_yticks(rows, [f"joint {j + 1}" for j in rows])
    axes[0].invert_yaxis()
    legend(figure, axes, 4)
    return figure


KINDS: dict[str, Callable[[Any], Any]] = {
    "tool": _tool,
    "torques": _torques,
    "torques-without-gravity": _torques_without_gravity,
    "gravity-ratio": _gravity_ratio,
    "joints": _joints,
    "torque-speed": _torque_speed,
    "power": _power,
    "shares": _shares,
    "bearings": _bearings,
}


def _some(budget: TorqueBudget) -> Any:
    """Which samples are drawn."""
    count = len(budget.history.t)
    return slice(None) if count <= POINTS else np.unique(np.linspace(0, count - 1, POINTS).astype(int))


def _joint(budget: TorqueBudget, j: int) -> str:
    name = budget.joints[j]
    return f"joint {j + 1}" if name in (f"q{j + 1}", f"joint{j + 1}", f"joint {j + 1}") else f"joint {j + 1}: {name}"


def _effort(budget: TorqueBudget, j: int, bars: bool = False) -> str:
    word = "torque" if budget.turns[j] else "force"
    return f"{'|' * bars}{word}{'|' * bars} [{budget.units[j]}]"


def _per(unit: str, time: str) -> str:
    return " or ".join(f"{one}/{time}" for one in unit.split(" or "))


def _time(axes: list[Any], columns: int) -> None:
    """The time under the lowest axes of every column."""
    for k, ax in enumerate(axes):
        if k + columns >= len(axes):
            ax.set_xlabel("time [s]")
