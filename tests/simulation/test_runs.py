"""Odd robots, odd arguments, interrupts: what a run keeps, and that it is the same however it is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import dynamis
from dynamis import Joint, Limits, Link, Robot
from dynamis.base.arrays import Array
from dynamis.controllers import PD, PDGravity, TorqueSamples
from dynamis.trajectories import quintic
from tests.support.arms import cartesian, chain, limited, pendulum
from tests.support.closeness import close
from tests.support.strategies import Case, robots

ARM = dynamis.load("bar-2r")
START = [0.5, 0.3]
WAYS: tuple[dict[str, Any], ...] = ({}, {"step": 1e-3}, {"step": 1e-3, "integrator": "symplectic"}, {"period": 0.01})


@given(robots(joints=(1, 6), solid=True, friction=True, loads=True))
@settings(max_examples=25)
def test_forward_of_inverse_is_the_acceleration(case: Case):
    """Also the rates of a simulation are: at its first instant, with the torques of the inverse dynamics."""
    robot = case.robot()
    if not robot.n:
        return
    gravity = case.gravity_given if isinstance(case.gravity_given, bool) else list(case.gravity_given)
    given: dict[str, Any] = {"gravity": gravity, "loads": case.loads}
    tau = robot.inverse_dynamics(case.q, case.qd, case.qdd, **given)
    close(robot.forward_dynamics(case.q, case.qd, tau, **given), case.qdd, tolerance=1e-8)
    run = dynamis.simulate(robot, case.q, case.qd, tau, 1e-6, samples=2, stiction_speed=0, step=1e-6, **given)
    close(run.qdd[0], case.qdd, tolerance=1e-8)


@pytest.mark.parametrize("name", ["ur5", "stanford"])
@pytest.mark.parametrize("kind", ["function", "table"])
def test_the_torques_of_a_trajectory_follow_it(name: str, kind: str):
    robot = dynamis.load(name)
    motion = quintic([0.1] * robot.n, np.linspace(0.4, -0.3, robot.n), 0.5)

    def tau(t: Any) -> Array:
        return robot.inverse_dynamics(*motion.at(t))

    if kind == "function":
        control: Any = lambda t, q, qd: tau(t)  # noqa: E731
        tolerance = 1e-7
    else:
        times = np.linspace(0, 0.5, 2001)
        control, tolerance = TorqueSamples(times, tau(times)), 1e-4
    run = dynamis.simulate(robot, *motion.at(0.0)[:2], control, 0.5, samples=26, limits="ignore", rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(run.q, motion.at(run.times)[0], atol=tolerance)


@pytest.mark.parametrize("way", WAYS)
def test_controls_that_say_the_same(way: dict[str, Any]):
    """A list, integers, a tuple, float32, an array, a function of each, an array that is written again, a table."""
    torques = np.array([2.0, -1.0])
    buffer = np.zeros(2)

    def again(t: float, q: Any, qd: Any) -> Array:
        buffer[:] = torques
        q[:] = qd[:] = np.nan  # they are the function's own
        return buffer

    controls: list[Any] = [
        [2, -1], (2, -1), torques, torques.astype(np.float32), TorqueSamples([0.0], [[2, -1]]), ([0, 1], [[2, -1]] * 2),
        lambda t, q, qd: [2, -1], lambda t, q, qd: (2.0, -1), lambda t, q, qd: torques.astype(np.float32), again,
    ]  # fmt: skip
    runs = [dynamis.simulate(ARM, START, control=control, duration=0.1, samples=5, **way) for control in controls]
    for run in runs:
        np.testing.assert_allclose(run.q, runs[0].q, rtol=0, atol=1e-11)
        np.testing.assert_array_equal(run.tau, np.broadcast_to(torques, run.tau.shape))


def test_a_buffer_that_is_written_again_is_recorded_as_it_was():
    buffer = np.zeros(2)

    def control(t: float, q: Any, qd: Any) -> Array:
        buffer[:] = t
        return buffer

    run = dynamis.simulate(ARM, START, control=control, duration=1, samples=5)
    np.testing.assert_array_equal(run.tau, np.repeat(run.times[:, None], 2, axis=1))


def tree() -> Robot:
    """A torso with two arms, one that slides, and a hand that is fixed to it."""
    torso = Link(
        "torso", Joint("waist", "revolute", (0, 0, 1), before="Tz(0.5)"), "base", 3.0, (0, 0, 0.1), _solid(0.1)
    )  # type: ignore[arg-type]
    left = Link("left", Joint("l", "revolute", (0, 1, 0), before="Tx(0.2)"), "torso", 1.0, (0.2, 0, 0), _solid(0.02))  # type: ignore[arg-type]
    right = Link(
        "right", Joint("r", "prismatic", (1, 0, 1), before="Tx(-0.2)"), "torso", 0.8, (0, 0.1, 0), _solid(0.01)
    )  # type: ignore[arg-type]
    hand = Link("hand", Joint("wrist", "fixed", before="Tx(0.4) Ry(0.3)"), "left", 0.3, (0.05, 0, 0), _solid(0.001))  # type: ignore[arg-type]
    finger = Link(
        "finger", Joint("f", "continuous", (1, 0, 0), before="Tx(0.1)"), "hand", 0.1, (0, 0.05, 0), _solid(1e-3)
    )  # type: ignore[arg-type]
    return Robot("tree", (torso, left, right, hand, finger), gravity=(0, 0, -9.81))  # type: ignore[arg-type]


def _solid(inertia: float) -> Any:
    return dynamis.Inertia(np.diag([inertia, 1.2 * inertia, 0.9 * inertia]))  # type: ignore[arg-type]


@pytest.mark.parametrize("robot", [pendulum(), tree(), chain(3), chain(12)], ids=["one", "tree", "weld", "twelve"])
@pytest.mark.parametrize("way", WAYS)
def test_odd_robots(robot: Robot, way: dict[str, Any]):
    q0 = np.linspace(0.3, -0.2, robot.n)
    run = dynamis.simulate(robot, q0, duration=0.05, samples=6, **way)
    true = dynamis.simulate(robot, q0, duration=0.05, samples=6, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(run.q, true.q, atol=1e-4 if way.get("integrator") else 1e-8)
    first = robot.forward_dynamics(q0, np.zeros(robot.n), np.zeros(robot.n))
    np.testing.assert_allclose(run.qdd[0], first, rtol=1e-9, atol=1e-9)
    assert run.energy.drift < 1e-2


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("duration", [0.1, 0.0505, 1e-3, 3e-4, 1 / 3])
def test_any_duration(way: dict[str, Any], duration: float):
    run = dynamis.simulate(ARM, START, duration=duration, samples=7, **way)
    assert run.times[0] == 0
    assert run.times[-1] == duration
    assert (np.diff(run.times) > 0).all()
    true = dynamis.simulate(ARM, START, duration=duration, samples=2)
    np.testing.assert_allclose(run.q[-1], true.q[-1], atol=1e-4 if way.get("integrator") else 1e-8)
    assert len(run.times) <= 8


@pytest.mark.parametrize("way", WAYS)
def test_two_samples_are_the_start_and_the_end(way: dict[str, Any]):
    run = dynamis.simulate(ARM, START, duration=0.1, samples=2, **way)
    np.testing.assert_array_equal(run.times, [0.0, 0.1])
    many = dynamis.simulate(ARM, START, duration=0.1, samples=101, **way)
    np.testing.assert_allclose(run.q[-1], many.q[-1], rtol=0, atol=1e-14)


def test_a_prime_number_of_steps_in_two_samples():
    run = dynamis.simulate(ARM, START, duration=10.007, step=1e-3, samples=2)
    assert run.effort.steps == 10_007
    np.testing.assert_array_equal(run.times, [0.0, 10.007])


def test_a_long_table_of_torques():
    """More rows than a piece has: the same as the function that it is a table of."""
    times = np.linspace(0, 10, 20_001)
    table = np.stack([np.sin(times), np.cos(times)], axis=1)
    run = dynamis.simulate(cartesian(1, 1), [0, 0], control=(times, table), duration=10, step=1e-3, gravity=False)
    np.testing.assert_allclose(run.q[:, 0] * 2, run.times - np.sin(run.times), atol=2e-6)


class TestInterrupts:
    @pytest.mark.parametrize("way", WAYS)
    def test_an_interrupt_keeps_what_was_computed(self, way: dict[str, Any]):
        def control(t: float, q: Any, qd: Any) -> Any:
            if t > 0.05:
                raise KeyboardInterrupt
            return [1.0, 0.0]

        run = dynamis.simulate(ARM, START, control=control, duration=0.2, samples=201, **way)
        assert run.ended.startswith("interrupted at t = 0.0")
        assert 0.02 < run.times[-1] <= 0.06
        whole = dynamis.simulate(ARM, START, control=[1.0, 0.0], duration=0.2, samples=201, **way)
        np.testing.assert_allclose(run.q, whole.q[: len(run.q)], atol=1e-8)
        assert len(run.q) == len(run.tau) == len(run.times) == len(run.energy.stops)
        assert str(run)

    @pytest.mark.parametrize("call", range(1, 60, 3))
    def test_wherever_it_comes(self, call: int):
        """Also where the function is asked for the record."""
        calls = 0

        def control(t: float, q: Any, qd: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == call:
                raise KeyboardInterrupt
            return [1.0, 0.0]

        if call == 1:  # nothing was computed yet
            with pytest.raises(KeyboardInterrupt):
                dynamis.simulate(ARM, START, control=control, duration=0.2, samples=201)
            return
        run = dynamis.simulate(ARM, START, control=control, duration=0.2, samples=201)
        assert run.ended.startswith("interrupted")
        assert run.q.shape == run.tau.shape

    def test_an_interrupt_of_progress(self):
        def progress(text: str) -> None:
            raise KeyboardInterrupt

        run = dynamis.simulate(ARM, START, duration=1, step=1e-3, samples=11, progress=progress)
        assert run.ended.startswith("interrupted")
        assert len(run.times) >= 2


def test_progress_is_told():
    for way in ({}, {"step": 1e-3}, {"step": 1e-3, "events": lambda t, q, qd: 1.0}):
        told: list[str] = []
        dynamis.simulate(ARM, START, duration=2, samples=21, progress=told.append, **way)
        assert told
        assert all(text.endswith(" of 2 s") for text in told)


def test_the_effort_is_counted():
    run = dynamis.simulate(ARM, START, duration=1)
    assert run.effort.integrator == "dop853"
    assert run.effort.rejected is not None
    assert run.effort.rejected >= 0
    assert run.effort.evaluations is not None
    assert run.effort.evaluations >= 11 * run.effort.steps
    assert dynamis.simulate(ARM, START, duration=1, step=1e-2).effort.steps == 100
    stiff = dynamis.simulate(ARM, START, duration=0.5, integrator="radau", rtol=1e-4, atol=1e-6).effort
    assert stiff.rejected is not None
    assert 0 <= stiff.rejected < stiff.steps


def test_the_same_run_twice_is_the_same():
    """Programs are kept between runs; a robot that differs in one value is another one."""
    first = dynamis.simulate(ARM, START, duration=0.2, control=PDGravity(20, 2), goal=[0, 0], step=1e-3)
    heavy = dynamis.simulate(
        ARM.with_values(m2=2), START, duration=0.2, control=PDGravity(20, 2), goal=[0, 0], step=1e-3
    )
    other = dynamis.simulate(ARM, START, duration=0.2, control=PDGravity(20, 2.5), goal=[0, 0], step=1e-3)
    again = dynamis.simulate(ARM, START, duration=0.2, control=PDGravity(20, 2), goal=[0, 0], step=1e-3)
    np.testing.assert_array_equal(first.q, again.q)
    assert np.abs(first.q - heavy.q).max() > 1e-3
    assert np.abs(first.q - other.q).max() > 1e-3


def test_loads_from_an_iterator_act():
    load = dynamis.Force("link2", (5, 2, 0))
    listed = dynamis.simulate(ARM, START, duration=0.1, loads=[load])
    drawn = dynamis.simulate(ARM, START, duration=0.1, loads=iter([load]))
    np.testing.assert_array_equal(listed.q, drawn.q)
    assert drawn.energy.loads[-1] != 0


def test_the_goal_is_recorded_and_the_run_is_a_motion():
    motion = quintic(START, [0.0, 0.0], 0.3)
    run = dynamis.simulate(ARM, START, control=PDGravity(100, 5), goal=motion, samples=61)
    assert run.duration == 0.3
    assert run.goal is not None
    np.testing.assert_allclose(run.goal, motion.at(run.times)[0], atol=1e-15)
    middle = (run.times[1:] + run.times[:-1]) / 2
    q, qd, _ = run.at(middle)
    true = dynamis.simulate(ARM, START, control=PDGravity(100, 5), goal=motion, samples=121)
    np.testing.assert_allclose(q, true.q[1::2], atol=1e-8)
    np.testing.assert_allclose(qd, true.qd[1::2], atol=1e-5)


def test_a_limit_of_one_side_and_a_joint_without():
    robot = limited(chain(2), [(None, 0.4), (None, None)])
    run = dynamis.simulate(robot, [0.3, 0.0], [1.0, 0.0], duration=0.3, samples=31)
    assert run.q[:, 0].max() <= 0.4 + 1e-9
    assert Limits(upper=0.4) == robot.links[0].joint.limits  # type: ignore[arg-type]
    assert run.energy.drift < 1e-9


def test_pd_on_the_goal_stays_there():
    run = dynamis.simulate(ARM, START, control=PDGravity(20, 2), goal=START, duration=1, samples=11)
    np.testing.assert_allclose(run.q, np.broadcast_to(START, run.q.shape), atol=1e-12)
    assert not dynamis.simulate(ARM, START, control=PD(1, 1), goal=START, duration=0.1, gravity=False).qd.any()
