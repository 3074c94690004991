"""The page of the command line: the help of every command, as it prints it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from html import escape
from io import StringIO
from typing import Any

from typer.main import get_command

from dynamis.cli.main import app
from website.reference import examples

_WIDE = 2000
"""Characters per line, so that no help text is broken."""


@cache
def help_text(*words: str) -> str:
    """What `dynamis WORDS --help` prints on a very wide terminal."""
    with redirect_stdout(StringIO()) as output:
        _group().main([*words, "--help"], prog_name="dynamis", standalone_mode=False, terminal_width=_WIDE)
    return output.getvalue()


@cache
def _group() -> Any:
    """All commands; `app` would make them anew for every help."""
    return get_command(app)


def names() -> list[str]:
    """The commands, in the order of `dynamis --help`."""
    return [name for name, _ in _rows(_sections(help_text())["Commands"])]


def page() -> str:
    """Every command with its arguments, options and an example."""
    parts = [
        "# Commands",
        "From `dynamis --help` and the help of every command. ROBOT is a shipped name, a `.toml` or a `.urdf` file."
        " Bad input ends in one sentence and exit code 2.",
        _table(
            (f"[`{name}`](#{name})", _escaped(_sections(help_text(name))[""].partition(chr(10))[0])) for name in names()
        ),
        "Before the command:",
        _options(_sections(help_text())),
    ]
    for name in names():
        sections = _sections(help_text(name))
        parts.append(f"## dynamis {name} {{ #{name} }}\n\n```text\n{sections['Usage']}\n```")
        parts += [_escaped(paragraph) for paragraph in sections[""].split("\n\n")]
        parts += [_options(sections, "Arguments"), _options(sections)]
        if example := examples().get(f"dynamis {name}"):
            parts.append(f"For example:\n\n```sh\n{example.strip()}\n```")
    return "\n\n".join(part for part in parts if part) + "\n"


def _options(sections: dict[str, str], name: str = "Options") -> str:
    """The options, or the arguments, in a table; all have --help."""
    rows = [row for row in _rows(sections.get(name, "")) if "--help" not in row[0]]
    return _table((f"`{option}`", _escaped(text)) for option, text in rows)


def _sections(text: str) -> dict[str, str]:
    """The usage, the description (without a name), arguments, options and commands."""
    usage, _, rest = text.strip().partition("\n")
    blocks = re.split(r"^(\w+):\n", rest, flags=re.MULTILINE)
    described = "\n".join(line.strip() for line in blocks[0].strip().split("\n"))
    return {"Usage": usage.removeprefix("Usage: "), "": described, **dict(zip(blocks[1::2], blocks[2::2], strict=True))}


def _rows(section: str) -> Iterator[tuple[str, str]]:
    """Names and texts; a long name has its text on the next line."""
    joined = re.sub(r"\n {4,}", "  ", section)
    for line in joined.strip("\n").split("\n") if section.strip() else ():
        name, _, text = line.strip().partition("  ")
        yield name, text.strip()


def _table(rows: Iterator[tuple[str, str]]) -> str:
    body = "\n".join(f"| {name} | {text} |" for name, text in rows)
    return f"| | |\n|---|---|\n{body}" if body else ""


def _escaped(text: str) -> str:
    """Help texts are not Markdown."""
    return re.sub(r"([\\`*_\[\]|])", r"\\\1", escape(text, quote=False))
