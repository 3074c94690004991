"""Pictures of a torque budget: the motion, the torques and what they are made of, what motors and bearings carry."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dynamis.document.figure import COLOURS, INK, WIDE, grid, label, legend, line, style
from dynamis.errors import UnknownNameError
from dynamis.motion.torque_budget.axes import FEW, columns_of, effort, joint_name, kept, some, time_below
from dynamis.motion.torque_budget.parts_plot import gravity_ratio, torques, torques_without_gravity

if TYPE_CHECKING:
    from dynamis.motion.torque_budget.result import TorqueBudget

BEARING_ROWS = (1, "radial force [N]"), (0, "axial force [N]"), (3, "tilting moment [N m]")


def plot(budget: TorqueBudget, kind: str) -> Any:
    """The figure of this kind."""
    if kind not in KINDS:
        raise UnknownNameError("plot", kind, KINDS)
    with style():
        return KINDS[kind](budget)


def _tool(budget: TorqueBudget) -> Any:
    """Figure 1: position, velocity and acceleration of the tool."""
    x, drawn = budget.history, some(budget)
    labels = "position [m]", "velocity [m/s]", "acceleration [m/s²]"
    values = budget.tool_motion()
    figure, axes = grid(3, 1, 1.5, WIDE * 0.72, sharex=True)
    for ax, title, found in zip(axes, labels, values, strict=True):
        for k, axis in enumerate("xyz"):
            line(ax, x.t[drawn], found[drawn, k], k, f"${axis}$")
        ax.set_ylabel(title)
    axes[-1].set_xlabel("time [s]")
    axes[0].set_title(f"Frame “{label(budget.tool or '', 60)}” in the base frame")
    legend(figure, axes)
    return figure


def _joints(budget: TorqueBudget) -> Any:
    x, drawn = budget.history, some(budget)
    units = {"rad" if turns else "m" for turns in budget.turns}
    unit = " or ".join(sorted(units, reverse=True))
    figure, axes = grid(3, 1, 1.5, WIDE * 0.72, sharex=True)
    rows = (
        (f"position [{unit}]", x.q),
        (f"velocity [{_per(unit, 's')}]", x.qd),
        (f"acceleration [{_per(unit, 's²')}]", x.qdd),
    )
    for ax, (title, values) in zip(axes, rows, strict=True):
        for j in range(budget.n):
            line(ax, x.t[drawn], values[drawn, j], j, f"joint {j + 1}")
        # Two units are too long for the height of the axes in one line.
        ax.set_ylabel(title.replace(" [", "\n[") if len(units) > 1 else title)
    axes[-1].set_xlabel("time [s]")
    legend(figure, axes)
    return figure


def _torque_speed(budget: TorqueBudget) -> Any:
    from dynamis.motion.torque_budget.sizing import torque_speed_envelope

    x, drawn, sizing = budget.history, some(budget), budget.sizing
    figure, axes = grid(budget.n, 3, 2.0)
    for j, ax in enumerate(axes):
        ax.plot(np.abs(x.qd[drawn, j]), np.abs(x.tau[drawn, j]), ".", color=COLOURS[5], ms=2.2, label="motion")
        edges, torque = torque_speed_envelope(x.qd[:, j], x.tau[:, j])
        ax.stairs(torque, edges, color=INK, lw=1.4, label="envelope (at this speed or above)", baseline=None, zorder=3)
        ax.axhline(sizing.rms_torque[j], color=COLOURS[1], ls=(0, (5, 1.5)), label="RMS torque")
        for limit, draw in ((sizing.effort[j], ax.axhline), (sizing.speed_limit[j], ax.axvline)):
            if np.isfinite(limit):
                draw(limit, color=COLOURS[6], ls=(0, (1, 2)), label="limit of the joint")
        ax.set_title(joint_name(budget, j))
        ax.set_xlabel(f"speed [{'rad' if budget.turns[j] else 'm'}/s]")
        ax.set_ylabel(effort(budget, j, bars=True))
        ax.set_xlim(left=0)
        ax.set_ylim(0, 1.08 * ax.get_ylim()[1])
    legend(figure, axes)
    return figure


def _power(budget: TorqueBudget) -> Any:
    x, drawn, n = budget.history, some(budget), budget.n
    power = x.power[drawn]
    if n <= FEW:
        figure, (ax,) = grid(1, 1, 2.4, WIDE * 0.72)
        for j in range(n):
            line(ax, x.t[drawn], power[:, j], j, joint_name(budget, j))
        line(ax, x.t[drawn], power.sum(axis=1), 0, "all joints", color=INK, linestyle="-", linewidth=1.8, zorder=1.9)
        ax.set_xlabel("time [s]")
        ax.set_ylabel("mechanical power [W]")
        legend(figure, [ax], 4)
        return figure
    columns = columns_of(n + 1)
    figure, axes = grid(n + 1, columns, 1.5, sharex=True)
    curves = [("all joints", power.sum(axis=1), INK)]
    curves += [(joint_name(budget, j), power[:, j], COLOURS[0]) for j in range(n)]
    for k, (ax, (title, values, colour)) in enumerate(zip(axes, curves, strict=True)):
        ax.fill_between(x.t[drawn], values, where=values >= 0, color=COLOURS[5], alpha=0.5, lw=0, label="drives")
        ax.fill_between(x.t[drawn], values, where=values <= 0, color=COLOURS[4], alpha=0.5, lw=0, label="brakes")
        ax.plot(x.t[drawn], values, color=colour)
        ax.set_title(title)
        if k % columns == 0:
            ax.set_ylabel("power [W]")
    time_below(axes, columns)
    legend(figure, axes)
    return figure


def _bearings(budget: TorqueBudget) -> Any:
    x, drawn = budget.history, some(budget)
    loads = kept(x.bearings, "the reactions were not kept")
    # A planar arm has neither axial forces nor tilting moments; what is zero everywhere is left out.
    shown = [(k, title) for k, title in BEARING_ROWS if k == 1 or budget.bearings[:, k].max() > 1e-9]
    if len(budget.links) > FEW:
        return _many_bearings(budget, loads)
    figure, axes = grid(len(shown), 1, 1.6, WIDE * 0.72, sharex=True)
    for ax, (k, title) in zip(axes, shown, strict=True):
        for i, link in enumerate(budget.links):
            line(ax, x.t[drawn], loads[drawn, i, k], i, f"joint of {label(link)}")
        ax.set_ylabel(title)
        if k != 0:
            ax.set_ylim(bottom=0)
    axes[-1].set_xlabel("time [s]")
    legend(figure, axes, 4)
    return figure


def _many_bearings(budget: TorqueBudget, loads: Any) -> Any:
    """One row a joint: its forces, and its moments."""
    x, drawn = budget.history, some(budget)
    sides = ((1, "radial"), (0, "axial")), ((3, "tilting"), (4, "twisting"))
    figure, axes = grid(2 * len(budget.links), 2, 1.25, sharex=True)
    for i, link in enumerate(budget.links):
        for side, (ax, unit) in enumerate(zip(axes[2 * i : 2 * i + 2], ("force [N]", "moment [N m]"), strict=True)):
            for look, (k, name) in enumerate(sides[side]):
                line(ax, x.t[drawn], loads[drawn, i, k], 2 * side + look, f"{name} {unit.split(' ')[0]}")
            ax.set_ylabel(unit if side else f"{label(link, 16)}\n{unit}")
    time_below(axes, 2)
    figure.align_ylabels(axes[::2])
    legend(figure, axes)
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
        columns = [(label(shares.names[k]), np.nan_to_num(values[:, k]), COLOURS[c]) for c, k in enumerate(shown)]
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
    "torques": torques,
    "torques-without-gravity": torques_without_gravity,
    "gravity-ratio": gravity_ratio,
    "joints": _joints,
    "torque-speed": _torque_speed,
    "power": _power,
    "shares": _shares,
    "bearings": _bearings,
}


def _per(unit: str, time: str) -> str:
    return " or ".join(f"{one}/{time}" for one in unit.split(" or "))
