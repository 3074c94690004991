"""The steps from the energies to the equations: M, Christoffel symbols, c, g, and the torques of Lagrange."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import Any

from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.derivation import MOST_SUBSTITUTED, Terms, rule_equation, sum_equation
from dynamis.exact.derivations.robots.joint_forces import friction_terms
from dynamis.exact.derivations.robots.links import coordinate
from dynamis.exact.proof.coriolis_factorisations import factorisations, with_and_without_skew_symmetry
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import coordinate as rate
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Words
from dynamis.telling.formula import (
    DOT,
    EQUALS,
    HALF_OF,
    MINUS,
    PLUS,
    TWO,
    Coordinates,
    Formula,
    Grid,
    Group,
    Reference,
    Sym,
    Total,
    Val,
    Velocities,
    Word,
    by,
    index,
    parts,
    square_rate,
    sum_formulas,
)

# Joints of an arm whose Christoffel symbols are few enough for a line.
MOST_NAMED = 2


def mass_matrix(model: ClosedForm) -> Iterator[Part]:
    """m_ij from the kinetic energies of the links."""
    yield Words(("The kinetic energy of the arm is ", total(s.T), ", a quadratic form of the velocities."))
    i, j = (Coordinates(1, "i"),), (Coordinates(1, "j"),)
    yield Rule((s.m.at("ij"), EQUALS, *by((s.T,), i, j)))
    for a in range(model.n):
        for b in range(a, model.n):
            yield mass_entry(model, a, b)


def mass_entry(model: ClosedForm, i: int, j: int) -> Equation:
    """m_ij (from 0), link by link."""
    rule: list[Formula] = []
    put: list[Exact] = []
    first, second = (rate(model.robot.coordinates[k].name, 1) for k in (i, j))
    for k, energy in enumerate(model.kinetic_energies):
        slope = energy.derivative(first).derivative(second)
        if slope:
            rates = (coordinate(model, i, 1),), (coordinate(model, j, 1),)
            rule.append(by((s.T.at(k + 1),), *rates))
            put.append(slope)
    left = s.m.at(index(i + 1, j + 1))
    return rule_equation(left, model.M[i, j], sum_formulas(rule), parts(put)) if rule else Equation(left, model.M[i, j])


def christoffel(model: ClosedForm) -> Iterator[Part]:
    """The Christoffel symbols, and their matrices where these are short."""
    yield from christoffel_symbols(model)
    matrices = [christoffel_matrix(model, k) for k in range(model.n)]
    short = [e for e, C in zip(matrices, model.christoffel_matrices, strict=True) if 0 < _terms(C) <= MOST_SUBSTITUTED]
    if short:
        yield from christoffel_matrix_rule()
        yield from short
        yield from _left_out(model, [k for k, equation in enumerate(matrices, 1) if equation not in short])


def _left_out(model: ClosedForm, joints: list[int]) -> Iterator[Part]:
    """Why some C_k are not written: they are zero, or long."""
    zero = [k for k in joints if not any(map(any, model.christoffel_matrices[k - 1]))]
    for which, words in (
        (zero, (" is zero.", " are zero.")),
        ([k for k in joints if k not in zero], (" is long: its entries are the symbols above.",
                                               " are long: their entries are the symbols above.")),
    ):  # fmt: skip
        if which:
            names: list[Any] = [s.christoffel_matrix.at(k) for k in which]
            listed = [names[0], *(x for name in names[1:] for x in (" and " if name is names[-1] else ", ", name))]
            yield Words((*listed, words[len(which) > 1]))


def christoffel_symbols(model: ClosedForm, zeros: bool = False) -> Iterator[Part]:
    """c_ijk from the derivatives of M; those that are zero too, if `zeros`."""
    symmetric = (Word(","), s.christoffel.at("ijk"), EQUALS, s.christoffel.at("jik"))
    yield Rule((*christoffel_rule(), *symmetric), "Christoffel symbols")
    if not zeros:
        yield Words("Those that are not written are zero.")
    repeated = repeated_symbols(model)
    for value, symbol in repeated.items():
        k, i, j = next(
            x for x in product(range(1, model.n + 1), repeat=3) if model.christoffel(x[1], x[2], x[0]) == value
        )
        yield Equation(symbol, value, ((s.christoffel.at(index(i, j, k)),),))
    for k in range(model.n):
        for i in range(model.n):
            for j in range(i, model.n):
                equation = christoffel_symbol(model, i, j, k)
                if equation.right or zeros:
                    name = _in_name(model.christoffel(i + 1, j + 1, k + 1), repeated)
                    yield replace(equation, ways=(*equation.ways, *((name,) if name else ())))


def repeated_symbols(model: ClosedForm) -> dict[Exact, Sym]:
    """The values, up to their signs, that several c_ijk of a small arm have; some schools name them h."""
    if model.n > MOST_NAMED:
        return {}
    places = product(range(1, model.n + 1), repeat=3)
    values = [value for k, i, j in places if i <= j and (value := model.christoffel(i, j, k))]
    often = [value for value in dict.fromkeys(values) if values.count(value) + values.count(-value) > 1]
    firsts = [value for k, value in enumerate(often) if -value not in often[:k]]
    return {value: s.repeated.at(k) if len(firsts) > 1 else s.repeated for k, value in enumerate(firsts, 1)}


def _in_name(value: Exact, repeated: dict[Exact, Sym]) -> Formula:
    """h or -h; nothing where the value has no name."""
    if value in repeated:
        return (repeated[value],)
    return (MINUS, repeated[-value]) if -value in repeated else ()


def christoffel_matrix_rule() -> Iterator[Part]:
    """C_k from the columns M_k of M."""
    C, slope = s.christoffel_matrix.at("k"), by((s.M.at("k"),), (Coordinates(0),))
    yield Words((
        "The Christoffel symbols of one coordinate are the entries of a symmetric matrix ", (C,), ", so that ",
        (s.c.at("k"), EQUALS, Coordinates(1), DOT, C, Coordinates(1)), "; ", (s.M.at("k"),), " is a column of ", s.M,
        ":",
    ))  # fmt: skip
    right = (*slope, PLUS, Group(slope, transposed=True), MINUS, *by((s.M,), (Coordinates(0, "k"),)))
    yield Rule((C, EQUALS, *HALF_OF, Group(right)))


def christoffel_matrix(model: ClosedForm, k: int) -> Equation:
    """C_k, joints from 0: half the sum of three matrices."""
    slope = by((s.M.at(k + 1),), (Coordinates(0),))
    rule: Formula = (*slope, PLUS, Group(slope, transposed=True), MINUS, *by((s.M,), (coordinate(model, k),)))
    n = range(model.n)
    column = [[model.partial_q(model.M[i, k], j) for j in n] for i in n]
    whole = [[model.partial_q(model.M[i, j], k) for j in n] for i in n]
    put: Formula = (Val(column), PLUS, Val([list(row) for row in zip(*column, strict=True)]), MINUS, Val(whole))
    ways = (*HALF_OF, Group(rule)), (*HALF_OF, Group(put))
    return Equation(s.christoffel_matrix.at(k + 1), model.christoffel_matrices[k], ways)


def christoffel_rule() -> Formula:
    indices = (("kj", "i"), ("ki", "j"), ("ij", "k"))
    first, second, third = (by((s.m.at(m),), (Coordinates(0, q),)) for m, q in indices)
    inside = (*first, PLUS, *second, MINUS, *third)
    return s.christoffel.at("ijk"), EQUALS, *HALF_OF, Group(inside)


def christoffel_symbol(model: ClosedForm, i: int, j: int, k: int) -> Equation:
    """c_ijk, joints from 0; where two indices are equal, derivatives that are equal are taken together."""

    def slope(a: int, b: int, d: int) -> tuple[Formula, Formula]:
        entry = s.m.at(index(min(a, b) + 1, max(a, b) + 1))
        return by((entry,), (coordinate(model, d),)), (Val(model.partial_q(model.M[a, b], d)),)

    def written(way: int) -> Formula:
        if k in (i, j):
            return *HALF_OF, *slope(k, k, j if k == i else i)[way]
        first, last = slope(k, j, i)[way], slope(i, j, k)[way]
        if i == j:
            zero = (Val(model.ring.zero),)
            before = first if first != zero else ()
            return (*before, MINUS, *HALF_OF, *last) if last != zero else before
        return *HALF_OF, Group((*first, PLUS, *slope(k, i, j)[way], MINUS, *last))

    left, value = s.christoffel.at(index(i + 1, j + 1, k + 1)), model.christoffel(i + 1, j + 1, k + 1)
    return rule_equation(left, value, written(0), written(1)) if value else Equation(left, value, (written(0),))


def velocity_sum() -> Formula:
    """The sum of c_ijk qd_i qd_j."""
    return Total("i,j"), s.christoffel.at("ijk"), Coordinates(1, "i"), Coordinates(1, "j")


def coriolis(model: ClosedForm) -> Iterator[Part]:
    """c_k from the Christoffel symbols."""
    symbols = Reference("Christoffel symbols", "their definition")
    yield Words(("With the Christoffel symbols by ", symbols, ", the terms of the velocities are"))
    yield Rule((s.c.at("k"), EQUALS, *velocity_sum()))
    for k in range(model.n):
        yield coriolis_entry(model, k)


def coriolis_entry(model: ClosedForm, k: int) -> Equation:
    """c_k (from 0) in the names of the Christoffel symbols, then in their values."""
    terms: Terms = []
    total = model.ring.zero
    for i, j in combinations_with_replacement(range(model.n), 2):
        symbol = model.christoffel(i + 1, j + 1, k + 1)
        if symbol:
            rule, twice, rates = _velocity_term(model, i, j, k)
            terms.append((rule, (*twice, Val(symbol), *rates)))
            total = total + symbol.times(1 if i == j else 2) * model.qd[i] * model.qd[j]
    return sum_equation(s.c.at(k + 1), total, terms)


def _velocity_term(model: ClosedForm, i: int, j: int, k: int) -> tuple[Formula, Formula, Formula]:
    """2 c_ijk qd_i qd_j, its factor 2 and its velocities; joints from 0."""
    twice: Formula = () if i == j else (TWO,)
    first, second = (coordinate(model, i, 1),), (coordinate(model, j, 1),)
    rates = square_rate(first) if i == j else (*first, *second)
    return (*twice, s.christoffel.at(index(i + 1, j + 1, k + 1)), *rates), twice, rates


def _velocity_terms(model: ClosedForm, k: int) -> Formula:
    """c_k; for schools that have no such vector, and a small arm, the sum of its Christoffel symbols."""
    if model.n > MOST_NAMED:
        return (s.c.at(k + 1),)
    pairs = combinations_with_replacement(range(model.n), 2)
    terms = [_velocity_term(model, i, j, k)[0] for i, j in pairs if model.christoffel(i + 1, j + 1, k + 1)]
    return (Velocities((s.c.at(k + 1),), sum_formulas(terms)),)


def two_factorisations(model: ClosedForm) -> Iterator[Part]:
    """S' and S'' of c, where they are short."""
    labelled = factorisations(model)
    if 0 < max(x.terms for x in labelled) <= MOST_SUBSTITUTED:
        yield from with_and_without_skew_symmetry(labelled)


