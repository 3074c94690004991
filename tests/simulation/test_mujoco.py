"""The same robots in MuJoCo, through URDF: free, under PD control with gravity compensation, damped, with rotors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dynamis
from benchmarks.simulation import gains, mujoco_model
from dynamis import Robot
from dynamis.base.arrays import Array
from dynamis.controllers import PDGravity

mujoco: Any = pytest.importorskip("mujoco")
ROBOTS = ("ur5", "panda", "stanford")


def theirs(model: Any, q0: Array, qd0: Array, goal: Array, steps: int, every: int) -> tuple[Array, Array]:
    """q and qd of MuJoCo after every so many steps, the start first."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.ctrl[:] = q0, qd0, goal
    states = [(data.qpos.copy(), data.qvel.copy())]
    for k in range(steps):
        mujoco.mj_step(model, data)
        if (k + 1) % every == 0:
            states.append((data.qpos.copy(), data.qvel.copy()))
    return np.array([q for q, _ in states]), np.array([qd for _, qd in states])


def start(robot: Robot) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(robot.n)
    return rng.uniform(-0.6, 0.6, robot.n), rng.uniform(-0.5, 0.5, robot.n), np.linspace(0.5, -0.5, robot.n)


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("controlled", [False, True])
def test_step_by_step(name: str, controlled: bool):
    """The same integrator and step: only rounding differs."""
    robot = dynamis.load(name)
    q0, qd0, goal = start(robot)
    kp, kd = gains(robot) if controlled else ([0.0] * robot.n, [0.0] * robot.n)
    q, qd = theirs(mujoco_model(mujoco, robot, kp, kd), q0, qd0, goal, 400, 50)
    control: dict[str, Any] = {"control": PDGravity(kp, kd), "goal": goal} if controlled else {}
    found = dynamis.rollouts(robot, q0, qd0, duration=0.4, step=1e-3, keep=50, limits="ignore", **control)
    np.testing.assert_allclose(found.q_history, q, atol=1e-10)
    np.testing.assert_allclose(found.qd_history, qd, atol=1e-9)


@pytest.mark.parametrize("name", ROBOTS)
def test_the_usual_integrator_at_small_steps_of_theirs(name: str):
    robot = dynamis.load(name)
    q0, qd0, goal = start(robot)
    none = [0.0] * robot.n
    q, qd = theirs(mujoco_model(mujoco, robot, none, none, 2.5e-4), q0, qd0, goal, 1600, 160)
    run = dynamis.simulate(robot, q0, qd0, duration=0.4, samples=11, limits="ignore")
    asked = np.isin(run.times, np.linspace(0, 0.4, 11))  # the others are those of limits that are passed
    np.testing.assert_allclose(run.q[asked], q, atol=1e-7)
    np.testing.assert_allclose(run.qd[asked], qd, atol=1e-5)


@pytest.mark.parametrize("name", ["ur5", "stanford"])
def test_damping_and_rotors(name: str):
    robot = dynamis.load(name)
    links = tuple(
        replace(link, joint=replace(link.joint, damping=0.3 + 0.1 * k, rotor_inertia=1e-4, gear_ratio=10 + k))  # type: ignore[arg-type]
        for k, link in enumerate(robot.links)
    )
    damped = replace(robot, links=links)
    q0, qd0, goal = start(robot)
    none = [0.0] * robot.n
    model = mujoco_model(mujoco, robot, none, none)
    model.dof_damping[:] = 0.3 + 0.1 * np.arange(robot.n)
    model.dof_armature[:] = 1e-4 * (10.0 + np.arange(robot.n)) ** 2
    q, qd = theirs(model, q0, qd0, goal, 400, 50)
    run = dynamis.simulate(damped, q0, qd0, duration=0.4, samples=9, limits="ignore", step=1e-3)
    np.testing.assert_allclose(run.q, q, atol=1e-10)
    np.testing.assert_allclose(run.qd, qd, atol=1e-9)
    assert run.energy.friction[-1] < 0
