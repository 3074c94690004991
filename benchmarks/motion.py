"""Inverse kinematics beside roboticstoolbox-python's `ik_LM`: reachable UR5 poses, rate and success in one run.

Targets are drawn with a seed of their own. Both libraries start where they like, and each solution counts only if the
forward kinematics of its own library brings it back to the target. The two take turns, so that a slow moment of the
machine meets both.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dynamis.errors import ArgumentError
from dynamis.library import load
from dynamis.motion.inverse_kinematics.numerical import inverse_kinematics

SEED = 20250521
BACK = 5e-3
"""How near [m, and entries of R] a solution is brought back: looser than the tolerance of either."""


@dataclass(frozen=True)
class Row:
    """One library: targets a second (median of the rounds), how many it solved, and the worst entry of its poses."""

    library: str
    targets: int
    rate: float
    success: float
    worst: float


def rows(count: int = 10_000, rounds: int = 5) -> list[Row]:
    """Ours, then the toolbox's: its C++ solver is called once a target, as it takes one."""
    try:
        toolbox: Any = import_module("roboticstoolbox")
    except ImportError:
        raise ArgumentError('the benchmark needs roboticstoolbox-python: pip install "dynamis[bench]"') from None
    robot, chain = load("ur5"), toolbox.models.DH.UR5().ets()
    q = np.random.default_rng(SEED).uniform(-np.pi, np.pi, (count, 6))
    ours, theirs = robot.forward_kinematics(q), np.array([chain.eval(x) for x in q])
    inverse_kinematics(robot, ours[:1000])  # compiled before it is timed, as theirs was
    times: tuple[list[float], list[float]] = ([], [])
    mine: NDArray[np.float64] = q
    their_q: list[Any] = []
    solved, worst = np.zeros(2), (0.0, 0.0)
    for _ in range(rounds):
        begin = time.perf_counter()
        found = inverse_kinematics(robot, ours)
        times[0].append(time.perf_counter() - begin)
        begin = time.perf_counter()
        answers = [chain.ik_LM(T) for T in theirs]
        times[1].append(time.perf_counter() - begin)
        mine, their_q = found.q, [answer.q for answer in answers]
        good = np.array([bool(answer.success) for answer in answers])
        back = np.abs(np.array([chain.eval(x) for x in their_q]) - theirs).max(axis=(1, 2))
        own = np.abs(robot.forward_kinematics(mine) - ours).max(axis=(1, 2))
        solved = np.array([(found.success & (own < BACK)).mean(), (good & (back < BACK)).mean()])
        worst = float(own[found.success].max()), float(back[good].max())
    return [
        Row("dynamis", count, count / median(times[0]), float(solved[0]), worst[0]),
        Row("roboticstoolbox ik_LM", count, count / median(times[1]), float(solved[1]), worst[1]),
    ]
