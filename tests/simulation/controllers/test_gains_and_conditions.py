"""What a controller says about itself: errors, warnings, conditions, its name."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.simulation.controllers.catalogue import CATALOGUE, controller
from dynamis.simulation.controllers.computed_torque import ComputedTorque
from dynamis.simulation.controllers.gravity_learning import GravityLearning
from dynamis.simulation.controllers.law import Controller
from dynamis.simulation.controllers.momentum_observer import MomentumObserver
from dynamis.simulation.controllers.operational_pd import OperationalPD
from dynamis.simulation.controllers.pd import PD
from dynamis.simulation.controllers.pd_gravity import PDGravity
from dynamis.simulation.controllers.pid import PID
from dynamis.simulation.controllers.slotine_li import SlotineLi
from tests.support.arms import three_links, two_links
from tests.support.control_loops import damped_2r, heavier

HERE = [0.1, 0.2, 0.3]
ARM = dynamis.load("bar-2r")


@pytest.mark.parametrize(
    ("law", "message"),
    [
        (PD([1, 2, 3], 1), "kp must be one number per joint (2 joints), got 3 values"),
        (PD(1, float("nan")), "kd must be finite, got [nan, nan]"),
        (PD("stiff", 1), 'kp must be one number per joint (2 joints), got "stiff"'),
        (PD(True, 1), "kp must be one number per joint (2 joints), got true"),
        (PD([[1, 2], [3]], 1), "kp must be one number per joint (2 joints), got [[1, 2], [3]]"),
        (PID(1, 1, ki=[1]), "ki must be one number per joint (2 joints), got 1 value"),
        (PID(1, 1, ki=1, integral_limit=-1), "integral_limit must be non-negative, got -1"),
        (SlotineLi(1, float("inf"), 1), "rate must be finite, got [inf, inf]"),
        (SlotineLi(1, 1, [1, 2]),
         "adaptation must be one number per parameter (6 parameters), got 2 values"),
        (GravityLearning(1, 1, gamma=[1, 2]), "gamma must be a finite number, got [1, 2]"),
        (GravityLearning(1, 1, still=0), "still must be a positive speed, got 0"),
        (GravityLearning(1, 1, settling=0), "settling must be a positive number [s], got 0"),
        (OperationalPD([1, 2], 1, 1), "goal must be a position (3) or a pose (4, 4) of finite numbers, got [1, 2]"),
        (OperationalPD(np.eye(4), 1, 1), "a goal with an orientation needs kp_turn and kd_turn"),
        (OperationalPD(2 * np.eye(4), 1, 1, 1, 1),
         "goal must be a pose: an orthonormal, right-handed rotation, and 0 0 0 1 in the last row"),
        (MomentumObserver(PD(1, 1), [1]),
         "gain must be one number per joint (2 joints), got 1 value"),
        (PD(1, 1, model=dynamis.load("ur5")),
         'the controller\'s model "ur5" has other joints than the robot "bar-2r": both have the same number of joints, '
         "of the same kinds"),
    ],
)  # fmt: skip
def test_wrong_gains_are_named(law: Controller, message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        law.check(damped_2r())
    assert str(error.value) == message
    assert error.value.key


def test_wrong_choices_suggest_the_right_ones() -> None:
    arm = damped_2r()
    for law, nearest in (
        (PDGravity(1, 1, at="gaol"), "goal"),
        (SlotineLi(1, 1, 1, "bases"), "base"),
        (SlotineLi(1, 1, 1, initial="zeros"), "zero"),
        (OperationalPD(HERE, 1, 1, frame="tol"), "tool"),
    ):
        with pytest.raises(UnknownNameError) as error:
            law.check(arm)
        assert error.value.nearest == nearest


def test_an_observer_observes_a_controller_with_its_model() -> None:
    arm = damped_2r()
    with pytest.raises(ArgumentError, match="inner must be the controller that is observed, got 3"):
        MomentumObserver(3, 1)
    with pytest.raises(ArgumentError, match="different models; give one"):
        MomentumObserver(PD(1, 1, model=arm), 1, model=heavier(arm, 2))
    assert MomentumObserver(PD(1, 1, model=arm), 1).model is arm
    assert MomentumObserver(PD(1, 1), 1, model=arm).inner.model is arm


@pytest.mark.parametrize(
    ("law", "warnings"),
    [
        (PD(1, 1), []),
        (PD([1, -2], 1), ["kp of joint q2 is -2: a negative gain drives the joint away from its goal"]),
        (PID(1, 1, ki=[-3, 0]), ["ki of joint q1 is -3: a negative gain drives the joint away from its goal"]),
        (SlotineLi(1, 1, -1), ["adaptation is -1: a negative one learns away from the truth"]),
        (GravityLearning(1, 0.1, gamma=-2), ["gamma is -2: a negative one drives the robot away from its goal"]),
        (OperationalPD(HERE, [1, -1, 1], 1), ["kp is -1: a negative gain drives the frame away from its goal"]),
        (MomentumObserver(PD(1, 1), [1, -1]), ["gain of joint q2 is -1: with a negative gain the residual grows"]),
        (MomentumObserver(PD(-1, 1), 1), [
            "kp of joint q1 is -1: a negative gain drives the joint away from its goal",
            "kp of joint q2 is -1: a negative gain drives the joint away from its goal",
        ]),
    ],
)  # fmt: skip
def test_gains_of_the_wrong_sign_are_warned_of(law: Controller, warnings: list[str]) -> None:
    assert law.warnings(damped_2r()) == warnings


@pytest.mark.parametrize(
    ("kp", "holds"),
    [(32.0, True), (31.58, False), (3.0, False), ([50.0, 15.0], True), ([29.0, 100.0], True), ([40.0, 15.0], False)],
)
def test_stiffness_against_gravity(kp: Any, holds: bool) -> None:
    """By hand: dg/dq of `two_links` is at most [[28, 9], [9, 9]], with the norm 31.586."""
    _, stiffness, model = PDGravity(kp, 1, at="goal").conditions(two_links())
    worst = np.array([[28.0, 9.0], [9.0, 9.0]])
    by_hand = bool((np.linalg.eigvalsh(np.diag(np.broadcast_to(kp, 2)) - worst) > 0).all())
    assert (stiffness.holds, model.holds) == (holds, True)
    assert by_hand == holds
    assert "max ||dg/dq|| is at most 31.59 and was found to be 31.59" in stiffness.detail
    assert stiffness.claim.startswith("||K_P^-1/2" if isinstance(kp, list) else "K_P > max")


def test_between_the_bounds_nothing_is_decided() -> None:
    arm = dynamis.load("panda")
    _, stiffness, _ = PDGravity(70, 1, at="goal").conditions(arm)
    assert stiffness.holds is None
    assert str(stiffness).startswith(
        "K_P > max ||dg/dq||, so that the goal is the only place of rest, for any constant goal: not decided. "
        "K_P = 70; max ||dg/dq|| is at most 84.95"
    )


def test_a_slider_without_limits_leaves_it_open() -> None:
    _, stiffness, _ = PDGravity(1e6, 1, at="goal").conditions(dynamis.load("genova-rp"))
    assert stiffness.holds is None
    assert "a prismatic joint has no limits" in stiffness.detail


def test_pd_needs_a_robot_without_gravity() -> None:
    arm = two_links()
    gains, gravity = PD(40, 5).conditions(arm, [0.0, 0.0])
    assert (gains.holds, gravity.holds) == (True, False)
    assert gravity.detail == "An error stays, K_P e = g(q). With g at the goal it is 0.7 rad at joint q1, the largest."
    assert PD(40, 5).conditions(arm.with_gravity((0, 0, -10)))[1].holds
    # A slider against gravity has dg/dq = 0 but g > 0.
    lift = dynamis.load("cartesian").with_values(m1=1, m2=2, g=10)
    assert not PD(40, 5).conditions(lift)[1].holds


def test_conditions_of_the_model() -> None:
    arm = damped_2r()
    wrong = heavier(arm, 1.2)
    for law, expected in (
        (ComputedTorque(9, 6), [True, True]),
        (ComputedTorque(9, 0), [False, True]),
        (ComputedTorque(9, 6, model=wrong), [True, False]),
        (ComputedTorque(9, 6, model=heavier(arm, 1.0)), [True, True]),
        (PDGravity(9, 6, model=wrong), [True, False]),
        (SlotineLi(9, 6, 1, model=wrong), [True, True]),
        (SlotineLi(9, 6, 0), [False, True]),
        (SlotineLi(9, 6, 1, model=dynamis.load("bar-2r")), [True, False]),
        (GravityLearning(40, 6), [True, True, True]),
        (GravityLearning(40, 6, gamma=1.9), [True, True, False]),
        (OperationalPD(HERE, 9, 6), [True, True]),
        (OperationalPD(HERE, 9, 0), [False, True]),
        (MomentumObserver(PDGravity(9, 6), 30, model=wrong), [True, False, True, False]),
    ):
        assert [condition.holds for condition in law.conditions(arm)] == expected, law


def test_the_null_motion_of_a_redundant_arm_is_damped() -> None:
    arm = dynamis.load("ur5")
    assert [OperationalPD(HERE, 9, 6, joint_damping=d).conditions(arm)[0].holds for d in (0, 1)] == [False, True]
    # Three joints in a plane are one too many for a position, although it has three numbers.
    planar = three_links()
    assert [OperationalPD(HERE, 9, 6, joint_damping=d).conditions(planar)[0].holds for d in (0, 1)] == [False, True]
    assert OperationalPD(HERE, 9, 6).conditions(dynamis.load("bar-2r"))[0].holds


def test_names_of_the_catalogue() -> None:
    assert controller("pd-gravity-goal", kp=1, kd=2) == PDGravity(1, 2, at="goal")
    with pytest.raises(UnknownNameError, match='unknown controller "computed-torqe"; did you mean "computed-torque"'):
        controller("computed-torqe", kp=1, kd=1)
    with pytest.raises(UnknownNameError, match='unknown gain "kq" in controller "pd"; did you mean "kp"'):
        controller("pd", kq=1, kd=1)
    with pytest.raises(ArgumentError, match=r'controller "pid" needs kd \[N m s/rad or N s/m\], ki \[N m/\(rad s\)'):
        controller("pid", kp=1)
    with pytest.raises(ArgumentError, match='controller "pd" needs kd'):
        controller("momentum-observer", inner="pd", gain=30, kp=1)
    inner = PD(1, 2)
    assert controller("momentum-observer", inner=inner, gain=30) == MomentumObserver(inner, 30)
    arm = damped_2r()
    observer = controller("momentum-observer", inner="pd", gain=30, kp=1, kd=1, model=arm)
    assert isinstance(observer, MomentumObserver)
    assert observer.inner.model is arm


def test_every_gain_of_the_catalogue_is_a_field() -> None:
    for entry in CATALOGUE.values():
        assert {*entry.gains, *entry.options, *entry.preset} <= {*entry.kind.__dataclass_fields__}
        assert entry.description


def test_a_controller_shows_its_gains() -> None:
    arm = damped_2r()
    assert repr(PD(100, [20, 10]).check(arm)) == "PD(kp=100, kd=[20, 10])"
    assert repr(PDGravity(100, 20, at="goal", model=arm)) == "PDGravity(kp=100, kd=20, at='goal', model=\"bar-2r\")"
    assert repr(OperationalPD(np.array([1, 2, 3]), 5, 1)) == "OperationalPD(goal=array([1, 2, 3]), kp=5, kd=1)"
    assert repr(SlotineLi(5, 3, 1).check(arm)) == "SlotineLi(kd=5, rate=3, adaptation=1)"
    assert repr(MomentumObserver(PID(9, 3, ki=2).check(arm), 30.0)) == (
        "MomentumObserver(inner=PID(kp=9, kd=3, ki=2), gain=30)"
    )


def test_a_run_tells_the_conditions_of_its_controller():
    """Decided when they are asked for, in the run's gravity and for its goal, with the model's gravity too."""
    law = dynamis.controllers.PDGravity(40, 20, at="goal", model=ARM)
    run = dynamis.simulate(ARM, [0, 0], control=law, goal=[1, 0.5], duration=0.1)
    assert run.conditions == tuple(law.conditions(ARM, [1, 0.5]))
    assert str(run.conditions[1]) in " ".join(run.table().split())  # whatever its lines
    assert [x["claim"] for x in json.loads(run.to_json())["conditions"]] == [x.claim for x in run.conditions]
    moon = (0, -1.62, 0)
    observer = dynamis.controllers.MomentumObserver(law, 50)
    run = dynamis.simulate(ARM, [0, 0], control=observer, goal=[1, 0.5], duration=0.1, gravity=moon)
    there = ARM.with_gravity(moon)
    assert run.conditions == tuple(observer.with_model(ARM.with_gravity(moon)).conditions(there, [1, 0.5]))
    assert run.conditions[1] != law.conditions(ARM, [1, 0.5])[1]
    assert dynamis.simulate(ARM, [0, 0], duration=0.1).conditions == ()
    silent = replace(run, tells_conditions=False)
    assert "Sufficient conditions" not in silent.table()
    assert "Sufficient conditions" in run.table()