def gravity(model: ClosedForm) -> Iterator[Part]:
    """g_k from the potential energies of the links."""
    yield Words(("The potential energy of the arm is ", total(s.U), "."))
    yield Rule((s.g.at("k"), EQUALS, *by((s.U,), (Coordinates(0, "k"),))))
    for k in range(model.n):
        yield gravity_entry(model, k)


def gravity_entry(model: ClosedForm, k: int) -> Equation:
    """g_k (from 0), link by link."""
    rule: list[Formula] = []
    put: list[Exact] = []
    whole = model.ring.zero
    for link, energy in enumerate(model.potential_energies):
        slope = model.partial_q(energy, k)
        if slope:
            rule.append(by((s.U.at(link + 1),), (coordinate(model, k),)))
            put.append(slope)
            whole = whole + slope
    left = s.g.at(k + 1)
    return rule_equation(left, whole, sum_formulas(rule), parts(put)) if rule else Equation(left, whole)


def motion_rule(model: ClosedForm) -> Formula:
    """M qdd + c + g + friction = tau + Q, with arguments."""
    friction: Formula = (PLUS, s.friction) if any(model.friction) else ()
    velocities = Velocities((s.c.of_state,), (s.C.of_state, Coordinates(1)))
    left: Formula = (s.M.of_state, Coordinates(2), PLUS, velocities, PLUS, s.g.of_state)
    return (*left, *friction, EQUALS, s.tau, *((PLUS, s.Q) if model.loads else ()))


