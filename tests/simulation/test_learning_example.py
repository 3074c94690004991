"""What the example of learning says is what happens."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / "learning" / "learn_the_torque.py"), run_name="__main__")
    last = capsys.readouterr().out.splitlines()[-1]
    off = re.search(r"without feedback the arm ends (\S+) rad from its goal", last)
    assert off is not None
    assert float(off[1]) < 1e-5
