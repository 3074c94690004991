"""Rollouts: each robot as if it were alone, memory that does not grow, and robots that blow up beside others."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dynamis
from dynamis import Force
from dynamis.controllers import PD, PDGravity, TorqueSamples
from dynamis.errors import ArgumentError, UnknownNameError
from dynamis.simulation.loop.setup import MAX_SPEED
from dynamis.simulation.runs import steps
from dynamis.trajectories import quintic
from tests.support.arms import cartesian, chain, with_friction
from tests.support.strategies import Case, robots

ARM = dynamis.load("bar-2r")
STARTS = np.random.default_rng(0).uniform(-1, 1, (11, 2))
SPEEDS = np.random.default_rng(1).uniform(-1, 1, (11, 2))


@pytest.mark.parametrize("integrator", ["rk4", "symplectic"])
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"control": [0.5, -0.2]},
        {"control": PDGravity([40, 20], [4, 2]), "goal": [0.3, 0.2]},
        {"control": PD(40, 4), "goal": quintic([0, 0], [1, 1], 0.1)},
        {"control": ([0.0, 0.2], [[1.0, 0.0], [0.0, 1.0]])},
        {
            "control": TorqueSamples([0.0, 0.1], [[1.0, 0.0], [0.0, 1.0]], hold=True),
            "loads": [Force("link2", (1, 2, 0))],
        },
        {"control": PD(40, 4), "goal": [0.3, 0.2], "period": 0.02, "resolution": 0.01, "torque_limit": 3.0},
        {"gravity": False},
    ],
    ids=["free", "torque", "pd", "trajectory", "table", "held", "sampled", "no gravity"],
)
def test_each_robot_is_simulated_as_if_it_were_alone(given: dict[str, Any], integrator: str):
    found = dynamis.rollouts(ARM, STARTS, SPEEDS, duration=0.2, step=2e-3, integrator=integrator, **given)
    assert not found.failed.any()
    assert (found.ended == 0.2).all()
    for k in (0, 5, 10):
        alone = dynamis.simulate(
            ARM, STARTS[k], SPEEDS[k], duration=0.2, step=2e-3, integrator=integrator, samples=6, **given
        )
        np.testing.assert_array_equal(found.q[k], alone.q[-1])
        np.testing.assert_array_equal(found.qd[k], alone.qd[-1])
        np.testing.assert_allclose(found.energy_error[k], alone.energy.error[-1], atol=1e-13)
        work = [alone.energy.motors[-1], alone.energy.friction[-1], alone.energy.loads[-1]]
        np.testing.assert_array_equal(found.work[k], work)


@given(robots(joints=(1, 4), solid=True, friction=True), st.integers(1, 9))
@settings(max_examples=8)
def test_random_robots(case: Case, count: int):
    robot = case.robot()
    if not robot.n:
        return
    rng = np.random.default_rng(count)
    starts, speeds = rng.uniform(-1, 1, (2, count, robot.n))
    common: dict[str, Any] = {"duration": 0.02, "step": 1e-3, "stiction_speed": 0.5, "limits": "ignore"}
    found = dynamis.rollouts(robot, starts, speeds, **common)
    for k in {0, count - 1}:
        alone = dynamis.simulate(robot, starts[k], speeds[k], samples=3, **common)
        np.testing.assert_allclose(found.q[k], alone.q[-1], rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.qd[k], alone.qd[-1], rtol=0, atol=1e-10 * (1 + np.abs(alone.qd).max()))


def test_goals_and_torques_of_each_robot():
    goals = np.random.default_rng(2).uniform(-1, 1, (11, 2))
    control = PDGravity([40, 20], [4, 2])
    found = dynamis.rollouts(ARM, STARTS, control=control, goal=goals, duration=0.1, step=1e-3)
    torques = dynamis.rollouts(ARM, STARTS, control=goals, duration=0.1, step=1e-3)
    sampled = dynamis.rollouts(ARM, STARTS, control=control, goal=goals, duration=0.1, step=1e-3, period=0.01)
    for k in (0, 10):
        alone = dynamis.rollouts(ARM, STARTS[k], control=control, goal=goals[k], duration=0.1, step=1e-3)
        np.testing.assert_array_equal(found.q[k], alone.q)
        alone = dynamis.rollouts(ARM, STARTS[k], control=goals[k], duration=0.1, step=1e-3)
        np.testing.assert_array_equal(torques.q[k], alone.q)
        alone = dynamis.rollouts(ARM, STARTS[k], control=control, goal=goals[k], duration=0.1, step=1e-3, period=0.01)
        np.testing.assert_array_equal(sampled.q[k], alone.q)


def test_shapes_broadcast():
    found = dynamis.rollouts(ARM, np.zeros((3, 1, 2)), SPEEDS[:4], duration=0.01, step=1e-3)
    assert found.q.shape == (3, 4, 2)
    assert found.failed.shape == found.ended.shape == found.energy_error.shape == (3, 4)
    one = dynamis.rollouts(ARM, [0, 0], control=np.zeros((5, 2)), duration=0.01, step=1e-3)
    assert one.q.shape == (5, 2)
    alone = dynamis.rollouts(ARM, [0, 0], duration=0.01, step=1e-3, keep=5)
    assert alone.q.shape == (2,)
    assert alone.q_history is not None
    assert alone.q_history.shape == (3, 2)
    assert str(alone).startswith("bar-2r: 1 rollout over 0.01 s")
    none = dynamis.rollouts(ARM, np.zeros((0, 2)), duration=0.01, step=1e-3)
    assert none.q.shape == (0, 2)
    assert str(none).startswith("bar-2r: 0 rollouts")


@pytest.mark.parametrize("keep", [1, 3, 7, 50, 1000])
def test_what_is_kept_is_what_passes(keep: int):
    found = dynamis.rollouts(ARM, STARTS, duration=0.05, step=1e-3, keep=keep)
    whole = dynamis.rollouts(ARM, STARTS, duration=0.05, step=1e-3, keep=1)
    wanted = np.unique([*range(0, 51, keep), 50])
    assert found.q_history is not None
    assert whole.q_history is not None
    np.testing.assert_allclose(found.times, wanted * 1e-3, atol=1e-15)
    np.testing.assert_array_equal(found.q_history, whole.q_history[:, wanted])
    np.testing.assert_array_equal(found.q_history[:, -1], found.q)
    np.testing.assert_array_equal(found.q_history[:, 0], STARTS)


def test_a_duration_of_no_whole_number_of_steps():
    found = dynamis.rollouts(ARM, STARTS[0], duration=0.0105, step=2e-3, keep=1)
    np.testing.assert_allclose(found.times, [0, 0.002, 0.004, 0.006, 0.008, 0.01, 0.0105])
    true = dynamis.simulate(ARM, STARTS[0], duration=0.0105, samples=2)
    np.testing.assert_allclose(found.q, true.q[-1], atol=1e-11)
    short = dynamis.rollouts(ARM, STARTS[0], duration=1e-3, step=1.0)
    np.testing.assert_allclose(short.q, dynamis.simulate(ARM, STARTS[0], duration=1e-3).q[-1], atol=1e-12)


def peak(**more: Any) -> int:
    tracemalloc.start()
    dynamis.rollouts(ARM, np.zeros((64, 2)), step=1e-3, **more)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


@pytest.mark.parametrize(
    "given",
    [{"control": [0.1, 0.1]}, {"control": PD(20, 2), "goal": quintic([0, 0], [1, 1], 1.0)}],
    ids=["constant", "trajectory"],
)
def test_memory_does_not_grow_with_the_steps(given: dict[str, Any]):
    peak(duration=1.0, **given)
    short, long = (peak(duration=duration, **given) for duration in (8.2, 82.0))
    assert long < 1.1 * short + 50_000


def test_memory_of_robots_with_goals_of_their_own_that_sample():
    goals = np.random.default_rng(3).uniform(-1, 1, (4000, 2))
    tracemalloc.start()
    dynamis.rollouts(ARM, [0, 0], control=PD(10, 1), goal=goals, duration=0.05, step=1e-3, period=5e-3)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100e6


@pytest.mark.parametrize("keep", [None, 10])
def test_robots_that_blow_up(keep: int | None):
    """Gains that a step cannot follow, for one of the robots only: the others do not notice."""
    starts = np.array([[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]])
    torques = np.array([[0.0, 0.0], [0.0, 200.0], [1.0, 1.0]])
    found = dynamis.rollouts(ARM, starts, control=torques, duration=0.5, step=1e-2, keep=keep)
    assert found.failed.tolist() == [False, True, False]
    good = dynamis.rollouts(ARM, starts[[0, 2]], control=torques[[0, 2]], duration=0.5, step=1e-2)
    np.testing.assert_array_equal(found.q[[0, 2]], good.q)
    np.testing.assert_array_equal(found.ended[[0, 2]], 0.5)
    assert 0.02 < found.ended[1] < 0.3  # some steps and pieces before the end
    for values in (found.q, found.qd, found.work, found.energy_error):
        assert np.isfinite(values).all()
    assert np.abs(found.qd[1]).max() < MAX_SPEED
    # its last values are those of the step before
    until = dynamis.rollouts(ARM, starts[1], control=torques[1], duration=float(found.ended[1]), step=1e-2)
    np.testing.assert_allclose(found.q[1], until.q, rtol=1e-9)
    assert "1 of 3 rollouts blew up, the first one after" in str(found)
    if keep:
        assert found.q_history is not None
        assert np.isfinite(found.q_history).all()
        np.testing.assert_array_equal(found.q_history[1, -1], found.q[1])


def test_memory_of_robots_that_blow_up():
    def most(count: int) -> int:
        starts = np.random.default_rng(4).uniform(-1, 1, (count, 2))
        tracemalloc.start()
        found = dynamis.rollouts(ARM, starts, control=PD(-600, 2), goal=[1, 0.5], duration=2.0, step=1e-3)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert found.failed.all()
        return peak

    most(2)
    assert most(400) < 10e6  # each with all its rows: 120 MB


def test_goals_of_their_own_do_not_make_pieces_short(monkeypatch: pytest.MonkeyPatch):
    told: list[str] = []
    goals = np.random.default_rng(6).uniform(-1, 1, (5000, 2))
    dynamis.rollouts(ARM, [0, 0], control=PD(20, 2), goal=goals, duration=0.1, step=1e-3, progress=told.append)
    assert len(told) <= 2
    monkeypatch.setattr(steps, "MAX_PIECE_STEPS", 50_000)
    dynamis.rollouts(ARM, [0, 0], control=PD(20, 2), goal=goals, duration=0.1, step=1e-3, progress=told.append)
    assert len(told) >= 10  # many robots are told about more often


@pytest.mark.parametrize("keep", [None, 20])
def test_ctrl_c_keeps_what_was_computed(keep: int | None, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(steps, "MAX_PIECE_STEPS", 10 * len(STARTS))
    told: list[str] = []

    def progress(words: str) -> None:
        told.append(words)
        if len(told) == 5:
            raise KeyboardInterrupt

    given: dict[str, Any] = {"control": PD(20, 2), "goal": [0.1, 0.2], "step": 1e-3}
    found = dynamis.rollouts(ARM, STARTS, duration=1.0, keep=keep, progress=progress, **given)
    assert found.warnings == ("interrupted at t = 0.05 s of 1 s",)
    assert not found.failed.any()
    np.testing.assert_allclose(found.ended, 0.05)
    np.testing.assert_array_equal(found.q, dynamis.rollouts(ARM, STARTS, duration=0.05, **given).q)
    np.testing.assert_allclose(found.times, [0, 0.05] if keep is None else [0, 0.02, 0.04, 0.05])
    if keep:
        assert found.q_history is not None
        assert found.q_history.shape == (11, 4, 2)
    told[:] = [""] * 4
    with pytest.raises(KeyboardInterrupt):
        dynamis.rollouts(ARM, STARTS, duration=1.0, control=_Interrupt(), step=1e-3)


class _Interrupt(TorqueSamples):
    """Ctrl-C before anything was computed."""

    def __init__(self) -> None:
        super().__init__([0.0, 1.0], [[0.0, 0.0], [0.0, 0.0]])

    def check(self, n: int) -> TorqueSamples:
        raise KeyboardInterrupt


def test_all_robots_blow_up():
    found = dynamis.rollouts(ARM, STARTS, control=PD(1e9, 1e9), goal=[0, 0], duration=0.5, step=1e-2)
    assert found.failed.all()
    assert np.isfinite(found.q).all()
    assert "energy" not in str(found)


def test_threads_give_the_same():
    starts = np.random.default_rng(5).uniform(-1, 1, (40, 2))
    one, two = (
        dynamis.rollouts(ARM, starts, control=PD(20, 2), goal=[0, 0], duration=1.0, step=1e-3, threads=threads)
        for threads in (1, 2)
    )
    np.testing.assert_array_equal(one.q, two.q)


def test_progress_is_told():
    told: list[str] = []
    dynamis.rollouts(ARM, STARTS, duration=0.1, step=1e-3, keep=20, progress=told.append)
    assert told[:4] == ["0.02 of 0.1 s", "0.04 of 0.1 s", "0.06 of 0.1 s", "0.08 of 0.1 s"]
    assert told[-1] == "0.1 of 0.1 s"


def test_warnings_of_gains_come_with_the_result():
    found = dynamis.rollouts(ARM, STARTS, control=PD(1, -1), goal=[0, 0], duration=0.01, step=1e-3)
    assert any("a negative gain drives the joint away" in warning for warning in found.warnings)
    assert "negative gain" in str(found)


@pytest.mark.parametrize("robot", [cartesian(), chain(12), with_friction(dynamis.load("ur5"), 0.01)])
def test_other_robots(robot: Any):
    q = np.full((3, robot.n), 0.2) + np.arange(3)[:, None] * 0.1
    found = dynamis.rollouts(robot, q, duration=0.02, step=1e-3)
    alone = dynamis.simulate(robot, q[2], duration=0.02, step=1e-3, samples=3, limits="ignore")
    np.testing.assert_allclose(found.q[2], alone.q[-1], rtol=0, atol=1e-13)


def test_bad_input():
    def rollouts(q0: Any = (0, 0), **more: Any) -> Any:
        return dynamis.rollouts(ARM, list(q0), **{"duration": 0.1, "step": 1e-2, **more})

    with pytest.raises(UnknownNameError, match=r'unknown fixed-step integrator "rk45"; did you mean "rk4"\?'):
        rollouts(integrator="rk45")
    with pytest.raises(UnknownNameError, match="unknown fixed-step integrator"):
        rollouts(integrator=["rk4"])
    with pytest.raises(ArgumentError, match="a Python function cannot be compiled"):
        rollouts(control=lambda t, q, qd: [0, 0])
    for name in ("keep", "threads"):
        for value in (0, -1, 1.5, True, "2"):
            with pytest.raises(ArgumentError, match=f"{name} must be a positive integer"):
                rollouts(**{name: value})
    with pytest.raises(ArgumentError, match=r"batches must broadcast .*, got q0 \(2,\), qd0 \(3,\)"):
        dynamis.rollouts(ARM, np.zeros((2, 2)), np.zeros((3, 2)), duration=1, step=0.1)
    with pytest.raises(ArgumentError, match=r"batches must broadcast .*, got q0 \(2,\), goal \(3,\)"):
        dynamis.rollouts(ARM, np.zeros((2, 2)), control=PD(1, 1), goal=np.zeros((3, 2)), duration=1, step=0.1)
    for step in (0, -1e-3, np.nan, np.inf, "x", None):
        with pytest.raises(ArgumentError, match=r"step must be a positive number \[s\], got"):
            rollouts(step=step)
    assert rollouts(keep=np.int64(2)).times.size == 6


def test_they_are_a_document(tmp_path: Path):
    """Ends and their spread as tables, one row of CSV per robot, a figure where states were kept."""
    many = dynamis.rollouts(ARM, STARTS.reshape(11, 1, 2), duration=0.05, step=1e-3, keep=5)
    assert f"{many.q[..., 1].max():.4f}" in many.table("joints", decimals=4)
    data = json.loads(many.to_json())
    np.testing.assert_allclose(data["end"]["qd"]["mean"], many.qd.mean(axis=(0, 1)), rtol=1e-12)
    many.to_csv(tmp_path / "ends.csv")
    head, *rows = (tmp_path / "ends.csv").read_text().splitlines()
    assert head.startswith("q1 [rad],q2 [rad],qd1 [rad/s],qd2 [rad/s],work of motors [J],")
    np.testing.assert_array_equal([[float(x) for x in row.split(",")][:2] for row in rows], many.q[:, 0])
    assert len(many.figure().axes) == 2
    with pytest.raises(ArgumentError, match="no states were kept on the way; give keep=1"):
        dynamis.rollouts(ARM, STARTS, duration=0.01, step=1e-3).figure()


def test_those_that_blew_up_are_listed():
    many = dynamis.rollouts(ARM, STARTS, 1e150 * (np.arange(11) == 3)[:, None] * np.ones(2), duration=0.01, step=1e-3)
    assert many.failed.tolist() == [k == 3 for k in range(11)]
    assert "1 of 11 rollouts blew up, the first one after 0 s" in str(many)
    assert many.table("failed").splitlines()[-1].split() == ["3", "0"]
    assert many.as_dict()["failed"] == [[3]]
