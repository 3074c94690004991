"""The page docs/motion.md: its Python runs, top to bottom."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "motion.md"


def test_the_python_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
    names: dict[str, object] = {}
    exec(compile(code, "motion.md", "exec"), names)
    shown = capsys.readouterr().out
    assert "the target is reached to" in shown
    assert "joint" in shown
