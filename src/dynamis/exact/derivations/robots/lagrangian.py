"""The steps of Lagrange: L = T - U, and d/dt dL/dqd_k - dL/dq_k = tau_k carried through for every coordinate."""

from __future__ import annotations

from collections.abc import Iterator

from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.derivations.derivation import Terms, rule_equation, sum_equation
from dynamis.exact.derivations.robots.links import coordinate
from dynamis.scalars.exact.symbols import coordinate as symbol
from dynamis.telling import symbols as s
from dynamis.telling.blocks import Equation, Part, Rule, Words
from dynamis.telling.formula import (
    EQUALS,
    MINUS,
    PLUS,
    Coordinates,
    Formula,
    Total,
    Val,
    by,
    index,
    rate,
)


def lagrangian(model: ClosedForm) -> Iterator[Part]:
    """T and U of the whole robot, L = T - U, and the equations that follow from it."""
    for energy, parts, whole in (
        (s.T, model.kinetic_energies, model.kinetic_energy),
        (s.U, model.potential_energies, model.potential_energy),
    ):
        terms: Terms = [((energy.at(k),), (Val(part),)) for k, part in enumerate(parts, 1) if part]
        yield sum_equation(energy, whole, terms)
    yield Equation(s.L, model.lagrangian, ((s.T, MINUS, s.U),))
    friction: Formula = (PLUS, s.friction.at("k")) if any(model.friction) else ()
    yield Words("Lagrange's equations, one per coordinate:")
    q, qd = (Coordinates(0, "k"),), (Coordinates(1, "k"),)
    loads: Formula = (PLUS, s.Q.at("k")) if model.loads else ()
    yield Rule((*rate(by((s.L,), qd)), MINUS, *by((s.L,), q), *friction, EQUALS, s.tau.at("k"), *loads))
    j, qdd = (Coordinates(0, "j"),), Coordinates(2, "j")
    yield Words("The derivative by time is the total one, along any motion:")
    first = (*by((s.L,), j, qd), Coordinates(1, "j"))
    second = (*by((s.L,), (Coordinates(1, "j"),), qd), qdd)
    yield Rule((*rate(by((s.L,), qd)), EQUALS, Total("j"), *first, PLUS, Total("j"), *second))


def equation_of(model: ClosedForm, k: int) -> Iterator[Part]:
    """dL/dqd_k, its derivative by time, dL/dq_k, the difference, and that collected into m_kj, c_k and g_k."""
    L, q, qd = (s.L,), (coordinate(model, k),), (coordinate(model, k, 1),)
    momentum = model.partial_qd(model.lagrangian, k)
    yield Equation(by(L, qd), momentum, (by((s.T,), qd),))
    yield _rate(model, k)
    kinetic, potential = (model.partial_q(x, k) for x in (model.kinetic_energy, model.potential_energy))
    rule: Formula = (*by((s.T,), q), MINUS, *by((s.U,), q))
    put: Formula = (*((Val(kinetic),) if kinetic else ()), *((MINUS, Val(potential)) if potential else ()))
    yield (
        rule_equation(by(L, q), kinetic - potential, rule, put) if put else Equation(by(L, q), model.ring.zero, (rule,))
    )
    torque = model.lagrange_torque(k)
    yield Equation((*rate(by(L, qd)), MINUS, *by(L, q)), torque)
    yield Words((
        "Collected: ", (s.m.at(f"{k + 1}j"),), " multiplies ", (Coordinates(2, "j"),), ", ", (s.c.at(k + 1),),
        " is quadratic in the velocities, and ", (s.g.at(k + 1),), " is what remains at rest.",
    ))  # fmt: skip
    coriolis = torque - potential
    for j in range(model.n):
        entry = torque.derivative(symbol(model.robot.coordinates[j].name, 2))
        coriolis = coriolis - entry * model.qdd[j]
        if j >= k:
            yield Equation(s.m.at(index(k + 1, j + 1)), entry)
    yield Equation(s.c.at(k + 1), coriolis)
    yield Equation(s.g.at(k + 1), potential)


def _rate(model: ClosedForm, k: int) -> Equation:
    """d/dt dL/dqd_k: by positions times velocities, and by velocities times accelerations."""
    L, qd = (s.L,), (coordinate(model, k, 1),)
    momentum = model.partial_qd(model.lagrangian, k)
    terms: Terms = []
    for order, slope in ((0, model.partial_q), (1, model.partial_qd)):
        for j in range(model.n):
            if value := slope(momentum, j):
                change = coordinate(model, j, order + 1)
                terms.append(((*by(L, (coordinate(model, j, order),), qd), change), (Val(value), change)))
    return sum_equation(rate(by(L, qd)), model.time_derivative(momentum), terms)
