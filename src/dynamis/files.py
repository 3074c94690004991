"""Files besides robots: tasks, simulations and bodies, by name or path."""

from __future__ import annotations

from dynamis.model.formats.body_file import load_body as load_body
from dynamis.motion.tasks.task import Task as Task
from dynamis.motion.tasks.task import load_task as load_task
from dynamis.motion.tasks.task import tasks as tasks
from dynamis.simulation.simulate import Simulate as Simulate
from dynamis.simulation.task import load_simulation as load_simulation
from dynamis.simulation.task import simulations as simulations
