"""Branches, loops and functions of a program: which lines may be run, or not, or several times. None is followed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from dynamis.grading.reading.source import Source, lines_text

_OPENS = re.compile(r"\s*(if|else|elif|elseif|switch|case|otherwise|try|except|catch|for|parfor|while)\b(?!.*__name__)")
_NEVER = re.compile(
    r"\s*(?:if|elif|elseif|while)\b[ \t(]*"
    r"(?:False|false|0|None|not[ \t(]{1,9}(?:True|1)|[~!]{1,2}true)[ \t)]*:?[\s;,]*$"
)
_FUNCTION = re.compile(r"\s*(?:def[ \t]+|function\b(?:[^=\n]{0,80}=)?[ \t]*)([A-Za-z]\w{0,60})[ \t]*(?=[(\n;]|$)")
_RETURN = re.compile(r"\s*return\b")
_END = re.compile(r"\s*end[\s;,]*$")
_CLOSED = re.compile(r"\bend[\s;,]*$")
_MATLAB = re.compile(r"^[ \t]*end[ \t]*;?[ \t]*$|[;,][ \t]*end\b", re.MULTILINE)
_LOOPS = "for", "parfor", "while"
_MIDDLE = ("else", "elseif", "case", "otherwise", "catch")


@dataclass(frozen=True)
class Block:
    """Where a statement stands."""

    kind: str = ""
    """never (it is not run), branch, loop, or nothing."""
    place: int = -1
    """Where its innermost header begins."""
    function: str = ""
    """The function that it is part of."""


@dataclass(frozen=True)
class ProgramBlocks:
    """Where a reader stands in a program, statement by statement: the headers of the blocks around it."""

    text: str
    python: bool
    open: list[tuple[int, str, int]] = field(default_factory=list[tuple[int, str, int]])
    """Indentation, first word and place of every header that is open."""
    functions: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])
    """Indentation and name of every function that is open."""

    def enter(self, start: int, end: int) -> Block:
        """The block of the statement between two places, which may be the header of the next one."""
        line = self.text[self.text.rfind("\n", 0, start) + 1 : end]
        indent = len(line) - len(line.lstrip())
        header, function = _OPENS.match(self.text, start, end), _FUNCTION.match(self.text, start, end)
        never = _NEVER.match(self.text, start, end)
        by_indent = self.python or not self.has_ends
        if by_indent:
            while self.open and self.open[-1][0] >= indent:
                self.open.pop()
        elif self.open and (_END.match(self.text, start, end) or (header and header[1] in _MIDDLE)):
            self.open.pop()
        while self.functions and ((self.python and self.functions[-1][0] >= indent) or (function and not self.python)):
            self.functions.pop()
        here = self._here()
        if header and (self.python or never or (self.has_ends and not _CLOSED.search(self.text[start:end]))):
            self.open.append((indent, "never" if never else header[1], start))
        elif self.python and _RETURN.match(self.text, start, end):
            self.open.append((indent - 1, "never", start))  # what follows in its block
        if function:
            self.functions.append((indent, function[1]))
        return here

    def _here(self) -> Block:
        function = self.functions[-1][1] if self.functions else ""
        for _, word, place in self.open:
            if word == "never":
                return Block("never", place, function)
        kind = "branch" if any(word not in _LOOPS for _, word, _ in self.open) else "loop" if self.open else ""
        return Block(kind, self.open[-1][2] if self.open else -1, function)

    @cached_property
    def has_ends(self) -> bool:
        """Whether blocks end with `end`, as in MATLAB; a sentence may begin with "for", too."""
        return _MATLAB.search(self.text) is not None


def block_notes(source: Source, places: Iterable[tuple[int, Block]]) -> Iterator[str]:
    """What must be said of formulas in blocks, each with the place where it begins."""
    lines: dict[Block, list[int]] = {}
    for place, block in places:
        lines.setdefault(block, []).append(source.place(place)[0])
    for block, numbers in lines.items():
        if block.kind in ("branch", "loop"):
            what = "is taken" if block.kind == "branch" else "runs once"
            header = source.place(block.place)[0]
            verb = "was" if len(set(numbers)) == 1 else "were"
            yield f"{lines_text(numbers)} {verb} read as if the {block.kind} of line {header} {what}"
    is_script = any(not block.function for block in lines)
    for name in dict.fromkeys(block.function for block in lines if block.function and is_script):
        if len(re.findall(rf"\b{name}\b", source.text)) == 1:
            numbers = [number for block, those in lines.items() if block.function == name for number in those]
            verb = "is" if len(set(numbers)) == 1 else "are"
            yield f"{lines_text(numbers)} {verb} in the function {name}, which nothing in this file calls"
