"""The hooks of MkDocs: they add the pages and pictures that are made, not written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # MkDocs imports this file by its path, not as part of the package

from website import commands, gallery, notebooks, reference  # noqa: E402

FROM_ROOT = {
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
    "code-of-conduct.md": "CODE_OF_CONDUCT.md",
}
"""Pages of the root folder that the site shows too."""


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The pages of the reference go into the navigation, after its index, and those of the notebooks."""
    nav = cast(list[dict[str, list[object]]], config["nav"])
    (section,) = [item["Reference"] for item in nav if "Reference" in item]
    section[1:1] = [{title: f"reference/{page}.md"} for page, (title, _) in reference.PAGES.items()]
    if notebooks.can_execute():
        (start,) = [item["Start"] for item in nav if "Start" in item]
        users = [{notebooks.title(path): f"notebooks/{path.stem}.md"} for path in notebooks.notebooks()]
        start.append({"Notebooks": users})
    return config


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """All that is made joins what is written."""
    for path, content in made():
        files.append(File.generated(config, path, content=content))
    return files


def made() -> Iterator[tuple[str, str | bytes]]:
    """Paths and contents."""
    yield "reference/index.md", reference.index()
    for page, _, text in reference.pages():
        yield f"reference/{page}.md", text
    yield "reference/commands.md", commands.page()
    yield from gallery.files()
    for path, source in FROM_ROOT.items():
        yield path, _moved((ROOT / source).read_text(encoding="utf-8"))
    yield "license.md", "# Licence\n\n```text\n" + (ROOT / "LICENSE").read_text(encoding="utf-8") + "```\n"


def _moved(text: str) -> str:
    """Links as they read from the folder docs."""
    for page, source in FROM_ROOT.items():
        text = text.replace(f"]({source}", f"]({page}")
    return text.replace("](docs/", "](")
