"""Options in sentences: each face has its own words, and no room below the faces has theirs."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import typer

import dynamis
from dynamis.apps.studio.words import Studio
from dynamis.base.errors import MissingValuesError, TimeLimitError
from dynamis.base.faces import option, request, speaking
from dynamis.cli.main import app
from dynamis.verbs.command_line import CommandLine

SOURCE = Path(dynamis.__file__).parent
FACES = ("cli", "verbs/command_line.py", "apps/studio", "apps/readings")
"""Rooms that speak as the command line or the studio do."""


def test_the_same_error_in_the_words_of_every_face() -> None:
    def said() -> str:
        return str(TimeLimitError(5)).rpartition("or give ")[2]

    assert said() == "more time (robot.equations(seconds=...))"
    with speaking(CommandLine()):
        assert said() == "more time (--seconds ...)"
    with speaking(Studio()):
        assert said() == 'more time (... in the field "time limit")'


def test_values_of_parameters() -> None:
    assert "or with robot.with_values(m1=..., m2=...)" in str(MissingValuesError("arm", ["m1", "m2"]))
    with speaking(CommandLine()):
        assert "or with --set m1=..." in str(MissingValuesError("arm", ["m1", "m2"]))
    with speaking(Studio()):
        assert "or with m1 under Parameters" in str(MissingValuesError("arm", ["m1", "m2"]))


def test_requests() -> None:
    with speaking(CommandLine()):
        assert request("derive", "bar-2r", only="M[1,2]") == 'dynamis derive bar-2r --only "M[1,2]"'
        assert request("derive", "bar-2r", steps=True) == "dynamis derive bar-2r --steps"
    with speaking(Studio()):
        assert request("derive", "bar-2r", only="M[1,2]") == 'M[1,2] in the field "only these entries"'


def test_a_face_speaks_until_it_is_done() -> None:
    with speaking(CommandLine()), speaking(Studio()):
        assert option("whole") == 'the box "whole formulas"'
    assert option("whole") == "whole=True"


def test_no_room_below_the_faces_speaks_the_command_line() -> None:
    commands = typer.main.get_command(app).commands.values()  # type: ignore[attr-defined]
    flags = {
        flag for command in commands for parameter in command.params for flag in parameter.opts if flag[:2] == "--"
    }
    assert {"--seconds", "--only", "--set"} <= flags
    spoken = [
        f"{path.relative_to(SOURCE)}:{node.lineno}: {flag}"
        for path in sorted(SOURCE.rglob("*.py"))
        if not path.relative_to(SOURCE).as_posix().startswith(FACES)
        for node in strings(ast.parse(path.read_text(encoding="utf-8")))
        for flag in re.findall(r"(?<![\w-])--[a-z][a-z-]*", str(node.value))
        if flag in flags
    ]
    assert spoken == []


def strings(tree: ast.Module) -> list[ast.Constant]:
    """The texts of a module but its docstrings."""
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [node for node in nodes if id(node) not in told]
