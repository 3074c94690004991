"""What the studio serves: its page, the scripts of live pages and its own, styles, the font of formulas."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from dynamis.document.renderers.html import EQUATION_STYLES
from dynamis.document.renderers.math_font import rule
from dynamis.shipped_files import PACKAGE

OWN, LIVE, BIND = PACKAGE / "studio/page", PACKAGE / "live/page", PACKAGE / "exports/texts/wasm/bind.mjs"
"""By their places: to import what they belong to takes longer than the page may take to show itself."""
KINDS = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
GLYPHS = (
    (0x20, 0x7F), (0xA0, 0x100), (0x300, 0x370), (0x370, 0x400), (0x2010, 0x2070), (0x20D0, 0x20F0), (0x2100, 0x2150),
    (0x2190, 0x2200), (0x2200, 0x2300), (0x2308, 0x230C), (0x239B, 0x23B4), (0x27E6, 0x27F0), (0x1D400, 0x1D800),
)  # fmt: skip
"""What formulas may be made of: letters, Greek ones, accents, signs, arrows, brackets, letters of mathematics."""


def page_file(path: str, boot: dict[str, Any]) -> tuple[str, bytes] | None:
    """The kind and the bytes of what stands at a path; None where nothing does."""
    if path == "/":
        page = (OWN / "studio.html").read_text(encoding="utf-8")
        return "text/html; charset=utf-8", page.replace("{boot}", _safe(json.dumps(boot))).encode()
    folder, _, name = path.rpartition("/")
    if folder != "/page":
        return None
    if name == "math.css":
        return "text/css; charset=utf-8", (math_rule() + EQUATION_STYLES).encode()
    file = files().get(name)
    return None if file is None else (f"{KINDS[file.suffix]}; charset=utf-8", file.read_bytes())


@cache
def files() -> dict[str, Path]:
    """Every script and style by its name: no path of a request leads to a file, only a name in this list does."""
    found = [path for folder in (LIVE, OWN) for path in sorted(folder.iterdir()) if path.suffix in KINDS]
    return {path.name: path for path in (BIND, *found)}


@cache
def math_rule() -> str:
    """The font of formulas, as a rule of CSS."""
    return rule(frozenset(chr(code) for first, end in GLYPHS for code in range(first, end)))


def _safe(data: str) -> str:
    """JSON inside of HTML: no text of it can end the element."""
    return data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def token_page(words: str = "") -> bytes:
    """Asks for the token."""
    page = (OWN / "token.html").read_text(encoding="utf-8")
    return page.replace("{words}", words).encode()
