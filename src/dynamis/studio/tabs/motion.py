"""A motion: a task file through the robot, and its torque budget."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dynamis.motion.tasks.task import Task, load_task
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.studio.live_data import live_motion
from dynamis.studio.memory import remembered
from dynamis.studio.request import Request
from dynamis.studio.told import fragment
from dynamis.writing import write_text

FILE = Path("motion.toml")


def moved(request: Request) -> dict[str, Any]:
    """The motion for the play bar, with its budget under sliders and as a page."""
    task, budget = task_and_budget(request)
    return {**fragment(budget), "live": live_motion(task, budget)}


def tool_at(request: Request) -> dict[str, Any]:
    """Where the tool is in a posture, as a goal or a point on its way."""
    return {"position": request.robot().forward_kinematics(request.list("q"))[:3, 3].tolist()}


def task_and_budget(request: Request) -> tuple[Task, TorqueBudget]:
    def find() -> tuple[Task, TorqueBudget]:
        task = task_of(request)
        return task, task.budget(request.progress)

    return remembered("motion", (*request.robot_file, request.text("task")), find)


def task_of(request: Request) -> Task:
    """The task that the page wrote, for its robot. It stands alone: it can name no other file."""
    write_text(FILE, request.text("task"))
    try:
        return load_task(FILE, request.robot())
    finally:
        FILE.unlink()
