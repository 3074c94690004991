"""The torque budget as text: tables and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dynamis.document.tables import fixed, short, text_table
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.mechanics.bearing_loads import BEARING
from dynamis.motion.torque_budget.run import GROUPS

if TYPE_CHECKING:
    from dynamis.motion.torque_budget.result import Shares, TorqueBudget

LEAST_SHARE = 0.005
"""Shares below half a percent are left out of the tables."""
TABLES: tuple[str, ...] = ("all", "sizing", "effects", "shares", "bearings", "tool")


def table(budget: TorqueBudget, kind: str, decimals: int) -> str:
    """The asked table, or all of them."""
    makers = dict(zip(TABLES[1:], (_sizing, _effects, _shares, _bearings, _tool), strict=True))
    if kind not in TABLES:
        raise UnknownNameError("table", kind, TABLES)
    if not 0 <= decimals <= 15:
        raise ArgumentError(f"decimals is {decimals}; it is 0 to 15", key="decimals")
    if kind != "all":
        return makers[kind](budget, decimals)
    wanted = [name for name in makers if name != "tool" or budget.history.position is not None]
    history = budget.history
    title = (
        f"{budget.robot}: {short(history.t[-1] - history.t[0])} s in {len(history.t)} samples"
        f"{'; ' + ', '.join(budget.loads) if budget.loads else ''}"
    )
    title = "\n".join([title, *budget.motion])
    return "\n\n".join([title, *(makers[name](budget, decimals) for name in wanted)])


def sentences(budget: TorqueBudget, count: int) -> list[str]:
    """`62 % of the peak of joint 2 is the mass of link 3`, for the largest causes of every joint.

    A cause that acts against the others: `the mass of link 3 relieves the peak of joint 2 by 10 %`.
    """
    found: list[str] = []
    for j in range(1, budget.n + 1):
        for of, word in (("peak", "peak"), ("rms", "RMS torque")):
            found += [
                f"{_percent(share)} of the {word} of joint {j} is {_the(cause)}"
                if share > 0
                else f"{_the(cause)} relieves the {word} of joint {j} by {_percent(-share)}"
                for cause, share in budget.causes.largest(j, count, of)
                if abs(share) >= LEAST_SHARE
            ]
    return found


def _sizing(budget: TorqueBudget, decimals: int) -> str:
    x, rows = budget.sizing, list[list[str]]()
    for j, (name, unit) in enumerate(zip(budget.joints, budget.units, strict=True)):
        torques = (x.peak_torque[j], x.peak_time[j], x.rms_torque[j], x.peak_without_gravity[j])
        others = (x.peak_speed[j], x.motoring[j], x.braking[j], x.energy[j], x.work[j])
        rows.append([
            str(j + 1), name, *(fixed(v, decimals) for v in torques), unit,
            *(fixed(v, decimals) for v in others),
        ])  # fmt: skip
    header = [
        "", "joint", "peak", "at [s]", "RMS", "peak without g", "", "speed [rad/s, m/s]", "drives [W]", "brakes [W]",
        "energy [J]", "work [J]",
    ]  # fmt: skip
    lines = ["What the motors must give", text_table(header, rows, left=2)]
    for joint, limit, need, allowed in x.beyond:
        where = "rad" if budget.turns[joint - 1] else "m"
        unit = {"effort": budget.units[joint - 1], "velocity": f"{where}/s"}.get(limit, where)
        does = "goes to" if limit.endswith("position") else "needs"
        lines.append(
            f"note: joint {joint} {does} {short(need)} {unit} and its {limit} limit is {short(allowed)} {unit}"
        )
    return "\n".join(lines)


def _effects(budget: TorqueBudget, decimals: int) -> str:
    rows: list[list[str]] = []
    groups = budget.groups
    for j, unit in enumerate(budget.units):
        for k, name in enumerate(GROUPS):
            if float(fixed(groups.largest[j, k], decimals)) == 0:
                continue
            of_peak, of_rms = _group_share(budget, j, name)
            values = (groups.lowest[j, k], groups.highest[j, k], groups.rms[j, k])
            rows.append([
                str(j + 1), name, *(fixed(v, decimals) for v in values), unit, _percent(of_peak), _percent(of_rms)
            ])  # fmt: skip
    header = ["joint", "effect", "lowest", "highest", "RMS", "", "of the peak", "of the RMS"]
    note = f"the effects add up to the torque within {budget.residual:.1e} of the largest part"
    return "\n".join(["What the torques are made of", text_table(header, rows, left=2), note])


def _group_share(budget: TorqueBudget, j: int, group: str) -> tuple[float, float]:
    inside = [k for k, name in enumerate(budget.parts.names) if name.split(" ")[0] == group]
    effects = budget.effects
    return float(effects.of_peak[j, inside].sum()), float(effects.of_rms[j, inside].sum())


def _shares(budget: TorqueBudget, decimals: int) -> str:
    del decimals
    blocks = [
        _share_table("By link", budget, budget.by_link),
        _share_table("By parameter (the mass at its CoM, the inertia about the CoM)", budget, budget.causes),
    ]
    return "\n\n".join(blocks)


def _share_table(title: str, budget: TorqueBudget, shares: Shares) -> str:
    shown = [
        k
        for k in range(len(shares.names))
        if max(np.nanmax(np.abs(x[:, k]), initial=0.0) for x in (shares.of_peak, shares.of_rms)) >= LEAST_SHARE
    ]
    header = ["cause", *(f"{of} {j + 1}" for j in range(budget.n) for of in ("peak", "RMS"))]
    rows = [
        [shares.names[k], *(_percent(float(x[j, k])) for j in range(budget.n) for x in (shares.of_peak, shares.of_rms))]
        for k in shown
    ]
    return "\n".join([f"{title}: shares of the peak and of the RMS torque of every joint", text_table(header, rows)])


def _bearings(budget: TorqueBudget, decimals: int) -> str:
    rows = [
        [link, kind, *(fixed(v, decimals) for v in row)]
        for link, kind, row in zip(budget.links, budget.kinds, budget.bearings, strict=True)
    ]
    units = ("N", "N", "N", "N m", "N m", "N m")
    header = ["carries", "joint", *(f"{name} [{unit}]" for name, unit in zip(BEARING, units, strict=True))]
    return "\n".join(["The largest reactions of every joint", text_table(header, rows, left=2)])


def _tool(budget: TorqueBudget, decimals: int) -> str:
    position, velocity, acceleration = budget.tool_motion()
    t = budget.history.t
    speed, pull = (np.linalg.norm(v, axis=1) for v in (velocity, acceleration))
    rows = [
        ["start", *(fixed(v, decimals) for v in position[0]), "m"],
        ["end", *(fixed(v, decimals) for v in position[-1]), "m"],
        ["lowest", *(fixed(v, decimals) for v in position.min(axis=0)), "m"],
        ["highest", *(fixed(v, decimals) for v in position.max(axis=0)), "m"],
    ]
    peaks = (
        f"fastest {short(speed.max())} m/s at {short(float(t[speed.argmax()]))} s, "
        f"largest acceleration {short(pull.max())} m/s^2 at {short(float(t[pull.argmax()]))} s"
    )
    return "\n".join([f'Frame "{budget.tool}" in the base frame', text_table(["", "x", "y", "z", ""], rows), peaks])


def _the(cause: str) -> str:
    return cause if cause.startswith("load ") else f"the {cause}"


def _percent(share: float) -> str:
    if not np.isfinite(share):
        return "-"
    text = fixed(100 * share, 0 if abs(share) >= 0.0995 else 1)
    return f"{'0' if float(text) == 0 else text} %"
