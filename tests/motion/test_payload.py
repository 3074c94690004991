"""Payloads and cycles: against Pinocchio with the payload as a body, against robots that hold it, and by power."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import ArgumentError, Inertia, Payload
from dynamis.document.renderers.page import render
from dynamis.formats.urdf.write import write_urdf
from tests.support.command_line import caller
from tests.support.strategies import Case, robots

ARM = dynamis.load("bar-2r")
PUMA = dynamis.load("puma560")
BOX = Payload(2.5, (0.01, -0.02, 0.06), Inertia.of(xx="0.01", yy="0.02", zz="0.015", xy="0.001"))
REACH = dynamis.quintic([0, -0.8, 0.3, 0, 0.1, 0], [0.7, -0.2, -0.4, 0.5, 0.4, -0.3], 0.8)
BACK = dynamis.cubic([0.7, -0.2, -0.4, 0.5, 0.4, -0.3], [0, -0.8, 0.3, 0, 0.1, 0], 1.0)
CYCLE = """
samples = 41
payload = { mass = 2.5, com = [0, 0, 0.06], inertia = [0.01, 0.01, 0.004] }

[[segment]]
kind = "quintic"
start = [0, 0.3]
goal = [0.5, 0.9]
duration = 1

[[segment]]
kind = "dwell"
duration = 0.5
payload = true

[[segment]]
kind = "tool-line"
goal = { tool = [0.4, 0.8, 0] }
duration = 1
payload = true

