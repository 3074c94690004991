"""The torques of single states as a result: beside them reactions, the recursion, and what gravity alone causes.

tau = tau(q, qd, qdd) under loads, as `Robot.inverse_dynamics` gives it [N m or N]; the torque of gravity is the
difference between tau with gravity and without. All arrays have the batch of the states in their leading axes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.base.faces import option
from dynamis.base.numbers import short
from dynamis.compute.mechanics.coupling import joint_positions
from dynamis.compute.quantities.arguments import Gravity
from dynamis.model.loads import Load
from dynamis.model.payload import acting_words
from dynamis.motion.single_states.words import OVERFLOW
from dynamis.robot import Robot
from dynamis.scalars.floats import number
from dynamis.telling.blocks import Block, Column, Document, Items, Note, Section, Table
from dynamis.telling.pages.reactions import Reactions
from dynamis.telling.pages.states import STEPS, Recursion, at, recursion_table
from dynamis.telling.result import Result

NEGLIGIBLE_TORQUE = 1e-9
"""A torque [N m or N] below which the share of gravity in it is not told: it is the rounding of larger ones."""


@dataclass(frozen=True)
class StateTorques(Result):
    """The torques of one state or several, (..., n), and what else was asked about them."""

    robot: Robot
    q: Array
    qd: Array
    qdd: Array
    loads: tuple[Load, ...]
    gravity: Gravity
    tau: Array
    reactions: Reactions | None = None
    recursion: Recursion | None = None
    without_gravity: StateTorques | None = None
    words: tuple[tuple[str, ...], ...] = ()
    """What they say, in sentences, for every state; empty if not asked for."""

    @property
    def notes(self) -> list[str]:
        """What a reader of the numbers should know: joints beyond their limits, and whether numbers overflow."""
        return [*self.beyond_limits(), *([] if np.isfinite(self.tau).all() else [OVERFLOW])]

    def beyond_limits(self) -> list[str]:
        """A sentence on every joint that the states take beyond its limits.

        Coordinates have the numbers that they have everywhere; a coupled joint has none.
        """
        numbers = {coordinate.name: k for k, coordinate in enumerate(self.robot.coordinates, 1)}
        q = joint_positions(self.robot, self.q).reshape(-1, len(self.robot.joints))
        sentences: list[str] = []
        for k, joint in enumerate(self.robot.joints):
            ends = {name: number(e, self.robot.values) for name, e in joint.limits.items()}
            lower, upper = ends.get("lower"), ends.get("upper")
            low, high = q[:, k].min(), q[:, k].max()
            if (lower is not None and low < lower) or (upper is not None and high > upper):
                span = f"{short(low)}" if low == high else f"{short(low)} to {short(high)}"
                limits = " .. ".join("" if end is None else short(end) for end in (lower, upper))
                which = f"joint {numbers[joint.name]}" if joint.name in numbers else "coupled joint"
                over = max(0.0 if lower is None else lower - low, 0.0 if upper is None else high - upper)
                # more than a whole turn beyond
                asked = f": is that in degrees? Then {option('degrees')} is missing" if over > 2 * np.pi else ""
                asked = asked if joint.revolute else ""
                sentences.append(f"{which} ({joint.name}) at {span} is beyond its limits {limits}{asked}")
        return sentences

    def document(self) -> Document:
        """The torques of every state as a table, joints beyond their limits, and for every state what else there is."""
        batch = self.tau.shape[:-1]
        blocks: list[Block] = [Section("", (self._torques(), Items(self._circumstances()), *map(Note, self.notes)))]
        for k, state in enumerate(np.ndindex(batch), 1):
            label = f"state {k}: " if batch else ""
            if self.recursion is not None:
                blocks.append(_steps(self.recursion, state, f"{label}recursion"))
            for one, end in (self, ""), (self.without_gravity, " without gravity"):
                if one is not None and one.reactions is not None:
                    blocks.append(Section(f"{label}reactions{end}", one.reactions.at(state).document().blocks))
            if self.words:
                title = f"{label}in words" if label else "In words"
                blocks.append(Section(title, (Items(self.words[k - 1]),), "words" if k == 1 else ""))
        reactions = ("reactions",) if self.reactions is not None else ()
        methods = ("inverse_dynamics", *(("recursion",) if self.recursion is not None else ()), *reactions)
        return Document("", tuple(blocks), data=self._data, methods=methods)

    def _circumstances(self) -> tuple[str, ...]:
        """Another gravity than the robot's own, the payload and the loads."""
        if isinstance(self.gravity, bool):
            gravity = () if self.gravity else ("without gravity",)
        else:
            gravity = (f"gravity [{', '.join(short(float(g)) for g in self.gravity)}] m/s^2",)
        return (*gravity, *(f"load: {load}" for load in self._acting()))

    def _acting(self) -> tuple[str, ...]:
        """The payload and the loads, in words."""
        return acting_words(self.robot, self.loads)

    def _torques(self) -> Table:
        n, without = self.robot.n, self.without_gravity
        q, qd, qdd, tau = (x.reshape(-1, n) for x in (self.q, self.qd, self.qdd, self.tau))
        columns = [Column("state"), Column(), Column("joint"), Column("kind")]
        for name, end in ("q", ""), ("qd", "/s"), ("qdd", "/s^2"):
            units = [f"{joint.length}{end}" for joint in self.robot.coordinates] * len(tau)
            columns.append(Column.of_units(name, units, ".6g"))
        columns += [Column("tau", form="fixed")]
        if without is not None:
            columns += [Column("without g", form="fixed"), Column("of gravity", form="fixed")]
        columns += [Column("unit"), *([Column("without/with", form=".3f")] if without is not None else [])]
        rows: list[tuple[Any, ...]] = []
        for k, (i, joint) in product(range(len(tau)), enumerate(self.robot.coordinates)):
            values = [float(x[k, i]) for x in (q, qd, qdd, tau)]
            ratio: list[float] = []
            if without is not None:
                torque, less = values[-1], float(without.tau.reshape(-1, n)[k, i])
                values += [less, torque - less]
                ratio = [less / torque if abs(torque) > NEGLIGIBLE_TORQUE else np.nan]
            rows.append((k + 1, i + 1, joint.name, joint.kind, *values, joint.unit, *ratio))
        one = len(tau) == 1
        return Table(tuple(columns[one:]), tuple(row[one:] for row in rows), keys=2)

    def _data(self) -> dict[str, Any]:
        joints, without = self.robot.coordinates, self.without_gravity
        data: dict[str, Any] = {
            "robot": self.robot.name, "joints": [j.name for j in joints], "units": [j.unit for j in joints],
            "q": self.q, "qd": self.qd, "qdd": self.qdd,
            "gravity": self.gravity if isinstance(self.gravity, bool) else [float(g) for g in self.gravity],
            "loads": self._acting(),
            "tau": self.tau, "notes": self.notes,
        }  # fmt: skip
        if self.reactions is not None:
            data["reactions"] = self.reactions.as_dict()
        if self.recursion is not None:
            data["recursion"] = {name: getattr(self.recursion, name) for name in STEPS}
        if without is not None:
            data |= {"tau_without_gravity": without.tau, "tau_of_gravity": self.tau - without.tau}
            if without.reactions is not None:
                data["reactions_without_gravity"] = without.reactions.as_dict()
        if self.words:
            data["words"] = self.words if self.tau.ndim > 1 else self.words[0]
        return data


def _steps(recursion: Recursion, state: tuple[int, ...], title: str) -> Section:
    """Every vector of the recursion of one state, link by link, in link axes."""
    note = "in link axes; vd of the joint point and vdc of the CoM contain -g; f, n by the parent at the joint"
    return Section(title, (recursion_table(at(recursion, state)), Items((note,))))
