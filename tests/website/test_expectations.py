"""docs/expectations.md: what people expect of such a package, with a line that shows it."""

import re
import shlex
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest
from typer.testing import CliRunner

import dynamis
from dynamis.cli.main import app

PAGE = (Path(__file__).parents[2] / "docs/expectations.md").read_text()
ROWS = re.findall(r"^\| (\d+) \| .+? \| `(.+?)` \| `(.+?)` \|$", PAGE, re.M)


def test_there_are_28():
    assert [int(number) for number, _, _ in ROWS] == [*range(1, 29)]


@pytest.mark.parametrize(("line", "text"), [row[1:] for row in ROWS], ids=[number for number, _, _ in ROWS])
def test_lines_show_what_the_table_says(line: str, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    if line.startswith("dynamis "):
        outcome = CliRunner(env={"COLUMNS": "200"}).invoke(app, shlex.split(line)[1:])
        assert text in outcome.output
        return
    names: dict[str, Any] = {}
    exec(re.findall(r"```python\n(.+?)```", PAGE, re.S)[0], names)
    try:
        value = str(eval(line, names))
    except dynamis.DynamisError as error:
        value = str(error)
    plt.close("all")
    assert text in value
