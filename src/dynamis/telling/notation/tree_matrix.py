"""What all printers share: which formula is shown, and where its lines break."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Any, Literal, Protocol, cast

from dynamis.base.errors import ArgumentError
from dynamis.scalars.exact.ring import Exact, Exponents
from dynamis.telling.forms.simplest import SEARCH_LIMIT, simplest
from dynamis.telling.forms.tree import Number, Rest, Sum, Tree, size
from dynamis.telling.notation.language import BREAK, Language
from dynamis.telling.notation.notation import Notation
from dynamis.telling.notation.numerals import manner
from dynamis.telling.notation.schools import as_notation
from dynamis.telling.notation.tree_printer import Joints, Scalar, TreePrinter

MatrixEntry = Scalar | int | Fraction


class HasRows(Protocol):
    """A matrix that gives its entries when it is asked, such as `Equations.M`."""

    def rows(self) -> Sequence[Sequence[Scalar]]: ...


Printable = MatrixEntry | HasRows | Sequence[MatrixEntry] | Sequence[Sequence[MatrixEntry]]
TERM_CAP = 400


def as_tree(formula: Scalar, notation: Notation, cap: int | None = TERM_CAP, search: bool = True) -> Tree:
    """The form that is shown; of a sum of more than `cap` terms only the beginning.

    It is the shortest that is found, or without `search` the terms as they come.
    """
    if not isinstance(formula, Exact):
        return formula
    total = len(formula)
    if cap is None or total <= cap:
        # A model that has used up its time is printed as it is, without the search for a shorter form.
        late = formula.ring.deadline is not None and formula.ring.deadline.over
        return simplest(formula, notation.layout, SEARCH_LIMIT if search and not late else 0)
    begun = _beginning(formula, cap) if search else formula.first_terms(cap)
    tree = simplest(begun, notation.layout, cap if search else 0)
    terms = tree.terms if isinstance(tree, Sum) else (tree,)
    room, head = 4 * cap, list[Tree]()
    for term in terms:
        room -= size(term)
        if room < 0:
            break
        head.append(term)
    return Sum((*head, Rest(total))) if head else Rest(total)


def is_cut(tree: Tree) -> bool:
    """Whether a tree is only the beginning of a formula."""
    return isinstance(tree.terms[-1] if isinstance(tree, Sum) else tree, Rest)


def _beginning(scalar: Exact, cap: int) -> Exact:
    """The terms of the first accelerations and velocities, each with all of its terms, about `cap` in all."""
    rates = [k for k, symbol in enumerate(scalar.ring.symbols) if symbol.is_rate]
    parts: dict[tuple[int, ...], dict[Exponents, Fraction]] = {}
    for exponents, number in scalar.terms().items():
        parts.setdefault(tuple(exponents[k] for k in rates), {})[exponents] = number
    head: dict[Exponents, Fraction] = {}
    for motion in sorted(parts, reverse=True):
        if head and len(head) + len(parts[motion]) > cap:
            break
        head |= parts[motion]
    return scalar.ring.from_terms(head)


@dataclass(frozen=True)
class TreeMatrix:
    """What is to be shown: the trees of a matrix's rows (a vector is a column), or of one formula."""

    rows: list[list[Tree]]
    kind: Literal["formula", "vector", "matrix"]
    notation: Notation
    joints: Joints

    @classmethod
    def of(cls, value: Printable, name: str | Notation, cap: int | None = TERM_CAP) -> TreeMatrix:
        """Every formula in its shortest form; the equal entries of a symmetric matrix only once."""
        school, content = as_notation(name), _printable(value)
        if not isinstance(content, list):
            return cls([[as_tree(content, school, cap)]], "formula", school, Joints.of(content))
        lines = cast("list[Any]", content)
        rows: list[list[Scalar]] = [cast("list[Any]", row) if isinstance(row, list) else [row] for row in lines]
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            raise ArgumentError("a matrix has rows of the same length, with at least one entry")
        cells = {id(cell): cell for row in rows for cell in row}
        trees = {key: as_tree(cell, school, cap) for key, cell in cells.items()}
        kind = "matrix" if any(isinstance(row, list) for row in lines) else "vector"
        return cls([[trees[id(cell)] for cell in row] for row in rows], kind, school, Joints.of(rows[0][0]))

    @property
    def formula(self) -> Tree:
        """The only formula."""
        return self.rows[0][0]

    def written(self, language: Language) -> list[list[str]]:
        """Every entry in a language, with its breaks."""
        numbers = manner(*(tree for row in self.rows for tree in row))
        printer = TreePrinter(language, self.notation, self.joints, numbers)
        texts = {id(tree): printer.written(tree) for row in self.rows for tree in row}
        return [[texts[id(tree)] for tree in row] for row in self.rows]

    def places(self, symbol: bool) -> list[tuple[list[str], int, int]]:
        """The entries with their places from 1: "2" in a vector, "12" or, without a symbol, "1,2" and "2,1"."""
        separator = "" if symbol and max(len(self.rows), len(self.rows[0])) <= 9 else ","
        groups: dict[tuple[int, int], tuple[list[str], int, int]] = {}
        for i, row in enumerate(self.rows):
            for j, tree in enumerate(row):
                place = f"{i + 1}{separator}{j + 1}" if self.kind == "matrix" else str(i + 1)
                mirrored = j < i < len(row) and self.rows[j][i] is tree
                groups.setdefault((j, i) if mirrored else (i, j), ([], i, j))[0].append(place)
        return list(groups.values())


def _printable(value: Any) -> Any:
    """Matrices, arrays and numbers as what printers take; anything else is refused."""
    if hasattr(value, "rows"):
        return value.rows()
    if hasattr(value, "tolist"):
        return _printable(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_printable(item) for item in cast("Sequence[Any]", value)]
    if isinstance(value, int | Fraction):
        return Number(Fraction(value))
    if isinstance(value, Exact | Tree):
        return value
    raise ArgumentError(
        f"printers show scalars, vectors and matrices of a model and whole numbers, not {value!r}; "
        "ask a model for what is to be shown, such as model.M or model.gravity"
    )


def lines_of(text: str, width: float, language: Language, left: float = 0, indent: int = 4) -> list[str]:
    """The text cut at its breaks into lines of at most `width`, outside of brackets where possible.

    `left` is the room that is taken on the first line, `indent` that on the others.
    """
    chunks = text.split(BREAK)
    lengths = [language.length(chunk) for chunk in chunks]
    lines: list[str] = []
    depths = [0]
    for chunk in chunks:
        depths.append(depths[-1] + chunk.count("(") - chunk.count(")"))
    start = 0
    while start < len(chunks):
        room = width - (indent if lines else left)
        end, used = start, 0
        while end < len(chunks) and (end == start or used + lengths[end] <= room):
            used += lengths[end]
            end += 1
        if end < len(chunks):
            half = [k for k, sofar in enumerate(accumulate(lengths[start:end]), start + 1) if sofar * 2 > used]
            end = min(half, key=lambda k: (depths[k], -k))
        lines.append("".join(chunks[start:end]).strip())
        start = end
    return lines
