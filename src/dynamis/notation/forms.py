"""What all printers share: which formula is shown, and how a tree becomes a line of text.

A printer gives a `Dialect`; `written` walks the tree. Where a line may break, before the + and -
of a sum, the text has a `BREAK`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal, cast

from dynamis.errors import ArgumentError
from dynamis.exact.equations import MassMatrix
from dynamis.exact.ring import Exact, Exponents, Ring
from dynamis.exact.simplest import LIMIT, simplest
from dynamis.exact.tree import (
    Alphabet,
    Angle,
    Coordinate,
    Function,
    Number,
    Power,
    Product,
    Rest,
    Root,
    Sign,
    Sum,
    Symbol,
    Tree,
    Trig,
    sign_of,
    size,
)
from dynamis.notation.conventions import Convention, convention
from dynamis.notation.names import Name
from dynamis.notation.numerals import Decimals, decimal, has_decimals
from dynamis.notation.table import Names, table

Formula = Exact | Tree
Entry = Formula | int | Fraction
Shown = Entry | MassMatrix | Sequence[Entry] | Sequence[Sequence[Entry]]
BREAK = "\x1f"
CAP = 400


@dataclass(frozen=True)
class Joints:
    """Joint -> its place in the robot, which of them slide, and all letters that there are."""

    numbers: dict[str, int] = field(default_factory=dict[str, int])
    sliding: frozenset[str] = frozenset()
    letters: frozenset[str] = frozenset()
    parameters: tuple[str, ...] = ()
    decimals: bool = True

    @classmethod
    def of(cls, formula: Formula) -> Joints:
        """The joints of a scalar's ring; a tree alone knows no numbers."""
        return _joints(formula.ring) if isinstance(formula, Exact) else cls()

    def names(self, convention: Convention) -> Names:
        """The table of names of these joints and parameters."""
        return table(convention, self.parameters, tuple(self.numbers), self.sliding)


@lru_cache(maxsize=32)
def _joints(ring: Ring) -> Joints:
    letters = ring.letters
    joints = [name[2:-1] for name in letters.names if name.startswith("d(")]
    turning = {sine[4:-1] for sine, _ in letters.trig}
    numbers = {joint: k for k, joint in enumerate(joints, 1)}
    named = [name for name in turning if name not in numbers and name.isidentifier()]
    atoms = Alphabet(ring).atoms.values()
    symbols = sorted({*named, *(atom.name for atom, _ in atoms if isinstance(atom, Symbol) and atom.name != "pi")})
    return Joints(numbers, frozenset(joints) - turning, frozenset(letters.names), tuple(symbols), ring.decimals)


@dataclass(frozen=True)
class Dialect:
    """How one language writes the pieces of a formula."""

    # a number that is not negative, and which fractions are decimals
    number: Callable[[Fraction, Decimals], str]
    name: Callable[[Name], str]
    power: Callable[[str, int], str]
    # function, (short subscript or ""), angle as text, whether it needs parentheses, power
    trig: Callable[[Function, str, str, bool, int], str]
    multiple: Callable[[int, str], str]
    root: Callable[[int], str]
    sign: Callable[[str], str]
    fraction: Callable[[str, str], str]
    group: Callable[[str], str]
    angle: Callable[[str], str]
    rest: Callable[[int], str]
    times: str = " "
    plus: str = " + "
    minus: str = " - "
    negative: str = "-"
    angle_plus: str = " + "
    angle_minus: str = " - "
    sum_break: str = ""


