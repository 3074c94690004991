"""The minimal dynamic coefficients a_1 .. a_p of a model, found by exact linear algebra.

Every entry of M, g and the friction is a sum of products: a polynomial in the parameters times a
monomial in sines, cosines, sliding coordinates and rates. In normal form these monomials are
linearly independent functions of the motion, so the torques determine the polynomials and nothing
else; the space that the polynomials span has a dimension p, and

    M = sum a_i M_i(q),   c = sum a_i c_i(q, qd),   g = sum a_i g_i(q)       i = 1 .. p

with any basis a_1 .. a_p of that space, and with no smaller set (De Luca, Robotics 2, dynamic
coefficients; M. Gautier and W. Khalil, Direct calculation of minimum set of inertial parameters of
serial robots, IEEE Trans. Robotics and Automation 6(3), 1990). The basis here is the first
polynomials that are independent in the order of reading: M row by row, then g, then friction; in
an entry the constant term first. Christoffel symbols are derivatives of M, so c adds none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, compress
from math import gcd, prod
from operator import not_
from typing import Any

from dynamis.equations.equations import Equations
from dynamis.errors import ArgumentError
from dynamis.scalars.exact.linear_algebra import Span, span
from dynamis.scalars.exact.products import composed
from dynamis.scalars.exact.ring import Exact, Exponents, Letters, Ring

Terms = Mapping[Exponents, Fraction]
"""A polynomial in the letters that are not the motion's: exponents -> coefficient."""
PREFIXES = ("a", "h", "p", "b", "alpha")


