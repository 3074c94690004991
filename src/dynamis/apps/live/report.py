"""`dynamis.report`: what can be asked of a report on a robot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import TYPE_CHECKING

from dynamis.base.verb import Verb, function, option, verb

if TYPE_CHECKING:
    from dynamis.apps.live.live_report import LiveReport as LiveReport
    from dynamis.motion.tasks.task import Task
    from dynamis.robot import Robot


@verb
class Report(Verb["LiveReport"]):
    """Write a report that computes: one file with the robot, its model under sliders, its equations, its motion.

    The HTML page holds the model as WebAssembly: torques, M, C, g, reactions and energies follow sliders for positions,
    payload, masses, lengths and gravity, without a network. PDF, notebook and Markdown tell the same on paper.

    >>> import dynamis
    >>> dynamis.report(dynamis.load("bar-2r"))
    <LiveReport of bar-2r>
    """

    answer = "dynamis.apps.live.report_on:report_on"
    file = "dynamis.apps.live.report_on:load_report"

    robot: Robot = option("the robot", kind="robot")
    task: Task | None = option("a motion of it, for its torques over time", default=None, kind="python")
    _: KW_ONLY
    progress: Callable[[str], None] | None = option(
        "is called with a line about what is done next", default=None, kind="python"
    )


report = function(Report)
