"""What the page on learning and its example say is what happens."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_python_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "docs" / "learning.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "learning.md", "exec"), {})
    assert "u(0) is never learned" in capsys.readouterr().out
    assert (tmp_path / "torque.csv").exists()


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "examples" / "learning" / "learn_the_torque.py"), run_name="__main__")
    last = capsys.readouterr().out.splitlines()[-1]
    off = re.search(r"without feedback the arm ends (\S+) rad from its goal", last)
    assert off is not None
    assert float(off[1]) < 1e-5
