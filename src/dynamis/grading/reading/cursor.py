"""The tokens of a formula, read from left to right."""

from __future__ import annotations

from dataclasses import dataclass

from dynamis.grading.reading.names import Vocabulary
from dynamis.grading.reading.source import AnswerError, Source
from dynamis.grading.reading.tokens import Token, tokenize


@dataclass(frozen=True)
class Columns:
    """Inside MATLAB's brackets: the depth of the entries, where blanks are not a product."""

    depth: int
    spaced: bool
    """Whether blanks separate the entries."""


class Cursor:
    """A place in the tokens of a part of the text."""

    def __init__(self, source: Source, names: Vocabulary, start: int, end: int) -> None:
        self.source, self.names = source, names
        self.tokens = _without_alignment(tokenize(source, start, end, names.known))
        self.position = 0
        self.depth: int = 0
        self.columns: Columns | None = None

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.position]

    @property
    def previous(self) -> Token:
        """The token taken last."""
        return self.tokens[self.position - 1]

    def ahead(self, count: int) -> Token:
        """The token after the next `count` ones; at the end, the end."""
        return self.tokens[min(self.position + count, len(self.tokens) - 1)]

    def advance(self) -> Token:
        token = self.token
        self.position = min(self.position + 1, len(self.tokens) - 1)
        return token

    def take(self, *allowed: str) -> str:
        """The next token if it is one of `allowed`, else an empty text."""
        if self.token.kind in ("operator", "command") and self.token.text in allowed:
            return self.advance().text
        return ""

    def expect(self, text: str, opened: Token | None = None) -> Token:
        token = self.token
        if not self.take(text):
            raise self.error(
                f'"{text}" is missing' if opened is None else f'the "{text}" for "{opened.text}" is missing'
            )
        return token

    def after_blank(self, position: int) -> bool:
        """Whether a blank precedes a token."""
        start = self.tokens[position].start
        return start > 0 and self.source.text[start - 1].isspace()

    def begins_column(self) -> bool:
        """Whether a sign is that of the next entry of a row: `[a -b]`, not `[a - b]` or `[a-b]`."""
        spaced = self.columns is not None and self.columns.spaced and self.columns.depth == self.depth
        return spaced and self.after_blank(self.position) and not self.after_blank(self.position + 1)

    def on_new_line(self) -> bool:
        """Whether the next token begins a line, and so a row, of a matrix in MATLAB's brackets; not after `...`."""
        text, start = self.source.text, self.token.start
        if self.columns is None or self.token.kind == "end":
            return False
        end = start
        while end and text[end - 1].isspace():
            end -= 1
        return "\n" in text[end:start] and text.rfind("...", self.previous.start, end) < 0

    def expect_end(self) -> None:
        """Nothing may follow."""
        token = self.token
        if token.text in (")", "]", "}"):
            raise self.error(f'this "{token.text}" closes no bracket')
        if token.kind in ("number", "name") or token.text == "(":
            raise self.error(f'an operator (+ - * /) is missing before "{token.text}"')
        if token.kind != "end":
            raise self.error(f'"{token.text}" is not expected here')

    def error(self, problem: str) -> AnswerError:
        return self.source.error(self.token.start, problem)


def _without_alignment(tokens: list[Token]) -> list[Token]:
    """Without the & of a sum that LaTeX breaks across lines; those of a matrix stay."""
    if any(token.kind == "command" and token.text == "begin" for token in tokens):
        return tokens
    return [token for token in tokens if token.text not in ("&", "\\\\")]