@dataclass(frozen=True, eq=False)
class DynamicCoefficients:
    """The coefficients of `model` and its equations in them.

    `names` are a1, a2, ... (another letter where the robot has parameters so named);
    `coefficients` are their polynomials in the robot's parameters, scalars of the model's ring.
    M, c, g, friction are scalars of `ring`, which has the names in the place of the parameters.
    """

    model: Equations
    names: tuple[str, ...]
    coefficients: tuple[Exact, ...]
    ring: Ring
    seen: int
    """How many different polynomials stand in M, g and friction; their rank is p."""
    _field: tuple[Exact, ...]
    _span: Span
    _known: dict[Any, list[tuple[dict[str, int], Fraction]]] = field(default_factory=dict[Any, Any])

    @property
    def p(self) -> int:
        """How many there are."""
        return len(self.names)

    @property
    def minimality(self) -> str:
        """Why no smaller set exists, in a sentence."""
        roots = [name.removeprefix("root ") for name in self.ring.letters.roots]
        field = "Q" + (f"({', '.join(f'sqrt({root})' for root in roots)})" if roots else "")
        numbers = numbers_as_letters(self.model, {name for a in self.coefficients for name in a.letters()})
        seen = (
            f"M, g and friction have {self.seen} different polynomials in the parameters before independent functions "
            f"of the motion; their exact rank over {field} is {self.p}"
        )
        if not numbers:
            return f"{seen}, so {self.p} coefficients are needed and enough."
        return (
            f"{seen}, the numbers {', '.join(numbers)} taken as parameters, so {self.p} coefficients are enough; that "
            "so many are needed rests on these numbers being independent, and with their values fewer may do."
        )

    def __str__(self) -> str:
        """The map to the parameters, a line a coefficient: `a2 = d2*l1*m2`."""
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
        """Friction torques in the coefficients."""
        return [self.rewrite(x) for x in self.model.friction]

    @cached_property
    def regressor(self) -> list[list[Exact]]:
        """Y_a (n, p), in `ring` without the coefficients, with tau = Y_a (a_1 .. a_p)."""
        torques = [self.rewrite(x) for x in self.model.torques]
        return [[tau.derivative(name) for name in self.names] for tau in torques]

    def rewrite(self, scalar: Exact) -> Exact:
        """A scalar of the model that is linear in the coefficients (M, c, g, tau, C, Mdot, ...), in them."""
        terms: dict[Exponents, Fraction] = {}
        for motion, polynomial in by_motion(scalar, self.model):
            for letters, factor in self._combination(polynomial):
                key = tuple({**motion, **letters}.get(name, 0) for name in self.ring.letters.names)
                terms[key] = terms.get(key, Fraction(0)) + factor
        return self.ring.from_terms(terms)

    def _combination(self, polynomial: Terms) -> list[tuple[dict[str, int], Fraction]]:
        """The polynomial as sum of (letters of a coefficient, and of roots; factor); kept up to a factor."""
        first = next(iter(polynomial.values()))
        shape = _monic(polynomial)
        if shape not in self._known:
            self.model.ring.look_at_the_clock()
            found = self._span.coordinates({key: value / first for key, value in polynomial.items()})
            if found is None:
                raise ArgumentError(f"this is no combination of the dynamic coefficients {', '.join(self.names)}")
            d = len(self._field)
            self._known[shape] = [
                ({self.names[k // d]: 1, **dict.fromkeys(self._field[k % d].letters(), 1)}, factor)
                for k, factor in enumerate(found)
                if factor
            ]
        return [(letters, factor * first) for letters, factor in self._known[shape]]

    def expand(self, scalar: Exact) -> Exact:
        """The way back: a scalar of `ring` with the polynomials in the place of the coefficients."""
        whole = dict(zip(self.names, self.coefficients, strict=True))
        target = self.model.ring
        images = [whole[n] if n in whole else target.letter(n) for n in self.ring.letters.names]
        return Exact(composed(scalar.polynomial, [x.polynomial for x in images], target), target)


def dynamic_coefficients(model: Equations) -> DynamicCoefficients:
    """The minimal dynamic coefficients of a model with letters.

    >>> from dynamis import load
    >>> found = dynamic_coefficients(load("deluca-2r").equations())
    >>> found.p, found.M[0]
    (5, [2*cos(q2)*a2 + a1, cos(q2)*a2 + a3])
    >>> print(found)
    a1 = I1 + I2 + d1^2*m1 + d2^2*m2 + l1^2*m2
    a2 = d2*l1*m2
    a3 = I2 + d2^2*m2
    a4 = d1*g0*m1 + g0*l1*m2
    a5 = d2*g0*m2
    """
    if model.numeric:
        raise ArgumentError("dynamic coefficients are polynomials in parameters; ask a model with letters for them")
    entries = [model.M[i, j] for i in range(model.n) for j in range(i, model.n)] + model.gravity + model.friction
    polynomials: dict[Any, Terms] = {}
    for entry in entries:
        for _, polynomial in by_motion(entry, model):
            polynomials.setdefault(_monic(polynomial), polynomial)
    candidates = [_nice(polynomial) for polynomial in polynomials.values()]
    roots, units = _field(candidates, model)
    model.ring.look_at_the_clock()
    found = span([_times(x, unit, model) for x in candidates for unit in units] if roots else candidates, model.ring)
    chosen = [candidates[k // len(units)] for k in found.chosen if k % len(units) == 0]
    names = _names(len(chosen), model)
    coefficients = tuple(as_scalar(polynomial, model) for polynomial in chosen)
    return DynamicCoefficients(
        model, names, coefficients, _ring(names, roots, model), len(candidates), tuple(units), found
    )


def motion_letters(model: Equations) -> frozenset[str]:
    """The letters of a model's ring that change in a motion; all others are parameters."""
    found: set[str] = set()
    for joint in model.robot.joints:
        found |= {f"sin({joint.name})", f"cos({joint.name})"} if joint.turns else {joint.name}
        found |= {f"{kind}({joint.name})" for kind in ("d", "dd", "sign")}
    return frozenset(found)


def numbers_as_letters(model: Equations, used: Set[str]) -> list[str]:
    """Letters among `used` that stand for one number: pi, and sines and cosines of fixed angles in numbers."""
    moving, parameters = motion_letters(model), set(model.robot.parameters)
    angles = [name for pair in model.ring.letters.trig for name in pair if name not in moving]
    fixed = [name for name in angles if not parameters & set(re.findall(r"[^\W\d]\w*", name[4:-1]))]
    return [name for name in (*fixed, "pi") if name in used]


def by_motion(scalar: Exact, model: Equations) -> Iterator[tuple[dict[str, int], Terms]]:
    """(powers of the motion's letters, polynomial in the other letters), in reading order."""
    model.ring.look_at_the_clock()
    names, moves = model.ring.letters.names, _moves(model)
    groups: dict[Exponents, dict[Exponents, Fraction]] = {}
    for exponents, value in scalar.terms().items():
        groups.setdefault(tuple(compress(exponents, moves)), {})[_rest(exponents, moves)] = value
    moving = tuple(compress(names, moves))
    sines = sum(name in moving for name, _ in model.ring.letters.trig)
    for motion in sorted(groups, key=lambda e: _reading_order(e, sines)):
        yield {name: e for name, e in zip(moving, motion, strict=True) if e}, groups[motion]


def _moves(model: Equations) -> tuple[bool, ...]:
    moving = motion_letters(model)
    return tuple(name in moving for name in model.ring.letters.names)


def _rest(exponents: Exponents, moves: tuple[bool, ...]) -> Exponents:
    return tuple(compress(exponents, map(not_, moves)))


def _reading_order(motion: Exponents, sines: int) -> Any:
    """Low degree first, cosines before sines, first joints first; the sines are the first letters."""
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


def _field(polynomials: list[Terms], model: Equations) -> tuple[tuple[str, ...], list[Exact]]:
    """The roots of numbers that occur, and a basis of their field over Q: the products of them."""
    ring = model.ring
    others = [name for name, moves in zip(ring.letters.names, _moves(model), strict=True) if not moves]
    used = {name for p in polynomials for key in p for name, e in zip(others, key, strict=True) if e}
    roots = tuple(root for root in ring.letters.roots if root in used)
    subsets = (some for size in range(len(roots) + 1) for some in combinations(roots, size))
    return roots, [prod((ring.letter(root) for root in some), start=ring.number(1)) for some in subsets]


def as_scalar(polynomial: Terms, model: Equations) -> Exact:
    """A polynomial in the letters that are not the motion's, in the model's ring."""
    moves = _moves(model)
    terms: dict[Exponents, Fraction] = {}
    for key, value in polynomial.items():
        entries = iter(key)
        terms[tuple(0 if moving else next(entries) for moving in moves)] = value
    return model.ring.from_terms(terms)


def _times(polynomial: Terms, unit: Exact, model: Equations) -> Terms:
    moves = _moves(model)
    return {_rest(key, moves): value for key, value in (as_scalar(polynomial, model) * unit).terms().items()}


def _names(count: int, model: Equations) -> tuple[str, ...]:
    taken = {*model.ring.letters.names, *model.robot.parameters}
    for prefix in PREFIXES:
        names = tuple(f"{prefix}{k}" for k in range(1, count + 1))
        if not taken & set(names):
            return names
    return tuple(f"a_{k}" for k in range(1, count + 1))


def _ring(names: tuple[str, ...], roots: tuple[str, ...], model: Equations) -> Ring:
    """The motion's letters, the roots, and the coefficients."""
    moving, letters = motion_letters(model), model.ring.letters
    kept = Letters(
        trig=tuple(pair for pair in letters.trig if pair[0] in moving),
        roots=roots,
        others=(*(name for name in letters.others if name in moving), *names),
    )
    return replace(model.ring, letters=kept, radicands={root: model.ring.radicands[root] for root in roots})
