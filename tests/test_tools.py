"""ruff and pyright are part of the tests: a clean tree is a law too."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["pyright", "--pythonpath", sys.executable]],
    ids=["ruff check", "ruff format", "pyright"],
)
def test_tool_is_content(command: list[str]):
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


LONG = {"interpreter": 216, "_loop": 98, "_words": 86}
"""Functions that were long when this was written; they may become shorter."""


def test_no_function_is_long():
    """A file is as long as its idea; a function fits on a screen or two."""
    functions = [
        (node.end_lineno - node.lineno + 1, path.name, node.name)
        for path in ROOT.glob("src/**/*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno is not None
    ]
    assert len(functions) > 6000
    assert [entry for entry in functions if entry[0] > LONG.get(entry[2], 85)] == []