[[segment]]
kind = "cubic"
goal = [0, 0.3]
duration = 2
payload = { mass = 1 }
"""


def test_the_torques_are_those_of_a_body_more_in_pinocchio() -> None:
    pin: Any = pytest.importorskip("pinocchio")
    model = pin.buildModelFromXML(write_urdf(PUMA))
    tip = PUMA.links[-1]
    tool = pin.SE3(PUMA.forward_kinematics(np.zeros(6), "tool", relative_to=tip.name))
    tensor = np.array([[0.01, 0.001, 0], [0.001, 0.02, 0], [0, 0, 0.015]])
    joint = model.frames[model.getFrameId(tip.name)].parentJoint
    model.appendBodyToJoint(joint, pin.Inertia(BOX.mass, np.array(BOX.com), tensor), tool)
    data = model.createData()
    budget = dynamis.torque_budget(PUMA, REACH, payload=BOX, samples=21)
    x = budget.history
    links = x.tau - budget.part("friction")
    for k in range(len(x.t)):
        theirs = pin.rnea(model, data, x.q[k], x.qd[k], x.qdd[k])
        np.testing.assert_allclose(links[k] - budget.part("rotor")[k], theirs, atol=1e-9)
    assert "payload" in budget.links
    assert "payload" in budget.by_link.names


def test_a_payload_that_comes_and_goes_is_held_when_it_is_held() -> None:
    cycle = dynamis.sequence([REACH, 0.4, BACK])
    budget = dynamis.torque_budget(PUMA, cycle, payload=[(0.8, 1.2, BOX), (1.2, 2.2, Payload(1))], samples=45)
    x = budget.history
    held = [PUMA, BOX.held_by(PUMA), Payload(1).held_by(PUMA)]
    which = np.where(x.t < 0.8, 0, np.where(x.t < 1.2, 1, 2))
    for k, robot in enumerate(held):
        here = which == k
        assert here.sum() > 5
        np.testing.assert_allclose(x.tau[here], robot.inverse_dynamics(x.q[here], x.qd[here], x.qdd[here]), atol=1e-9)
    assert np.isin([0.8, np.nextafter(0.8, 0), 1.2, np.nextafter(1.2, 0)], x.t).all()  # both sides of every change
    assert budget.residual < 1e-12
    for shares in (budget.causes, budget.by_link, budget.effects):
        np.testing.assert_allclose(shares.of_peak.sum(axis=1), 1)
        np.testing.assert_allclose(shares.of_rms.sum(axis=1), 1)
    bare = dynamis.torque_budget(PUMA, cycle, samples=45)
    assert (budget.sizing.rms_torque[1:3] > bare.sizing.rms_torque[1:3]).all()


@given(robots(joints=(1, 3), solid=True, friction=True), st.floats(0.1, 9))
@settings(max_examples=5)
def test_random_robots_hold_it(case: Case, mass: float) -> None:
    robot = case.robot()
    if not robot.n or robot.tool is None:
        return
    payload = Payload(mass, (0.1, 0.2, -0.1))
    motion = dynamis.quintic(np.zeros(robot.n), np.linspace(0.3, 0.6, robot.n), 1)
    budget = dynamis.torque_budget(robot, motion, payload=[(0.0, 0.5, payload)], samples=11)
    x = budget.history
    for subject, here in ((payload.held_by(robot), x.t < 0.5), (robot, x.t >= 0.5)):
        tau = subject.inverse_dynamics(x.q[here], x.qd[here], x.qdd[here])
        np.testing.assert_allclose(x.tau[here], tau, rtol=1e-9, atol=1e-9 * (1 + np.abs(tau).max()))


@pytest.mark.parametrize("efficiency", [None, 1.0, 0.8, [0.9, 0.8, 0.7, 0.6, 0.5, 0.95]])
def test_power_through_the_gears(efficiency: Any) -> None:
    budget = dynamis.torque_budget(PUMA, REACH, payload=BOX, efficiency=efficiency, samples=401)
    x, motors = budget.history, budget.motors
    assert motors is not None
    rotor = motors.gear_ratio**2 * motors.rotor_inertia * x.qdd
    np.testing.assert_allclose(rotor, budget.part("rotor"), atol=1e-12)
    np.testing.assert_allclose(motors.speed, motors.gear_ratio * x.qd)
    through, given_power = (x.tau - rotor) * x.qd, motors.torque * motors.speed
    loss = given_power - rotor * x.qd - through
    assert (loss >= -1e-9).all()
    e = np.broadcast_to(1.0 if efficiency is None else efficiency, 6)
    np.testing.assert_allclose(loss, np.where(through > 0, through * (1 / e - 1), -through * (1 - e)), atol=1e-9)
    weights = np.gradient(x.t)
    np.testing.assert_allclose(motors.loss, weights @ loss, rtol=0.02, atol=1e-3)
    if np.all(e == 1):
        np.testing.assert_allclose(motors.torque, x.tau / motors.gear_ratio, atol=1e-12)
    assert motors.peak_torque == pytest.approx(np.abs(motors.torque).max(axis=0))
    M = np.diagonal(BOX.held_by(PUMA).mass_matrix(x.q), axis1=1, axis2=2)
    reflected = motors.gear_ratio**2 * motors.rotor_inertia
    np.testing.assert_allclose(motors.inertia_ratio, (M.max(axis=0) - reflected) / reflected, rtol=1e-3)
    assert "On the motors' side of the gears" in budget.table("motors")


def test_without_gears_there_is_no_motor_side() -> None:
    motion = dynamis.quintic([0, 0], [1, 1], 1)
    budget = dynamis.torque_budget(ARM, motion, samples=5)
    assert budget.motors is None
    with pytest.raises(ArgumentError, match='no joint of robot "bar-2r" has a gear or a rotor'):
        budget.table("motors")
    assert "motors' side" not in str(budget)
    assert dynamis.torque_budget(ARM, motion, samples=5, efficiency=0.9).motors is not None


def test_a_sequence_is_its_parts() -> None:
    cycle = dynamis.sequence([0.2, REACH, 0.4, BACK])
    assert cycle.duration == pytest.approx(2.4)
    np.testing.assert_allclose(cycle.ends, [0, 0.2, 1.0, 1.4, 2.4])
    t = np.array([0.5, 0.9])
    for ours, theirs in zip(cycle.at(t), REACH.at(t - 0.2), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    for ours, theirs in zip(cycle.at(1.9), BACK.at(0.5), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
    q, qd, qdd = cycle.at([-1.0, 0.1, 1.2, 9.0])
    np.testing.assert_allclose(q, [REACH.at(0)[0]] * 2 + [REACH.at(0.8)[0], BACK.at(1.0)[0]], atol=1e-12)
    assert not qd.any()
    assert not qdd.any()
    assert set(cycle.ends) <= set(cycle.breaks)
    assert str(cycle).startswith("4 parts one after the other, 2.4 s")
    np.testing.assert_allclose(
        cycle.peaks().highest, np.max([REACH.peaks().highest, BACK.peaks().highest], axis=0), atol=1e-4
    )
    assert repr(cycle) == "<MotionSequence of 4 parts: 6 joints, 2.4 s>"


def test_a_cycle_in_a_file_is_one_task(tmp_path: Path) -> None:
    path = tmp_path / "cycle.toml"
    path.write_text(CYCLE)
    task = dynamis.load_task(path, ARM)
    box = Payload(2.5, (0, 0, 0.06), Inertia.of(xx="0.01", yy="0.01", zz="0.004"))
    assert task.payload == ((1.0, 1.5, box), (1.5, 2.5, box), (2.5, 4.5, Payload(1)))
    assert task.trajectory.duration == 4.5
    np.testing.assert_allclose(ARM.forward_kinematics(task.trajectory.at(2.5)[0])[:3, 3], [0.4, 0.8, 0], atol=1e-6)
    x = task.budget().history
    here = (x.t >= 1.0) & (x.t < 2.5)
    tau = box.held_by(ARM).inverse_dynamics(x.q[here], x.qd[here], x.qdd[here])
    np.testing.assert_allclose(x.tau[here], tau, atol=1e-9)
    with pytest.raises(ArgumentError, match="the payload comes and goes during the cycle; learn holds one payload"):
        _ = task.held
    with pytest.raises(ArgumentError, match="this segment has a payload of its own, and a payload is given for"):
        dynamis.load_task(path, ARM, Payload(3))
    path.write_text(CYCLE.replace("payload = { mass = 1 }", "payload = false"))
    other = dynamis.load_task(path, ARM, Payload(3))
    assert other.payload == ((1.0, 1.5, Payload(3)), (1.5, 2.5, Payload(3)))
    budget = other.budget()
    assert budget.loads == ("payload 3 kg at the tool from 1 to 2.5 s",)
    assert json.loads(budget.to_json())["loads"] == list(budget.loads)
    assert budget.motion[0] == "4 parts: quintic 1 s, dwell 0.5 s, tool on a line 1 s, cubic 2 s"
    path.write_text(CYCLE.replace("payload = true\n", "").replace("payload = { mass = 1 }", ""))
    assert dynamis.load_task(path, ARM).held.links[-1].name == "payload"
    always = dynamis.load_task(path, ARM, Payload(3))
    assert not always.payload
    assert always.held.links[-1].name == "payload"
    assert always.budget().loads == ("payload 3 kg at the tool",)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("mass = 2.5", "mass = -1", "mass must be a number >= 0 [kg], got -1"),
        ("com = [0, 0, 0.06]", "com = [0, 0]", "com of a payload must be three finite numbers x, y, z [m]"),
        ("inertia = [0.01, 0.01, 0.004]", "inertia = [1, 2]", "inertia of a payload must be xx, yy, zz or"),
        ("payload = { mass = 2.5", "payload = { weight = 2.5, mass = 2", "weight"),
        ("start = [0, 0.3]\n", "", "start, which is required"),
        ('kind = "dwell"\nduration = 0.5', 'kind = "dwell"\nduration = -1', "the dwell of part 2 must be a positive"),
        ('kind = "cubic"', 'kind = "cubic"\nstart = [1, 1]', "each motion must start where the one before has ended"),
        ('kind = "dwell"', 'kind = "dwel"', '"dwell"'),
        ("samples = 41", "samples = 41\nefficiency = 1.5", "efficiency must be above 0 and at most 1"),
        ("payload = { mass = 2.5, com = [0, 0, 0.06], inertia = [0.01, 0.01, 0.004] }", "", "the payload of the file"),
        ("samples = 41", 'samples = 41\n[motion]\nkind = "cubic"', "exclude each other"),
    ],
)  # fmt: skip
def test_bad_cycles(old: str, new: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "cycle.toml"
    text = CYCLE.replace(old, new, 1)
    if "[motion]" in new:
        text = CYCLE.replace("samples = 41", "samples = 41") + '\n[motion]\nkind = "cubic"\n'
    path.write_text(text)
    with pytest.raises(dynamis.DynamisError) as caught:
        dynamis.load_task(path, ARM).budget()
    assert sentence in str(caught.value)
    assert "Traceback" not in str(caught.value)


def test_bad_payloads() -> None:
    motion = dynamis.quintic([0, 0], [1, 1], 1)
    for payload, words in (
        ("3", r"payload must be a mass \[kg\], a dynamis.Payload or a list of"),
        (True, r"payload must be a mass \[kg\], a dynamis.Payload or a list of"),
        ([(0, 1, "3")], r"payload must be a mass \[kg\], a dynamis.Payload or a list of"),
        (-1, "mass"),
        (np.nan, "mass"),
        ([(1, 0, BOX)], "until must be later"),
        ([(0, 1, BOX), (0.5, 2, BOX)], "two payloads are held at t = 0.5 s"),
    ):
        with pytest.raises(ArgumentError, match=words):
            dynamis.torque_budget(ARM, motion, payload=payload)
    for parts, words in (
        (3, "parts must be a list"), ([1.0], "has no motion"), ([motion, "x"], "the dwell of part 2 must be"),
        ([motion, dynamis.quintic([1], [0], 1)], "part 2 has 1 joint; the first motion has 2"),
    ):  # fmt: skip
        with pytest.raises(ArgumentError, match=words):
            dynamis.sequence(parts)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"inertia must be a dynamis.Inertia"):
        Payload(1, (0, 0, 0), 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("mass", [0.5, 2, np.float64(0.25)])
def test_a_mass_alone_is_a_point_mass_at_the_tool(mass: float) -> None:
    """As the flag --payload takes it, for the whole motion and for a part of it."""
    motion = dynamis.quintic([0, 0], [1, 1], 1)
    for one, other in ((mass, Payload(mass)), ([(0.2, 0.6, mass)], [(0.2, 0.6, Payload(mass))])):
        alone, told = (dynamis.torque_budget(ARM, motion, payload=x, samples=21) for x in (one, other))
        assert alone.history.tau.tolist() == told.history.tau.tolist()
    assert alone.history.tau.tolist() != dynamis.torque_budget(ARM, motion, samples=21).history.tau.tolist()
    runs = [dynamis.simulate(ARM, [0, 0], duration=0.05, payload=x, samples=3).q for x in (mass, Payload(mass))]
    assert runs[0].tolist() == runs[1].tolist()


@pytest.mark.parametrize("verb", ["inverse", "state", "motion", "simulate", "learn"])
def test_the_commands_take_a_payload(verb: str, tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    task, held = tmp_path / "task.toml", tmp_path / "held.toml"
    text = {
        "simulate": "duration = 0.1\n[start]\nq = [0.1, 0.2]\n",
    }.get(verb, '[motion]\nkind = "quintic"\nstart = [0, 0]\ngoal = [0.2, 0.1]\nduration = 0.1\n')  # fmt: skip
    task.write_text(text)
    held.write_text("payload = { mass = 6, com = [0.05, 0, 0] }\n" + text)
    more = {"learn": ["--trials", "1"], "simulate": ["--no-check"], "motion": ["--samples", "5"]}.get(verb, [])
    call = caller(monkeypatch, capsys, verb, "bar-2r")
    given = ["--q", "0.1,0.2"] if verb in ("inverse", "state") else [str(task)]
    option = call(*given, *more, "--payload", "6", "--payload-com", "0.05,0,0", "--json")
    assert option.code == 0, option.err
    assert "payload 6 kg, CoM [0.05, 0, 0] m in the tool frame" in option.out
    printed = call(*given, *more, "--payload", "6", "--payload-com", "0.05,0,0").out
    assert "payload 6 kg, CoM [0.05, 0, 0] m in the tool frame" in " ".join(printed.split())
    assert _numbers(option.out) != _numbers(call(*given, *more, "--json").out)
    if verb not in ("inverse", "state"):
        file = call(str(held), *more, "--json")
        assert _numbers(file.out) == _numbers(option.out)
    wrong = call(*given, "--payload-com", "0,0,1")
    assert (wrong.code, wrong.err) == (2, "error: --payload-com goes with --payload KG, which is missing\n")


def _numbers(text: str) -> list[str]:
    """The lines of a JSON text but those that tell how long it took, and where it comes from."""
    data = json.loads(text)
    del data["provenance"]
    return [line for line in json.dumps(data, indent=2).splitlines() if "seconds" not in line]


def test_the_motors_keep_the_names_of_their_joints_where_their_table_is_split() -> None:
    budget = dynamis.torque_budget(PUMA, REACH, samples=5)
    text = render(budget.excerpt("motors"), width=80)
    assert text.count(f"1  {PUMA.joints[0].name} ") == 2
    assert "-0.000" not in text
