"""Where in an answer file something stands: complaints with line, column and a caret."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dynamis.errors import DynamisError, UnknownNameError

WINDOW = 76


class AnswerError(DynamisError):
    """An answer that cannot be read; the message ends with the line and a caret under the column."""

    def __init__(self, problem: str, caret: str, column: int) -> None:
        super().__init__(f"column {column}: {problem}\n{caret}")
        self.problem = problem
        self.column = column


class UnknownSymbolError(UnknownNameError):
    """A symbol that is neither the robot's nor defined by a `let` line."""

    def __init__(self, name: str, allowed: Iterable[str], caret: str, column: int) -> None:
        super().__init__("symbol", name, allowed)
        self.problem = self.message
        self.column = column
        self.message = f"column {column}: {self.message}\n{caret}"


@dataclass(frozen=True)
class Source:
    """The text of an answer file; positions are offsets into it."""

    text: str
    file: str

    def place(self, position: int) -> tuple[int, int, str]:
        """Line (from 1), column (from 1), and that line with a caret under the column."""
        position = min(position, len(self.text))
        start = self.text.rfind("\n", 0, position) + 1
        end = self.text.find("\n", position)
        line = self.text[start : end if end >= 0 else len(self.text)]
        column = position - start
        first = max(0, min(column - WINDOW // 2, len(line) - WINDOW))
        shown = "".join(c if c.isprintable() else " " for c in line[first : first + WINDOW])
        before, after = "..." * (first > 0), "..." * (first + WINDOW < len(line))
        caret = " " * (len(before) + column - first) + "^"
        return self.text.count("\n", 0, start) + 1, column + 1, f"    {before}{shown}{after}\n    {caret}"

    def error(self, position: int, problem: str) -> AnswerError:
        """A complaint about what stands at `position`."""
        line, column, caret = self.place(position)
        return AnswerError(problem, caret, column).at(self.file, line)

    def unknown(self, position: int, name: str, allowed: Iterable[str]) -> UnknownSymbolError:
        """An unknown symbol at `position`, with the nearest known one."""
        line, column, caret = self.place(position)
        return UnknownSymbolError(name, allowed, caret, column).at(self.file, line)
