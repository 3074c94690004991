"""The ring of exact scalars: polynomials over the rationals, in normal form.

Its letters are the sines and cosines of the joint angles, the prismatic coordinates, velocities,
accelerations, the robot's parameters, and what fixed angles and roots need. Every product is
reduced by the relations s^2 = 1 - c^2, r^2 = (what stands under the root) and (1/l) l = 1. Their
leading terms have no letter in common, so they are a Groebner basis: two scalars are equal for all values of the
letters that obey these relations if and only if their polynomials are. Where a denominator is a sum they are made one
(`denominators`). Sines and cosines of fixed angles obey more relations than these; `numbers` knows those.

>>> ring = Ring(Letters(trig=(("s1", "c1"),), others=("m",)))
>>> s, c, m = (ring.letter(name) for name in ("s1", "c1", "m"))
>>> (s * s * m + c * c * m) == m
True
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from dynamis.errors import ArgumentError
from dynamis.scalars.exact.angles import constant
from dynamis.scalars.exact.denominators import completed, denominator, is_sum
from dynamis.scalars.exact.limits import CHARGED, Charge, Deadline, Memory, size_of
from dynamis.scalars.exact.processes import factored, terms_of
from dynamis.scalars.exact.products import DIRECT, composed, multiplied, stepwise

Exponents = tuple[int, ...]
_SAMPLE = 20


@dataclass(frozen=True)
class Letters:
    """The letters of a ring, by what they are; `trig` are (sine, cosine) pairs, one an angle."""

    trig: tuple[tuple[str, str], ...] = ()
    roots: tuple[str, ...] = ()
    inverses: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All letters; those that a relation removes come first, so that it leads with them.

        An inverse is a letter too: that of `l1` is called `1/l1`, that of a sum `1/(a + b)`.
        """
        sines, cosines = (tuple(pair[k] for pair in self.trig) for k in (0, 1))
        sums, single = ([f"1/{name}" for name in self.inverses if is_sum(name) == kind] for kind in (True, False))
        return (*sums, *sines, *self.roots, *single, *cosines, *self.others)


