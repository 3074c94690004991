"""M > 0 for two joints in numbers, where det M depends on the second coordinate alone: on one polynomial.

With t = tan(q2/2), sin q2 = 2t/(1 + t^2) and cos q2 = (1 - t^2)/(1 + t^2): a function of the angle times (1 + t^2)^d is
a polynomial p(t); a function of a prismatic coordinate is one already.

Rational coefficients: its real zeros are isolated rigorously, q2 = pi is checked separately. If there is none, M > 0 at
one q is M > 0 at all of them.

Other numbers: by intervals with rigorous bounds (balls of FLINT). On an interval of middle m and half width r the mean
value theorem gives

    p(t)  in  p(m) + p'([m - r, m + r]) [-r, r]

Where that is > 0 nothing is left to show; where p(m) < 0 there is a counterexample; else the interval is halved. The
intervals cover [-1, 1], and with u = 1/t the polynomial u^d p(1/u), d even, on [-1, 1]. What is left at a width of
2^-50 is zero or too small to tell, and is given back as such. (R. E. Moore, Interval Analysis, 1966.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import atan, inf, pi, prod
from typing import Any, Literal

from flint import arb, arb_poly, ctx, fmpq, fmpq_poly

from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.positive_definite.by_minors import determinant
from dynamis.exact.positive_definite.counterexamples import is_positive_at, place
from dynamis.exact.positive_definite.verdict import PositiveDefinite
from dynamis.scalars.exact.numbers import by_monomial, value, without_zeros
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import Symbol, coordinate, joint_angle

PRECISION_BITS = 256
MIN_INTERVAL_RADIUS = 2.0**-50
MOST_INTERVALS = 20_000
# Places closer than this are one.
SAME_PLACE_DISTANCE = 1e-12


@dataclass(frozen=True)
class Everywhere:
    """Whether f > 0 for all x; `places`: an x with f(x) <= 0, or all x near which that was not decided."""

    verdict: Literal["positive", "not positive", "not decided"]
    places: tuple[float, ...] = ()


def by_one_coordinate(model: ClosedForm) -> PositiveDefinite | None:
    """The verdict for two joints; None if M has symbols beside those of q and of numbers, or the work is too much."""
    numeric = model.ring.motion | model.ring.numbers
    if model.n != 2 or any(not entry.symbols() <= numeric for row in model.M.rows() for entry in row):
        return None
    zeros = real_zeros(model)
    if zeros is not None:
        if zeros:
            return PositiveDefinite(False, "counterexample", "", singular=place(model, zeros))
        return PositiveDefinite(True, "real zeros", "", determinant(model))
    near: list[float] = []
    for scalar in (model.M[1, 1], determinant(model)):
        everywhere = is_positive_everywhere(scalar, model, 1)
        if everywhere is None:
            return None
        if everywhere.verdict == "not positive":
            return PositiveDefinite(False, "counterexample", "", singular=place(model, everywhere.places))
        near += everywhere.places
    if near:
        return PositiveDefinite(None, "not decided", "", determinant(model), singular=place(model, near))
    return PositiveDefinite(True, "intervals", "", determinant(model))


def real_zeros(model: ClosedForm) -> list[float] | None:
    """A q2 where M of two joints is not positive definite, if there is one; None if det M is not rational in it."""
    joint, det = model.robot.joints[-1], determinant(model)
    symbols = _symbols(model, 1)
    if not det.symbols() <= {*symbols}:
        return None
    start = dict.fromkeys(model.ring.motion, Fraction(0))
    # The cosine of an angle is the last of its symbols; a prismatic coordinate stands at 0.
    for q, last in ((0.0, 1), (pi, -1)) if joint.revolute else ((0.0, 0),):
        if not is_positive_at(model, start | {symbols[-1]: Fraction(last)}):
            return [q]
    zeros: Any = fmpq_poly(_polynomial(det, symbols, _rational, fmpq_poly)).numer().complex_roots()
    real = [float(zero.real) for zero, _ in zeros if zero.imag == 0]
    return [2 * atan(t) if joint.revolute else t for t in real[:1]]


def is_positive_everywhere(scalar: Exact, model: ClosedForm, joint: int) -> Everywhere | None:
    """Whether a scalar is > 0 for all values of a joint's coordinate (from 0), by intervals.

    None if it has other symbols that are not numbers, or the bounded work did not suffice.

    >>> from dynamis import load
    >>> model = load("bar-2r").equations(numeric=True)
    >>> is_positive_everywhere(model.M[1, 1], model, 1)
    Everywhere(verdict='positive', places=())
    """
    symbols, revolute = _symbols(model, joint), model.robot.joints[joint].revolute
    if not scalar.symbols() <= {*symbols, *model.ring.numbers}:
        return None
    scalar = without_zeros(scalar)
    if not scalar:
        return Everywhere("not positive", (0.0,))
    left: list[float] = []
    with ctx.workprec(PRECISION_BITS):
        coefficients = _polynomial(scalar, symbols, value, arb_poly)
        for step in (1, -1):
            scanned = _scan_interval(arb_poly(coefficients[::step]), model)
            if scanned is None:
                return None
            places = [x**step if x or step > 0 else inf for x in scanned.places]
            if scanned.verdict == "not positive":
                far = places == [inf] and not revolute
                (t,) = [_far_out(arb_poly(coefficients))] if far else places
                return Everywhere("not positive", (2 * atan(t) if revolute else t,))
            left += [2 * atan(t) if revolute else t for t in places]
    return Everywhere("not decided", tuple(left)) if left else Everywhere("positive")


def _symbols(model: ClosedForm, joint: int) -> tuple[Symbol, ...]:
    """Sine and cosine of a joint's angle, or its prismatic coordinate."""
    name = model.robot.joints[joint].name
    return joint_angle(name) if model.robot.joints[joint].revolute else (coordinate(name),)


