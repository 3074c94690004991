"""The benchmark of rollouts checks the final states before it times; the times themselves are nobody's test."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from benchmarks import simulation
from benchmarks.__main__ import app
from benchmarks.simulation import CLOSE, HELD, Following, Row, followings, gains, rows
from dynamis import load
from dynamis.base.errors import ArgumentError
from tests.support.command_line import caller

pytest.importorskip("mujoco")


def test_both_are_compared_before_they_count():
    told: list[str] = []
    found = rows(batch=5, steps=20, rounds=1, progress=told.append)
    assert [row.robot for row in found] == ["ur5", "panda"]
    for row in found:
        assert (row.batch, row.steps) == (5, 20)
        assert row.difference < CLOSE
        assert min(row.ours, row.mujoco, row.two_threads) > 0
        assert row.times == row.ours / row.mujoco
        assert row.scaling == row.two_threads / row.ours
    assert told == ["ur5: agreement", "ur5: round 1 of 1", "panda: agreement", "panda: round 1 of 1"]


def test_the_ends_of_a_trajectory_are_compared():
    for row in followings(steps=1000, rounds=1):
        assert row.difference < HELD
        assert min(row.holding, row.following, row.compiled, row.mujoco) > 0
        assert row.cost == row.following / row.holding


def test_states_that_differ_are_not_timed(monkeypatch: pytest.MonkeyPatch):
    def another(*given: Any) -> Any:
        return lambda: (np.full((3, 6), 0.5), np.zeros((3, 6)))

    monkeypatch.setattr(simulation, "mujoco_rollouts", another)
    with pytest.raises(ArgumentError, match=r"^ur5: the final states of dynamis and MuJoCo are \S+ apart$"):
        rows(batch=3, steps=5, rounds=1)


def test_states_that_are_not_finite_are_not_timed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(simulation, "mujoco_rollouts", lambda *given: lambda: (np.full((3, 6), np.nan),) * 2)
    with pytest.raises(ArgumentError, match="nan apart"):
        rows(batch=3, steps=5, rounds=1)


def test_the_gains_are_right_for_the_smallest_inertia():
    kp, kd = gains(load("ur5"))
    assert min(kp) > 0
    np.testing.assert_allclose(np.array(kd) * simulation.FREQUENCY / 2, kp)  # critically damped


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    row = Row("ur5", 256, 100, 1e6, 1.9e6, 1e5, 1e-14)
    asked: list[Any] = []

    def some(*given: Any, **more: Any) -> list[Row]:
        asked.append(given[:3])
        return [row]

    monkeypatch.setattr(simulation, "rows", some)
    along = Following("panda", 1500, 1e-5, 2e-5, 1e-6, 3e-5, 1e-4)
    monkeypatch.setattr(simulation, "followings", lambda *given, **more: [along])
    bench = caller(monkeypatch, capsys, "simulation", "--quick", app=app)
    shown = bench()
    assert shown.code == 0
    cells = next(line for line in shown.out.splitlines() if line.strip().startswith("ur5")).split()
    assert cells == ["ur5", "256", "100", "1000", "10000", "10.0", "1.90", "1.0e-14"]
    data = json.loads(bench("--json").out)
    assert data["rows"][0]["times"] == 10
    assert data["rows"][0]["scaling"] == 1.9
    assert data["following"][0]["cost"] == 2
    cells = next(line for line in shown.out.splitlines() if line.strip().startswith("panda")).split()
    assert cells == ["panda", "1500", "10.00", "20.00", "1.00", "30.00", "2.00", "1.0e-04"]
    assert asked == [(256, 100, 1)] * 2