@dataclass(frozen=True, eq=False)
class Ring:
    """Polynomials in `letters`; `radicands` gives the square of every root.

    With a `deadline`, products stop when the time is over, and always when the polynomials take too much `memory`.
    `decimals` says whether decimals were given, so that 2/5 is printed as 0.4.
    """

    letters: Letters
    radicands: Mapping[str, Fraction] = field(default_factory=dict[str, Fraction])
    deadline: Deadline | None = None
    decimals: bool = True
    memory: Memory = field(default_factory=Memory)

    @cached_property
    def context(self) -> Any:
        return fmpq_mpoly_ctx.get([_ascii(name) for name in self.letters.names], Ordering.lex)

    @cached_property
    def generators(self) -> dict[str, Any]:
        return dict(zip(self.letters.names, self.context.gens(), strict=True))

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each letter stands among the letters."""
        return {name: k for k, name in enumerate(self.letters.names)}

    @cached_property
    def relations(self) -> list[Any]:
        """One relation for each of the first letters, in their order."""
        g = self.generators
        circles = [g[s] ** 2 + g[c] ** 2 - 1 for s, c in self.letters.trig]
        squares = [g[root] ** 2 - _rational(self.radicands[root]) for root in self.letters.roots]
        inverses = [g[f"1/{name}"] * self.denominator(name).polynomial - 1 for name in self.letters.inverses]
        return circles + squares + inverses

    @cached_property
    def basis(self) -> list[Any] | None:
        """A Groebner basis of the relations, where a denominator is a sum; else they are one themselves."""
        first = len(self.relations) - len(self.letters.inverses)
        sums = [r for r, name in zip(self.relations[first:], self.letters.inverses, strict=True) if is_sum(name)]
        return completed(self.relations, sums, self) if sums else None

    @cached_property
    def rules(self) -> list[tuple[Any, Any]]:
        """(leading monomial, what it is replaced by) of every relation, or of every member of their basis."""
        found: list[tuple[Any, Any]] = []
        for relation in self.relations if self.basis is None else self.basis:
            lead = self.context.from_dict({relation.monomial(0): 1})
            found.append((lead, lead - relation / relation.leading_coefficient()))
        return found

    def denominator(self, inverse: str) -> Exact:
        """What the letter 1/`inverse` is the inverse of."""
        generators, context = self.generators, self.context
        found = denominator(inverse, lambda name: generators[name], lambda value: context.constant(_rational(value)))
        return Exact(found, self)

    @cached_property
    def inverses(self) -> dict[Exact, Exact]:
        """What can be divided by, made to begin with 1 -> its inverse; 1/r = r/r^2 for a root."""
        found = {self.letter(root): self.letter(root).times(1 / square) for root, square in self.radicands.items()}
        for name in self.letters.inverses:
            below, inverse = self.denominator(name).polynomial, self.generators[f"1/{name}"]
            lead = below.leading_coefficient()
            found[Exact(below / lead, self)] = Exact(self.reduce(inverse * lead), self)
        return found

    @cached_property
    def sums(self) -> dict[str, Exact]:
        """1/(a + b) -> a + b, for all inverses of sums."""
        return {f"1/{name}": self.denominator(name) for name in self.letters.inverses if is_sum(name)}

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The letters that stand for one number: roots, pi, sines and cosines of angles in numbers, inverses of these.

        >>> trig = (("sin(1/5*pi)", "cos(1/5*pi)"), ("sin(q1)", "cos(q1)"))
        >>> sorted(Ring(Letters(trig, others=("m", "pi"))).numbers)
        ['cos(1/5*pi)', 'pi', 'sin(1/5*pi)']
        """
        # A joint may be called 1; it has a velocity, which a fixed angle has not.
        angles = [sine[4:-1] for sine, _ in self.letters.trig if f"d({sine[4:-1]})" not in self.places]
        fixed = [f"{kind}({angle})" for angle in angles if constant(angle) is not None for kind in ("sin", "cos")]
        found = frozenset((*fixed, *self.radicands, *(name for name in self.letters.others if name == "pi")))
        inverses = [name for name in self.letters.inverses if self.denominator(name).letters() <= found]
        return found | {f"1/{name}" for name in inverses}

    @cached_property
    def zero(self) -> Exact:
        return self.number(0)

    @cached_property
    def one(self) -> Exact:
        return self.number(1)

    def letter(self, name: str) -> Exact:
        return Exact(self.generators[name], self)

    def number(self, value: Fraction | int) -> Exact:
        return Exact(self.context.constant(_rational(Fraction(value))), self)

    def from_terms(self, terms: Mapping[Exponents, Fraction]) -> Exact:
        """The scalar with these coefficients."""
        return Exact(self.reduce(self.context.from_dict({k: _rational(v) for k, v in terms.items()})), self)

    def look_at_the_clock(self) -> None:
        """Raise a TimeLimitError when the time is over."""
        if self.deadline is not None:
            self.deadline.check()

    def charge(self, polynomial: Any) -> Charge:
        """Count the memory of a large polynomial for as long as it lives."""
        self.look_at_the_clock()
        return self.memory.charge(size_of(polynomial))

    def make_room(self, size: float) -> None:
        """Look at the clock, and at whether `size` more bytes are too many."""
        self.look_at_the_clock()
        self.memory.reserve(size)

    def reduce(self, p: Any) -> Any:
        """The normal form: no square of a sine or a root is left, and no letter beside its inverse."""
        self.look_at_the_clock()
        if self.basis is not None:
            return self._remainder(p, self.basis)
        squares = len(self.relations) - len(self.letters.inverses)
        for k, (degree, relation) in enumerate(zip(p.degrees(), self.relations, strict=False)):
            if degree > (k < squares):
                # What is replaced has up to two terms for each time that it occurs.
                direct = len(p) << int(degree) <= DIRECT
                p = divmod(p, relation)[1] if direct else stepwise(p, *self.rules[k], self)
        return p

    def _remainder(self, p: Any, basis: list[Any]) -> Any:
        """The normal form by a Groebner basis."""
        while True:
            before = p
            for relation, (lead, tail) in zip(basis, self.rules, strict=True):
                # A term is replaced at most about as often as it has letters of the leading monomial.
                most = sum(int(d) for d, e in zip(p.degrees(), lead.degrees(), strict=True) if e)
                direct = len(p) * len(tail) ** max(most, 0) <= DIRECT
                p = divmod(p, relation)[1] if direct else stepwise(p, lead, tail, self)
            if p == before:
                return p


