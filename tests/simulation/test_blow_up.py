"""Runs that blow up end with the time, the state and the likely cause; what was computed is finite and kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Robot
from dynamis.controllers import PD, PDGravity
from dynamis.errors import BlowUpError
from tests.support.arms import cartesian, with_friction

ARM = dynamis.load("bar-2r")
GOAL: dict[str, Any] = {"goal": [1.0, 0.5]}


def blown_up(robot: Robot = ARM, duration: float = 5.0, **given: Any) -> BlowUpError:
    """The error of a run, after what is so of all of them."""
    q0 = given.pop("q0", [0.5, 0.3] if robot is ARM else [0.1] * robot.n)
    with pytest.raises(BlowUpError) as caught:
        dynamis.simulate(robot, q0, duration=duration, limits="ignore", **given)
    error = caught.value
    message = str(error)
    assert message.startswith(f"the simulation blew up after t = {error.time:.6g} s, at q = [")
    assert message.endswith(error.cause)
    assert "\n" not in message
    assert 0 <= error.time < duration
    assert np.isfinite(error.q).all()
    assert np.isfinite(error.qd).all()
    partial = error.partial
    assert partial is not None
    for values in (partial.times, partial.q, partial.qd, partial.qdd, partial.tau, partial.energy.total):
        assert np.isfinite(values).all()
    assert (np.diff(partial.times) > 0).all()
    assert partial.times[-1] == error.time
    np.testing.assert_array_equal(partial.q[-1], error.q)
    np.testing.assert_array_equal(partial.qd[-1], error.qd)
    assert partial.ended == f"blew up after t = {error.time:.6g} s"
    assert str(partial)
    return error


@pytest.mark.parametrize("watched", [False, True])
def test_a_step_too_large_for_the_gains(watched: bool):
    """The mode that the message names is that of K_D / inertia, and a step below what it asks for runs."""
    more: dict[str, Any] = {"events": lambda t, q, qd: 1.0} if watched else {}
    error = blown_up(control=PDGravity(60, 20), step=0.05, **GOAL, **more)
    assert error.cause.startswith(
        "the step is too large: the fastest mode is 1.06e+03 1/s and rk4 needs a step below 0.0026 s"
    )
    fine = dynamis.simulate(ARM, [0.5, 0.3], control=PDGravity(60, 20), duration=5, step=0.0025, **GOAL)
    np.testing.assert_allclose(fine.q[-1], [1.0, 0.5], atol=1e-3)


@pytest.mark.parametrize("speed", [0.0, 1.0])
def test_stiff_friction(speed: float):
    """Also where the start moves, so that friction is not steep there."""
    robot = with_friction(dynamis.load("stanford"), 1.0, 0.1)
    error = blown_up(robot, duration=1.0, q0=[0.4] * 6, qd0=[speed] * 6, step=1e-3, stiction_speed=1e-3)
    assert error.cause.startswith("Coulomb friction is stiff: it changes within 0.001 of speed")
    assert error.cause.endswith('use a smaller step, a larger stiction_speed or integrator="radau"')
    loose: dict[str, Any] = {"integrator": "radau", "rtol": 1e-6, "atol": 1e-8, "limits": "ignore"}
    assert not dynamis.simulate(robot, [0.4] * 6, [speed] * 6, duration=0.02, **loose).ended


@pytest.mark.parametrize(
    "way",
    [
        {"rtol": 1e-7},
        {"step": 1e-4},
        {"integrator": "radau", "rtol": 1e-4, "atol": 1e-4},
        {"integrator": "rk45", "rtol": 1e-5},
    ],
)
@pytest.mark.filterwarnings("error")
def test_a_negative_gain(way: dict[str, Any]):
    error = blown_up(control=PDGravity(60, -20), **GOAL, **way)
    assert error.cause == "the loop is unstable: a disturbance of the start grows as exp(1.06e+03 t); look at the gains"
    partial = error.partial
    assert partial is not None
    assert any("kd of joint q1 is -20: a negative gain" in warning for warning in partial.warnings)


@pytest.mark.parametrize("way", [{"rtol": 1e-6}, {"step": 1e-3}, {"step": 1e-3, "events": lambda t, q, qd: 1.0}])
@pytest.mark.parametrize("kind", ["controller", "function"])
def test_a_gain_too_high_for_the_period(way: dict[str, Any], kind: str):
    def law(t: float, q: Any, qd: Any) -> Any:
        return 60 * (np.array([1.0, 0.5]) - q) - 20 * qd

    control: dict[str, Any] = {"control": PD(60, 20), **GOAL} if kind == "controller" else {"control": law}
    error = blown_up(period=0.02, **control, **way)
    assert error.cause.startswith(
        "the gains are unstable with a period of 0.02 s: from sample to sample a disturbance grows 20.9"
    )
    smooth = dynamis.simulate(ARM, [0.5, 0.3], duration=1, **control)
    assert np.abs(smooth.q).max() < 2


def test_a_function_that_feeds_energy():
    error = blown_up(control=lambda t, q, qd: 20 * qd, rtol=1e-6)
    assert error.cause.startswith("the loop is unstable")


@pytest.mark.parametrize("way", [{}, {"step": 1e-2}])
def test_torques_too_large(way: dict[str, Any]):
    error = blown_up(control=[1e9, 0.0], **way)
    assert error.cause == "the torques or loads are too large: they accelerate a joint at 1.5e+10 rad/s^2 or m/s^2"


def test_a_step_too_large_for_free_motion():
    """There are no gains to look at, and the message does not speak of any."""
    error = blown_up(duration=500, step=0.5)
    assert error.cause == "the step of 0.5 s is too large for this motion; use a smaller one"
    error = blown_up(duration=500, step=0.5, integrator="symplectic")
    assert error.cause.startswith("the step is too large")


def test_it_blows_up_in_the_first_step():
    error = blown_up(control=PD(1e12, 1e12), step=0.1, **GOAL)
    assert error.time == 0
    assert error.q.tolist() == [0.5, 0.3]


def test_blow_ups_agree_with_those_of_rollouts():
    given: dict[str, Any] = {"control": PDGravity(60, 20), "duration": 5.0, "step": 0.005, **GOAL}
    error = blown_up(**given)
    found = dynamis.rollouts(ARM, [[0.5, 0.3], [0.5, 0.3]], **given)
    assert found.failed.all()
    np.testing.assert_array_equal(found.ended, error.time)
    np.testing.assert_array_equal(found.q[0], error.q)


@pytest.mark.parametrize("integrator", ["dop853", "rk45", "radau", "rk4"])
def test_dry_friction_holds_a_slider_where_a_sign_would_chatter(integrator: str):
    robot = with_friction(cartesian(1, 1), coulomb=2.0)
    step = 1e-3 if integrator == "rk4" else None
    run = dynamis.simulate(robot, [0, 0], [0, 1.0], duration=1.0, gravity=False, integrator=integrator, step=step)
    assert [(event.what, event.joint) for event in run.events] == [
        (f"{run.joints[0]} is held by friction", 1), (f"{run.joints[1]} is held by friction", 2),
    ]  # fmt: skip
    assert run.events[1].time == pytest.approx(0.5, abs=1e-11)
    np.testing.assert_allclose(run.q[-1], [0.0, 0.25], rtol=0, atol=1e-11)
    np.testing.assert_array_equal(run.qd[run.times > 0.5 + 1e-9], 0.0)
    assert run.energy.drift < 1e-10


@pytest.mark.parametrize("integrator", ["dop853", "rk45"])
def test_a_jump_that_no_step_can_pass_does_not_run_for_ever(integrator: str):
    """A control with the sign of the speed holds a slider at rest: the steps get shorter and shorter."""
    robot = cartesian(1, 1)
    control: Any = lambda t, q, qd: [0.0, -2 * np.sign(qd[1])]  # noqa: E731
    with pytest.raises(BlowUpError) as caught:
        dynamis.simulate(robot, [0, 0], [0, 1.0], control, 1.0, gravity=False, integrator=integrator, samples=11)
    error = caught.value
    assert str(error).startswith("the simulation is stuck at t = 0.5 s, at q = [0, 0.25], qd = [0, ")
    assert "something jumps, such as a control that switches: make it smooth" in error.cause
    assert error.partial is not None
    assert error.partial.ended == "is stuck at t = 0.5 s"
    assert abs(error.partial.q[-1, 1] - 0.25) < 1e-6
    fixed = dynamis.simulate(robot, [0, 0], [0, 1.0], control, 1.0, gravity=False, step=1e-3)
    assert abs(fixed.q[-1, 1] - 0.25) < 1e-3


def test_friction_that_is_too_stiff_for_the_step_is_told_where_nothing_blows_up():
    """Its torque is bounded, so the joints only rattle; the balance of energies shows it."""
    run = dynamis.simulate(
        dynamis.load("puma560"), [1.0] * 6, duration=1, step=0.01, stiction_speed=1e-7, limits="ignore", samples=11
    )
    assert any("the energy balance is off: Coulomb friction is stiff" in warning for warning in run.warnings)
