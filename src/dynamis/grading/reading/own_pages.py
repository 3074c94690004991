"""Pages of `dynamis derive`, read back: the results, without the words and the steps to them.

Read are M, c, C, g, T, U, tau and J, whole or by their entries, and what they are written in: the named terms of a
recursive form and the dynamic coefficients. A formula that the page cuts is not read. Nothing moves: what is not read
becomes blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dynamis.grading.reading.unicode import ascii_name

WHAT = "M, c, C, g, T, U, tau, J, named terms and coefficients"
_TITLE = (
    r"(?:Equations of motion|Dynamic coefficients|Base inertial parameters|Regressor of the inertial parameters"
    r"|(?:M|c|C|christoffel|g|tau|T|U|J|Jv|Jw)(?:\\?\[[\d,]+\\?\])?) of [^\n]{1,200}"
)
_OWN = re.compile(rf"\A\s*{_TITLE}\n=+\n|\\section\*\{{{_TITLE}\}}\n|\A\s*\# {_TITLE}\n")
_PARAGRAPH = re.compile(r"(?:(?: {4}|\t)[^\n]+(?:\n|\Z))+")
_TEXT_ROW = re.compile(r" {4}(?:([^\s=]+)| *) = ")
_LATEX_ROW = re.compile(r"([^&]*)&= ")
_READ = re.compile(r"(?:tau|m|M|c|C|g|J|Jv|Jw|T|U)\d*|(?:x|y|z|t|named|a|b|h|p|alpha)\d+")
# A rule in general, or a formula of which the page has only the beginning.
_RULE = re.compile(r"[\u03a3\u2202\u2026]|\\(?:sum|partial|cdots)(?![A-Za-z])")
BOX = "\u2502"


@dataclass
class _Row:
    """A line with an equals sign and its continuation lines, as places in the text."""

    name: str
    start: int
    equals: int
    end: int


def is_own_page(text: str) -> bool:
    """Whether a text is a page of `dynamis derive`, as text, LaTeX or Markdown."""
    return _OWN.search(text, 0, 2000) is not None


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of the equations of a page in text."""
    return (found.span() for found in _PARAGRAPH.finditer(text))


def results(block: str) -> str:
    """`tau1 = m11 qdd1 + ... = (...)` as `tau1 = (...)`, entry by entry; what is not read is blank."""
    kept = list(re.sub(r"[^\n]", " ", block))
    rows = list(_rows(block))
    for first, last in _entries(rows):
        value = block[last.equals + 1 : last.end]
        if not _READ.fullmatch(first.name) or _RULE.search(value):
            continue
        if BOX in value:
            if len(rows) == 1:
                _boxed(block, kept, first)
            continue
        kept[first.start : first.equals + 1] = block[first.start : first.equals + 1]
        kept[first.equals + 1 : last.equals + 1] = " " * (last.equals - first.equals)
        kept[last.equals + 1 : last.end] = value
    return "".join(kept)


def _rows(block: str) -> Iterator[_Row]:
    pattern = _LATEX_ROW if "&=" in block else _TEXT_ROW
    found: _Row | None = None
    place = 0
    for line in block.splitlines(keepends=True):
        if begins := pattern.match(line):
            if found is not None:
                yield found
            found = _Row(_plain(begins[1] or ""), place, place + begins.end() - 2, place)
        if found is not None and not line.startswith(("\\end", "$$")):
            found.end = place + len(line)
        place += len(line)
    if found is not None:
        yield found


def _entries(rows: list[_Row]) -> Iterator[tuple[_Row, _Row]]:
    """The row with a name, and the last one of its chain of equalities."""
    for k, row in enumerate(rows):
        if row.name:
            more = next((j for j in range(k + 1, len(rows)) if rows[j].name), len(rows))
            yield row, rows[more - 1]


def _plain(name: str) -> str:
    return re.sub(r"[\\_{},\s]", "", name) if "\\" in name or "_" in name else ascii_name(name.strip())


def _boxed(block: str, kept: list[str], row: _Row) -> None:
    """A matrix between bars, its name before the first of its lines."""
    kept[:] = block
    width = row.equals + 1 - row.start
    kept[row.start : row.start + width] = " " * width
    kept[:width] = block[row.start : row.start + width]
