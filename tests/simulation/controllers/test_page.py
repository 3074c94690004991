"""What the page of controllers says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dynamis.simulation.controllers.catalogue import CATALOGUE
from tests.support.control_loops import Bench, damped_2r

PAGE = (Path(__file__).parents[3] / "docs" / "controllers.md").read_text(encoding="utf-8")


def test_its_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(compile(block, "controllers.md", "exec"), names)
    printed = capsys.readouterr().out
    assert printed.count(": holds.") == 3
    arm = damped_2r()
    bench = Bench(arm, names["SoftSpring"](5, 2), [0.1, 0.2], [0.3, 0.4])
    row = bench.inputs([1.0, -1.0])
    np.testing.assert_allclose(bench.programs.rate(bench.x, row), bench.plain().rate(list(bench.x), list(row)))


def test_its_table_is_the_catalogue() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \| `(\w+)", PAGE, re.MULTILINE))
    assert rows == {name: entry.kind.__name__ for name, entry in CATALOGUE.items()}
