"""A torque budget of a million samples: every part, share and reaction of a six-joint arm along a trajectory."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from statistics import median

import numpy as np

from dynamis.library import load
from dynamis.motion.torque_budget.torque_budget import torque_budget
from dynamis.motion.trajectories.polynomials import quintic

ROBOTS = ("puma560", "ur5")
AIM = 2.0
"""[s] for a million samples, on two cores that have nothing else to do."""


@dataclass(frozen=True)
class BudgetRow:
    """A robot: seconds on the clock and of all processors together (medians), and how far the parts are off in all."""

    robot: str
    samples: int
    parts: int
    cores: int
    seconds: float
    processor: float
    residual: float


def rows(count: int = 1_000_000, rounds: int = 3) -> list[BudgetRow]:
    """One row a robot; the programs are made before they are timed."""
    found: list[BudgetRow] = []
    for name in ROBOTS:
        robot = load(name)
        motion = quintic(np.zeros(robot.n), np.linspace(1.0, -1.0, robot.n), 2.0)
        budget = torque_budget(robot, motion, samples=20_000)
        seconds: list[float] = []
        processor: list[float] = []
        for _ in range(rounds):
            begin, used = time.perf_counter(), time.process_time()
            budget = torque_budget(robot, motion, samples=count)
            seconds.append(time.perf_counter() - begin)
            processor.append(time.process_time() - used)
        parts = robot.n * len(budget.parts.names)
        cores = os.cpu_count() or 1
        row = BudgetRow(name, count, parts, cores, median(seconds), median(processor), budget.residual)
        found.append(row)
    return found
