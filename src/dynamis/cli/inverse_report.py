"""What `dynamis inverse` prints: tables for people, a dictionary for JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dynamis.model.loads import Load
from dynamis.reactions import Reactions
from dynamis.robot import Robot
from dynamis.tables import fixed, short, text_table


@dataclass(frozen=True)
class Question:
    """A state (or several) of a robot under loads, and what is asked about it."""

    robot: Robot
    q: Any
    qd: Any
    qdd: Any
    loads: tuple[Load, ...]
    gravity: Any
    reactions: bool
    convention: Any
    compare_gravity: bool

    def answer(self, gravity: Any) -> Reactions:
        return self.robot.reactions(
            self.q, self.qd, self.qdd, loads=self.loads, gravity=gravity, convention=self.convention
        )

    def states(self) -> list[np.ndarray[Any, Any]]:
        """q, qd, qdd as (N, n) arrays."""
        shape = self.answer(False).tau.shape
        zero = np.zeros(self.robot.n)
        given = [zero if v is None else np.asarray(v, dtype=float) for v in (self.q, self.qd, self.qdd)]
        return [np.broadcast_to(v, shape).reshape(-1, self.robot.n) for v in given]


def report(question: Question, decimals: int) -> str:
    """The torques of every state as a table, and the reactions if they are asked for."""
    on = question.gravity if question.gravity is not False else True
    answer = question.answer(on if question.compare_gravity else question.gravity)
    without = question.answer(False) if question.compare_gravity else None
    parts = [_torques(question, answer, without, decimals)]
    if question.reactions:
        count = max(1, int(np.prod(answer.tau.shape[:-1])))
        for k in range(count):
            state = np.unravel_index(k, answer.tau.shape[:-1]) if answer.tau.ndim > 1 else ()
            chosen = tuple(int(i) for i in state)
            label = f"state {k + 1}: " if count > 1 else ""
            parts.append(f"{label}reactions\n{answer.table(decimals, chosen)}")
            if without is not None:
                parts.append(f"{label}reactions without gravity\n{without.table(decimals, chosen)}")
    return "\n\n".join(parts)


def report_dict(question: Question) -> dict[str, Any]:
    """The same as plain data, in full precision."""
    on = question.gravity if question.gravity is not False else True
    answer = question.answer(on if question.compare_gravity else question.gravity)
    data: dict[str, Any] = {
        "robot": question.robot.name,
        "joints": [joint.name for joint in question.robot.joints],
        "units": [joint.unit for joint in question.robot.joints],
        "tau": answer.tau.tolist(),
    }
    if question.reactions:
        data["reactions"] = answer.as_dict()
    if question.compare_gravity:
        without = question.answer(False)
        data["tau_without_gravity"] = without.tau.tolist()
        data["tau_of_gravity"] = (answer.tau - without.tau).tolist()
        if question.reactions:
            data["reactions_without_gravity"] = without.as_dict()
    return data


def _torques(question: Question, answer: Reactions, without: Reactions | None, decimals: int) -> str:
    joints, n = question.robot.joints, question.robot.n
    tau = answer.tau.reshape(-1, n)
    other = None if without is None else without.tau.reshape(-1, n)
    states = zip(*question.states(), strict=True)
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
        header[7:] = ["without g", "of gravity", "ratio", ""]
    if len(tau) > 1:
        header.insert(0, "state")
    return text_table(header, rows, left=4 if len(tau) > 1 else 3)
