"""Laws that bring the robot to a constant goal: what stays, what vanishes, and how."""

from __future__ import annotations

import numpy as np
import pytest

import dynamis
from dynamis.simulation.controllers.gravity_learning import GravityLearning
from dynamis.simulation.controllers.law import Controller
from dynamis.simulation.controllers.operational_pd import OperationalPD
from dynamis.simulation.controllers.pd import PD
from dynamis.simulation.controllers.pd_gravity import PDGravity
from dynamis.simulation.controllers.pid import PID
from tests.support.control_loops import Array, Bench, Sampling, damped_2r

GOAL = np.array([0.7, -0.4])
START = np.array([-1.2, 0.9])


def rest(law: Controller, duration: float = 12.0) -> tuple[Bench, Array]:
    """The damped 2R arm after a long time, and that it is at rest."""
    bench = Bench(damped_2r(), law, START, [0.0, 0.0])
    x = bench.run(lambda t: bench.inputs(GOAL), duration, [duration]).y[:, -1]
    assert np.abs(bench.part(x, "qd")).max() < 1e-7
    return bench, x


def test_pd_alone_leaves_the_error_that_carries_gravity() -> None:
    bench, x = rest(PD([40, 20], [9, 4]))
    q = bench.part(x, "q")
    e = GOAL - q
    assert np.abs(e).max() > 0.05
    np.testing.assert_allclose(np.array([40, 20]) * e, bench.robot.gravity_torque(q), atol=1e-6)


@pytest.mark.parametrize("law", [PDGravity(40, 9), PDGravity([40, 20], 6, at="goal"), PID([80, 60], [14, 9], ki=60)])
def test_no_error_stays(law: Controller) -> None:
    bench, x = rest(law, 25.0)
    np.testing.assert_allclose(bench.part(x, "q"), GOAL, atol=1e-6)


def test_the_integral_becomes_the_torque_against_gravity() -> None:
    bench, x = rest(PID([80, 60], [14, 9], ki=60), 25.0)
    signals = bench.observed(x, bench.inputs(GOAL))
    np.testing.assert_allclose(signals["integral"], bench.robot.gravity_torque(GOAL), atol=1e-5)


def test_a_limit_of_the_integral_holds_and_ends_its_growth() -> None:
    law = PID(10, 5, ki=30, integral_limit=[2.0, 50.0])
    bench, x = rest(law, 40.0)
    signals = bench.observed(x, bench.inputs(GOAL))
    assert signals["integral"][0] == 2.0
    assert abs(bench.part(x, "memory")[0] * 30) < 2.0 * 1.01
    # The second joint's integral is free, so only the first joint keeps an error.
    e = GOAL - bench.part(x, "q")
    g = bench.robot.gravity_torque(bench.part(x, "q"))
    np.testing.assert_allclose([10 * e[0] + 2.0, e[1]], [g[0], 0.0], atol=1e-5)


@pytest.mark.parametrize(("z", "e", "rate"), [(3, 1, 0), (3, -1, -1), (-3, 1, 1), (-3, -1, 0), (1, 1, 1), (1, -1, -1)])
def test_an_integral_beyond_its_limit_only_goes_back(z: float, e: float, rate: float) -> None:
    bench = Bench(damped_2r(), PID(10, 5, ki=2, integral_limit=4), [0.0, 0.0], [0.0, 0.0])
    bench.x[4:6] = z
    inputs = bench.inputs([e, e])
    np.testing.assert_array_equal(bench.part(bench.programs.rate(bench.x, inputs), "memory"), [rate, rate])
    np.testing.assert_array_equal(bench.observed(bench.x, inputs)["integral"], np.clip(2 * z, -4, 4) * np.ones(2))


@pytest.mark.parametrize("ki", [60, 6000])
def test_the_roots_near_the_goal_tell_whether_pid_is_stable(ki: float) -> None:
    """The rightmost root is that of the compiled loop, by differences."""
    arm = damped_2r()
    law = PID([80, 60], [14, 9], ki=ki)
    assert [c.holds for c in law.conditions(arm)] == [None]
    (condition,) = law.conditions(arm, GOAL)
    bench = Bench(arm, law, GOAL, [0.0, 0.0])
    bench.x[4:6] = arm.gravity_torque(GOAL) / ki
    rate, inputs = bench.programs.rate, bench.inputs(GOAL)
    np.testing.assert_allclose(rate(bench.x, inputs), 0, atol=1e-12)
    steps = 1e-6 * np.eye(len(bench.x))[:6]
    A = (rate(bench.x + steps, inputs) - rate(bench.x - steps, inputs))[:, :6].T / 2e-6
    right = np.linalg.eigvals(A).real.max()
    assert condition.holds == (right < 0) == (ki == 60)
    said = float(condition.detail.split("real part ")[1].split()[0])
    np.testing.assert_allclose(said, right, rtol=1e-3)


