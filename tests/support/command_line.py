"""`dynamis` called in this process, as its user calls it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from typer import Typer

from dynamis.cli import main


@dataclass
class Result:
    """The exit code and what was printed."""

    code: int
    out: str
    err: str


Call = Callable[..., Result]


def caller(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *verb: str, app: Typer = main.app
) -> Call:
    """A function of the words after `dynamis` (and after `verb`), or after another app."""

    def call(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["dynamis", *verb, *arguments])
        monkeypatch.setattr(main.warnings, "showwarning", main.warnings.showwarning)
        code: object = 0
        try:
            main.run(app)
        except SystemExit as end:
            code = end.code
        captured = capsys.readouterr()
        return Result(int(str(code or 0)), captured.out, captured.err)

    return call
