"""Whatever a stranger's file or word holds, the terminal gets text and nothing else."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dynamis.base.printable import visible
from dynamis.cli.terminal import Terminal, remark
from tests.support.command_line import Call, caller

HOSTILE = "\x1b[31m\x07\x9b5m\x7f\u202e"
QUOTED = "".join(f"\\u{ord(c):04x}" for c in HOSTILE)
ROBOT = f"""
[robot]
name = "arm"
convention = "offset"
description = "{QUOTED}"
source = "{QUOTED}"
[parameters]
m = "{QUOTED}"
[values]
m = 2
[[link]]
name = "upper"
joint = "revolute"
axis = [0, 0, 1]
mass = "m"
com = [0.5, 0, 0]
inertia = {{ about = "com", zz = 0.1 }}
"""
BODY = f"""
[body]
name = "{QUOTED}"
description = "{QUOTED}"
[[part]]
name = "{QUOTED}"
shape = "box"
size = [1, 1, 1]
mass = 1
"""


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller(monkeypatch, capsys)


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize(
    "words",
    [
        ["show", "{robot}"], ["show", "{robot}", "--json"], ["lint", "{robot}"], ["inverse", "{robot}", "--q", "0.1"],
        ["inverse", "{robot}", "--q", HOSTILE], ["inverse", "{robot}", "--q", "0", "--load", f"link={HOSTILE}"],
        ["derive", "{robot}"], ["derive", "{robot}", "--only", HOSTILE], ["derive", "{robot}", "--method", HOSTILE],
        ["show", "{robot}", "--set", f"{HOSTILE}=1"], ["show", "{robot}", "--set", HOSTILE],
        ["show", "{robot}", "--set", f"m={HOSTILE}"], ["show", HOSTILE], ["show", f"{HOSTILE}.toml"],
        ["check", "{robot}", "{answer}"], ["check", "{robot}", HOSTILE], ["motion", "{robot}", "{robot}"],
        ["simulate", "{robot}", HOSTILE], ["inertia", "{body}"], ["inertia", "{body}", "--steps"],
        ["inertia", "{body}", "--json"], ["inertia", HOSTILE], ["inertia", "box", f"{HOSTILE}=1"], [HOSTILE],
        ["show", f"--{HOSTILE}"], ["show", "{unknown}"], ["show", "{urdf}"], ["convert", "{robot}", HOSTILE],
    ],
)  # fmt: skip
def test_no_control_character_reaches_the_terminal(cli: Call, tmp_path: Path, words: list[str]) -> None:
    files = {
        "robot": written(tmp_path, "arm.toml", ROBOT),
        "body": written(tmp_path, "body.toml", BODY),
        "answer": written(tmp_path, "answer.txt", f"M[1,1] = {HOSTILE}\n{HOSTILE} = 2\n"),
        "unknown": written(tmp_path, "unknown.toml", ROBOT + f'"{QUOTED}" = 1\n'),
        "urdf": written(tmp_path, "arm.urdf", '<robot name="r"><link name="a\u202e"/><j\u009bk/></robot>'),
    }
    found = cli(*(word.format(**files) if word.startswith("{") else word for word in words))
    assert found.out + found.err
    assert visible(found.out + found.err) == found.out + found.err
    if "--json" in words:
        json.loads(found.out)


def test_json_keeps_the_characters(cli: Call, tmp_path: Path) -> None:
    found = cli("show", written(tmp_path, "arm.toml", ROBOT), "--json")
    assert json.loads(found.out)["description"] == HOSTILE


@pytest.mark.parametrize(("encoding", "tau"), [("ascii", "tau1 = "), ("latin-1", "tau1 = "), ("utf-8", "τ₁ = ")])
def test_equations_are_spelled_in_the_encoding_of_the_terminal(encoding: str, tau: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "dynamis", "derive", "planar-elbow"],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    text = ran.stdout.decode(encoding)
    assert tau in text
    assert "\\u" not in text


def test_sentences_on_a_terminal_break_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    sentence = 'q must have one value per joint, got 3 values; robot "bad" has 2 joints, whose names are ' + "x" * 70
    remark("error", sentence)
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines[:-1])) <= 60
    assert " ".join(" ".join(lines).split()) == f"error: {sentence}"


@pytest.mark.parametrize(("names", "text"), [({}, "tau1 [N m^2]"), ({"PYTHONUTF8": "1"}, "τ₁ [N m²]")])
def test_a_terminal_writes_what_its_locale_has(
    names: dict[str, str], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python writes UTF-8 under LC_ALL=C, where a terminal may show something else."""
    for name in ("PYTHONUTF8", "PYTHONIOENCODING"):
        monkeypatch.delenv(name, raising=False)
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("locale.getencoding", lambda: "ascii")

    class Tty(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    stream = Tty()
    Terminal(stream).write("τ₁ [N m²]")
    assert stream.getvalue() == text