@pytest.mark.parametrize("at", ["way", "goal"])
def test_the_gravity_is_that_of_its_place(at: str) -> None:
    arm = damped_2r()
    bench = Bench(arm, PDGravity([40, 20], [9, 4], at=at), START, [0.5, -1.0])
    tau, *_ = bench.plain().observe(list(bench.x), list(bench.inputs(GOAL, [0.1, 0.2])))
    g = arm.gravity_torque(GOAL if at == "goal" else START)
    np.testing.assert_allclose(tau, np.array([40, 20]) * (GOAL - START) + np.array([9, 4]) * [-0.4, 1.2] + g)


def test_gravity_is_learned_from_rest_to_rest() -> None:
    arm = damped_2r()
    law = GravityLearning([20, 12], [9, 5], gamma=2.0, still=2e-3, settling=0.5)
    assert all(condition.holds for condition in law.conditions(arm, GOAL))
    assert law.warnings(arm) == []
    bench = Bench(arm, law, START, [0.0, 0.0], sampling=Sampling(0.01))
    states = np.array(bench.sampled(bench.inputs(GOAL), 1800)).T
    updates = bench.part(states, "memory")[3]
    assert updates[-1] >= 5
    assert set(np.diff(updates)) == {0.0, 1.0}
    q, rests = bench.part(states, "q"), np.flatnonzero(np.diff(updates))
    errors = np.linalg.norm(GOAL[:, None] - q[:, rests], axis=0)
    # alpha / (gamma K_P - alpha) with the scaled norm 0.561 of this arm; speeds below `still` are not zero.
    assert (errors[1:] <= 0.39 * errors[:-1] + 1e-4).all()
    assert errors[0] > 0.1
    assert errors[-1] < 1e-6
    np.testing.assert_allclose(bench.part(states, "memory")[:2, -1], arm.gravity_torque(GOAL), atol=1e-4)


def test_updates_that_come_too_soon_are_warned_of() -> None:
    (warning,) = GravityLearning([20, 12], [9, 5], settling=0.1).warnings(damped_2r())
    assert warning.startswith("settling is 0.1 s, but joint q1 settles in about K_D / (gamma K_P) = 0.225 s")


def test_gravity_learning_needs_samples() -> None:
    bench = Bench(damped_2r(), GravityLearning(20, 9), START, [0.0, 0.0])
    with pytest.raises(dynamis.DynamisError, match="is a sampled law"):
        bench.plain().rate(list(bench.x), list(bench.inputs(GOAL)))


def test_the_tool_comes_to_its_position() -> None:
    arm = damped_2r()
    goal = arm.forward_kinematics(GOAL)[:3, 3]
    bench, x = rest(OperationalPD(goal, 200, 40), 15.0)
    np.testing.assert_allclose(bench.robot.forward_kinematics(bench.part(x, "q"))[:3, 3], goal, atol=1e-6)


def test_the_tool_comes_to_its_pose() -> None:
    arm = dynamis.load("ur5")
    q = np.array([0.3, -1.2, 1.4, -0.8, -1.1, 0.4])
    goal = arm.forward_kinematics(q)
    law = OperationalPD(goal, 400, 130, 60, 12, joint_damping=0.5)
    assert all(condition.holds for condition in law.conditions(arm))
    bench = Bench(arm, law, q + np.array([0.3, -0.2, 0.2, 0.25, -0.3, 0.2]), np.zeros(6))
    x = bench.run(lambda t: bench.inputs(q), 8.0, [8.0], 1e-6, "LSODA").y[:, -1]
    np.testing.assert_allclose(arm.forward_kinematics(bench.part(x, "q")), goal, atol=2e-3)
    signals = bench.observed(bench.x, bench.inputs(q))
    R, R_d = arm.forward_kinematics(bench.part(bench.x, "q"))[:3, :3], goal[:3, :3]
    left = R_d @ R.T
    axis_sine = np.array([left[2, 1] - left[1, 2], left[0, 2] - left[2, 0], left[1, 0] - left[0, 1]]) / 2
    np.testing.assert_allclose(signals["orientation_error"], axis_sine, atol=1e-12)
    np.testing.assert_allclose(
        signals["position_error"], goal[:3, 3] - arm.forward_kinematics(bench.part(bench.x, "q"))[:3, 3], atol=1e-12
    )
