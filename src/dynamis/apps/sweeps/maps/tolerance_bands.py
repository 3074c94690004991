"""Tolerance bands of a torque budget: how far tolerances of parameters move the torques of a motion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.apps.sweeps.draws.points import Draw, sobol
from dynamis.apps.sweeps.draws.samples import ranges_and_draw
from dynamis.base.arguments import number
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.compute.program.quantity_program import parameter_value
from dynamis.library import require_robot
from dynamis.model.joint_limits import joint_limits
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.robot import Robot
from dynamis.telling.blocks import Column, Document, Figure, Items, Section, Table
from dynamis.telling.chart import TIME, Chart, Level, Line, Panel
from dynamis.telling.result import Result

BATCH_TORQUES = 2**20
"""Torques that are computed at a time: some hundred megabytes."""


@dataclass(frozen=True)
class ToleranceBands(Result):
    """Torques (samples, joints) over the motion: `nominal`, the band from `low` to `high`, and the extremes of all."""

    robot: Any
    tolerances: tuple[str, ...]
    draws: int
    share: float
    t: Array
    nominal: Array
    low: Array
    high: Array
    least: Array
    greatest: Array

    @property
    def joints(self) -> list[str]:
        """The names of the coordinates."""
        return [x.name for x in self.robot.coordinates]

    @property
    def _units(self) -> list[str]:
        return ["N m" if x.revolute else "N" for x in self.robot.coordinates]

    def document(self) -> Document:
        """Peaks of every joint with their bands, and the bands over time."""
        efforts = joint_limits(self.robot).effort
        rows = list[tuple[Any, ...]]()
        for k, (joint, unit) in enumerate(zip(self.joints, self._units, strict=True)):
            peak, band, worst = self._peaks(k)
            limit = float(efforts[k]) if np.isfinite(efforts[k]) else None
            rows.append((joint, peak, band, worst, *([limit] if np.isfinite(efforts).any() else []), unit))
        names = ["nominal peak", f"peak of the {100 * self.share:g} % band", "worst draw"]
        names += ["limit"] if np.isfinite(efforts).any() else []
        heads = ("joint", *(Column(name, form=".5g") for name in names), "unit")
        sections = (
            Section("Peaks", (Table(heads, tuple(rows), keys=1),), "values"),
            Section("What to know", (Items(tuple(self._words())),), "words"),
            Figure("bands", self._chart_of_bands, None, "Torques over time: nominal, and the band of the tolerances."),
        )
        title = f"{self.robot.name}: tolerance bands of a torque budget"
        return Document(title, sections, data=self._json, columns=self._columns, main_figure="bands")

    def _peaks(self, k: int) -> tuple[float, float, float]:
        sizes = (np.abs([self.nominal[:, k]]), np.abs([self.low[:, k], self.high[:, k]]),
                 np.abs([self.least[:, k], self.greatest[:, k]]))  # fmt: skip
        nominal, band, worst = (float(x.max()) for x in sizes)
        return nominal, band, worst

    def _words(self) -> Iterator[str]:
        yield f"{self.draws:,} draws of {', '.join(self.tolerances)}."
        yield f"At every instant the band holds {100 * self.share:g} % of the draws, as many outside above as below."

    def _chart_of_bands(self) -> Chart:
        efforts, panels = joint_limits(self.robot).effort, list[Panel]()
        for k, (joint, unit) in enumerate(zip(self.joints, self._units, strict=True)):
            lines: list[Any] = [
                Line(self.t, self.low[:, k], "band", 1), Line(self.t, self.high[:, k], "", 1),
                Line(self.t, self.nominal[:, k], "nominal", "solid"),
            ]  # fmt: skip
            if self._peaks(k)[2] > 0.5 * efforts[k]:
                lines += [Level(float(efforts[k]), "limit"), Level(-float(efforts[k]))]
            panels.append(Panel(tuple(lines), joint, TIME, f"[{unit}]"))
        return Chart(tuple(panels), 2 if len(panels) > 1 else 1, 1.8, len(panels) == 1)

    def _columns(self) -> dict[str, Array]:
        columns = {"t [s]": self.t}
        for k, (joint, unit) in enumerate(zip(self.joints, self._units, strict=True)):
            for name in ("nominal", "low", "high", "least", "greatest"):
                columns[f"{name} {joint} [{unit}]"] = getattr(self, name)[:, k]
        return columns

    def _json(self) -> dict[str, Any]:
        peaks = [
            dict(zip(("joint", "nominal", "band", "worst"), (joint, *self._peaks(k)), strict=True))
            for k, joint in enumerate(self.joints)
        ]
        return {"robot": self.robot.name, "tolerances": list(self.tolerances), "draws": self.draws, "share": self.share,
                "peaks": peaks}  # fmt: skip


def tolerance_bands(
    robot: Robot, budget: TorqueBudget, over: Mapping[Any, Any], draw: Draw | None = None, share: float = 0.95
) -> ToleranceBands:
    """How tolerances of parameters move the torques of a motion: a band around its torque budget.

    robot: the robot of the budget
    budget: what `torque_budget` gave
    over: a box or a distribution of every uncertain parameter: {"forearm.mass": normal(2.3, 0.05)}
    draw: a thousand points of Sobol's sequence by default
    share: of the draws that are inside of the band at every instant
    """
    require_robot(robot)
    inside = number("share", share)
    if not 0 < inside < 1:
        raise ArgumentError(f"share must be between 0 and 1, got {inside:g}", key="share")
    if not isinstance(budget, TorqueBudget) or tuple(x.name for x in robot.coordinates) != budget.joints:  # type: ignore[redundant-expr]
        raise ArgumentError("budget must be a torque budget of this robot", key="budget")
    spans, draw = ranges_and_draw(robot, over, sobol(1024) if draw is None else draw)
    names = [x.name for x in spans.dimensions]
    if spans.cases or spans.fixed or not names or any(":" in name for name in names):
        raise ArgumentError("over must have boxes and distributions of parameters alone", key="over")
    own = [parameter_value(robot, name) for name in names]
    if missing := [name for name, value in zip(names, own, strict=True) if value is None]:
        raise ArgumentError(f'robot "{robot.name}" has no value of {missing[0]} of its own', key="over")
    points = draw.points(len(names))
    values = spans.values(points.rows(0, points.count))
    torques = robot.compile("inverse_dynamics", parameters=names)
    x, n = budget.history, robot.n
    at_once = max(1, BATCH_TORQUES // (points.count * n))
    bands = [np.empty_like(x.tau) for _ in range(4)]
    for first in range(0, len(x.t), at_once):
        part = slice(first, first + at_once)
        q, qd, qdd = (rows[part, None] for rows in (x.q, x.qd, x.qdd))
        change = torques(q, qd, qdd, values) - torques(q, qd, qdd, np.array(own, float))
        tau = x.tau[part, None] + change
        edges = np.quantile(tau, [(1 - inside) / 2, (1 + inside) / 2], axis=1)
        for band, rows in zip(bands, (*edges, tau.min(1), tau.max(1)), strict=True):
            band[part] = rows
    return ToleranceBands(robot, tuple(names), points.count, inside, x.t, x.tau, *bands)
