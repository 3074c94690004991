"""Places in an answer file: errors with line, column and a caret."""

from __future__ import annotations

import difflib
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from dynamis.base.errors import DynamisError, literal, name_list

EXCERPT_WIDTH = 76
# Lines whose numbers are listed; of more their count is enough.
MAX_NUMBERS = 12


def lines_text(numbers: Iterable[int]) -> str:
    """line 3; lines 3, 4 and 7; of many only how many.

    >>> lines_text([3]), lines_text([3, 4, 7]), lines_text(range(30))
    ('line 3', 'lines 3, 4 and 7', '30 lines')
    """
    texts = [str(number) for number in dict.fromkeys(numbers)]
    if len(texts) > MAX_NUMBERS:
        return f"{len(texts)} lines"
    return f"line {texts[0]}" if len(texts) == 1 else f"lines {', '.join(texts[:-1])} and {texts[-1]}"


def nearest(name: str, allowed: Iterable[str]) -> str | None:
    """The known name that was meant: another number, another case, one letter too many or too few, a typo.

    I and J are both used for inertias.

    >>> nearest("lc3", ("m1", "lc2")), nearest("M1", ("m1",)), nearest("thetta1", ("theta1",)), nearest("k1", ("s1",))
    ('lc2', 'm1', 'theta1', None)
    >>> nearest("mcc", ("m1", "mc")), nearest("qq2", ("q1", "q2"))
    ('mc', 'q2')
    >>> nearest("J2", ("l2", "I2"))
    'I2'
    """
    stem, number = _stem(name)
    best: tuple[float, str] | None = None
    for candidate in allowed:
        other, its = _stem(candidate)
        if min(len(stem), len(other)) > 2:
            near = difflib.SequenceMatcher(None, stem, other).ratio()
        else:
            near = 1.0 if stem == other else 0.8 * (number == its and _is_slip(stem, other))
        score = near + 0.1 * (number == its)
        if near >= 0.8 and (best is None or score >= best[0]):
            best = score, candidate
    return best[1] if best else None


def _is_slip(a: str, b: str) -> bool:
    """Whether one of two words is the other with one letter put in, or with J for I."""
    if {a[:1], b[:1]} == {"i", "j"} and a[1:] == b[1:]:
        return True
    long, short = max(a, b, key=len), min(a, b, key=len)
    return bool(short) and any(long[:k] + long[k + 1 :] == short for k in range(len(long)))


def _stem(name: str) -> tuple[str, str]:
    plain = name[:60].casefold().replace("_", "")
    stem = plain.rstrip("0123456789")
    return stem, plain[len(stem) :]


class AnswerError(DynamisError):
    """An answer that cannot be read; its text ends with the line and a caret under the column."""

    def __init__(self, problem: str, caret: str, column: int) -> None:
        super().__init__(f"column {column}: {problem}")
        self.problem = problem
        self.caret = caret
        self.column = column

    def __str__(self) -> str:
        return f"{super().__str__()}\n{self.caret}"


class UsedLineError(AnswerError):
    """A line that uses one that cannot be read."""


class UnknownSymbolError(AnswerError):
    """A symbol that is neither the robot's nor defined in the file; only a name that is near is suggested."""

    def __init__(self, what: str, name: str, allowed: Iterable[str], hint: str, caret: str, column: int) -> None:
        self.name, self.allowed = name, tuple(allowed)
        self.nearest = nearest(name, self.allowed)
        near = f'; did you mean "{self.nearest}"?' if self.nearest is not None else ""
        super().__init__(
            f"unknown {what} {literal(name)}{near} (known: {name_list(self.allowed)}){hint}", caret, column
        )


def _room(text: str) -> int:
    """How many columns a terminal gives a text: dots above letters take none, wide characters two."""
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


@dataclass(frozen=True)
class Source:
    """The text of an answer file; positions are offsets into it."""

    text: str
    file: str
    original: str = ""
    """The text of the file, where `text` has blanks; empty where both are the same."""

    @cached_property
    def _lines(self) -> list[int]:
        """Where each line starts."""
        return [0, *(end.end() for end in re.finditer("\n", self.original or self.text))]

    def place(self, position: int) -> tuple[int, int, str]:
        """Line (from 1), column (from 1), and that line with a caret under the column."""
        text = self.original or self.text
        position = min(position, len(text))
        start = text.rfind("\n", 0, position) + 1
        end = text.find("\n", position)
        line = text[start : end if end >= 0 else len(text)]
        column = position - start
        first = max(0, min(column - EXCERPT_WIDTH // 2, len(line) - EXCERPT_WIDTH))
        visible = "".join(c if c.isprintable() else " " for c in line[first : first + EXCERPT_WIDTH])
        before, after = "..." * (first > 0), "..." * (first + EXCERPT_WIDTH < len(line))
        caret = " " * (len(before) + _room(line[first:column])) + "^"
        return bisect_right(self._lines, position), column + 1, f"    {before}{visible}{after}\n    {caret}"

    def error(self, position: int, problem: str) -> AnswerError:
        """An error about the text at `position`."""
        line, column, caret = self.place(position)
        return AnswerError(problem, caret, column).at(self.file, line)

    def unknown(
        self, position: int, name: str, allowed: Iterable[str], what: str = "symbol", hint: str = ""
    ) -> UnknownSymbolError:
        """An unknown symbol at `position`, with the nearest known one."""
        line, column, caret = self.place(position)
        return UnknownSymbolError(what, name, allowed, hint, caret, column).at(self.file, line)
