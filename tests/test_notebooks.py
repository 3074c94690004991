"""The notebooks in examples/notebooks run, and what they show is a formula, a table or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest

from website.notebooks import executed, notebooks

NOTEBOOKS = notebooks()
RICH = {"text/html", "text/latex", "image/png", "image/svg+xml"}


def test_one_for_every_kind_of_user():
    assert [path.stem for path in NOTEBOOKS] == [
        "controls-researcher", "embedded-engineer", "machine-learning", "mechanical-engineer", "student", "teacher",
        "test-engineer",
    ]  # fmt: skip


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebooks_run(path: Path):
    source: Any = nbformat.read(path, as_version=4)
    assert all(not cell.get("outputs") for cell in source.cells), "kept without outputs, so that they never go stale"
    notebook = executed(path)  # the site shows these outputs
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        outputs = [output for output in cell.outputs if output.output_type in ("execute_result", "display_data")]
        for output in outputs:
            assert len(output.data["text/plain"]) < 2000, cell.source
        printed = any(output.output_type == "stream" and output.name == "stdout" for output in cell.outputs)
        plain = cell.source.splitlines()[-1].endswith((".shape", "np.float32))"))
        assert printed or plain or any(RICH & set(output.data) for output in outputs), cell.source
