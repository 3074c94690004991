"""`dynamis show --figure`: drawings as files, and sentences for what cannot be drawn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Call, caller


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    monkeypatch.chdir(tmp_path)
    return caller(monkeypatch, capsys)


def test_a_drawing_is_written_and_its_caption_told(cli: Call):
    found = cli("show", "bar-2r", "--figure", "arm.svg", "--q", "30,40", "--degrees", "--reactions")
    assert found.code == 0
    assert found.out == "wrote arm.svg: bar-2r: kinematic scheme at q = (30°, 40°).\n"
    assert Path("arm.svg").read_text(encoding="utf-8").startswith("<svg")
    again = cli("show", "bar-2r", "--figure", "arm.svg")
    assert again.err == "error: arm.svg exists; use --force to overwrite it\n"
    assert cli("show", "bar-2r", "--figure", "arm.svg", "--force", "--no-frames", "--no-dimensions").code == 0


def test_an_exercise_is_drawn_in_its_own_state_with_its_loads(cli: Call):
    found = cli("show", "exercise-2.1-gravity", "--figure", "arm.tikz", "--json")
    assert json.loads(found.out)["caption"] == "exercise-2.1-gravity: kinematic scheme at q = (20°, 40°)."
    assert Path("arm.tikz").read_text(encoding="utf-8").split("\n")[1].startswith("\\begin{tikzpicture}")


def test_a_free_body_comes_with_its_table(cli: Call):
    load = "tool force=0,-10,0 direction=exerted_by_environment"
    found = cli("show", "bar-2r", "--figure", "b.tex", "--free-body", "link2", "--q", "0,1", "--load", load)
    assert "external loads                 F_C2^ext" in found.out
    assert found.out.endswith("\nwrote b.tex\n")
    assert max(map(len, found.out.splitlines())) <= 100
    alone = cli("show", "bar-2r", "--free-body", "link2", "--q", "0,1", "--load", load)
    assert found.out == f"{alone.out}\nwrote b.tex\n"
    assert json.loads(cli("show", "bar-2r", "--free-body", "link2", "--json").out)["drawing"] == "free body"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--figure", "arm.jpg"], 'the name of a drawing must end in .svg, .pdf, .png, .tikz, .tex, got "arm.jpg"'),
        (["--figure", "arm.svg", "--q", "1"], "q must have one value per joint, got 1 value"),
        (["--figure", "arm.svg", "--free-body", "lnk1"], 'unknown link "lnk1"'),
        (["--figure", "arm.svg", "--free-body", "link1", "--reactions"], "--reactions and --free-body exclude"),
        (["--reactions"], "--reactions is for a drawing; give --figure FILE too"),
        (["--q", "1,2"], "--q is for a drawing; give --figure FILE too"),
    ],
)
def test_what_cannot_be_drawn_ends_in_one_sentence(cli: Call, arguments: list[str], sentence: str):
    found = cli("show", "bar-2r", *arguments)
    assert found.code != 0
    assert found.err.startswith(f"error: {sentence}")
    assert found.err.count("\n") == 1
    assert not Path("arm.svg").exists()


def test_an_exercise_without_gravity_says_so(cli: Call):
    assert "gravity is off in this exercise" in cli("show", "exercise-3.1").out
    assert "gravity is off" not in cli("show", "exercise-3.1-gravity").out


def test_a_drawing_as_pdf_needs_no_typst(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pages do; the drawing was refused for want of it."""
    monkeypatch.setattr("dynamis.cli.output.find_spec", lambda _: None)
    call, drawing, page = caller(monkeypatch, capsys), tmp_path / "arm.pdf", tmp_path / "page.pdf"
    assert call("show", "bar-2r", "--figure", str(drawing)).code == 0
    assert drawing.read_bytes().startswith(b"%PDF")
    for words in (["show", "bar-2r"], ["report", "bar-2r"]):
        assert 'a PDF needs typst: pip install "dynamis[report]"' in call(*words, "-o", str(page)).err
