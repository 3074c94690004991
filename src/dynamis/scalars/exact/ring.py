"""The ring of exact scalars: polynomials over the rationals, in normal form.

Its symbols (`symbols`) are the sines and cosines of the joint angles, the prismatic coordinates, velocities,
accelerations, the robot's parameters, and what fixed angles, roots and denominators need. Every product is
reduced by the relations s^2 = 1 - c^2, r^2 = (what stands under the root) and (1/l) l = 1. Their
leading terms have no symbol in common, so they are a Groebner basis: two scalars are equal for all values of the
symbols that obey these relations if and only if their polynomials are. Where a denominator is a sum they are completed
to one (`denominators`); half angles bring more (`relations`), fixed angles obey others, too (`numbers`).

>>> from dynamis.scalars.exact.symbols import joint_angle, parameter
>>> ring = Ring((*joint_angle("q1"), parameter("m")))
>>> s, c, m = map(ring.scalar, ring.symbols)
>>> (s * s * m + c * c * m) == m
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from dynamis.base.errors import ArgumentError
from dynamis.scalars.exact.denominators import complete_relations
from dynamis.scalars.exact.limits import MIN_CHARGED_TERMS, Charge, Deadline, Memory, size_of
from dynamis.scalars.exact.processes import factor_polynomial, terms_of
from dynamis.scalars.exact.products import MAX_DIRECT_PRODUCTS, compose_polynomial, multiply_in_pieces, stepwise
from dynamis.scalars.exact.relations import half_angle_relations, remainder
from dynamis.scalars.exact.symbols import Symbol
from dynamis.scalars.scalars import ScalarsError

Exponents = tuple[int, ...]
# Terms that the hash of a long scalar, and a message, look at; characters of a scalar that `repr` writes whole.
_SAMPLED_TERMS, SHORT_LINE = 20, 120


@dataclass(frozen=True, eq=False)
class Ring:
    """Polynomials in `symbols`, sines and cosines in pairs.

    With a `deadline`, products stop when the time is over, and always when the polynomials take too much `memory`.
    `decimals` says whether decimals were given, so that 2/5 is printed as 0.4.
    """

    symbols: tuple[Symbol, ...] = ()
    """Symbols that a relation removes come first, so that it leads with them; the others as they were given."""
    deadline: Deadline | None = None
    decimals: bool = True
    memory: Memory = field(default_factory=Memory)
    mime_bundle: Callable[[Any], dict[str, str]] | None = field(default=None, repr=False)
    """How a notebook shows a scalar, for those who know formulas; else it shows its text."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbols", tuple(sorted(self.symbols, key=lambda symbol: symbol.place)))

    @cached_property
    def context(self) -> Any:
        return fmpq_mpoly_ctx.get([symbol.ascii for symbol in self.symbols], Ordering.lex)

    @cached_property
    def generators(self) -> dict[str, Any]:
        return dict(zip(self.symbols, self.context.gens(), strict=True))

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each symbol stands in the exponents of a term."""
        return {symbol: k for k, symbol in enumerate(self.symbols)}

    @cached_property
    def meanings(self) -> tuple[tuple[Symbol, str], ...]:
        """The symbols with what they measure: equal polynomials of different rings may read differently."""
        return tuple((symbol, symbol.meaning) for symbol in self.symbols)

    @cached_property
    def angles(self) -> tuple[tuple[Symbol, Symbol], ...]:
        """(sine, cosine) of every angle."""
        cosines = {symbol.of: symbol for symbol in self.symbols if symbol.kind == "cosine"}
        return tuple((symbol, cosines[symbol.of]) for symbol in self.symbols if symbol.kind == "sine")

    @cached_property
    def roots(self) -> tuple[Symbol, ...]:
        return tuple(symbol for symbol in self.symbols if symbol.kind == "root")

    @cached_property
    def inverses(self) -> tuple[Symbol, ...]:
        """The inverses, those of sums last."""
        inverses = [symbol for symbol in self.symbols if symbol.kind == "inverse"]
        return tuple(sorted(inverses, key=lambda symbol: symbol.is_sum))

    @cached_property
    def relations(self) -> list[Any]:
        """One relation for each of the symbols that can be removed, those of inverses last."""
        g = self.generators
        circles = [g[s] ** 2 + g[c] ** 2 - 1 for s, c in self.angles]
        squares = [g[root] ** 2 - root.radicand for root in self.roots]
        return circles + squares + [g[x] * self.denominator(x).polynomial - 1 for x in self.inverses]

    @cached_property
    def halves(self) -> list[Any]:
        """The relations of the half angles."""
        return half_angle_relations(self)

    @cached_property
    def basis(self) -> list[Any] | None:
        """A Groebner basis, where a denominator is a sum or angles are halved; else the relations are one."""
        sums = self.relations[len(self.relations) - len(self.sums) :] if self.sums else []
        relations = complete_relations(self.relations, sums, self) if sums else self.relations
        return [*self.halves, *relations] if sums or self.halves else None

    @cached_property
    def rules(self) -> list[tuple[Any, Any]]:
        """(leading monomial, what it is replaced by) of every relation, or of every member of their basis."""
        rules: list[tuple[Any, Any]] = []
        for relation in self.relations if self.basis is None else self.basis:
            lead = self.context.from_dict({relation.monomial(0): 1})
            rules.append((lead, lead - relation / relation.leading_coefficient()))
        return rules

    @cached_property
    def leads(self) -> list[list[tuple[int, int]]]:
        """(place of a symbol, its power) for the leading monomial of every rule."""
        return [[(k, int(e)) for k, e in enumerate(lead.degrees()) if e] for lead, _ in self.rules]

    def denominator(self, inverse: Symbol) -> Exact:
        """What a symbol is the inverse of."""
        terms: dict[Exponents, Any] = {}
        for powers, number in inverse.below:
            exponents = [0] * len(self.symbols)
            for symbol, power in powers:
                exponents[self.places[symbol]] = power
            terms[tuple(exponents)] = _rational(number)
        return Exact(self.context.from_dict(terms), self)

    @cached_property
    def reciprocals(self) -> dict[Exact, Exact]:
        """What can be divided by, made to begin with 1 -> its inverse; 1/r = r/r^2 for a root."""
        reciprocals = {self.scalar(root): self.scalar(root).times(Fraction(1, root.radicand)) for root in self.roots}
        for symbol in self.inverses:
            below = self.denominator(symbol).polynomial
            lead = below.leading_coefficient()
            reciprocals[Exact(below / lead, self)] = Exact(self.reduce(self.generators[symbol] * lead), self)
        return reciprocals

    @cached_property
    def sums(self) -> dict[Symbol, Exact]:
        """1/(a + b) -> a + b, for all inverses of sums."""
        return {symbol: self.denominator(symbol) for symbol in self.inverses if symbol.is_sum}

    @cached_property
    def numbers(self) -> frozenset[Symbol]:
        """The symbols that stand for one number: roots, pi, sines and cosines of angles in numbers, inverses of these.

        >>> from dynamis.base.expressions.parser import parse
        >>> from dynamis.scalars.exact.symbols import PI, fixed_angle, joint_angle, parameter
        >>> sorted(Ring((*fixed_angle(parse("1/5*pi")), *joint_angle("q1"), parameter("m"), PI)).numbers)
        ['cos(1/5*pi)', 'pi', 'sin(1/5*pi)']
        """
        return frozenset(symbol for symbol in self.symbols if symbol.is_number)

    @cached_property
    def motion(self) -> frozenset[Symbol]:
        """The symbols that change in a motion; all others are parameters."""
        return frozenset(symbol for symbol in self.symbols if symbol.moves)

    @cached_property
    def zero(self) -> Exact:
        return self.number(0)

    @cached_property
    def one(self) -> Exact:
        return self.number(1)

    def scalar(self, symbol: str) -> Exact:
        """A symbol as a scalar."""
        return Exact(self.generators[symbol], self)

    def number(self, value: Fraction | int) -> Exact:
        return Exact(self.context.constant(_rational(Fraction(value))), self)

    def from_terms(self, terms: Mapping[Exponents, Fraction]) -> Exact:
        """The scalar with these coefficients."""
        return Exact(self.reduce(self.context.from_dict({k: _rational(v) for k, v in terms.items()})), self)

    def check_time(self) -> None:
        """Raise a TimeLimitError when the time is over."""
        if self.deadline is not None:
            self.deadline.check()

    def charge(self, polynomial: Any) -> Charge:
        """Count the memory of a large polynomial for as long as it lives."""
        self.check_time()
        return self.memory.charge(size_of(polynomial))

    def reserve(self, size: float) -> None:
        """Look at the clock, and at whether `size` more bytes are too many."""
        self.check_time()
        self.memory.reserve(size)

    def reduce(self, p: Any) -> Any:
        """The normal form: no square of a sine or a root is left, and no symbol beside its inverse."""
        self.check_time()
        if self.basis is not None:
            return remainder(p, self.basis, self)
        squares = len(self.relations) - len(self.inverses)
        for k, (degree, relation) in enumerate(zip(p.degrees(), self.relations, strict=False)):
            if degree > (k < squares):
                # What is replaced has up to two terms for each time that it occurs.
                direct = len(p) << int(degree) <= MAX_DIRECT_PRODUCTS
                p = divmod(p, relation)[1] if direct else stepwise(p, *self.rules[k], self)
        return p


class Exact:
    """A scalar of a ring, in normal form. Immutable; == is mathematical equality."""

    __slots__ = ("charge", "leads", "polynomial", "ring")

    def __init__(self, polynomial: Any, ring: Ring, leads: int | None = None) -> None:
        self.polynomial = polynomial
        self.ring = ring
        # Bits of the sines and roots that may occur, as far as that is known; -1 where one of them is squared.
        self.leads = leads
        self.charge = ring.charge(polynomial) if len(polynomial) > MIN_CHARGED_TERMS else None

    def __add__(self, other: Exact) -> Exact:
        # Nine of ten sums of a robot have a zero, four of five products a zero or a one.
        if not len(other.polynomial):
            return self
        if not len(self.polynomial) and other.ring is self.ring:
            return other
        if self.charge is not None and other.charge is not None:
            self.ring.reserve(self.charge.size + other.charge.size)
        return Exact(self.polynomial + other.polynomial, self.ring, _either(self.leads, other.leads))

    def __sub__(self, other: Exact) -> Exact:
        if not len(other.polynomial):
            return self
        if self.charge is not None and other.charge is not None:
            self.ring.reserve(self.charge.size + other.charge.size)
        return Exact(self.polynomial - other.polynomial, self.ring, _either(self.leads, other.leads))

    def __neg__(self) -> Exact:
        return Exact(-self.polynomial, self.ring, self.leads)

    def __mul__(self, other: Exact) -> Exact:
        a, b, ring = self.polynomial, other.polynomial, self.ring
        m, n = len(a), len(b)
        if not m or not n:
            return ring.zero
        if n == 1 and b.is_one():
            return self
        if m == 1 and other.ring is ring and a.is_one():
            return other
        # In normal form already. Of a long one FLINT would look at all terms.
        if (m <= 1 and a.is_constant()) or (n <= 1 and b.is_constant()):
            ring.check_time()
            return Exact(a * b, ring, _either(self.leads, other.leads))
        if m * n > MAX_DIRECT_PRODUCTS or ring.inverses or ring.halves:
            return Exact(
                ring.reduce(a * b) if m * n <= MAX_DIRECT_PRODUCTS else multiply_in_pieces(a, b, ring, ring.reduce),
                ring,
            )
        mine, yours = self._leads(), other._leads()
        if mine < 0 or yours < 0 or mine & yours:
            return Exact(ring.reduce(a * b), ring, _either(mine, yours))
        # No sine is squared: the product is in normal form. The degrees of one with 40 symbols take as long as it does.
        ring.check_time()
        return Exact(a * b, ring, mine | yours)

    def _leads(self) -> int:
        if self.leads is None:
            degrees = [int(degree) for degree in self.polynomial.degrees()[: len(self.ring.relations)]]
            self.leads = -1 if max(degrees, default=0) > 1 else sum(1 << k for k, d in enumerate(degrees) if d > 0)
        return self.leads

    def __truediv__(self, other: Exact) -> Exact:
        """Division by numbers, roots among them, and by what has an inverse: parameters and sums of them."""
        if not other:
            raise ArgumentError("exact scalars do not divide by zero; look for a denominator that cancels out")
        if other.symbols() and other.symbols() <= set(self.ring.roots):
            root = min(other.symbols())
            conjugate = other.substitute({root: -self.ring.scalar(root)})
            return self * conjugate / (other * conjugate)
        number, factors = other.factors()
        result = self.times(1 / number)
        for factor, power in factors:
            if power > 0 and factor not in self.ring.reciprocals:
                what = str(factor) if len(factor) <= _SAMPLED_TERMS else f"a sum of {len(factor)} terms"
                raise ScalarsError(
                    "exact scalars",
                    f"a division by {what}",
                    f"exact scalars divide by numbers and by what the model itself divides by, not by {what}",
                )
            for _ in range(abs(power)):
                result = result * (self.ring.reciprocals[factor] if power > 0 else factor)
        return result

    def factors(self) -> tuple[Fraction, list[tuple[Exact, int]]]:
        """(number, irreducible factors that begin with 1 and their powers; those that only divide have powers < 0)."""
        above, powers = self, dict[Exact, int]()
        for inverse in self.ring.inverses:
            below = self.ring.denominator(inverse)
            while inverse in above.symbols():
                above, powers[below] = above * below, powers.get(below, 0) - 1
        content, irreducible = factor_polynomial(above.polynomial, self.ring)
        for polynomial, power in irreducible:
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
        return hash(str(self.polynomial if self.charge is None else self.first_terms(_SAMPLED_TERMS)))

    def __bool__(self) -> bool:
        return not self.polynomial.is_zero()

    def __len__(self) -> int:
        """The number of terms."""
        return len(self.polynomial)

    def terms(self) -> dict[Exponents, Fraction]:
        """Exponents of the symbols -> coefficient."""
        return {key: Fraction(*number) for key, number in terms_of(self.polynomial, self.ring)}

    def first_terms(self, count: int) -> Exact:
        """The first terms in the order of the ring, without a look at the others."""
        p = self.polynomial
        first = {p.monomial(k): p.coefficient(k) for k in range(min(count, len(self)))}
        return Exact(self.ring.context.from_dict(first), self.ring)

    def powers(self) -> list[tuple[list[tuple[Symbol, int]], Fraction]]:
        """(symbols with their powers, coefficient) of every term."""
        symbols = self.ring.symbols
        return [([(s, e) for s, e in zip(symbols, key, strict=True) if e], x) for key, x in self.terms().items()]

    def symbols(self) -> frozenset[Symbol]:
        """The symbols that occur."""
        degrees: Any = self.polynomial.degrees()
        return frozenset(symbol for symbol, d in zip(self.ring.symbols, degrees, strict=True) if d > 0)

    def degree(self, symbol: str) -> int:
        """The highest power of a symbol."""
        return max(int(self.polynomial.degrees()[self.ring.places[symbol]]), 0)

    def coefficients(self, symbol: str) -> dict[int, Exact]:
        """Powers of a symbol -> what they are multiplied by."""
        place, parts = self.ring.places[symbol], dict[int, dict[Exponents, Fraction]]()
        for key, x in self.terms().items():
            parts.setdefault(key[place], {})[(*key[:place], 0, *key[place + 1 :])] = x
        return {power: self.ring.from_terms(terms) for power, terms in parts.items()}

    def derivative(self, symbol: str) -> Exact:
        """The partial derivative, the symbols taken as independent."""
        return Exact(self.polynomial.derivative(self.ring.places[symbol]), self.ring)

    def substitute(self, values: Mapping[Any, Exact]) -> Exact:
        """With symbols replaced by scalars of the same ring."""
        ring = self.ring
        images = [values[name].polynomial if name in values else x for name, x in ring.generators.items()]
        return Exact(compose_polynomial(self.polynomial, images, ring), ring)

    def at(self, values: Mapping[Any, Any], number: Callable[[Fraction], Any] = lambda x: x) -> Any:
        """The value with numbers for all symbols; `number` turns the coefficients into numbers of their kind."""
        total = number(Fraction(0))
        for powers, coefficient in self.powers():
            term = number(coefficient)
            for symbol, exponent in powers:
                term = term * values[symbol] ** exponent
            total = total + term
        return total

    def __str__(self) -> str:
        return str(self.polynomial)

    def __repr__(self) -> str:
        """In a line: a long one by how long it is."""
        text = str(self) if len(self) <= SHORT_LINE else ""
        return text if 0 < len(text) <= SHORT_LINE else f"<formula of {len(self)} terms>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {} if self.ring.mime_bundle is None else self.ring.mime_bundle(self)


def _either(a: int | None, b: int | None) -> int | None:
    """The symbols of a sum; not known where those of a part are not, or where a square may cancel."""
    return None if a is None or b is None or a < 0 or b < 0 else a | b


def _rational(value: Fraction) -> Any:
    return fmpq(value.numerator, value.denominator)
