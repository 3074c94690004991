"""Where a formula goes wrong as it is written: the smallest parts of it that, corrected, make it right.

The difference between the formula and the true value is followed down the tree of what is written: of a sum into the
terms that have its parameters, of a product into the factor that would make it right, of a square into its root, of a
name into the line that defines it. Of all ways down the one with the least to change and to write is taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

from dynamis.apps.grading.judging.differences import groups
from dynamis.apps.grading.judging.report import Correction
from dynamis.apps.grading.judging.written_forms import Replaced, form_of, right_form
from dynamis.apps.grading.reading.answer_values import AnswerValues
from dynamis.apps.grading.reading.names import strip_underscores
from dynamis.apps.grading.reading.trees import Call, Chain, Derivative, Name, Number, Rows, Tree, walk
from dynamis.apps.grading.values import Value
from dynamis.scalars.exact.half_angles import quotient, square_root
from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.telling.forms import tree as forms

# Parts of formulas that are looked at for one entry: a page of the longest formula that a document prints takes 300.
MAX_PARTS = 1500
# Terms of the two values, beyond which nothing is searched.
MAX_TERMS = 1500
# Symbols and numbers of what should be written, multiplied out: what is longer is no slip of the pen.
MAX_RIGHT = 40
# The symbols and numbers around a slip that are shown with it.
MAX_AROUND = 16
_ZERO = Number(Fraction(0), 0)


@dataclass(frozen=True)
class _Edit:
    """`right` should stand where the last of `path` stands; in a sum that is `missing` terms, beside what stands there.

    `path` goes from all of line `line` to the part. `instead` is a sum with a bracket in another place, and `inside`
    what else is to be changed in it.
    """

    line: int
    path: tuple[Tree, ...]
    right: Exact
    missing: bool = False
    instead: Tree | None = None
    inside: tuple[_Edit, ...] = ()

    @property
    def cost(self) -> int:
        if self.instead is not None:
            return 8 + _cost(self.inside)
        return (0 if self.missing else _leaves(self.path[-1])) + _weight(self.right) + 3


Edits = tuple[_Edit, ...]
Changed = Callable[[int, Exact], Edits]


def corrections(values: AnswerValues, line: int, cell: int, true: Exact, left: str) -> tuple[Correction, ...]:
    """The corrections of one entry, in the order of the text.

    None where the formula has matrices, derivatives or fractions of sums, and where they would be long. `values` reads
    the decimals of the answer as what they round, where that makes them right.
    """
    tree = _cell(values.answer.lines[line].tree, cell)
    search = _Search(values)
    if tree is None or any(isinstance(part, Rows | Derivative) for part in walk(tree)):
        return ()
    if len(true) > MAX_TERMS or (before := search.value(tree, line)) is None:
        return ()
    if len(before) > MAX_TERMS or values.conditions(line):
        edits: Edits = (_Edit(line, (tree,), true),)
    else:
        edits = search.edits(tree, line, true)
    if any(_weight(edit.right) > MAX_RIGHT for edit in edits):
        return ()
    return tuple(_correction(values, around, part, left) for around, part in _by_surroundings(edits))


def _cell(tree: Tree | None, cell: int) -> Tree | None:
    if isinstance(tree, Rows):
        return [part for row in tree.rows for part in row][cell]
    return tree if cell == 0 else None


class _Search:
    def __init__(self, values: AnswerValues) -> None:
        self.values, self.ring, self.left = values, values.ring.ring, MAX_PARTS
        self.into_lets = True
        self.known: dict[tuple[int, int], tuple[Tree, Exact | None]] = {}
        """Values of parts, with the parts, so that no other part can have the same id."""
        self.lets: dict[int, Exact] = {}
        """What the lines of `let` should be, of those that were gone into."""

    def edits(self, tree: Tree, line: int, true: Exact) -> Edits:
        """The cheapest edits; those of a definition only if the entry is then right, wherever else it is used."""
        edits = self.best((tree,), line, true)
        lets = {edit.line for edit in edits} - {line}
        if lets:
            fixed = AnswerValues(self.values.answer, self.values.ring, self.values.readings)
            fixed.values |= {k: Value(right) for k, right in self.lets.items() if k in lets}
            if lets != {edit.line for edit in edits} or _Search(fixed).value(tree, line) != true:
                self.into_lets, self.left = False, MAX_PARTS
                edits = self.best((tree,), line, true)
        return edits

    def value(self, tree: Tree, line: int) -> Exact | None:
        """The value of a part; None of a matrix and of a fraction of sums."""
        if (known := self.known.get((id(tree), line))) is not None:
            return known[1]
        before, self.values.stack = self.values.stack, [line]
        try:
            value = self.values.value(tree)
        finally:
            self.values.stack = before
        scalar = value.top if isinstance(value, Value) and value.bottom is None else None
        self.known[id(tree), line] = tree, scalar
        return scalar

    def best(self, path: tuple[Tree, ...], line: int, right: Exact) -> Edits:
        """The cheapest edits that make the last of `path` equal to `right`."""
        tree, self.left = path[-1], self.left - 1
        self.ring.check_time()
        value = self.value(tree, line)
        if value == right:
            return ()
        ways: list[Edits] = [(_Edit(line, path, right),)]
        if self.left > 0 and value is not None:
            match tree:
                case Call("-", inner):
                    ways.append(self.best((*path, inner), line, -right))
                case Call("^", inner, _, 2):
                    ways += [self.best((*path, inner), line, root) for root in _roots(right)]
                case Chain(_, rest) if rest[0][0] in ("+", "-"):
                    ways += self.sums(path, tree, line, value - right)
                case Chain():
                    ways += self.products(path, tree, line, right)
                    ways += self.brackets(path, [("+", tree)], line, value - right) if len(path) == 1 else ()
                case Name(text, _, ()) if self.into_lets:
                    ways += self.definitions(strip_underscores(text), line, right)
                case _:
                    pass
        return min(ways, key=_cost)

    def products(self, path: tuple[Tree, ...], tree: Chain, line: int, right: Exact) -> list[Edits]:
        """One wrong factor: the true product, divided by the others."""
        factors = [("*", tree.first), *tree.rest]
        values = [self.value(part, line) for _, part in factors]
        ways: list[Edits] = []
        for k, (sign, part) in enumerate(factors):
            above, below = right, self.ring.one
            for other, ((of_other, _), value) in enumerate(zip(factors, values, strict=True)):
                if value is None:
                    return []
                if other != k:
                    above, below = (above, below * value) if of_other == "*" else (above * value, below)
            if sign == "*" and below and (factor := quotient(above, below)) is not None:
                ways.append(self.best((*path, part), line, factor))
        return ways

    def sums(self, path: tuple[Tree, ...], tree: Chain, line: int, difference: Exact) -> list[Edits]:
        """One wrong term; or each part of the difference in a term that has its parameters, or all of its symbols."""
        terms = [("+", tree.first), *tree.rest]
        values = [self.value(part, line) or self.ring.zero for _, part in terms]

        def changed(k: int, by: Exact) -> Edits:
            sign, part = terms[k]
            return self.best((*path, part), line, values[k] - by if sign == "+" else values[k] + by)

        ways: list[Edits] = []
        for split in (groups, _monomials):
            keys = [split(value.terms(), self.ring).keys() for value in values]
            parts = {key: self.ring.from_terms(of) for key, of in split(difference.terms(), self.ring).items()}
            holders = {key: [k for k in range(len(terms)) if key in keys[k]] for key in parts}
            if split is groups:
                ways += [changed(k, difference) for k in sorted({k for held in holders.values() for k in held})]
            shares = self.shares(parts, holders, changed)
            absent = self.ring.zero
            for key, held in holders.items():
                absent = absent if held else absent - parts[key]
            missing: Edits = (_Edit(line, path, absent, missing=True),) if absent else ()
            ways.append(_unique_edits([*(changed(k, share) for k, share in shares.items()), missing]))
            for k in shares if absent else ():
                others = [changed(j, share) for j, share in shares.items() if j != k]
                ways.append(_unique_edits([*others, changed(k, shares[k] - absent)]))
        return [*ways, *self.brackets(path, terms, line, difference)]

    def brackets(
        self, path: tuple[Tree, ...], terms: list[tuple[str, Tree]], line: int, difference: Exact
    ) -> Iterable[Edits]:
        """A bracket that closes too late: a (b + c) that should be a b + c."""
        for k, (sign, term) in enumerate(terms):
            *factors, (_, last) = [("*", term.first), *term.rest] if isinstance(term, Chain) else [("*", term)]
            if not isinstance(last, Chain) or not factors or not {s for s, _ in last.rest} <= {"+", "-"}:
                continue
            outside = self.value(_chain(factors), line)
            for at in range(1, len(last.rest) + 1):
                inside, moved = _chain([("+", last.first), *last.rest[: at - 1]]), last.rest[at - 1 :]
                value = self.value(_chain([("+", _ZERO), *moved]), line)
                if outside is None or value is None:
                    break
                rest = difference - (outside if sign == "+" else -outside) * value + value
                if len(rest) <= len(difference) // 2:
                    product = _chain([*factors, ("*", inside)])
                    tree = _chain([*terms[:k], (sign, product), *moved, *terms[k + 1 :]])
                    after = self.value(tree, line)
                    edits = self.best((tree,), line, after - rest) if after is not None else ()
                    yield (_Edit(line, path, self.ring.zero, instead=tree, inside=edits),)

    def shares(
        self, parts: Mapping[Exponents, Exact], holders: Mapping[Exponents, list[int]], changed: Changed
    ) -> dict[int, Exact]:
        """Term -> its share of the difference: each part goes to the term that has most of them, else the cheapest."""
        counts = Counter(k for held in holders.values() for k in held)
        shares: dict[int, Exact] = {}
        most = {key: [k for k in held if counts[k] == max(counts[j] for j in held)] for key, held in holders.items()}
        for key, at in sorted(most.items(), key=lambda item: len(item[1])):
            now = [shares.get(k, self.ring.zero) for k in at]
            if not at:
                continue
            if len(at) == 1:
                more = [0]
            else:
                pairs = list(zip(at, now, strict=True))
                more = [_cost(changed(k, share + parts[key])) - _cost(changed(k, share)) for k, share in pairs]
            best = at[more.index(min(more))]
            shares[best] = shares.get(best, self.ring.zero) + parts[key]
        return shares

    def definitions(self, name: str, line: int, right: Exact) -> list[Edits]:
        """The line of `let` that defines a name, unless it is another name for a symbol."""
        above = [k for k in self.values.answer.lets.get(name, []) if k < line]
        tree = self.values.answer.lines[above[-1]].tree if above else None
        if tree is None or isinstance(tree, Name) or self.lets.setdefault(above[-1], right) != right:
            return []
        return [self.best((tree,), above[-1], right)]


def _roots(square: Exact) -> Iterable[Exact]:
    result = square_root(square)
    if result is None:
        return ()
    number, root = result
    size = Fraction(isqrt(max(number.numerator, 0)), isqrt(number.denominator))
    return (root.times(size), root.times(-size)) if size * size == number else ()


def _unique_edits(parts: Iterable[Edits]) -> Edits:
    """Each edit once: a definition that is used in two terms is corrected once."""
    unique: dict[tuple[int, int, Exact], _Edit] = {}
    for edits in parts:
        for edit in edits:
            unique.setdefault((edit.line, id(edit.path[-1]), edit.right), edit)
    return tuple(unique.values())


def _chain(parts: Sequence[tuple[str, Tree]]) -> Tree:
    """The sum or the product of these parts."""
    (sign, first), *rest = parts
    first = Call("-", first, first.start) if sign == "-" else first
    return Chain(first, tuple(rest), first.start) if rest else first


def _monomials(terms: Mapping[Exponents, Fraction], ring: Ring) -> dict[Exponents, Mapping[Exponents, Fraction]]:
    return {key: {key: number} for key, number in terms.items()}


def _cost(edits: Edits) -> int:
    return sum(edit.cost for edit in edits)


def _leaves(tree: Tree) -> int:
    """The symbols and numbers of a part."""
    return sum(not isinstance(node, Chain | Call | Rows) for node in walk(tree))


def _weight(scalar: Exact) -> int:
    """The same of a value that is multiplied out."""
    return sum(1 + sum(1 for exponent in key if exponent) for key in scalar.terms())


def _by_surroundings(edits: Edits) -> list[tuple[tuple[int, Tree], list[_Edit]]]:
    """((line, the widest part around an edit that is short enough), its edits), in the order of the text.

    An edit inside of a part that is shown for another one belongs to that part.
    """
    parts: dict[int, tuple[tuple[int, Tree], list[_Edit]]] = {}
    widest = {id(next((node for node in edit.path if _leaves(node) <= MAX_AROUND), edit.path[-1])) for edit in edits}
    for edit in edits:
        around = next(node for node in edit.path if id(node) in widest)
        parts.setdefault(id(around), ((edit.line, around), []))[1].append(edit)
    return sorted(parts.values(), key=lambda part: (part[0][0], part[0][1].start))


def _correction(values: AnswerValues, around: tuple[int, Tree], edits: Sequence[_Edit], left: str) -> Correction:
    line, tree = around
    name = values.answer.lines[line].name if values.answer.lines[line].kind == "let" else left
    return Correction(
        name, form_of(tree, line, values, {}), form_of(tree, line, values, _replacement_forms(values, edits))
    )


def _replacement_forms(values: AnswerValues, edits: Iterable[_Edit]) -> Replaced:
    replaced: dict[int, tuple[forms.Tree, bool]] = {}
    for edit in edits:
        if edit.instead is None:
            right = right_form(edit.right, values)
        else:
            right = form_of(edit.instead, edit.line, values, _replacement_forms(values, edit.inside))
        replaced[id(edit.path[-1])] = right, edit.missing
    return replaced
