"""The shortest way to write a trigonometric polynomial, by a bounded, deterministic search.

A polynomial in sines and cosines is kept as its Fourier series, sum of a cos(n.q) + b sin(n.q)
with integer vectors n. It is then written in other angles (q2 -> q12 = q1 + q2, which is an
integer change of the vectors n), and each angle in one of three ways: powers of its cosine,
powers of its sine, or cosines and sines of its multiples. Steepest descent over these choices
keeps what is shorter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product as choices
from math import comb, lcm

from dynamis.telling.forms.tree import Angle, Function, Trig

Vector = tuple[int, ...]
# Fourier series: n -> (factor of the cosine, factor of the sine); the first entry of n that is not 0 is > 0.
Series = dict[Vector, tuple[int, int]]
# Sines and cosines in the order in which they are written, each a `_code`.
Done = tuple[int, ...]
Products = dict[Done, int]
# The rest of n -> products so far -> (a, b): the products times a cos(rest) + b sin(rest).
States = dict[Vector, dict[Done, tuple[int, int]]]
Factors = tuple[tuple[Trig, int], ...]
Polynomial = dict[Factors, Fraction]
FUNCTIONS: tuple[tuple[Function, int], ...] = (("sin", 0), ("cos", 1))
MODES = "csm"
MAX_TERMS, MAX_DEGREE = 64, 60
# Work that a search may take; a polynomial of a long formula gets less, as it has many.
SEARCH_BUDGET, REDUCED_BUDGET = 8_000, 1_500
_ZERO_PAIR = (0, 0)


@dataclass(frozen=True)
class Basis:
    """Angles to write in, each a sum of the joints' angles, and how each is written (c, s or m)."""

    angles: tuple[Vector, ...]
    modes: str


def shortest(
    polynomial: Mapping[Vector, Fraction], names: tuple[str, ...], joints: int, budget: int = SEARCH_BUDGET
) -> Polynomial:
    """The shortest form found of a polynomial {(s1, c1, s2, c2, ...) exponents: factor}.

    `names` are the angles, the first `joints` of them the robot's joints in order.

    >>> c12 = {(0, 1, 0, 1): Fraction(1), (1, 0, 1, 0): Fraction(-1)}
    >>> [[trig.angle for trig, _ in factors] for factors in shortest(c12, ("q1", "q2"), 2)]
    [[(('q1', 1), ('q2', 1))]]
    """
    return dict(_shortest(tuple(sorted(polynomial.items())), names, joints, budget))


def as_it_is(polynomial: Mapping[Vector, Fraction], names: tuple[str, ...]) -> Polynomial:
    """The polynomial in its own sines and cosines."""
    cosines: Polynomial = {}
    for exponents, factor in polynomial.items():
        powers = [
            (Trig(function, ((name, 1),)), exponents[2 * k + shift])
            for k, name in enumerate(names)
            for function, shift in FUNCTIONS
            if exponents[2 * k + shift]
        ]
        cosines[tuple(powers)] = factor
    return cosines


def cost(polynomial: Mapping[Factors, Fraction]) -> int:
    """How much there is to read."""
    total = 0
    for factors, factor in polynomial.items():
        total += 1 + (abs(factor) != 1) + (factor.denominator != 1)
        for trig, power in factors:
            total += 2 + len(trig.angle) + sum(abs(k) != 1 for _, k in trig.angle) + (power > 1)
            total += any(k < 0 for _, k in trig.angle)
    return total


@lru_cache(maxsize=4096)
def _shortest(
    terms: tuple[tuple[Vector, Fraction], ...], names: tuple[str, ...], joints: int, budget: int
) -> tuple[tuple[Factors, Fraction], ...]:
    plain = as_it_is(dict(terms), names)
    places = [k for k in range(len(names)) if any(e[2 * k] or e[2 * k + 1] for e, _ in terms)]
    degree = max(sum(exponents) for exponents, _ in terms)
    if len(terms) > MAX_TERMS or not places or degree > MAX_DEGREE or (len(terms) == 1 and degree == 1):
        return tuple(plain.items())
    # From here on only the angles that occur: vectors are short.
    series, scale = _series(tuple((tuple(e[k] for u in places for k in (2 * u, 2 * u + 1)), f) for e, f in terms))
    letters, n = tuple(names[k] for k in places), len(places)
    best = Basis(tuple(tuple(int(i == k) for i in range(n)) for k in range(n)), "c" * n)
    best_cost, best_series, work, improved = cost(plain), series, 0, True
    shortest: Products | None = None
    while improved and work < budget:
        improved, start, start_series = False, best, best_series
        begun = list(_steps(start_series, start.modes))
        for basis, changed, same in _neighbours(start, start_series, places, joints):
            *_, end = _steps(changed, basis.modes, same, begun[same])
            products = {done: a for into in end.values() for done, (a, _) in into.items() if a}
            work += len(changed) + len(products)
            if (new_cost := _cost(products, basis, scale)) < best_cost:
                best, best_series, best_cost, shortest, improved = basis, changed, new_cost, products, True
            if work >= budget:
                break
    sums = _divide_by_scale(_as_sums(series, letters), scale)
    if cost(sums) < best_cost:
        return tuple(sums.items())
    return tuple((plain if shortest is None else _divide_by_scale(_polynomial(shortest, best, letters), scale)).items())


