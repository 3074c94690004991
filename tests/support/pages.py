"""The pages of the documentation as their reader runs them, block by block, and as they should then read.

In a folder of their own: a `toml` or `text` block with a title is written to a file of that name; `python` blocks run
one after the other, and an `output` block is what the one before it printed; `console` blocks have commands, and what
they print. A command that stands without output is not run.

`python -m tests.support.pages` writes all pages, and the examples of the reference, with the outputs as they are now,
and the page of the keys of JSON.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

DOCS = Path(__file__).parents[2] / "docs"
SETTINGS = {"MPLBACKEND": "Agg", "COLUMNS": "80", "SOURCE_DATE_EPOCH": "1767225600"}  # 2026-01-01
_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    """All pages that people wrote; those of the documents are written by a command, which has its own tests."""
    return sorted(path for path in DOCS.rglob("*.md") if path.parent.name != "documents")


def run(page: Path, folder: Path) -> tuple[str, dict[str, Any], str]:
    """The page with its outputs as they are now; the names that its Python leaves; all that its Python printed."""
    names: dict[str, Any] = {}
    printed: list[str] = [""]

    def block(match: re.Match[str]) -> str:
        kind, title, body = match[1], match[2], match[3]
        if title and kind in ("toml", "text"):
            (folder / title).write_text(body, encoding="utf-8")
        elif kind == "python":
            printed.append(_python(body, page.name, names))
        elif kind == "output":
            return f"```output\n{printed[-1]}```"
        elif kind == "console":
            return f"```console\n{''.join(_console(body))}```"
        return match[0]

    with reader(folder):
        text = _BLOCK.sub(block, page.read_text(encoding="utf-8"))
    return text, names, "".join(printed)


@contextmanager
def reader(folder: Path) -> Iterator[None]:
    """A terminal of 80 columns in that folder, always on the same day."""
    with chdir(folder), patch.dict(os.environ, SETTINGS), warnings.catch_warnings():
        yield


def _python(code: str, page: str, names: dict[str, Any]) -> str:
    with redirect_stdout(StringIO()) as output:
        exec(compile(code, page, "exec"), names)
    return output.getvalue()


def _console(body: str) -> Iterator[str]:
    """Commands with what they print; those of other programs, and those without output, as they are."""
    for command, output in re.findall(r"^(\$ [^\n]*\n)((?:(?!\$ ).*\n)*)", body, re.MULTILINE):
        yield command
        yield _command(command) if output and command.startswith("$ dynamis ") else output


def _command(line: str) -> str:
    from dynamis.cli import main

    words = shlex.split(line.removeprefix("$ "))
    with (
        redirect_stdout(StringIO()) as output,
        redirect_stderr(output),
        patch.object(sys, "argv", words),
        suppress(SystemExit),
    ):
        main.run()
    lines = output.getvalue().splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines if not line.startswith("warning:"))


if __name__ == "__main__":
    from tests.support import json_keys, verb_tables
    from tests.support.examples import rewrite

    rewrite()
    (DOCS / "json.md").write_text(json_keys.page(), encoding="utf-8")
    (DOCS / "verbs.md").write_text(verb_tables.page(), encoding="utf-8")
    for page in pages():
        with tempfile.TemporaryDirectory() as name:
            text, _, _ = run(page, Path(name))
        page.write_text(text, encoding="utf-8")
