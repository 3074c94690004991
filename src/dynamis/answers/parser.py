"""The parser of answers: text to scalars of the common ring, never evaluated as code.

    sum     = product {("+" | "-") product}
    product = power {["*"] power | "/" power}            the sign may be left out where it is clear
    power   = {"+" | "-"} atom ["^" integer]
    atom    = number | name | function argument | \\frac{sum}{sum} | bracket | entry of the answer

Lengths, depths, exponents and the number of terms are bounded, so a hostile text is refused at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from dynamis.answers.cursor import Cursor
from dynamis.answers.names import Names
from dynamis.answers.place import Source, nearest
from dynamis.answers.ring import Meeting
from dynamis.answers.targets import KNOWN, left_side
from dynamis.answers.tokens import FUNCTIONS, Token, products_need_no_sign
from dynamis.answers.values import Arithmetic, Value, Written
from dynamis.errors import ArgumentError
from dynamis.model.parser import MAX_DEPTH, MAX_EXPONENT, as_expression

CLOSING = {"(": ")", "[": "]", "{": "}"}
DERIVATIVE_ORDERS = {",t)": "d", ",t,t)": "dd", ",(t,2))": "dd", ",t,2)": "dd"}
DERIVATIVES = ("Derivative", "diff")
FRACTIONS = ("frac", "tfrac", "dfrac")
NO_ENTRY = "is not given in this file; only its own entries can be used"
Overrides = Mapping[Written, Fraction]
"""Decimals that are read as other numbers than they write."""


class AnswerParser(Cursor):
    """Reads the right side of one line of an answer."""

    def __init__(self, source: Source, names: Names, start: int, end: int, overrides: Overrides | None = None) -> None:
        super().__init__(source, names, start, end)
        self.names, self.overrides = names, overrides or {}
        self.meeting: Meeting = names.meeting
        self.arithmetic = Arithmetic(self.meeting)
        self.loose = products_need_no_sign(source.text[start:end])
        self.depth = 0
        self.columns = False
        """Whether blanks may separate the columns of a matrix, so that they are no product."""

    def scalar(self) -> Value:
        """The whole text as one scalar."""
        value = self.sum()
        self.finished()
        return value

    def sum(self) -> Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"at most {MAX_DEPTH} brackets stand inside each other")
        start, total = self.token.start, self.product()
        while sign := self.take("+", "-"):
            term = self.product()
            with self.at(start):
                total = self.arithmetic.plus(total, term, 1 if sign == "+" else -1)
        self.depth -= 1
        return total

    def product(self) -> Value:
        result = self.power()
        divided = False
        while True:
            token, before = self.token, self.previous
            if self.take("*"):
                factor, divided = self.power(), False
            elif self.starts_factor():
                if divided and not self.is_number_before(before, token):
                    raise self.error("it is not clear whether this stands under the fraction; write * or brackets")
                factor, divided = self.power(), False
            elif self.take("/"):
                start, factor, divided = self.token.start, self.power(), self.previous.text not in (")", "}")
                with self.at(start):
                    result = self.arithmetic.quotient(result, factor)
                continue
            else:
                return result
            with self.at(token.start):
                result = self.arithmetic.product(result, factor)

    def starts_factor(self) -> bool:
        """Whether a factor follows without a sign; a bracket after a name may be meant as a call."""
        kind, text, before = self.token.kind, self.token.text, self.previous
        if self.loose:
            return (
                kind in ("number", "name")
                or text in ("(", "{", "[")
                or (kind == "command" and text not in ("begin", "end"))
            )
        if self.columns and self.depth == 1:
            return False
        if text == "(":
            return before.kind == "number" or before.text == ")"
        return kind == "name" or (kind == "command" and text in FUNCTIONS)

    def is_number_before(self, below: Token, following: Token) -> bool:
        """1/2 m1: a fraction of two numbers, and a blank behind it."""
        above = self.tokens[max(self.position - 3, 0)]
        apart = following.start > below.start + len(below.text)
        return above.kind == below.kind == "number" and (apart or following.kind == "command")

    def power(self) -> Value:
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign == "-"
        base, start = self.atom(), self.token.start
        if self.take("^"):
            exponent = self.exponent()
            if self.token.text == "^":
                raise self.error("a power of a power needs brackets")
            with self.at(start):
                base = self.arithmetic.power(base, exponent)
        return self.arithmetic.negative(base) if negative else base

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

    def atom(self) -> Value:
        self.meeting.check_time()
        token = self.advance()
        if token.kind == "number":
            return self.number(token)
        if token.kind == "end":
            raise self.source.error(token.start, "the text ends where a number, a name or a bracket is expected")
        if token.text in ("(", "{") or (token.text == "[" and self.loose):
            columns, self.columns = self.columns, False
            inner = self.sum()
            self.columns = columns
            self.expect(CLOSING[token.text], token)
            return inner
        if token.text in FRACTIONS:
            if rate := self.time_derivative():
                return rate
            above, start, below = self.group(), self.token.start, self.group()
            with self.at(start):
                return self.arithmetic.quotient(above, below)
        if token.text in FUNCTIONS:
            return self.call(token)
        if token.kind != "name":
            shown = f"\\{token.text}" if token.kind == "command" else token.text
            raise self.source.error(token.start, f'a number, a name or a bracket is expected before "{shown}"')
        return self.symbol(token)

    def number(self, token: Token) -> Value:
        """A number as it is written; a decimal of two digits and more may stand for what it rounds."""
        with self.at(token.start):
            value: Fraction = getattr(as_expression(token.text), "value", Fraction(0))
        ring, decimal = self.meeting.ring, Written(token.text, self.source.file, token.start)
        if "." not in token.text or decimal.digits < 2:
            return Value(ring.number(value))
        if decimal in self.overrides:
            return Value(ring.number(self.overrides[decimal]))
        return Value(ring.number(value), None, {decimal: ring.number(1)})

    def group(self) -> Value:
        """{...}, or of `\\frac12` one digit, of `\\frac ab` one symbol."""
        token = self.token
        if token.kind == "number" and token.text[0].isdigit():
            self.advance()
            if len(token.text) > 1:
                self.position -= 1
                self.tokens[self.position] = Token("number", token.text[1:], token.start + 1)
            return Value(self.meeting.ring.number(int(token.text[0])))
        if token.kind == "name":
            return self.symbol(self.advance())
        opened = self.expect("{")
        inner = self.sum()
        self.expect("}", opened)
        return inner

    def call(self, token: Token) -> Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"at most {MAX_DEPTH} brackets stand inside each other")
        argument, exponent = self.argument(token)
        self.depth -= 1
        with self.at(token.start):
            if argument.bottom is not None:
                raise ArgumentError(f"{token.text} of a fraction of letters is not one of this robot")
            if token.text == "sqrt":
                return Value(self.meeting.sqrt(argument.top), curved=frozenset(argument.decimals))
            if token.text in ("sign", "sgn"):
                found = self.meeting.sign(argument.top)
            else:
                found = self.meeting.cos_sin(argument.top)[token.text == "sin"]
            return self.arithmetic.power(Value(found, curved=frozenset(argument.decimals)), exponent)

    def argument(self, token: Token) -> tuple[Value, int]:
        """What a function is of, and the power of cos^2(q1)."""
        exponent = self.exponent() if token.text != "sqrt" and self.take("^") else 1
        if self.token.text in ("(", "{", "["):
            opened = self.advance()
            columns, self.columns = self.columns, False
            argument = self.sum()
            self.columns = columns
            self.expect(CLOSING[opened.text], opened)
        elif self.loose:
            argument = self.atom()
            ends = self.token.kind != "name" or self.token.text in FUNCTIONS  # sin 0.3 cos 0.3
            if self.previous.kind == "number" and token.text != "sqrt" and not ends:
                argument = self.arithmetic.product(argument, self.atom())
        else:
            raise self.source.error(token.start, f"{token.text} needs an argument in brackets")
        return argument, exponent

    def derivative(self) -> Value:
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

    def time_derivative(self) -> Value | None:
        """\\frac{d}{dt} q_1(t) and \\frac{d^2}{dt^2} q_1(t), as SymPy's LaTeX has them."""
        for form, order in (("{d}{dt}", "d"), ("{d^{2}}{dt^{2}}", "dd"), ("{d^2}{dt^2}", "dd")):
            end, text = self.position, ""
            while len(text) < len(form) and self.tokens[end].kind != "end":
                text, end = text + self.tokens[end].text, end + 1
            if text == form and (rate := self.names.find(order + self.tokens[end].text)) is not None:
                self.position = end + 1
                self.of_time()
                return rate
        return None

    def of_time(self) -> bool:
        """Past the (t) of q1(t), or {\\left(t\\right)}."""
        for form in ("(t)", "{(t)}"):
            if "".join(t.text for t in self.tokens[self.position : self.position + len(form)]) == form:
                self.position += len(form)
                return True
        return False

    def symbol(self, token: Token) -> Value:
        if token.text in DERIVATIVES and self.token.text == "(":
            return self.derivative()
        if token.text == "Rational" and self.token.text == "(":
            return self.rational()
        following = self.tokens[self.position : self.position + 3]
        if token.text in ("d", "dd") and not self.loose and [t.text for t in following[::2]] == ["(", ")"]:
            rate = self.names.find(token.text + following[1].text)
            if rate is not None:  # d(q1), as our own plain text has it
                self.position += 3
                return rate
        known = self.names.find(token.text)
        if self.of_time():
            pass  # q1(t) of SymPy's dynamics symbols
        elif (index := self.index()) and not (self.loose and known):
            return self.entry(token, index)
        elif following[0].text == "(" and not self.loose:
            raise self.source.error(token.start, no_sign(token.text) if known is not None else no_function(token.text))
        if known is None:
            known = self.names.entry(token.text, ())
        if known is None:
            if problem := self.names.why_unknown(token.text):
                raise self.source.error(token.start, problem)
            raise self.source.unknown(token.start, token.text, self.names.allowed(token.text))
        return known

    def index(self) -> tuple[int, ...]:
        """The numbers of `(1,2)` or `[1]` behind a name; none if it is not an index."""
        opened, position, found = self.token.text, self.position, list[int]()
        while self.tokens[position].text in (opened, ",") and opened in ("(", "["):
            number, closed = self.tokens[min(position + 1, len(self.tokens) - 1)], position + 2
            if not re.fullmatch(r"\d{1,2}", number.text, re.ASCII) or closed >= len(self.tokens):
                return ()
            found.append(int(number.text))
            if self.tokens[closed].text == CLOSING[opened]:
                return tuple(found)
            position = closed
        return ()

    def entry(self, token: Token, index: tuple[int, ...]) -> Value:
        """M(1,2) where the file says what it is; m1(2) is a product without its sign."""
        found = self.names.entry(token.text, index)
        if found is None and self.names.known(token.text):
            raise self.source.error(token.start, no_sign(token.text))
        if found is None:
            left = left_side(token.text)
            shown = f"{token.text}[{','.join(map(str, index))}]"
            entry = left is not None and left.kind in KNOWN
            raise self.source.error(token.start, f"{shown} {NO_ENTRY}" if entry else no_function(token.text))
        self.position += 2 * len(index) + 1
        return found

    def rational(self) -> Value:
        """SymPy's Rational(1, 12)."""
        opened = self.expect("(")
        start, above = self.token.start, self.sum()
        below = self.sum() if self.take(",") else Value(self.meeting.ring.number(1))
        self.expect(")", opened)
        with self.at(start):
            return self.arithmetic.quotient(above, below)


def no_function(name: str) -> str:
    """The complaint about exp(q1)."""
    meant = nearest(name, FUNCTIONS[:4])
    asked = f'; did you mean "{meant}"?' if meant is not None else ";"
    return f'"{name[:40]}" is not a function{asked} the functions are {", ".join(FUNCTIONS[:4])}'


def no_sign(name: str) -> str:
    """The complaint about m1(g)."""
    return f'a sign such as * is missing between "{name[:40]}" and its bracket'
