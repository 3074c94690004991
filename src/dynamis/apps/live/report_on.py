"""A report on a robot, and on a motion of it, as `Report` asks for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dynamis.apps.live.inputs import inputs
from dynamis.apps.live.live_report import LiveReport, start
from dynamis.apps.live.report import Report
from dynamis.apps.live.sections import equation_sections, model_section, motion_sections, robot_section, stand_in_note
from dynamis.apps.live.visuals import visuals
from dynamis.base.errors import ArgumentError
from dynamis.base.numbers import short
from dynamis.library import require_robot
from dynamis.model.payload import Payload
from dynamis.motion.tasks.task import Task, load_task
from dynamis.robot import Robot
from dynamis.telling.drawing.numbers import free_numbers


def load_report(name: str | Path, robot: Robot, payload: Payload | None = None) -> Report:
    """The report on a task."""
    return Report(robot, load_task(name, robot, payload))


def report_on(asked: Report) -> LiveReport:
    """All about a robot, and about a motion of it where a task is given, for `save("report.html")`."""
    robot, task = asked.robot, asked.task
    require_robot(robot)
    if robot.n == 0:
        raise ArgumentError(f'robot "{robot.name}" has no joint that moves, so there is no torque to report')
    say: Callable[[str], None] = asked.progress or (lambda _: None)
    say("robot")
    own = robot if task is None else task.robot
    budget = None if task is None else task.budget(asked.progress)
    q = start(own) if task is None or budget is None else budget.history.q[0]
    gravity = True if task is None else task.gravity
    moved = inputs(own, q, gravity)
    free = free_numbers(own)
    with_numbers = own.with_values(**free) if free else own
    posture = f"At q = ({', '.join(short(x) for x in q.tolist())}), at rest{'' if task is None else _of_task(task)}."
    shapes, problem = visuals(robot)
    notes = [stand_in_note(free)] if free else []
    notes += [problem] if problem else []
    sections = [model_section(with_numbers, q, notes, posture, gravity), robot_section(robot)]
    if task is not None and budget is not None:
        say("motion")
        sections += motion_sections(task, budget)
    say("equations")
    sections += equation_sections(robot, say)
    return LiveReport(robot, task, budget, tuple(sections), moved, visuals=tuple(shapes))


def _of_task(task: Task) -> str:
    """What of a task the model has in it, and what not."""
    payload = ["with the payload"] if any(link.name == "payload" for link in task.robot.links) else []
    parts = payload + (["without the loads"] if task.loads else [])
    return f", {' and '.join(parts)} of the task" if parts else ""
