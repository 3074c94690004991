"""What rollouts give: the ends of many runs, where they lie, and which of them blew up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError
from dynamis.base.numbers import short
from dynamis.robot import Robot
from dynamis.simulation.loop.closed_loop import WORK
from dynamis.telling.blocks import Block, Column, Document, Figure, Items, Note, Section, Table
from dynamis.telling.chart import TIME, Chart, Line, Panel
from dynamis.telling.joints import joint_chart, joint_table
from dynamis.telling.result import Result
from dynamis.telling.series import motion_columns

MOST_FAILED = 20
"""More rollouts that blew up are counted, not listed."""
SPREAD = {"lowest": np.min, "mean": np.mean, "highest": np.max}


@dataclass(frozen=True)
class Rollouts(Result):
    """Robots of a batch at the end of their runs and, where it was asked for, on the way.

    Shapes have the batch in front. `q`, `qd`, `memory` and `held` (the last sampled torque) are of the end; `work` [J]
    of motors, friction and loads; `energy_error` [J] is what of energy minus work, also that of `stops`, has changed. A
    robot that blew up has `failed` True; its values are its last finite ones, of the time `ended` [s]. Ctrl-C keeps
    what was computed: `warnings` and the last of `times` say until when.
    """

    robot: Robot
    times: Array
    """When states were kept, (k,) [s]; the first is 0, the last the end."""
    q: Array
    qd: Array
    memory: Array
    held: Array
    work: Array
    energy_error: Array
    failed: NDArray[np.bool_]
    ended: Array
    warnings: tuple[str, ...]
    q_history: Array | None = None
    """(..., k, n) at `times`; None where `keep` was not given."""
    qd_history: Array | None = None
    stops: Array = field(kw_only=True)
    """The energy that joint stops have taken [J], below 0."""

    def document(self) -> Document:
        """How many there are, where they end, which blew up, and the positions over time; one row of CSV each."""
        count = self.failed.size
        title = f"{self.robot.name}: {count} rollout{'s' * (count != 1)} over {short(float(self.times[-1]))} s"
        warnings = (Note(text, "warning") for text in self.warnings)
        blocks: list[Block] = [Section(title, (Items(tuple(self._sentences())), *warnings), "summary")]
        if not self.failed.all():
            blocks.append(Section("Where they end", (self._ends(),), "joints"))
        if self.failed.any():
            blocks.append(Section("Blown up", self._failures(), "failed"))
        missing = ArgumentError("no states were kept on the way; give keep=1", key="keep")
        drawable = self.q_history is not None and not self.failed.all()
        blocks.append(Figure("position", self._positions, None if drawable else missing, "Positions of the joints."))
        return Document("", tuple(blocks), data=self._data, columns=self._columns)

    def _sentences(self) -> list[str]:
        lines: list[str] = []
        if hit := int((self.stops != 0).sum()):
            lines.append(f"{hit} hit a joint stop, which took up to {short(float(-self.stops.min()))} J")
        good = self.energy_error[~self.failed]
        if good.size:
            lines.append(f"largest error of the energy balance {np.abs(good).max():.3g} J")
        return lines

    def _ends(self) -> Table:
        one = self.failed.size == 1
        columns: list[tuple[Column | str, Any]] = []
        for name, end, values in ("q", "", self.q), ("qd", "/s", self.qd):
            heads = {name: np.mean} if one else {f"{name} {how}": reduce for how, reduce in SPREAD.items()}
            good = values[~self.failed]
            columns += [(Column(head, form="fixed"), reduce(good, axis=0)) for head, reduce in heads.items()]
            columns.append(("unit", [f"{coordinate.length}{end}" for coordinate in self.robot.coordinates]))
        return joint_table([coordinate.name for coordinate in self.robot.coordinates], *columns)

    def _failures(self) -> tuple[Block, ...]:
        places = np.argwhere(self.failed).tolist()
        rows = tuple((", ".join(str(i) for i in at), float(self.ended[tuple(at)])) for at in places[:MOST_FAILED])
        more = len(places) - MOST_FAILED
        rest = (Items((f"... and {more} more: see failed and ended",)),) if more > 0 else ()
        return Table((Column("index in the batch"), Column("last finite at", "s", ".6g")), rows), *rest

    def _positions(self) -> Chart:
        """The lowest, the mean and the highest position of every joint over time, of those that did not blow up."""
        q = np.asarray(self.q_history)[~self.failed]
        coordinates = self.robot.coordinates

        def panel(j: int, name: str) -> Panel:
            lines = tuple(
                Line(self.times, reduce(q[..., j], axis=0), how, "thick" if how == "mean" else "thin")
                for how, reduce in SPREAD.items()
            )
            return Panel(lines, name, TIME, f"position [{coordinates[j].length}]")

        return joint_chart([coordinate.name for coordinate in coordinates], panel)

    def _columns(self) -> dict[str, Array]:
        """One row per rollout."""
        lengths, n = [coordinate.length for coordinate in self.robot.coordinates], self.robot.n
        columns = motion_columns(lengths, self.q.reshape(-1, n), self.qd.reshape(-1, n))
        columns |= {f"work of {name} [J]": self.work[..., k].ravel() for k, name in enumerate(WORK)}
        columns |= {"work of stops [J]": self.stops.ravel()}
        columns |= {"energy error [J]": self.energy_error.ravel()}
        return columns | {"failed": self.failed.ravel().astype(np.float64), "ended [s]": self.ended.ravel()}

    def _data(self) -> dict[str, Any]:
        good = ~self.failed
        spread = {
            name: {how: reduce(values[good], axis=0) for how, reduce in SPREAD.items()}
            for name, values in (("q", self.q), ("qd", self.qd))
            if good.any()
        }
        return {
            "robot": self.robot.name, "joints": [coordinate.name for coordinate in self.robot.coordinates],
            "lengths": [coordinate.length for coordinate in self.robot.coordinates],
            "rollouts": self.failed.size, "duration": self.times[-1], "end": spread, "failed": np.argwhere(self.failed),
            "ended": self.ended[self.failed], "stops": self.stops.min(initial=0.0),
            "energy_error": np.abs(self.energy_error[good]).max(initial=0.0), "warnings": self.warnings,
        }  # fmt: skip
