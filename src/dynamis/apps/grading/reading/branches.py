"""Branches, loops and functions of a program: which lines may be run, or not, or several times. None is followed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from dynamis.apps.grading.reading.conditions import MAX_LENGTH, constants, never_repeats, truth
from dynamis.apps.grading.reading.source import Source, lines_text

_OPENS = re.compile(r"\s*(if|else|elif|elseif|switch|case|otherwise|try|except|catch|for|parfor|while)\b(?!.*__name__)")
_CONDITION = re.compile(r"\s*(?:if|elif|elseif|while)\b([^\n]*?)(?::[^\n]*|[\s;,]*)$")
_FUNCTION = re.compile(r"\s*(?:def[ \t]+|function\b(?:[^=\n]{0,80}=)?[ \t]*)([A-Za-z]\w{0,60})[ \t]*(?=[(\n;]|$)")
_LEAVES = re.compile(r"\s*(?:return\b|raise\b|(?:continue|break)[\s;]*$|(?:sys\.|os\.)?_?(?:exit|quit)\b[ \t(])")
_LEAVES_MATLAB = re.compile(r"\s*(?:return|quit|exit)[\s;,]*$")
_END = re.compile(r"\s*end[\s;,]*$")
_CLOSED = re.compile(r"\bend[\s;,]*$")
_MATLAB = re.compile(r"^[ \t]*end[ \t]*;?[ \t]*$|[;,][ \t]*end\b", re.MULTILINE)
_LOOPS = "for", "parfor", "while"
_MIDDLE = ("else", "elseif", "case", "otherwise", "catch")
_ELSE = ("else", "elif", "elseif")


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
        before = ""
        if self.python or not self.has_ends:
            while self.open and self.open[-1][0] >= indent:
                before = self.open.pop()[1]
        elif self.open and (_END.match(self.text, start, end) or (header and header[1] in _MIDDLE)):
            before = self.open.pop()[1]
        while self.functions and ((self.python and self.functions[-1][0] >= indent) or (function and not self.python)):
            self.functions.pop()
        here = self._here()
        word = self._word(header[1], start, end, before) if header else ""
        if header and (self.python or word == "never" or (self.has_ends and not _CLOSED.search(self.text[start:end]))):
            self.open.append((indent, word, start))
        elif (_LEAVES if self.python else _LEAVES_MATLAB).match(self.text, start, end):
            if not self.python and self.has_ends and self.open:
                self.open.pop()  # what follows is in the same block, and ends with it
            self.open.append((indent - 1, "never", start))
        if function:
            self.open[:] = self.open if self.python else []
            self.functions.append((indent, function[1]))
        return here

    def _word(self, word: str, start: int, end: int, before: str) -> str:
        """The first word of a header; `never` or `always` where its condition is constant."""
        if word in _ELSE and before == "always":
            return "never"
        if word in ("for", "parfor"):
            return "never" if never_repeats(self.text[start:end]) else word
        condition = _CONDITION.match(self.text, start, end) if end - start <= MAX_LENGTH else None
        is_true = truth(condition[1], self.constants) if condition else None
        return word if is_true is None else "always" if is_true and word == "if" else word if is_true else "never"

    @cached_property
    def constants(self) -> dict[str, str]:
        """The constants of the program."""
        return constants(self.text)

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
