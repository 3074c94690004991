"""An answer file in its lines: `let`, `given`, and `NAME[row, column] = ...`.

`#` and `%` begin a comment. A line goes on while a bracket or a matrix is open, after `...`, after a
sign, and before one. `M12 = M21 = ...` says both; `g1 = ... = ...` gives two forms, and both are checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from dynamis.answers.pages import ready
from dynamis.answers.place import Source

MAX_STATEMENTS = 2000
_NEW = re.compile(r"\s*(?:let\b|given\b|[^\W\d_\\]?[\w\\{}^,:\s\[\]()$&]*?=)")
_LEAD = r"(?:\s|&|\\quad(?![A-Za-z])|\\qquad(?![A-Za-z])|\\[,;:! ]|\{\})*"
_GOES_ON = re.compile(rf"{_LEAD}(?:[-+*/\u2212\u00b7]|\\cdot(?![A-Za-z])|\\times(?![A-Za-z]))")
_SAME_LEFT = re.compile(rf"{_LEAD}=")
_UNFINISHED = re.compile(r"(?:\.\.\.|=)[\s&$]*\Z")
_SIGN = re.compile(r"(?:[-+*/,(\u2212\u00b7]|\\cdot|\\times)[\s&$]*\Z")
_DEPTH = re.compile(r"\\begin\b|\\end\b|[\[({})\]]")
_EQUALS = re.compile(r":?={1,2}")
_BLANK = " \t$\r\v"


@dataclass(frozen=True)
class Statement:
    """A line of an answer: `kind` is let, given or answer; the sides are parts of the text."""

    kind: str
    left: str
    left_start: int
    start: int
    end: int


IsEntry = Callable[[str], bool]
"""Whether a text such as `M21` can stand on the left."""


def statements(source: Source, is_entry: IsEntry) -> tuple[Source, list[Statement]]:
    """The lines, and the source with all that is not a formula blanked, so that columns stay."""
    clean = Source(ready(source.text), source.file, source.text)
    found: list[Statement] = []
    for start, end in _lines(clean.text):
        found += _line(clean, start, end, is_entry, found[-1] if found else None)
        if len(found) > MAX_STATEMENTS:
            raise source.error(found[MAX_STATEMENTS].start, f"an answer has at most {MAX_STATEMENTS} lines")
    if not any(statement.kind == "answer" for statement in found):
        raise source.error(0, "there is no answer to check; write a line such as M[1,1] = ...")
    return clean, found


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of every line, with those that it goes on in."""
    start, position, depth = 0, 0, 0
    ends = [found.start() for found in re.finditer(r"[\n\v]", text)]
    for k, end in enumerate([*ends, len(text)]):
        for token in _DEPTH.findall(text, position, end):
            depth += 1 if token in ("\\begin", "[", "(", "{") else -1
        following = ends[k + 1] if k + 1 < len(ends) else len(text)
        rest = text[end + 1 : following]
        soft = text[end : end + 1] == "\v" and "=" not in rest and rest.strip(_BLANK + "&") != ""
        tail = text[max(start, end - 40) : end]
        is_open = (depth > 0 or _SIGN.search(tail) is not None) and not _NEW.match(rest)
        goes_on = is_open or soft or _GOES_ON.match(rest) is not None or _UNFINISHED.search(tail) is not None
        position = end + 1
        if not goes_on or position >= len(text):
            if text[start:end].strip(_BLANK + "&\n"):
                yield from _pieces(text, start, end)
            start, depth = position, 0


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A line of MATLAB with several statements: `g(1) = a; g(2) = b`."""
    depth, first = 0, start
    for found in re.finditer(r"\\.|[\[({;})\]]", text[start:end]):
        depth += {"[": 1, "(": 1, "{": 1, "]": -1, ")": -1, "}": -1}.get(found[0], 0)
        at = start + found.end()
        if found[0] == ";" and depth == 0 and "=" in text[first:at] and "=" in text[at:end]:
            yield first, at
            first = at
    yield first, end


def _line(source: Source, start: int, end: int, is_entry: IsEntry, before: Statement | None) -> Iterator[Statement]:
    text = source.text[start:end]
    word = re.match(r"\s*(let|given)\b", text)
    if word is None:
        yield from _answers(source, start, end, is_entry, before)
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


def _answers(source: Source, start: int, end: int, is_entry: IsEntry, before: Statement | None) -> Iterator[Statement]:
    """One line, with all of its signs of equality."""
    if before is not None and before.kind == "answer" and _SAME_LEFT.match(source.text, start, end):
        first = replace(_sides(source, "answer", start, end, nameless=True), left=before.left)
        lefts = [replace(first, left_start=before.left_start)]
    else:
        lefts = [_sides(source, "answer", start, end)]
    while more := _EQUALS.search(source.text, lefts[-1].start, end):
        last = lefts[-1]
        middle = source.text[last.start : more.start()]
        following = _sides(source, "answer", last.start, end)
        if is_entry(middle):
            lefts.append(following)
        else:
            yield from (replace(left, start=last.start, end=_stop(source, last.start, more.start())) for left in lefts)
            lefts = [replace(left, start=following.start, end=following.end) for left in lefts]
    # "M =" above its entries "M11 = ..." is a heading.
    shown = [left for left in lefts if is_entry(left.left)] or lefts
    yield from (replace(left, start=lefts[-1].start, end=lefts[-1].end) for left in shown)


def _sides(source: Source, kind: str, start: int, end: int, nameless: bool = False) -> Statement:
    equals = _EQUALS.search(source.text, start, end)
    blank = len(source.text[start:end]) - len(source.text[start:end].lstrip())
    if equals is None:
        example = "M[1,1] = m1*l1^2" if kind == "answer" else f"{kind} L1 = l1"
        raise source.error(start + blank, f'"=" is missing; a line is like {example}')
    left = source.text[start : equals.start()].strip()
    if not left.strip(_BLANK + "&\n") and not nameless:
        raise source.error(equals.start(), 'a name is expected before "="')
    return Statement(kind, left, start + blank, equals.end(), _stop(source, equals.end(), end))


def _stop(source: Source, start: int, end: int) -> int:
    """Without what is MATLAB's or LaTeX's at the end, not the formula's: a semicolon, a full stop, a dollar sign."""
    return start + len(source.text[start:end].rstrip(" \t\r\v\n,;$.\\&"))