def _rational(number: Exact) -> Any:
    (x,) = number.terms().values()
    return fmpq(x.numerator, x.denominator)


def _polynomial(scalar: Exact, symbols: tuple[Symbol, ...], number: Callable[[Exact], Any], of: Any) -> list[Any]:
    """The coefficients of p, with an even degree; `of` makes polynomials of what `number` gives."""
    places = [scalar.ring.places[symbol] for symbol in symbols]
    terms = {tuple(key[k] for k in places): number(x) for key, x in by_monomial(scalar).items()}
    angle = len(symbols) == 2
    above, below = ((of([0, 2]), of([1, 0, -1])), of([1, 0, 1])) if angle else ((of([0, 1]),), of([1]))
    degree, total = max(map(sum, terms)), of([0])
    for powers, x in terms.items():
        product = prod((p**e for p, e in zip(above, powers, strict=True)), start=of([x]))
        total = total + product * below ** (degree - sum(powers))
    even = 2 * degree if angle else degree + degree % 2
    return [*total.coeffs(), *[0] * (even + 1 - len(total.coeffs()))]


def _far_out(p: Any) -> float:
    """An x with p(x) < 0, where the leading coefficient is < 0."""
    x = 2.0
    while not p(arb(x)) < 0:
        x *= 2
    return x


def _scan_interval(p: Any, model: ClosedForm) -> Everywhere | None:
    """p > 0 on [-1, 1]? None if that takes more than MOST_INTERVALS."""
    slope, pending, left, count = p.derivative(), [(0.0, 1.0)], list[float](), 0
    while pending:
        middle, r = pending.pop()
        count += 1
        if count > MOST_INTERVALS:
            return None
        model.ring.check_time()
        at = p(arb(middle))
        if at < 0:
            return Everywhere("not positive", (middle,))
        if at + slope(arb(middle, r)) * arb(0, r) > 0:
            continue
        if r < MIN_INTERVAL_RADIUS:
            left.append(middle)
        else:
            pending += [(middle - r / 2, r / 2), (middle + r / 2, r / 2)]
    places: list[float] = []
    for x in sorted(left):
        if not places or x - places[-1] > SAME_PLACE_DISTANCE:
            places.append(x)
    return Everywhere("not decided", tuple(places)) if places else Everywhere("positive")