@dataclass(frozen=True)
class Writer:
    """A dialect in a convention, for the joints of one robot."""

    dialect: Dialect
    convention: Convention
    joints: Joints = Joints()
    decimals: bool = False

    @property
    def style(self) -> Decimals:
        """One rule a model: with letters for its parameters 1/2 is a fraction, a model in numbers has 0.5.

        With letters, a model that was given no decimals shows none: 2/5 m r^2.
        """
        if self.joints.numbers and not self.joints.parameters:
            return "all"
        if not self.joints.decimals:
            return "none"
        return "all" if self.decimals and not self.joints.numbers else "some"

    def written(self, tree: Tree) -> str:
        """A tree as text, with a `BREAK` where a line may end."""
        d = self.dialect
        match tree:
            case Number(v):
                return ("" if v >= 0 else d.negative) + d.number(abs(v), self.style)
            case Symbol(name):
                return d.name(self.names.parameter(name))
            case Root(radicand):
                return d.root(radicand)
            case Coordinate(joint, order):
                return d.name(self.names.joint(joint, order))
            case Sign(joint):
                return d.sign(d.name(self.names.joint(joint, 1)))
            case Trig(function, angle):
                return self._trig(function, angle, 1, closed=False)
            case Power(Trig(function, angle), exponent):
                return self._trig(function, angle, exponent, closed=False)
            case Power(base, exponent) if exponent < 0:
                under = self.written(base) if exponent == -1 else self.written(Power(base, -exponent))
                return d.fraction(d.number(Fraction(1), "none"), under)
            case Power(base, exponent):
                return d.power(self._factor(base), exponent)
            case Product(factors):
                return self._product(factors)
            case Sum(terms):
                return self._sum(terms)
            case Rest(total):
                return d.rest(total)

    def before_more(self, tree: Tree) -> str:
        """A factor that others follow: sin(q2) dq1, so that they are not read as a part of its angle."""
        if isinstance(tree, Product) and not any(isinstance(f, Power) and f.exponent < 0 for f in tree.factors):
            sign, positive = sign_of(tree)
            factors = positive.factors if isinstance(positive, Product) else (positive,)
            minus = self.dialect.negative if sign < 0 else ""
            return minus + self.dialect.times.join(map(self._before, factors))
        return self._before(tree) if _is_trig(tree) else self.written(tree)

    @cached_property
    def names(self) -> Names:
        """What everything is called."""
        return self.joints.names(self.convention)

    def _factor(self, tree: Tree) -> str:
        text = self.written(tree)
        return self.dialect.group(text) if isinstance(tree, Sum) else text

    def _product(self, factors: tuple[Tree, ...]) -> str:
        d = self.dialect
        first = factors[0]
        if isinstance(first, Number) and first.value < 0:
            rest = factors[1:] if first.value == -1 else (Number(-first.value), *factors[1:])
            return d.negative + self._product(rest)
        below = [f for f in factors if isinstance(f, Power) and f.exponent < 0]
        above = [f for f in factors if f not in below]
        closed = any(_is_trig(f) and self._open_before(after) for f, after in pairwise(above))
        text = d.times.join(self._before(f) if closed else self._factor(f) for f in above)
        if not below:
            return text
        write = self._factor if len(below) > 1 else self.written
        under = [write(f.base if f.exponent == -1 else Power(f.base, -f.exponent)) for f in below]
        return d.fraction(text or d.number(Fraction(1), "none"), d.times.join(under))

    def _open_before(self, after: Tree) -> bool:
        """Whether what follows a sine would be read as a part of its angle: sin(q2) dq1, but sin q2 cos q3."""
        return self.convention.short or not _is_trig(after)

    def _before(self, factor: Tree) -> str:
        """A factor of a product where a sine needs brackets: then all of them have some."""
        match factor:
            case Trig(function, angle):
                return self._trig(function, angle, 1, closed=True)
            case Power(Trig(function, angle), exponent):
                return self._trig(function, angle, exponent, closed=True)
            case _:
                return self._factor(factor)

    def _sum(self, terms: tuple[Tree, ...]) -> str:
        d = self.dialect
        text = self.written(terms[0])
        for term in terms[1:]:
            sign, positive = sign_of(term)
            text += d.sum_break + (d.plus if sign > 0 else d.minus) + self.written(positive)
        return text

    def _trig(self, function: Function, angle: Angle, power: int, closed: bool) -> str:
        short = self._short(angle) if self.convention.short else ""
        text = ""
        for k, (name, times) in enumerate(angle):
            part = self.dialect.multiple(abs(times), self._angle(name))
            if k == 0:
                text = part if times > 0 else self.dialect.negative + part
            else:
                text += (self.dialect.angle_plus if times > 0 else self.dialect.angle_minus) + part
        closed = closed or len(angle) > 1 or any(times < 0 for _, times in angle)
        return self.dialect.trig(function, short, text, closed, power)

    def _angle(self, name: str) -> str:
        if name in self.joints.numbers or (name.replace("_", "").isalnum() and not name[0].isdigit()):
            return self.dialect.name(self.names.joint(name))
        if re.fullmatch(r"\d+/\d+", name) and not self.convention.own_names:
            name = decimal(Fraction(name), "all") or name
        if self.convention.own_names:
            name = re.sub(r"[^\W\d]\w*", lambda found: self.names.parameter(found.group()).letter, name)
        return self.dialect.angle(name)

    def _short(self, angle: Angle) -> str:
        """12 for q1 + q2; nothing where angles come in multiples."""
        return "" if any(times != 1 for _, times in angle) else self.names.short(tuple(name for name, _ in angle))


def _is_trig(tree: Tree) -> bool:
    return isinstance(tree.base if isinstance(tree, Power) else tree, Trig)


def as_tree(formula: Formula, convention: Convention, cap: int | None = CAP, search: bool = True) -> Tree:
    """The form that is shown; of a sum of more than `cap` terms only the beginning.

    It is the shortest that is found, or without `search` the terms as they come.
    """
    if not isinstance(formula, Exact):
        return formula
    total = len(formula)
    if cap is None or total <= cap:
        # A model that has used up its time is printed as it is, without the search for a shorter form.
        late = formula.ring.deadline is not None and formula.ring.deadline.over
        return simplest(formula, convention.layout, LIMIT if search and not late else 0)
    begun = _beginning(formula, cap) if search else formula.first_terms(cap)
    tree = simplest(begun, convention.layout, cap if search else 0)
    terms = tree.terms if isinstance(tree, Sum) else (tree,)
    room, shown = 4 * cap, list[Tree]()
    for term in terms:
        room -= size(term)
        if room < 0:
            break
        shown.append(term)
    return Sum((*shown, Rest(total))) if shown else Rest(total)


