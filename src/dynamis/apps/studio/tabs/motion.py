"""A motion: a task file through the robot, and its torque budget."""

from __future__ import annotations

from typing import Any

import numpy as np

from dynamis.apps.studio.live_data import live_motion
from dynamis.apps.studio.memory import cached_result
from dynamis.apps.studio.request import Request
from dynamis.apps.studio.told import fragment
from dynamis.motion.tasks.task import Task, load_task
from dynamis.motion.torque_budget.result import TorqueBudget
from dynamis.robot import Robot
from dynamis.telling.drawing.numbers import free_numbers

MIN_OFFSET_SHARE, VIA_OFFSET_SHARE = 0.02, 0.25
"""Of the way: the least that a point lies beside it, and how far one is put there."""


def show_motion(request: Request) -> dict[str, Any]:
    """The motion for the play bar, with its budget under sliders and as a page."""
    task, budget = task_and_budget(request)
    return {**fragment(budget), "live": live_motion(task, budget)}


def tool_at(request: Request) -> dict[str, Any]:
    """Where the tool is in a posture, as a goal or a point on its way."""
    robot = _numeric_robot(request)
    q = request.numbers("q", robot.n)
    return {"position": robot.forward_kinematics(q)[:3, 3].tolist()}


def way(request: Request) -> dict[str, Any]:
    """Where the tool is at the goal, and a point that an arc to it may go through: that of the posture half-way.

    Where that lies on a straight line, as of a Cartesian robot, the point is beside it by a quarter of the way.
    """
    robot = _numeric_robot(request)
    q = np.array([request.numbers(key, robot.n) for key in ("start", "goal")])
    start, via, goal = (robot.forward_kinematics(x)[:3, 3] for x in (q[0], q.mean(axis=0), q[1]))
    straight = goal - start
    across = np.cross(straight, via - start)
    if np.linalg.norm(across) < MIN_OFFSET_SHARE * straight @ straight:
        least = np.eye(3)[np.argmin(np.abs(straight))]
        via = (start + goal) / 2 + VIA_OFFSET_SHARE * np.cross(straight, least)
    return {"goal": goal.tolist(), "via": via.tolist()}


def _numeric_robot(request: Request) -> Robot:
    """The robot as the view has it: values stand in for those that the file leaves open."""
    robot = request.robot()
    return robot.with_values(**free_numbers(robot))


def task_and_budget(request: Request) -> tuple[Task, TorqueBudget]:
    def find() -> tuple[Task, TorqueBudget]:
        task = task_of(request)
        return task, task.budget(request.progress)

    return cached_result("motion", (*request.robot_file, request.text("task")), find)


def task_of(request: Request) -> Task:
    """The task that the page wrote, for its robot."""
    return request.file("task", load_task)
