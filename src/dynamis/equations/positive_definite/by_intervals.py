"""Is a function of one joint coordinate positive everywhere? By intervals, with rigorous bounds (balls of FLINT).

On an interval of middle m and half width r the mean value theorem gives

    f(x)  in  f(m) + f'([m - r, m + r]) [-r, r]

Where that is > 0 nothing is left to show; where f(m) < 0 there is a counterexample; else the interval is halved. An
angle has [-pi, pi] to cover. A prismatic coordinate has a polynomial: [-1, 1], and with u = 1/x the polynomial
u^d f(1/u), d even, on [-1, 1], which is > 0 at u = 0 if and only if the leading coefficient is. What is left at a width
of 2^-50 is zero or too small to tell, and is given back as such. (R. E. Moore, Interval Analysis, 1966.)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, pi
from typing import Any, Literal

from flint import arb, ctx

from dynamis.equations.closed_form.closed_form import ClosedForm
from dynamis.scalars.exact.numbers import by_monomial, value, without_zeros
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import coordinate, joint_angle

BITS = 256
NARROW = 2.0**-50
MOST_INTERVALS = 20_000
# Places closer than this are one.
NEAR = 1e-12
Powers = Mapping[tuple[int, int], Any]


@dataclass(frozen=True)
class Everywhere:
    """Whether f > 0 for all x; `places`: an x with f(x) <= 0, or all x near which that was not decided."""

    verdict: Literal["positive", "not positive", "not decided"]
    places: tuple[float, ...] = ()


def is_positive_everywhere(scalar: Exact, model: ClosedForm, joint: int) -> Everywhere | None:
    """Whether a scalar is > 0 for all values of a joint's coordinate (from 0).

    None if it has other symbols that are not numbers, or the bounded work did not suffice.

    >>> from dynamis import load
    >>> model = load("bar-2r").equations(numeric=True)
    >>> is_positive_everywhere(model.M[1, 1], model, 1)
    Everywhere(verdict='positive', places=())
    """
    name, turns = model.robot.joints[joint].name, model.robot.joints[joint].revolute
    own = joint_angle(name) if turns else (coordinate(name),)
    if not scalar.symbols() <= {*own, *model.ring.numbers}:
        return None
    at = [model.ring.places[symbol] for symbol in own]
    numbers = {tuple(key[k] for k in at): value(x) for key, x in by_monomial(without_zeros(scalar)).items()}
    if not numbers:
        return Everywhere("not positive", (0.0,))
    with ctx.workprec(BITS):
        if turns:
            angle: Powers = {(key[0], key[1]): x for key, x in numbers.items()}
            # 3.25 > pi, and its halves have few digits.
            return _scanned(lambda x: _angle(angle, x), 3.25, lambda x: (x + pi) % (2 * pi) - pi, model)
        degree = max(key[0] for key in numbers)
        even = degree + degree % 2
        near = {key[0]: x for key, x in numbers.items()}
        far = {even - power: x for power, x in near.items()}
        inside = _scanned(lambda x: _slide(near, x), 1.0, lambda x: x, model)
        outside = _scanned(lambda x: _slide(far, x), 1.0, lambda u: 1 / u if u else inf, model)
        found = _worse(inside, outside)
        if found is not None and found.verdict == "not positive" and inf in found.places:
            return Everywhere("not positive", (_far_out(near),))
    return found


def _far_out(powers: Mapping[int, Any]) -> float:
    """An x with f(x) < 0, where the leading coefficient is < 0."""
    x = 2.0
    while not _slide(powers, arb(x))[0] < 0:
        x *= 2
    return x


def _worse(one: Everywhere | None, two: Everywhere | None) -> Everywhere | None:
    """A place where f < 0 is enough; else both must be known."""
    for known in (one, two):
        if known is not None and known.verdict == "not positive":
            return known
    if one is None or two is None:
        return None
    places = (*one.places, *two.places)
    return Everywhere("not decided", places) if places else Everywhere("positive")


def _scanned(
    f: Callable[[Any], tuple[Any, Any]], half: float, shown: Callable[[float], float], model: ClosedForm
) -> Everywhere | None:
    """f > 0 on [-half, half]? f gives bounds of itself and its derivative; `shown` is the coordinate of an x."""
    pending, left, count = [(0.0, half)], list[float](), 0
    while pending:
        middle, r = pending.pop()
        count += 1
        if count > MOST_INTERVALS:
            return None
        model.ring.check_time()
        at, _ = f(arb(middle))
        if at < 0:
            return Everywhere("not positive", (shown(middle),))
        _, slope = f(arb(middle, r))
        if at + slope * arb(0, r) > 0:
            continue
        if r < NARROW:
            left.append(shown(middle))
        else:
            pending += [(middle - r / 2, r / 2), (middle + r / 2, r / 2)]
    places: list[float] = []
    for x in sorted(left):
        if not places or x - places[-1] > NEAR:
            places.append(x)
    return Everywhere("not decided", tuple(places)) if places else Everywhere("positive")


def _angle(powers: Powers, x: Any) -> tuple[Any, Any]:
    """f = sum of a s^i c^j and f' = sum of a (i s^(i-1) c^(j+1) - j s^(i+1) c^(j-1))."""
    s, c = x.sin(), x.cos()
    total: Any = arb(0)
    slope: Any = arb(0)
    for (i, j), a in powers.items():
        total += a * s**i * c**j
        if i:
            slope += a * i * s ** (i - 1) * c ** (j + 1)
        if j:
            slope -= a * j * s ** (i + 1) * c ** (j - 1)
    return total, slope


def _slide(powers: Mapping[int, Any], x: Any) -> tuple[Any, Any]:
    """f = sum of a x^i and f' = sum of a i x^(i-1)."""
    total: Any = arb(0)
    slope: Any = arb(0)
    for i, a in powers.items():
        total += a * x**i
        if i:
            slope += a * i * x ** (i - 1)
    return total, slope
