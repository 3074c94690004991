"""Inverse kinematics beside roboticstoolbox-python's `ik_LM`, and torque budgets of a million samples.

Reachable UR5 poses are drawn with a seed of their own. Both libraries start where they like, and a solution counts
only if the forward kinematics of its own library brings it back to the target. The two take turns, so that a slow
moment of the machine meets both. A budget has every part, share and reaction of a six-joint arm along a trajectory.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np

from dynamis.base.errors import ArgumentError
from dynamis.library import load
from dynamis.motion.inverse_kinematics.numerical import inverse_kinematics
from dynamis.motion.torque_budget.torque_budget import torque_budget
from dynamis.motion.trajectories.polynomials import quintic

SEED = 20250521
BACK = 5e-3
"""How near [m, and entries of R] a solution is brought back: looser than the tolerance of either."""
ROBOTS = ("puma560", "ur5")
AIM = 2.0
"""[s] for a million samples, on two cores that have nothing else to do."""


@dataclass(frozen=True)
class Row:
    """One library: targets per second (median of the rounds), how many it solved, and the worst entry of its poses."""

    library: str
    targets: int
    rate: float
    success: float
    worst: float


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


def rows(count: int = 10_000, rounds: int = 5) -> list[Row]:
    """Ours, then the toolbox's: its C++ solver is called once per target, as it takes one."""
    try:
        toolbox: Any = import_module("roboticstoolbox")
    except ImportError:
        raise ArgumentError('the benchmark needs roboticstoolbox-python: pip install "dynamis[bench]"') from None
    robot, chain = load("ur5"), toolbox.models.DH.UR5().ets()
    q = np.random.default_rng(SEED).uniform(-np.pi, np.pi, (count, 6))
    ours, theirs = robot.forward_kinematics(q), np.array([chain.eval(x) for x in q])
    solution, answers = (
        inverse_kinematics(robot, ours[:1000]),
        list[Any](),
    )  # compiled before it is timed, as theirs was
    clock = np.empty((rounds, 3))
    for k in range(rounds):
        clock[k, 0] = time.perf_counter()
        solution = inverse_kinematics(robot, ours)
        clock[k, 1] = time.perf_counter()
        answers = [chain.ik_LM(T) for T in theirs]
        clock[k, 2] = time.perf_counter()
    seconds = np.median(np.diff(clock), axis=0)
    back = np.array([chain.eval(answer.q) for answer in answers])
    solved = solution.success, np.array([bool(answer.success) for answer in answers])
    errors = [np.abs(a - b).max(axis=(1, 2)) for a, b in ((robot.forward_kinematics(solution.q), ours), (back, theirs))]
    return [
        Row(name, count, float(count / t), float((good & (error < BACK)).mean()), float(error[good].max()))
        for name, t, good, error in zip(("dynamis", "roboticstoolbox ik_LM"), seconds, solved, errors, strict=True)
    ]


def budget_rows(count: int = 1_000_000, rounds: int = 3) -> list[BudgetRow]:
    """One row per robot; the programs are made before they are timed."""
    table: list[BudgetRow] = []
    for name in ROBOTS:
        robot = load(name)
        motion = quintic(np.zeros(robot.n), np.linspace(1.0, -1.0, robot.n), 2.0)
        budget = torque_budget(robot, motion, samples=20_000)
        times: list[tuple[float, float]] = []
        for _ in range(rounds):
            begin, processor_begin = time.perf_counter(), time.process_time()
            budget = torque_budget(robot, motion, samples=count)
            times.append((time.perf_counter() - begin, time.process_time() - processor_begin))
        seconds, processor = (median(column) for column in zip(*times, strict=True))
        parts = robot.n * len(budget.parts.names)
        table.append(BudgetRow(name, count, parts, os.cpu_count() or 1, seconds, processor, budget.residual))
    return table
