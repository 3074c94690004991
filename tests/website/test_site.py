"""The documentation site: it builds without a warning, its links hold, and it asks nothing of a network."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

from website.notebooks import notebooks

ROOT = Path(__file__).parents[2]


@dataclass
class Page(HTMLParser):
    """What a page has: ids, links, and what it loads by itself."""

    text: str
    ids: set[str] = field(default_factory=set[str])
    links: list[str] = field(default_factory=list[str])
    loads: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids |= {values["id"] or ""} if "id" in values else set()
        if tag == "a" and values.get("href"):
            self.links.append(values["href"] or "")
        target = values.get("src") or (values.get("href") if tag == "link" else None)
        if target:
            self.loads.append(target)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; a warning ends the build."""
    folder = tmp_path_factory.mktemp("site")
    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder), strict=True))
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    written = [path for path in site.rglob("*.html") if "pictures" not in path.parts]
    return {path: Page(path.read_text(encoding="utf-8")) for path in written}


def test_every_page_of_the_repository_is_there(site: Path) -> None:
    sources = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    assert len(sources) > 15
    names = ["index" if path.stem == "README" else path.stem for path in sources]
    missing = [
        path for path, name in zip(sources, names, strict=True) if not (site / path.parent / f"{name}.html").exists()
    ]
    assert missing == []


def test_links_and_anchors_hold(site: Path, pages: dict[Path, Page]) -> None:
    broken: list[str] = []
    for path, page in pages.items():
        for link in {*page.links, *page.loads}:
            place, _, anchor = unquote(link).partition("#")
            if re.match(r"[a-z]+:", place):
                continue
            target = (path.parent / place.partition("?")[0]).resolve() if place else path
            if path.name == "404.html" and place.startswith("/"):
                target = site / place[1:]
            lacks_anchor = anchor and target in pages and anchor not in pages[target].ids
            if not target.exists() or (lacks_anchor and not anchor.startswith("__")):
                broken.append(f"{path.relative_to(site)}: {link}")
    assert broken == []


def test_no_page_loads_anything_from_a_network(site: Path, pages: dict[Path, Page]) -> None:
    outside = {load for page in pages.values() for load in page.loads if re.match(r"(https?:)?//", load)}
    assert outside == set()
    styles = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"(?:@import|url\()\s*[\"']?(?:https?:)?//[^)]*", styles) == []
    films = [path.read_text(encoding="utf-8") for path in (site / "pictures").rglob("*.html")]
    assert films
    assert not any(re.search(r"(src|href)=[\"']?(https?:)?//", film) for film in films)


def test_notebooks_show_what_their_cells_show(site: Path) -> None:
    gallery = (site / "gallery.html").read_text(encoding="utf-8")
    for path in notebooks():
        page = (site / "notebooks" / f"{path.stem}.html").read_text(encoding="utf-8")
        assert 'class="output"' in page
        assert f'src="notebooks/{path.stem}-1.' in gallery
        assert (site / "notebooks" / path.name).read_bytes() == path.read_bytes()
