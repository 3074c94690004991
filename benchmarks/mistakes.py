"""Verdicts of `identify` on logs with a mistake each: wrong models that are trusted, right logs that are doubted.

    python -m benchmarks mistakes

A model is wrong where torques that it is trusted for, at random states within the ranges of the log, are off by more
than 30 % of their variation. A mistake that leaves the torques right in the coordinates of the log (the zero of a last
joint, with a CoM that is turned) does not make it wrong.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.mistaken_logs import MOTIONS, SHORT, Case, cases, robots
from benchmarks.parts import Plan, kept
from dynamis.apps.identification.identify import identify
from dynamis.apps.identification.result import Identification
from dynamis.base.errors import DynamisError
from dynamis.robot import Robot

WRONG = 0.3
VERDICTS = ("refused", "named", "doubted", "trusted", "reserved", "wrong")


@dataclass(frozen=True)
class Row:
    """The logs with one kind of mistake, and how many of them were..."""

    mistake: str
    short: bool
    """Logs of at most 2 s, less than half a period."""
    logs: int
    refused: int
    """With an error."""
    named: int
    """Doubted, with a reason."""
    doubted: int
    trusted: int
    """With torques that are right."""
    reserved: int
    """With wrong torques, provided that the gain or zero of this joint is right, which was not checked."""
    wrong: int
    """Trusted with wrong torques."""


def study(plan: Plan, progress: Callable[[str], None]) -> list[Row]:
    """All mistakes on all robots and motions, with so many logs of each."""
    counts: dict[tuple[bool, str], list[str]] = {}
    seeds = range(plan.first, plan.first + plan.seeds)

    def part(robot: Robot, motion: str) -> list[tuple[str, str]]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [(case.mistake, verdict(case)) for seed in seeds for case in cases(robot, motion, seed)]

    for robot in plan.chosen(robots()):
        for motion in MOTIONS:
            progress(f"{robot.name}, {motion}")
            name = f"large, {robot.name}, {motion}, {seeds.start}-{seeds.stop - 1}"
            for mistake, said in kept(plan.folder, name, lambda r=robot, m=motion: part(r, m)):
                counts.setdefault((motion in SHORT, mistake), []).append(said)
    return [
        Row(name, short, len(x), *(x.count(kind) for kind in VERDICTS))
        for (short, name), x in sorted(counts.items(), key=lambda item: item[0][0])
    ]


def verdict(case: Case) -> str:
    """What `identify` says first of a log: one of VERDICTS."""
    try:
        result = identify(case.robot, case.log)
    except DynamisError:
        return "refused"
    if not result.trusted:
        return "named" if result.suspicions else "doubted"
    if _error(result, case) < WRONG:
        return "trusted"
    return "reserved" if any(f" {result.joints[case.joint]}" in text for text in result.unchecked) else "wrong"


def _error(result: Identification, case: Case) -> float:
    """The largest error of a joint that is trusted, at other states, relative to its variation."""
    r, rng = result.residuals, np.random.default_rng(0)
    ranges = [np.quantile(x, [0.02, 0.98], axis=0) for x in (r.q, r.qd, r.qdd)]
    q, qd, qdd = (rng.uniform(low, high, (300, result.n)) for low, high in ranges)
    errors = np.sqrt(((result.torques(q, qd, qdd) - case.torque((q, qd, qdd))) ** 2).mean(axis=0))
    shares = errors / np.maximum(result.errors.variation, 1e-300)
    return max(float(shares[result.joints.index(name)]) for name in result.trusted)
