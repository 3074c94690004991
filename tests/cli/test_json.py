"""The keys of `--json`: listed in docs/json.toml, with a version, none missing and none besides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dynamis.cli import main
from dynamis.telling.renderers.json import schema
from tests.support.command_line import Call, caller
from tests.support.json_keys import DOCS, LIST, page, problems

LOG = Path(__file__).parents[1] / "data" / "logs" / "bar-2r.csv"
EXAMPLES = [(name, words) for name, kind in LIST["schema"].items() for words in kind.get("examples", ())]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Call:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_bytes(LOG.read_bytes())
    return caller(monkeypatch, capsys)


@pytest.mark.filterwarnings("ignore::dynamis.errors.UnphysicalWarning")
@pytest.mark.parametrize(("name", "words"), EXAMPLES, ids=[words for _, words in EXAMPLES])
def test_the_keys_are_those_of_the_list(cli: Call, name: str, words: str) -> None:
    data = json.loads(cli(*words.split(), "--json").out)
    assert data["schema"] == schema(name)
    assert sorted(set(problems(data, {}))) == []


def test_keys_that_are_not_listed_and_missing_ones_are_told() -> None:
    data = {"schema": schema("Conversion"), "file": "a", "joints": 2, "extra": {"a": 1}}
    assert list(problems(data, {})) == [": no robot", ".extra is not listed"]


def test_every_command_has_an_example() -> None:
    callbacks = [command.callback for command in main.app.registered_commands if command.callback is not None]
    names = {callback.__module__.rsplit(".", 1)[-1] for callback in callbacks}
    names -= {"studio", "ask"}  # one prints no result, the other the results of the verbs
    assert {words.split()[0] for _, words in EXAMPLES} == names


def test_the_page_shows_the_list() -> None:
    """`python -m tests.support.pages` writes it."""
    assert (DOCS / "json.md").read_text("utf-8") == page()
