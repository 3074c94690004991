"""Dry friction against an independent simulator: every control law, three integrators, end states and energy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis.base.expressions.parser import as_expression
from dynamis.controllers import (
    PD,
    PID,
    ComputedTorque,
    GravityLearning,
    MomentumObserver,
    OperationalPD,
    PDGravity,
    SlotineLi,
)
from dynamis.model.formats.urdf.read import read_urdf
from dynamis.robot import Robot
from tests.support.friction_peer import SKEW_ARM, Arm, Law, Run, sampled, simulate

SPEED = 1e-5
"""Over which the peer smooths friction [rad/s or m/s]: a held joint creeps by about this times the duration."""
START, FAST, REST = [0.4, 0.05, -0.7], [1.1, -0.4, 2.0], [0.0, 0.0, 0.0]
GOAL = np.array([0.9, 0.16, 0.2])
KP, KD, KI = np.array([60.0, 900.0, 25.0]), np.array([12.0, 90.0, 3.0]), np.array([40.0, 300.0, 20.0])


def robot() -> Robot:
    return Robot.from_model(read_urdf(SKEW_ARM, "skew.urdf"))


@dataclass(frozen=True)
class Setup:
    """A loop of dynamis, and the same law by hand."""

    control: Callable[[], Any]
    law: Callable[[Arm], Law]
    start: list[float]
    qd: list[float]
    duration: float = 1.2
    memory: Callable[[Arm], Any] = lambda arm: []
    goal: bool = True
    period: float | None = None


def feedback(q: Any, qd: Any) -> Any:
    return KP * (GOAL - q) - KD * qd


def pid(arm: Arm) -> Law:
    return lambda t, q, qd, z, s: (feedback(q, qd) + KI * z, GOAL - q)


def computed_torque(arm: Arm) -> Law:
    def law(t: float, q: Any, qd: Any, z: Any, s: Any) -> Any:
        a = 80 * (GOAL - q) - 18 * qd
        return arm.M(q) @ a + arm.bias(q, qd) + arm.damping * qd + arm.coulomb * s, np.zeros(0)

    return law


def less_friction(arm: Arm) -> Law:
    """Computed torque whose model has 60 % of the Coulomb friction."""

    def law(t: float, q: Any, qd: Any, z: Any, s: Any) -> Any:
        a = 80 * (GOAL - q) - 18 * qd
        return arm.M(q) @ a + arm.bias(q, qd) + arm.damping * qd + 0.6 * arm.coulomb * s, np.zeros(0)

    return law


def slotine_li(arm: Arm) -> Law:
    def law(t: float, q: Any, qd: Any, theta: Any, direction: Any) -> Any:
        e, ed = GOAL - q, -qd
        s, v, a = ed + 4 * e, 4 * e, 4 * ed
        Y = arm.regressor(q, (qd + v) / 2, a, True) - arm.regressor(q, (qd - v) / 2, 0 * a, False)
        tau = Y @ theta + arm.damping * qd + arm.coulomb * direction + np.array([8.0, 60.0, 2.0]) * s
        return tau, 0.2 * Y.T @ s

    return law


def operational(arm: Arm) -> Law:
    def law(t: float, q: Any, qd: Any, z: Any, s: Any) -> Any:
        p, J = arm.tool(q, "arm")
        return J.T @ (600 * (TARGET - p) - 80 * (J @ qd)) + arm.gravity(q) - np.array([1.0, 10.0, 0.5]) * qd, z

    return law


def observed(arm: Arm) -> Law:
    """PD + g under a momentum observer, whose memory is z."""

    def law(t: float, q: Any, qd: Any, z: Any, s: Any) -> Any:
        tau = feedback(q, qd) + arm.gravity(q)
        r = 25 * (arm.M(q) @ qd - z)
        friction = arm.damping * qd + arm.coulomb * s
        return tau, tau + arm.coriolis(q, qd).T @ qd - arm.gravity(q) - friction + r

    return law


def gravity_learning(arm: Arm) -> Law:
    """In samples of 10 ms; the memory is u, the time at rest, and the number of updates."""

    def law(t: float, q: Any, qd: Any, z: Any, s: Any) -> Any:
        spring = 2 * KP * (GOAL - q)
        u, timer, updates = z[:3], z[3], z[4]
        timer = timer + 0.01 if (np.abs(qd) < 0.05).all() else 0.0
        now = timer > 0.1
        after = [*(u + spring * now), 0.0 if now else timer, updates + now]
        return spring - KD * qd + u, np.array(after)

    return law


TARGET = np.array([0.35, 0.15, 0.72])
SETUPS = {
    "free": Setup(lambda: None, lambda arm: lambda t, q, qd, z, s: (0 * q, z), START, FAST, goal=False),
    "free, from rest": Setup(lambda: None, lambda arm: lambda t, q, qd, z, s: (0 * q, z), START, REST, goal=False),
    "constant torques": Setup(
        lambda: [3.0, 20.0, 0.2], lambda arm: lambda t, q, qd, z, s: (np.array([3.0, 20.0, 0.2]), z), START, FAST,
        goal=False,
    ),
    "held torques": Setup(
        lambda: ([0, 0.5], [[9.0, 30.0, 1.0], [1.0, 14.0, -0.4]]),
        lambda arm: lambda t, q, qd, z, s: (
            np.array([9.0, 30.0, 1.0]) + min(t, 0.5) / 0.5 * np.array([-8.0, -16.0, -1.4]), z
        ),
        START, REST, goal=False,
    ),
    "pd": Setup(
        lambda: PD(KP, KD), lambda arm: lambda t, q, qd, z, s: (feedback(q, qd), z), START, FAST
    ),
    "pid": Setup(lambda: PID(KP, KD, ki=KI), pid, START, REST, memory=lambda arm: np.zeros(3)),
    "pd-gravity": Setup(
        lambda: PDGravity(KP, KD), lambda arm: lambda t, q, qd, z, s: (feedback(q, qd) + arm.gravity(q), z),
        START, REST,
    ),
    "pd-gravity-goal": Setup(
        lambda: PDGravity(KP, KD, at="goal"),
        lambda arm: lambda t, q, qd, z, s: (feedback(q, qd) + arm.gravity(GOAL), z), START, FAST,
    ),
    "computed-torque": Setup(lambda: ComputedTorque(80, 18), computed_torque, START, FAST),
    "computed-torque, less friction": Setup(
        lambda: ComputedTorque(80, 18, model=rubbing(0.6)), less_friction, START, REST
    ),
    "slotine-li": Setup(
        lambda: SlotineLi([8.0, 60.0, 2.0], 4, 0.2, parameters="all"), slotine_li, START, REST,
        memory=lambda arm: arm.parameters(),
    ),
    "operational-pd": Setup(
        lambda: OperationalPD(TARGET, 600, 80, frame="arm", joint_damping=[1.0, 10.0, 0.5]), operational,
        START, REST, goal=False,
    ),
    "gravity-learning": Setup(
        lambda: GravityLearning(KP, KD, still=0.05, settling=0.1), gravity_learning, START, REST,
        memory=lambda arm: np.zeros(5), period=0.01,
    ),
    "computed-torque, sampled": Setup(
        lambda: ComputedTorque(80, 18), computed_torque, START, FAST, period=0.01,
    ),
    "momentum-observer": Setup(
        lambda: MomentumObserver(PDGravity(KP, KD), 25), observed, START, FAST,
        memory=lambda arm: arm.M(np.array(START)) @ np.array(FAST),
    ),
}  # fmt: skip


def rubbing(share: float) -> Robot:
    """The robot with a share of its Coulomb friction."""
    arm = robot()
    links = [replace(x, joint=replace(x.joint, coulomb=x.joint.coulomb * as_expression(share))) for x in arm.links]
    return replace(arm, links=tuple(links))


@cache
def peer(name: str) -> Run:
    setup, arm = SETUPS[name], Arm(SKEW_ARM)
    given = (arm, setup.law(arm), setup.start, setup.qd, setup.memory(arm), setup.duration, SPEED)
    return simulate(*given) if setup.period is None else sampled(*given, setup.period)


INTEGRATORS = ("dop853", "radau", "rk4")
PAIRS = [(name, INTEGRATORS[k]) for n, name in enumerate(SETUPS) for k in range(3) if k != n % 3]
"""Two integrators of three for every law."""


@pytest.mark.parametrize(("name", "integrator"), PAIRS)
def test_end_and_energy(name: str, integrator: str) -> None:
    setup, expected = SETUPS[name], peer(name)
    run = dynamis.simulate(
        robot(), setup.start, setup.qd, setup.control(), setup.duration, goal=GOAL if setup.goal else None,
        integrator=integrator, step=1e-3 if integrator == "rk4" else None, rtol=1e-9, atol=1e-10, samples=11,
        limits="ignore", period=setup.period,
    )  # fmt: skip
    np.testing.assert_allclose(run.q[-1], expected.q, rtol=0, atol=1e-4)
    np.testing.assert_allclose(run.qd[-1], expected.qd, rtol=0, atol=1e-3)
    assert run.energy.friction[-1] == pytest.approx(expected.friction, rel=1e-3)
    assert run.energy.drift < (1e-4 if integrator == "rk4" else 1e-6)  # modes of some hundreds 1/s
