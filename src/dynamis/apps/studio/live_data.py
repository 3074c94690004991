"""What the scripts of live pages compute with and draw: a model, a motion of it, samples of a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.apps.live.figure import figure_data
from dynamis.apps.live.inputs import Inputs, inputs
from dynamis.apps.live.live_model import LiveModel
from dynamis.apps.live.live_report import start
from dynamis.apps.live.motion import MAX_SAMPLES, causes, motion_data
from dynamis.apps.live.numbers import pack_base64
from dynamis.base.arrays import Array
from dynamis.compute.quantities.arguments import Gravity
from dynamis.motion.tasks.task import Task
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.robot import Robot


def live_data(robot: Robot, q: Array | None = None, gravity: Gravity = True) -> dict[str, Any]:
    """The model in the posture q, or in one that shows the robot best."""
    return _data(robot.name, inputs(robot, start(robot) if q is None else q, gravity), moving=False)


def _data(name: str, x: Inputs, moving: bool) -> dict[str, Any]:
    """`moving`: with what a motion needs besides."""
    figure = figure_data(x.robot, np.array([s.value for s in x.q]))
    data = {"name": name, **LiveModel(x, moving).data(), "figure": figure, "stand_ins": x.stand_ins}
    return data | {"causes": causes(x.robot)} if moving else data


def live_motion(task: Task, budget: TorqueBudget) -> dict[str, Any]:
    """The model with a motion, whose torque budget the page computes anew."""
    x = inputs(task.robot, budget.history.q[0], task.gravity)
    return _data(task.robot.name, x, moving=True) | {"motion": motion_data(x.robot, task, budget)}


def samples(t: Array, q: Array, qd: Array, qdd: Array) -> dict[str, str]:
    """Instants of a run for the play bar, not more than it shows."""
    kept = np.unique(np.linspace(0, len(t) - 1, min(len(t), MAX_SAMPLES)).astype(int))
    return {name: pack_base64(x[kept]) for name, x in (("t", t), ("q", q), ("qd", qd), ("qdd", qdd))}
