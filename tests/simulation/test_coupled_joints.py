"""Coupled joints in motion: the energy balance closes, friction of every joint acts at its own speed, stops hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dynamis
from dynamis import Joint, Limits, Link, Robot
from dynamis.compute.mechanics.coupling import coupling_matrix, joint_positions
from dynamis.compute.quantities.reference import plain
from dynamis.controllers import ComputedTorque
from dynamis.errors import ArgumentError
from dynamis.trajectories import quintic


def gripper(**drive: Any) -> Robot:
    """An arm with two fingers, the second of which mirrors the first; the drive is that of the second."""
    return Robot(
        "gripper",
        (
            Link("arm", Joint("q1", axis=(0, 1, 0), damping="0.05"), mass=2, com=(0.3, 0, 0)),
            Link("left", Joint("q2", "prismatic", (0, 1, 0), before="Tx(0.6)"), "arm", "0.3", (0.05, 0, 0.02)),
            Link("right", Joint("q3", "prismatic", (0, 1, 0), before="Tx(0.6)", coupling={"q2": -2}, **drive), "arm",
                 "0.2", (0.05, 0, 0)),
        ),
        gravity=(0, 2, "-9.81"),  # type: ignore[arg-type]
    )  # fmt: skip


PITCH, ROLL = 2, 3


def differential(*, roll: Any = None, motor: Any = None, **drive: Any) -> Robot:
    """Two motors whose mean is the pitch, with this drive, and whose half difference is the roll of a hand."""
    half, other = {"u1": "1/2", "u2": "1/2"}, {"u1": "1/2", "u2": "-1/2"}
    pitch = Joint("pitch", axis=(0, 1, 0), before="Tz(0.1)", coupling=half, **drive)
    return Robot(
        "differential",
        (
            Link("rotor 1", Joint("u1", axis=(0, 1, 0), rotor_inertia="0.01", **(motor or {}))),
            Link("rotor 2", Joint("u2", axis=(0, 1, 0), rotor_inertia="0.01", **(motor or {}))),
            Link("yoke", pitch, mass=1, com=(0.2, 0, 0)),
            Link("hand", Joint("roll", axis=(1, 0, 0), coupling=other, **(roll or {})), "yoke", "0.5", (0.3, 0.1, 0)),
        ),
    )  # fmt: skip


@pytest.mark.parametrize("integrator", ["dop853", "rk4", "symplectic"])
@pytest.mark.parametrize("make", [gripper, differential])
def test_the_energy_balance_closes(make: Any, integrator: str) -> None:
    """d(T + U)/dt = tau.yd - friction, whatever integrates it: the work of motors and friction accounts for all."""
    step = None if integrator == "dop853" else 5e-4
    robot = make(damping="0.4")
    run = dynamis.simulate(
        robot, [0.2, 0.1], [0.5, -0.4], [0.3, -0.2], duration=0.5, integrator=integrator, step=step, samples=51
    )
    assert run.energy.drift < (1e-9 if step is None else 1e-5)
    assert run.energy.friction[-1] < 0
    (qdd,) = plain(robot, "forward_dynamics", run.q[7], run.qd[7], [0.3, -0.2])
    np.testing.assert_allclose(run.qdd[7], qdd, rtol=1e-9)


def test_free_motion_keeps_its_energy() -> None:
    run = dynamis.simulate(differential(), [0.3, -0.8], [2.0, 1.0], duration=3, samples=101)
    assert np.ptp(run.energy.total) < 1e-9 * run.energy.kinetic.max()


def test_coulomb_friction_of_a_coupled_joint_acts_on_its_coordinate() -> None:
    """2 N at a finger that moves twice as fast are 4 N at the coordinate: it holds 3.9 N and not 4.1 N."""
    robot = gripper(coulomb=2).with_gravity([0, 0, 0])
    held, moved = (dynamis.simulate(robot, [0.0, 0.0], control=[0.0, f], duration=0.2) for f in (3.9, 4.1))
    assert np.abs(held.qd[:, 1]).max() == 0
    assert moved.qd[-1, 1] > 0
    tau = robot.inverse_dynamics([0, 0], [0, 0.5], [0, 0])
    np.testing.assert_allclose(tau, [0, 4], atol=1e-12)


def test_a_range_of_a_coupled_joint_is_a_stop() -> None:
    """-0.1 <= -2 y: the coordinate stops at 0.05."""
    robot = gripper(limits=Limits("-0.1", "0.1")).with_gravity([0, 0, 0])
    run = dynamis.simulate(robot, [0.0, 0.0], control=[0.0, 1.0], duration=1.0)
    assert run.q[:, 1].max() == pytest.approx(0.05, abs=1e-9)
    assert joint_positions(robot, run.q)[:, 2].min() == pytest.approx(-0.1, abs=1e-8)


def test_rollouts_keep_the_stop_of_a_joint_that_follows_several_coordinates() -> None:
    robot = differential(roll={"limits": dynamis.Limits("-0.2", "0.2")})
    speeds, common = np.array([[6.0, 1.0], [-3.0, -3.0], [0.5, 0.1]]), {"duration": 0.2, "step": 2e-3}
    many = dynamis.rollouts(robot, [0.0, 0.0], speeds, **common)
    assert (many.stops < 0).any()
    for k, speed in enumerate(speeds):
        one = dynamis.simulate(robot, [0.0, 0.0], speed, samples=3, **common)
        np.testing.assert_allclose(many.q[k], one.q[-1], rtol=0, atol=1e-12)
        np.testing.assert_allclose(many.stops[k], one.energy.stops[-1], rtol=1e-9, atol=1e-11)


def motion_along(robot: Robot, run: Any, joint: int) -> tuple[Any, Any]:
    """Positions and velocities of a joint that follows several coordinates."""
    A, b = coupling_matrix(robot)
    return run.q @ A[joint] + b[joint], run.qd @ A[joint]


@pytest.mark.parametrize("step", [None, 1e-3])
def test_friction_holds_a_joint_that_follows_several_coordinates(step: float | None) -> None:
    """0.2 N m at the pitch, the mean of the motors, hold 0.1 N m at each; the roll between them is free."""
    robot = differential(coulomb="0.2").with_gravity([0, 0, 0])

    def pushed(*tau: float) -> Any:
        return dynamis.simulate(robot, [0.0, 0.0], control=list(tau), duration=0.2, step=step)

    assert not pushed(0.099, 0.099).qd.any()
    assert (pushed(0.101, 0.101).qd[-1] > 0).all()
    rolling = pushed(0.102, 0.092)
    pitch, speed = motion_along(robot, rolling, PITCH)
    assert np.abs(pitch).max() < 1e-12
    assert np.abs(speed).max() < 1e-12
    assert motion_along(robot, rolling, ROLL)[1][-1] > 0.01


def test_dry_friction_of_a_differential_is_the_limit_of_smoothed_friction() -> None:
    """Both joints slide, stop and stick; smoothed over less and less speed, the motion comes to the dry one."""
    robot = differential(coulomb="0.9", roll={"coulomb": "0.3"})
    arguments: dict[str, Any] = {"qd0": [3.0, 1.0], "control": [0.1, 0.05], "duration": 0.6, "samples": 61}
    dry = dynamis.simulate(robot, [0.0, 0.0], **arguments)
    assert dry.warnings == ()
    assert [event.what for event in dry.events if "pitch" in event.what or "roll" in event.what]
    assert {event.joint for event in dry.events} <= {"pitch", "roll"}
    assert all(event.joint in event.what for event in dry.events if isinstance(event.joint, str))
    assert dry.table("events").splitlines()[3].split()[1] == dry.events[0].joint
    assert dry.energy.drift < 1e-9
    assert dry.energy.friction[-1] < -0.1
    t = np.linspace(0.0, 0.6, 61)
    apart: list[float] = []
    for v in (1e-2, 1e-3):
        smooth = dynamis.simulate(robot, [0.0, 0.0], **arguments, stiction_speed=v, integrator="radau")
        apart.append(float(np.abs(smooth.at(t)[0] - dry.at(t)[0]).max()))
    assert apart[1] < 0.2 * apart[0]
    assert apart[1] < 2e-3


def test_a_law_compensates_the_friction_of_a_differential() -> None:
    robot = differential(coulomb="0.9", roll={"coulomb": "0.3"})
    goal = quintic([0.0, 0.0], [0.8, -0.3], 0.5)
    run = dynamis.simulate(robot, [0.0, 0.0], control=ComputedTorque(100, 20), goal=goal)
    assert run.goal is not None
    assert np.abs(run.q - run.goal).max() < 1e-8


def closes_in_on(dry: Any, **arguments: Any) -> None:
    """Smoothed over less and less speed, the motion comes to the dry one, whose energy balance closes."""
    assert dry.warnings == ()
    assert dry.energy.drift < 1e-7
    assert dry.energy.friction[-1] < -0.001
    t = np.linspace(0.0, dry.times[-1], 61)
    apart: list[float] = []
    for v in (1e-2, 1e-3):
        smooth = dynamis.simulate(**arguments, stiction_speed=v, integrator="radau", check=False)
        apart.append(float(np.abs(smooth.at(t)[0] - dry.at(t)[0]).max()))
    assert apart[1] < 0.2 * apart[0]
    assert apart[1] < 1e-2


def events_of(run: Any) -> list[str]:
    return [event.what for event in run.events]


@pytest.mark.parametrize("step", [None, 1e-3])
def test_frictions_that_depend_on_each_other_share_the_load(step: float | None) -> None:
    """Motors and pitch: three frictions on two coordinates. 0.1 N m at each motor and half of 0.2 at the pitch hold."""
    robot = differential(coulomb="0.2", motor={"coulomb": "0.1"}).with_gravity([0, 0, 0])
    held, moved = (
        dynamis.simulate(robot, [0.0, 0.0], control=[u, u], duration=0.2, step=step, check=False)
        for u in (0.1999, 0.2001)
    )
    assert np.abs(held.qd).max() < 1e-12
    assert events_of(held) == [f"{name} is held by friction" for name in ("u1", "u2", "pitch")]
    assert (moved.qd[-1] > 0).all()


def test_frictions_that_depend_on_each_other_are_the_limit_of_smoothed_friction() -> None:
    """All three slide, are held, and break away, together and one by one."""
    robot = differential(coulomb="0.2", motor={"coulomb": "0.1"}).with_gravity([0, 0, 0])

    def push(t: float, q: Any, qd: Any) -> list[float]:
        return [0.3 * np.sin(3 * t), 0.3 * np.sin(3 * t) + 0.05 * np.sin(9 * t)]

    arguments: dict[str, Any] = {"robot": robot, "q0": [0.0, 0.0], "control": push, "duration": 1.3}
    dry = dynamis.simulate(**arguments, check=False)
    closes_in_on(dry, **arguments)
    events = events_of(dry)
    assert events[:6] == [
        "u1 is held by friction", "u2 is held by friction", "pitch is held by friction", "u2 breaks away",
        "pitch breaks away", "u1 breaks away",
    ]  # fmt: skip
    assert len(events) < 20


def test_friction_holds_two_motors_while_a_stop_holds_their_mean() -> None:
    """On its stop the pitch takes a degree of freedom away: the motors slide and stick together."""
    robot = differential(limits=Limits("-0.3", "0.3"), motor={"coulomb": "0.1"}).with_gravity([0, 0, 0])
    arguments: dict[str, Any] = {
        "robot": robot, "q0": [0.0, 0.1], "qd0": [2.0, 1.0], "control": [0.3, 0.3], "duration": 0.3,
    }  # fmt: skip
    dry = dynamis.simulate(**arguments, check=False)
    closes_in_on(dry, **arguments)
    assert "pitch hits its upper stop" in " ".join(events_of(dry))
    assert events_of(dry)[-2:] == ["u1 is held by friction", "u2 is held by friction"]
    assert not np.abs(dry.qd[-1]).max() > 1e-12


def test_friction_of_a_parallelogram_on_two_stops() -> None:
    """Stops of q1 and of the forearm, which follows q1 and q2, leave nothing to hold for the friction of q2."""
    arm = dynamis.load("parallelogram")
    dry_joints = [
        replace(x, joint=replace(x.joint, coulomb="0.05")) if x.joint.name in ("q1", "q2") else x for x in arm.links
    ]
    robot = replace(arm, links=tuple(dry_joints))
    arguments: dict[str, Any] = {"robot": robot, "q0": [2.5, 1.5], "duration": 1.5}
    dry = dynamis.simulate(**arguments, check=False)
    closes_in_on(dry, **arguments)
    assert "q4 hits its lower stop" in " ".join(events_of(dry))
    assert len(dry.events) < 20
    assert np.abs(dry.qd[-1]).max() < 1e-9


@pytest.mark.parametrize("step", [None, 1e-3])
@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_a_range_of_a_joint_that_follows_several_coordinates_is_a_stop(restitution: float, step: float | None) -> None:
    robot = differential(limits=Limits("-0.3", "0.3")).with_gravity([0, 0, 0])
    run = dynamis.simulate(
        robot, [0.0, 0.0], [2.0, 1.0], [0.3, 0.2], duration=1, restitution=restitution, step=step, samples=201
    )
    pitch, speed = motion_along(robot, run, PITCH)
    assert pitch.max() == pytest.approx(0.3, abs=1e-9)
    assert run.energy.drift < (1e-9 if step is None else 1e-5)
    hits = [event for event in run.events if "pitch hits its upper stop" in event.what]
    assert hits
    k = int(np.flatnonzero(run.times == hits[0].time)[0])
    assert speed[k + 1] == pytest.approx(-restitution * speed[k], abs=1e-9)
    assert (abs(run.energy.stops[-1]) < 1e-9) == (restitution == 1)
    if not restitution:
        assert np.abs(speed[k + 1 :]).max() < 1e-9
        assert np.ptp(run.qd[k + 1 :, 0]) > 0.01


def test_the_limits_of_such_a_joint_can_end_a_run_and_bound_its_start() -> None:
    robot = differential(limits=Limits("-0.3", "0.3"))
    run = dynamis.simulate(robot, [0.0, 0.0], [2.0, 1.0], duration=1, limits="end")
    assert run.ended.startswith("pitch reached its upper limit")
    assert motion_along(robot, run, PITCH)[0][-1] == pytest.approx(0.3, abs=1e-9)
    with pytest.raises(ArgumentError, match=r"joint pitch starts at 0\.4, outside its limits"):
        dynamis.simulate(robot, [0.4, 0.4], duration=1)


def test_a_torque_budget_adds_up() -> None:
    robot = gripper(damping="0.4", coulomb=1, rotor_inertia="0.1")
    motion = quintic([0, 0], [1, 0.03], duration=1.0)
    budget = dynamis.torque_budget(robot, motion)
    kept = budget.history
    assert kept.parts is not None
    np.testing.assert_allclose(kept.tau, robot.inverse_dynamics(kept.q, kept.qd, kept.qdd), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(kept.parts.sum(axis=-1), kept.tau, rtol=1e-9, atol=1e-10)
    assert budget.joints == ("q1", "q2")
