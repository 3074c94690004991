"""Friction is one model: robot, law, observer and energy mean the same, and joints that it holds stay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import dynamis
from dynamis.compute.mechanics.friction import coulomb
from dynamis.controllers import (
    PID,
    ComputedTorque,
    GravityLearning,
    MomentumObserver,
    OperationalPD,
    PDGravity,
    TorqueSamples,
)
from dynamis.errors import ArgumentError, BlowUpError, UnknownNameError
from dynamis.files import load_simulation
from dynamis.robot import Robot
from dynamis.simulation.runs import adaptive
from dynamis.trajectories import quintic
from tests.support.arms import chain, pendulum, with_friction
from tests.support.strategies import Case, robots

INTEGRATORS = ("dop853", "radau", "rk4")


def stepped(integrator: str, step: float = 1e-3) -> dict[str, Any]:
    return {"integrator": integrator, "step": step if integrator == "rk4" else None}


def rough_2r(friction: float = 0.5) -> Robot:
    return with_friction(dynamis.load("bar-2r"), coulomb=friction)


def smooth_part(robot: Robot) -> Robot:
    """The robot without its Coulomb friction."""
    links = [replace(x, joint=replace(x.joint, coulomb=0)) if x.joint.moves else x for x in robot.links]  # type: ignore[arg-type]
    return replace(robot, links=tuple(links))


def assert_coulomb(run: Any, gravity: Any = True) -> None:
    """What the motors give beyond the motion without friction is F sign(qd), and at most F at rest."""
    robot = run.robot
    rest = run.tau - smooth_part(robot).inverse_dynamics(run.q, run.qd, run.qdd, gravity=gravity)
    F, scale = np.array(coulomb(robot)), 1e-7 * (1 + np.abs(run.tau).max() + np.abs(run.qdd).max())
    for j in range(robot.n):
        moving, still = np.abs(run.qd[:, j]) > 1e-8, np.abs(run.qd[:, j]) <= 1e-8
        np.testing.assert_allclose(rest[moving, j], F[j] * np.sign(run.qd[moving, j]), rtol=0, atol=scale)
        assert (np.abs(rest[still, j]) <= F[j] + scale).all()


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_computed_torque_cancels_the_friction_of_the_robot(integrator: str) -> None:
    """The error is that of a double integrator, e'' + 20 e' + 100 e = 0, as without friction."""
    e0 = np.array([0.8, -0.8])
    run = dynamis.simulate(
        rough_2r(), [-0.2, 0.2] - e0, control=ComputedTorque(100, 20), goal=[-0.2, 0.2], duration=1.0,
        **stepped(integrator),
    )  # fmt: skip
    expected = np.exp(-10 * run.times) * (1 + 10 * run.times)
    np.testing.assert_allclose(run.goal - run.q, expected[:, None] * e0, rtol=0, atol=1e-8)
    assert run.energy.drift < 1e-7
    assert_coulomb(run)
    assert run.settings["friction"] == "dry; the law compensates the robot's own"


def test_tracking_with_friction_has_the_errors_of_tracking_without() -> None:
    """The shipped task: the model's masses are wrong, its friction is right."""
    puma, task = dynamis.load("puma560"), "puma-tracking"
    run = load_simulation(task, puma).run()
    without = load_simulation(task, smooth_part(puma)).run()
    np.testing.assert_allclose(run.q[-1], without.q[-1], rtol=0, atol=1e-6)
    largest = np.abs(run.goal - run.q).max(axis=0)
    np.testing.assert_allclose(largest[1:3], [0.00869, 0.00394], rtol=0.01)
    assert any(coulomb(puma))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_an_observer_feels_no_contact_where_there_is_only_friction(integrator: str) -> None:
    law = MomentumObserver(PDGravity(60, 20), 30)
    run = dynamis.simulate(
        rough_2r(), [-1.4, 0.9], control=law, goal=[0.2, 0.1], duration=0.6, **stepped(integrator, 2e-4)
    )
    assert np.abs(run.signals["residual"]).max() < 1e-5
    assert_coulomb(run)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_joint_that_friction_holds_stays_and_costs_nothing(integrator: str) -> None:
    run = dynamis.simulate(rough_2r(50.0), [0.5, 0.3], duration=20.0, **stepped(integrator, 0.01))
    np.testing.assert_array_equal(run.q, np.tile([0.5, 0.3], (len(run.times), 1)))
    np.testing.assert_array_equal(run.qd, 0.0)
    assert [event.what for event in run.events] == ["q1 is held by friction", "q2 is held by friction"]
    assert run.effort.steps <= (2000 if integrator == "rk4" else 40)
    assert_coulomb(run)


