"""What cannot be simulated is told in one sentence: what, where, what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import DynamisError
from dynamis.controllers import PD, TorqueSamples
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.trajectories import quintic
from tests.support.arms import pendulum

ARM = dynamis.load("bar-2r")
TABLE = "they are times (k,) and torques (k, 2)"
NO_CONTROL = (
    "control must be torques, (times, torques), a function (t, q, qd) -> torques, or a controller, such as "
    'dynamis.controllers.controller(...) returns, got "pd"'
)
NOT_FINITE = "torques over time have values that are not finite"


def said(*args: Any, robot: Any = ARM, **given: Any) -> str:
    """The error of a run, which is one of ours and one sentence or two."""
    arguments = {"q0": [0.5, 0.3], "duration": 0.1, **given}
    with pytest.raises(DynamisError) as caught:
        dynamis.simulate(robot, *args, **arguments)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 220
    return message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"q0": [0.5]}, 'q0 must have one value per joint, got 1 value; robot "bar-2r" has 2 joints (q1, q2)'),
        ({"q0": 0.5}, 'q0 must have one value per joint, got a single number; robot "bar-2r" has 2 joints (q1, q2)'),
        ({"q0": [[0.5, 0.3]]}, "the states have shape (1,); simulate runs one robot, rollouts run many"),
        ({"q0": [0.5, np.nan]}, "q0 must be finite in every entry"),
        ({"q0": ["a", "b"]},
         "q0 must have one value per joint, got ['a', 'b']; robot \"bar-2r\" has 2 joints (q1, q2)"),
        ({"q0": [[1], [1, 2]]},
         "q0 must have one value per joint, got [[1], [1, 2]]; robot \"bar-2r\" has 2 joints (q1, q2)"),
        ({"qd0": [1, 2, 3]}, 'qd0 must have one value per joint, got 3 values; robot "bar-2r" has 2 joints (q1, q2)'),
        ({"qd0": [np.inf, 0]}, "qd0 must be finite in every entry"),
        ({"control": [1.0]},
         'control must have one value per joint, got 1 value; robot "bar-2r" has 2 joints (q1, q2)'),
        ({"control": [1.0, np.nan]}, "control must be finite in every entry"),
        ({"control": "pd"}, NO_CONTROL),
        ({"control": PD}, "control must be an instance, got the class PD; make one: PD(...)"),
        ({"control": PD(1, 1)}, "PD needs a goal=...: joint values or a trajectory"),
        ({"goal": [0, 0]}, "goal requires a controller; this control does not follow one"),
        ({"control": PD(1, 1), "goal": [0]},
         'goal must have one value per joint, got 1 value; robot "bar-2r" has 2 joints (q1, q2)'),
        ({"control": PD(1, 1), "goal": [0, np.nan]}, "goal must be finite in every entry"),
        ({"control": PD(1, 1), "goal": "home"},
         'goal must have one value per joint, got "home"; robot "bar-2r" has 2 joints (q1, q2)'),
        ({"control": PD(1, 1), "goal": quintic([0], [1], 1)}, 'the goal moves 1 joints; robot "bar-2r" has 2'),
        ({"control": PD([1, 2, 3], 1), "goal": [0, 0]},
         "kp must be one number per joint (2 joints), got 3 values"),
        ({"control": PD(np.nan, 1), "goal": [0, 0]}, "kp must be finite, got [nan, nan]"),
        ({"duration": None}, "duration is missing: how long is simulated [s]"),
        ({"duration": 0}, "duration must be a positive number [s], got 0"),
        ({"duration": -1}, "duration must be a positive number [s], got -1"),
        ({"duration": np.nan}, "duration must be a positive number [s], got nan"),
        ({"step": 0}, "step must be a positive number [s], got 0"),
        ({"step": -0.1}, "step must be a positive number [s], got -0.1"),
        ({"step": np.nan}, "step must be a positive number [s], got nan"),
        (
            {"step": 1e-12},
            "0.1 s with a step of 1e-12 s take 1e+11 steps; at most 1e+09 are allowed: give a longer step or a shorter "
            "duration",
        ),
        ({"integrator": "rk4"}, "rk4 has a fixed step; give step=... [s]"),
        ({"integrator": "dop853", "step": 0.1}, "dop853 chooses its steps itself; leave step out, or use rk4"),
        ({"rtol": 0}, "rtol must be a positive number [1], got 0"),
        ({"rtol": -1e-6}, "rtol must be a positive number [1], got -1e-06"),
        ({"samples": 1}, "samples must be an integer from 2 to 10,000,000, got 1"),
        ({"samples": 2.5}, "samples must be an integer from 2 to 10,000,000, got 2.5"),
        ({"samples": True}, "samples must be an integer from 2 to 10,000,000, got true"),
        ({"restitution": 2}, "restitution must be a number from 0 to 1, got 2"),
        ({"restitution": -0.1}, "restitution must be a number from 0 to 1, got -0.1"),
        ({"restitution": np.nan}, "restitution must be a number from 0 to 1, got nan"),
        ({"restitution": "a"}, 'restitution must be a number from 0 to 1, got "a"'),
        ({"stiction_speed": -1}, "stiction_speed must be a number from 0 to 1e+06, got -1"),
        ({"stiction_speed": "x"}, 'stiction_speed must be a number from 0 to 1e+06, got "x"'),
        ({"loads": 5}, "loads must be a list of loads, got 5"),
        ({"control": ([0, 1], [[1], [2]])}, "torques over time have shapes (2,) and (2, 1); " + TABLE),
        ({"control": ([0, 1], [[1, 2]])}, "torques over time have shapes (2,) and (1, 2); " + TABLE),
        ({"control": ([], np.zeros((0, 2)))}, "torques over time have shapes (0,) and (0, 2); " + TABLE),
        ({"control": ([0, 1, 1], np.zeros((3, 2)))}, "the times of the torques do not increase: 1 s, then 1 s"),
        ({"control": ([1, 0.5], np.zeros((2, 2)))}, "the times of the torques do not increase: 1 s, then 0.5 s"),
        ({"control": TorqueSamples([0, np.nan], np.zeros((2, 2)))}, NOT_FINITE),
        ({"control": TorqueSamples([0, 1], [[0, np.inf], [0, 0]])}, NOT_FINITE),
        ({"control": ([0, 1], "x")}, "torques over time are arrays: times (k,) and torques (k, n)"),
        ({"control": ([0], [[0, 0]], 1)}, "control must be (times, torques) where it is a tuple"),
    ],
)  # fmt: skip
def test_what_is_said(given: dict[str, Any], message: str):
    assert said(**given) == message


def test_unknown_names_suggest_the_nearest():
    with pytest.raises(UnknownNameError, match=r'unknown integrator "dop835"; did you mean "dop853"\?'):
        dynamis.simulate(ARM, [0, 0], duration=1, integrator="dop835")
    with pytest.raises(UnknownNameError, match=r'unknown treatment of limits "stops"; did you mean "stop"\?'):
        dynamis.simulate(ARM, [0, 0], duration=1, limits="stops")


@pytest.mark.parametrize("way", [{}, {"step": 0.01}, {"step": 0.01, "integrator": "symplectic"}, {"period": 0.02}])
@pytest.mark.parametrize(
    ("later", "message"),
    [
        ([1.0], r"control must return 2 torques, one per joint, got shape \(1,\) at t = 0\.0[4-6]\d* s"),
        ([[1.0, 2.0]], r"control must return 2 torques, one per joint, got shape \(1, 2\) at t = 0\.0[4-6]\d* s"),
        (3.0, r"control must return 2 torques, one per joint, got 3\.0 at t = 0\.0[4-6]\d* s"),
        (None, r"control must return 2 torques, one per joint, got None at t = 0\.0[4-6]\d* s"),
        ("stop", r"control must return 2 torques, one per joint, got 'stop' at t = 0\.0[4-6]\d* s"),
        ([1j, 0], r"control must return 2 torques, one per joint, got \[1j, 0\] at t = 0\.0[4-6]\d* s"),
        ([0.0, np.nan], r"control must return finite torques, got nan for joint q2 at t = 0\.0[4-6]\d* s"),
        ([np.inf, 0.0], r"control must return finite torques, got inf for joint q1 at t = 0\.0[4-6]\d* s"),
    ],
)  # fmt: skip
def test_a_control_that_goes_wrong_is_told_with_the_time(way: dict[str, Any], later: Any, message: str):
    def control(t: float, q: Any, qd: Any) -> Any:
        return [0.0, 0.0] if t < 0.04 else later

    with pytest.raises(ArgumentError, match=f"^{message}$"):
        dynamis.simulate(ARM, [0.5, 0.3], control=control, duration=0.1, **way)


def test_an_error_in_the_users_function_is_the_users():
    def control(t: float, q: Any, qd: Any) -> Any:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        dynamis.simulate(ARM, [0.5, 0.3], control=control, duration=0.1)


def test_gains_of_the_wrong_sign_are_a_warning():
    run = dynamis.simulate(ARM, [0.5, 0.3], control=PD([1, -2], [-3, 4]), goal=[0, 0], duration=0.01)
    assert run.warnings == (
        "kp of joint q2 is -2: a negative gain drives the joint away from its goal",
        "kd of joint q1 is -3: a negative gain drives the joint away from its goal",
    )
    assert "negative gain" in str(run)


def test_a_robot_without_joints_or_without_mass():
    from dynamis import Joint, Link, Robot

    fixed = Robot("plinth", (Link("block", Joint("weld", "fixed"), "base", 1.0),))  # type: ignore[arg-type]
    assert said(robot=fixed, q0=[]) == 'robot "plinth" has no moving joints; there is nothing to simulate'
    light = Robot("ghost", (Link("air", Joint("j", "revolute"), "base"),))
    assert said(robot=light, q0=[0.0]).startswith('robot "ghost": no link that moves has a mass')


def test_symbols_without_values():
    message = said(robot=dynamis.load("cartesian"), q0=[0, 0])
    assert message.startswith('robot "cartesian" has no value for m1, m2')


def test_a_start_outside_the_limits():
    message = said(robot=pendulum(-1.0, 1.0), q0=[1.5])
    assert message == (
        'joint hinge starts at 1.5, outside its limits -1 to 1 rad; start it inside, or simulate with limits="ignore"'
    )


def test_a_robot_by_its_name_is_no_robot() -> None:
    with pytest.raises(
        ArgumentError,
        match=r'robot must be a robot, such as dynamis\.load\(\.\.\.\) returns, got "bar-2r"',
    ):
        dynamis.simulate("bar-2r", [0, 0], duration=1)  # type: ignore[arg-type]
