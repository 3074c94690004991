"""A smallest point where two scalars differ: as many zeros and ones as possible, else small whole numbers.

Velocities, accelerations and sliding coordinates want to be 0, parameters 1, angles 0 (then a right angle, then
3-4-5 triangles). A monomial of the difference with the fewest of the first says which of them cannot be 0. Then
letter by letter takes the first value that does not make what is left of the difference zero: a polynomial that is
not zero has such values. The choices with the smallest numbers win; the order of letters decides among equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import fmpq

from dynamis.scalars.exact.numbers import ball
from dynamis.scalars.exact.ring import Exact, Exponents, Ring

Values = tuple[Fraction, ...]
TRIES = 20
SUPPORTS = 8
# More letters with one value than these are not named one by one.
MOST_NAMED = 8
_NUMBERS = tuple(Fraction(k) for k in (1, 2, 3, -1, -2, 4, 5, -3, 7, 11, 13))
_AXES = {(0, 1): "0", (1, 0): "pi/2", (0, -1): "pi", (-1, 0): "-pi/2"}
# (sine, cosine), the simplest first.
_ANGLES: tuple[Values, ...] = tuple(
    (Fraction(s, r), Fraction(c, r))
    for s, c, r in (
        (0, 1, 1), (1, 0, 1), (0, -1, 1), (-1, 0, 1), (4, 3, 5), (3, 4, 5), (-4, 3, 5), (4, -3, 5), (12, 5, 13),
        (5, 12, 13), (15, 8, 17), (8, 15, 17), (24, 7, 25), (7, 24, 25), (20, 21, 29), (21, 20, 29),
    )
)  # fmt: skip


@dataclass(frozen=True)
class Counterexample:
    """Where two sides differ: which entry, at which values of the letters, and both sides there."""

    entry: str
    point: dict[str, Fraction]
    left: Fraction | float
    right: Fraction | float

    def __str__(self) -> str:
        return f"{self.entry} is {self.left} by the one side and {self.right} by the other at {self.where}"

    @property
    def where(self) -> str:
        """The point in words: what is not 1 by name, the rest together."""
        groups: dict[str, list[str]] = {}
        for name, x in self.point.items():
            if name[:4] == "sin(" and f"cos({name[4:-1]})" in self.point:
                cosine = self.point[f"cos({name[4:-1]})"]
                groups.setdefault(_angle(x, cosine) or f"arctan2({x}, {cosine})", []).append(name[4:-1])
            elif name[:4] != "cos(" or f"sin({name[4:-1]})" not in self.point:
                groups.setdefault(str(x), []).append(name)
        moving = [name for name in groups.get("1", []) if name.startswith(("d(", "dd(", "sign("))]
        if len(groups.get("1", [])) > MOST_NAMED:
            groups["1"] = moving
        words = [f"{' = '.join(names)} = {x}" for x, names in groups.items() if names and len(names) <= MOST_NAMED]
        words += ["the other angles, velocities and accelerations 0"] if len(groups.get("0", [])) > MOST_NAMED else []
        words += ["all other letters 1"] if groups.get("1") is moving else []
        return ", ".join(words) or "every point"


def _angle(sine: Fraction, cosine: Fraction) -> str | None:
    """0, pi/2, pi or -pi/2."""
    return _AXES.get((int(sine), int(cosine))) if sine.denominator == cosine.denominator == 1 else None


@dataclass(frozen=True)
class _Unit:
    """Letters that get their values together, the simplest values first."""

    letters: tuple[str, ...]
    options: tuple[Values, ...]


def counterexample(entry: str, left: Exact, right: Exact) -> Counterexample:
    """A smallest point where two different scalars differ."""
    ring, difference = left.ring, (left - right).polynomial
    monomials: list[Exponents] = difference.monoms()
    used = left.letters() | right.letters()
    wanting_zero = [name for name in ring.letters.names if name in used and _wants_zero(name, ring)]
    units = _units(ring, used, set(wanting_zero))
    for attempt in range(TRIES):
        found: list[tuple[int, dict[str, Fraction]]] = []
        for support in _supports(monomials, wanting_zero, ring):
            kept = _put(difference, [(name, Fraction(0)) for name in wanting_zero if name not in support], ring)
            for order in (units, units[::-1]):
                chosen = _greedy(kept, _of_support(support, wanting_zero), order, attempt, ring)
                if chosen is not None:
                    found.append(chosen)
        for _, point in sorted(found, key=lambda choice: choice[0]):
            try:
                a, b = value(left, point), value(right, point)
            except ZeroDivisionError:
                continue
            if abs(a - b) > 1e-9 * (abs(a) + abs(b)):
                return Counterexample(entry, point, a, b)
    raise AssertionError("two different polynomials differ somewhere")


def _wants_zero(name: str, ring: Ring) -> bool:
    """A velocity, an acceleration, the sign of one, or a coordinate that slides."""
    return name.startswith(("d(", "dd(", "sign(")) or f"d({name})" in ring.letters.names


def _units(ring: Ring, used: frozenset[str], taken: set[str]) -> list[_Unit]:
    """The angles, then the parameters, each with its inverse."""
    found: list[_Unit] = []
    for pair in ring.letters.trig:
        if used & set(pair) and fixed_value(pair[0], ring) is None:
            found.append(_Unit(pair, _ANGLES))
        taken |= set(pair)
    needed = set(used)
    for name, below in ring.sums.items():
        needed |= below.letters() if name in used else set()
    for name in ring.letters.names:
        inverse = f"1/{name}"
        free = name not in taken and not name.startswith("1/") and fixed_value(name, ring) is None
        if free and {name, inverse} & needed:
            both = (name, inverse) if name in ring.letters.inverses else (name,)
            found.append(_Unit(both, tuple((x, 1 / x)[: len(both)] for x in _NUMBERS)))
    return found


def _supports(monomials: Sequence[Exponents], wanting_zero: Sequence[str], ring: Ring) -> list[frozenset[str]]:
    """The smallest sets of letters that must not all be 0: those of the monomials with the fewest of them."""
    names = ring.letters.names
    places = [(names.index(name), name) for name in wanting_zero]
    sets = {frozenset(name for k, name in places if exponents[k]) for exponents in monomials}
    closed = {frozenset({*some, *(f"d({name[5:-1]})" for name in some if name.startswith("sign("))}) for some in sets}
    least = min(map(len, closed))
    return sorted((some for some in closed if len(some) == least), key=sorted)[:SUPPORTS]


def _of_support(support: frozenset[str], wanting_zero: Sequence[str]) -> list[_Unit]:
    """The letters outside of a support are 0; a sign goes with its velocity."""
    found: list[_Unit] = []
    joined = {name for name in wanting_zero if name.startswith("sign(")}
    for name in [*wanting_zero, *sorted(support - set(wanting_zero))]:
        sign = f"sign({name[2:-1]})"
        letters = (name, sign) if name.startswith("d(") and sign in joined else (name,)
        if name in joined and f"d({name[5:-1]})" in {*wanting_zero, *support}:
            continue
        numbers = _NUMBERS if name in support else (Fraction(0),)
        options = tuple((x, Fraction((x > 0) - (x < 0)))[: len(letters)] for x in numbers)
        found.append(_Unit(letters, options))
    return found


def _greedy(
    polynomial: Any, first: Sequence[_Unit], then: Sequence[_Unit], skip: int, ring: Ring
) -> tuple[int, dict[str, Fraction]] | None:
    """(cost, point): every unit takes its first values that leave something; None if one has none."""
    cost, point = 0, dict[str, Fraction]()
    for unit in (*first, *then):
        start = min(skip, len(unit.options) - 1)
        for k, values in enumerate(unit.options[start:], start):
            left = _put(polynomial, zip(unit.letters, values, strict=True), ring)
            if left:
                polynomial, cost = left, cost + k
                point.update((n, x) for n, x in zip(unit.letters, values, strict=True) if not n.startswith("1/"))
                break
        else:
            return None
    return cost, point


def _put(polynomial: Any, values: Iterable[tuple[str, Fraction]], ring: Ring) -> Any:
    """The polynomial with numbers in the place of letters."""
    ring.look_at_the_clock()
    index, degrees = ring.places, polynomial.degrees()
    present = {index[name]: fmpq(x.numerator, x.denominator) for name, x in values if degrees[index[name]] > 0}
    return polynomial.subs(present) if present else polynomial


def value(scalar: Exact, point: Mapping[str, Fraction]) -> Fraction | float:
    """The value at a point; roots and fixed angles have the values that they have, the rest is 1."""
    ring = scalar.ring
    total: Fraction | float = Fraction(0)
    numbers: dict[str, Fraction | float] = {}
    for name in scalar.letters():
        known = fixed_value(name, ring)
        if known is not None:
            numbers[name] = known
        elif name in ring.sums:
            numbers[name] = 1 / value(ring.sums[name], point)
        else:
            inverse = name.removeprefix("1/")
            number = point.get(inverse, Fraction(1))
            numbers[name] = 1 / number if inverse != name else number
    rational = [(name, x) for name, x in numbers.items() if isinstance(x, Fraction)]
    for exponents, coefficient in Exact(_put(scalar.polynomial, rational, ring), ring).terms().items():
        term: Fraction | float = coefficient
        for name, exponent in zip(ring.letters.names, exponents, strict=True):
            if exponent:
                term = term * numbers[name] ** exponent
        total = total + term
    return total


def fixed_value(letter: str, ring: Ring) -> float | None:
    """The number that a letter stands for: a root, pi, the sine of a fixed angle; None if it is free."""
    return float(ball(letter, ring)) if letter in ring.numbers else None