def test_a_held_joint_breaks_away_when_the_torque_exceeds_its_friction() -> None:
    """A rod, level, held by friction; the torque falls at 1 N m/s from the one that carries it."""
    rod = pendulum(coulomb=0.3)
    weight = float(rod.gravity_torque([0.0])[0])
    run = dynamis.simulate(rod, [0.0], control=([0, 10], [[weight], [weight - 10]]), duration=1.0, samples=101)
    assert [event.what for event in run.events] == ["hinge is held by friction", "hinge breaks away"]
    assert run.events[1].time == pytest.approx(0.3, abs=1e-9)
    np.testing.assert_array_equal(run.q[run.times < 0.3], 0.0)
    assert run.q[-1, 0] < -0.1
    assert_coulomb(run)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_several_joints_stick_and_slide(integrator: str) -> None:
    """A chain of four swings and comes to rest; its joints stop and go one after another."""
    arm = with_friction(chain(4), damping=0.05, coulomb=0.4)
    run = dynamis.simulate(arm, [0.3, 0.2, -0.4, 0.5], [2, -4, 3, 0], duration=1.5, samples=301, **stepped(integrator))
    assert len(run.events) > 3
    assert run.energy.drift < 1e-7
    assert (np.diff(run.energy.friction) <= 1e-12).all()
    assert_coulomb(run)


@settings(max_examples=10)
@given(robots(joints=(1, 4), friction=True, solid=True))
def test_the_law_of_coulomb_on_random_trees(case: Case) -> None:
    robot = case.robot()
    assume(robot.n and any(coulomb(robot)))
    run = dynamis.simulate(
        robot, case.q, case.qd, duration=0.3, rtol=1e-10, atol=1e-11, limits="ignore", samples=31
    )  # fmt: skip
    assert run.energy.drift < 1e-6
    assert_coulomb(run)


def test_dry_friction_is_the_limit_of_smoothed_friction() -> None:
    dry = dynamis.simulate(rough_2r(), [-1.4, 0.9], duration=1.0, samples=11)
    apart = [
        np.abs(dynamis.simulate(rough_2r(), [-1.4, 0.9], duration=1.0, samples=11, stiction_speed=v, integrator="radau",
                                rtol=1e-8, atol=1e-9).q[-1] - dry.q[-1]).max()
        for v in (1e-2, 1e-3, 1e-4)
    ]  # fmt: skip
    assert apart[2] < apart[1] / 3 < apart[0] / 9


def test_conditions_know_dry_friction() -> None:
    arm = rough_2r()
    pd = PDGravity(50, 20)
    (short,) = [x for x in pd.conditions(arm) if "dry friction" in x.claim]
    assert short.holds is False
    assert "up to F/K_P = 0.01 rad from its goal" in short.detail
    run = dynamis.simulate(arm, [-1.4, 0.9], control=pd, goal=[0.2, 0.1], duration=12.0)
    left = np.abs(run.goal[-1] - run.q[-1])
    assert (left <= 0.01 + 1e-6).all()
    assert left.max() > 1e-3
    assert [x.holds for x in ComputedTorque(100, 20).conditions(arm)] == [True] * 3
    (less,) = [x for x in ComputedTorque(100, 20, model=rough_2r(0.3)).conditions(arm) if "Coulomb" in x.claim]
    assert less.holds is False
    assert less.detail == "0.2 N m are left at joint q1, which they can hold short of its goal."
    (more,) = [x for x in ComputedTorque(100, 20, model=rough_2r(0.6)).conditions(arm) if "Coulomb" in x.claim]
    assert more.detail == "At joint q1 the law gives 0.1 N m too much, which drives it once it moves."
    for law in (
        PID(60, 20, ki=10),
        GravityLearning(60, 20),
        OperationalPD([0.3, 0.3, 0], 50, 5),
    ):
        assert any("dry friction" in x.claim and x.holds is False for x in law.conditions(arm, [0.2, 0.1]))
    assert not any("friction" in str(x) for x in pd.conditions(dynamis.load("bar-2r")))


