"""Do equations in parameters have a common solution with the positive symbols > 0?

No is proved, yes is shown by a point; otherwise it is undecided.

No: the ideal of the equations, of the relations of their symbols and of x (1/x) = 1 for every positive symbol x
(B. Buchberger, 1965) has a member that is never zero for positive symbols: 1, or a sum of terms of one sign.
Members lose the factors that are never zero; one that is >= 0 is zero only where all of its terms are.

Yes: values for the symbols that are left give those that were solved for; of one equation that was not, a symbol is a
real root of a polynomial in one symbol, isolated rigorously. All positive symbols must come out > 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from random import Random
from typing import Any

from flint import Ordering, fmpz_mpoly_ctx, fmpz_mpoly_vec, fmpz_poly

from dynamis.equations.signs import Sign, sign_of
from dynamis.scalars.exact.numbers import as_ball, by_monomial, numbers_at, sign
from dynamis.scalars.exact.processes import LARGE, cost, factored
from dynamis.scalars.exact.products import multiplied
from dynamis.scalars.exact.ratio import Ratio
from dynamis.scalars.exact.ring import Exact, Ring
from dynamis.scalars.exact.symbols import Symbol

ROUNDS = 4
# Of the completion: members, terms of a member, bits of a coefficient.
LIMITS = (40, 120, 600)
# More equations than these are not completed, nor any that are too long to be completed at once (`processes.LARGE`).
MOST_MEMBERS = 12
TRIES = 300
# Where several equations are left.
FEW = 20
BISECTIONS = 80
_POSITIVE = tuple(Fraction(*x) for x in ((1,), (2,), (1, 2), (3,), (1, 3), (5,), (1, 10), (10,)))
_ANY = (*_POSITIVE, *(-x for x in _POSITIVE), Fraction(0))
_TURNS = tuple(
    (Fraction(s, r), Fraction(c, r)) for s, c, r in ((4, 3, 5), (-4, 3, 5), (4, -3, 5), (5, 12, 13), (3, 4, 5))
)

Point = dict[Symbol, Any]
"""Values of symbols: fractions, or balls."""


def contradictory(equations: Sequence[Exact], positive: frozenset[Symbol]) -> bool:
    """Whether it is proved that no values solve the equations."""
    members = [equation for equation in equations if equation]
    for _ in range(ROUNDS):
        kept: dict[str, Exact] = {}
        for member in members:
            if sign_of(member, positive) in (Sign.POSITIVE, Sign.NEGATIVE):
                return True
            if not member:
                continue
            for part in _consequences(member, positive):
                if sign_of(part, positive) in (Sign.POSITIVE, Sign.NEGATIVE):
                    return True
                kept[str(part)] = part
        grown = _completed(list(kept.values()), positive)
        if {str(member) for member in grown if member} <= set(kept):
            return False
        members = grown
    return any(sign_of(member, positive) in (Sign.POSITIVE, Sign.NEGATIVE) for member in members)


def _consequences(member: Exact, positive: frozenset[Symbol]) -> Iterator[Exact]:
    """What must be zero where a member is: its factors that can be, or all terms of one that is never negative."""
    ring = member.ring
    if sign_of(member, positive) in (Sign.AT_LEAST_ZERO, Sign.AT_MOST_ZERO) and len(member) > 1:
        for exponents, number in by_monomial(member).items():
            if sign(number) != 0:
                yield ring.from_terms({tuple(int(e > 0) for e in exponents): Fraction(1)})
        return
    product = ring.number(1)
    for factor, _ in factored(member.polynomial, ring)[1]:
        part = Exact(factor, ring)
        if sign_of(part, positive) not in (Sign.POSITIVE, Sign.NEGATIVE):
            product = Exact(multiplied(product.polynomial, factor, ring), ring)
    yield product


def _completed(members: list[Exact], positive: frozenset[Symbol]) -> list[Exact]:
    """Members of the ideal of `members`, a Groebner basis of it where that is small."""
    if not members or len(members) > MOST_MEMBERS or sum(cost(member.polynomial) for member in members) > LARGE:
        return members
    ring = members[0].ring
    used = sorted(frozenset[Symbol]().union(*(member.symbols() for member in members)), key=ring.symbols.index)
    # Behind the symbols come the inverses of those that are positive.
    inverted = [symbol for symbol in used if symbol in positive and symbol.kind not in ("inverse", "root")]
    context = fmpz_mpoly_ctx.get([f"x{k}" for k in range(len(used) + len(inverted))], Ordering.degrevlex)
    rows: list[Any] = [_moved(member, used, len(inverted), context) for member in members]
    rows += [_moved(relation, used, len(inverted), context) for relation in _relations(ring, set(used))]
    x = context.gens()
    rows += [x[used.index(symbol)] * x[len(used) + k] - 1 for k, symbol in enumerate(inverted)]
    basis: Any
    basis, _ = fmpz_mpoly_vec(rows, context).buchberger_naive(limits=LIMITS)
    found = [a - b for a, b in combinations(members, 2)]
    for member in basis.autoreduction():
        back = _back(member, used, inverted, ring)
        if back:
            found.append(back)
    return found


def _relations(ring: Ring, used: set[Symbol]) -> Iterator[Exact]:
    """s^2 + c^2 = 1 and r^2 = (what is under the root) of symbols that occur."""
    for s, c in ring.angles:
        if {s, c} <= used:
            yield Exact(ring.generators[s] ** 2 + ring.generators[c] ** 2 - 1, ring)
    for root in ring.roots:
        if root in used:
            yield Exact(ring.generators[root] ** 2 - root.radicand, ring)


def _moved(scalar: Exact, used: Sequence[Symbol], more: int, context: Any) -> Any:
    """A scalar over the symbols that are used, in whole numbers."""
    places = [scalar.ring.places[symbol] for symbol in used]
    terms = scalar.terms()
    scale = lcm(*(value.denominator for value in terms.values()))
    return context.from_dict({(*(key[k] for k in places), *[0] * more): int(x * scale) for key, x in terms.items()})


def _back(member: Any, used: Sequence[Symbol], inverted: Sequence[Symbol], ring: Ring) -> Exact:
    """A member times the positive symbols whose inverses are in it."""
    degrees = member.degrees()[len(used) :]
    terms: dict[tuple[int, ...], Fraction] = {}
    for key, number in member.to_dict().items():
        powers = {symbol: int(e) for symbol, e in zip(used, key, strict=False)}
        for symbol, most, e in zip(inverted, degrees, key[len(used) :], strict=True):
            powers[symbol] += int(most) - int(e)
        whole = tuple(powers.get(symbol, 0) for symbol in ring.symbols)
        terms[whole] = terms.get(whole, Fraction(0)) + Fraction(int(number))
    return ring.from_terms(terms)


def witness(
    equations: Sequence[Exact], solved: Mapping[Symbol, Ratio], positive: frozenset[Symbol]
) -> dict[Symbol, Fraction | float] | None:
    """Values of all symbols with the equations zero and the positive symbols > 0; None if none was found."""
    ring = equations[0].ring
    symbols = frozenset[Symbol]().union(*(e.symbols() for e in equations), *(_symbols(x) for x in solved.values()))
    open_ones = [e for e in equations if not solved.keys() & _linear(e, solved)]
    random = Random(1)
    for _ in range(TRIES if len(open_ones) < 2 else FEW):
        ring.look_at_the_clock()
        point = _sampled(ring, symbols - solved.keys(), positive, random)
        found = _solved_at(equations, open_ones, solved, positive, point, ring)
        if found is not None:
            return {name: found[name] if isinstance(found[name], Fraction) else float(found[name]) for name in symbols}
    return None


def _symbols(value: Ratio) -> frozenset[Symbol]:
    return value.numerator.symbols() | value.denominator.symbols()


def _linear(equation: Exact, solved: Mapping[Symbol, Ratio]) -> set[Symbol]:
    """The solved symbols that an equation determines: it vanishes when they are put into it."""
    rest = equation
    for symbol, value in solved.items():
        rest = substituted(rest, symbol, value)
    return set(solved) if not rest else set()


def _sampled(ring: Ring, symbols: frozenset[Symbol], positive: frozenset[Symbol], random: Random) -> Point:
    point: Point = {}
    point.update(numbers_at(symbols, ring))
    for s, c in ring.angles:
        if {s, c} & symbols - ring.numbers:
            point[s], point[c] = random.choice(_TURNS)
    for symbol in sorted(symbols - point.keys()):
        if symbol.kind != "inverse":
            point[symbol] = random.choice(_POSITIVE if symbol in positive else _ANY)
    for symbol in sorted(symbols - point.keys()):
        below = None if symbol.inverted is None else point.get(symbol.inverted)
        if below:
            point[symbol] = 1 / below
    return point


def _solved_at(
    equations: Sequence[Exact],
    open_ones: Sequence[Exact],
    solved: Mapping[Symbol, Ratio],
    positive: frozenset[Symbol],
    point: Point,
    ring: Ring,
) -> Point | None:
    """The point with the solved symbols, and with a root of the equation that is left."""
    for choice in _settled(open_ones, point, solved, frozenset()):
        whole = dict(choice)
        for symbol, value in solved.items():
            above, below = at(value.numerator, whole), at(value.denominator, whole)
            if above is None or below is None or _contains_zero(below):
                break
            whole[symbol] = _over(above, below)
        else:
            if all(bool(x > 0) for name, x in whole.items() if name in positive) and not any(
                _away_from_zero(at(equation, whole)) for equation in equations
            ):
                return whole
    return None


def _settled(
    equations: Sequence[Exact], point: Point, solved: Mapping[Symbol, Ratio], kept: frozenset[Symbol]
) -> Iterator[Point]:
    """The point with the equations settled one after the other, each by symbols that are in none before it."""
    if not equations:
        yield point
        return
    first, *rest = equations
    for choice in (*_with_angles(first, point), *_with_roots(first, point, solved)):
        if not any(choice[name] is not point[name] for name in kept & point.keys()):
            yield from _settled(rest, choice, solved, kept | first.symbols())


def _with_angles(equation: Exact, point: Point) -> Iterator[Point]:
    """The point with an angle that solves a sin x + b cos x + c = 0, if c^2 <= a^2 + b^2."""
    ring = equation.ring
    for pair in ring.angles:
        if not equation.symbols() & set(pair) or pair[0] in ring.numbers:
            continue
        rest = equation.substitute(dict.fromkeys(pair, ring.zero))
        slopes = [equation.derivative(name) for name in pair]
        if any(slope.symbols() & set(pair) for slope in slopes):
            continue
        found = [at(x, point) for x in (*slopes, rest)]
        if None in found:
            continue
        a, b, c = map(_ball, found)
        square = a * a + b * b
        over = square - c * c
        if not (square > 0 and (over > 0 or not rest)):
            continue
        root = over.sqrt()
        yield {**point, pair[0]: (-a * c - b * root) / square, pair[1]: (-b * c + a * root) / square}


def _with_roots(equation: Exact, point: Point, solved: Mapping[Symbol, Ratio]) -> Iterator[Point]:
    """The point with a symbol of the equation at each of its real roots, symbol by symbol."""
    pairs = {name for pair in equation.ring.angles for name in pair}
    for symbol in sorted(equation.symbols() - solved.keys() - pairs - equation.ring.numbers):
        others = {name: x for name, x in point.items() if name != symbol}
        coefficients: dict[int, Any] = {}
        for key, number in equation.terms().items():
            term: Any = number
            power = 0
            for name, e in zip(equation.ring.symbols, key, strict=True):
                if e and name == symbol:
                    power = e
                elif e:
                    term = _times(term, others[name], e) if name in others else None
                if term is None:
                    break
            if term is None:
                return
            coefficients[power] = _plus(coefficients.get(power, Fraction(0)), term)
        if not all(isinstance(x, Fraction) for x in coefficients.values()):
            yield from ({**point, symbol: x} for x in _crossings(coefficients))
            continue
        scale = lcm(*(x.denominator for x in coefficients.values()))
        whole = fmpz_poly([int(coefficients.get(k, 0) * scale) for k in range(max(coefficients) + 1)])
        if whole.degree() < 1:
            continue
        roots: Any = whole.complex_roots()
        for root, _ in roots:
            if root.imag == 0:
                yield {**point, symbol: root.real}


def _crossings(coefficients: Mapping[int, Any]) -> Iterator[Any]:
    """Balls around zeros of a polynomial whose coefficients are balls: where it changes its sign, by bisection."""

    def side(x: Fraction) -> int:
        total: Any = Fraction(0)
        for power, factor in coefficients.items():
            total = _plus(total, _times(factor, x, power) if power else factor)
        return 1 if total > 0 else -1 if total < 0 else 0

    places = sorted(_ANY)
    for low, high in pairwise(places):
        first = side(low)
        if first * side(high) < 0:
            while high - low > Fraction(1, 2**BISECTIONS):
                middle = (low + high) / 2
                low, high = (low, middle) if side(middle) != first else (middle, high)
            yield _ball(low).union(_ball(high))


def at(scalar: Exact, point: Mapping[Symbol, Any]) -> Any:
    """The value of a scalar; None if a symbol has none."""
    total: Any = Fraction(0)
    for key, number in scalar.terms().items():
        term: Any = number
        for name, e in zip(scalar.ring.symbols, key, strict=True):
            if e:
                if name not in point:
                    return None
                term = _times(term, point[name], e)
        total = _plus(total, term)
    return total


def _times(term: Any, x: Any, e: int) -> Any:
    if isinstance(term, Fraction) and isinstance(x, Fraction):
        return term * x**e
    return _ball(term) * _ball(x) ** e


def _plus(a: Any, b: Any) -> Any:
    return a + b if isinstance(a, Fraction) and isinstance(b, Fraction) else _ball(a) + _ball(b)


def _over(a: Any, b: Any) -> Any:
    return a / b if isinstance(a, Fraction) and isinstance(b, Fraction) else _ball(a) / _ball(b)


def _ball(x: Any) -> Any:
    return as_ball(x) if isinstance(x, Fraction) else x


def _contains_zero(x: Any) -> bool:
    return not x if isinstance(x, Fraction) else bool(x.contains(0))


def _away_from_zero(x: Any) -> bool:
    return x is None or (bool(x) if isinstance(x, Fraction) else not x.contains(0))


def substituted(polynomial: Exact, symbol: Symbol, value: Ratio) -> Exact:
    """polynomial * denominator^degree with symbol = value."""
    ring = polynomial.ring
    index = ring.places[symbol]
    parts: dict[int, dict[tuple[int, ...], Fraction]] = {}
    for key, coefficient in polynomial.terms().items():
        parts.setdefault(key[index], {})[(*key[:index], 0, *key[index + 1 :])] = coefficient
    degree, total = max(parts, default=0), ring.zero
    for power, terms in parts.items():
        product = ring.from_terms(terms)
        for k in range(degree):
            product = product * (value.numerator if k < power else value.denominator)
        total = total + product
    return total
