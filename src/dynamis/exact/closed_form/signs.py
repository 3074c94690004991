"""Which symbols are positive, and what sign a polynomial has because of it.

Masses, lengths, principal inertias, radii of gyration, gravity, rotor inertias and friction are positive; CoM
coordinates, products of inertia and named angles may have any sign. These are assumptions, so answers list those that
they used. Roots, pi, sines and cosines of angles in numbers have the signs that they have (`numbers`).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from dynamis.base.expressions.expression import Expression, Parameter
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.model.joint_forces import FORCE_KEYS, SIGNED
from dynamis.model.map_expressions import expressions_in
from dynamis.model.placement import Step
from dynamis.scalars.exact.numbers import by_monomial, sign
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import Symbol
from dynamis.scalars.scalars import evaluate


class Sign(Enum):
    """What is known of a value."""

    POSITIVE = "> 0"
    NEGATIVE = "< 0"
    AT_LEAST_ZERO = ">= 0"
    AT_MOST_ZERO = "<= 0"
    ZERO = "= 0"
    ANY = "any sign"


def positive_symbols(model: ClosedForm) -> frozenset[Symbol]:
    """The symbols of a model's ring that are taken to be > 0."""
    ring, names = model.ring, {e.name for e in _positive(model) if isinstance(e, Parameter)}
    positive = {s for s in ring.symbols if s.kind in ("root", "pi") or (s.kind == "parameter" and s.of in names)}
    positive = frozenset(positive)
    return positive | {s for s in ring.inverses if sign_of(ring.denominator(s), positive) == Sign.POSITIVE}


def sign_of(scalar: Exact, positive: frozenset[Symbol]) -> Sign:
    """The sign for all values of the symbols, read off the terms; ANY where they do not show it.

    >>> from dynamis.scalars.exact.ring import Ring
    >>> from dynamis.scalars.exact.symbols import parameter
    >>> ring = Ring((parameter("m"), parameter("d")))
    >>> m, d = map(ring.scalar, ring.symbols)
    >>> [sign_of(x, m.symbols()).value for x in (m + m * d * d, -(d * d), m + d)]
    ['> 0', '<= 0', 'any sign']
    """
    names, signs, strict = scalar.ring.symbols, set[bool](), False
    for exponents, number in by_monomial(scalar).items():
        coefficient = sign(number)
        if coefficient == 0:
            continue
        free = [e for name, e in zip(names, exponents, strict=True) if e and name not in positive]
        if coefficient is None or any(e % 2 for e in free):
            return Sign.ANY
        signs.add(coefficient > 0)
        strict = strict or not free
    if len(signs) != 1:
        return Sign.ANY if signs else Sign.ZERO
    if signs == {True}:
        return Sign.POSITIVE if strict else Sign.AT_LEAST_ZERO
    return Sign.NEGATIVE if strict else Sign.AT_MOST_ZERO


def assumption(symbols: frozenset[Symbol]) -> str:
    """`l1, m2 > 0`: the symbols that a result took to be positive, in a text."""
    names = sorted(symbol for symbol in symbols if symbol.kind == "parameter")
    return f"{', '.join(names)} > 0" if names else ""


def _positive(model: ClosedForm) -> Iterator[Expression]:
    """The expressions that are positive if they are single symbols."""
    for entry in model.robot.gravity:
        yield from _parameters(entry)
    for link in model.robot.links:
        joint = link.joint
        yield from (link.mass, *(getattr(joint, key) for key in FORCE_KEYS if key not in SIGNED), joint.rotor_inertia)
        for moment in (link.inertia.matrix[k][k] for k in range(3)):
            if len(evaluate(moment, model.scalars)) == 1:
                yield from _parameters(moment)
    for site in expressions_in(model.robot):
        if isinstance(site.owner, Step) and site.owner.kind == "T":
            yield from _parameters(site.expression)


def _parameters(expression: Expression) -> Iterator[Expression]:
    yield from (Parameter(name) for name in expression.parameters())
