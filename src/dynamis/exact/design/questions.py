"""Design questions, answered exactly: for which parameters do coefficients of a model vanish?

When is M constant? When is gravity balanced? Each asks that some polynomials in the parameters are
all zero. They are factored over the rationals; a factor that has one sign for all positive masses,
lengths, inertias and gravity is never zero; each of the others is a case, solved for a symbol where
it is linear in it and put into the rest. Roots, pi, sines and cosines of angles in numbers are no unknowns but have
their values (`numbers`). A case whose conditions contradict each other or the positive symbols is dropped; one that
could not be decided says so (`contradiction`, `witness`). The answer lists the symbols taken as positive.
(Q1 and Q2 of A. De Luca, Robotics 2, dynamic model of a 2R arm.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import prod

from dynamis.base.errors import ArgumentError, UnknownNameError
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.closed_form.coefficients import DynamicCoefficients, by_motion, dynamic_coefficients
from dynamis.exact.closed_form.signs import Sign, assumption, positive_symbols, sign_of
from dynamis.exact.design.answers import Answer, Case, DesignCondition, Values
from dynamis.exact.design.contradiction import contradictory
from dynamis.exact.design.meaning import meaning
from dynamis.exact.design.witness import witness
from dynamis.scalars.exact.linear_algebra import independent
from dynamis.scalars.exact.numbers import by_monomial, sign, without_zeros
from dynamis.scalars.exact.processes import divide_polynomials, factor_polynomial
from dynamis.scalars.exact.ratio import Ratio, substitute_ratio
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import Symbol
from dynamis.telling.blocks import Equation

MAX_CASES = 2000
# Signs of numerator and denominator of a quotient that is never > 0.
_NEVER_POSITIVE = (
    {Sign.POSITIVE, Sign.NEGATIVE},
    {Sign.POSITIVE, Sign.AT_MOST_ZERO},
    {Sign.NEGATIVE, Sign.AT_LEAST_ZERO},
)


def constant_mass_matrix(model: ClosedForm) -> Answer:
    """For which parameters M does not depend on q; then c = 0 too, for c is made of derivatives of M.

    >>> from dynamis import load
    >>> print(constant_mass_matrix(load("deluca-2r").equations()))
    M is constant if and only if d2 = 0 (with l1, m2 > 0).
    """
    entries = [model.M[i, j] for i in range(model.n) for j in range(i, model.n)]
    return _answer("M is constant", [p for e in entries for moves, p in _coefficients(e) if moves], model)


def balanced_gravity(model: ClosedForm) -> Answer:
    """For which parameters g(q) = 0 for all q: the arm stays where it is put.

    >>> from dynamis import load
    >>> print(balanced_gravity(load("deluca-2r").equations()))
    g(q) = 0 for all q if and only if d2 = 0 and d1 = -l1*m2/m1 (with g0, l1, m1, m2 > 0).
    """
    polynomials = [p for entry in model.gravity for _, p in _coefficients(entry)]
    return _answer("g(q) = 0 for all q", polynomials, model)


def coefficient_is_zero(coefficients: DynamicCoefficients, name: str) -> Answer:
    """For which parameters a dynamic coefficient is zero.

    >>> from dynamis import load
    >>> coefficients = dynamic_coefficients(load("deluca-2r").equations())
    >>> print(coefficient_is_zero(coefficients, "a4"))
    a4 = 0 if and only if d1 = -l1*m2/m1 (with g0, l1, m1, m2 > 0).
    """
    if name not in coefficients.names:
        raise UnknownNameError("dynamic coefficient", name, coefficients.names)
    return _answer(f"{name} = 0", [coefficients.coefficients[coefficients.names.index(name)]], coefficients.model)


def vanishing(polynomials: Sequence[Exact], positive: frozenset[Symbol]) -> list[tuple[DesignCondition, ...]]:
    """All ways in which polynomials in parameters are zero together, the symbols in `positive` > 0."""
    steps = [0]
    solved = (
        again for case in _cases(list(polynomials), positive, steps) for again in _solved_on(case, positive, steps)
    )
    cases = (_simplify_case(case, positive) for case in solved)
    distinct = {frozenset(map(str, case)): case for case in cases if case is not None}
    least = [case for texts, case in distinct.items() if not any(other < texts for other in distinct)]
    return [case for case in least if not _impossible(case, positive)]


def _impossible(case: tuple[DesignCondition, ...], positive: frozenset[Symbol]) -> bool:
    """Whether a positive symbol would have a value that is never positive, or what is unsolved contradicts itself."""
    for condition in case:
        if condition.symbol in positive and condition.value is not None:
            sides = {sign_of(side, positive) for side in (condition.value.numerator, condition.value.denominator)}
            if Sign.ZERO in sides or sides in _NEVER_POSITIVE:
                return True
    solved = [condition for condition in case if condition.symbol is not None]
    return contradictory([_put(c.factor, solved) for c in case if c.symbol is None], positive)


def _coefficients(scalar: Exact) -> Iterator[tuple[bool, Exact]]:
    """(whether it stands before a function of q, the polynomial in the parameters)."""
    return ((bool(motion), scalar.ring.from_terms(terms)) for motion, terms in by_motion(scalar))


def _answer(claim: str, polynomials: Sequence[Exact], model: ClosedForm) -> Answer:
    if model.numeric:
        raise ArgumentError("a design question is about parameters; ask a symbolic model")
    positive = positive_symbols(model)
    polynomials = [kept for p in polynomials if (kept := without_zeros(p))]
    chosen = [polynomials[k] for k in independent([p.terms() for p in polynomials], model.ring)]
    cases = vanishing(chosen, positive)
    coefficients = dynamic_coefficients(model).definitions if any(cases) else {}
    names = [tuple(name for name, a in coefficients.items() if not _put(_value(a), case)) for case in cases]
    used = frozenset[Symbol]().union(*(p.symbols() for p in chosen)) & positive
    points = [point_of(case, positive) for case in cases]
    meanings = [meaning(model, partial(_put, case=case), zero) for case, zero in zip(cases, names, strict=True)]
    told = {name: a for name, a in coefficients.items() if any(meanings) and any(name in zero for zero in names)}
    return Answer(claim, tuple(map(Case, cases, names, points, meanings)), assumption(used), told)


def point_of(case: tuple[DesignCondition, ...], positive: frozenset[Symbol]) -> Values | None:
    """Parameters that satisfy the conditions; None if none were found."""
    if not case:
        return {}
    solved = {c.symbol: c.value for c in case if c.symbol is not None and c.value is not None}
    return witness([condition.factor for condition in case], solved, positive)


def _value(equation: Equation) -> Exact:
    assert isinstance(equation.right, Exact)
    return equation.right


def _put(polynomial: Exact, case: Iterable[DesignCondition]) -> Exact:
    """A polynomial under conditions, up to a factor that is not zero; unsolved ones by division."""
    for condition in case:
        if condition.symbol is not None and condition.value is not None:
            polynomial = without_zeros(substitute_ratio(polynomial, condition.symbol, condition.value))
        elif not divide_polynomials(polynomial.polynomial, condition.factor.polynomial, polynomial.ring)[1]:
            return polynomial.ring.zero
    return polynomial


def _cases(
    polynomials: list[Exact], positive: frozenset[Symbol], steps: list[int]
) -> Iterator[tuple[DesignCondition, ...]]:
    """Depth first: the polynomial with the fewest factors, each of them in turn, then the rest."""
    steps[0] += 1
    if steps[0] > MAX_CASES:
        raise ArgumentError(
            f"this question has more than {MAX_CASES} cases; fix some parameters by values and ask again"
        )
    for polynomial in polynomials[:1]:
        polynomial.ring.check_time()
    left = [(p, _factors(p, positive)) for p in polynomials if p]
    if not left:
        yield ()
        return
    left.sort(key=lambda pair: (len(pair[1]), min((len(f) for f in pair[1]), default=0)))
    others = [p for p, _ in left[1:]]
    for factor in left[0][1]:
        if sign_of(factor, positive) in (Sign.AT_LEAST_ZERO, Sign.AT_MOST_ZERO) and len(factor) > 1:
            yield from _cases([*_monomials(factor), *others], positive, steps)
            continue
        for conditions in _solutions(factor, positive):
            rest = [_put(p, conditions) for p in others]
            yield from ((*conditions, *more) for more in _cases(rest, positive, steps))


def _solved_on(
    case: tuple[DesignCondition, ...], positive: frozenset[Symbol], steps: list[int]
) -> Iterator[tuple[DesignCondition, ...]]:
    """A case with its unsolved conditions taken up again, where symbols that were solved later make them others."""
    solved = tuple(condition for condition in case if condition.symbol is not None)
    left = [condition.factor for condition in case if condition.symbol is None]
    put = [_put(factor, solved) for factor in left]
    if put == left:
        yield case
        return
    for more in _cases(put, positive, steps):
        yield from _solved_on((*solved, *more), positive, steps)


def _factors(polynomial: Exact, positive: frozenset[Symbol]) -> list[Exact]:
    """The irreducible factors that can be zero."""
    factors = [
        Exact(factor, polynomial.ring) for factor, _ in factor_polynomial(polynomial.polynomial, polynomial.ring)[1]
    ]
    return [f for f in factors if sign_of(f, positive) not in (Sign.POSITIVE, Sign.NEGATIVE)]


def _monomials(polynomial: Exact) -> list[Exact]:
    parts = by_monomial(polynomial)
    return [polynomial.ring.from_terms({key: Fraction(1)}) for key, number in parts.items() if sign(number) != 0]


def _solutions(factor: Exact, positive: frozenset[Symbol]) -> list[tuple[DesignCondition, ...]]:
    """factor = A x + B = 0 as x = -B/A with A never zero, x any sign first; none if x > 0 forbids it."""
    for symbol in sorted(factor.symbols(), key=lambda name: (name in positive, name)):
        if symbol.kind == "inverse" or symbol in factor.ring.numbers:
            continue
        if (double := _double_root(factor, symbol, positive)) is not None:
            return [(DesignCondition(factor, symbol, double),)]
        if factor.degree(symbol) != 1:
            continue
        A = factor.derivative(symbol)
        if sign_of(A, positive) not in (Sign.POSITIVE, Sign.NEGATIVE):
            continue
        B = factor - A * factor.ring.scalar(symbol)
        solved = DesignCondition(factor, symbol, Ratio.of(-B, A))
        partner = {**dict(factor.ring.angles), **{c: s for s, c in factor.ring.angles}}.get(symbol)
        if partner is not None:
            if pairs := _of_angle(solved, partner):
                return pairs
            continue
        forbidden = symbol in positive and (not B or sign_of(A, positive) == sign_of(B, positive))
        return [] if forbidden else [(solved,)]
    return [(DesignCondition(factor),)]


def _double_root(factor: Exact, symbol: Symbol, positive: frozenset[Symbol]) -> Ratio | None:
    """-B/(2 A) of A x^2 + B x + C with B^2 = 4 A C, a square that the relations of the symbols hide."""
    if factor.degree(symbol) != 2 or symbol in positive or symbol.is_trig:
        return None
    ring, slope = factor.ring, factor.derivative(symbol)
    A = slope.derivative(symbol).times(Fraction(1, 2))
    B = slope.substitute({symbol: ring.zero})
    if sign_of(A, positive) not in (Sign.POSITIVE, Sign.NEGATIVE):
        return None
    C = factor.substitute({symbol: ring.zero})
    return None if without_zeros(B * B - (A * C).times(4)) else Ratio.of(-B, A.times(2))


def _of_angle(solved: DesignCondition, partner: Symbol) -> list[tuple[DesignCondition, ...]]:
    """A sine or cosine that is 0, 1 or -1 gives the other one of its angle; nothing if it is none of these."""
    ring = solved.factor.ring
    value = {str(k): k for k in (0, 1, -1)}.get(str(solved.value))
    if value is None:
        return []
    others = (0,) if value else (1, -1)
    other = ring.scalar(partner)
    return [(solved, DesignCondition(other - ring.number(k), partner, Ratio.of(ring.number(k)))) for k in others]


def _simplify_case(
    case: tuple[DesignCondition, ...], positive: frozenset[Symbol]
) -> tuple[DesignCondition, ...] | None:
    """A case without the equations that its solved conditions make true; None if they contradict one."""
    solved = [condition for condition in case if condition.symbol is not None]
    kept: list[DesignCondition] = []
    for condition in case:
        left = condition.factor if condition.symbol is not None else _put(condition.factor, solved)
        rest = _put(condition.factor, [other for other in solved if other is not condition])
        if any(sign_of(side, positive) in (Sign.POSITIVE, Sign.NEGATIVE) for side in (left, rest)):
            return None
        if left:
            kept.append(condition)
    return _in_order(tuple(kept))


def _in_order(case: tuple[DesignCondition, ...]) -> tuple[DesignCondition, ...]:
    """Every value in symbols that are left, and short conditions first."""
    conditions: list[DesignCondition] = []
    for condition in reversed(case):
        value = condition.value
        for later in conditions:
            if value is not None and later.symbol is not None and later.value is not None:
                above = substitute_ratio(value.numerator, later.symbol, later.value)
                below = substitute_ratio(value.denominator, later.symbol, later.value)
                by = value.denominator.degree(later.symbol) - value.numerator.degree(later.symbol)
                power = _power(later.value.denominator, abs(by))
                value = Ratio.of(above * power, below) if by > 0 else Ratio.of(above, below * power)
        conditions.append(DesignCondition(condition.factor, condition.symbol, value))
    return tuple(sorted(conditions, key=lambda condition: (len(str(condition)), str(condition))))


def _power(scalar: Exact, exponent: int) -> Exact:
    return prod([scalar] * exponent, start=scalar.ring.number(1))