def test_runs_that_disagree_say_so() -> None:
    falling: dict[str, Any] = {"q0": [0.5, 0.3], "duration": 12.0}
    run = dynamis.simulate(dynamis.load("bar-2r"), **falling, check="radau", rtol=1e-6, atol=1e-8)
    assert run.accuracy is not None
    assert not run.accuracy.agrees
    (warning,) = run.warnings
    assert warning.startswith("a second run with radau agrees to 1e-06 rad until t = ")
    assert run.sentences().count(f"warning: {warning}") == 1
    assert warning not in run.sentences()
    agreed = dynamis.simulate(rough_2r(), [-1.4, 0.9], duration=1.0, check="radau")
    assert agreed.warnings == ()
    with pytest.raises(UnknownNameError, match="unknown integrator") as caught:
        dynamis.simulate(rough_2r(), [0, 0], duration=1.0, check="euler")
    assert caught.value.key == "check"


def test_a_stiff_loop_is_given_to_radau() -> None:
    thick = with_friction(dynamis.load("bar-2r"), damping=1e5)
    run = dynamis.simulate(thick, [0.5, 0.3], duration=1.0)
    assert run.effort.integrator == "dop853 and radau"
    assert run.effort.steps < 5000
    assert "the loop is stiff" in run.warnings[0]
    assert "radau took over from dop853" in run.warnings[0]
    alone = dynamis.simulate(thick, [0.5, 0.3], duration=1.0, integrator="radau")
    np.testing.assert_allclose(run.q[-1], alone.q[-1], rtol=0, atol=1e-9)


def test_an_explicit_integrator_that_was_asked_for_stays_but_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    thick = with_friction(dynamis.load("bar-2r"), damping=1e5)
    monkeypatch.setattr(adaptive, "MAX_ADAPTIVE_STEPS", 2000)
    with pytest.raises(BlowUpError, match=r'the loop is stiff, .*; use integrator="radau"') as caught:
        dynamis.simulate(thick, [0.5, 0.3], duration=1.0, integrator="dop853")
    assert caught.value.partial is not None
    run = dynamis.simulate(thick, [0.5, 0.3], duration=1.0, integrator="radau")
    assert run.warnings == ()


def test_compiled_steps_want_smoothed_friction() -> None:
    with pytest.raises(ArgumentError, match="stiction_speed must be positive here"):
        dynamis.rollouts(rough_2r(), [[0, 0]], duration=0.1, step=1e-3, stiction_speed=0.0)
    run = dynamis.rollouts(rough_2r(), [[0.4, 0.2]], control=ComputedTorque(100, 20), goal=[0.5, 0.3],
                           duration=1.5, step=1e-3)  # fmt: skip
    np.testing.assert_allclose(run.q[0], [0.5, 0.3], rtol=0, atol=1e-5)


def block(friction: float, **limits: float) -> Robot:
    """A mass of 1 kg on a level rail."""
    joint = dynamis.Joint("x", "prismatic", (1, 0, 0), coulomb=friction, limits=dynamis.Limits(**limits))  # type: ignore[arg-type]
    return Robot("block", (dynamis.Link("mass", joint, "base", 1.0),), gravity=(0, 0, 0))  # type: ignore[arg-type]


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_sampled_law_lets_go_of_a_joint_that_sticks(integrator: str) -> None:
    """Between samples the torque is held, so that friction has its whole hold; a law that waits for it must push."""
    motion = quintic([0.0], [1.0], 2.0)
    run = dynamis.simulate(
        block(2.0), [0.0], control=ComputedTorque(100, 20), goal=motion, duration=2.0, period=2e-3,
        **stepped(integrator),
    )  # fmt: skip
    assert run.q[-1, 0] == pytest.approx(0.99993, abs=1e-5)
    assert any("breaks away" in event.what for event in run.events)
    assert_coulomb(run)


