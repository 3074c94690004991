"""What the written pages name exists: verbs of ours, of Pinocchio and of the Robotics Toolbox, files, versions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import dynamis
from tests.support.pages import DOCS, pages

ROOT = DOCS.parent


def words(pattern: str, text: str) -> list[str]:
    """What follows `robot.` or the like inside backquotes or code."""
    return sorted(set(re.findall(pattern, text)))


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(DOCS)))
def test_names_of_ours_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [name for name in words(r"\bdynamis\.([A-Za-z]\w*)\b(?=\()", text) if name not in dynamis.__all__] == []
    unknown = [name for name in words(r"\brobot\.([a-z]\w*)\(", text) if not hasattr(dynamis.Robot, name)]
    assert unknown == []


def test_names_of_others_exist() -> None:
    import pinocchio
    import roboticstoolbox

    text = (DOCS / "coming-from" / "pinocchio.md").read_text(encoding="utf-8")
    named = words(r"\bpin\.([A-Za-z]\w*)", text)
    assert len(named) > 15
    assert [name for name in named if not hasattr(pinocchio, name) and name != "casadi"] == []
    text = (DOCS / "coming-from" / "robotics-toolbox.md").read_text(encoding="utf-8")
    puma: Any = roboticstoolbox.models.DH.Puma560()
    assert [name for name in words(r"\bpuma\.([A-Za-z]\w*)", text) if not hasattr(puma, name)] == []
    assert [name for name in words(r"\brtb\.([A-Za-z]\w*)", text) if not hasattr(roboticstoolbox, name)] == []


def test_the_evidence_exists() -> None:
    text = (DOCS / "right.md").read_text(encoding="utf-8")
    tests = words(r"`(tests/[\w/]+(?:\.py)?)`", text)
    assert len(tests) > 10
    assert [name for name in tests if not (ROOT / name).exists()] == []
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "tests/constraints.txt").read_text(), re.MULTILINE))
    versions = re.findall(r"\| ([a-z-]+) (\d[\d.]*) \|", text)
    assert len(versions) > 5
    assert [(name, version) for name, version in versions if pinned[name] != version] == []


def test_the_extras_of_the_installation_page_exist() -> None:
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = re.findall(r"^\| `(\w+)` \|", (DOCS / "installation.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(named) == sorted(extras)


def test_the_citation_is_that_of_this_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f'version: "{dynamis.__version__}"' in text
