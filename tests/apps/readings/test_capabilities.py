"""docs/documents/README.md: every capability and every case of the documents, with the command that shows it."""

import json
import re
import shlex
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dynamis.cli.main import app

ROOT = Path(__file__).parents[3]
ROWS = re.findall(
    r"^\| (\d+) \| (.+?) \| `(.+?)` \| `(.+?)` \|$", (ROOT / "docs/documents/README.md").read_text(), re.M
)
CASES = re.findall(r"^\| (\w+-.+?) \| `(.+?)` \| `(.+?)` \|$", (ROOT / "docs/documents/README.md").read_text(), re.M)
TEXTS = [(command, text) for _, _, command, text in ROWS] + [(command, text) for _, command, text in CASES]


@cache
def output(command: str) -> str:
    """What the command prints; a check of misprinted equations ends with 1."""
    outcome = CliRunner(env={"COLUMNS": "200"}).invoke(app, shlex.split(command))
    assert outcome.exit_code in ((0, 1) if command.startswith("check ") else (0,)), outcome.output[-300:]
    return outcome.stdout


@pytest.mark.parametrize(("command", "text"), TEXTS, ids=[command for command, _ in TEXTS])
def test_commands_print_what_the_table_says(command: str, text: str):
    assert text in output(command)


def test_all_capabilities_and_cases_are_there():
    assert [int(number) for number, *_ in ROWS] == [*range(1, 60)]
    names = [name for cell, _, _ in CASES for name in re.split(r", (?=[a-z])", cell)]
    assert len(names) == len(set(names)) == 84
    assert set(json.loads((ROOT / "tests/documents/cases.json").read_text())) <= set(names)
