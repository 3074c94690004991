"""ruff and pyright are part of the tests: a clean tree is a law too."""

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


def test_no_source_file_is_long():
    long = {path.name: n for path in ROOT.glob("src/**/*.py") if (n := len(path.read_text("utf-8").splitlines())) > 400}
    assert long == {}
