"""The integrators do what they promise: their order, and a symplectic one that does not drift."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Robot
from dynamis.base.arrays import Array
from dynamis.controllers import PD, LoadOverTime, PDGravity
from dynamis.simulation.loop.integrators import FIXED
from dynamis.trajectories import quintic

TIGHT: dict[str, Any] = {"rtol": 1e-13, "atol": 1e-14}
ORDERS = [(name, FIXED[name].order) for name in FIXED]


@lru_cache
def robot_and_start(name: str) -> tuple[Robot, list[float], list[float], float]:
    """A robot, where it starts, and the longest step of the measurement."""
    if name == "stanford":
        return dynamis.load("stanford"), [0.3, 0.4, 0.5, 0.3, 0.6, 0.2], [0.5, -0.4, 0.3, 1.0, -0.5, 0.7], 0.01
    return dynamis.load("bar-2r"), [0.5, 0.3], [0.4, -0.8], 0.02


def order_of(robot: Robot, q0: Any, qd0: Any, integrator: str, longest: float, **more: Any) -> tuple[float, Array]:
    """The slope of log error over log step at the end, and the errors."""
    steps = longest / 2.0 ** np.arange(5)
    duration = 20 * longest
    true = dynamis.simulate(robot, q0, qd0, duration=duration, limits="ignore", samples=2, **TIGHT, **more)
    expected = np.concatenate([true.q[-1], true.qd[-1]])
    errors: list[float] = []
    for h in steps:
        found = dynamis.rollouts(robot, q0, qd0, duration=duration, step=h, integrator=integrator, **more)
        errors.append(float(np.abs(np.concatenate([found.q, found.qd]) - expected).max()))
    return float(np.polyfit(np.log(steps), np.log(errors), 1)[0]), np.array(errors)


@pytest.mark.parametrize("name", ["bar-2r", "stanford"])
@pytest.mark.parametrize(("integrator", "order"), ORDERS)
def test_order_of_free_motion(name: str, integrator: str, order: int):
    robot, q0, qd0, longest = robot_and_start(name)
    slope, errors = order_of(robot, q0, qd0, integrator, longest)
    assert abs(slope - order) < 0.2, (slope, errors)
    assert errors[-1] < errors[0] / 2 ** (4 * (order - 0.3))


@pytest.mark.parametrize(("integrator", "order"), ORDERS)
@pytest.mark.parametrize("control", [PD(20, 0.5), PDGravity([30, 10], [1, 0.3])])
def test_order_under_control_of_a_moving_goal(control: PD, integrator: str, order: int):
    robot, q0, qd0, _ = robot_and_start("bar-2r")
    goal = quintic(q0, [1.0, -0.6], 1.0)
    slope, errors = order_of(robot, q0, qd0, integrator, 4e-3, control=control, goal=goal)
    assert abs(slope - order) < 0.2, (slope, errors)


@pytest.mark.parametrize(("integrator", "order"), ORDERS)
def test_order_with_a_load_over_time(integrator: str, order: int):
    robot, q0, qd0, longest = robot_and_start("bar-2r")
    push = LoadOverTime(
        dynamis.Force("link2", (0, 0, 0)), lambda t: np.stack([np.cos(3 * t), np.sin(5 * t), 0 * t], axis=1) * 4
    )
    slope, errors = order_of(robot, q0, qd0, integrator, longest, loads=[push])
    assert abs(slope - order) < 0.2, (slope, errors)


@pytest.mark.parametrize(("integrator", "order"), ORDERS)
def test_a_function_keeps_the_order(integrator: str, order: int):
    """It is asked in the middle of a step too."""
    robot, q0, qd0, _ = robot_and_start("bar-2r")

    def control(t: float, q: Array, qd: Array) -> Array:
        return np.array([np.sin(4 * t), np.cos(3 * t)]) - 0.5 * qd

    true = dynamis.simulate(robot, q0, qd0, control, 0.4, samples=2, **TIGHT)
    errors = [
        np.abs(
            dynamis.simulate(robot, q0, qd0, control, 0.4, samples=2, step=h, integrator=integrator).q[-1] - true.q[-1]
        ).max()
        for h in (0.008, 0.004, 0.002)
    ]
    slope = np.polyfit(np.log([4.0, 2.0, 1.0]), np.log(errors), 1)[0]
    assert abs(slope - order) < 0.2


def energy_errors(integrator: str, h: float, steps: int, parts: int) -> Array:
    """The errors of the energy of bar-2r in free motion at `parts` times of a run, in parts of its size."""
    robot = dynamis.load("bar-2r")
    found = dynamis.rollouts(
        robot, [-1.2, 0.8], [1.0, 0.5], duration=steps * h, step=h, integrator=integrator, keep=steps // parts
    )
    assert found.q_history is not None
    assert found.qd_history is not None
    energy = robot.kinetic_energy(found.q_history, found.qd_history) + robot.potential_energy(found.q_history)
    return (energy - energy[0]) / 9.81


def test_a_million_symplectic_steps_do_not_drift():
    """The mean error of the last tenth is that of the first, where Runge and Kutta's at the same step has grown."""
    h, steps, parts = 4e-3, 1_000_000, 50_000
    errors = energy_errors("symplectic", h, steps, parts)
    tenth = parts // 10
    first, last = errors[1 : tenth + 1], errors[-tenth:]
    size = float(np.abs(first).max())
    assert size < 1e-4
    assert np.abs(errors).max() < 1.5 * size
    assert abs(last.mean() - first.mean()) < 0.002 * size
    line = np.polyfit(np.linspace(0, 1, len(errors)), errors, 1)[0]
    assert abs(line) < 0.002 * size
    other = energy_errors("rk4", h, steps, parts)
    assert abs(other[-tenth:].mean()) > 8 * abs(other[1 : tenth + 1].mean()) > 0


def test_symplectic_steps_run_back_to_where_they_began():
    """The midpoint rule is symmetric in time: with qd turned around it finds its start again."""
    robot = dynamis.load("bar-2r")
    out = dynamis.rollouts(robot, [0.5, 0.3], [1.0, -1.0], duration=1, step=2e-3, integrator="symplectic")
    back = dynamis.rollouts(robot, out.q, -out.qd, duration=1, step=2e-3, integrator="symplectic")
    assert np.abs(back.q - [0.5, 0.3]).max() < 1e-7
    assert np.abs(-back.qd - [1.0, -1.0]).max() < 1e-7


@pytest.mark.parametrize("integrator", ["rk45", "dop853", "radau"])
def test_adaptive_ones_agree_and_obey_their_tolerance(integrator: str):
    robot, q0, qd0, _ = robot_and_start("bar-2r")
    true = dynamis.simulate(robot, q0, qd0, duration=0.5, samples=11, **TIGHT)
    errors: list[float] = []
    for rtol in (1e-5, 1e-8):
        found = dynamis.simulate(
            robot, q0, qd0, duration=0.5, samples=11, integrator=integrator, rtol=rtol, atol=rtol / 10
        )
        assert found.effort.integrator == integrator
        assert found.effort.steps > 1
        errors.append(float(np.abs(found.q - true.q).max()))
        assert errors[-1] < 300 * rtol
    assert errors[1] < errors[0] / 50
