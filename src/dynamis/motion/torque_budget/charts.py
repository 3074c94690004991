"""Figures of a torque budget: the motion, the torques and what they are made of, what motors and bearings carry.

Parts of a torque differ by orders of magnitude. Those that could not be seen beside a joint's torque stand on a scale
of their own, one column further to the right, and those that could not be seen beside these once more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.motion.torque_budget.sizing import torque_speed_envelope
from dynamis.telling.chart import (
    MAX_SHARED_JOINTS,
    TIME,
    Area,
    Bars,
    Chart,
    Level,
    Line,
    Panel,
    columns_of,
    joint_name,
    joint_names,
    shorten_label,
    some,
)
from dynamis.telling.joints import joint_chart

SMALL_PART_SHARE = 0.08
"""Parts below this fraction of the largest of their panel go to the next one."""
MIN_DRAWN_SHARE = 1e-4
"""Parts below this fraction of a joint's peak are not drawn."""
HEADS = ("torque and its main parts", "smaller parts", "smallest parts")
MIN_TORQUE_SHARE = 0.02
"""The ratio of two torques is not drawn where the torque below is less than this fraction of its peak."""
NO_TORQUE = 1e-6
"""Nor for a joint whose peak is less than this fraction of the largest one: it is 0 but for rounding."""
NO_POWER = 1e-9
"""The power of a joint whose largest is less than this fraction of that of all is 0 but for rounding."""
LEAST_RANGE = 0.2
"""What the axis of a ratio spans at least."""
LEFT_OUT = "not drawn where the torque is below 2 % of the joint's peak"
MIN_INTERVAL_SHARE = 1e-3
"""The share of the duration of a motion below which an interval cannot be seen."""
BEARING_ROWS = (1, "radial force [N]"), (0, "axial force [N]"), (3, "tilting moment [N m]")
MAX_BARS = 7
"""Causes with a bar of their own: one per colour."""


def _tool(budget: TorqueBudget) -> Chart:
    samples, t = _samples(budget)
    values = zip(("position [m]", "velocity [m/s]", "acceleration [m/s²]"), budget.tool_motion(), strict=True)
    panels = [
        Panel(tuple(Line(t, v[samples, k], axis, k) for k, axis in enumerate("xyz")), x=TIME, y=title)
        for title, v in values
    ]
    title = f"Frame “{shorten_label(budget.tool or '', 60)}” in the base frame"
    return Chart(tuple(panels), 1, 1.5, narrow=True, title=title, share_x=True)


def _torques(budget: TorqueBudget) -> Chart:
    return _parts(budget, budget.history.tau, without=())


def _torques_without_gravity(budget: TorqueBudget) -> Chart:
    return _parts(budget, budget.history.without_gravity, without=("gravity",))


def levels(largest: Array, peak: float) -> list[list[int]]:
    """Which parts share a panel, by their largest |values|: no more than three levels.

    >>> levels(np.array([15.0, 0.6, 0.01, 2.2, 0.0]), 15.6)
    [[0, 3], [1], [2]]
    """
    order = [int(k) for k in np.argsort(-largest, kind="stable") if largest[k] > MIN_DRAWN_SHARE * peak]
    groups: list[list[int]] = [[]]
    size = peak
    for k in order:
        if largest[k] < SMALL_PART_SHARE * size and len(groups) < len(HEADS):
            groups.append([])
            size = float(largest[k])
        groups[-1].append(k)
    return [sorted(level) for level in groups]


