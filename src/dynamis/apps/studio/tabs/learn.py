"""Learning: the torque of the motion, trial by trial."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.apps.studio.live_data import live_data, samples
from dynamis.apps.studio.memory import cached_result
from dynamis.apps.studio.request import Request
from dynamis.apps.studio.tabs.motion import task_of
from dynamis.apps.studio.told import fragment
from dynamis.simulation.learning.learn import Learn
from dynamis.simulation.learning.result import Learning, Trial
from dynamis.simulation.learning.task import load_learning
from dynamis.verbs.forms import values_of


def run_learning(request: Request) -> dict[str, Any]:
    """Every trial as it comes, then the page and the motion of the first and of the best trial."""
    found = learning(request)
    robot = task_of(request).held
    runs = {"first": _motion(found, found.e_first), "best": _motion(found, found.e_best)}
    return {**fragment(found), "live": live_data(robot, found.goal[0][0]), "samples": runs, "best": found.best}


def learning(request: Request) -> Learning:
    options = values_of(Learn, request.part("options").data)

    def find() -> Learning:
        asked = request.file("task", load_learning)

        def tell(trial: Trial) -> None:
            request.tell(_trial_message(trial))

        return asked.run(**options, progress=request.progress, on_trial=tell)

    return cached_result("learning", (*request.robot_file, request.text("task"), repr(sorted(options.items()))), find)


def _trial_message(trial: Trial) -> dict[str, Any]:
    finite = [x if np.isfinite(x) else None for x in (trial.error, trial.torque_distance)]
    return {"trial": {"number": trial.number, "error": finite[0], "distance": finite[1]}}


def _motion(found: Learning, error: Any) -> dict[str, str]:
    """Where the robot was: the motion less the error; velocities and accelerations for the view, by differences."""
    q = found.goal[0] - error
    qd = np.gradient(q, found.times, axis=0)
    return samples(found.times, q, qd, np.gradient(qd, found.times, axis=0))
