"""`--film`: a motion or a simulation as a film, in a file of its own or in the folder of `-o`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Call, caller

MOTION = ("motion", "bar-2r", "two-bar-reach", "--samples", "11", "--figures", "none")
FALL = ("simulate", "bar-2r", "double-pendulum", "--duration", "0.1", "--no-check")


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    return caller(monkeypatch, capsys)


@pytest.mark.parametrize("words", [MOTION, FALL], ids=lambda words: words[0])
def test_a_film_in_a_file(cli: Call, tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "film.html"
    assert cli(*words, "--film", str(path)).out.endswith(f"\nwrote {path}: film of bar-2r\n")
    text = path.read_text("utf-8")
    assert "bar-2r" in text
    assert "played.go(0)" in text
    assert cli(*words, "--film", str(path)).err == f"error: {path} exists; use --force to overwrite it\n"
    assert json.loads(cli(*words, "--film", str(path), "--force", "--json").out)["robot"] == "bar-2r"


def test_a_film_in_the_folder(cli: Call, tmp_path: Path) -> None:
    assert cli(*MOTION, "--film", "html", "-o", str(tmp_path / "reach")).code == 0
    assert (tmp_path / "reach" / "animation.html").is_file()
    assert "animation.html" in json.loads((tmp_path / "reach" / "budget.json").read_text())["files"]


@pytest.mark.parametrize("name", ["film.avi", "x.none", "webm"])
def test_other_formats_are_refused(cli: Call, name: str) -> None:
    done = cli(*MOTION, "--film", name)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f'error: --film must be html, gif, mp4 or none, or a file that ends in .html, .gif or .mp4, got "{name}"\n'
    )
