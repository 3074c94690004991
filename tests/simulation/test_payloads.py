"""A payload that comes and goes during a simulation: as one run, and as runs one after the other by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import dynamis
from benchmarks.simulation import gains
from dynamis import Inertia, Payload, Robot
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError, MissingMassError
from dynamis.controllers import PD, ComputedTorque, PDGravity, SlotineLi
from dynamis.files import load_simulation
from dynamis.model.formats.urdf.write import write_urdf
from dynamis.simulation.loop.equations import LoopEquations
from dynamis.simulation.loop.setup import simulation_setup
from dynamis.trajectories import quintic, sequence
from tests.support.strategies import Case, robots

ARM = dynamis.load("bar-2r")
BOX = Payload(0.8, (0.1, 0, 0.02), Inertia.of(xx="0.01", yy="0.02", zz="0.015", xy="0.001"))
BALL = Payload(0.3)
HELD = [(0.2, 0.5, BOX), (0.5, 0.7, BALL)]
PARTS = ((0.2, None), (0.3, BOX), (0.2, BALL), (0.3, None))
STEPS: dict[str, dict[str, Any]] = {
    "adaptive": {}, "rk4": {"step": 1e-3}, "symplectic": {"step": 1e-3, "integrator": "symplectic"},
}  # fmt: skip


def by_hand(robot: Robot, q: Any, qd: Any, **options: Any) -> tuple[Array, Array]:
    """One run after the other, each of another robot, from the state in which the last one ended."""
    for duration, payload in PARTS:
        each = robot if payload is None else payload.held_by(robot)
        run = dynamis.simulate(each, q, qd, duration=duration, limits="ignore", **options)
        q, qd = run.q[-1], run.qd[-1]
    return q, qd


@pytest.mark.parametrize("name", STEPS)
def test_it_is_the_same_as_runs_one_after_the_other(name: str) -> None:
    q0, qd0, options = [0.3, 0.2], [0.5, -1.0], STEPS[name]
    run = dynamis.simulate(ARM, q0, qd0, duration=1, payload=HELD, limits="ignore", **options)
    q, qd = by_hand(ARM, q0, qd0, **options)
    np.testing.assert_allclose(run.q[-1], q, atol=1e-9)
    np.testing.assert_allclose(run.qd[-1], qd, atol=1e-8)
    assert run.energy.drift < (1e-5 if name == "symplectic" else 1e-8)
    assert [round(event.time, 9) for event in run.events] == [0.2, 0.5, 0.5, 0.7]
    assert run.events[0].what.startswith("grasps payload 0.8 kg, CoM [0.1, 0, 0.02] m in the tool frame, moving at ")
    assert [event.what.split()[0] for event in run.events] == ["grasps", "releases", "grasps", "releases"]
    # Where it is grasped, q and qd stay, and the energy of the payload comes in: that of the held robot, less its own.
    k = int(np.flatnonzero(np.diff(run.times) == 0)[0])
    held, before, x = BOX.held_by(ARM), (run.q[k], run.qd[k]), run.energy
    np.testing.assert_array_equal((run.q[k + 1], run.qd[k + 1]), before)
    energy = [each.kinetic_energy(*before) + each.potential_energy(before[0]) for each in (ARM, held)]
    np.testing.assert_allclose(x.payloads[k + 1] - x.payloads[k], energy[1] - energy[0], rtol=1e-12)
    assert not x.payloads[: k + 1].any()


@settings(max_examples=10)
@given(case=robots(joints=(1, 4), chain=True))
def test_the_rates_of_any_robot(case: Case) -> None:
    """Those of the robot that holds what is held at each time; reference in floats, without a compiler.

    Once with two payloads, once with one, which alone decides what changes.
    """
    robot = case.robot()
    assume(robot.n)
    q, qd = np.linspace(0.2, 0.4, robot.n), np.linspace(-1, 1, robot.n)
    try:
        two, one = (
            simulation_setup(robot, q, qd, duration=1, payload=payload, stiction_speed=0.1)
            for payload in (HELD, [(0.2, 0.7, BOX)])
        )
    except MissingMassError:  # its last link has no mass while it holds nothing
        assert robot.warnings
        return
    for setup, t, payload in ((two, 0.1, None), (two, 0.2, BOX), (two, 0.5, BALL), (two, 0.8, None), (one, 0.5, BOX)):
        held = robot if payload is None else payload.held_by(robot)
        alone = simulation_setup(held, q, qd, duration=1, stiction_speed=0.1)
        rates = [
            LoopEquations(each.loop).rate(each.x0.tolist(), each.schedule.inputs(np.array([t]))[0].tolist())
            for each in (setup, alone)
        ]
        np.testing.assert_allclose(rates[0], rates[1], rtol=1e-9, atol=1e-9)


def test_a_cycle_step_by_step_in_pinocchio() -> None:
    """There and back, with a payload on the way back: the same integrator and step, so only rounding differs."""
    pin: Any = pytest.importorskip("pinocchio")
    robot, h, steps = dynamis.load("ur5"), 1e-3, 200
    kp, kd = np.array(gains(robot))
    here, there = np.linspace(-0.6, 0.4, 6), np.linspace(0.5, -0.5, 6)
    goal = sequence([quintic(here, there, steps * h), quintic(there, here, steps * h)])
    empty = pin.buildModelFromXML(write_urdf(robot))
    held, data = empty.copy(), empty.createData()
    pin.forwardKinematics(empty, data, np.zeros(6))
    tool = data.oMi[6].inverse() * pin.SE3(robot.forward_kinematics(np.zeros(6)))  # in Pinocchio's frame of the joint
    tensor = np.array([[0.01, 0.001, 0], [0.001, 0.02, 0], [0, 0, 0.015]])
    held.appendBodyToJoint(6, pin.Inertia(0.8, np.array([0.1, 0, 0.02]), tensor), tool)
    x = np.concatenate([here, np.zeros(6)])
    for model, start in ((empty, 0), (held, steps)):
        data = model.createData()

        def rate(t: float, x: Array, model: Any = model, data: Any = data) -> Array:
            q, qd = x[:6], x[6:]
            want, speed, _ = goal.at(t)
            tau = (
                np.multiply(kp, want - q) + np.multiply(kd, speed - qd) + pin.computeGeneralizedGravity(model, data, q)
            )
            return np.concatenate([qd, pin.aba(model, data, q, qd, tau)])

        for k in range(start, start + steps):
            k1 = rate(k * h, x)
            k2 = rate((k + 0.5) * h, x + h / 2 * k1)
            k3 = rate((k + 0.5) * h, x + h / 2 * k2)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate((k + 1) * h, x + h * k3))
        run = dynamis.simulate(
            robot, here, control=PDGravity(kp, kd), goal=goal, duration=(start + steps) * h, step=h, limits="ignore",
            payload=[(steps * h, 2 * steps * h, BOX)],
        )  # fmt: skip
        np.testing.assert_allclose([*run.q[-1], *run.qd[-1]], x, atol=1e-9)
    assert [event.what.split()[0] for event in run.events] == ["grasps"]


def test_rollouts_hold_it_too() -> None:
    starts = np.array([[0.3, 0.2], [0.1, -0.4]])
    options: dict[str, Any] = {"duration": 1, "payload": HELD, "limits": "ignore", "step": 1e-3}
    many = dynamis.rollouts(ARM, starts, keep=250, **options)
    for k, start in enumerate(starts):
        np.testing.assert_allclose(many.q[k], dynamis.simulate(ARM, start, **options).q[-1], atol=1e-12)
    np.testing.assert_allclose(many.times, [0, 0.25, 0.5, 0.75, 1])
    assert np.abs(many.energy_error).max() < 1e-6


def test_with_a_step_it_changes_where_the_nearest_step_begins() -> None:
    run = dynamis.simulate(ARM, [0.3, 0.2], duration=1, payload=[(0.2004, 0.5, BOX)], step=1e-3, limits="ignore")
    assert [event.time for event in run.events] == pytest.approx([0.2, 0.5])
    assert run.energy.drift < 1e-8


@pytest.mark.parametrize("options", [{}, {"step": 2e-3}, {"period": 4e-3}, {"step": 2e-3, "period": 4e-3}])
def test_a_law_that_knows_the_robot_knows_its_payload(options: dict[str, Any]) -> None:
    goal = quintic([0.3, 0.2], [1.0, -0.5], 1.0)
    knows, ignores = (
        dynamis.simulate(ARM, goal.at(0)[0], control=law, goal=goal, payload=HELD, **options)
        for law in (ComputedTorque(100, 20), ComputedTorque(100, 20, model=ARM))
    )
    errors = [np.abs(run.goal - run.q).max() for run in (knows, ignores) if run.goal is not None]
    assert errors[0] < (1e-2 if "period" in options else 1e-9)
    assert errors[1] > 5 * errors[0]
    assert "; the law's own model knows none of it" in ignores.settings["held"]
    assert max(run.energy.drift for run in (knows, ignores)) < 1e-8
    assert "polynomial" in knows.methods


def test_stops_dry_friction_and_adaptation_see_the_payload() -> None:
    puma = dynamis.load("puma560")
    goal = quintic([0] * 6, [-0.5, -0.9, 0.6, 0, 0.3, 0], 0.6)
    run = dynamis.simulate(puma, [0] * 6, control=PDGravity(300, 30), goal=goal, payload=[(0.2, 0.5, Payload(2))])
    assert run.energy.drift < 1e-9
    assert any("stop" in event.what for event in run.events)
    law = SlotineLi(10, 5, adaptation=1, parameters="all")
    adapts = dynamis.simulate(ARM, [0, 0], control=law, goal=quintic([0, 0], [1, 1], 1.0), payload=HELD)
    assert adapts.energy.drift < 1e-9
    assert adapts.signals["parameters"].shape[1] == 30


def test_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "cycle.toml"
    path.write_text(CYCLE)
    task = load_simulation(path, ARM)
    run = task.run()
    assert run.settings["held"] == "payload 0.5 kg at the tool from 0.4 to 0.9 s"
    text = str(run)
    assert "A payload is grasped and released at the velocity of the tool, without impact" in text.replace("\n  ", " ")
    assert "brought by payloads" in text
    assert "brought by payloads" in run.to_pandas()
    assert [event.what.split(", moving")[0] for event in run.events] == [
        f"{verb} payload 0.5 kg at the tool" for verb in ("grasps", "releases")
    ]
    assert run.events[0].time == pytest.approx(0.4)
    claims = [str(condition) for condition in run.conditions]
    assert len(claims) == len(set(claims))
    sagging = dynamis.simulate(ARM, [0, 0], control=PD(200, 40), goal=[0.5, 0.3], duration=1, payload=HELD)
    claims = [str(condition) for condition in sagging.conditions]
    assert any(claim.startswith("with payload 0.3 kg at the tool: ") for claim in claims)
    assert any(claim.startswith("with no payload: ") for claim in claims)
    page = dynamis.film(run).html()
    assert '"held":[false' in page


def test_what_cannot_be_held_is_said() -> None:
    with pytest.raises(ArgumentError, match=r"two payloads are held at t = 0\.3 s; one at a time is held"):
        dynamis.simulate(ARM, [0, 0], duration=1, payload=[(0, 0.5, BOX), (0.3, 0.6, BALL)])
    whole = dynamis.simulate(ARM, [0.1, 0.2], duration=0.2, payload=BOX)
    np.testing.assert_array_equal(whole.q, dynamis.simulate(BOX.held_by(ARM), [0.1, 0.2], duration=0.2).q)
    assert not whole.events


CYCLE = """
payload = 0.5

[control]
kind = "pd-gravity"
kp = 200
kd = 40

[[segment]]
kind = "quintic"
start = [0, 0]
goal = [0.5, 0.3]
duration = 0.4

[[segment]]
kind = "dwell"
duration = 0.2
payload = true

[[segment]]
kind = "cubic"
goal = [0, 0]
duration = 0.3
payload = true

[[segment]]
kind = "dwell"
duration = 0.1
"""
