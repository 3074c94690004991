"""The recursive form: torques as a list of short named terms, each from those before it.

An entry of thousands of terms is no equation that anybody reads. The recursion of Newton-Euler
itself is short: run on trees that name their larger parts, it gives x1, x2, ... and the torques in
them. A part that is short when written out is written in its shortest form, so that parallel axes
give c23 here too. Expanded back into the ring they are the torques, and that is checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from itertools import chain
from math import gcd
from operator import add
from typing import Any

from dynamis.compute.mechanics.coupling import Coupling, coordinates_of
from dynamis.compute.mechanics.dynamics.newton_euler import newton_euler
from dynamis.compute.mechanics.mechanism import Mechanism, Wrench, state_at
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.scalars import Scalars
from dynamis.scalars.vectors import Matrix, Vector
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Words
from dynamis.telling.forms.order import TEXTBOOK, factor_key
from dynamis.telling.forms.simplest import simplest
from dynamis.telling.forms.tree import (
    Number,
    Power,
    Product,
    Root,
    Sum,
    Symbol,
    Tree,
    expand,
    product,
    scale_tree,
    size,
)
from dynamis.telling.formula import Sym, index
from dynamis.telling.renderers.page import MOST_TERMS

MAX_SEARCHED_TERMS = 22
# Terms of a part up to which its shortest form is searched for.
WRITTEN_OUT = 4
_PREFIXES = ("x", "y", "z", "h", "t", "named")

# Results on a page -> what the recursion is asked for.
_RECURSIVE = {s.tau: "tau", s.m: "M", s.c: "c", s.g: "g", s.T: "T"}


@dataclass(frozen=True)
class RecursiveForm:
    """`definitions` in order, each of earlier names, and the torques in their terms."""

    definitions: tuple[tuple[str, Tree], ...]
    torques: tuple[Tree, ...]


@dataclass
class Book:
    """The names of a page; the same tree gets the same name, and on the page a number when it is first needed."""

    prefix: str
    definitions: dict[str, Tree] = field(default_factory=dict[str, Tree])
    names: dict[Tree, Symbol] = field(default_factory=dict[Tree, Symbol])
    numbered: dict[str, Tree] = field(default_factory=dict[str, Tree])

    @classmethod
    def of(cls, model: ClosedForm) -> Book:
        """An empty book, with names that no parameter of the robot has."""
        taken = model.robot.parameters
        return cls(next(p for p in _PREFIXES if not any(re.fullmatch(rf"{p}\d+", name) for name in taken)))

    def named(self, tree: Tree) -> Tree:
        if size(tree) <= MAX_SEARCHED_TERMS:
            return tree
        if tree not in self.names:
            name = f"{self.prefix}{len(self.names) + 1}"
            self.names[tree], self.definitions[name] = Symbol(name), tree
        return self.names[tree]


class _Named:
    """A scalar that is a tree, zeros and ones folded, larger parts named in the book.

    `value` is what it stands for, as long as that is short; it may then have a shorter tree.
    """

    __slots__ = ("book", "tree", "value")

    def __init__(self, tree: Tree, book: Book, value: Exact | None = None) -> None:
        self.value = value if value is not None and len(value) <= WRITTEN_OUT else None
        if self.value is not None and isinstance(tree, Sum | Product):
            tree = min(tree, simplest(self.value), key=size)
        self.tree = book.named(tree)
        self.book = book
        if self.tree is not tree:
            self.value = None

    def __add__(self, other: _Named) -> _Named:
        a, b = self.tree, other.tree
        match a, b:
            case Number(x), Number(y):
                return _Named(Number(x + y), self.book, self._with(other, Exact.__add__))
            case Number(x), _ if x == 0:
                return other
            case _, Number(y) if y == 0:
                return self
            case _:
                return _Named(_add_terms((*_terms(a), *_terms(b))), self.book, self._with(other, Exact.__add__))

    def __neg__(self) -> _Named:
        value = None if self.value is None else -self.value
        if isinstance(self.tree, Sum):
            return _Named(Sum(tuple(scale_tree(term, Fraction(-1)) for term in self.tree.terms)), self.book, value)
        return _Named(scale_tree(self.tree, Fraction(-1)), self.book, value)

    def __sub__(self, other: _Named) -> _Named:
        return self + -other

    def __mul__(self, other: _Named) -> _Named:
        (m, left), (n, right) = _parts(self.tree), _parts(other.tree)
        value = self._with(other, Exact.__mul__)
        if m * n == 0:
            return _Named(Number(Fraction(0)), self.book, value)
        roots, whole = _squares((*left, *right))
        number = m * n * roots
        if len(whole) == 1 and isinstance(whole[0], Sum):
            return _Named(Sum(tuple(scale_tree(term, number) for term in whole[0].terms)), self.book, value)
        return _Named(product(number, whole), self.book, value)

    def _with(self, other: _Named, operation: Callable[[Exact, Exact], Exact]) -> Exact | None:
        """The value of a sum or a product, where both are known."""
        return None if self.value is None or other.value is None else operation(self.value, other.value)


@dataclass(frozen=True)
class _NamedScalars(Scalars[_Named]):
    """Constants as named scalars: all that the recursion needs."""

    named: Callable[[Exact], _Named]
    ring: Ring

    def constant(self, value: Fraction) -> _Named:
        return self.named(self.ring.number(value))


def recursive_form(model: ClosedForm, wanted: str = "tau", *at: int, book: Book | None = None) -> RecursiveForm:
    """The torques of a model by Newton-Euler, in named terms; `at` chooses one of them, joints from 0.

    The same recursion gives what torques are made of: c (no acceleration, no gravity), g (at rest), M (the torques
    of one acceleration alone), and T = 1/2 qd.M qd from the torques of the accelerations qd. With a `book` of the
    page, terms that stand on it already are not defined again.
    """
    names = Book.of(model) if book is None else book

    def named(scalar: Exact) -> _Named:
        return _Named(simplest(scalar), names, scalar)

    known, none, coupling = model.state, [model.ring.zero] * model.n, model.mechanism.coupling
    column = [model.ring.number(int(wanted == "M" and k == at[1])) for k in range(model.n)]
    rates = model.qd if wanted in ("tau", "c") else none
    accelerations = {"tau": model.qdd, "M": column, "T": model.qd}.get(wanted, none)
    m = _named_mechanism(model.mechanism, _NamedScalars(named, model.ring))
    if wanted != "tau":
        m = m.without_forces(springs=wanted != "g")
    state = state_at(
        m,
        q=[named(x) for x in coordinates_of(coupling, known.q)],
        qd=[named(x) for x in rates],
        qdd=[named(x) for x in accelerations],
        cos_sin=[(named(c), named(s)) for c, s in zip(known.c, known.s, strict=True)],
        sign=[named(x) for x in known.sign],
        stribeck=[named(x) for x in known.stribeck],
    )
    applied: list[Any] = [
        wrench and Wrench(*(Vector(*map(named, v)) for v in (wrench.force, wrench.moment)))
        for wrench in (model.wrenches if wanted == "tau" else ())
    ]
    tau: list[Any] = newton_euler(m, state, None if wanted in ("tau", "g") else m.null, applied).tau
    if wanted == "T":
        half = named(model.ring.number(Fraction(1, 2)))
        tau = [reduce(add, (half * torque * named(rate) for torque, rate in zip(tau, model.qd, strict=True)))]
    torques: list[Tree] = [scalar.tree for scalar in (tau[at[0] : at[0] + 1] if at else tau)]
    new = [(old, tree) for old, tree in _needed_definitions(names.definitions, torques) if old not in names.numbered]
    first = len(names.numbered) + 1
    numbers = [f"{names.prefix}{k}" for k in range(first, first + len(new))]
    names.numbered |= {old: Symbol(number) for number, (old, _) in zip(numbers, new, strict=True)}
    definitions = zip(numbers, (_rename_symbols(tree, names.numbered) for _, tree in new), strict=True)
    return RecursiveForm(tuple(definitions), tuple(_rename_symbols(tree, names.numbered) for tree in torques))


def expand_torques(form: RecursiveForm, ring: Ring) -> list[Exact]:
    """The torques with every name replaced by what it stands for."""
    known: dict[str, Exact] = {}
    for name, tree in form.definitions:
        known[name] = expand(tree, ring, known)
    return [expand(tree, ring, known) for tree in form.torques]


def in_named_terms(model: ClosedForm, parts: Iterable[Part], book: Book) -> Iterator[Part]:
    """The parts of an entry, a long one in its recursive form; Christoffel symbols, C and J are written out."""
    for part in chain.from_iterable(map(_entries, parts)):
        if not isinstance(part, Equation) or not isinstance(part.right, Exact) or len(part.right) <= MOST_TERMS:
            yield part
            continue
        assert isinstance(part.left, Sym)
        wanted, at = _RECURSIVE.get(part.left.at(""), ""), _numbers(part.left.index)
        if not wanted or (wanted == "T" and at):
            yield part
            continue
        form = recursive_form(model, wanted, *at, book=book)
        yield from definitions(form, f"it has {len(part.right)} terms")
        yield Equation(part.left, form.torques[0], part.ways[:1])


def _entries(part: Part) -> Iterator[Part]:
    """A matrix or a vector with a long entry, entry by entry; of M the upper half."""
    rows = part.right if isinstance(part, Equation) and isinstance(part.right, list) else []
    cells = [row if isinstance(row, list) else [row] for row in rows]
    left = part.left if isinstance(part, Equation) else s.M
    if left not in (s.M, s.c, s.g) or all(len(cell) <= MOST_TERMS for row in cells for cell in row):
        yield part
        return
    for i, row in enumerate(cells):
        for j, cell in enumerate(row):
            if left != s.M:
                yield Equation(left.at(i + 1), cell)
            elif i <= j:
                yield Equation(s.m.at(index(i + 1, j + 1)), cell)


def definitions(form: RecursiveForm, length: str) -> Iterator[Part]:
    """x_1, x_2, ... and the sentence that introduces them."""
    yield Words(
        f"Written out, {length}; this is the recursive form by Newton-Euler with "
        f"{len(form.definitions)} named terms, each of those before it."
    )
    for name, tree in form.definitions:
        number = len(name.rstrip("0123456789"))
        yield Equation(Sym(name[:number], name[number:]), tree)


def _numbers(index: str) -> tuple[int, ...]:
    """Joints from 0: 12 and 1,12 as the index of an entry."""
    return tuple(int(k) - 1 for k in (index.split(",") if "," in index else index))


def _needed_definitions(definitions: dict[str, Tree], torques: Iterable[Tree]) -> list[tuple[str, Tree]]:
    """The definitions that the torques need, in order."""
    needed: set[str] = set()
    for tree in torques:
        needed |= _symbols(tree)
    for name in reversed(definitions):
        if name in needed:
            needed |= _symbols(definitions[name])
    return [(name, tree) for name, tree in definitions.items() if name in needed]


def _rename_symbols(tree: Tree, names: dict[str, Tree]) -> Tree:
    match tree:
        case Symbol(name):
            return names.get(name, tree)
        case Sum(parts):
            return Sum(tuple(_rename_symbols(part, names) for part in parts))
        case Product(parts):
            return Product(tuple(_rename_symbols(part, names) for part in parts))
        case Power(base, exponent):
            return Power(_rename_symbols(base, names), exponent)
        case _:
            return tree


def _symbols(tree: Tree) -> set[str]:
    match tree:
        case Symbol(name):
            return {name}
        case Sum(parts) | Product(parts):
            return set[str]().union(*map(_symbols, parts))
        case Power(base, _):
            return _symbols(base)
        case _:
            return set()


def _terms(tree: Tree) -> tuple[Tree, ...]:
    return tree.terms if isinstance(tree, Sum) else (tree,)


def _add_terms(terms: tuple[Tree, ...]) -> Tree:
    """The sum, equal terms taken together."""
    numbers: dict[tuple[Tree, ...], Fraction] = {}
    for term in terms:
        number, factors = _parts(term)
        numbers[factors] = numbers.get(factors, Fraction(0)) + number
    whole = tuple(product(number, factors) for factors, number in numbers.items() if number)
    return whole[0] if len(whole) == 1 else Sum(whole) if whole else Number(Fraction(0))


def _parts(tree: Tree) -> tuple[Fraction, tuple[Tree, ...]]:
    """(number, the other factors)."""
    match tree:
        case Number(v):
            return v, ()
        case Product((Number(v), *rest)):
            return v, tuple(rest)
        case Product(factors):
            return Fraction(1), factors
        case _:
            return Fraction(1), (tree,)


def _squares(factors: tuple[Tree, ...]) -> tuple[int, tuple[Tree, ...]]:
    """Equal factors as powers, in the order of textbooks, and the number that the roots among them give.

    >>> _squares((Root(6), Root(2), Symbol("m"), Root(5)))
    (2, (Root(radicand=15), Symbol(name='m')))
    """
    powers: dict[Tree, int] = {}
    number, radicand = 1, 1
    for factor in factors:
        base, exponent = (factor.base, factor.exponent) if isinstance(factor, Power) else (factor, 1)
        if isinstance(base, Root):
            common = gcd(radicand, base.radicand)
            number, radicand = number * common, radicand * base.radicand // common**2
        else:
            powers[base] = powers.get(base, 0) + exponent
    squares: list[Tree] = [base if k == 1 else Power(base, k) for base, k in powers.items() if k]
    squares += [Root(radicand)] if radicand > 1 else []
    return number, tuple(sorted(squares, key=lambda factor: factor_key(factor, TEXTBOOK)))


def _named_mechanism(m: Mechanism[Exact], scalars: _NamedScalars) -> Mechanism[_Named]:
    """A mechanism with every scalar named."""

    def of(value: Any) -> Any:
        if isinstance(value, Exact):
            return scalars.named(value)
        kind: Any = Vector if hasattr(value, "x") else Matrix
        return kind(*map(of, value))

    fields = ("R0", "t0", "k", "origin", "mass", "com", "inertia", "rotor")
    bodies: list[Any] = [
        replace(body, forces=body.forces.map(of), **{key: of(getattr(body, key)) for key in fields})
        for body in m.bodies
    ]
    coupling: Coupling[Any] | None = None
    if m.coupling is not None:
        rows = tuple(tuple((k, of(factor)) for k, factor in row) for row in m.coupling.rows)
        coupling = replace(m.coupling, rows=rows, offsets=tuple(map(of, m.coupling.offsets)))
    return Mechanism(tuple(bodies), m.links, of(m.gravity), scalars, coupling)
