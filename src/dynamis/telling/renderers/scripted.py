"""Pages that compute: one HTML file with its data, styles and scripts in it, which asks for nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dynamis.telling.renderers.policy import policy

SHARED = Path(__file__).parents[1] / "scripts"
"""Scripts and styles of pages of several kinds: elements, vectors, the viewer in three dimensions, the player."""
_IMPORT = re.compile(r'^import [^;]*? from "[^"]*";\n', re.MULTILINE)


def one_script(scripts: Iterable[Path | str]) -> str:
    """ES modules, files or texts, one after the other, without their imports and exports: each uses those before it."""
    texts = (x if isinstance(x, str) else x.read_text(encoding="utf-8") for x in scripts)
    return "\n".join(re.sub(r"^export ", "", _IMPORT.sub("", text), flags=re.MULTILINE) for text in texts)


def json_in_html(data: Any, *, compact: bool = False) -> str:
    """Data inside of HTML: no text of it can end the element."""
    text = json.dumps(data, ensure_ascii=compact, allow_nan=False, separators=(",", ":") if compact else None)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def scripted_page(title: str, body: str, data: str, script: str, style: str, *, wasm: bool = False) -> str:
    """The file; its script finds `data`, JSON, in the element of that id. `title` and `body` are HTML."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f"{policy(f'{chr(10)}{script}', f'{chr(10)}{style}', wasm=wasm)}\n"
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n'
        f"<style>\n{style}</style></head>\n<body>\n{body}"
        f'<script type="application/json" id="data">{data}</script>\n'
        f'<script type="module">\n{script}</script>\n</body></html>\n'
    )
