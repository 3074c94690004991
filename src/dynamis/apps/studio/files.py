"""What the studio serves: its page, the scripts of live pages and its own, styles, the font of formulas."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from dynamis.base.shipped_files import PACKAGE
from dynamis.telling.renderers.html import EQUATION_STYLES
from dynamis.telling.renderers.math_font import font_file
from dynamis.telling.renderers.scripted import SHARED, json_in_html

OWN, LIVE, BIND = PACKAGE / "apps/studio/page", PACKAGE / "apps/live/page", PACKAGE / "apps/exports/texts/wasm/bind.mjs"
"""By their places: to import what they belong to takes longer than the page may take to show itself."""
SCRIPT = "text/javascript; charset=utf-8"
KINDS = {
    ".js": SCRIPT, ".mjs": SCRIPT, ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".ttf": "font/ttf",
}  # fmt: skip


def page_file(path: str, boot: dict[str, Any]) -> tuple[str, bytes] | None:
    """The kind and the bytes of what stands at a path; None where nothing does."""
    if path == "/":
        page = (OWN / "studio.html").read_text(encoding="utf-8")
        return "text/html; charset=utf-8", page.replace("{boot}", json_in_html(boot)).encode()
    if path == "/page/equations.css":
        return KINDS[".css"], EQUATION_STYLES.encode()
    file = files().get(path)
    return None if file is None else (KINDS[file.suffix], file.read_bytes())


@cache
def files() -> dict[str, Path]:
    """Every script, style and font by its address: no path of a request leads to a file, only one of this list does."""
    found = {BIND.name: BIND, "math.ttf": font_file()}
    for folder in (SHARED, LIVE, OWN):
        found |= {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.suffix in KINDS}
    return {f"/page/{name}": path for name, path in found.items() if path is not None}


def token_page(words: str = "") -> bytes:
    """Asks for the token."""
    page = (OWN / "token.html").read_text(encoding="utf-8")
    return page.replace("{words}", words).encode()
