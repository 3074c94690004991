"""The benchmark of learning: one row per robot, with the law that diverges beside it, and what it printed for all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import dynamis
from benchmarks.__main__ import app
from benchmarks.learning import CORRECTIONS, SKEW, numeric_robot
from tests.support.command_line import caller

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results" / "learning.json"


def test_the_table(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    done = caller(monkeypatch, capsys, app=app)("learning", "--quick", "--robots", "deluca-2r,genova-rp")
    assert done.code == 0
    lines = [line.split() for line in done.out.splitlines() if line.startswith((" deluca-2r", " genova-rp"))]
    assert [line[0] for line in lines] == ["deluca-2r", "genova-rp"]
    assert all(line[-2] == "diverges" for line in lines)


def test_the_results_have_every_shipped_robot_and_all_converge():
    data = json.loads(RESULTS.read_text(encoding="utf-8"))
    assert data["corrections"] == list(CORRECTIONS)
    assert [row["robot"] for row in data["rows"]] == [*dynamis.robots(), SKEW]
    for row in data["rows"]:
        assert not row["diverged"]
        assert row["distances"][0] > 0.02
        assert row["distances"][-1] < 2e-3
        assert not numeric_robot(row["robot"]).missing_values
