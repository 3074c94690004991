"""The minimal dynamic coefficients a_1 .. a_p of a model, found by exact linear algebra.

Every entry of M, g and the friction is a sum of products: a polynomial in the parameters times a
monomial in sines, cosines, prismatic coordinates and rates. In normal form these monomials are
linearly independent functions of the motion, so the torques determine the polynomials and nothing
else; the space that the polynomials span has a dimension p, and

    M = sum a_i M_i(q),   c = sum a_i c_i(q, qd),   g = sum a_i g_i(q)       i = 1 .. p

with any basis a_1 .. a_p of that space, and with no smaller set (De Luca, Robotics 2, dynamic
coefficients; M. Gautier and W. Khalil, Direct calculation of minimum set of inertial parameters of
serial robots, IEEE Trans. Robotics and Automation 6(3), 1990). The basis here is the first
polynomials that are independent in the order of reading: M row by row, then g, then friction; in
an entry the constant term first. Christoffel symbols are derivatives of M, so c adds none, but where joints are
coupled by parameters: the derivative of cos(k q) has the factor k.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, compress
from math import gcd, prod
from operator import mul
from typing import Any

from dynamis.base.errors import ArgumentError
from dynamis.base.expressions.expression import Number
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.scalars.exact.linear_algebra import Span, span
from dynamis.scalars.exact.products import compose_polynomial
from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.scalars.exact.symbols import Symbol, parameter
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Document, Equation, Part, Words
from dynamis.telling.formula import Sym
from dynamis.telling.notation.numerals import decimal
from dynamis.telling.result import Result

Terms = Mapping[Exponents, Fraction]
"""A polynomial in the symbols that do not move: exponents of all symbols of the ring -> coefficient."""
PREFIXES = ("a", "h", "p", "b", "alpha")


@dataclass(frozen=True, eq=False)
class DynamicCoefficients(Result):
    """The coefficients of `model` and its equations in them.

    `names` are a1, a2, ... (another prefix where the robot has parameters so named);
    `coefficients` are their polynomials in the robot's parameters, scalars of the model's ring.
    M, c, g, friction are scalars of `ring`, which has the names in the place of the parameters.
    """

    model: ClosedForm
    names: tuple[str, ...]
    coefficients: tuple[Exact, ...]
    ring: Ring
    seen: int
    """How many different polynomials stand in M, g and friction; their rank is p."""
    _field: tuple[Exact, ...]
    _span: Span
    _cache: dict[Any, list[tuple[dict[str, int], Fraction]]] = field(default_factory=dict[Any, Any])

    @property
    def p(self) -> int:
        """How many there are."""
        return len(self.names)

    @property
    def minimality(self) -> str:
        """Why no smaller set exists, in a sentence."""
        roots = [f"sqrt({root.of})" for root in self.ring.roots]
        field = "the rationals" + (f" with {', '.join(roots)}" if roots else "")
        numbers = numbers_among(self.model, self.coefficients)
        model = "M, c, g" if _own_rates(self.model) else "M, g"
        seen = (
            f"{model} and friction have {self.seen} different polynomials in the parameters as coefficients of "
            f"independent functions of the motion; their exact rank over {field} is {self.p}"
        )
        if not numbers:
            return f"{seen}, so {self.p} coefficients are necessary and sufficient."
        return (
            f"{seen}, the numbers {', '.join(numbers)} taken as parameters, so {self.p} coefficients are sufficient; "
            "they are necessary if these numbers are independent, and with their values fewer may do."
        )

    def parts(self) -> Iterator[Part]:
        """Why there are no fewer, and every coefficient as an equation in the robot's parameters."""
        symbols = (s.M, ", ", s.c, ", ", s.g) if _own_rates(self.model) else (s.M, ", ", s.g)
        yield Words((*symbols, self.minimality.partition(", g")[2]))
        yield from self.definitions.values()

    @property
    def definitions(self) -> dict[str, Equation]:
        """Every coefficient by its name, as an equation in the robot's parameters."""
        letters = [name.rstrip("0123456789") for name in self.names]
        triples = zip(self.names, letters, self.coefficients, strict=True)
        return {name: Equation(Sym(x.rstrip("_"), name[len(x) :]), a) for name, x, a in triples}

    def document(self) -> Document:
        """The coefficients as equations."""
        return Document("", tuple(self.parts()), ring=self.model.ring, data=self._data, methods=("coefficients",))

    def _data(self) -> dict[str, Any]:
        coefficients = {name: str(a) for name, a in zip(self.names, self.coefficients, strict=True)}
        return {"coefficients": coefficients, "minimality": self.minimality}

    def __str__(self) -> str:
        """The map to the parameters, one line per coefficient: `a2 = d2*l1*m2`."""
        return "\n".join(f"{name} = {a}" for name, a in zip(self.names, self.coefficients, strict=True))

    @cached_property
    def M(self) -> list[list[Exact]]:
        """The mass matrix in the coefficients."""
        n = range(self.model.n)
        lower = [[self.rewrite(self.model.M[i, j]) for j in range(i + 1)] for i in n]
        return [[lower[max(i, j)][min(i, j)] for j in n] for i in n]

    @cached_property
    def c(self) -> list[Exact]:
        """Coriolis and centrifugal torques in the coefficients."""
        return [self.rewrite(x) for x in self.model.coriolis]

    @cached_property
    def g(self) -> list[Exact]:
        """Gravity torques in the coefficients."""
        return [self.rewrite(x) for x in self.model.gravity]

    @cached_property
    def friction(self) -> list[Exact]:
        """Friction torques in the coefficients; a number stays one where it would take several coefficients."""
        return [self._friction(x) for x in self.model.friction]

    def _friction(self, torque: Exact) -> Exact:
        terms: dict[Exponents, Fraction] = {}
        for motion, polynomial in by_motion(torque):
            number = polynomial.get((0,) * len(self.model.ring.symbols)) if len(polynomial) == 1 else None
            if number is None or len(self._combination(polynomial)) == 1:
                self._add(terms, motion, polynomial)
            else:
                terms[tuple(motion.get(symbol, 0) for symbol in self.ring.symbols)] = number
        return self.ring.from_terms(terms)

    @cached_property
    def christoffel_matrices(self) -> list[list[list[Exact]]]:
        """C_k(q) of every joint in the coefficients."""
        return [[[self.rewrite(x) for x in row] for row in C] for C in self.model.christoffel_matrices]

    @cached_property
    def torques(self) -> list[Exact]:
        """The torques M qdd + c + g + friction in the coefficients, without loads."""
        rows = zip(self.model.unloaded_torques, self.model.friction, self.friction, strict=True)
        return [self.rewrite(tau - friction) + own for tau, friction, own in rows]

    @cached_property
    def regressor(self) -> list[list[Exact]]:
        """Y_a (n, p), in `ring` without the coefficients, with tau = Y_a (a_1 .. a_p) - Q; Q is that of the loads."""
        torques = [self.rewrite(tau) for tau in self.model.unloaded_torques]
        return [[tau.derivative(name) for name in self.names] for tau in torques]

    def rewrite(self, scalar: Exact) -> Exact:
        """A scalar of the model that is linear in the coefficients (M, c, g, tau, C, Mdot, ...), in them."""
        terms: dict[Exponents, Fraction] = {}
        for motion, polynomial in by_motion(scalar):
            self._add(terms, motion, polynomial)
        return self.ring.from_terms(terms)

    def _add(self, terms: dict[Exponents, Fraction], motion: Mapping[Symbol, int], polynomial: Terms) -> None:
        """Adds what moves like `motion`, times a polynomial, in the coefficients."""
        for powers, factor in self._combination(polynomial):
            key = tuple({**motion, **powers}.get(name, 0) for name in self.ring.symbols)
            terms[key] = terms.get(key, Fraction(0)) + factor

    def _combination(self, polynomial: Terms) -> list[tuple[dict[str, int], Fraction]]:
        """The polynomial as sum of (powers of a coefficient and of roots, factor); kept up to a factor."""
        first = next(iter(polynomial.values()))
        shape = _monic(polynomial)
        if shape not in self._cache:
            self.model.ring.check_time()
            factors = self._span.coordinates({key: value / first for key, value in polynomial.items()})
            if factors is None:
                raise ArgumentError(f"this is not a combination of the dynamic coefficients {', '.join(self.names)}")
            d = len(self._field)
            self._cache[shape] = [
                ({self.names[k // d]: 1, **dict.fromkeys(self._field[k % d].symbols(), 1)}, factor)
                for k, factor in enumerate(factors)
                if factor
            ]
        return [(powers, factor * first) for powers, factor in self._cache[shape]]

    def expand(self, scalar: Exact) -> Exact:
        """The way back: a scalar of `ring` with the polynomials in the place of the coefficients."""
        polynomials = dict(zip(self.names, self.coefficients, strict=True))
        target = self.model.ring
        images = [polynomials[n] if n in polynomials else target.scalar(n) for n in self.ring.symbols]
        return Exact(compose_polynomial(scalar.polynomial, [x.polynomial for x in images], target), target)


def dynamic_coefficients(model: ClosedForm) -> DynamicCoefficients:
    """The minimal dynamic coefficients of a symbolic model.

    >>> from dynamis import load
    >>> space = dynamic_coefficients(load("deluca-2r").equations())
    >>> space.p, space.M[0]
    (5, [2*cos(q2)*a2 + a1, cos(q2)*a2 + a3])
    >>> print(space)
    a1 = I1 + I2 + d1^2*m1 + d2^2*m2 + l1^2*m2
    a2 = d2*l1*m2
    a3 = I2 + d2^2*m2
    a4 = d1*g0*m1 + g0*l1*m2
    a5 = d2*g0*m2
    """
    if model.numeric:
        raise ArgumentError("dynamic coefficients are polynomials in parameters; ask a symbolic model for them")
    entries = [model.M[i, j] for i in range(model.n) for j in range(i, model.n)] + model.gravity + model.friction
    entries += model.coriolis if _own_rates(model) else []
    polynomials: dict[Any, Terms] = {}
    for entry in entries:
        for _, polynomial in by_motion(entry):
            polynomials.setdefault(_monic(polynomial), polynomial)
    candidates = [_nice(polynomial) for polynomial in polynomials.values()]
    ring = model.ring
    roots, units = _field(candidates, ring)
    ring.check_time()
    products = [(ring.from_terms(x) * unit).terms() for x in candidates for unit in units] if roots else candidates
    space = span(products, ring)
    basis = [candidates[k // len(units)] for k in space.chosen if k % len(units) == 0]
    names = _names(len(basis), model)
    coefficients = tuple(ring.from_terms(polynomial) for polynomial in basis)
    return DynamicCoefficients(
        model, names, coefficients, _ring(names, roots, model), len(candidates), tuple(units), space
    )


def _own_rates(model: ClosedForm) -> bool:
    """Whether c has coefficients that M has not: joints turn at rates of the coordinates that are parameters."""
    return any(factor.parameters() for row in model.robot.couplings for _, factor in row.factors)


def numbers_among(model: ClosedForm, scalars: Iterable[Exact]) -> list[str]:
    """What stands for one number in `scalars`: sines and cosines of fixed angles, such as sin(0.3), and pi."""
    present = frozenset[Symbol]().union(*(scalar.symbols() for scalar in scalars)) & model.ring.numbers
    symbols = sorted(
        (s for s in present if s.is_trig or s.kind == "pi"), key=lambda s: (s.kind == "pi", s.of, s.kind == "cosine")
    )
    return [_with_decimal(symbol) for symbol in symbols]


def _with_decimal(symbol: Symbol) -> str:
    """sin(0.3) of the symbol sin(3/10)."""
    value = symbol.angle.value if isinstance(symbol.angle, Number) else None
    text = None if value is None else decimal(value, "all")
    return str(symbol) if text is None else f"{symbol.kind[:3]}({text})"


def by_motion(scalar: Exact) -> Iterator[tuple[dict[Symbol, int], Terms]]:
    """(powers of symbols that move, polynomial in the others), in reading order."""
    scalar.ring.check_time()
    symbols = scalar.ring.symbols
    moves, stays = [symbol.moves for symbol in symbols], [int(not symbol.moves) for symbol in symbols]
    groups: dict[Exponents, dict[Exponents, Fraction]] = {}
    for exponents, value in scalar.terms().items():
        groups.setdefault(tuple(compress(exponents, moves)), {})[tuple(map(mul, exponents, stays))] = value
    moving = tuple(compress(symbols, moves))
    sines = sum(symbol.kind == "sine" for symbol in moving)
    for motion in sorted(groups, key=lambda e: _reading_order(e, sines)):
        yield {name: e for name, e in zip(moving, motion, strict=True) if e}, groups[motion]


def _reading_order(motion: Exponents, sines: int) -> Any:
    """Low degree first, cosines before sines, first joints first; the sines are the first symbols."""
    return sum(motion), sum(motion[:sines]), tuple(-e for e in motion)


def _nice(polynomial: Terms) -> Terms:
    """Without a common whole factor, and most of its terms positive."""
    values = list(polynomial.values())
    common = gcd(*(v.numerator for v in values)) if all(v.denominator == 1 for v in values) else 1
    negative = sum(v < 0 for v in values)
    down = negative > len(values) - negative or (2 * negative == len(values) and values[0] < 0)
    factor = Fraction(-1 if down else 1, common)
    return {key: value * factor for key, value in polynomial.items()}


def _monic(polynomial: Terms) -> Any:
    """The same for all multiples of a polynomial, and hashable."""
    first = next(iter(polynomial.values()))
    return tuple((key, value / first) for key, value in polynomial.items())


def _field(polynomials: list[Terms], ring: Ring) -> tuple[tuple[Symbol, ...], list[Exact]]:
    """The roots of numbers that occur, and a basis of their field over the rationals: the products of them."""
    present = {symbol for p in polynomials for key in p for symbol in compress(ring.symbols, key)}
    roots = tuple(root for root in ring.roots if root in present)
    subsets = (some for size in range(len(roots) + 1) for some in combinations(roots, size))
    return roots, [prod((ring.scalar(root) for root in some), start=ring.number(1)) for some in subsets]


def _names(count: int, model: ClosedForm) -> tuple[str, ...]:
    taken = {*model.ring.symbols, *model.robot.parameters, *(joint.name for joint in model.robot.joints)}
    for prefix in PREFIXES:
        names = tuple(f"{prefix}{k}" for k in range(1, count + 1))
        if not taken & set(names):
            return names
    return tuple(f"a_{k}" for k in range(1, count + 1))


def _ring(names: tuple[str, ...], roots: tuple[Symbol, ...], model: ClosedForm) -> Ring:
    """The symbols of the motion, the roots, and the coefficients."""
    moving = [symbol for symbol in model.ring.symbols if symbol.moves]
    return replace(model.ring, symbols=(*moving, *roots, *map(parameter, names)))