class Exact:
    """A scalar of a ring, in normal form. Immutable; == is mathematical equality."""

    __slots__ = ("charge", "polynomial", "ring")

    def __init__(self, polynomial: Any, ring: Ring) -> None:
        self.polynomial = polynomial
        self.ring = ring
        self.charge = ring.charge(polynomial) if len(polynomial) > CHARGED else None

    def __add__(self, other: Exact) -> Exact:
        if self.charge is not None and other.charge is not None:
            self.ring.make_room(self.charge.size + other.charge.size)
        return Exact(self.polynomial + other.polynomial, self.ring)

    def __sub__(self, other: Exact) -> Exact:
        if self.charge is not None and other.charge is not None:
            self.ring.make_room(self.charge.size + other.charge.size)
        return Exact(self.polynomial - other.polynomial, self.ring)

    def __neg__(self) -> Exact:
        return Exact(-self.polynomial, self.ring)

    def __mul__(self, other: Exact) -> Exact:
        a, b, ring = self.polynomial, other.polynomial, self.ring
        # In normal form already, as are four of five products of a robot. Of a long one FLINT would look at all terms.
        m, n = len(a), len(b)
        if (m <= 1 and a.is_constant()) or (n <= 1 and b.is_constant()):
            ring.look_at_the_clock()
            return Exact(a * b, ring)
        return Exact(ring.reduce(a * b) if m * n <= DIRECT else multiplied(a, b, ring, ring.reduce), ring)

    def __truediv__(self, other: Exact) -> Exact:
        """Division by numbers, roots among them, and by what has an inverse letter: parameters and sums of them."""
        if not other:
            raise ArgumentError("exact scalars do not divide by zero; look for a denominator that cancels out")
        if other.letters() and other.letters() <= set(self.ring.radicands):
            root = min(other.letters())
            conjugate = other.substitute({root: -self.ring.letter(root)})
            return self * conjugate / (other * conjugate)
        number, factors = other.factors()
        result = self.times(1 / number)
        for factor, power in factors:
            if power > 0 and factor not in self.ring.inverses:
                raise ArgumentError(f"exact scalars divide by numbers and parameters, not by {factor}")
            for _ in range(abs(power)):
                result = result * (self.ring.inverses[factor] if power > 0 else factor)
        return result

    def factors(self) -> tuple[Fraction, list[tuple[Exact, int]]]:
        """(number, irreducible factors that begin with 1 and their powers; those that only divide have powers < 0)."""
        above, powers = self, dict[Exact, int]()
        for name in self.ring.letters.inverses:
            below = self.ring.denominator(name)
            while f"1/{name}" in above.letters():
                above, powers[below] = above * below, powers.get(below, 0) - 1
        content, found = factored(above.polynomial, self.ring)
        for polynomial, power in found:
            lead = polynomial.leading_coefficient()
            content, factor = content * lead**power, Exact(polynomial / lead, self.ring)
            powers[factor] = powers.get(factor, 0) + power
        return Fraction(int(content.p), int(content.q)), [(factor, k) for factor, k in powers.items() if k]

    def times(self, factor: Fraction | int) -> Exact:
        """This scalar times a rational number."""
        return Exact(self.polynomial * _rational(Fraction(factor)), self.ring)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Exact) and self.polynomial == other.polynomial

    def __hash__(self) -> int:
        # Of a long one the beginning; equal scalars have it in common.
        return hash(str(self.polynomial if self.charge is None else self.first_terms(_SAMPLE)))

    def __bool__(self) -> bool:
        return not self.polynomial.is_zero()

    def __len__(self) -> int:
        """The number of terms."""
        return len(self.polynomial)

    def terms(self) -> dict[Exponents, Fraction]:
        """Exponents of the letters -> coefficient."""
        return {key: Fraction(*number) for key, number in terms_of(self.polynomial, self.ring)}

    def first_terms(self, count: int) -> Exact:
        """The first terms in the order of the ring, without a look at the others."""
        p = self.polynomial
        first = {p.monomial(k): p.coefficient(k) for k in range(min(count, len(self)))}
        return Exact(self.ring.context.from_dict(first), self.ring)

    def letters(self) -> frozenset[str]:
        """The letters that occur."""
        degrees: Any = self.polynomial.degrees()
        return frozenset(name for name, d in zip(self.ring.letters.names, degrees, strict=True) if d > 0)

    def derivative(self, letter: str) -> Exact:
        """The partial derivative, the letters taken as independent."""
        return Exact(self.polynomial.derivative(_ascii(letter)), self.ring)

    def substitute(self, values: Mapping[str, Exact]) -> Exact:
        """With letters replaced by scalars of the same ring."""
        ring = self.ring
        images = [values[name].polynomial if name in values else x for name, x in ring.generators.items()]
        return Exact(composed(self.polynomial, images, ring), ring)

    def __repr__(self) -> str:
        return str(self.polynomial)


def _ascii(name: str) -> str:
    """FLINT's names are ASCII; a joint may be called θ1."""
    return name if name.isascii() else name.encode("ascii", "backslashreplace").decode()


def _rational(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)
