"""The order in which textbooks write: which factor first in a product, which term first in a sum."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from dynamis.telling.forms.tree import Coordinate, Number, Power, Product, Root, Sign, Sum, Symbol, Tree, Trig, sign_of

# Ranks of parameters in a product: masses and densities, inertias, lengths, other distances, the rest, gravity.
_MASS_RANK, _INERTIA_RANK, _LENGTH_RANK, _DISTANCE_RANK, _OTHER_RANK, _GRAVITY_RANK = 0, 1, 2, 3, 4, 6
_OF_MEANING: dict[str, tuple[int, ...]] = {
    "mass": (_MASS_RANK,), "inertia": (_INERTIA_RANK,), "length": (_LENGTH_RANK, _DISTANCE_RANK, _OTHER_RANK),
    "distance": (_DISTANCE_RANK, _LENGTH_RANK, _OTHER_RANK), "gravity": (_GRAVITY_RANK,), "friction": (_OTHER_RANK,),
    "force": (_OTHER_RANK,), "moment": (_OTHER_RANK,),
}  # fmt: skip
# What the usual letters stand for: for parameters that have no meaning by their place in the robot, such as those of a
# body, and to tell l from d among lengths.
_USUAL = (
    (_GRAVITY_RANK, re.compile(r"g_?\d*$")),
    (_MASS_RANK, re.compile(r"(m|M)(_?\w?\d*|_.*)$|rho_?\d*$")),
    (_INERTIA_RANK, re.compile(r"[IJ]")),
    (_LENGTH_RANK, re.compile(r"[lLa]_?\d*$")),
    (_DISTANCE_RANK, re.compile(r"(lc|[dRrz]|rc|L_?c)")),
)


@dataclass(frozen=True)
class Layout:
    """How an author lays out a formula.

    `factored` takes masses and other common factors out of sums; otherwise the terms of short sums are
    collected by their sines and cosines alone. `masses_first` writes m1 l1^2 before I1; otherwise link by link,
    and inertias first. `gravity_first` writes g0 m1 d1 instead of m1 d1 g0. `group_velocities` writes
    l1 c2 qd1 + l2 (qd1 + qd2) instead of (l2 + l1 c2) qd1 + l2 qd2, where that is not longer. `group_masses` writes a
    long sum mass by mass, m1 (...) + m2 (...). `decimals` leaves the numbers of a file that has decimals where they
    are.
    """

    factored: bool = True
    masses_first: bool = True
    gravity_first: bool = False
    group_velocities: bool = False
    group_masses: bool = False
    decimals: bool = True


TEXTBOOK = Layout()


@lru_cache(maxsize=4096)
def rank(symbol: Symbol) -> int:
    """Where a parameter stands in a product, by what it measures, else by its letter."""
    usual = next((kind for kind, pattern in _USUAL if pattern.match(symbol.name)), _OTHER_RANK)
    allowed = _OF_MEANING.get(symbol.meaning, (usual,))
    return usual if usual in allowed else allowed[0]


def is_mass(tree: Tree) -> bool:
    """Whether a factor is a mass."""
    return isinstance(tree, Symbol) and rank(tree) == _MASS_RANK


@lru_cache(maxsize=4096)
def natural(name: str) -> tuple[Any, ...]:
    """A key that puts m2 before m10."""
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in re.findall(r"\d+|\D+", name))


def link_number(name: str) -> int:
    """The first number in a name: the link that a parameter belongs to."""
    digit = re.search(r"\d", name)
    return int(digit.group()) if digit else 0


def factor_key(tree: Tree, layout: Layout) -> tuple[Any, ...]:
    """Where a factor stands in its product."""
    base = tree.base if isinstance(tree, Power) else tree
    match base:
        case Number():
            return (-2,)
        case Root(radicand):
            return -1.5, radicand
        case Symbol("pi"):
            return (-1.2,)
        case Symbol(name):
            kind = rank(base)
            return (-1 if layout.gravity_first and kind == _GRAVITY_RANK else kind), natural(name)
        case Coordinate(joint, 0):
            return 5, natural(joint)
        case Sum() if not has_angles(base):
            inner = [key for term in base.terms for key in _sum_ranks(term)]
            return min(inner, default=5) + 0.5, (), _denominator_key(tree)
        case Sum():
            return (7 if not has_rates(base) else 9), (), _denominator_key(tree)
        case Trig(function, angle):
            return 8, tuple(natural(name) for name, _ in angle), function == "cos"
        case Coordinate(joint, order):
            return (9 if order == 1 else 8.5), natural(joint)
        case Sign(joint, function):
            return 11, natural(joint), function
        case _:
            return (7,)


def _denominator_key(tree: Tree) -> str:
    """Denominators come from a set: a text puts them in the same order each time."""
    return repr(tree) if isinstance(tree, Power) and tree.exponent < 0 else ""


def _sum_ranks(term: Tree) -> list[int]:
    return [rank(s) for s in atoms(term) if isinstance(s, Symbol)]


@lru_cache(maxsize=65536)
def term_key(term: Tree, layout: Layout) -> tuple[Any, ...]:
    """Where a term stands in its sum: motion first, constants before sines and cosines."""
    symbols = [(rank(s), natural(s.name), link_number(s.name)) for s in atoms(term) if isinstance(s, Symbol)]
    masses = sorted(link for kind, _, link in symbols if kind == _MASS_RANK)
    inertias = sorted(link for kind, _, link in symbols if kind == _INERTIA_RANK)
    letters = tuple(sorted((kind, name) for kind, name, _ in symbols))
    angles = has_angles(term)
    link = min([*masses, *inertias], default=99)
    by_angles = angles and not (layout.group_masses and _is_mass_times_sum(term))
    link_by_link = (by_angles, 0 if by_angles else link, bool(masses))
    body = (not masses, link) if layout.masses_first else link_by_link
    motion = _velocities_key(term) if layout.group_velocities else motion_key(term)
    return motion, *body, angles, _trig_key(term), letters, _powers(term), sign_of(term)[0] < 0


def _is_mass_times_sum(term: Tree) -> bool:
    factors = term.factors if isinstance(term, Product) else ()
    return any(map(is_mass, factors)) and any(isinstance(factor, Sum) for factor in factors)


def _powers(term: Tree) -> tuple[Any, ...]:
    """r^2 h before r h^2."""
    factors = term.factors if isinstance(term, Product) else (term,)
    powers = [(f.base, f.exponent) if isinstance(f, Power) else (f, 1) for f in factors]
    symbols = [((rank(base), natural(base.name)), -e) for base, e in powers if isinstance(base, Symbol)]
    return tuple(power for _, power in sorted(symbols))


def motion_key(term: Tree) -> tuple[Any, ...]:
    """Accelerations, products of velocities, no motion, friction; by joints."""
    rates = [a for a in atoms(term) if isinstance(a, Sign) or (isinstance(a, Coordinate) and a.order)]
    orders = [rate.order for rate in rates if isinstance(rate, Coordinate)]
    names = tuple(sorted(natural(rate.joint) for rate in rates))
    if 2 in orders:
        return 0, names
    if not rates:
        return 2, ()
    return (1, names) if len(orders) > 1 or _has_squared_rate(term) else (3, names)


def _velocities_key(term: Tree) -> tuple[Any, ...]:
    """The same for sums of velocities, each with all of its joints: l2 (qd1 + qd2) is after l1 qd1."""
    kind, names = motion_key(term)
    linear = kind == 1 and _degree(term) == 1
    return (3 if linear else kind), tuple(sorted(set(names)))


def _degree(term: Tree) -> int:
    """In velocities."""
    match term:
        case Coordinate(_, 1) | Sign():
            return 1
        case Power(base, exponent):
            return _degree(base) * exponent
        case Product(factors):
            return sum(map(_degree, factors))
        case Sum(terms):
            return max(map(_degree, terms))
        case _:
            return 0


def _has_squared_rate(term: Tree) -> bool:
    match term:
        case Power(Coordinate(_, order), _):
            return order > 0
        case Product(factors):
            return any(_has_squared_rate(f) for f in factors)
        case Sum(terms):
            return any(_has_squared_rate(t) for t in terms)
        case _:
            return False


def _trig_key(term: Tree) -> tuple[Any, ...]:
    trigs = [a for a in atoms(term) if isinstance(a, Trig)]
    return tuple(sorted((tuple(natural(n) for n, _ in t.angle), t.function == "sin") for t in trigs))


def has_angles(tree: Tree) -> bool:
    """Whether sines, cosines or coordinates occur."""
    return any(isinstance(a, Trig) or (isinstance(a, Coordinate) and not a.order) for a in atoms(tree))


def has_rates(tree: Tree) -> bool:
    """Whether velocities or accelerations occur."""
    return any(isinstance(a, Sign) or (isinstance(a, Coordinate) and a.order > 0) for a in atoms(tree))


def atoms(tree: Tree) -> Iterator[Tree]:
    """The symbols of a tree, each as often as it is written."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, Power):
            pending.append(node.base)
        elif isinstance(node, Product):
            pending += reversed(node.factors)
        elif isinstance(node, Sum):
            pending += reversed(node.terms)
        else:
            yield node
