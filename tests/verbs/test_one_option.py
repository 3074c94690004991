"""An option that is declared once is everywhere: `seconds` of `simulate` in Python, a file, a command and a form."""

from __future__ import annotations

from pathlib import Path

import pytest

import dynamis
from dynamis.errors import ArgumentError
from dynamis.files import Simulate, load_simulation
from dynamis.verbs.forms import form
from tests.support.command_line import caller

FILE = "duration = 2\nseconds = 1e-9\n[start]\nq = [0.1, 0.2]\n"


def test_in_python() -> None:
    arm = dynamis.load("bar-2r")
    assert dynamis.simulate(arm, [0.1, 0.2], duration=2, seconds=1e-9).ended.startswith("stopped at t = ")
    assert dynamis.simulate(arm, [0.1, 0.2], duration=0.1, seconds=1e9).ended == ""
    with pytest.raises(ArgumentError, match="seconds must be a positive number"):
        dynamis.simulate(arm, [0.1, 0.2], duration=2, seconds=-1)


def test_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "task.toml"
    file.write_text(FILE)
    asked = load_simulation(file, dynamis.load("bar-2r"))
    assert asked.run().ended.startswith("stopped at t = ")
    assert asked.run(seconds=None, samples=3, duration=0.1).ended == ""
    file.write_text(FILE.replace("1e-9", "-1"))
    with pytest.raises(ArgumentError, match=r"task\.toml:2: seconds must be a positive number \[s\], got -1"):
        load_simulation(file, dynamis.load("bar-2r")).run()


def test_on_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    call = caller(monkeypatch, capsys, "simulate", "bar-2r", "double-pendulum")
    assert "the run ended early: stopped at t = " in call("--seconds", "1e-9", "--no-check").out


def test_in_a_form() -> None:
    (field,) = (x for x in form(Simulate) if x["name"] == "seconds")
    assert (field["file"], field["unit"]) == ("seconds", "s")
