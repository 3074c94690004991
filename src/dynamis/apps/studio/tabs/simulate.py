"""A simulation: a simulation file through the robot, and how it moves."""

from __future__ import annotations

from typing import Any

from dynamis.apps.studio.live_data import live_data, samples
from dynamis.apps.studio.memory import cached_result
from dynamis.apps.studio.request import Request
from dynamis.apps.studio.told import fragment
from dynamis.simulation.results.result import Simulation
from dynamis.simulation.runs.blow_up import BlowUpError
from dynamis.simulation.task import load_simulation


def run_simulation(request: Request) -> dict[str, Any]:
    """The run for the play bar and as a page; of one that blew up the part before that."""
    why = ""
    try:
        run = simulation(request)
    except BlowUpError as error:
        if error.partial is None:
            raise
        run, why = error.partial, str(error)
    request.progress("the page")
    live = live_data(run.robot, run.q[0])
    return {**fragment(run), "live": live, "samples": samples(run.times, run.q, run.qd, run.qdd), "why": why}


def simulation(request: Request) -> Simulation:
    def find() -> Simulation:
        question = request.file("simulation", load_simulation)
        return question.run(progress=request.progress, check=request.flag("check"))

    return cached_result("simulation", (*request.robot_file, request.text("simulation"), request.flag("check")), find)
