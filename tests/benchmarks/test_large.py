"""The benchmark of large robots compares with both peers before it times; the times themselves are nobody's test."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import large
from benchmarks.__main__ import app
from benchmarks.large import CLOSE, Row, measure, mujoco_peer, pinocchio_peer
from dynamis.compute.quantities.reference import plain
from tests.support.command_line import caller
from tests.support.large_robots import tree

pytest.importorskip("mujoco")
pytest.importorskip("pinocchio")


@pytest.mark.parametrize("make", [pinocchio_peer, mujoco_peer])
def test_peers_answer_in_our_order(make: object) -> None:
    """Branches are numbered in another order there."""
    robot = large.bare(tree([-1, -1, 0, 1, 0, 2, 1]))
    peer = make(robot)  # type: ignore[operator]
    assert peer.order != list(range(robot.n))
    state = list(np.random.default_rng(0).uniform(-1, 1, (3, robot.n)))
    for name, count in large.QUANTITIES.items():
        expected = plain(robot, name, *state[:count])[0]
        np.testing.assert_allclose(peer.results(name, state[:count]), expected, atol=1e-9 * np.abs(expected).max())


def test_a_robot_and_those_that_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "PATIENCE", 0.0)
    told: list[str] = []
    result = measure(["ur5_robot", "panda", "ur3"], quick=True, say=told.append)
    assert told == ["panda", "ur5_robot"]
    assert "no name" in result.missing["ur3"]
    coupled, free = result.rows[:3], result.rows[3:]
    assert [x.quantity for x in coupled] == [x.quantity for x in free] == list(large.QUANTITIES)
    assert coupled[1].notes[-1] == "Pinocchio has no forward dynamics of coupled joints"
    for row in free:
        assert set(row.differences) == {"Pinocchio", "MuJoCo"}
        assert max(row.differences.values()) < CLOSE
        assert row.pinocchio is not None
        assert row.mujoco is not None
        assert row.times == min(row.pinocchio, row.mujoco) / row.call


def test_its_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    row = Row("arm", 7, "mass_matrix", 0.5, 400.0, 20.0, 1200.0, None, notes=["MuJoCo: no"])
    result = large.Result([row], {"ball": "no joint"}, 0.97)
    monkeypatch.setattr(large, "measure", lambda *given: result)
    text = caller(monkeypatch, capsys, app=app)("large").out
    for words in ("1.20", "3.0", "arm: MuJoCo: no", "ball was left out: no joint", "97% of a core"):
        assert words in text
