"""Docstrings as Markdown: prose as it is, lists of arguments as tables, examples as code."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ARGUMENT = re.compile(r"(?P<names>[\w*][\w*., ]*?)(?:\s{2,}|:\s)(?P<text>\S.*)")


def markdown(docstring: str) -> str:
    """The whole docstring."""
    return "\n\n".join(_block(block) for block in _blocks(docstring))


def has_example(docstring: str) -> bool:
    """Whether a doctest is in it."""
    return ">>> " in docstring


def code(example: str) -> str:
    """A doctest as a block of code."""
    return f"```pycon\n{example.strip()}\n```"


def _blocks(docstring: str) -> Iterator[str]:
    """Paragraphs; an example with blank lines in it, up to the next prose, is one."""
    example: list[str] = []
    for block in re.split(r"\n\s*\n", docstring.strip("\n")):
        if block.lstrip().startswith(">>>"):
            example.append(block)
            continue
        if example:
            yield "\n\n".join(example)
            example = []
        yield block
    if example:
        yield "\n\n".join(example)


def _block(block: str) -> str:
    if block.lstrip().startswith(">>>"):
        return code(block)
    before, _, example = block.partition("\n>>>")
    if example:
        return f"{_block(before)}\n\n{code('>>>' + example)}"
    lines = block.split("\n")
    if all(line.startswith("  ") for line in lines):
        return f"```text\n{block}\n```"
    rows = list(_rows(lines))
    return _table(rows) if len(rows) > 1 or (rows and "  " in lines[0]) else block


def _rows(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Names and texts of a list of arguments; nothing if the lines are not one."""
    rows: list[tuple[str, str]] = []
    for line in lines:
        if rows and line.startswith("  "):
            names, text = rows[-1]
            rows[-1] = names, f"{text} {line.strip()}"
        elif match := _ARGUMENT.fullmatch(line):
            rows.append((match["names"], match["text"]))
        else:
            return
    yield from rows


def _table(rows: list[tuple[str, str]]) -> str:
    def cell(text: str) -> str:
        return text.replace("|", "\\|")

    body = "\n".join(
        f"| {', '.join(f'`{name.strip()}`' for name in names.split(','))} | {cell(text)} |" for names, text in rows
    )
    return f"| | |\n|---|---|\n{body}"
