"""Expressions as people write them: sums, products, powers, sines of sums of angles.

A tree is how a scalar looks; `expand` gives back the scalar that it stands for, and
`expand(simplest(x), x.ring) == x` is a law of this package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeVar

from dynamis.scalars.exact import symbols
from dynamis.scalars.exact.ring import Exact, Ring

Function = Literal["sin", "cos"]
Angle = tuple[tuple[str, int | Fraction], ...]
N = TypeVar("N")


def hashed_once(node: type[N]) -> type[N]:
    """A frozen node that keeps its hash: searches look the same trees up again and again."""
    first: Any = node.__hash__

    def again(self: Any) -> int:
        value = self.__dict__.get("_hash")
        if value is None:
            value = self.__dict__["_hash"] = first(self)
        return value

    setattr(node, "__hash__", again)  # noqa: B010
    return node


@dataclass(frozen=True)
class Number:
    """A rational number."""

    value: Fraction


@hashed_once
@dataclass(frozen=True)
class Symbol:
    """A parameter, or pi; `meaning` is what the parameter measures, if that is known."""

    name: str
    meaning: symbols.Meaning = field(default="", repr=False)


@dataclass(frozen=True)
class Root:
    """The square root of a positive number."""

    radicand: int


@hashed_once
@dataclass(frozen=True)
class Coordinate:
    """A joint's coordinate (order 0), velocity (1) or acceleration (2)."""

    joint: str
    order: int = 0


@dataclass(frozen=True)
class Sign:
    """The sign of a joint's velocity, or another named odd function of it."""

    joint: str
    function: str = "sign"


@hashed_once
@dataclass(frozen=True)
class Trig:
    """sin or cos of a combination of angles: (("q1", 1), ("q2", 1)) is q1 + q2; only half angles have fractions."""

    function: Function
    angle: Angle


@hashed_once
@dataclass(frozen=True)
class Power:
    """A base to an integer power; -1 for the inverse of a parameter."""

    base: Tree
    exponent: int


@hashed_once
@dataclass(frozen=True)
class Product:
    """Factors in the order in which they are written; a number comes first."""

    factors: tuple[Tree, ...]


@hashed_once
@dataclass(frozen=True)
class Sum:
    """Terms in the order in which they are written."""

    terms: tuple[Tree, ...]


@dataclass(frozen=True)
class Call:
    """A function of an expression in a robot file, `sqrt(a)` in a fixed angle; a ring has no symbol for it."""

    function: str
    argument: Tree


@dataclass(frozen=True)
class Rest:
    """What a capped sum does not show; `total` is the number of terms of the whole, expanded."""

    total: int


Tree = Number | Symbol | Root | Coordinate | Sign | Trig | Power | Product | Sum | Call | Rest
# A sum is an atom as a denominator, (a + b)^-1, or as a square.
Atom = Symbol | Root | Coordinate | Sign | Trig | Sum


def size(tree: Tree) -> int:
    """How much there is to read: a symbol counts 2, a sine 3, a sign, a power or a number 1.

    >>> size(Product((Symbol("m1"), Trig("cos", (("q1", 1), ("q2", 1))))))
    6
    """
    match tree:
        case Number(v):
            return 1 if v.denominator == 1 else 2
        case Trig(_, angle):
            return 2 + len(angle) + sum(abs(k) != 1 for _, k in angle)
        case Power(base, _):
            return size(base) + 1
        case Product(factors):
            return sum(size(f) for f in factors) + sum(isinstance(f, Sum) for f in factors)
        case Sum(terms):
            return sum(size(t) for t in terms) + len(terms) - 1
        case _:
            return 2


def negate_tree(tree: Tree) -> Tree:
    """The tree with the other sign."""
    return scale_tree(tree, Fraction(-1))


def scale_tree(tree: Tree, factor: Fraction) -> Tree:
    """The tree times a number; the number of a product is its first factor."""
    match tree:
        case Number(v):
            return Number(v * factor)
        case Product((Number(v), *rest)):
            return product(v * factor, tuple(rest))
        case Product(factors):
            return product(factor, factors)
        case _:
            return product(factor, (tree,))


def product(number: Fraction, factors: tuple[Tree, ...]) -> Tree:
    """The product, without a factor 1 and without a product of one factor."""
    if not factors:
        return Number(number)
    if number != 1:
        return Product((Number(number), *factors))
    return factors[0] if len(factors) == 1 else Product(factors)


