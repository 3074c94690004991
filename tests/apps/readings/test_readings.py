"""The five documents: every command of a reading is one of the command line, with the same result."""

import json
import re
import shlex
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from dynamis.apps.readings.errata import TOO_MANY, errata_table
from dynamis.apps.readings.formulas import prose
from dynamis.apps.readings.reading import load_reading, readings
from dynamis.base.errors import FormatError, UnknownNameError
from dynamis.base.faces import speaking
from dynamis.cli.main import app
from dynamis.telling.blocks import Document, Figure
from dynamis.telling.layout import wide
from dynamis.telling.notation import text
from dynamis.telling.notation.schools import as_notation
from dynamis.telling.pictures.svg import svg
from dynamis.telling.renderers.page import render
from dynamis.verbs.command_line import CommandLine

# The tasks of a document are done once for its commands, its pages and its errata.
READINGS = {name: load_reading(name) for name in readings()}
DOCUMENTS = Path(__file__).parents[3] / "docs" / "documents"
TASKS = {command: task for reading in READINGS.values() for task in reading.tasks for command in task.commands}


@pytest.mark.parametrize("command", sorted(TASKS))
def test_commands_give_what_the_command_line_gives(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)  # where figures go
    outcome = CliRunner().invoke(app, [*shlex.split(command), "--json"])
    assert outcome.exit_code in (0, 1), outcome.output
    result = TASKS[command].results[TASKS[command].commands.index(command)]
    with speaking(CommandLine()):
        data = json.loads(result.to_json())
    assert _timeless(json.loads(outcome.stdout)) == _timeless(data)


def _timeless(data: Any) -> Any:
    """Without how long it took, and without who asked."""
    if isinstance(data, dict):
        return {key: _timeless(value) for key, value in data.items() if key not in ("seconds", "provenance")}
    if isinstance(data, str):
        return re.sub(r", [0-9.]+ s\)", ")", data)
    return [_timeless(value) for value in data] if isinstance(data, list) else data


@pytest.mark.parametrize("name", readings())
def test_pages_have_every_task(name: str):
    """In two formats; one document, which has every kind of block, in all of them."""
    reading = READINGS[name]
    assert len(reading.tasks) >= 5
    for form in ("text", "latex", *(["typst", "markdown", "html"] if name == "moving-frames" else [])):
        page = reading.page(form)
        assert page.count("dynamis ") >= sum(len(task.commands) for task in reading.tasks)


def test_errata_are_found_where_they_are_printed():
    slips = [slip for reading in READINGS.values() for slip in reading.errata]
    assert all(slip.correct for slip in slips)
    errata = {(slip.where, slip.entry) for slip in slips}
    assert {
        ("(8)", "pc2[3]"),
        ("(19)", "Jv3[3,2]"),
        ("(19)", "Jv3[3,3]"),
        ("(29)", "Izz of bore of A"),
        ("(3)", "vd1[1]"),
        ("(planar elbow, Jacobians)", "Jv1[1,1]"),
    } <= errata
    table = render(Document("", (errata_table(slips),)), width=80)
    assert all(wide(line) <= 80 for line in table.split("\n"))
    assert "v̇c₁x" in table
    assert "*" not in table
    for slip in slips:  # no slip is shown inside of another one, which would have it in what is "correct"
        same = [
            other for other in slips if (other.where, other.entry) == (slip.where, slip.entry) and other is not slip
        ]
        assert not any(text(slip.printed) in text(other.printed) for other in same if not isinstance(slip.printed, str))
    assert {slip.entry for slip in slips if slip.correct == TOO_MANY} == {"Jv5[1,1]", "g[3]"}
    symbol = next(slip for slip in slips if slip.entry == "Jv1[1,1]")
    assert (text(symbol.printed), text(symbol.correct)) == ("−lc sin q₁", "−lc₁ sin q₁")


def test_sentences_have_formulas():
    page = READINGS["direct-and-inverse"].document().blocks[0]
    text = render(Document("", (page,)))
    assert "Φ(q, q̇, q̈) = u" in text.replace("\n  ", " ")
    for wrong in ("a $b", "$(q$", "$q)$", "$q ? q$"):
        with pytest.raises(FormatError):
            prose(wrong)


def drawings(block: Any) -> int:
    """How many drawings stand in a document."""
    return (isinstance(block, Figure) and block.schematic) or sum(map(drawings, getattr(block, "blocks", ())))


def test_a_robot_is_drawn_once():
    assert drawings(READINGS["direct-and-inverse"].document()) == 2


def test_unknown_names_are_one_sentence():
    with pytest.raises(UnknownNameError, match='unknown document "moving-frame"'):
        load_reading("moving-frame")
    outcome = CliRunner().invoke(app, ["documents", "x"])
    assert outcome.exit_code != 0


@pytest.mark.parametrize("name", readings())
def test_docs_have_the_page(name: str):
    """`dynamis documents NAME -o docs/documents/NAME.md --force` writes it anew."""
    text = (DOCUMENTS / f"{name}.md").read_text()
    text = re.sub(r" \\\n\s+", " ", text)  # commands that go over several lines
    for task in READINGS[name].tasks:
        assert f"## {task.title}\n" in text
        for command in task.commands:
            assert f"dynamis {command}" in text


def figures(block: Any) -> list[Figure]:
    """The figures of a document, in order."""
    return [block] if isinstance(block, Figure) else [x for part in getattr(block, "blocks", ()) for x in figures(part)]


@pytest.mark.parametrize("name", readings())
def test_docs_have_the_pictures(name: str):
    """Every figure of the document is a file that the page links; drawings have the labels that they would have now."""
    page, document = DOCUMENTS / f"{name}.md", READINGS[name].document()
    there = [figure for figure in figures(document) if not figure.missing]
    links = re.findall(r"!\[(.*)\]\((\S+\.svg)\)", page.read_text())
    assert len(links) == len(there) > 0
    assert sorted(path.name for path in (DOCUMENTS / f"{name}_files").iterdir()) == sorted(
        Path(link).name for _, link in links
    )
    for figure, (words, link) in zip(there, links, strict=True):
        picture = ElementTree.fromstring((DOCUMENTS / link).read_text())
        assert words
        if figure.schematic:
            now = ElementTree.fromstring(svg(figure.chart(as_notation(READINGS[name].notation))))
            assert ["".join(e.itertext()) for e in picture] == ["".join(e.itertext()) for e in now]


def test_a_page_says_itself_which_inertias_are_unphysical(recwarn: pytest.WarningsRecorder):
    outcome = CliRunner().invoke(app, ["documents", "joint-reactions"])
    assert outcome.exit_code == 0
    assert not recwarn.list
    assert "no body has them" in outcome.output
    assert READINGS["joint-reactions"].notation == "genova"
    assert "𝐌e₂ = " in outcome.output  # the document's own notation; ours has N there
