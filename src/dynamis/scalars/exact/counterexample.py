"""A smallest point where two scalars differ: as many zeros and ones as possible, else small whole numbers.

Velocities, accelerations and prismatic coordinates are 0 if possible, parameters 1, angles 0 (then a right angle, then
3-4-5 triangles). A monomial of the difference with the fewest of the first says which of them cannot be 0. Then
symbol by symbol takes the first value that does not make what is left of the difference zero: a polynomial that is
not zero has such values. The choices with the smallest numbers win; the order of symbols decides among equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from dynamis.scalars.exact.angles import RIGHT_ANGLES
from dynamis.scalars.exact.numbers import ball
from dynamis.scalars.exact.ring import Exact, Exponents, Ring
from dynamis.scalars.exact.symbols import Symbol, coordinate, half_angle, joint_angle

Values = tuple[Fraction, ...]
MAX_TRIES = 20
MAX_SUPPORTS = 8
# More symbols with one value than these are not named one by one.
MOST_NAMED = 8
_NUMBERS = tuple(Fraction(k) for k in (1, 2, 3, -1, -2, 4, 5, -3, 7, 11, 13))
# (sine, cosine), the simplest first.
_ANGLES: tuple[Values, ...] = tuple(
    (Fraction(s, r), Fraction(c, r))
    for s, c, r in (
        (0, 1, 1), (1, 0, 1), (0, -1, 1), (-1, 0, 1), (4, 3, 5), (3, 4, 5), (-4, 3, 5), (4, -3, 5), (12, 5, 13),
        (5, 12, 13), (15, 8, 17), (8, 15, 17), (24, 7, 25), (7, 24, 25), (20, 21, 29), (21, 20, 29),
    )
)  # fmt: skip
# Of half an angle in (-pi, pi].
_HALF_ANGLES = [(s, c) for s, c in _ANGLES if c > 0 or (s, c) == (1, 0)]


@dataclass(frozen=True)
class Counterexample:
    """Where two sides differ: which entry, at which values of the symbols, and both sides there."""

    entry: str
    """`g[2]`, or both sides where they have names of their own: `N[1,2] = -N[2,1]`."""
    point: Mapping[Symbol, Fraction]
    left: Fraction | float
    right: Fraction | float

    def __str__(self) -> str:
        first, _, second = self.entry.partition(" = ")
        left, right = (f"{x:.6g}" if isinstance(x, float) else x for x in (self.left, self.right))
        if second:
            return f"{first} is {left} and {second} is {right} at {self.where}"
        return f"{first} is {left} on the one side and {right} on the other at {self.where}"

    @property
    def where(self) -> str:
        """The point in words: what is not 1 by name, the rest together."""
        groups: dict[str, list[str]] = {}
        sines = {symbol.of: x for symbol, x in self.point.items() if symbol.kind == "sine"}
        cosines = {symbol.of: x for symbol, x in self.point.items() if symbol.kind == "cosine"}
        for symbol, x in self.point.items():
            if symbol.is_half:
                continue
            if symbol.of not in sines.keys() & cosines.keys() or not symbol.is_trig:
                groups.setdefault(str(x), []).append(symbol)
            elif symbol.kind == "sine":
                groups.setdefault(angle_at(symbol, self.point), []).append(symbol.of)
        rates = {symbol for symbol in self.point if symbol.is_rate}
        if many := len(groups.get("1", [])) > MOST_NAMED:
            groups["1"] = [name for name in groups["1"] if name in rates]
        words = [f"{' = '.join(names)} = {x}" for x, names in groups.items() if names and len(names) <= MOST_NAMED]
        words += ["the other angles, velocities and accelerations 0"] if len(groups.get("0", [])) > MOST_NAMED else []
        words += ["all other symbols 1"] if many else []
        return ", ".join(words) or "every point"


def angle_at(sine: Symbol, point: Mapping[Symbol, Fraction]) -> str:
    """The angle of a sine at a point: `pi/2`, or `arctan2(4/5, 3/5)`."""
    s, c = point[sine], next(x for symbol, x in point.items() if symbol.kind == "cosine" and symbol.of == sine.of)
    return RIGHT_ANGLES.get((s, c)) or f"arctan2({s}, {c})"


@dataclass(frozen=True)
class _Unit:
    """Symbols that get their values together, the simplest values first."""

    symbols: tuple[Symbol, ...]
    options: tuple[Values, ...]


def counterexample(entry: str, left: Exact, right: Exact) -> Counterexample:
    """A smallest point where two different scalars differ."""
    place = differing_point(left, right)
    assert place is not None, "two different polynomials differ somewhere"
    return Counterexample(entry, *place)


def differing_point(
    left: Exact, right: Exact
) -> tuple[dict[Symbol, Fraction], Fraction | float, Fraction | float] | None:
    """A smallest point where two different scalars differ, and both values; None where floats do not show it."""
    ring, difference = left.ring, (left - right).polynomial
    monomials: list[Exponents] = difference.monoms()
    used = left.symbols() | right.symbols()
    moving = [
        symbol for symbol in ring.symbols if symbol in used and (symbol.kind == "coordinate" or symbol.is_of_velocity)
    ]
    units = _units(ring, used)
    for attempt in range(MAX_TRIES):
        choices: list[tuple[int, dict[Symbol, Fraction]]] = []
        for support in _supports(monomials, moving, ring):
            kept = _put(difference, [(symbol, Fraction(0)) for symbol in moving if symbol not in support], ring)
            for order in (units, units[::-1]):
                chosen = _greedy(kept, _of_support(support, moving), order, attempt, ring)
                if chosen is not None:
                    choices.append(chosen)
        for _, point in sorted(choices, key=lambda choice: choice[0]):
            try:
                a, b = value(left, point), value(right, point)
            except ZeroDivisionError:
                continue
            exact = isinstance(a, Fraction) and isinstance(b, Fraction)
            if a != b if exact else abs(a - b) > 1e-9 * (abs(a) + abs(b)):
                return point, a, b
    return None


def _units(ring: Ring, used: frozenset[Symbol]) -> list[_Unit]:
    """The angles, then the parameters, each with its inverse."""
    halves = {symbol: symbol.of for symbol in used if symbol.is_half}
    free = [pair for pair in ring.angles if used & set(pair) and pair[0] not in ring.numbers]
    units = [_Unit(pair, _ANGLES) for pair in free if pair[0].of not in halves.values()]
    units += [
        _Unit((*joint_angle(of), *half_angle(of)), tuple((2 * s * c, c**2 - s**2, s, c) for s, c in _HALF_ANGLES))
        for of in sorted(set(halves.values()))
    ]
    needed = used.union(*(below.symbols() for inverse, below in ring.sums.items() if inverse in used))
    inverses = {inverse.inverted: inverse for inverse in ring.inverses if inverse.inverted is not None}
    for symbol in ring.symbols:
        both = (symbol, inverses[symbol]) if symbol in inverses else (symbol,)
        if symbol.kind == "parameter" and needed & set(both):
            units.append(_Unit(both, tuple((x, 1 / x)[: len(both)] for x in _NUMBERS)))
    return units


def _supports(monomials: Sequence[Exponents], moving: Sequence[Symbol], ring: Ring) -> list[frozenset[Symbol]]:
    """The smallest sets of symbols that must not all be 0: those of the monomials with the fewest of them."""
    places = [(ring.places[symbol], symbol) for symbol in moving]
    sets = {frozenset(symbol for k, symbol in places if exponents[k]) for exponents in monomials}
    closed = {some.union(coordinate(symbol.of, 1) for symbol in some if symbol.is_of_velocity) for some in sets}
    least = min(map(len, closed))
    return sorted((some for some in closed if len(some) == least), key=sorted)[:MAX_SUPPORTS]


def _of_support(support: frozenset[Symbol], moving: Sequence[Symbol]) -> list[_Unit]:
    """The symbols outside of a support are 0; functions of velocities go with these."""
    units: list[_Unit] = []
    functions = {x.of: tuple(y for y in moving if y.is_of_velocity and y.of == x.of) for x in moving}
    for symbol in [*moving, *sorted(support - set(moving))]:
        if symbol.is_of_velocity and coordinate(symbol.of, 1) in {*moving, *support}:
            continue
        own = functions.get(symbol.of, ()) if symbol.kind == "coordinate" and symbol.order == 1 else ()
        numbers = _NUMBERS if symbol in support else (Fraction(0),)
        units.append(_Unit((symbol, *own), tuple((x, *(_odd(f, x) for f in own)) for x in numbers)))
    return units


def _odd(function: Symbol, x: Fraction) -> Fraction:
    """The sign of a velocity; half of it for the curve of Stribeck friction, which lies between."""
    return Fraction((x > 0) - (x < 0), 1 if function.kind == "sign" else 2)


def _greedy(
    polynomial: Any, first: Sequence[_Unit], then: Sequence[_Unit], skip: int, ring: Ring
) -> tuple[int, dict[Symbol, Fraction]] | None:
    """(cost, point): every unit takes its first values that leave something; None if one has none."""
    cost, point = 0, dict[Symbol, Fraction]()
    for unit in (*first, *then):
        start = min(skip, len(unit.options) - 1)
        for k, values in enumerate(unit.options[start:], start):
            left = _put(polynomial, zip(unit.symbols, values, strict=True), ring)
            if left:
                polynomial, cost = left, cost + k
                point.update((s, x) for s, x in zip(unit.symbols, values, strict=True) if s.kind != "inverse")
                break
        else:
            return None
    return cost, point


def _put(polynomial: Any, values: Iterable[tuple[Symbol, Fraction]], ring: Ring) -> Any:
    """The polynomial with numbers in the place of symbols."""
    ring.check_time()
    index, degrees = ring.places, polynomial.degrees()
    present = {index[name]: fmpq(x.numerator, x.denominator) for name, x in values if degrees[index[name]] > 0}
    return polynomial.subs(present) if present else polynomial


def value(scalar: Exact, point: Mapping[Any, Fraction]) -> Fraction | float:
    """The value at a point; roots and fixed angles have the values that they have, the rest is 1."""
    ring = scalar.ring
    numbers: dict[Symbol, Fraction | float] = {}
    for symbol in scalar.symbols():
        number = fixed_value(symbol, ring)
        if number is not None:
            numbers[symbol] = number
        elif symbol.kind == "inverse":
            numbers[symbol] = 1 / value(ring.denominator(symbol), point)
        else:
            numbers[symbol] = point.get(symbol, Fraction(1))
    rational = [(symbol, x) for symbol, x in numbers.items() if isinstance(x, Fraction)]
    return Exact(_put(scalar.polynomial, rational, ring), ring).at(numbers)


def fixed_value(symbol: Symbol, ring: Ring) -> float | None:
    """The number that a symbol stands for: a root, pi, the sine of a fixed angle; None if it is free."""
    return float(ball(symbol, ring)) if symbol in ring.numbers else None