def _neighbours(basis: Basis, series: Series, places: list[int], joints: int) -> Iterator[tuple[Basis, Series, int]]:
    """One choice changed: how an angle is written, or an angle replaced by its sum with another.

    With each, the number of angles at the beginning that are written as before.
    """
    at = range(len(places))
    for k in at:
        for mode in MODES:
            if mode != basis.modes[k]:
                yield replace(basis, modes=basis.modes[:k] + mode + basis.modes[k + 1 :]), series, k
    for r, s in choices(at, at):
        for sign in (1, -1):
            angle = tuple(a + sign * b for a, b in zip(basis.angles[r], basis.angles[s], strict=True))
            if r != s and _readable(angle, places, joints):
                angles = (*basis.angles[:r], angle, *basis.angles[r + 1 :])
                yield replace(basis, angles=angles), _change_angle(series, r, s, sign), 0


def _readable(angle: Vector, places: list[int], joints: int) -> bool:
    """A sum of consecutive joints' angles with signs, and at most one named angle."""
    if any(abs(k) > 1 for k in angle) or next((k for k in angle if k), 0) < 0:
        return False
    at = [place for place, factor in zip(places, angle, strict=True) if factor and place < joints]
    parameters = sum(abs(factor) for place, factor in zip(places, angle, strict=True) if place >= joints)
    return parameters <= 1 and (not at or at[-1] - at[0] + 1 == len(at))


def _change_angle(series: Series, r: int, s: int, sign: int) -> Series:
    """The series in the new angle q_r' = q_r + sign q_s."""
    changed: Series = {}
    for n, pair in series.items():
        _add(changed, (*n[:s], n[s] - sign * n[r], *n[s + 1 :]), pair)
    return changed


def _negative(n: Vector) -> bool:
    """Whether the first entry that is not 0 is < 0."""
    for entry in n:
        if entry:
            return entry < 0
    return False


def _add(series: Series, n: Vector, pair: tuple[int, int]) -> None:
    a, b = pair if any(n) else (pair[0], 0)
    if _negative(n):
        n, b = tuple([-k for k in n]), -b
    a0, b0 = series.get(n, (0, 0))
    series[n] = (a0 + a, b0 + b)
    if not any(series[n]):
        del series[n]


