"""The reference: every public verb and every command has an example, and every example is true."""

from __future__ import annotations

import doctest
import shlex
from pathlib import Path

import numpy as np
import pytest

from dynamis import load
from dynamis.cli.main import app
from tests.support.command_line import caller
from tests.support.logs import log
from website import commands, docstrings, reference

COMMANDS = {f"dynamis {name}": name for name in commands.names()}
LONG = {"demo", "documents", "simulate", "learn", "derive", "prove", "motion", "studio"}
"""Commands whose examples are run elsewhere (README.md, the pages, tests/cli, tests/studio): here they would take
seconds each, and a studio until it is stopped."""


def test_every_verb_has_an_example() -> None:
    assert reference.without_example() == []


def test_every_example_belongs_to_something() -> None:
    known = {name for entry in reference.entries().values() for name in (entry.name, *_members(entry))}
    assert [name for name in reference.examples() if name not in known | set(COMMANDS)] == []


def _members(entry: reference.Entry) -> list[str]:
    return [member.full_name for member in entry.members.values()]


@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, text in reference.runs() if ">>>" in text], ids=lambda value: value[:40]
)
def test_examples_are_true(name: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    failures: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=failures.append)
    assert failures == []


def test_every_command_has_an_example() -> None:
    assert [name for name in COMMANDS if name not in reference.examples()] == []


@pytest.mark.parametrize("name", sorted(set(COMMANDS.values()) - LONG))
def test_examples_of_commands_run(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answer.txt").write_text("M[2,2] = I2 + m2*lc2^2\n")
    np.savez(tmp_path / "log.npz", **log(load("bar-2r"), samples=300))  # type: ignore[arg-type]
    call = caller(monkeypatch, capsys, app=app)
    for line in reference.examples()[f"dynamis {name}"].strip().splitlines():
        words = shlex.split(line)
        assert words[:2] == ["dynamis", name]
        assert call(*words[1:]).code in (0, 1), line


def test_options_of_a_command_are_all_there() -> None:
    page = commands.page()
    for option in ("--reactions", "--convention NAME", "--set NAME=VALUE", "-o, --output"):
        assert option in page


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("Words.\n\n>>> 1\n1", "Words.\n\n```pycon\n>>> 1\n1\n```"),
        ("Not a list,  of\narguments at all.", "Not a list,  of\narguments at all."),
        ("a     one\n      more\nb, c  two", "| | |\n|---|---|\n| `a` | one more |\n| `b`, `c` | two |"),
        ("q: one value\nqd: another", "| | |\n|---|---|\n| `q` | one value |\n| `qd` | another |"),
        ("A sentence: with a colon.", "A sentence: with a colon."),
    ],
)
def test_docstrings_as_markdown(docstring: str, expected: str) -> None:
    assert docstrings.markdown(docstring) == expected