def sign_of(tree: Tree) -> tuple[int, Tree]:
    """(-1, the positive tree) where a minus sign is written before it."""
    match tree:
        case Number(v) if v < 0:
            return -1, Number(-v)
        case Product((Number(v), *_)) if v < 0:
            return -1, negate_tree(tree)
        case _:
            return 1, tree


def atoms_of(ring: Ring) -> dict[symbols.Symbol, tuple[Atom, int]]:
    """Every symbol of a ring -> (what it stands for, the power of it): `1/l` is l to the -1."""
    atoms: dict[symbols.Symbol, tuple[Atom, int]] = {}
    for symbol in ring.symbols:
        match symbol.kind:
            case "sine" | "cosine":
                atoms[symbol] = Trig("sin" if symbol.kind == "sine" else "cos", ((symbol.of, 1),)), 1
            case "half sine" | "half cosine":
                atoms[symbol] = Trig("sin" if symbol.kind == "half sine" else "cos", ((symbol.of, Fraction(1, 2)),)), 1
            case "root":
                atoms[symbol] = Root(symbol.radicand), 1
            case "coordinate":
                atoms[symbol] = Coordinate(symbol.of, symbol.order), 1
            case "sign" | "stribeck":
                atoms[symbol] = Sign(symbol.of, symbol.kind), 1
            case "inverse" if not symbol.is_sum:
                below = symbol.inverted
                atoms[symbol] = Symbol(symbol.of, below.meaning if below is not None else ""), -1
            case "parameter" | "pi":
                atoms[symbol] = Symbol(symbol.of, symbol.meaning), 1
            case "inverse":
                pass
    for symbol, below in ring.sums.items():
        atoms[symbol] = _plain_sum(below, atoms), -1
    return atoms


def expand(tree: Tree, ring: Ring, values: Mapping[str, Exact] | None = None) -> Exact:
    """The scalar of `ring` that a tree stands for; the names in `values` stand for those scalars."""
    scalars: dict[Tree, Exact] = {
        _by_name(atom): ring.scalar(s) for s, (atom, power) in atoms_of(ring).items() if power == 1
    }
    return _expand_tree(tree, ring, scalars | {Symbol(name): value for name, value in (values or {}).items()})


def _by_name(tree: Tree) -> Tree:
    return Symbol(tree.name) if isinstance(tree, Symbol) else tree


def _expand_tree(tree: Tree, ring: Ring, values: Mapping[Tree, Exact]) -> Exact:
    if (value := values.get(_by_name(tree))) is not None:
        return value
    result = ring.number(1)
    match tree:
        case Number(v):
            return ring.number(v)
        case Trig(function, angle):
            return _cos_sin(angle, ring, values)[function == "sin"]
        case Power(base, exponent):
            base_value = _expand_tree(base, ring, values)
            for _ in range(abs(exponent)):
                result = result * base_value if exponent > 0 else result / base_value
        case Product(factors):
            for factor in factors:
                result = result * _expand_tree(factor, ring, values)
        case Sum(terms):
            result = ring.zero
            for term in terms:
                result = result + _expand_tree(term, ring, values)
        case Root(radicand):
            for atom, root in values.items():
                if isinstance(atom, Root) and radicand % atom.radicand == 0:
                    result = result * root
        case Rest(total):
            raise ValueError(f"a capped form does not show all of its {total} terms")
        case Symbol() | Coordinate() | Sign() | Call():
            raise ValueError(f"the ring has no symbol for {tree}")
    return result


def _cos_sin(angle: Angle, ring: Ring, values: Mapping[Tree, Exact]) -> tuple[Exact, Exact]:
    """Cosine and sine of a sum of angles, by the addition theorems."""
    c, s = ring.number(1), ring.zero
    for name, times in angle:
        part = Fraction(1, Fraction(times).denominator)
        sine, cosine = values[Trig("sin", ((name, part),))], values[Trig("cos", ((name, part),))]
        sine = sine if times > 0 else -sine
        for _ in range(abs(int(times / part))):
            c, s = c * cosine - s * sine, s * cosine + c * sine
    return c, s


def _plain_sum(scalar: Exact, atoms: Mapping[symbols.Symbol, tuple[Atom, int]]) -> Sum:
    """A denominator as it is, in the order of its symbols."""
    terms: list[Tree] = []
    for powers, number in scalar.powers():
        factors = [atoms[s][0] if e == 1 else Power(atoms[s][0], e) for s, e in powers]
        terms.append(product(number, tuple(factors)))
    return Sum(tuple(terms))
