"""ProgramBlocks and loops of a program: which lines may be run, or not, or several times. None of them is followed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

_OPENS = re.compile(r"\s*(if|else|elif|elseif|switch|case|otherwise|try|except|catch|for|parfor|while)\b(?!.*__name__)")
_END = re.compile(r"\s*end[\s;,]*$")
_CLOSED = re.compile(r"\bend[\s;,]*$")
_MATLAB = re.compile(r"^[ \t]*end[ \t]*;?[ \t]*$|[;,][ \t]*end\b", re.MULTILINE)
_LOOPS = "for", "parfor", "while"
_MIDDLE = ("else", "elseif", "case", "otherwise", "catch")


@dataclass(frozen=True)
class ProgramBlocks:
    """Where a reader stands in a program, statement by statement: the headers of the blocks around it."""

    text: str
    python: bool
    open: list[tuple[int, str, int]] = field(default_factory=list[tuple[int, str, int]])
    """Indentation, first word and place of every header that is open."""

    def enter(self, start: int, end: int) -> tuple[str, int]:
        """`branch` or `loop`, and the place of its header, if the statement between two places is in one."""
        line = self.text[self.text.rfind("\n", 0, start) + 1 : end]
        indent = len(line) - len(line.lstrip())
        header = _OPENS.match(self.text, start, end)
        if self.python:
            while self.open and self.open[-1][0] >= indent:
                self.open.pop()
        elif self.open and (_END.match(self.text, start, end) or (header and header[1] in _MIDDLE)):
            self.open.pop()
        words = [word for _, word, _ in self.open]
        kind = "branch" if any(word not in _LOOPS for word in words) else "loop" if words else ""
        here = kind, self.open[-1][2] if self.open else -1
        if header and (self.python or (self.has_ends and not _CLOSED.search(self.text[start:end]))):
            self.open.append((indent, header[1], start))
        return here

    @cached_property
    def has_ends(self) -> bool:
        """Whether blocks end with `end`, as in MATLAB; a sentence may begin with "for", too."""
        return _MATLAB.search(self.text) is not None