@pytest.mark.parametrize(
    ("limit", "model"),
    [((12.0, 4.0), None), ((12.0, 4.0), 2.5), ((6.0, 1.5), 1.5), ((6.0, 1.5), 2.5), ((3.0, 0.5), None)],
)
def test_motors_at_their_limits_under_a_law_that_compensates_friction(limit: Any, model: float | None) -> None:
    """A stuck joint's motor comes to its limit and leaves it: friction gains and loses its hold on the way."""
    arm = rough_2r(2.0)
    law = ComputedTorque(100, 20, model=None if model is None else rough_2r(model))
    given: dict[str, Any] = {"control": law, "goal": [0.4, -0.2], "duration": 1.0, "torque_limit": limit}
    run = dynamis.simulate(arm, [-0.5, 0.3], **given, rtol=1e-9, atol=1e-10)
    assert run.energy.drift < 1e-5
    assert_coulomb(run)
    if model is None or model < 2.0:  # too much compensation drives a joint from rest: when it leaves is sensitive
        other = dynamis.simulate(arm, [-0.5, 0.3], **given, step=5e-4)
        np.testing.assert_allclose(run.q[-1], other.q[-1], rtol=0, atol=2e-3)


def test_no_step_passes_over_a_pulse_of_torque_or_load() -> None:
    """20 N for 0.1 s in the middle of nothing: 2 m/s afterwards."""
    pulse = TorqueSamples([0, 5.0003, 5.1003], [[0.0], [20.0], [0.0]], hold=True)
    run = dynamis.simulate(block(0.0), [0.0], control=pulse, duration=10.0)
    assert run.q[-1, 0] == pytest.approx(0.1 + 2 * (10 - 5.1003), abs=1e-9)
    held = dynamis.simulate(
        block(0.5), [0.0], control=([0, 5, 5.002, 5.004, 20], [[0.0], [0], [99], [0], [0]]), duration=20.0
    )
    assert [event.what for event in held.events] == ["x is held by friction", "x breaks away", "x is held by friction"]


def test_an_energy_balance_that_is_off_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from dynamis.simulation import one_run as module

    monkeypatch.setattr(module, "MAX_DRIFT", 0.0)
    run = dynamis.simulate(rough_2r(), [-1.4, 0.9], duration=0.5)
    assert any(text.startswith("the energy balance is off: these positions") for text in run.warnings)
    given: dict[str, Any] = {
        "control": PDGravity(60, 10),
        "goal": [0.5, 0.5],
        "duration": 0.5,
        "step": 1e-3,
    }
    many = dynamis.rollouts(rough_2r(20.0), [0.0, 0.0], **given)
    assert any("of 1 rollouts: smoothed friction is stiff" in text for text in many.warnings)


def test_a_second_run_is_another_one() -> None:
    arm = rough_2r()
    same = dynamis.simulate(arm, [-1.4, 0.9], duration=0.5, check="dop853")
    assert same.accuracy is not None
    assert same.accuracy.how == "a second run with a hundredth of the tolerances"
    with pytest.raises(ArgumentError, match="check must be one of rk45, dop853, radau"):
        dynamis.simulate(arm, [-1.4, 0.9], duration=0.5, check="rk4")
    from dynamis.simulation.results.result import Accuracy

    early = Accuracy("a second run", np.array([0.0, 1.0]), np.zeros(2), 1e-6, 1.0, None, "blew up after t = 1 s")
    assert not early.agrees


def test_joints_that_kick_each_other_off_their_stops_come_to_rest() -> None:
    arm = with_friction(chain(3), coulomb=0.3)
    from tests.support.arms import limited

    run = dynamis.simulate(limited(arm, [(-0.5, 0.5)] * 3), [0.35, 0.3, -0.4], control=[1.5, 1.2, -1.0], duration=2.0)
    assert not run.ended
    assert len(run.events) < 300
    assert run.energy.drift < 1e-6
