"""The examples of the reference, run as their reader runs them, with their outputs as they are now.

`python -m tests.support.pages` writes the files in docs/reference/examples anew.
"""

from __future__ import annotations

import doctest
import re
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from tests.support.pages import reader
from website.reference import EXAMPLES, examples


def rewrite() -> None:
    """Every example with what it prints, in its place."""
    for path in sorted(EXAMPLES.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"^## (.+)\n((?:(?!## ).*\n)*)", _section, text, flags=re.MULTILINE), encoding="utf-8")


def _section(match: re.Match[str]) -> str:
    name, text = match[1], match[2]
    owner = name.partition(".")[0]
    if ">>> " not in text:
        return match[0]
    names: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder, reader(Path(folder)):
        if owner != name:
            _run(examples().get(owner, ""), names)
        now = _run(text, names)
    return f"## {name}\n{now}" + ("\n" if text.endswith("\n\n") else "")


def _run(text: str, names: dict[str, object]) -> str:
    """The statements, each with what it prints."""
    lines: list[str] = []
    for example in doctest.DocTestParser().get_examples(text):
        first, *more = example.source.rstrip("\n").split("\n")
        with redirect_stdout(StringIO()) as output:
            exec(compile(example.source, "example", "single"), names)
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in more), *output.getvalue().splitlines()]
    return "".join(f"{line}\n" for line in lines)
