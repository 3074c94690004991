"""Learning: the torque of the motion, trial by trial."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from dynamis.apps.studio.live_data import live_data, samples
from dynamis.apps.studio.memory import remembered
from dynamis.apps.studio.request import Request
from dynamis.apps.studio.tabs.motion import task_of
from dynamis.apps.studio.told import fragment
from dynamis.base.errors import ArgumentError, literal
from dynamis.model.inertial_parameters import with_mass_error
from dynamis.simulation.learning.learn import learn
from dynamis.simulation.learning.result import Learning, Trial

NUMBERS = ("period", "gain", "tolerance", "cutoff", "mass_error")
LISTS = ("kp", "kd", "lp", "ld", "noise", "resolution")
COUNTS = ("trials", "patience", "ahead", "seed")


def learned(request: Request) -> dict[str, Any]:
    """Every trial as it comes, then the page and the motion of the first and of the best trial."""
    found = learning(request)
    robot = task_of(request).held
    runs = {"first": _motion(found, found.e_first), "best": _motion(found, found.e_best)}
    return {**fragment(found), "live": live_data(robot, found.goal[0][0]), "samples": runs, "best": found.best}


def learning(request: Request) -> Learning:
    options = _options(request)

    def find() -> Learning:
        task = task_of(request)
        plant, arguments = task.held, dict(options)
        error = arguments.pop("mass_error", 0.0)
        return learn(
            plant, task.trajectory, model=with_mass_error(plant, error) if error else None, loads=task.loads,
            gravity=task.gravity, progress=request.progress, on_trial=lambda trial: request.tell(_told(trial)),
            **arguments,
        )  # fmt: skip

    return remembered("learning", (*request.robot_file, request.text("task"), repr(sorted(options.items()))), find)


def _options(request: Request) -> dict[str, Any]:
    """The arguments of `learn` that were typed in; those that are empty are left to it."""
    table = request.part("options")
    options: dict[str, Any] = {}
    for key in (*NUMBERS, *LISTS, *COUNTS):
        if text := table.text(key).strip():
            options[key] = _count(key, text) if key in COUNTS else _number(key, text)
    return options | {key: text for key in ("law", "first", "keep") if (text := table.text(key))}


def _count(key: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ArgumentError(f"{key} must be a non-negative integer, got {literal(text)}", key=key)
    return int(text)


def _number(key: str, text: str) -> Any:
    """A number, or one per joint where the key has such."""
    try:
        values = [float(part) for part in text.replace("−", "-").split(",")]
    except ValueError:
        values = []
    if not values or not all(np.isfinite(values)) or (len(values) > 1 and key in NUMBERS):
        allowed = "a number" if key in NUMBERS else "a number or a list such as 5, 4, 3"
        raise ArgumentError(f"{key.replace('_', ' ')} must be {allowed}, got {literal(text)}", key=key)
    return values[0] if len(values) == 1 else values


def _told(trial: Trial) -> dict[str, Any]:
    finite = [x if np.isfinite(x) else None for x in (trial.error, trial.torque_distance)]
    return {"trial": {"number": trial.number, "error": finite[0], "distance": finite[1]}}


def _motion(found: Learning, error: Any) -> dict[str, str]:
    """Where the robot was: the motion less the error; velocities and accelerations for the view, by differences."""
    q = found.goal[0] - error
    qd = np.gradient(q, found.times, axis=0)
    return samples(found.times, q, qd, np.gradient(qd, found.times, axis=0))
