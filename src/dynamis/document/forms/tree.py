"""Expressions as people write them: sums, products, powers, sines of sums of angles.

A tree is how a scalar looks; `expand` gives back the scalar that it stands for, and
`expand(simplest(x), x.ring) == x` is a law of this package.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeVar

from dynamis.scalars.exact.ring import Exact, Ring

Function = Literal["sin", "cos"]
Angle = tuple[tuple[str, int], ...]
N = TypeVar("N")


def hashed_once(node: type[N]) -> type[N]:
    """A frozen node that keeps its hash: searches look the same trees up again and again."""
    first: Any = node.__hash__

    def again(self: Any) -> int:
        found = self.__dict__.get("_hash")
        if found is None:
            found = self.__dict__["_hash"] = first(self)
        return found

    setattr(node, "__hash__", again)  # noqa: B010
    return node


@dataclass(frozen=True)
class Number:
    """A rational number."""

    value: Fraction


@hashed_once
@dataclass(frozen=True)
class Symbol:
    """A parameter, or pi."""

    name: str


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
    """The sign of a joint's velocity."""

    joint: str


@hashed_once
@dataclass(frozen=True)
class Trig:
    """sin or cos of an integer combination of angles: (("q1", 1), ("q2", 1)) is q1 + q2."""

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
    """A function of an expression in a robot file, `sqrt(a)` in a fixed angle; a ring has no letter for it."""

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
    """How much there is to read: a letter counts 2, a sine 3, a sign, a power or a number 1.

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


def negated(tree: Tree) -> Tree:
    """The tree with the other sign."""
    return scaled(tree, Fraction(-1))


def scaled(tree: Tree, factor: Fraction) -> Tree:
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
            return -1, negated(tree)
        case _:
            return 1, tree


@dataclass(frozen=True, eq=False)
class Alphabet:
    """What the letters of a ring stand for."""

    ring: Ring

    @cached_property
    def pairs(self) -> dict[str, tuple[str, str]]:
        """Angle -> its sine and cosine letters; joints first, then named angles."""
        return {_angle_name(s): (s, c) for s, c in self.ring.letters.trig}

    @cached_property
    def atoms(self) -> dict[str, tuple[Atom, int]]:
        """Letter -> (what it stands for, the power of it): `1/l` is l to the -1."""
        joints = {n[2:-1] for n in self.ring.letters.names if n.startswith("d(")}
        found: dict[str, tuple[Atom, int]] = {}
        for angle, (s, c) in self.pairs.items():
            found[s], found[c] = (Trig("sin", ((angle, 1),)), 1), (Trig("cos", ((angle, 1),)), 1)
        for name in self.ring.letters.names:
            if name in self.ring.radicands and self.ring.radicands[name].denominator == 1:
                found[name] = Root(self.ring.radicands[name].numerator), 1
            elif name.startswith("1/") and name[2:] in self.ring.letters.inverses and name not in self.ring.sums:
                found[name] = Symbol(name[2:]), -1
            elif name.startswith(("d(", "dd(")) and name.endswith(")"):
                found[name] = Coordinate(name.split("(")[1][:-1], name.index("(")), 1
            elif name.startswith("sign(") and name.endswith(")"):
                found[name] = Sign(name[5:-1]), 1
            elif name not in found and name not in self.ring.sums:
                found[name] = (Coordinate(name) if name in joints else Symbol(name)), 1
        for name, below in self.ring.sums.items():
            found[name] = _plain_sum(below, found), -1
        return found

    @cached_property
    def letters(self) -> dict[Atom, str]:
        """What a letter stands for -> the letter."""
        return {atom: name for name, (atom, power) in self.atoms.items() if power == 1}


def expand(tree: Tree, ring: Ring, known: Mapping[str, Exact] | None = None) -> Exact:
    """The scalar of `ring` that a tree stands for; the symbols in `known` stand for those scalars."""
    return _expanded(tree, Alphabet(ring), known or {})


def _expanded(tree: Tree, alphabet: Alphabet, known: Mapping[str, Exact]) -> Exact:
    ring = alphabet.ring
    match tree:
        case Symbol(name) if name in known:
            return known[name]
        case Number(v):
            return ring.number(v)
        case Trig(function, angle):
            return _cos_sin(angle, alphabet)[function == "sin"]
        case Power(base, exponent):
            whole = _expanded(base, alphabet, known)
            result = ring.number(1)
            for _ in range(abs(exponent)):
                result = result * whole if exponent > 0 else result / whole
            return result
        case Product(factors):
            result = ring.number(1)
            for factor in factors:
                result = result * _expanded(factor, alphabet, known)
            return result
        case Sum(terms):
            total = ring.zero
            for term in terms:
                total = total + _expanded(term, alphabet, known)
            return total
        case Root(radicand) if tree not in alphabet.letters:
            primes = [at for at in alphabet.letters if isinstance(at, Root) and radicand % at.radicand == 0]
            return _expanded(Product(tuple(primes)), alphabet, known)
        case Rest(total):
            raise ValueError(f"a capped form does not show all of its {total} terms")
        case Call(function):
            raise ValueError(f"{function} of an expression has no letter in the ring")
        case _:
            return ring.letter(alphabet.letters[tree])


def _cos_sin(angle: Angle, alphabet: Alphabet) -> tuple[Exact, Exact]:
    """Cosine and sine of a sum of angles, by the addition theorems."""
    ring = alphabet.ring
    c, s = ring.number(1), ring.zero
    for name, times in angle:
        sine, cosine = (ring.letter(letter) for letter in alphabet.pairs[name])
        sine = sine if times > 0 else -sine
        for _ in range(abs(times)):
            c, s = c * cosine - s * sine, s * cosine + c * sine
    return c, s


def _plain_sum(scalar: Exact, atoms: Mapping[str, tuple[Atom, int]]) -> Sum:
    """A denominator as it is, in the order of its letters."""
    terms: list[Tree] = []
    for exponents, number in scalar.terms().items():
        powers = [(atoms[name][0], e) for name, e in zip(scalar.ring.letters.names, exponents, strict=True) if e]
        terms.append(product(number, tuple(atom if e == 1 else Power(atom, e) for atom, e in powers)))
    return Sum(tuple(terms))


def _angle_name(sine: str) -> str:
    return sine[4:-1] if sine.startswith("sin(") and sine.endswith(")") else sine
