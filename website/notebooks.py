"""The notebooks, executed by the build: one page each, with what their cells show."""

from __future__ import annotations

import json
import os
import platform
import re
import tempfile
from base64 import b64decode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDER = "notebooks"
PICTURES = {"image/svg+xml": "svg", "image/png": "png"}


def notebooks() -> list[Path]:
    """One per kind of user; the tests execute them."""
    return sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))


def title(path: Path) -> str:
    """The heading of its first cell."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "".join(cells[0]["source"]).partition("\n")[0].removeprefix("# ")


def can_execute() -> bool:
    """Whether what runs notebooks is installed; without it the site links to them."""
    return all(find_spec(name) for name in ("nbclient", "nbformat", "ipykernel"))


def executed(path: Path) -> Any:
    """The notebook with its outputs; kept for as long as neither it nor dynamis changes, because it takes seconds."""
    nbclient: Any = import_module("nbclient")
    nbformat: Any = import_module("nbformat")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dynamis" / "notebooks"
    kept = caches / f"{path.stem}-{sha256(path.read_bytes() + _state().encode()).hexdigest()[:16]}.ipynb"
    if kept.is_file():
        return nbformat.read(kept, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        resources = {"metadata": {"path": folder}}
        # A kernel warns that others on this machine could listen: nothing that they may not hear.
        quiet = ["--log-level=ERROR"]
        nbclient.NotebookClient(notebook, timeout=120, resources=resources, extra_arguments=quiet).execute()
    caches.mkdir(parents=True, exist_ok=True)
    for old in caches.glob(f"{path.stem}-*.ipynb"):
        old.unlink(missing_ok=True)
    half = kept.with_suffix(f".{os.getpid()}")
    nbformat.write(notebook, half)
    half.replace(kept)
    return notebook


@cache
def _state() -> str:
    """The hash of dynamis and of what it runs on."""
    whole = sha256(f"{platform.python_version()} {platform.platform()}".encode())
    for path in sorted((ROOT / "src").rglob("*")):
        if path.suffix in (".py", ".toml", ".html"):
            whole.update(path.read_bytes())
    return whole.hexdigest()


@cache
def files() -> tuple[tuple[str, str | bytes], ...]:
    """The notebooks themselves, their pages and the pictures on these."""
    whole: list[tuple[str, str | bytes]] = [(f"{FOLDER}/{path.name}", path.read_bytes()) for path in notebooks()]
    for path in notebooks() if can_execute() else []:
        whole += _page(path)
    return tuple(whole)


def picture(path: Path) -> str:
    """The first picture on its page; empty where there is none."""
    names = (name for name, _ in files() if name.startswith(f"{FOLDER}/{path.stem}-"))
    return next(names, "")


def _page(path: Path) -> Iterator[tuple[str, str | bytes]]:
    pictures: dict[str, bytes] = {}
    parts = ["---\nsearch:\n  exclude: true\n---\n"]
    for cell in executed(path).cells:
        parts.append(cell.source if cell.cell_type == "markdown" else _fenced(cell.source, "python"))
        parts += [_shown(output, path.stem, pictures) for output in cell.get("outputs", [])]
        if len(parts) == 2:
            parts.append(f"As the build of this site has run it. [Download the notebook]({path.name})")
    yield f"{FOLDER}/{path.stem}.md", "\n\n".join(part for part in parts if part) + "\n"
    for name, content in pictures.items():
        yield f"{FOLDER}/{name}", content


def _shown(output: Any, stem: str, pictures: dict[str, bytes]) -> str:
    """What an output shows, in the richest form that it has; pictures become files."""
    if output.output_type == "stream":
        return _fenced(output.text, "text") if output.name == "stdout" else ""
    data = output.get("data", {})
    for kind, suffix in PICTURES.items():
        if kind in data:
            name = f"{stem}-{len(pictures) + 1}.{suffix}"
            pictures[name] = b64decode(data[kind]) if suffix == "png" else data[kind].encode()
            return f"![What the cell shows]({name})"
    if "text/html" in data:
        # Charts of a result stand in its HTML: the first is the picture of the gallery, too.
        chart = re.search(r"<svg[^>]*xmlns=.*?</svg>", data["text/html"], re.DOTALL)
        if chart is not None and not pictures:
            pictures[f"{stem}-1.svg"] = chart[0].encode()
        return f'<div class="output" markdown="0">\n{data["text/html"]}\n</div>'
    return _fenced(data.get("text/plain", ""), "text")


def _fenced(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```" if text.strip() else ""
