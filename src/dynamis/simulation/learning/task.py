"""A task file as the motion to learn."""

from __future__ import annotations

from pathlib import Path

from dynamis.base.verb import Origin
from dynamis.model.payload import Payload
from dynamis.motion.tasks.task import load_task
from dynamis.robot import Robot
from dynamis.simulation.learning.learn import Learn


def load_learning(name: str | Path, robot: Robot, payload: Payload | None = None) -> Learn:
    """The learning of a task: its motion, loads and gravity.

    >>> import dynamis
    >>> load_learning("two-bar-reach", dynamis.load("bar-2r")).motion.duration
    4.0
    """
    task = load_task(name, robot, payload)
    learning = Learn(task.held, task.trajectory, loads=task.loads, gravity=task.gravity)
    return learning.read_from(Origin(degrees=task.degrees))
