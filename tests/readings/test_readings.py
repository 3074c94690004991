"""The five documents: every command of a reading is one of the command line, with the same result."""

import json
import shlex

import pytest
from typer.testing import CliRunner

from dynamis.cli.main import app
from dynamis.errors import UnknownNameError
from dynamis.readings.commands import result_of
from dynamis.readings.reading import load_reading, readings

COMMANDS = sorted({command for name in readings() for task in load_reading(name).tasks for command in task.commands})


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_give_what_the_command_line_gives(command: str):
    outcome = CliRunner().invoke(app, [*shlex.split(command), "--json"])
    assert outcome.exit_code in (0, 1), outcome.output
    assert json.loads(outcome.stdout) == json.loads(result_of(command).to_json())


@pytest.mark.parametrize("name", readings())
@pytest.mark.parametrize("form", ["text", "html", "latex", "typst", "markdown"])
def test_pages_have_every_task(name: str, form: str):
    reading, page = load_reading(name), load_reading(name).page(form)
    assert len(reading.tasks) >= 3
    assert page.count("dynamis ") >= sum(len(task.commands) for task in reading.tasks)


def test_unknown_names_are_one_sentence():
    with pytest.raises(UnknownNameError, match='unknown document "moving-frame"'):
        load_reading("moving-frame")
    outcome = CliRunner().invoke(app, ["documents", "x"])
    assert outcome.exit_code != 0
