"""The parser of right sides: text to a tree, never evaluated as code.

    sum     = product {("+" | "-") product}
    product = power {["*"] power | "/" power}            the sign may be left out where it is clear
    power   = {"+" | "-"} atom ["^" integer]
    atom    = number | name | function argument | \\frac{sum}{sum} | bracket | entry of the answer | matrix

Lengths, depths and exponents are bounded, so a hostile text is refused at once.
"""

from __future__ import annotations

import re
from fractions import Fraction

from dynamis.apps.grading.reading.calls import CALLS, call, of_state, of_time, time_derivative
from dynamis.apps.grading.reading.cursor import Cursor
from dynamis.apps.grading.reading.left_sides import is_quantity_name
from dynamis.apps.grading.reading.literals import (
    FILLED,
    NAMES,
    environment,
    matrix_call,
    parse_brackets,
    parse_filled_matrix,
)
from dynamis.apps.grading.reading.names import Vocabulary
from dynamis.apps.grading.reading.source import Source, nearest
from dynamis.apps.grading.reading.tokens import FUNCTIONS, Token, products_need_no_sign, tokenize
from dynamis.apps.grading.reading.trees import BELOW, Call, Chain, Derivative, Item, Name, Number, Tree
from dynamis.apps.grading.values import Decimal
from dynamis.base.errors import ArgumentError, ExpressionError
from dynamis.base.expressions.parser import MAX_DEPTH, MAX_EXPONENT, as_expression

CLOSING = {"(": ")", "[": "]", "{": "}"}
MAX_INDICES = 3
_BY_HAND = re.compile(r"(?<![A-Za-z])(?!(?:sin|cos|sqrt|sign) )[A-Za-z]\w{0,20} +[A-Za-z]")


def parse(source: Source, names: Vocabulary, start: int, end: int) -> Tree:
    """The tree of a part of the text."""
    parser = Parser(source, names, start, end)
    tree = parser.sum()
    parser.expect_end()
    return tree


