"""The two-bar arm of Xu's project: every equation of its Newton-Euler and Lagrange parts, and its task."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dynamis import Robot, ToolWrench, load
from dynamis.compute.mechanics.dynamics.newton_euler import newton_euler
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from tests.support.documents import (
    APART,
    CASES,
    Array,
    agree,
    distance,
    drawn_values,
    evaluate,
    mass_matrix,
    named,
    symbols,
    velocity_torque,
)

EQUATIONS = named("xu-eq")
SAMPLES = CASES["xu-trajectory"]["expected"]["samples"]


def drawn(seed: int) -> tuple[Robot, dict[str, float], Array, Array, Array]:
    rng = np.random.default_rng(seed)
    robot = load("bar-2r")
    values = drawn_values(robot, rng, 0.3, 3.0)
    q, qd, qdd = rng.uniform(-3, 3, (3, 2))
    at = values | symbols("theta", q) | symbols("dtheta", qd) | symbols("ddtheta", qdd)
    return robot.with_values(values), at, q, qd, qdd


def computed(robot: Robot, q: Array, qd: Array, qdd: Array) -> dict[str, Any]:
    """All quantities of the document by their names: Craig's, with the base accelerated against gravity."""
    m = mechanism(robot, robot.floats())
    found = newton_euler(m, state_at(m, q.tolist(), qd.tolist(), qdd.tolist()))
    quantities: dict[str, Any] = {
        "M": mass_matrix(robot, q),
        "V": velocity_torque(robot, q, qd)[:, None],
        "G": robot.inverse_dynamics(q)[:, None],
    }
    for i, link in enumerate(robot.links, 1):
        motion, net, wrench = found.motions[i - 1], found.net[i - 1], found.wrenches[i - 1]
        R, J = robot.forward_kinematics(q, link.name)[:3, :3], robot.com_jacobian(q, link.name)
        body = np.array([list(row) for row in m.bodies[i - 1].inertia])
        quantities |= {
            f"w{i}": list(motion.w), f"wd{i}": list(motion.wd), f"v{i}": list(motion.a), f"vc{i}": list(motion.a_com),
            f"F{i}": list(net.force), f"N{i}": list(net.moment), f"f{i}": list(wrench.force),
            f"n{i}": list(wrench.moment), f"I{i}_base": R @ body @ R.T, f"Jv{i}": J[:3], f"Jw{i}": J[3:],
        }  # fmt: skip
    return quantities


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("case", EQUATIONS)
def test_equations(case: str, seed: int) -> None:
    robot, at, *motion = drawn(seed)
    found = computed(robot, *motion)[CASES[case]["inputs"]["quantity"]]
    agree(found, evaluate(CASES[case]["expected"]["expr"], at))


@pytest.mark.parametrize("case", [case for case in EQUATIONS if "misprint" in CASES[case]])
def test_misprinted_equations_are_told_apart(case: str) -> None:
    robot, at, *motion = drawn(0)
    found = computed(robot, *motion)[CASES[case]["inputs"]["quantity"]]
    assert distance(found, evaluate(CASES[case]["misprint"], at)) > APART


def test_the_shipped_values_are_those_of_the_task() -> None:
    robot, given = load("bar-2r"), CASES["xu-trajectory"]["inputs"]
    scalars = robot.floats()
    assert {name: scalars.parameter(name) for name in robot.parameters} == {
        name: given[name] for name in ("g", "L1", "L2", "m1", "m2")
    }


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"t={sample['t']}")
def test_torques_along_the_task(sample: dict[str, Any]) -> None:
    robot, given = load("bar-2r"), CASES["xu-trajectory"]["inputs"]
    q, qd, qdd = (np.array(sample[key]) for key in ("q", "qd", "qdd"))
    load_at_tool = (ToolWrench("exerted_by_tool", force=given["f"], moment=given["n"]),)
    inertia = robot.inverse_dynamics(q, None, qdd, gravity=False)
    squares = sum(velocity_torque(robot, q, one) for one in np.diag(qd))
    applied = robot.inverse_dynamics(q, loads=load_at_tool, gravity=False)
    total = robot.inverse_dynamics(q, qd, qdd, loads=load_at_tool)
    without = robot.inverse_dynamics(q, qd, qdd, loads=load_at_tool, gravity=False)

    agree(robot.forward_kinematics(q)[:2, 3], sample["tool"])
    agree(inertia, sample["inertia"])
    agree(squares, sample["centrifugal"])
    agree(velocity_torque(robot, q, qd) - squares, sample["coriolis"])
    agree(robot.inverse_dynamics(q), sample["gravity"])
    agree(applied, sample["applied"])
    agree(total, sample["total"])
    agree(without, sample["total_no_gravity"])
    agree(without / total, sample["ratio"])


def test_a_wrench_of_the_environment_is_the_opposite_load() -> None:
    robot, given, q = load("bar-2r"), CASES["xu-trajectory"]["inputs"], SAMPLES[3]["q"]
    by_environment = ToolWrench("exerted_by_environment", force=given["f"], moment=given["n"])
    found = robot.inverse_dynamics(q, loads=(by_environment,), gravity=False)
    agree(found, -np.array(SAMPLES[3]["applied"]))
