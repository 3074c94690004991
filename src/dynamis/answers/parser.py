"""The parser of answers: text to scalars of the common ring, never evaluated as code.

    sum     = product {("+" | "-") product}
    product = power {["*"] power | "/" power}            LaTeX and Unicode may leave out the sign
    power   = {"+" | "-"} atom ["^" integer]
    atom    = number | name | function argument | \\frac{sum}{sum} | bracket

Lengths, depths, exponents and the number of terms are bounded, so a hostile text is refused at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from fractions import Fraction

from dynamis.answers.names import Names
from dynamis.answers.place import Source
from dynamis.answers.ring import Meeting
from dynamis.answers.tokens import FUNCTIONS, Token, products_need_no_sign, tokenize
from dynamis.errors import ArgumentError, ExpressionError
from dynamis.exact.ring import Exact
from dynamis.model.parser import MAX_DEPTH, MAX_EXPONENT, as_expression

CLOSING = {"(": ")", "[": "]", "{": "}"}
DERIVATIVE_ORDERS = {",t)": "d", ",t,t)": "dd", ",(t,2))": "dd", ",t,2)": "dd"}
DERIVATIVES = ("Derivative", "diff")
Reading = Callable[[str, Fraction], Fraction]


def as_written(text: str, value: Fraction) -> Fraction:
    """A number is what it says."""
    return value


class AnswerParser:
    """Reads the right side of one line of an answer."""

    def __init__(self, source: Source, names: Names, start: int, end: int, reading: Reading = as_written) -> None:
        self.source, self.names, self.reading = source, names, reading
        self.meeting: Meeting = names.meeting
        self.tokens = _without_alignment(tokenize(source, start, end, names.known))
        self.loose = products_need_no_sign(source.text[start:end])
        self.position = 0
        self.depth = 0

    def scalar(self) -> Exact:
        """The whole text as one scalar."""
        value = self.sum()
        self.finished()
        return value

    def sum(self) -> Exact:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"at most {MAX_DEPTH} brackets stand inside each other")
        total = self.product()
        while sign := self.take("+", "-"):
            term = self.product()
            total = total + term if sign == "+" else total - term
        self.depth -= 1
        return total

    def product(self) -> Exact:
        result = self.power()
        while True:
            start = self.token.start
            if self.take("*") or (self.loose and self.starts_factor()):
                factor = self.power()
                with self.at(start):
                    result = self.meeting.product(result, factor)
            elif self.take("/"):
                start, factor = self.token.start, self.power()
                with self.at(start):
                    result = self.meeting.quotient(result, factor)
            else:
                return result

    def starts_factor(self) -> bool:
        kind, text = self.token.kind, self.token.text
        return kind in ("number", "name") or text in ("(", "{", "[") or (kind == "command" and text != "end")

    def power(self) -> Exact:
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign == "-"
        base, start = self.atom(), self.token.start
        if self.take("^"):
            exponent = self.exponent()
            if self.token.text == "^":
                raise self.error("a power of a power needs brackets")
            with self.at(start):
                base = self.meeting.power(base, exponent)
        return -base if negative else base

    def exponent(self) -> int:
        bracket = self.take("(", "{")
        sign = -1 if self.take("-") else 1
        token = self.advance()
        if token.kind != "number" or not token.text.isdigit() or len(token.text) > 2 or int(token.text) > MAX_EXPONENT:
            allowed = f"an exponent is a whole number from -{MAX_EXPONENT} to {MAX_EXPONENT}"
            raise self.source.error(token.start, allowed)
        if bracket:
            self.expect(CLOSING[bracket])
        return sign * int(token.text)

    def atom(self) -> Exact:
        token = self.advance()
        if token.kind == "number":
            with self.at(token.start):
                value: Fraction = getattr(as_expression(token.text), "value", Fraction(0))
                return self.meeting.ring.number(self.reading(token.text, value))
        if token.kind == "end":
            raise self.source.error(token.start, "the text ends where a number, a name or a bracket is expected")
        if token.text in ("(", "{") or (token.text == "[" and self.loose):
            inner = self.sum()
            self.expect(CLOSING[token.text], token)
            return inner
        if token.text in ("frac", "tfrac", "dfrac"):
            above, start, below = self.group(), self.token.start, self.group()
            with self.at(start):
                return self.meeting.quotient(above, below)
        if token.text in FUNCTIONS:
            return self.call(token)
        if token.kind != "name":
            shown = f"\\{token.text}" if token.kind == "command" else token.text
            raise self.source.error(token.start, f'a number, a name or a bracket is expected before "{shown}"')
        return self.symbol(token)

    def group(self) -> Exact:
        opened = self.expect("{")
        inner = self.sum()
        self.expect("}", opened)
        return inner

    def call(self, token: Token) -> Exact:
        exponent = self.exponent() if token.text != "sqrt" and self.loose and self.take("^") else 1
        if self.token.text in ("(", "{"):
            opened = self.advance()
            argument = self.sum()
            self.expect(CLOSING[opened.text], opened)
        elif self.loose:
            argument = self.atom()
            if self.previous.kind == "number" and self.token.kind == "name":
                argument = self.meeting.product(argument, self.atom())
        else:
            raise self.source.error(token.start, f"{token.text} needs an argument in brackets")
        with self.at(token.start):
            if token.text == "sqrt":
                return self.meeting.sqrt(argument)
            found = self.meeting.cos_sin(argument)[token.text == "sin"]
            return self.meeting.power(found, exponent)

    def derivative(self) -> Exact:
        """Derivative(q1(t), t), Derivative(q1(t), (t, 2)), diff(q1, t, t)."""
        self.expect("(")
        token = self.advance()
        inside = ""
        depth = 1
        while depth and self.token.kind != "end":
            inside += self.token.text
            depth += {"(": 1, ")": -1}.get(self.advance().text, 0)
        order = DERIVATIVE_ORDERS.get(inside.removeprefix("(t)"))
        found = self.names.find(order + token.text) if order else None
        if found is None:
            raise self.source.error(token.start, "a derivative is that of a joint coordinate by t, once or twice")
        return found

    def symbol(self, token: Token) -> Exact:
        if token.text in DERIVATIVES and self.token.text == "(":
            return self.derivative()
        following = self.tokens[self.position : self.position + 3]
        if token.text in ("d", "dd") and not self.loose and [t.text for t in following[::2]] == ["(", ")"]:
            rate = self.names.find(token.text + following[1].text)
            if rate is not None:  # d(q1), as our own plain text has it
                self.position += 3
                return rate
        if [t.text for t in following] == ["(", "t", ")"]:
            self.position += 3  # q1(t) of SymPy's dynamics symbols
        elif following[0].text == "(" and not self.loose:
            problem = f'"{token.text}" is not a function; the functions are {", ".join(FUNCTIONS)}'
            if self.names.known(token.text):
                problem = f'a sign such as * is missing between "{token.text}" and its bracket'
            raise self.source.error(token.start, problem)
        found = self.names.find(token.text)
        if found is None:
            raise self.source.unknown(token.start, token.text, self.names.allowed())
        return found

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.position]

    @property
    def previous(self) -> Token:
        """The token taken last."""
        return self.tokens[self.position - 1]

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

    def finished(self) -> None:
        """Nothing may follow."""
        token = self.token
        if token.text in (")", "]", "}"):
            raise self.error(f'this "{token.text}" closes no bracket')
        if token.kind in ("number", "name"):
            raise self.error(f'"{token.text}" follows without one of + - * / before it')
        if token.kind != "end":
            raise self.error(f'"{token.text}" is not expected here')

    def error(self, problem: str) -> Exception:
        return self.source.error(self.token.start, problem)

    @contextmanager
    def at(self, start: int) -> Generator[None]:
        """Give what goes wrong inside its place."""
        try:
            yield
        except (ArgumentError, ExpressionError) as error:
            problem = error.message.split(": ", 1)[-1] if isinstance(error, ExpressionError) else error.message
            raise self.source.error(start, problem) from None


def _without_alignment(tokens: list[Token]) -> list[Token]:
    """Without the & and \\\\ of a sum that LaTeX breaks across lines; those of a matrix stay."""
    if any(token.kind == "command" and token.text == "begin" for token in tokens):
        return tokens
    kept: list[Token] = []
    broken = True
    for token, following in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        starts = token.text == "&" and broken
        broken = token.text == "\\\\" and following.text in ("&", "+", "-", "")
        if not starts and not broken:
            kept.append(token)
    return kept
