"""`-o` chooses the format of a page by its suffix; fragments are included in other files."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from shutil import which

import pytest
import typst
from typer.testing import CliRunner

from dynamis.cli.main import app

STATE = ["inverse", "bar-2r", "--q", "0.1,0.2", "--reactions"]
BEGINNINGS = {
    "txt": "   joint", "tex": "\\documentclass", "html": "<!doctype html>", "typ": "#set document", "md": "|  | joint",
    "json": "{", "pdf": "%PDF-",
}  # fmt: skip


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_the_suffix_chooses_the_format(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"page.{suffix}"
    assert CliRunner().invoke(app, [*STATE, "-o", str(path)]).exit_code == 0
    assert path.read_bytes().startswith(BEGINNINGS[suffix].encode())


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("show bar-2r", "<svg"),
        ("show exercise-2.1-gravity --free-body link1", "<svg"),
        ("lint bar-2r", "0 findings"),
        ("robots", "<table"),
        ("demo --report none", "<math"),
        ("motion bar-2r two-bar-reach --samples 11", "<svg"),
        ("simulate bar-2r double-pendulum --duration 0.01 --no-check --table energy", "<table"),
        ("learn bar-2r two-bar-reach --period 0.05 --trials 1", "<svg"),
    ],
)
def test_every_verb_writes_a_page(words: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    outcome = CliRunner().invoke(app, [*words.split(), "-o", str(path)])
    assert (outcome.exit_code, outcome.stdout.count("\n")) == (0, 1)
    assert outcome.stdout.startswith(f"wrote {path}: ")
    assert text in path.read_text("utf-8")
    assert [each.name for each in tmp_path.iterdir()] == ["page.html"]


def test_a_folder_that_is_named_like_a_page_stays_a_folder(tmp_path: Path) -> None:
    (tmp_path / "page.html").mkdir()
    words = f"motion bar-2r two-bar-reach --samples 11 --figures none -o {tmp_path / 'page.html'}"
    assert CliRunner().invoke(app, words.split()).exit_code == 0
    assert (tmp_path / "page.html" / "budget.json").is_file()


@pytest.mark.parametrize("command", [STATE, ["derive", "bar-2r"], ["prove", "planar-elbow"]])
def test_fragments_are_included(command: list[str], tmp_path: Path) -> None:
    typ, tex = tmp_path / "part.typ", tmp_path / "part.tex"
    for path in (typ, tex):
        assert CliRunner().invoke(app, [*command, "--fragment", "-o", str(path)]).exit_code == 0
    assert typst.compile(f"= Mine\n{typ.read_text('utf-8')}".encode(), format="pdf").startswith(b"%PDF")
    text = tex.read_text("utf-8")
    assert "\\begin{document}" not in text
    preamble = "\n".join(re.findall(r"^%   (.*)$", text, re.MULTILINE))
    whole = f"\\documentclass{{book}}\n{preamble}\n\\begin{{document}}\\input{{part}}\\end{{document}}\n"
    (tmp_path / "whole.tex").write_text(whole, encoding="utf-8")
    if which("pdflatex"):
        run = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "whole.tex"]
        outcome = subprocess.run(run, cwd=tmp_path, capture_output=True, check=False)
        assert outcome.returncode == 0
        assert b"Overfull" not in outcome.stdout


def test_text_has_no_fragments() -> None:
    outcome = CliRunner().invoke(app, [*STATE, "--fragment"])
    assert outcome.exception is not None
    assert str(outcome.exception) == "text has no fragments; latex, markdown, html, typst do"


@pytest.mark.parametrize(
    "words",
    [["derive", "planar-elbow", "--notation", ""], ["motion", "bar-2r", ""], ["derive", "planar-elbow", "-o", ""]],
    ids=lambda words: " ".join(words),
)
def test_an_empty_name_is_told_as_one(words: list[str]) -> None:
    outcome = CliRunner().invoke(app, words)
    assert re.fullmatch(r"the name of (a|the output) file is missing", str(outcome.exception))


def test_a_format_may_go_by_its_suffix() -> None:
    for suffix, name in (("tex", "latex"), ("md", "markdown"), ("txt", "text"), ("typ", "typst")):
        short, long = (CliRunner().invoke(app, [*STATE, "--as", form]).output for form in (suffix, name))
        assert short.replace(f"--as {suffix}", f"--as {name}") == long
    outcome = CliRunner().invoke(app, [*STATE, "--as", "pdf"])
    assert str(outcome.exception) == "a PDF is written to a file; give -o page.pdf"
