"""Formulas of a derivation in a language: symbols, signs, quantities of the robot, and where lines break.

Matrices are taller than a line: while lines are broken they are place holders as wide as the matrix, and stand in
their places at the end.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil, inf

from dynamis.base.faces import option
from dynamis.scalars.exact.ring import Exact
from dynamis.telling.forms.tree import Sum, Tree, sign_of
from dynamis.telling.formula import (
    COMMA,
    MINUS,
    PLUS,
    Coordinates,
    Formula,
    Frac,
    Grid,
    Group,
    Integral,
    Op,
    Piece,
    Sym,
    Total,
    Val,
    Value,
    Velocities,
    Word,
)
from dynamis.telling.notation.brackets import OPENING, ends_with_angle, is_factor, needs_brackets, needs_no_space
from dynamis.telling.notation.language import BREAK, MATRIX, WIDE, Language
from dynamis.telling.notation.latex import LATEX
from dynamis.telling.notation.mathml import MATHML
from dynamis.telling.notation.matrix_entries import Places, entry_symbol, few_names, is_symmetric, rows_of, with_names
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.numerals import KEPT_DIGITS, MOST_DIGITS, Decimals, manner, round_tree
from dynamis.telling.notation.symbol_printer import SymbolPrinter
from dynamis.telling.notation.text import UNICODE
from dynamis.telling.notation.tree_matrix import as_tree, is_cut, lines_of
from dynamis.telling.notation.tree_printer import Joints, Scalar, TreePrinter, is_quotient
from dynamis.telling.notation.typst import TYPST
from dynamis.telling.symbols import M, moves

LATE_CAP = 40
"""Terms of a formula that are shown when the time of the derivation is over."""
SECONDS_PER_TERM = 0.0005
"""What a term of a formula that is to be whole takes to write, in JSON (0.4 ms with three fixed angles per link)."""
ALWAYS_WRITTEN = 2000
"""Terms that are always written, whatever time is left: one second of work."""
PRIMES = "A prime is on symbols that would look like one of the parameters."
UNWRITTEN = "Entries of a matrix that are not written are zero"
LANGUAGES = {
    "text": UNICODE, "terminal": UNICODE, "latex": LATEX, "markdown": LATEX, "html": MATHML, "notebook": MATHML,
    "typst": TYPST,
}  # fmt: skip
"""The language of the formulas of every format."""
_MATRICES = re.compile(f"{MATRIX}(.){WIDE}*")


@dataclass
class FormulaPrinter:
    """Writes the formulas of one robot in a language and a notation."""

    language: Language
    notation: Notation
    joints: Joints
    cap: int | None = None
    """Terms of a formula that are shown at most."""
    until: float = inf
    """The time (of the monotonic clock) after which no search for shorter forms begins."""
    cut: bool = False
    """Whether a formula was longer than `cap`."""
    plain: bool = False
    """Whether a formula came after that time."""
    rounded: bool = False
    """Whether a number was longer than what is shown."""
    zeros: bool = False
    """Whether a matrix is given by its entries without the zeros."""
    halves: bool = False
    """Whether a symmetric matrix is given by the entries of its upper half."""
    primes: bool = False
    """Whether a symbol has a prime because a parameter looks like it."""
    digits: int | None = None
    """Digits of decimals, if the reader wants fewer than there are."""
    matrices: list[str] = field(init=False, default_factory=list[str])
    """Those of the formula that is being written."""
    texts: dict[int, tuple[Scalar, str]] = field(init=False, default_factory=dict[int, tuple[Scalar, str]])
    """Scalars by their identities, and how they are written: a page has one in several equations."""
    forms: dict[int, tuple[Scalar, TreePrinter, Tree]] = field(
        init=False, default_factory=dict[int, tuple[Scalar, TreePrinter, Tree]]
    )
    """The same, and who writes which form of them."""
    printers: dict[tuple[int, Decimals], tuple[Joints, TreePrinter]] = field(
        init=False, default_factory=dict[tuple[int, Decimals], tuple[Joints, TreePrinter]]
    )
    """Rings of scalars and manners of their numbers, and who writes these."""
    rows: dict[int, tuple[Formula, str, list[str]]] = field(
        init=False, default_factory=dict[int, tuple[Formula, str, list[str]]]
    )
    """Formulas by their identities, in one line with its breaks, and their matrices: each is measured, then written."""

    @property
    def remarks(self) -> list[str]:
        """What a reader should know about the formulas that were written."""
        most, kept = self.digits or MOST_DIGITS, self.digits or KEPT_DIGITS
        exact = f"{option('whole')} and JSON have" if self.digits is None else "JSON has"
        rounded = (
            f"Numbers of more than {most} digits are rounded to {kept} on this page; the proofs are about the exact "
            f"ones, which {exact}."
        )
        half = ", but for the lower half of a symmetric one, which repeats the upper" if self.halves else ""
        zeros = f"{UNWRITTEN}{half}."
        remarks = (
            (self.primes, PRIMES),
            (self.zeros, zeros),
            (self.plain, _plain()),
            (self.cut, _cut()),
            (self.rounded, rounded),
        )
        return [remark for is_so, remark in remarks if is_so]

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() > self.until

    @cached_property
    def symbols(self) -> SymbolPrinter:
        """What writes symbols."""
        return SymbolPrinter(self.language, self.notation, self.joints)

    def has_symbols(self, formula: Formula) -> bool:
        """Whether the notation has a symbol for everything in a formula."""
        return all(not isinstance(piece, Sym) or self.notation.letter(piece) for piece in formula)

    def lines(self, formula: Formula, width: float, left: float = 0) -> list[str]:
        """The formula in lines of at most about `width`; `left` is the room that is taken on the first."""
        return self._broken(self._line(formula), width, left)

    def width(self, formula: Formula) -> float:
        """How wide the formula is in one line."""
        return self.language.length(self._line(formula))

    def fits(self, formula: Formula, width: float, left: float = 0) -> bool:
        """Whether no line is much wider than `width`: a matrix cannot be broken."""
        lines = lines_of(self.language.breaks(self._line(formula)), width, self.language, left)
        return max(map(self.language.length, lines)) <= width - left + 2

    def inline(self, formula: Formula) -> str:
        """The formula in one line."""
        return self.lines(formula, 10**9)[0]

    def names_needed(self, left: Sym | Formula, value: Value, width: float, axes: str = "xyz") -> Places | None:
        """The entries that a matrix of at most `width` has only by their names; None where every entry stands alone.

        That is so of a vector, and where even names are too wide.
        """
        cells = self._cells(value) if isinstance(value, list) else []
        if not isinstance(value, list) or self._width(cells) <= width:
            return frozenset()
        if not isinstance(left, Sym) or len(cells[0]) == 1:
            return None
        names, length = self._names(left, value, axes), self.language.length
        sizes, shorter = ([[length(cell) for cell in row] for row in part] for part in (cells, names))
        return few_names(sizes, shorter, self._width(cells) - width, is_symmetric(left, rows_of(value)))

    def results(
        self, left: Sym | Formula, value: Value, width: float, named: Places | None, axes: str = "xyz"
    ) -> list[tuple[str, list[str], float]]:
        """(left side, lines of `width`, how wide they are in one): of the whole, whose left side is empty, and of the
        entries that it only names. Without a whole, of every entry that is not zero.
        """
        self.matrices = []
        if not isinstance(value, list):
            return [self._result("", self._written(value), width)]
        cells = self._cells(value)
        if not named and named is not None:
            return [self._result("", self._held(cells), width)]
        assert isinstance(left, Sym)
        rows = rows_of(value)
        names, symmetric = self._names(left, value, axes), is_symmetric(left, rows)
        entries: list[tuple[str, list[str], float]] = []
        if named is not None:
            entries.append(self._result("", self._held(with_names(cells, names, named)), width))
        for i, row in enumerate(cells):
            for j, cell in enumerate(row):
                if (named is not None and (i, j) not in named) or (symmetric and j < i):
                    continue
                if len(row) > 1 and not rows[i][j] and left != M:
                    self.zeros = True
                else:
                    entries.append(self._result(names[i][j], cell, width))
        self.halves = self.halves or (symmetric and named is None)
        return entries

    def _result(self, left: str, text: str, width: float) -> tuple[str, list[str], float]:
        return left, self._broken(text, width, 0), self.language.length(text)

    def _names(self, left: Sym, value: list[Exact] | list[list[Exact]], axes: str) -> list[list[str]]:
        """The names of the entries; of a symmetric matrix those of its upper half."""
        rows = rows_of(value)
        symmetric = is_symmetric(left, rows)
        places = [[(j, i) if symmetric and j < i else (i, j) for j in range(len(row))] for i, row in enumerate(rows)]
        one = len(rows[0]) == 1
        return [
            [self.symbols.written(entry_symbol(left, i, None if one else j, axes)) for i, j in row] for row in places
        ]

    def scalars(self, value: Value) -> list[str]:
        """Every scalar of a vector or a matrix, row by row, in one line each."""
        cells = [cell for row in rows_of(value) for cell in row] if isinstance(value, list) else [value]
        return [self._written(cell).replace(BREAK, "") for cell in cells]

    def _broken(self, text: str, width: float, left: float) -> list[str]:
        lines = lines_of(self.language.breaks(text), width, self.language, left)
        return [self._assembled(line) for line in self.language.closed([line.replace(BREAK, "") for line in lines])]

    def _assembled(self, line: str) -> str:
        parts = _MATRICES.split(line)
        return self.language.assemble([self.matrices[ord(p) - 0xE100] if k % 2 else p for k, p in enumerate(parts)])

    def _line(self, formula: Formula) -> str:
        """The whole formula, with place holders for its `matrices`."""
        if id(formula) not in self.rows:
            self.matrices = []
            self.rows[id(formula)] = formula, self._row(formula), self.matrices
        _, text, self.matrices = self.rows[id(formula)]
        return text

    def _row(self, formula: Formula) -> str:
        text = ""
        formula = self._signed(formula)
        for at, piece in enumerate(formula):
            before = formula[at - 1] if at else None
            after = formula[at + 1] if at + 1 < len(formula) else None
            written = self._piece(piece, before, after)
            if (isinstance(piece, Op) and piece.sign in "+-" and at) or (before == COMMA and OPENING in formula[:at]):
                text += BREAK  # before a sign, and between the components of an axis
            elif (
                text and not isinstance(piece, Op) and not isinstance(before, Op) and not needs_no_space(before, piece)
            ):
                step = isinstance(before, Group) and isinstance(piece, Sym) and piece.at("") in moves.values()
                text += (BREAK if step else "") + self.language.space
            text += written
        return text

    def _signed(self, formula: Formula) -> Formula:
        """a - b for a + (-b), a + b for a - (-b)."""
        pieces = [*formula]
        for k, (before, sign, after) in enumerate(zip(formula, formula[1:], formula[2:], strict=False), 1):
            if isinstance(before, Op) or sign not in (PLUS, MINUS):
                continue
            if isinstance(after, Val) and isinstance(after.value, Exact) and self._sign(after.value) < 0:
                positive = -after.value
                if self._sign(positive) > 0:
                    pieces[k : k + 2] = PLUS if sign == MINUS else MINUS, Val(positive)
        return tuple(pieces)

    def _sign(self, value: Exact) -> int:
        """-1 where a minus sign is written before it; 0 of a sum."""
        tree = self._tree(value)[1]
        return 0 if isinstance(tree, Sum) else sign_of(tree)[0]

    def _piece(self, piece: Piece, before: Piece | None, after: Piece | None) -> str:
        m = self.language
        match piece:
            case Sym() | Coordinates():
                return self._symbol(piece)
            case Word(text):
                return m.word(text)
            case Velocities(vector, matrix):
                return self._row(matrix if self.notation.coriolis == "matrix" else vector)
            case Op("-") if before is None or isinstance(before, Op):
                return m.negative
            case Op("+"):
                return m.plus
            case Op("-"):
                return m.minus
            case Op(sign):
                return m.signs[sign]
            case Frac():
                return self._fraction(piece, after)
            case Group(inner, transposed):
                return m.transposed(m.group(self._row(inner))) if transposed else m.group(self._row(inner))
            case Grid(rows):
                return self._held([[self._row(cell) for cell in row] for row in rows])
            case Total(over):
                return m.total(over)
            case Integral():
                return m.integral
            case Val(value):
                if isinstance(value, list):
                    return self._held(self._cells(value))
                printer, tree = self._tree(value)
                if needs_brackets(tree, before, after):
                    return m.group(printer.written(tree))
                followed = is_factor(after) and (ends_with_angle(tree) or is_quotient(tree))
                return printer.before_more(tree) if followed else printer.written(tree)

    def _symbol(self, symbol: Sym | Coordinates) -> str:
        self.primes = self.primes or self.symbols.has_prime(symbol)
        return self.symbols.written(symbol) if isinstance(symbol, Sym) else self.symbols.coordinates(symbol)

    def _fraction(self, piece: Frac, after: Piece | None) -> str:
        """A derivative, 1/2, or a quotient of the robot's quantities, which has brackets where a factor follows."""
        m = self.language
        match piece.above, piece.below:
            case (Val(above),), (Val(below),) if not isinstance(above, list) and not isinstance(below, list):
                (printer, over), (_, under) = self._tree(above), self._tree(below)
                quotient = m.fraction(printer.over(over), printer.under(under))
                return m.group(quotient) if is_factor(after) and not m.stacked else quotient
            case above, below:
                return m.fraction(self._row(above), self._row(below))

    def _cells(self, value: list[Exact] | list[list[Exact]]) -> list[list[str]]:
        return [[self._written(cell) for cell in row] for row in rows_of(value)]

    def _written(self, value: Scalar) -> str:
        if id(value) not in self.texts:
            printer, tree = self._tree(value)
            self.texts[id(value)] = value, printer.written(tree)
        return self.texts[id(value)][1]

    def _tree(self, value: Scalar) -> tuple[TreePrinter, Tree]:
        """The form of a scalar that is shown, and who writes it."""
        if id(value) not in self.forms:
            self.forms[id(value)] = value, *self._form(value)
        return self.forms[id(value)][1:]

    def _form(self, value: Scalar) -> tuple[TreePrinter, Tree]:
        own = Joints.of(value)
        late = isinstance(value, Exact) and self.late
        self.plain = self.plain or (late and isinstance(value, Exact) and len(value) > 1)
        cap = LATE_CAP if late and self.cap is not None else self.cap
        if cap is None and isinstance(value, Exact) and len(value) > self._room():
            cap = LATE_CAP
        tree = as_tree(value, self.notation, cap, not late)
        self.cut = self.cut or is_cut(tree)
        printer = self._printer(own, manner(tree))
        if (self.cap is None and self.digits is None) or printer.style == "none":
            return printer, tree
        short = round_tree(tree, self.digits)
        self.rounded = self.rounded or short is not tree
        return printer, short

    def _printer(self, own: Joints, numbers: Decimals) -> TreePrinter:
        """Who writes scalars of a ring with these joints and parameters."""
        key = (id(own) if own.numbers else own.decimals), numbers
        if key not in self.printers:
            joints = replace(self.joints, decimals=own.decimals and self.joints.decimals)
            if own.numbers:
                # A value of another ring, such as that of the coefficients: the page's parameters keep their symbols.
                both = {**self.joints.parameters, **own.parameters} if own.parameters else own.parameters
                joints = replace(own, parameters=both)
            self.printers[key] = own, TreePrinter(self.language, self.notation, joints, numbers)
        return self.printers[key][1]

    def _room(self) -> float:
        """The terms that can be written in the time that is left, and always some thousands."""
        return max((self.until - time.monotonic()) / SECONDS_PER_TERM, ALWAYS_WRITTEN)

    def _width(self, cells: list[list[str]]) -> int:
        between, around = self.language.matrix_gaps
        widths = [max(map(self.language.length, column)) for column in zip(*cells, strict=True)]
        return ceil(sum(widths) + between * (len(widths) - 1) + around)

    def _held(self, cells: list[list[str]]) -> str:
        """A place holder as wide as the matrix."""
        self.matrices.append(self.language.matrix([[cell.replace(BREAK, "") for cell in row] for row in cells]))
        return f"{MATRIX}{chr(0xE0FF + len(self.matrices))}{WIDE * self._width(cells)}"


def _cut() -> str:
    whole, only, seconds = option("whole"), option("only", "..."), option("seconds", "...")
    return (
        f"Formulas that end with … are cut off here. {whole} writes them out; {only} gives one of them alone, a long "
        f"one in named terms. Those that were not finished in time need more of it ({seconds})."
    )


def _plain() -> str:
    seconds = option("seconds", "...")
    return (
        "The time was over before this page was written: from there on formulas stand as they come, not in their "
        f"shortest form, and without the lines between rule and result. For these allow more time ({seconds})."
    )