def _parts(budget: TorqueBudget, total: Array, without: tuple[str, ...]) -> Chart:
    """The torque of every joint and its parts, one row per joint."""
    (samples, t), n, names = _samples(budget), budget.n, budget.groups.names
    groups = _require(budget.history.groups, "the parts of the torques were not kept")
    indices = [k for k, name in enumerate(names) if name not in without]
    largest, peaks = budget.groups.largest[:, indices], np.abs(total).max(axis=0)
    per_joint = [[[indices[k] for k in level] for level in levels(largest[j], float(peaks[j]))] for j in range(n)]
    columns = max(map(len, per_joint))
    heads = [HEADS[0] if columns > 1 else "torque and its parts", *HEADS[1:]]
    heads[0] += ", without gravity" if without else ""
    friction, torque = names.index("friction"), moving(budget, total)
    panels: list[Panel] = []
    for j, levels_of_joint in enumerate(per_joint):
        for c in range(columns):
            title = heads[c] if j == 0 else ""
            if c >= len(levels_of_joint):
                panels.append(Panel(title=title, note="none", empty=True))
                continue
            parts = [groups[..., k] if k != friction else moving(budget, groups[..., k]) for k in levels_of_joint[c]]
            lines = [Line(t, v[samples, j], names[k], k) for k, v in zip(levels_of_joint[c], parts, strict=True)]
            low, high, name = None, None, ""
            if c == 0:
                # From 0, so that the eye sees how much of the torque a part is.
                low, high = _from_zero([v[samples, j] for v in (*parts, torque)])
                name = joint_name(budget.joints, j, 16).replace(": ", "\n", 1) + "\n"
                lines.append(Line(t, torque[samples, j], "total", "total"))
            panels.append(Panel(tuple(lines), title, TIME, f"{name}{_effort(budget, j)}", low=low, high=high))
    return Chart(
        tuple(panels), columns, 2.1 if n <= MAX_SHARED_JOINTS else 1.35, narrow=columns == 1, order=(*names, "total"),
        legend_columns=4 if columns == 1 else 8, share_x=True,
    )  # fmt: skip


def _gravity_ratio(budget: TorqueBudget) -> Chart:
    """The torque without gravity over the torque with it."""
    x, (samples, t), n = budget.history, _samples(budget), budget.n
    peaks = np.abs(x.tau).max(axis=0)
    loud = (np.abs(x.tau) >= MIN_TORQUE_SHARE * peaks) & (peaks > NO_TORQUE * peaks.max())
    ratio = moving(budget, np.where(loud, x.ratio, np.nan))
    if n <= MAX_SHARED_JOINTS:
        names = joint_names(budget.joints)
        lines = tuple(
            Line(t, ratio[samples, j], name, j) for j, name in enumerate(names) if np.isfinite(ratio[:, j]).any()
        )
        low, high = _bulk(ratio)
        together = Panel(lines, LEFT_OUT, TIME, "torque without / with gravity [–]", low=low, high=high)
        return Chart((together,), 1, 2.6, narrow=True)

    def panel(j: int, name: str) -> Panel:
        level = Level(1, "gravity has no part", "axis")
        line = Line(t, ratio[samples, j], "torque without / torque with gravity")
        low, high = _bulk(ratio[:, j])
        note = "" if np.isfinite(ratio[:, j]).any() else "no torque"
        return Panel((level, line), name, TIME, "without / with [–]", low=low, high=high, note=note)

    return joint_chart(budget.joints, panel, 1.5, title=LEFT_OUT, share_x=True)


def _joints(budget: TorqueBudget) -> Chart:
    x, (samples, t) = budget.history, _samples(budget)
    units = list(dict.fromkeys(budget.lengths))
    panels: list[Panel] = []
    for name, values, per in (("position", x.q, ""), ("velocity", x.qd, "/s"), ("acceleration", x.qdd, "/s²")):
        lines = tuple(Line(t, values[samples, j], f"joint {j + 1}", j) for j in range(budget.n))
        # Two units are too long for the height of the panel in one line.
        title = f"{name}{' ' if len(units) == 1 else chr(10)}[{' or '.join(f'{unit}{per}' for unit in units)}]"
        panels.append(Panel(lines, x=TIME, y=title))
    return Chart(tuple(panels), 1, 1.5, narrow=True, share_x=True)


def _torque_speed(budget: TorqueBudget) -> Chart:
    x, (samples, _), sizing = budget.history, _samples(budget), budget.sizing

    def panel(j: int, name: str) -> Panel:
        edges, torque = torque_speed_envelope(x.qd[:, j], x.tau[:, j])
        top = max(float(torque.max()), sizing.rms_torque[j], np.nan_to_num(sizing.effort[j], posinf=0.0))
        marks = [
            Line(np.abs(x.qd[samples, j]), np.abs(x.tau[samples, j]), "motion", "dots"),
            Line(edges, [*torque, torque[-1]], "envelope (at this speed or above)", "envelope", steps=True),
            Level(sizing.rms_torque[j], "RMS torque", "rms"),
        ]
        limits = (sizing.effort[j], False), (sizing.speed_limit[j], True)
        marks += [Level(v, "limit of the joint", upright=upright) for v, upright in limits if np.isfinite(v)]
        speed, effort = f"speed [{budget.lengths[j]}/s]", _effort(budget, j, bars="|")
        return Panel(tuple(marks), name, speed, effort, low=0, high=1.12 * top or 1.0, left=0)

    return joint_chart(budget.joints, panel, 2.0)