class Parser(Cursor):
    """Reads the right side of one line, token by token."""

    def __init__(self, source: Source, names: Vocabulary, start: int, end: int) -> None:
        self.names = names
        tokens = tokenize(source, start, end, names.is_known)
        if not any(
            token.kind == "command" and token.text == "begin" for token in tokens
        ):  # the & of a sum that LaTeX breaks across lines
            tokens = [token for token in tokens if token.text not in ("&", "\\\\")]
        super().__init__(source, names.functions.resolved(tokens, source))
        self.depth: int = 0
        self.columns: int | None = None
        """Inside MATLAB's brackets the depth of the entries, where blanks are not a product."""
        self.spaced = False
        """Whether blanks separate these entries."""
        self.loose = products_need_no_sign(source.text[start:end])
        """Whether names side by side are a product, as in LaTeX."""
        self.by_hand = _BY_HAND.search(source.text, start, end) is not None and "[" not in source.text[start:end]
        """Whether some product here has no sign, so that m2(l1 + l2) is one, too."""

    def begins_column(self) -> bool:
        """Whether a sign is that of the next entry of a row: `[a -b]`, not `[a - b]` or `[a-b]`."""
        return (
            self.spaced
            and self.token.kind != "end"
            and self.columns == self.depth
            and self.after_blank(self.position)
            and not self.after_blank(self.position + 1)
        )

    def on_new_line(self) -> bool:
        """Whether the next token begins a line, and so a row, of a matrix in MATLAB's brackets; not after `...`."""
        text, start = self.source.text, self.token.start
        if self.columns is None or self.token.kind == "end":
            return False
        end = start
        while end and text[end - 1].isspace():
            end -= 1
        return "\n" in text[end:start] and text.rfind("...", self.previous.start, end) < 0

    def sum(self) -> Tree:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"brackets are nested more than {MAX_DEPTH} deep")
        start, first = self.token.start, self.product()
        rest: list[tuple[str, Tree]] = []
        while not self.begins_column() and (sign := self.take("+", "-")):
            rest.append((sign, self.product()))
        self.depth -= 1
        return Chain(first, tuple(rest), start) if rest else first

    def product(self) -> Tree:
        start, first = self.token.start, self.power()
        rest: list[tuple[str, Tree]] = []
        divided = False
        while True:
            token, before = self.token, self.previous
            if sign := self.take("*", ".*", "@"):
                factor, divided = self.power(), False
            elif self.starts_factor():
                if divided and not self.is_number_before(before, token):
                    raise self.error("it is not clear whether this stands under the fraction; write * or brackets")
                factor, divided = self.group() if self.is_group() else self.power(), False
            elif sign := self.take("/", "./"):
                factor, divided = self.power(), self.previous.text not in (")", "}")
            else:
                return Chain(first, tuple(rest), start) if rest else first
            rest.append((sign or "*", factor))

    def starts_factor(self) -> bool:
        """Whether a factor follows without a sign; a bracket after a name may be meant as a call."""
        kind, text, before = self.token.kind, self.token.text, self.previous
        if self.loose:
            return kind in ("number", "name") or text in ("(", "{", "[") or (kind == "command" and text != "end")
        if self.columns == self.depth:
            return False
        if self.is_group():
            return True
        if text == "(":
            return before.kind == "number" or before.text == ")" or self.is_factor(before)
        return kind == "name" or (kind == "command" and text in FUNCTIONS)

    def is_group(self) -> bool:
        """Whether a bracket is that of a factor, as people write it by hand: m2 [l1^2 + l2^2]."""
        if self.token.text != "[" or self.loose or self.columns is not None or not self.after_blank(self.position):
            return False
        return self.previous.text == ")" or self.is_factor(self.previous)

    def group(self) -> Tree:
        """[...] as a bracket of a product."""
        opening = self.advance()
        inner = self.sum()
        self.expect("]", opening)
        return Call("^", inner, opening.start, self.exponent()) if self.take("^") else inner

    def is_factor(self, token: Token) -> bool:
        """Whether the bracket behind a blank and this name is a factor: m2 (l1 + l2)."""
        apart = self.by_hand or self.after_blank(self.position)
        return token.kind == "name" and apart and self.names.is_scalar(token.text)

    def is_number_before(self, below: Token, following: Token) -> bool:
        """1/2 m1: a fraction of two numbers, and a blank behind it."""
        above = self.tokens[max(self.position - 3, 0)]
        apart = following.start > below.start + len(below.text)
        return above.kind == below.kind == "number" and (apart or following.kind == "command")

    def power(self) -> Tree:
        start, negative = self.token.start, False
        while sign := self.take("+", "-"):
            negative ^= sign == "-"
        base = self.atom()
        while True:
            if self.token.kind == "method":
                base = self.nested(self.advance(), base)
            elif self.token.kind == "attribute":
                base = Derivative(self.advance().text, base, (), start)
            elif self.token.text == "'":
                base = self.primed(base)
            elif index := self.item_index():
                base = Item(base, index, start)
            else:
                break
        if sign := self.take("^", ".^"):
            halves = self.halves()
            base = Call("sqrt", base, start, halves) if halves else Call(sign, base, start, self.exponent())
            if self.token.text in ("^", ".^"):
                raise self.error("a power of a power needs brackets")
        return Call("-", base, start) if negative else base

    def primed(self, base: Tree) -> Tree:
        """Behind a name of a coordinate a prime is the derivative by time, where it cannot be MATLAB's transpose."""
        at, quotes = self.token.start, 0
        while self.take("'"):
            quotes += 1
        if isinstance(base, Name) and (rate := self.names.rate(base.text, quotes, self.source.text[at])):
            return Name(rate, base.start, base.index)
        for _ in range(2 - quotes % 2):
            base = Call("'", base, base.start)
        return base

    def item_index(self) -> tuple[int, ...]:
        """The index right behind a bracket, past which it goes: (v.T*v)[0, 0]."""
        if self.loose or self.token.text != "[" or self.previous.text not in (")", "]", "'"):
            return ()
        if self.after_blank(self.position):
            return ()
        index, end = self.index()
        self.position = end if index else self.position
        return index

    def halves(self) -> int:
        """Past the exponent of a root, and how many halves it is: 3^(1/2), 2^(-3/2), 3^0.5; 0 for other exponents."""
        texts = [self.ahead(k).text for k in range(6)]
        bracket = texts[0] in ("(", "{")
        texts, sign = texts[bracket:], 1
        if texts[0] == "-":
            texts, sign = texts[1:], -1
        number = re.fullmatch(r"([1357])|([0-3])?\.50*", texts[0], re.ASCII)
        if number is None or (number[1] and (not bracket or texts[1:3] != ["/", "2"])):
            return 0
        length = (3 if number[1] else 1) + (sign < 0)
        if bracket and texts[length - (sign < 0)] != CLOSING[self.token.text]:
            return 0
        self.position += length + 2 * bracket
        return sign * (int(number[1]) if number[1] else 2 * int(number[2] or 0) + 1)

    def exponent(self) -> int:
        bracket = self.take("(", "{")
        sign = -1 if self.take("-") else 1
        token = self.advance()
        whole = re.fullmatch(r"(\d{1,2})(?:\.0*)?", token.text, re.ASCII)  # NumPy's 2.0 too
        if token.kind != "number" or whole is None or int(whole[1]) > MAX_EXPONENT:
            allowed = f"an exponent must be an integer from -{MAX_EXPONENT} to {MAX_EXPONENT}"
            raise self.source.error(token.start, allowed)
        if bracket:
            self.expect(CLOSING[bracket])
        return sign * int(whole[1])

    def atom(self) -> Tree:
        token = self.advance()
        if token.kind == "number":
            return self.number(token)
        if token.kind == "end":
            raise self.source.error(token.start, "a number, a name or a bracket is expected here, and the text ends")
        if token.text == "[":
            self.position -= 1
            return parse_brackets(self)
        if token.text == "begin":
            return environment(self)
        if token.text in ("(", "{"):
            inner = self.sum()
            self.expect(CLOSING[token.text], token)
            return inner
        if token.text in ("frac", "tfrac", "dfrac"):
            if rate := time_derivative(self):
                return rate
            above = self.fraction_part()
            return Chain(above, (("/", self.fraction_part()),), token.start)
        if self.token.text == "(" and token.text in (*NAMES, *FILLED):
            return parse_filled_matrix(self, token.text) if token.text in FILLED else matrix_call(self)
        if token.text in FUNCTIONS:
            return self.call(token)
        if token.text == BELOW:
            return Name(BELOW, token.start)
        if token.kind != "name":
            text = f"\\{token.text}" if token.kind == "command" else token.text
            raise self.source.error(token.start, f'a number, a name or a bracket is expected before "{text}"')
        return self.symbol(token)

    def number(self, token: Token) -> Number:
        try:
            value: Fraction = getattr(as_expression(token.text), "value", Fraction(0))
        except (ArgumentError, ExpressionError) as error:
            raise self.source.error(token.start, error.message.split(": ", 1)[-1]) from None
        decimal = Decimal(token.text, self.source.file, token.start)
        return Number(value, token.start, decimal if "." in token.text and decimal.digits > 1 else None)

    def fraction_part(self) -> Tree:
        """{...}, or of `\\frac12` one digit, of `\\frac ab` one symbol."""
        token = self.token
        if token.kind == "number" and token.text[0].isdigit():
            self.advance()
            if len(token.text) > 1:
                self.position -= 1
                self.tokens[self.position] = Token("number", token.text[1:], token.start + 1)
            return Number(Fraction(token.text[0]), token.start)
        if token.kind == "name":
            return self.symbol(self.advance())
        opening = self.expect("{")
        inner = self.sum()
        self.expect("}", opening)
        return inner

    def call(self, token: Token) -> Call:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"functions are nested more than {MAX_DEPTH} deep")
        exponent = self.exponent() if token.text != "sqrt" and self.take("^") else 1
        if self.token.text in ("(", "{", "["):
            opening = self.advance()
            argument = self.sum()
            self.expect(CLOSING[opening.text], opening)
        elif self.loose or (self.token.kind == "name" and self.after_blank(self.position)):
            argument = self.atom()
            ends = self.token.kind != "name" or self.token.text in FUNCTIONS  # sin 0.3 cos 0.3
            if self.previous.kind == "number" and token.text != "sqrt" and not ends:
                argument = Chain(argument, (("*", self.atom()),), argument.start)
        else:
            raise self.source.error(token.start, f"{token.text} needs an argument in brackets")
        self.depth -= 1
        return Call(token.text, argument, token.start, exponent)

    def nested(self, token: Token, first: Tree | None = None) -> Tree:
        """A call, no deeper than brackets may be."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.error(f"functions are nested more than {MAX_DEPTH} deep")
        outer = self.columns, self.spaced
        self.columns, self.spaced = None, False
        tree = call(self, token, first)
        self.columns, self.spaced = outer
        self.depth -= 1
        return tree

    def symbol(self, token: Token) -> Tree:
        bracket = self.token.text == "("
        if token.text in CALLS and bracket and not self.names.is_known(token.text):
            return self.nested(token)
        if token.text in ("d", "dd") and not self.loose and bracket and self.ahead(2).text == ")":
            rate = token.text + self.ahead(1).text
            if self.names.is_known(rate):  # d(q1), as our own plain text has it
                self.position += 3
                return Name(rate, token.start)
        start, (index, end) = self.token.start, self.index()
        if of_time(self):
            return Name(token.text, token.start)  # q1(t) of SymPy's dynamics symbols
        if index and not (self.loose and self.names.is_scalar(token.text)):
            self.position = end
            return Name(token.text, token.start, index)
        quantity = is_quantity_name(token.text, self.names.letters)
        if bracket and (quantity or token.text in self.names.lets) and of_state(self):
            return Name(token.text, token.start, of_state=quantity)  # M(q), C(q, dq)
        if bracket and not self.loose:
            if self.is_factor(token):
                return Name(token.text, token.start)
            if self.names.is_known(token.text):
                raise self.source.error(token.start, missing_sign(token.text))
            if quantity:
                raise self.source.error(start, f"an index such as {token.text}(1,2) is expected here")
            raise self.source.error(token.start, unknown_function(token.text))
        return Name(token.text, token.start)

    def index(self) -> tuple[tuple[int, ...], int]:
        """The numbers of `(1,2)`, `[1]` or `[0][1]` behind a name, and where they end; none if it is not an index."""
        bracket, position, numbers = self.token.text, self.position, list[int]()
        while bracket in ("(", "[") and self.tokens[position].text in (bracket, ",") and len(numbers) < MAX_INDICES:
            minus = bracket == "[" and self.names.from_zero and self.tokens[position + 1].text == "-"
            position += minus
            number = self.tokens[min(position + 1, len(self.tokens) - 1)]
            position = min(position + 2, len(self.tokens) - 1)
            if not re.fullmatch(r"\d{1,2}", number.text, re.ASCII):
                break
            count = int(number.text)
            numbers.append(-count if minus else count + (bracket == "[" and self.names.from_zero))
            if self.tokens[position].text == CLOSING[bracket]:
                position += 1
                if bracket == "(" or self.tokens[position].text != "[":
                    return tuple(numbers), position
        return (), self.position


def unknown_function(name: str) -> str:
    """The complaint about exp(q1)."""
    near = nearest(name, FUNCTIONS[:4])
    hint = f'; did you mean "{near}"?' if near is not None else ";"
    return f'"{name[:40]}" is not a function{hint} the functions are {", ".join(FUNCTIONS[:4])}'


def missing_sign(name: str) -> str:
    """The complaint about m1(g)."""
    return f'an operator such as * is missing between "{name[:40]}" and its bracket'
