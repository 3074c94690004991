"""Energy: constant in free motion, balanced by the work of motors, friction, loads and stops in all other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Force, Moment, Robot, ToolWrench
from dynamis.base.arrays import Array
from dynamis.controllers import LoadOverTime, PDGravity
from tests.support.arms import cartesian, chain, limited, with_friction
from tests.support.strategies import Case, robots

FREE = {
    "bar-2r": ([0.5, 0.3], [0.0, 0.0]),
    "ur5": ([0.3, -1.0, 0.5, 0.0, 0.4, 0.0], [0.0] * 6),
    "stanford": ([0.3, 0.4, 0.5, 0.1, 0.2, 0.3], [0.5] * 6),
    "genova-3r": ([0.3, 0.2, 0.1], [0.0] * 3),
}


@pytest.mark.filterwarnings("ignore::dynamis.errors.UnphysicalWarning")
@pytest.mark.parametrize("name", FREE)
def test_free_motion_of_ten_seconds_keeps_its_energy(name: str):
    """To 1e-9 of the energy that changes hands, by the default integrator."""
    q0, qd0 = FREE[name]
    run = dynamis.simulate(dynamis.load(name), q0, qd0, duration=10, limits="ignore", samples=201)
    assert run.energy.drift < 1e-9
    total = run.energy.total
    assert np.abs(total - total[0]).max() < 1e-9 * run.energy.kinetic.max()
    for work in (run.energy.motors, run.energy.friction, run.energy.loads, run.energy.stops):
        assert not work.any()


@given(robots(joints=(1, 5), solid=True, kinds=("revolute", "prismatic", "continuous", "fixed")))
@settings(max_examples=12)
def test_free_motion_of_random_robots_keeps_its_energy(case: Case):
    robot = case.robot()
    if not robot.n:
        return
    run = dynamis.simulate(robot, case.q, case.qd, duration=1.0, samples=21)
    assert run.energy.drift < 1e-9
    robot_says = robot.kinetic_energy(run.q, run.qd) + robot.potential_energy(run.q)
    np.testing.assert_allclose(run.energy.total, robot_says, rtol=1e-10, atol=1e-10 * (1 + run.energy.scale))


def test_no_gravity_means_constant_kinetic_energy():
    run = dynamis.simulate(dynamis.load("ur5"), [0.3] * 6, [0.5] * 6, duration=2, gravity=False, samples=21)
    np.testing.assert_allclose(run.energy.kinetic, run.energy.kinetic[0], rtol=1e-9)


def balanced(run: Any, tolerance: float = 1e-9) -> None:
    """The work, summed from what was recorded, is that of the run; and the energies fit it."""
    assert run.energy.drift < tolerance
    assert np.abs(run.energy.error).max() < tolerance * run.energy.scale
    motors = _trapezoid((run.tau * run.qd).sum(axis=1), run.times)
    np.testing.assert_allclose(run.energy.motors, motors, atol=2e-3 * run.energy.scale)


def _trapezoid(power: Array, times: Array) -> Array:
    return np.concatenate([[0.0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(times))])


PUSH = LoadOverTime(
    ToolWrench("exerted_by_environment", (0, 0, 0), (0, 0, 0), "world"), ([0, 0.2, 0.4], np.eye(6)[:3] * 20)
)
LOADS = {
    "none": (),
    "constant": (Force("link2", (3.0, -2.0, 5.0), "world", (0.1, 0, 0), "link"), Moment("link1", (1, 2, 3), "link")),
    "over time": (PUSH, Force("link1", (1.0, 0.0, 2.0))),
}  # fmt: skip


@pytest.mark.parametrize("loads", LOADS)
@pytest.mark.parametrize("friction", [(0.0, 0.0), (0.4, 0.0), (0.2, 0.5)])
def test_balance_under_control_friction_and_loads(loads: str, friction: tuple[float, float]):
    robot = with_friction(_spatial(), *friction)
    control = PDGravity([30, 20], [3, 2])
    run = dynamis.simulate(
        robot, [0.2, -0.4], [1.0, 0.5], control, 0.6, goal=[0.8, 0.5], loads=LOADS[loads], samples=601,
        stiction_speed=0.02,
    )  # fmt: skip
    balanced(run)
    assert (np.diff(run.energy.friction) <= 1e-15).all()
    assert bool(run.energy.friction[-1] < 0) == any(friction)
    assert bool(run.energy.loads.any()) == bool(LOADS[loads])


def _spatial() -> Robot:
    """A 2R arm whose axes are not parallel, so that all parts of a load count."""
    robot = chain(2)
    names = {"rod1": "link1", "rod2": "link2"}
    links = tuple(replace(x, name=names.get(x.name, x.name), parent=names.get(x.parent, x.parent)) for x in robot.links)
    return replace(robot, links=links, tool=dynamis.Frame("tool", "link2", "Tx(0.2)"))  # type: ignore[arg-type]


def test_the_work_of_friction_is_what_friction_does():
    robot = with_friction(dynamis.load("bar-2r"), 0.3, 0.2)
    run = dynamis.simulate(robot, [0.5, 0.3], [1, 2], duration=1.0, samples=2001, stiction_speed=0.01)
    sign = run.qd / np.sqrt(run.qd**2 + 0.01**2)
    power = -(0.3 * run.qd**2 + 0.2 * sign * run.qd).sum(axis=1)
    np.testing.assert_allclose(run.energy.friction, _trapezoid(power, run.times), atol=1e-5)


def test_the_work_of_a_constant_force_is_force_times_way():
    robot = cartesian()
    run = dynamis.simulate(robot, [0, 0], duration=1.0, loads=[Force("link2", (2.0, 5.0, 7.0))], samples=11)
    np.testing.assert_allclose(run.energy.loads, 2.0 * run.q[:, 1] + 7.0 * run.q[:, 0], atol=1e-12)


@pytest.mark.parametrize("restitution", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("more", [{}, {"step": 1e-3}])
def test_balance_with_stops(restitution: float, more: dict[str, Any]):
    robot = limited(with_friction(dynamis.load("bar-2r"), 0.05), [(-1.0, 1.0), (-0.8, 0.8)])
    run = dynamis.simulate(robot, [0.5, 0.3], [1.0, 2.0], duration=2, restitution=restitution, samples=401, **more)
    assert len([e for e in run.events if "hits" in e.what]) >= 2
    assert run.energy.drift < (1e-9 if not more else 1e-5)
    assert (np.diff(run.energy.stops) <= 1e-12).all()
    if restitution == 1:
        assert np.abs(run.energy.stops).max() < 1e-10
    else:
        assert run.energy.stops[-1] < -1e-3
    assert run.q[:, 0].max() <= 1.0 + 1e-9
    assert np.abs(run.q[:, 1]).max() <= 0.8 + 1e-9


def test_balance_of_a_sampled_and_saturated_loop():
    run = dynamis.simulate(
        dynamis.load("ur5"), [0.0] * 6, control=PDGravity(100, 10), goal=[0.5] * 6, duration=0.3, period=5e-3,
        torque_limit=20, noise=1e-3, resolution=1e-3, samples=31, limits="ignore",
    )  # fmt: skip
    assert run.energy.drift < 1e-9
    assert np.abs(run.tau).max() == 20


def test_the_balance_of_rollouts():
    """Rollouts say the same: their error of the balance is small and falls with the fourth power of the step."""
    robot = dynamis.load("bar-2r")
    starts = np.linspace([0, 0], [1, -1], 7)
    errors = [
        np.abs(dynamis.rollouts(robot, starts, control=[0.5, -0.5], duration=1, step=h).energy_error).max()
        for h in (4e-3, 2e-3)
    ]
    assert errors[0] < 1e-4
    assert errors[1] < errors[0] / 12
