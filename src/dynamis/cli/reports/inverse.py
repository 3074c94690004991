"""What `dynamis inverse` is asked, and its answer."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from dynamis.document.blocks import Block, Column, Document, Items, Note, Section, Table
from dynamis.document.numbers import short
from dynamis.document.result import Result
from dynamis.model.loads import Load
from dynamis.quantities.coupling_matrix import joint_positions
from dynamis.quantities.reactions import Reactions
from dynamis.quantities.results import Recursion
from dynamis.robot import Robot
from dynamis.scalars.floats import number

STEPS = ("w", "wd", "vd", "vdc", "F", "N", "f", "n")
UNITS = ("rad/s", "rad/s^2", "m/s^2", "m/s^2", "N", "N m", "N", "N m")


@dataclass(frozen=True)
class Question(Result):
    """A state (or several) of a robot under loads, and what is asked about it."""

    robot: Robot
    q: Any = None
    qd: Any = None
    qdd: Any = None
    loads: tuple[Load, ...] = ()
    gravity: Any = True
    convention: Any = "joint"
    reactions: bool = False
    steps: bool = False
    compare_gravity: bool = False

    def answer(self, gravity: Any) -> Reactions:
        """Torques and reactions; gravity is another one where two are compared."""
        return self.robot.reactions(
            self.q, self.qd, self.qdd, loads=self.loads, gravity=gravity, convention=self.convention
        )

    def answers(self) -> tuple[Reactions, Reactions | None]:
        """The answer, and the one without gravity if both are asked for."""
        if not self.compare_gravity:
            return self.answer(self.gravity), None
        return self.answer(True if self.gravity is False else self.gravity), self.answer(False)

    def states(self, shape: tuple[int, ...]) -> list[Any]:
        """q, qd, qdd as arrays of the answer's shape."""
        zero = np.zeros(self.robot.n)
        given = [zero if v is None else np.asarray(v, dtype=float) for v in (self.q, self.qd, self.qdd)]
        return [np.broadcast_to(v, shape) for v in given]

    def document(self) -> Document:
        """The torques of every state as a table, and what else is asked for."""
        answer, without = self.answers()
        batch = answer.tau.shape[:-1]
        blocks: list[Block] = [self._torques(answer, without), Section("", tuple(self._beyond_limits()))]
        for state in np.ndindex(batch):
            label = f"state {int(np.ravel_multi_index(state, batch)) + 1}: " if batch else ""
            if self.steps:
                blocks.append(self._steps(f"{label}recursion", state))
            if self.reactions:
                blocks.append(Section(f"{label}reactions", answer.at(state).document().blocks))
                if without is not None:
                    shown = without.at(state).document()
                    blocks.append(Section(f"{label}reactions without gravity", shown.blocks))
        return Document("", tuple(blocks), data=self._data)

    def _data(self) -> dict[str, Any]:
        answer, without = self.answers()
        q, qd, qdd = self.states(answer.tau.shape)
        joints = self.robot.coordinates
        data: dict[str, Any] = {
            "robot": self.robot.name, "joints": [j.name for j in joints], "units": [j.unit for j in joints],
            "q": q, "qd": qd, "qdd": qdd,
            "gravity": self.gravity if isinstance(self.gravity, bool) else [float(g) for g in self.gravity],
            "loads": [str(load) for load in self.loads],
            "tau": answer.tau,
        }  # fmt: skip
        if self.reactions:
            data["reactions"] = answer.as_dict()
        if self.steps:
            recursion = self._recursion()
            data["recursion"] = {name: getattr(recursion, name) for name in STEPS}
        if without is not None:
            data |= {"tau_without_gravity": without.tau, "tau_of_gravity": answer.tau - without.tau}
            if self.reactions:
                data["reactions_without_gravity"] = without.as_dict()
        return data

    def _torques(self, answer: Reactions, without: Reactions | None) -> Table:
        joints, n = self.robot.coordinates, self.robot.n
        tau = answer.tau.reshape(-1, n)
        other = None if without is None else without.tau.reshape(-1, n)
        q, qd, qdd = (array.reshape(-1, n) for array in self.states(answer.tau.shape))
        columns = [Column("state"), Column(), Column("joint"), Column("kind")]
        columns += [Column(name, form=".6g") for name in ("q", "qd", "qdd")] + [Column("tau", form="fixed")]
        if other is not None:
            columns += [Column("without g", form="fixed"), Column("of gravity", form="fixed")]
            columns += [Column("without/with", form=".3f")]
        rows: list[tuple[Any, ...]] = []
        for (k, torques), (i, joint) in product(enumerate(tau), enumerate(joints)):
            torque = float(torques[i])
            values = [float(x[k, i]) for x in (q, qd, qdd, tau)]
            if other is not None:
                less = float(other[k, i])
                values += [less, torque - less, less / torque if abs(torque) > 1e-9 else np.nan]
            rows.append((k + 1, i + 1, joint.name, joint.kind, *values, joint.unit))
        one = len(tau) == 1
        return Table((*columns[one:], "unit"), tuple(row[one:] for row in rows), keys=2)

    def _beyond_limits(self) -> list[Note]:
        """A remark on every joint that the states take beyond its limits."""
        q = joint_positions(self.robot, np.atleast_2d(np.asarray(self.q, dtype=float)))
        notes: list[Note] = []
        for k, joint in enumerate(self.robot.joints):
            ends = {name: number(e, self.robot.values) for name, e in joint.limits.items()}
            lower, upper = ends.get("lower"), ends.get("upper")
            low, high = q[..., k].min(), q[..., k].max()
            if (lower is not None and low < lower) or (upper is not None and high > upper):
                span = f"{short(low)}" if low == high else f"{short(low)} to {short(high)}"
                shown = " .. ".join("" if end is None else short(end) for end in (lower, upper))
                notes.append(Note(f"joint {k + 1} ({joint.name}) at {span} is beyond its limits {shown}"))
        return notes

    def _recursion(self) -> Recursion:
        return self.robot.recursion(self.q, self.qd, self.qdd, loads=self.loads, gravity=self.gravity)

    def _steps(self, title: str, state: tuple[int, ...]) -> Section:
        """Every vector of the recursion, link by link, in link axes."""
        recursion = self._recursion()
        rows = [
            (link if k == 0 else "", name, *getattr(recursion, name)[state][i].tolist(), unit)
            for i, link in enumerate(recursion.links)
            for k, (name, unit) in enumerate(zip(STEPS, UNITS, strict=True))
        ]
        table = Table(("link", "", *(Column(axis, form="fixed") for axis in "xyz"), "unit"), tuple(rows))
        note = "in link axes; vd of the joint point and vdc of the CoM contain -g; f, n by the parent at the joint"
        return Section(title, (table, Items((note,))))
