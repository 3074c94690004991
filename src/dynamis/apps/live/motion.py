"""The samples of a task, as the page needs them to compute its torque budget anew."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.apps.exports.exported import PAYLOAD
from dynamis.apps.live.inputs import PAYLOAD_INERTIA
from dynamis.apps.live.loads import loads_data
from dynamis.apps.live.numbers import pack_base64
from dynamis.base.arrays import Array
from dynamis.compute.mechanics.dynamics.parameter_torques import OF_LINK, of_drive
from dynamis.model.payload import Payload
from dynamis.motion.tasks.task import Task
from dynamis.motion.torque_budget.payloads import payload_spans
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.motion.torque_budget.run import GROUPS
from dynamis.robot import Robot
from dynamis.scalars.floats import number

MAX_SAMPLES = 1600
"""A longer motion is thinned for the page; the tables of the report have all samples."""
LIVE = "Move the payload, a mass, a length or gravity: the page recomputes all torques of the motion."
WITH_LOADS = " The torques of the loads on the robot stay as the task gives them."


def motion_data(robot: Robot, task: Task, budget: TorqueBudget) -> dict[str, Any]:
    """Times, states, loads and their torques, and when which payload is held; `robot` is that of the live model."""
    x = budget.history
    kept: Any = np.unique(np.linspace(0, len(x.t) - 1, min(len(x.t), MAX_SAMPLES)).astype(int))
    t, loaded = x.t[kept], bool(task.loads) and x.groups is not None
    applied = x.groups[kept][..., GROUPS.index("applied")] if loaded and x.groups is not None else None
    return {
        "t": pack_base64(t), "q": pack_base64(x.q[kept]), "qd": pack_base64(x.qd[kept]),
        "qdd": pack_base64(x.qdd[kept]),
        "loads": loads_data(robot, task.loads, t),
        "applied": None if applied is None else pack_base64(applied),
        "spans": [_span(t, *span) for span in payload_spans(task.payload)],
        "words": LIVE + (WITH_LOADS if loaded else ""),
    }  # fmt: skip


def causes(robot: Robot) -> list[str]:
    """The parts of `parameter_torques` without loads, by name."""
    return [*(f"{what} of {link.name}" for link in robot.links for what in OF_LINK), *of_drive(robot.force_terms)]


def payload_values(payload: Payload) -> dict[str, float]:
    """A payload as values of the model's parameters."""
    values: dict[str, float] = dict(zip(PAYLOAD, (payload.mass, *payload.com), strict=True))
    if payload.inertia is None:
        return values
    matrix = payload.inertia.matrix
    for name in PAYLOAD_INERTIA:
        i, j = ("xyz".index(axis) for axis in name[-2:])
        values[name] = number(matrix[i][j], {}) or 0.0
    return values


def _span(t: Array, start: float, end: float, payload: Payload) -> dict[str, Any]:
    """The first and the last sample that carry a payload: until just before its end, at the last time still."""
    held = np.flatnonzero((t >= start) & ((t < end) | ((t == t[-1]) & (t <= end))))
    none = dict.fromkeys((*PAYLOAD, *PAYLOAD_INERTIA), 0.0)
    return {"first": held[0], "last": held[-1], "values": none | payload_values(payload)}
