"""What `dynamis inverse` prints: tables for people, a dictionary for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.document.tables import fixed, short, text_table
from dynamis.model.loads import Load
from dynamis.quantities.reactions import Reactions
from dynamis.robot import Robot
from dynamis.scalars.floats import number

STEPS = ("w", "wd", "vd", "vdc", "F", "N", "f", "n")
UNITS = ("rad/s", "rad/s^2", "m/s^2", "m/s^2", "N", "N m", "N", "N m")


@dataclass(frozen=True)
class Question:
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


def report(question: Question, decimals: int) -> str:
    """The torques of every state as a table, and what else is asked for."""
    answer, without = question.answers()
    batch = answer.tau.shape[:-1]
    parts = [_torques(question, answer, without, decimals), *_beyond_limits(question)]
    for state in np.ndindex(batch):
        label = f"state {int(np.ravel_multi_index(state, batch)) + 1}: " if batch else ""
        if question.steps:
            parts.append(f"{label}recursion\n{_steps(question, state, decimals)}")
        if question.reactions:
            parts.append(f"{label}reactions\n{answer.table(decimals, state)}")
            if without is not None:
                parts.append(f"{label}reactions without gravity\n{without.table(decimals, state)}")
    return "\n\n".join(parts)


def report_dict(question: Question) -> dict[str, Any]:
    """The same as plain data, in full precision."""
    answer, without = question.answers()
    q, qd, qdd = question.states(answer.tau.shape)
    gravity = question.gravity
    data: dict[str, Any] = {
        "robot": question.robot.name,
        "joints": [joint.name for joint in question.robot.joints],
        "units": [joint.unit for joint in question.robot.joints],
        "q": q.tolist(), "qd": qd.tolist(), "qdd": qdd.tolist(),
        "gravity": gravity if isinstance(gravity, bool) else [float(g) for g in gravity],
        "loads": [str(load) for load in question.loads],
        "tau": answer.tau.tolist(),
    }  # fmt: skip
    if question.reactions:
        data["reactions"] = answer.as_dict()
    if question.steps:
        found = _recursion(question)
        data["recursion"] = {name: getattr(found, name).tolist() for name in STEPS}
    if without is not None:
        data["tau_without_gravity"] = without.tau.tolist()
        data["tau_of_gravity"] = (answer.tau - without.tau).tolist()
        if question.reactions:
            data["reactions_without_gravity"] = without.as_dict()
    return data


def _torques(question: Question, answer: Reactions, without: Reactions | None, decimals: int) -> str:
    joints, n = question.robot.joints, question.robot.n
    tau = answer.tau.reshape(-1, n)
    other = None if without is None else without.tau.reshape(-1, n)
    states = zip(*(array.reshape(-1, n) for array in question.states(answer.tau.shape)), strict=True)
    rows: list[list[str]] = []
    for k, (q, qd, qdd) in enumerate(states):
        for i, joint in enumerate(joints):
            row = [str(k + 1)] if len(tau) > 1 else []
            row += [str(i + 1), joint.name, joint.kind, short(q[i]), short(qd[i]), short(qdd[i])]
            row.append(fixed(tau[k, i], decimals))
            if other is not None:
                ratio = other[k, i] / tau[k, i] if abs(tau[k, i]) > 1e-9 else None
                row += [fixed(other[k, i], decimals), fixed(tau[k, i] - other[k, i], decimals)]
                row.append("-" if ratio is None else fixed(ratio, 3))
            rows.append([*row, joint.unit])
    header = ["", "joint", "kind", "q", "qd", "qdd", "tau", ""]
    if other is not None:
        header[7:] = ["without g", "g's part", "without/with", ""]
    if len(tau) > 1:
        header.insert(0, "state")
    return text_table(header, rows, left=4 if len(tau) > 1 else 3)


def _beyond_limits(question: Question) -> list[str]:
    """A remark on every joint that the states take beyond its limits."""
    q = np.atleast_2d(np.asarray(question.q, dtype=float))
    remarks: list[str] = []
    for k, joint in enumerate(question.robot.joints):
        ends = {name: number(e, question.robot.values) for name, e in joint.limits.items()}
        lower, upper = ends.get("lower"), ends.get("upper")
        low, high = q[..., k].min(), q[..., k].max()
        if (lower is not None and low < lower) or (upper is not None and high > upper):
            span = f"{short(low)}" if low == high else f"{short(low)} to {short(high)}"
            shown = " .. ".join("" if end is None else short(end) for end in (lower, upper))
            remarks.append(f"note: joint {k + 1} ({joint.name}) at {span} is beyond its limits {shown}")
    return ["\n".join(remarks)] if remarks else []


def _recursion(question: Question) -> Any:
    return question.robot.recursion(
        question.q, question.qd, question.qdd, loads=question.loads, gravity=question.gravity
    )


def _steps(question: Question, state: tuple[int, ...], decimals: int) -> str:
    """Every vector of the recursion, link by link, in link axes."""
    found = _recursion(question)
    rows = [
        [link if k == 0 else "", name, *(fixed(x, decimals) for x in getattr(found, name)[state][i]), unit]
        for i, link in enumerate(found.links)
        for k, (name, unit) in enumerate(zip(STEPS, UNITS, strict=True))
    ]
    table = text_table(["link", "", "x", "y", "z", ""], rows, left=2)
    return (
        f"{table}\n\nin link axes; vd of the joint point and vdc of the CoM contain -g; f, n by the parent at the joint"
    )
