"""Pages fit the terminal, have weights and colours where it has them, and shells complete names."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pkgutil import resolve_name

import pytest
from typer.testing import CliRunner

import dynamis
from dynamis.base.verb import OF_ROBOT, names_at
from dynamis.cli.completion import NAMES, names_of
from dynamis.cli.main import app, run
from dynamis.cli.output import TERMINAL
from dynamis.cli.terminal import Progress, Terminal, remark
from dynamis.cli.verb_command import FolderCommand
from dynamis.telling.layout import wide
from dynamis.verbs.catalogue import PLACES, verb_named
from dynamis.verbs.request import spellings


@pytest.mark.parametrize(
    "command",
    [
        "show ur5",
        "show stanford",
        "inverse ur5 --q 0,0.3,0.1,0,0,0 --qd 1,0,0,0,0,0 --reactions --compare-gravity",
        "inverse stanford --q 0,0.3,0.1,0,0,0",
        "motion bar-2r two-bar-reach",
        "learn bar-2r two-bar-reach --trials 1 --table peak",
        "state stanford --q 0,0.3,0.1,0,0,0",
        "robots",
        "check planar-elbow deluca-2r",
        "--help",
        "simulate --help",
    ],
)
def test_pages_fit_the_terminal(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    outcome = CliRunner().invoke(app, shlex.split(command))
    assert outcome.output
    assert [line for line in outcome.output.split("\n") if wide(line) > 80] == []
    assert not re.search(r"\w\.\.\.$", outcome.output, re.MULTILINE)  # help texts are whole


def test_weights_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bold heads and coloured warnings on a terminal, the same characters without them elsewhere."""

    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    def printed(stream: io.StringIO) -> str:
        monkeypatch.setattr(sys, "stdout", Terminal(stream))
        result = dynamis.load("bar-2r").reactions([0.1, 0.2])
        TERMINAL.write(TERMINAL.text(result), "")
        return stream.getvalue()

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    marked, plain = printed(Tty()), printed(io.StringIO())
    assert marked.startswith("\x1b[1m   joint")
    assert re.sub(r"\x1b\[\d+m", "", marked) == plain
    assert "\x1b" not in plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert printed(Tty()) == plain


def test_a_stranger_has_no_weights_and_colours(capsys: pytest.CaptureFixture[str]) -> None:
    remark("error", "a\ue010b\x1b[31mc")
    assert capsys.readouterr().err == "error: a\\ue010b\\u001b[31mc\n"


def test_progress_says_how_long_it_takes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    clock = [100.0]
    monkeypatch.setattr("dynamis.cli.terminal.monotonic", lambda: clock[0])
    with Progress("simulate") as progress:
        for now, text in (110, "1 of 4 s"), (200, "2 of 4 s"), (300, "conditions"):
            clock[0] = now
            progress(text)
    lines = [line.strip() for line in capsys.readouterr().err.split("\r") if line.strip()]
    assert lines == [
        "simulate: 1 of 4 s (10 s elapsed, 30 s left)",
        "simulate: 2 of 4 s (1:40 min elapsed, 1:40 min left)",
        "simulate: conditions (3:20 min elapsed)",
    ]


@pytest.mark.parametrize(
    ("shell", "more"),
    [("bash", {}), ("zsh", {}), ("fish", {"_TYPER_COMPLETE_FISH_ACTION": "get-args"})],
)
@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("show ur", ["ur5"]),
        ("motion puma560 p", ["puma-lift", "panda-line"]),
        ("simulate bar-2r d", ["double-pendulum"]),
        ("learn bar-2r two", ["two-bar-reach"]),
        ("documents m", ["moving-frames"]),
        ("inertia b", ["box"]),
        ("check planar-elbow xu", ["xu-arm"]),
        ("references newton", ["newton-euler"]),
        ("derive bar-2r --method l", ["lagrange"]),
        ("derive bar-2r --notation s", ["spong", "siciliano"]),
        ("derive bar-2r --as h", ["html"]),
        ("derive bar-2r --only chr", ["christoffel"]),
        ("derive bar-2r --set m", ["m1=", "m2="]),
        ("state bar-2r --only M,po", ["M,poses"]),
        ("show bar-2r --free-body li", ["link1", "link2"]),
        ("simulate bar-2r double-pendulum --integrator rk", ["rk4", "rk45"]),
    ],
)
def test_shells_complete_names(shell: str, more: dict[str, str], line: str, names: list[str]) -> None:
    line = f"dynamis {line}"
    more = {**more, **({"COMP_CWORD": str(len(line.split()) - 1)} if shell == "bash" else {})}
    environment = {"_DYNAMIS_COMPLETE": f"complete_{shell}", "COMP_WORDS": line, "_TYPER_COMPLETE_ARGS": line, **more}
    outcome = CliRunner().invoke(app, [], prog_name="dynamis", env=environment)
    assert all(name in outcome.output for name in names), outcome.output


def test_every_kind_of_name_is_there() -> None:
    for kind in NAMES:
        names = names_of(kind)
        assert names, kind
        assert all(isinstance(name, str) for name in names), kind
    tables = [one.tables for one in FolderCommand.__subclasses__() if one.tables]
    assert len(tables) > 3
    for place in tables:
        names = names_at(place)
        assert names, place
        assert all(isinstance(name, str) for name in names), place


@pytest.mark.parametrize("verb", PLACES)
def test_what_a_verb_offers_is_there(verb: str) -> None:
    places = {one.choices for _, one in spellings(verb_named(verb)).values() if one.choices}
    for place in places:
        if place.endswith(OF_ROBOT):
            names = resolve_name(place.removesuffix(OF_ROBOT))(dynamis.load("bar-2r"))
        else:
            names = names_at(place)
        assert names, place
        assert all(isinstance(name, str) for name in names), place


@pytest.mark.parametrize(
    "command", ["prove bar-2r", "derive bar-2r --steps", "derive genova-rp --notation deluca", "references", "show ur5"]
)
def test_tables_and_formulas_are_laid_out_in_ascii(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the terminal lacks is spelled before lines are broken, so that columns stay columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys, "argv", ["dynamis", *command.split()])
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    with pytest.raises(SystemExit) as end:
        run()
    assert not end.value.code
    out.flush()
    lines = out.buffer.getvalue().decode("ascii").split("\n")  # type: ignore[attr-defined]
    assert max(map(len, lines)) <= 80
    assert not any("\\u" in line or "\\x" in line for line in lines)
    if command.startswith("prove"):
        rule = next(k for k, line in enumerate(lines) if line.startswith("---"))
        column = lines[rule].index("  -") + 2
        assert {line[column:].split()[0] for line in lines[rule + 1 : rule + 4]} == {"proved"}
        assert any(line.startswith("Md - 2 C is skew-symmetric") for line in lines)
