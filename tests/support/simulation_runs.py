"""Short runs that several tests look at, each made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

import dynamis
from dynamis.controllers import PDGravity
from dynamis.results import Simulation
from dynamis.simulation.controllers.pid import PID
from dynamis.simulation.controllers.slotine_li import SlotineLi
from dynamis.trajectories import quintic


def _falling() -> Simulation:
    return dynamis.simulate(dynamis.load("bar-2r"), [0.5, 0.3], duration=1.0, samples=201)


def _reaching() -> Simulation:
    gains = [400, 400, 200, 20, 10, 1], [80, 80, 40, 4, 2, 0.05]
    control = PDGravity(*gains)
    return dynamis.simulate(dynamis.load("ur5"), [0] * 6, control=control, goal=[0.5] * 6, duration=1.0, samples=201)


def _stopping() -> Simulation:
    return dynamis.simulate(dynamis.load("panda"), [0, 0, 0, -1, 0, 1, 0], duration=0.8, samples=101)


def _following() -> Simulation:
    """A sliding joint, a moving goal, samples, a limit of torques, signals."""
    robot = dynamis.load("stanford")
    control = PID([400, 400, 400, 20, 20, 2], [80, 80, 120, 3, 3, 0.3], ki=[200, 200, 200, 1, 1, 0.1])
    start = np.full(6, 0.3)
    goal = quintic(start, start + 0.2, 0.4)
    limit = [100.0] * 3 + [5.0] * 3
    return dynamis.simulate(
        robot, start, control=control, goal=goal, duration=0.5, step=1e-3, period=2e-3, torque_limit=limit, noise=1e-6,
        samples=101,
    )  # fmt: skip


def _sliding() -> Simulation:
    robot = dynamis.load("cartesian").with_values(m1=1, m2=2)
    return dynamis.simulate(robot, [0.1, 0.1], [0.5, 0.8], duration=0.5, samples=51)


def _offset() -> Simulation:
    return dynamis.simulate(dynamis.load("genova-rp"), [0.3, 0.3], duration=0.3, samples=51)


def _learning() -> Simulation:
    arm = dynamis.load("bar-2r")
    return dynamis.simulate(
        arm, [0.0, 0.0], control=SlotineLi(20.0, 5.0, 1.0), goal=quintic([0, 0], [1, 0.5], 0.4), duration=0.5,
        samples=51,
    )  # fmt: skip


RUNS: dict[str, Callable[[], Simulation]] = {
    "falling": _falling, "reaching": _reaching, "stopping": _stopping, "following": _following, "sliding": _sliding,
    "offset": _offset, "learning": _learning,
}  # fmt: skip


@lru_cache
def run_of(name: str) -> Simulation:
    """A run by its name in RUNS."""
    return RUNS[name]()