def _power(budget: TorqueBudget) -> Chart:
    (samples, t), n = _samples(budget), budget.n
    power = budget.history.power[samples]
    idle = np.abs(power).max(axis=0) <= NO_POWER * np.abs(power).max()
    power = np.where(idle, 0.0, power)
    every = power.sum(axis=1)
    columns = columns_of(n + 1)
    names = joint_names(budget.joints, columns)
    if n <= MAX_SHARED_JOINTS:
        lines = [Line(t, power[:, j], name, j) for j, name in enumerate(names)]
        panel = Panel((*lines, Line(t, every, "all joints", "total")), x=TIME, y="mechanical power [W]")
        return Chart((panel,), 1, 2.4, narrow=True, legend_columns=4)
    panels: list[Panel] = []
    for k, (name, values) in enumerate([("all joints", every), *zip(names, power.T, strict=True)]):
        area, line = Area(t, values, "motoring", "braking"), Line(t, values, "", "solid" if k else "thin")
        panels.append(Panel((area, line), name, TIME, "" if k % columns else "power [W]"))
    return Chart(tuple(panels), columns, 1.5, share_x=True)


def _shares(budget: TorqueBudget) -> Chart:
    shares = budget.by_link
    size = np.nan_to_num(np.abs(np.concatenate([shares.of_peak, shares.of_rms]))).max(axis=0)
    largest = [int(k) for k in np.argsort(-size, kind="stable")[:MAX_BARS] if size[k] >= 0.005]
    panels: list[Panel] = []
    for values, title in ((shares.of_peak, "peak torque"), (shares.of_rms, "RMS torque")):
        parts = [(shorten_label(shares.names[k]), np.nan_to_num(values[:, k])) for k in largest]
        others = np.nan_to_num(np.delete(values, largest, axis=1)).sum(axis=1)
        if np.abs(others).max(initial=0.0) >= 0.005:
            parts += [("all others", others)]
        bars = Bars(tuple(f"joint {j + 1}" for j in range(budget.n)), tuple(parts), len(largest))
        panels.append(Panel((bars,), x=f"share of the {title} [%]"))
    return Chart(tuple(panels), 2, 0.32 * budget.n + 0.9, legend_columns=4, share_y=True)


def _bearings(budget: TorqueBudget) -> Chart:
    samples, t = _samples(budget)
    loads = _require(budget.history.bearings, "the reactions were not kept")
    panels: list[Panel] = []
    if len(budget.links) <= MAX_SHARED_JOINTS:
        # A planar arm has neither axial forces nor tilting moments; what is zero everywhere is left out.
        for k, title in ((k, title) for k, title in BEARING_ROWS if k == 1 or budget.bearings[:, k].max() > 1e-9):
            lines = [
                Line(t, loads[samples, i, k], f"joint of {shorten_label(link)}", i)
                for i, link in enumerate(budget.links)
            ]
            panels.append(Panel(tuple(lines), x=TIME, y=title, low=0 if k else None))
        return Chart(tuple(panels), 1, 1.6, narrow=True, legend_columns=4, share_x=True)
    sides = ("force [N]", ((1, "radial"), (0, "axial"))), ("moment [N m]", ((3, "tilting"), (4, "twisting")))
    for i, link in enumerate(budget.links):
        for side, (unit, parts) in enumerate(sides):
            word = unit.split(" ")[0]
            lines = [Line(t, loads[samples, i, k], f"{name} {word}", 2 * side + c) for c, (k, name) in enumerate(parts)]
            panels.append(Panel(tuple(lines), x=TIME, y=unit if side else f"{shorten_label(link, 16)}\n{unit}"))
    return Chart(tuple(panels), 2, 1.25, share_x=True)


