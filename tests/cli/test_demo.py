"""`dynamis demo`, the first command of the README: what it shows, and the report that it writes."""

import json
import re
from pathlib import Path

import pytest

from dynamis.cli import demo
from dynamis.cli.commands.demo import check_report
from tests.support.command_line import Call, caller
from tests.support.golden_files import check_golden


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    monkeypatch.setattr(demo, "TIMED_STATES", 1000)
    monkeypatch.setattr(demo, "TIMING_RUNS", 1)
    monkeypatch.chdir(tmp_path)
    return caller(monkeypatch, capsys)


def test_what_it_shows(cli: Call) -> None:
    found = cli("demo", "--report", "none")
    assert found.code == 0
    assert max(map(len, found.out.replace("\u0307", "").replace("\u0308", "").splitlines())) <= 80
    without_times = re.sub(r"(?<=derivation in )[\d.]+", "...", found.out)
    without_times = re.sub(r"(?m)^((?:inverse|forward) dynamics|mass matrix) .*", r"\1 ...", without_times)
    check_golden("demo.txt", without_times)


def test_it_writes_a_report_that_it_may_replace(cli: Call, tmp_path: Path) -> None:
    found = cli("demo")
    assert found.code == 0
    assert found.out.endswith(f"wrote {tmp_path / 'dynamis-demo.html'}\n")
    check_report(Path("dynamis-demo.html"), force=False)
    page = (tmp_path / "dynamis-demo.html").read_text(encoding="utf-8")
    assert "<title>puma560: report on a motion" in page
    (tmp_path / "mine.html").write_text("mine")
    assert "mine.html exists; use --force to overwrite it" in cli("demo", "--report", "mine.html").err
    assert "must end in .html" in cli("demo", "--report", "report.pdf").err


def test_json_counts_what_agrees(cli: Call) -> None:
    data = json.loads(cli("demo", "--json", "--report", "none").out)
    assert (data["agree"], data["printed"], len(data["exercises"])) == (154, 154, 10)
    assert [law["claim"] for law in data["laws"] if not law["holds"]] == []
    assert len(data["laws"]) == 10
    assert {"tau[1]", "tau[2]"} <= set(data["mistakes"])
    assert max(data["million"]["difference"].values()) < 1e-12
    shares = data["budget"]["shares"].values()
    assert [pytest.approx(1.0) == sum(of_joint) for of_joint in zip(*shares, strict=True)] == [True] * 6


def test_it_fails_if_a_number_differs(cli: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from dynamis.motion.single_states import exercises

    monkeypatch.setattr(exercises, "same", lambda computed, printed: computed < 100)
    found = cli("demo", "--report", "none")
    assert found.code == 1
    assert "*" in found.out


def test_colours_of_a_terminal() -> None:
    """Verdicts and bars have colours, and take the room of their letters alone."""
    from dynamis.telling.blocks import Document, Table
    from dynamis.telling.renderers.page import render

    table = Document("", (Table(("", "", "bar"), (("a", "proved", "██▓"), ("proved b", "wrong", "█"))),))
    plain, marked = (render(table, form) for form in ("text", "terminal"))
    assert marked.count("\ue014proved\ue013") == 1
    assert "\ue012wrong\ue013" in marked
    assert "\ue015██\ue013\ue011▓\ue013" in marked
    assert re.sub("[\ue010-\ue015]", "", marked) == plain
