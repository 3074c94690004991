"""Where a reader stands among the tokens of a formula, and what it expects next."""

from __future__ import annotations

from dynamis.apps.grading.reading.source import AnswerError, Source
from dynamis.apps.grading.reading.tokens import Token


class Cursor:
    """A place among tokens, of which the last is the end of the text."""

    def __init__(self, source: Source, tokens: list[Token]) -> None:
        self.source, self.tokens, self.position = source, tokens, 0

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

    def expect(self, text: str, opening: Token | None = None) -> Token:
        token = self.token
        if not self.take(text):
            raise self.error(
                f'"{text}" is missing' if opening is None else f'the "{text}" for "{opening.text}" is missing'
            )
        return token

    def after_blank(self, position: int) -> bool:
        """Whether a blank precedes a token."""
        start = self.tokens[position].start
        return start > 0 and self.source.text[start - 1].isspace()

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
