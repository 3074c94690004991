"""The parser of answers: text to scalars and matrices of the common ring, never evaluated as code.

    sum     = product {("+" | "-") product}
    product = power {["*"] power | "/" power}            the sign may be left out where it is clear
    power   = {"+" | "-"} atom ["^" integer]
    atom    = number | name | function argument | \\frac{sum}{sum} | bracket | entry of the answer | matrix

Lengths, depths, exponents and the number of terms are bounded, so a hostile text is refused at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from dynamis.errors import ArgumentError
from dynamis.expressions.parser import MAX_DEPTH, MAX_EXPONENT, as_expression
from dynamis.grading.common_ring import Meeting
from dynamis.grading.reading.cursor import Cursor
from dynamis.grading.reading.literals import NAMES, bracketed, environment, named, zeros
from dynamis.grading.reading.matrices import Matrix, MatrixArithmetic, Operand, size
from dynamis.grading.reading.names import Names
from dynamis.grading.reading.place import Source, nearest
from dynamis.grading.reading.targets import is_known
from dynamis.grading.reading.tokens import FUNCTIONS, Token, products_need_no_sign
from dynamis.grading.values import Arithmetic, Value, Written

CLOSING = {"(": ")", "[": "]", "{": "}"}
DERIVATIVE_ORDERS = {",t)": "d", ",t,t)": "dd", ",(t,2))": "dd", ",t,2)": "dd"}
DERIVATIVES = ("Derivative", "diff")
FRACTIONS = ("frac", "tfrac", "dfrac")
# Longer than any of DERIVATIVE_ORDERS, so that a hostile text is not read to its end.
MAX_DERIVATIVE = 20
MAX_INDICES = 3
NO_ENTRY = "is not given in this file; only its own entries can be used"
Overrides = Mapping[Written, Fraction]
"""Decimals that are read as other numbers than they write."""


class AnswerParser(Cursor):
    """Reads the right side of one line of an answer."""

    def __init__(self, source: Source, names: Names, start: int, end: int, overrides: Overrides | None = None) -> None:
        super().__init__(source, names, start, end)
        self.names, self.overrides = names, overrides or {}
        self.meeting: Meeting = names.meeting
        self.arithmetic = MatrixArithmetic(Arithmetic(self.meeting))
        self.loose = products_need_no_sign(source.text[start:end])

    def whole(self) -> Operand:
        """The whole text."""
        value = self.sum()
        self.finished()
        return value

    def scalar(self) -> Value:
        """The whole text as one scalar."""
        return self.one(self.whole(), self.tokens[0].start)

    def one(self, value: Operand, start: int) -> Value:
        """A scalar, where no matrix can stand."""
        if isinstance(value, Matrix):
            raise self.source.error(start, f"a scalar is expected here, and this is {size(value)}")
        return value

    def sum(self) -> Operand:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"at most {MAX_DEPTH} brackets stand inside each other")
        start, (total, name) = self.token.start, self.term()
        while not self.begins_column() and (sign := self.take("+", "-")):
            term, other = self.term()
            if isinstance(total, Matrix) != isinstance(term, Matrix):
                total, term = self.vector(total, name), self.vector(term, other)
            with self.at(start):
                total, name = self.arithmetic.plus(total, term, 1 if sign == "+" else -1), ""
        self.depth -= 1
        return total

    def term(self) -> tuple[Operand, str]:
        """A product, and its name if it is nothing but a name."""
        position, token = self.position, self.token
        value = self.product()
        return value, token.text if token.kind == "name" and self.position == position + 1 else ""

    def vector(self, value: Operand, name: str) -> Operand:
        """The g of M*qdd + c + g: beside matrices the file's vector, not the acceleration of gravity."""
        found = self.names.entry(name, ()) if name and isinstance(value, Value) else None
        return value if found is None else found

    def product(self) -> Operand:
        result = self.power()
        divided = False
        while True:
            token, before = self.token, self.previous
            if sign := self.take("*", ".*", "@"):
                factor, divided = self.power(), False
            elif self.starts_factor():
                if divided and not self.is_number_before(before, token):
                    raise self.error("it is not clear whether this stands under the fraction; write * or brackets")
                factor, divided = self.power(), False
            elif sign := self.take("/", "./"):
                start, factor, divided = self.token.start, self.power(), self.previous.text not in (")", "}")
                with self.at(start):
                    result = self.arithmetic.quotient(result, factor, sign == "./")
                continue
            else:
                return result
            with self.at(token.start):
                result = self.arithmetic.product(result, factor, sign == ".*")

    def starts_factor(self) -> bool:
        """Whether a factor follows without a sign; a bracket after a name may be meant as a call."""
        kind, text, before = self.token.kind, self.token.text, self.previous
        if self.loose:
            return kind in ("number", "name") or text in ("(", "{", "[") or (kind == "command" and text != "end")
        if self.columns is not None and self.depth == self.columns.depth:
            return False
        if text == "(":
            return before.kind == "number" or before.text == ")"
        return kind == "name" or (kind == "command" and text in FUNCTIONS)

    def is_number_before(self, below: Token, following: Token) -> bool:
        """1/2 m1: a fraction of two numbers, and a blank behind it."""
        above = self.tokens[max(self.position - 3, 0)]
        apart = following.start > below.start + len(below.text)
        return above.kind == below.kind == "number" and (apart or following.kind == "command")

    def power(self) -> Operand:
        negative = False
        while sign := self.take("+", "-"):
            negative ^= sign == "-"
        base, start = self.atom(), self.token.start
        while self.take("'"):
            with self.at(start):
                base = self.arithmetic.transposed(base)
        if sign := self.take("^", ".^"):
            exponent = self.exponent()
            if self.token.text in ("^", ".^"):
                raise self.error("a power of a power needs brackets")
            with self.at(start):
                base = self.arithmetic.power(base, exponent, sign == ".^")
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

    def atom(self) -> Operand:
        self.meeting.check_time()
        token = self.advance()
        if token.kind == "number":
            return self.number(token)
        if token.kind == "end":
            raise self.source.error(token.start, "the text ends where a number, a name or a bracket is expected")
        if token.text == "[":
            self.position -= 1
            return bracketed(self)
        if token.text == "begin":
            return environment(self)
        if token.text in ("(", "{"):
            inner = self.sum()
            self.expect(CLOSING[token.text], token)
            return inner
        if token.text in FRACTIONS:
            if rate := self.time_derivative():
                return rate
            above, start, below = self.group(), self.token.start, self.group()
            with self.at(start):
                return self.arithmetic.quotient(above, below)
        if self.token.text == "(" and token.text in (*NAMES, "zeros"):
            return zeros(self) if token.text == "zeros" else named(self)
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

    def group(self) -> Operand:
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
                raise ArgumentError(f"{token.text} of a fraction of symbols is not one of this robot")
            if token.text == "sqrt":
                return Value(self.meeting.sqrt(argument.top), curved=frozenset(argument.decimals))
            if token.text in ("sign", "sgn"):
                found = self.meeting.sign(argument.top)
            else:
                found = self.meeting.cos_sin(argument.top)[token.text == "sin"]
            return self.arithmetic.scalars.power(Value(found, curved=frozenset(argument.decimals)), exponent)

    def argument(self, token: Token) -> tuple[Value, int]:
        """What a function is of, and the power of cos^2(q1)."""
        exponent = self.exponent() if token.text != "sqrt" and self.take("^") else 1
        if self.token.text in ("(", "{", "["):
            opened = self.advance()
            argument = self.sum()
            self.expect(CLOSING[opened.text], opened)
        elif self.loose:
            argument = self.atom()
            ends = self.token.kind != "name" or self.token.text in FUNCTIONS  # sin 0.3 cos 0.3
            if self.previous.kind == "number" and token.text != "sqrt" and not ends:
                argument = self.arithmetic.product(argument, self.atom())
        else:
            raise self.source.error(token.start, f"{token.text} needs an argument in brackets")
        return self.one(argument, token.start), exponent

    def derivative(self) -> Value:
        """Derivative(q1(t), t), Derivative(q1(t), (t, 2)), diff(q1, t, t)."""
        self.expect("(")
        token = self.advance()
        inside = ""
        depth = 1
        while depth and self.token.kind != "end" and len(inside) < MAX_DERIVATIVE:
            inside += self.token.text
            depth += {"(": 1, ")": -1}.get(self.advance().text, 0)
        order = DERIVATIVE_ORDERS.get(inside.removeprefix("(t)"))
        found = self.names.find(order + token.text) if order else None
        if not isinstance(found, Value):
            raise self.source.error(token.start, "a derivative is that of a joint coordinate by t, once or twice")
        return found

    def time_derivative(self) -> Operand | None:
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

    def of_state(self) -> bool:
        """Past the (q, dq) of C(q, dq)."""
        end = self.position + 1
        while self.tokens[end].kind == "name" and self.names.vector(self.tokens[end].text) is not None:
            end += 2
            if self.tokens[end - 1].text == ")":
                self.position = end
                return True
        return False

    def symbol(self, token: Token) -> Operand:
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
        index, end = self.index()
        if self.of_time():
            pass  # q1(t) of SymPy's dynamics symbols
        elif index and not (self.loose and isinstance(known, Value)):
            return self.entry(token, index, end)
        elif following[0].text == "(" and is_known(token.text) and self.of_state():
            given = self.names.entry(token.text, ())  # M(q), C(q, dq)
            known = given if given is not None else known
        elif following[0].text == "(" and not self.loose and known is None and is_known(token.text):
            raise self.source.error(following[0].start, f"an index such as {token.text}(1,2) is expected here")
        elif following[0].text == "(" and not self.loose:
            raise self.source.error(token.start, no_sign(token.text) if known is not None else no_function(token.text))
        if known is None:
            known = self.names.entry(token.text, ())
        if known is None:
            if problem := self.names.why_unknown(token.text):
                raise self.source.error(token.start, problem)
            raise self.source.unknown(token.start, token.text, self.names.allowed(token.text))
        return known

    def index(self) -> tuple[tuple[int, ...], int]:
        """The numbers of `(1,2)`, `[1]` or `[0][1]` behind a name, and where they end; none if it is not an index."""
        opened, position, found = self.token.text, self.position, list[int]()
        while opened in ("(", "[") and self.tokens[position].text in (opened, ",") and len(found) < MAX_INDICES:
            number = self.tokens[min(position + 1, len(self.tokens) - 1)]
            position = min(position + 2, len(self.tokens) - 1)
            if not re.fullmatch(r"\d{1,2}", number.text, re.ASCII):
                break
            found.append(int(number.text) + (opened == "[" and self.names.from_zero))
            if self.tokens[position].text == CLOSING[opened]:
                position += 1
                if opened == "(" or self.tokens[position].text != "[":
                    return tuple(found), position
        return (), self.position

    def entry(self, token: Token, index: tuple[int, ...], end: int) -> Operand:
        """M(1,2) where the file says what it is; q(1) is q1; m1(2) is a product without its sign."""
        found = self.names.indexed(token.text, index)
        if found is None and isinstance(self.names.find(token.text), Value):
            raise self.source.error(token.start, no_sign(token.text))
        if found is None:
            shown = f"{token.text}[{','.join(map(str, index))}]"
            known = is_known(token.text) or self.names.vector(token.text) is not None
            raise self.source.error(token.start, f"{shown} {NO_ENTRY}" if known else no_function(token.text))
        self.position = end
        return found

    def rational(self) -> Operand:
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