def matrix_form(model: ClosedForm, derived: bool) -> Iterator[Part]:
    """M, c and g as a matrix and as vectors; those that are long and `derived` already in the symbols of entries."""
    n = range(1, model.n + 1)
    rows = tuple(
        tuple((s.m.at(index(min(i, j), max(i, j))),) if model.M[i - 1, j - 1] else (Word("0"),) for j in n) for i in n
    )
    M = [[model.M[i - 1, j - 1] for j in n] for i in n]
    vectors = [(symbol, entries) for symbol, entries in ((s.c, model.coriolis), (s.g, model.gravity)) if any(entries)]
    long = {s.M: _terms(M)} | {symbol: _terms([entries]) for symbol, entries in vectors}
    long = {symbol for symbol, terms in long.items() if derived and terms > MOST_SUBSTITUTED}
    if long:
        yield Words("What is long stands here in the symbols of its entries, which are derived above.")
    yield Equation(s.M, None, ((Grid(rows),),), label="M") if s.M in long else Equation(s.M, M, label="M")
    for symbol, entries in vectors:
        names = tuple(((symbol.at(k),),) if entry else ((Word("0"),),) for k, entry in zip(n, entries, strict=True))
        whole = Equation(symbol, list(entries), label=symbol.letter)
        yield Equation(symbol, None, ((Grid(names),),), label=symbol.letter) if symbol in long else whole


