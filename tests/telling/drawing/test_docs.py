"""docs/drawing.md: its commands run, and its pictures are what dynamis draws."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest

import dynamis
from tests.support.command_line import caller

DOCS = Path(__file__).parents[3] / "docs"
COMMANDS = re.findall(r"^\$ dynamis (.*)$", (DOCS / "drawing.md").read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.partition(" --q")[0])
@pytest.mark.filterwarnings("ignore::dynamis.errors.UnphysicalWarning")
def test_the_commands_of_the_page_run(command, monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert caller(monkeypatch, capsys)(*shlex.split(command)).code == 0
    assert len(list(tmp_path.iterdir())) == 1


def drawn(name: str) -> str:
    arm = dynamis.load("bar-2r")
    load = dynamis.Force("link1", (0, -5, 0), point=(0.3, 0, 0))
    match name:
        case "bar-2r":
            return arm.draw([0.5, 0.7]).svg()
        case "free-body":
            return arm.free_body("link1", [0.3, 0.5], [1, 1], [2, 2], loads=[load]).svg()
        case _:
            return dynamis.load(name).draw().svg()


@pytest.mark.parametrize("picture", sorted((DOCS / "pictures").glob("*.svg")), ids=lambda path: path.stem)
def test_the_pictures_of_the_page_are_up_to_date(picture):
    """Their marks and labels; places may differ in the last digit from machine to machine.

    `python -m tests.telling.drawing.test_docs` writes them.
    """
    there, now = (ElementTree.fromstring(text) for text in (picture.read_text(encoding="utf-8"), drawn(picture.stem)))
    assert [(e.tag, "".join(e.itertext())) for e in there] == [(e.tag, "".join(e.itertext())) for e in now]


if __name__ == "__main__":
    for path in (DOCS / "pictures").glob("*.svg"):
        path.write_text(drawn(path.stem), encoding="utf-8")