def _series(terms: tuple[tuple[Vector, Fraction], ...]) -> tuple[Series, int]:
    """The Fourier series of a polynomial, and the number that it was multiplied with to be whole."""
    degree = max(sum(exponents) for exponents, _ in terms)
    scale = lcm(*(factor.denominator for _, factor in terms)) << degree
    total: Series = {}
    for exponents, factor in terms:
        start = int(factor * scale) >> sum(exponents)
        one: Series = {(0,) * (len(exponents) // 2): (start, 0)}
        for k, power in enumerate(exponents):
            for _ in range(power):
                one = _times(one, k // 2, sine=k % 2 == 0)
        for n, pair in one.items():
            _add(total, n, pair)
    return total, scale


def _times(series: Series, k: int, sine: bool) -> Series:
    """The series times 2 sin q_k or 2 cos q_k: products turned into sums."""
    product: Series = {}
    for n, (a, b) in series.items():
        up, down = ((*n[:k], n[k] + d, *n[k + 1 :]) for d in (1, -1))
        if sine:  # 2 cos x sin y = sin(x+y) - sin(x-y); 2 sin x sin y = cos(x-y) - cos(x+y)
            _add(product, up, (-b, a))
            _add(product, down, (b, -a))
        else:
            _add(product, up, (a, b))
            _add(product, down, (a, b))
    return product


def _steps(series: Series, modes: str, first: int = 0, states: States | None = None) -> Iterator[States]:
    """The series in products of sines and cosines, one angle after the other: what there is before each, and the end.

    cos(n x + y) = cos(n x) cos y - sin(n x) sin y and sin(n x + y) = cos(n x) sin y + sin(n x) cos y.
    """
    now: States = {n: {(): pair} for n, pair in series.items()} if states is None or not first else states
    for k in range(first, len(modes)):
        yield now
        following: States = {}
        for n, products in now.items():
            rest = n[1:]
            flipped = _negative(rest)
            into = following.setdefault(tuple([-entry for entry in rest]) if flipped else rest, {})
            get = into.get
            if not n[0]:
                for done, (a, b) in products.items():
                    x, y = get(done, _ZERO_PAIR)
                    into[done] = x + a, y - b if flipped else y + b
                continue
            cosines, sines = _multiples(k, n[0], modes[k])
            for done, (a, b) in products.items():
                # cos(-y) = cos y, sin(-y) = -sin y
                c, d = (-b, a) if flipped else (b, -a)
                for new, cosine in cosines:
                    x, y = get(key := done + new, _ZERO_PAIR)
                    into[key] = x + a * cosine, y + c * cosine
                for new, sine in sines:
                    x, y = get(key := done + new, _ZERO_PAIR)
                    into[key] = x + b * sine, y + d * sine
        now = {n: {done: pair for done, pair in into.items() if pair != _ZERO_PAIR} for n, into in following.items()}
    yield now


def _cost(products: Products, basis: Basis, scale: int) -> int:
    """What `cost` says of the polynomial, without making it."""
    lengths = [len(angle) - angle.count(0) for angle in basis.angles]
    signs = [any(k < 0 for k in angle) for angle in basis.angles]
    total = 0
    for done, number in products.items():
        total += 1 + (number != scale and number != -scale) + (number % scale != 0)
        for code in done:
            k, multiple, power = code >> 13, code >> 6 & 63, code & 63
            total += 2 + lengths[k] + (lengths[k] if multiple != 1 else 0) + (power > 1) + signs[k]
    return total


def _polynomial(products: Products, basis: Basis, names: tuple[str, ...]) -> Polynomial:
    """The products with the names of the angles."""
    angles = [tuple((name, k) for name, k in zip(names, angle, strict=True) if k) for angle in basis.angles]
    polynomial: Polynomial = {}
    for done, number in products.items():
        elements = [(code >> 13, bool(code >> 12 & 1), code >> 6 & 63, code & 63) for code in done]
        polynomial[tuple((_trig(angles[k], sine, multiple), power) for k, sine, multiple, power in elements)] = (
            Fraction(number)
        )
    return polynomial


def _divide_by_scale(polynomial: Polynomial, scale: int) -> Polynomial:
    return {factors: factor / scale for factors, factor in polynomial.items()}


def _trig(angle: Angle, sine: bool, multiple: int) -> Trig:
    return Trig("sin" if sine else "cos", tuple((name, k * multiple) for name, k in angle))


def _code(k: int, sine: bool, multiple: int, power: int) -> int:
    """A factor as one number, which is faster to compare than four."""
    return k << 13 | sine << 12 | multiple << 6 | power


@lru_cache(maxsize=4096)
def _multiples(k: int, times: int, mode: str) -> tuple[list[tuple[Done, int]], list[tuple[Done, int]]]:
    """cos(n x) and sin(n x) of angle k, each as [(factors, number)]."""
    return _multiple(k, False, times, mode), _multiple(k, True, times, mode)


def _multiple(k: int, sine: bool, times: int, mode: str) -> list[tuple[Done, int]]:
    """sin or cos of a multiple of angle k, as [(its factors, number)]."""
    sign = -1 if sine and times < 0 else 1
    n = abs(times)
    if mode == "m":
        return [((_code(k, sine, n, 1),), sign)]
    # (cos + i sin)^n, then the squares of one of the two are removed.
    powers: dict[tuple[int, int], int] = {}
    for j in range(sine, n + 1, 2):
        _add_reduced_powers(powers, j, n - j, sign * comb(n, j) * (-1) ** (j // 2), keep_sine=mode == "s")
    products: list[tuple[Done, int]] = []
    for (s, c), number in powers.items():
        if number:
            elements = [_code(k, True, 1, s)] * (s > 0) + [_code(k, False, 1, c)] * (c > 0)
            products.append((tuple(elements), number))
    return products


def _add_reduced_powers(powers: dict[tuple[int, int], int], s: int, c: int, number: int, keep_sine: bool) -> None:
    """Adds s^a c^b with the squares of the cosine (or of the sine) replaced."""
    removed = c // 2 if keep_sine else s // 2
    for k in range(removed + 1):
        key = (s + 2 * k, c - 2 * removed) if keep_sine else (s - 2 * removed, c + 2 * k)
        powers[key] = powers.get(key, 0) + number * comb(removed, k) * (-1) ** k


def _as_sums(series: Series, names: tuple[str, ...]) -> Polynomial:
    """The Fourier series itself."""
    polynomial: Polynomial = {}
    for n, (a, b) in series.items():
        angle = tuple((name, k) for name, k in zip(names, n, strict=True) if k)
        if not angle:
            polynomial[()] = Fraction(a)
            continue
        if a:
            polynomial[((Trig("cos", angle), 1),)] = Fraction(a)
        if b:
            polynomial[((Trig("sin", angle), 1),)] = Fraction(b)
    return polynomial