def torque_rule(model: ClosedForm, k: int) -> Formula:
    """m_k1 qdd_1 + ... + c_k + g_k + friction - Q_k, without what is zero."""
    summands: list[Formula] = []
    for j in range(model.n):
        if model.M[k, j]:
            summands.append((s.m.at(index(min(k, j) + 1, max(k, j) + 1)), coordinate(model, j, 2)))
    summands += [_velocity_terms(model, k)] if model.coriolis[k] else []
    summands += [(s.g.at(k + 1),)] if model.gravity[k] else []
    moving = [body for body in model.mechanism.bodies if body.joint is not None]
    loads: list[Formula] = [(MINUS, s.Q.at(k + 1))] if model.load_torques[k] else []
    if model.robot.coupled:
        return sum_formulas([*summands, *([(Val(model.friction[k]),)] if model.friction[k] else []), *loads])
    friction: list[Formula] = [(Val(size), *moved) for size, _, moved in friction_terms(model, moving[k], k + 1)]
    return sum_formulas([*summands, *friction, *loads])


def _terms(rows: list[list[Exact]]) -> int:
    return sum(len(entry) for row in rows for entry in row)


def total(energy: Sym) -> Formula:
    """T = sum of T_i."""
    return energy, EQUALS, Total("i"), energy.at("i")
