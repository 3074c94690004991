"""docs/architecture.md prints the tree of the source as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.architecture import SOURCE, layers, printed_tree, rooms, tree

ROOT = Path(__file__).parents[1]


def test_the_printed_tree_is_the_tree() -> None:
    assert printed_tree() == tree(layers()), "run `python -m tests.support.architecture` and paste its output"


def test_every_room_is_in_the_tree() -> None:
    packages = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    modules = {path.stem for path in SOURCE.glob("*.py")} - {"__init__", "__main__"}
    assert sorted(layers()) == sorted(packages | modules)
    assert {name: sorted(inner) for name, inner in layers().items()} == {
        name: rooms(SOURCE / name) if name in packages else [] for name in layers()
    }


def test_the_tree_fits_on_a_screen() -> None:
    assert printed_tree().count("\n") <= 65


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/glossary.md", "CONTRIBUTING.md"])
def test_files_that_the_pages_name_exist(page: str) -> None:
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", (ROOT / page).read_text(encoding="utf-8"))
    assert len(named) > 5
    assert [name for name in named if not any((root / name).exists() for root in (SOURCE, ROOT))] == []