def is_cut(tree: Tree) -> bool:
    """Whether a tree is only the beginning of a formula."""
    return isinstance(tree.terms[-1] if isinstance(tree, Sum) else tree, Rest)


def _beginning(scalar: Exact, cap: int) -> Exact:
    """The terms of the first accelerations and velocities, each with all of its terms, about `cap` in all."""
    rates = [k for k, name in enumerate(scalar.ring.letters.names) if name.startswith(("dd(", "d(", "sign("))]
    parts: dict[tuple[int, ...], dict[Exponents, Fraction]] = {}
    for exponents, number in scalar.terms().items():
        parts.setdefault(tuple(exponents[k] for k in rates), {})[exponents] = number
    found: dict[Exponents, Fraction] = {}
    for motion in sorted(parts, reverse=True):
        if found and len(found) + len(parts[motion]) > cap:
            break
        found |= parts[motion]
    return scalar.ring.from_terms(found)


@dataclass(frozen=True)
class Sheet:
    """What is to be shown: the trees of a matrix's rows (a vector is a column), or of one formula."""

    rows: list[list[Tree]]
    kind: Literal["formula", "vector", "matrix"]
    convention: Convention
    joints: Joints

    @classmethod
    def of(cls, shown: Shown, name: str | Convention, cap: int | None = CAP) -> Sheet:
        """Every formula in its shortest form; the equal entries of a symmetric matrix only once."""
        chosen, whole = convention(name), _shown(shown)
        if not isinstance(whole, list):
            return cls([[as_tree(whole, chosen, cap)]], "formula", chosen, Joints.of(whole))
        given = cast("list[Any]", whole)
        rows: list[list[Formula]] = [cast("list[Any]", row) if isinstance(row, list) else [row] for row in given]
        if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
            raise ArgumentError("a matrix has rows of the same length, with at least one entry")
        found = {id(cell): cell for row in rows for cell in row}
        trees = {key: as_tree(cell, chosen, cap) for key, cell in found.items()}
        kind = "matrix" if any(isinstance(row, list) for row in given) else "vector"
        return cls([[trees[id(cell)] for cell in row] for row in rows], kind, chosen, Joints.of(rows[0][0]))

    @property
    def formula(self) -> Tree:
        """The only formula."""
        return self.rows[0][0]

    def written(self, dialect: Dialect) -> list[list[str]]:
        """Every entry in a dialect, with its breaks."""
        decimals = any(has_decimals(tree) for row in self.rows for tree in row)
        writer = Writer(dialect, self.convention, self.joints, decimals)
        found = {id(tree): writer.written(tree) for row in self.rows for tree in row}
        return [[found[id(tree)] for tree in row] for row in self.rows]

    def places(self, symbol: str) -> list[tuple[list[str], int, int]]:
        """The entries with their places from 1: "2" in a vector, "12" or, without a symbol, "1,2" and "2,1"."""
        separator = "" if symbol and max(len(self.rows), len(self.rows[0])) <= 9 else ","
        found: dict[tuple[int, int], tuple[list[str], int, int]] = {}
        for i, row in enumerate(self.rows):
            for j, tree in enumerate(row):
                place = f"{i + 1}{separator}{j + 1}" if self.kind == "matrix" else str(i + 1)
                mirrored = j < i < len(row) and self.rows[j][i] is tree
                found.setdefault((j, i) if mirrored else (i, j), ([], i, j))[0].append(place)
        return list(found.values())


def _shown(value: Any) -> Any:
    """Matrices, arrays and numbers as what printers take; anything else is refused."""
    if isinstance(value, MassMatrix):
        return value.rows()
    if hasattr(value, "tolist"):
        return _shown(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_shown(item) for item in cast("Sequence[Any]", value)]
    if isinstance(value, int | Fraction):
        return Number(Fraction(value))
    if isinstance(value, Exact | Tree):
        return value
    raise ArgumentError(
        f"printers show scalars, vectors and matrices of a model and whole numbers, not {value!r}; "
        "ask a model for what is to be shown, such as model.M or model.gravity"
    )


def lines_of(text: str, width: int, measure: Callable[[str], int], left: int = 0, indent: int = 4) -> list[str]:
    """The text cut at its breaks into lines of at most `width`, outside of brackets where possible.

    `left` is the room that is taken on the first line, `indent` that on the others.
    """
    chunks = text.split(BREAK)
    lines: list[str] = []
    depths = [0]
    for chunk in chunks:
        depths.append(depths[-1] + chunk.count("(") - chunk.count(")"))
    start = 0
    while start < len(chunks):
        room = width - (indent if lines else left)
        end, used = start, 0
        while end < len(chunks) and (end == start or used + measure(chunks[end]) <= room):
            used += measure(chunks[end])
            end += 1
        if end < len(chunks):
            half = [k for k in range(start + 1, end + 1) if sum(map(measure, chunks[start:k])) * 2 > used]
            end = min(half, key=lambda k: (depths[k], -k))
        lines.append("".join(chunks[start:end]).strip())
        start = end
    return lines
