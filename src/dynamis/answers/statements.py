"""An answer file in its lines: `let`, `given`, and `NAME[row, column] = ...`.

`#` and `%` begin a comment. A line goes on while a bracket or a matrix is open, or after `...`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dynamis.answers.place import Source

MAX_STATEMENTS = 2000
_COMMENT = re.compile(r"(?<!\\)[#%][^\n]*")
_FRAME = re.compile(
    r"\\(?:begin|end)\{(?:align|aligned|equation|gather|split|document)\*?\}|\\tag\{[^}\n]*\}|\\nonumber"
)
_NEW = re.compile(r"\s*(?:let\b|given\b|[^\W\d_\\]?[\w\\{}^,:\s\[\]()$&]*?=)")
_GOES_ON = re.compile(r"\s*&?(?:\s|\\quad|\\qquad|\{\})*[-+*/\u2212\u00b7]")
_DEPTH = re.compile(r"\\begin\b|\\end\b|[\[({})\]]")
_EQUALS = re.compile(r"=")


@dataclass(frozen=True)
class Statement:
    """A line of an answer: `kind` is let, given or answer; the sides are parts of the text."""

    kind: str
    left: str
    left_start: int
    start: int
    end: int


def statements(source: Source) -> tuple[Source, list[Statement]]:
    """The lines, and the source with its comments blanked so that columns stay."""
    blanked = _COMMENT.sub(lambda found: " " * len(found[0]), source.text)
    clean = Source(_FRAME.sub(lambda found: " " * len(found[0]), blanked), source.file)
    found = [statement for start, end in _lines(clean.text) for statement in _line(clean, start, end)]
    if len(found) > MAX_STATEMENTS:
        raise source.error(found[MAX_STATEMENTS].start, f"an answer has at most {MAX_STATEMENTS} lines")
    if not any(statement.kind == "answer" for statement in found):
        raise source.error(0, "there is no answer to check; write a line such as M[1,1] = ...")
    return clean, found


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every line, with those that it goes on in."""
    start, position, depth = 0, 0, 0
    while position < len(text):
        end = text.find("\n", position)
        end = len(text) if end < 0 else end
        for token in _DEPTH.findall(text, position, end):
            depth += 1 if token in ("\\begin", "[", "(", "{") else -1
        following = text.find("\n", end + 1)
        rest = text[end + 1 : following if following >= 0 else len(text)]
        goes_on = depth > 0 and not _NEW.match(rest)
        goes_on = goes_on or _GOES_ON.match(rest) is not None or text[start:end].rstrip().endswith(("...", "="))
        position = end + 1
        if not goes_on or position >= len(text):
            if text[start:end].strip(" \t$\r"):
                yield start, end
            start, depth = position, 0


def _line(source: Source, start: int, end: int) -> Iterator[Statement]:
    text = source.text[start:end]
    word = re.match(r"\s*(let|given)\b", text)
    if word is None:
        yield _sides(source, "answer", start, end)
        return
    begin = start + word.end()
    depth = 0
    for position in range(begin, end):
        character = source.text[position]
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            yield _sides(source, word[1], begin, position)
            begin = position + 1
    yield _sides(source, word[1], begin, end)


def _sides(source: Source, kind: str, start: int, end: int) -> Statement:
    equals = _EQUALS.search(source.text, start, end)
    blank = len(source.text[start:end]) - len(source.text[start:end].lstrip())
    if equals is None:
        example = "M[1,1] = m1*l1^2" if kind == "answer" else f"{kind} L1 = l1"
        raise source.error(start + blank, f'"=" is missing; a line is like {example}')
    left = source.text[start : equals.start()].strip()
    if not left:
        raise source.error(equals.start(), 'a name is expected before "="')
    # A semicolon, a full stop or a dollar sign at the end is MATLAB's or LaTeX's, not the formula's.
    stop = equals.end() + len(source.text[equals.end() : end].rstrip(" \t\r,;$.\\"))
    return Statement(kind, left, start + blank, equals.end(), stop)
