"""Values that solve equations in parameters, with the positive symbols > 0: a search, each step of it rigorous.

Symbols that are left get small values at random; they give those that were solved for. An equation that was not solved
gives an angle by a sin x + b cos x + c = 0, or a symbol as a real root of a polynomial, isolated rigorously. Numbers
are rationals (fmpq), and balls (arb) where roots or fixed angles come in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

from flint import arb, fmpq, fmpq_poly

from dynamis.scalars.exact.numbers import numbers_at
from dynamis.scalars.exact.ratio import Ratio, substitute_ratio
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import Symbol

# Points tried; fewer where several equations are left, each of which has several roots.
POINT_TRIES, REDUCED_TRIES = 300, 20
BISECTION_COUNT = 80
_POSITIVE = tuple(fmpq(*x) for x in ((1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (5, 1), (1, 10), (10, 1)))
_ANY = (*_POSITIVE, *(-x for x in _POSITIVE), fmpq(0))
_TURNS = tuple((fmpq(s, r), fmpq(c, r)) for s, c, r in ((4, 3, 5), (-4, 3, 5), (4, -3, 5), (5, 12, 13), (3, 4, 5)))
Point = dict[Symbol, Any]


def witness(
    equations: Sequence[Exact], solved: Mapping[Symbol, Ratio], positive: frozenset[Symbol]
) -> dict[Symbol, Fraction | float] | None:
    """Values of all symbols with the equations zero and the positive symbols > 0; None if none was found."""
    ring, random = equations[0].ring, Random(1)
    sides = [side for value in solved.values() for side in (value.numerator, value.denominator)]
    symbols = frozenset[Symbol]().union(*(scalar.symbols() for scalar in (*equations, *sides)))
    unsolved = [equation for equation in equations if not solved or _put(equation, solved)]
    for _ in range(POINT_TRIES if len(unsolved) < 2 else REDUCED_TRIES):
        ring.check_time()
        start = _random_point(ring, symbols - solved.keys(), positive, random)
        for point in _with_equations(unsolved, start, solved, frozenset()):
            values = _with_solved(point, solved)
            if values is None or not all(bool(x > 0) for symbol, x in values.items() if symbol in positive):
                continue
            if all((x := at(equation, values)) is not None and _may_be_zero(x) for equation in equations):
                return {symbol: _plain(values[symbol]) for symbol in symbols}
    return None


def _put(equation: Exact, solved: Mapping[Symbol, Ratio]) -> Exact:
    for symbol, value in solved.items():
        equation = substitute_ratio(equation, symbol, value)
    return equation


def _random_point(ring: Ring, symbols: frozenset[Symbol], positive: frozenset[Symbol], random: Random) -> Point:
    point: Point = dict(numbers_at(symbols, ring))
    for s, c in ring.angles:
        if {s, c} & symbols - ring.numbers:
            point[s], point[c] = random.choice(_TURNS)
    for symbol in sorted(symbols - point.keys()):
        if symbol.kind != "inverse":
            point[symbol] = random.choice(_POSITIVE if symbol in positive else _ANY)
    for symbol in sorted(symbols - point.keys()):
        if symbol.inverted is not None and (below := point.get(symbol.inverted)):
            point[symbol] = 1 / below
    return point


def _with_solved(point: Point, solved: Mapping[Symbol, Ratio]) -> Point | None:
    """The point with the symbols that were solved for; None where one of them has no value."""
    values = dict(point)
    for symbol, value in solved.items():
        above, below = at(value.numerator, values), at(value.denominator, values)
        if above is None or below is None or _may_be_zero(below):
            return None
        values[symbol] = above / below
    return values


def _with_equations(
    equations: Sequence[Exact], point: Point, solved: Mapping[Symbol, Ratio], kept: frozenset[Symbol]
) -> Iterator[Point]:
    """The point with the equations solved one after the other, each by symbols that are in none before it."""
    if not equations:
        yield point
        return
    first, *rest = equations
    for choice in (*_with_angles(first, point), *_with_roots(first, point, solved)):
        if not any(choice[symbol] is not point[symbol] for symbol in kept & point.keys()):
            yield from _with_equations(rest, choice, solved, kept | first.symbols())


def _with_angles(equation: Exact, point: Point) -> Iterator[Point]:
    """The point with an angle that solves a sin x + b cos x + c = 0, if c^2 <= a^2 + b^2."""
    ring = equation.ring
    for pair in ring.angles:
        if not equation.symbols() & set(pair) or pair[0] in ring.numbers:
            continue
        rest = equation.substitute(dict.fromkeys(pair, ring.zero))
        slopes = [equation.derivative(symbol) for symbol in pair]
        values = [at(x, point) for x in (*slopes, rest)]
        if None in values or any(slope.symbols() & set(pair) for slope in slopes):
            continue
        a, b, c = map(arb, values)
        square = a * a + b * b
        over = square - c * c
        if square > 0 and (over > 0 or not rest):
            root = over.sqrt()
            yield {**point, pair[0]: (-a * c - b * root) / square, pair[1]: (-b * c + a * root) / square}


def _with_roots(equation: Exact, point: Point, solved: Mapping[Symbol, Ratio]) -> Iterator[Point]:
    """The point with a symbol of the equation at each of its real roots, symbol by symbol."""
    pairs = {symbol for pair in equation.ring.angles for symbol in pair}
    for symbol in sorted(equation.symbols() - solved.keys() - pairs - equation.ring.numbers):
        coefficients = {power: at(x, point) for power, x in equation.coefficients(symbol).items()}
        if None in coefficients.values():
            return
        if all(isinstance(x, fmpq) for x in coefficients.values()):
            polynomial = fmpq_poly([coefficients.get(k, 0) for k in range(max(coefficients) + 1)])
            roots: Any = polynomial.numer().complex_roots() if polynomial.degree() > 0 else ()
            yield from ({**point, symbol: root.real} for root, _ in roots if root.imag == 0)
        else:
            yield from ({**point, symbol: x} for x in _crossings(coefficients))


def _crossings(coefficients: Mapping[int, Any]) -> Iterator[Any]:
    """Balls around zeros of a polynomial whose coefficients are balls: where it changes its sign, by bisection."""

    def side(x: Any) -> int:
        total: Any = sum((factor * x**power for power, factor in coefficients.items()), start=fmpq(0))
        return 1 if total > 0 else -1 if total < 0 else 0

    for low, high in pairwise(sorted(_ANY)):
        first = side(low)
        if first * side(high) < 0:
            while high - low > fmpq(1, 2**BISECTION_COUNT):
                middle = (low + high) / 2
                low, high = (low, middle) if side(middle) != first else (middle, high)
            yield arb(low).union(arb(high))


def at(scalar: Exact, point: Mapping[Symbol, Any]) -> Any:
    """The value of a scalar; None if a symbol has none."""
    complete = scalar.symbols() <= point.keys()
    return scalar.at(point, lambda x: fmpq(x.numerator, x.denominator)) if complete else None


def _may_be_zero(x: Any) -> bool:
    return bool(x.contains(0)) if isinstance(x, arb) else not x


def _plain(x: Any) -> Fraction | float:
    return float(x) if isinstance(x, arb) else Fraction(int(x.p), int(x.q))