def moving(budget: TorqueBudget, values: Array) -> Array:
    """Values (samples, n) without the instant of rest at both ends of a motion, where there is no dry friction."""
    groups, t = budget.history.groups, budget.history.t
    if groups is None:
        return values
    dry = groups[..., budget.groups.names.index("friction")] != 0
    motion = values.copy()
    for j in np.flatnonzero(dry.any(axis=0)):
        first, last = int(np.argmax(dry[:, j])), len(t) - int(np.argmax(dry[::-1, j]))
        if t[first] - t[0] <= MIN_INTERVAL_SHARE * (t[-1] - t[0]):
            motion[:first, j] = np.nan
        if t[-1] - t[last - 1] <= MIN_INTERVAL_SHARE * (t[-1] - t[0]):
            motion[last:, j] = np.nan
    return motion


def _samples(budget: TorqueBudget) -> tuple[Any, Array]:
    """Which samples are drawn, and their times."""
    samples = some(len(budget.history.t))
    return samples, budget.history.t[samples]


def _require(values: Array | None, what: str) -> Array:
    if values is None:
        raise ArgumentError(f'{what} over time; ask torque_budget for keep="sums"', key="keep")
    return values


def _effort(budget: TorqueBudget, j: int, bars: str = "") -> str:
    """`torque [N m]` or `force [N]`."""
    return f"{bars}{'torque' if budget.revolute[j] else 'force'}{bars} [{budget.units[j]}]"


def _from_zero(curves: list[Array]) -> tuple[float, float]:
    """The range of some curves and 0, with some room."""
    values = np.concatenate([[0.0], *(curve[np.isfinite(curve)] for curve in curves)])
    low, high = float(values.min()), float(values.max())
    return low - 0.05 * (high - low), high + 0.05 * (high - low) or 1.0


def _bulk(ratio: Array) -> tuple[float | None, float | None]:
    """The range of most values: where the torque below passes 0, the ratio has no bounds."""
    finite = ratio[np.isfinite(ratio)]
    if not finite.size:
        return None, None
    low, high = np.quantile(finite, [0.01, 0.99])
    room = 0.15 * max(high - low, 0.1)
    low, high = max(finite.min(), low - 2 * room), min(finite.max(), high + 2 * room)
    alike = max(0.0, LEAST_RANGE - (high - low)) / 2  # a ratio that hardly changes does not fill its axis
    return float(low - room / 3 - alike), float(high + room / 3 + alike)


def meaningless(budget: TorqueBudget) -> dict[str, str]:
    """The figures that would show nothing, and why."""
    x, gravity = budget.history, budget.groups.names.index("gravity")
    least = NO_TORQUE * np.abs(x.tau).max(initial=0.0)
    reasons: dict[str, str] = {}
    if not (x.qd.any() or x.qdd.any()):
        reasons |= dict.fromkeys(("tool", "joints", "torque-speed", "power"), "no joint moves")
    if not x.tau.any():
        names = ("torques", "gravity-ratio", "torque-speed", "power", "shares")
        reasons |= dict.fromkeys(names, "all torques are zero")
    if budget.groups.largest[:, gravity].max(initial=0.0) <= least:
        reasons |= dict.fromkeys(("torques-without-gravity", "gravity-ratio"), "gravity has no part in the torques")
    elif np.abs(x.without_gravity).max(initial=0.0) <= least:
        names = ("torques-without-gravity", "gravity-ratio")
        reasons |= dict.fromkeys(names, "all torques without gravity are zero")
    if not budget.bearings.any():
        reasons["bearings"] = "the bearings carry nothing"
    return reasons


CHARTS: dict[str, Callable[[TorqueBudget], Chart]] = {
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
CAPTIONS = {
    "tool": "Position, velocity and acceleration of the tool.",
    "torques": "The torque of every joint, and its parts.",
    "torques-without-gravity": "The torque of every joint without gravity, and its parts.",
    "gravity-ratio": "The torque without gravity over the torque with gravity.",
    "joints": "Positions, velocities and accelerations of the joints.",
    "torque-speed": "The torque over the speed of every joint.",
    "power": "The mechanical power of every joint.",
    "shares": "Shares of the peak and of the RMS torque, by link.",
    "bearings": "What the bearings carry.",
}
