"""Exciting motions: gradients, limits between the samples, condition numbers, and the loop closed by `identify`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import dynamis
from dynamis.apps.identification.excitation.bounds import motion_limits
from dynamis.apps.identification.excitation.curves import CURVES, instants, motion_of
from dynamis.apps.identification.excitation.excite import Excite
from dynamis.apps.identification.excitation.information import information
from dynamis.apps.identification.excitation.search import Search
from dynamis.apps.identification.fitting.linear_model import linear_model
from dynamis.cli.main import app
from dynamis.controllers import ComputedTorque
from dynamis.errors import ArgumentError
from dynamis.identification import ExcitingMotion, excite
from dynamis.library import file_text
from dynamis.trajectories import Trajectory, sampled_file
from tests.support.coupled_robots import ROBOTS
from tests.support.json_keys import problems
from tests.support.strategies import robots

STANFORD: dict[str, Any] = {"lower": [-2, -2, 0.2, -2, -2, -2], "upper": [2, 2, 0.9, 2, 2, 2]}
PANDA_ACCELERATION = [15, 7.5, 10, 12.5, 15, 20, 20]


pin: Any = pinocchio


def search_of(robot: dynamis.Robot, curve: str = "fourier", rotor: bool = True, **options: Any) -> Search:
    given = {"lower": -1.0, "upper": 1.2, "velocity": 2.0, "acceleration": 8.0, "torque": None, "box": None}
    limits, _ = motion_limits(Excite(robot, **{**given, **options}))
    model = linear_model(robot, ("viscous", "coulomb", "offset"), rotor)
    states = np.random.default_rng(0).uniform(-1, 1, (3, 200, robot.n))
    tells = information(model, np.abs(model.A) @ limits.velocity[: robot.n], (states[0], states[1], states[2]))
    return Search(tells, limits, CURVES[curve](4.0, 3), "determinant", 60, 200)


def check_gradient(search: Search, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, along = 0.3 * rng.normal(size=(2, search.scale.size))
    for criterion, power in (("determinant", 1), ("condition", 3), ("balanced", 3)):
        f = [search.value(x + h * along, criterion, power, 0.1)[0] for h in (-2e-6, -1e-6, 1e-6, 2e-6)]
        slope = (f[0] - 8 * f[1] + 8 * f[2] - f[3]) / 12e-6
        value, gradient = search.value(x, criterion, power, 0.1)
        np.testing.assert_allclose(gradient @ along, slope, rtol=1e-4, atol=1e-5 * max(1.0, abs(value)))


@pytest.mark.parametrize("curve", CURVES)
def test_gradients_are_those_of_finite_differences(curve: str) -> None:
    """With torque limits, a box and a plane for the tool, prismatic and coupled joints, friction, rotors, offsets."""
    where: dict[str, Any] = {"box": ((-0.5, -0.5, -0.5), (0.6, np.inf, 0.7)), "planes": [(1, 1, 0, -0.4)]}
    check_gradient(search_of(dynamis.load("stanford"), curve, torque=[10, 10, 50, 1, 1, 1], **where), 1)
    check_gradient(search_of(dynamis.load("parallelogram"), curve, lower=[0.3, -1], upper=[2, 1], **where), 2)
    level_hand = ROBOTS["level hand"].with_values(ROBOTS["level hand"].values)
    check_gradient(search_of(level_hand, curve), 3)


@settings(max_examples=6, deadline=None)
@given(robots(), st.integers(0, 3))
def test_gradients_on_random_trees(case: Any, seed: int) -> None:
    robot = case.robot()
    if not robot.n:
        return
    search = search_of(robot)
    if search.information.directions.shape[1]:
        rng = np.random.default_rng(seed)
        motion = tuple(rng.uniform(-1, 1, (3, 5, robot.n)))
        W_bar = rng.normal(size=(5, robot.n, len(search.information.model.base)))
        for k, slope in enumerate(search.information.pull(motion, W_bar)):
            step, h = rng.normal(size=motion[k].shape), 1e-6
            ends = [tuple(x + sign * h * step * (i == k) for i, x in enumerate(motion)) for sign in (-1, 1)]
            low, high = (float((search.information.columns(end) * W_bar).sum()) for end in ends)
            size = np.abs(search.information.columns(motion) * W_bar).sum()
            np.testing.assert_allclose((slope * step).sum(), (high - low) / (2 * h), rtol=1e-5, atol=1e-6 * size + 1e-6)


@pytest.mark.parametrize("curve", CURVES)
def test_no_curve_goes_further_between_samples_than_its_bound(curve: str) -> None:
    shape = CURVES[curve](3.0, 4)
    rng = np.random.default_rng(0)
    largest = 0.0
    for points in (90, 200):
        many, few = (shape.matrices(instants(shape, count)) for count in (20 * points, points))
        for share in (0.3, 1.0):
            X = rng.normal(size=(9, 200)) * (rng.random((9, 200)) < share)
            for at_many, at_few in zip(motion_of(X, many), motion_of(X, few), strict=True):
                ratio = np.abs(at_many).max(axis=0) / np.maximum(np.abs(at_few).max(axis=0), 1e-12)
                largest = max(largest, float((ratio - 1).max()) / (shape.overshoot(points) - 1))
    assert 1e-3 < largest <= 1 + 1e-9  # there is something between the samples, and never more than the bound


def limits_are_kept(motion: ExcitingMotion) -> None:
    """At 40 times the samples of the controller, ramps and all, against limits computed here."""
    robot, limits = motion.robot, motion.limits
    t = np.linspace(0, motion.trajectory.duration, 40 * round(motion.trajectory.duration * motion.rate) + 1)
    q, qd, qdd = motion.trajectory.at(t)
    joints = q @ limits.C.T + limits.b
    assert (joints >= limits.lower - 1e-9).all()
    assert (joints <= limits.upper + 1e-9).all()
    assert (np.abs(qd @ limits.C.T) <= limits.velocity + 1e-9).all()
    assert (np.abs(qdd @ limits.C.T) <= limits.acceleration * (1 + 1e-9) + 1e-9).all()
    if limits.torque is not None:
        assert (np.abs(robot.inverse_dynamics(q, qd, qdd)) <= limits.torque * (1 + 1e-4)).all()
    if len(limits.planes):
        p = robot.forward_kinematics(q, limits.frame)[:, :3, 3]
        assert (p @ limits.planes[:, :3].T >= limits.planes[:, 3] - 1e-6).all()
    # Derivatives are those of the positions, and it stands still at both ends.
    for x, rate in ((q, qd), (qd, qdd)):
        np.testing.assert_allclose(np.gradient(x, t, axis=0)[1:-1], rate[1:-1], atol=1e-4 * np.abs(rate).max())
    assert not qd[[0, -1]].any()
    assert not qdd[[0, -1]].any()


CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "coupled": ("parallelogram", {"periods": 2}),
    "prismatic, torques": ("stanford", {**STANFORD, "torque": [40, 60, 200, 4, 4, 4], "criterion": "condition"}),
    "tool": ("panda", {"box": ((0.3, -0.3, 0.2), (0.7, 0.3, 0.7)), "planes": [(0, 1, 0, -0.1)], "curve": "spline"}),
}


@pytest.mark.parametrize("case", CASES)
def test_limits_are_kept_between_samples_and_the_search_is_worth_it(case: str) -> None:
    name, options = CASES[case]
    robot = dynamis.load(name)
    first, motion = (excite(robot, iterations=count, **options) for count in (0, 40))
    limits_are_kept(motion)
    # The first is the best of 30 random motions within the same limits.
    if motion.criterion == "condition":
        assert motion.excitation.condition < 0.4 * first.excitation.condition
    else:
        assert motion.excitation.log_determinant > first.excitation.log_determinant + 0.2 * len(motion.model.base)
    assert 0.85 < max(float(use.max()) for kind, use in motion.uses.items() if kind != "tool") <= 1


def test_condition_number_of_a_panda() -> None:
    """At most 120, as Pinocchio's regressor says, too: the base columns of 1000 samples, links alone."""
    robot = dynamis.load("panda")
    motion = excite(robot, criterion="condition", acceleration=PANDA_ACCELERATION, iterations=90)
    assert motion.samples == 1000
    assert len(motion.model.base) == 64
    assert motion.excitation.condition < 60
    assert motion.links_alone.condition < 60
    limits_are_kept(motion)
    assert excite(robot, acceleration=PANDA_ACCELERATION, iterations=60).excitation.condition < 120
    model = pin.buildModelFromXML(file_text(robot, "panda.urdf"))
    data = model.createData()
    theirs = (0, 1, 2, 3, 4, 6, 9, 5, 7, 8)  # their order is xx, xy, yy, xz, yz, zz
    own = [10 * (k // 10) + theirs[k % 10] for k in motion.model.base if k < motion.model.inertial]
    Y = [pin.computeJointTorqueRegressor(model, data, *row)[:, own] for row in zip(*motion.motion, strict=True)]
    np.testing.assert_allclose(np.linalg.cond(np.vstack(Y)), motion.links_alone.condition, rtol=1e-6)


def test_the_loop_is_closed() -> None:
    """Excite, measure with noise, identify: errors as predicted, smaller than of random motions, and true."""
    robot, noise = dynamis.load("stanford"), 0.2
    results: list[Any] = []
    scores: list[np.ndarray] = []
    for iterations in (0, 100):
        motion = excite(robot, iterations=iterations, friction="viscous,coulomb", rotor=True, **STANFORD)
        q, qd, qdd = motion.motion
        clean = robot.inverse_dynamics(q, qd, qdd)
        found: Any = None
        for seed in range(12 if iterations else 1):
            tau = clean + noise * np.random.default_rng(seed).normal(size=clean.shape)
            log = {"t": np.arange(len(q)) / motion.rate, "q": q, "qd": qd, "qdd": qdd, "tau": tau}
            found = dynamis.identify(
                robot, log, friction="viscous,coulomb", rotor=True, cutoff=None, trim=0, physical=False
            )
            truth = found.model.K @ found.model.parameters()
            scores.append((found.beta - truth) / found.standard_errors)
        assert found.names == motion.model.names
        results.append((motion.standard_errors(noise), found.standard_errors))
    (_, random), (predicted, excited) = results
    assert np.median(excited / random) < 0.7
    assert (excited < random).mean() > 0.8
    np.testing.assert_allclose(np.median(excited / predicted), 1.0, atol=0.15)
    inside = np.mean(np.abs(np.concatenate(scores[1:])) < 1.96)
    assert 0.92 < inside < 0.98


def test_ctrl_c_keeps_the_best_motion(capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []

    def stop(line: str) -> None:
        lines.append(line)
        if len(lines) == 7:
            raise KeyboardInterrupt

    motion = excite(dynamis.load("bar-2r"), progress=stop)
    assert motion.ended == "interrupted after 7 of 300 iterations"
    assert lines[0].startswith("1 of 300 iterations, condition ")
    assert len(motion.history) == 8
    assert motion.excitation.rank == 12
    best = max(one.log_determinant for one in motion.history)
    np.testing.assert_allclose(motion.excitation.log_determinant, best, atol=0.5)


def test_samples_can_be_followed(tmp_path: Path) -> None:
    """The CSV of the controller is a trajectory again, and the simulated robot follows it."""
    robot = dynamis.load("bar-2r")
    motion = excite(robot, period=2, velocity=3, acceleration=20, rate=200, periods=2, iterations=20)
    motion.to_csv(tmp_path / "trajectory.csv")
    again = sampled_file(tmp_path / "trajectory.csv")
    t = np.linspace(0, motion.trajectory.duration, 777)
    for ours, theirs in zip(motion.trajectory.at(t), again.at(t), strict=True):
        np.testing.assert_allclose(theirs, ours, atol=1e-3)
    assert isinstance(motion.trajectory, Trajectory)
    t0 = motion.trajectory.ramp
    np.testing.assert_allclose(motion.trajectory.at(t0 + 2.0)[0], motion.trajectory.at(t0)[0], atol=1e-12)
    law = ComputedTorque(kp=400, kd=40)
    run = dynamis.simulate(robot, motion.trajectory.at(0.0)[0], control=law, goal=motion.trajectory)
    np.testing.assert_allclose(run.q, motion.trajectory.at(run.times)[0], atol=1e-6)
    budget = dynamis.torque_budget(robot, motion.trajectory)
    assert budget.n == 2
    assert "q1" in motion.to_pandas().columns[0]


def test_what_cannot_move_is_said() -> None:
    motion = excite(
        dynamis.load("panda"), lower=[-1, -1, -1, -1.5, -1, 0, -1], upper=[1, 1, 1, -1.5, 1, 1, 1], iterations=20
    )
    told = dict(zip(motion.model.names, motion.told.reasons, strict=True))
    assert told["damping4"] == "is not told, as q4 cannot move"
    assert motion.excitation.rank < len(motion.model.base)
    assert np.isfinite(motion.history[-1].condition)


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "box": ({"box": ((1, 0, 0), (0, 1, 1))}, "the box is empty: its lowest x, 1 m, must be below its highest, 0 m"),
    "far": ({"box": ((5, 5, 5), (6, 6, 6))}, "no pose was found"),
    "plane": ({"planes": [(0, 0, 0, 1)]}, "planes must be a list of"),
    "frame": ({"frame": "elbow"}, 'unknown link or frame "elbow"'),
    "range": ({"lower": 1, "upper": 0}, "lower is above upper for joint 1: 1 and 0"),
    "still": ({"velocity": 0}, "the limits let no joint move"),
    "period": ({"period": 10.001}, "it must be a whole number"),
    "rate": ({"rate": 1}, "too few for 5 harmonics"),
    "many": ({"rate": 1e6}, "too many, at most"),
    "criterion": ({"criterion": "conditon"}, "condition"),
    "velocity": ({"velocity": [1, -1]}, "velocity of joint 2 must be >= 0, got -1"),
    "torque": ({"torque": 1e-3}, "no pose was found in which the robot stands still within its limits; make"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_input_is_one_sentence(case: str) -> None:
    options, sentence = WRONG[case]
    # A floor under the arm that it stands on: gravity torques are zero nowhere within these ranges.
    start = {"lower": -0.5, "upper": 0.5} if case == "torque" else {}
    with pytest.raises(dynamis.DynamisError) as caught:
        excite(dynamis.load("bar-2r"), **start, **options)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_limits_are_said() -> None:
    with pytest.raises(ArgumentError, match=r"prismatic joint 2 .* has no range; give lower and upper"):
        excite(dynamis.load("genova-rp"))
    with pytest.raises(ArgumentError, match="has no joint that moves"):
        excite(dynamis.Robot("post", (dynamis.Link("post", joint=dynamis.Joint("j", kind="fixed")),)))
    notes = excite(dynamis.load("bar-2r"), iterations=0).notes
    assert [note.partition(":")[0] for note in notes] == [
        "No range", "No velocity limit", "No acceleration limit", "No torque limit",
    ]  # fmt: skip


def test_the_command_writes_a_trajectory_and_json(tmp_path: Path) -> None:
    file = tmp_path / "motion.csv"
    words = ["excite", "bar-2r", "--iterations", "5", "--box=-3,-3,-3,3,inf,3", "--plane=1,0,0,-2.5", "--velocity", "2"]
    result = CliRunner().invoke(app, [*words, "-o", str(file)])
    assert result.exit_code == 0, result.output
    assert "wrote" in result.output
    assert "Held back" in result.output
    assert file.read_text().startswith("t [s],q1 [rad],q2 [rad],qd1 [rad/s],qd2 [rad/s],qdd1 [rad/s^2]")
    again = CliRunner().invoke(app, [*words, "-o", str(file)])
    assert again.exit_code != 0
    assert "exists" in str(again.exception) + again.output
    data = json.loads(CliRunner().invoke(app, [*words, "--json"]).output)
    assert list(problems(data, {})) == []
    assert data["excitation"]["rank"] == 12
    assert len(data["history"]) == 6
