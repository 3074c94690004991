"""Proofs: a claim is that scalars of the ring are equal; equality of normal forms is its proof.

A claim that does not hold comes back with a smallest point where the two sides differ (`counterexample`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from dynamis.compute.mechanics.dynamics.link_jacobians import gravity_torques_of, mass_matrix_of
from dynamis.compute.mechanics.dynamics.regressor import drive_torques, inertial_parameters
from dynamis.compute.mechanics.kinematics.motion import velocities
from dynamis.exact.closed_form.closed_form import HALF, ClosedForm
from dynamis.model.bodies.composite import euler_matrix, twice_trace_energy
from dynamis.scalars.exact.proof import Pairs, Proof, prove_equal
from dynamis.scalars.exact.ring import Exact
from dynamis.scalars.exact.symbols import coordinate
from dynamis.telling import symbols as s
from dynamis.telling.formula import (
    DOT,
    EQUALS,
    HALF_OF,
    MINUS,
    PLUS,
    TWO,
    Coordinates,
    Formula,
    Group,
    Prose,
    Sym,
    Total,
    Velocities,
    by,
    rate,
)


@dataclass(frozen=True)
class Law:
    """The pairs of scalars that a law says are equal, the law as people write it, and in short where that is long."""

    pairs: Callable[[ClosedForm], Pairs]
    prose: Prose
    short: Prose = ()


def claims(model: ClosedForm, *names: str) -> list[tuple[str, Callable[[], Proof]]]:
    """Laws of CLAIMS, each with what proves it; under loads as UNDER_LOADS writes them."""
    written = [UNDER_LOADS.get(name, name) if model.loads else name for name in names]
    return [(claim, partial(prove_equal, claim, partial(_LAWS[claim].pairs, model))) for claim in written]


def newton_euler_is_lagrange(model: ClosedForm) -> Pairs:
    """tau of the two derivations."""
    yield from _rows("tau", model.newton_euler.tau, model.torques)


def lagrange_gives_the_torques(model: ClosedForm) -> Pairs:
    """d/dt dL/dqd - dL/dq is M qdd + c + g."""
    for k, (tau, friction) in enumerate(zip(model.unloaded_torques, model.friction, strict=True)):
        yield f"tau[{k + 1}]", model.lagrange_torque(k), tau - friction


def energy_gives_the_mass_matrix(model: ClosedForm) -> Pairs:
    """d^2 T / dqd_i dqd_j, from the kinetic energy, is M_ij, from the Jacobians."""
    for i in range(model.n):
        slope = model.partial_qd(model.kinetic_energy, i)
        for j in range(i + 1):
            yield f"M[{i + 1},{j + 1}]", model.partial_qd(slope, j), model.M[i, j]


def jacobians_in_base_axes_give_the_model(model: ClosedForm) -> Pairs:
    """M and g by the sums over the links in base axes (and the springs) are M, from link axes, and g = dU/dq."""
    m, links = model.mechanism, model.link_jacobians
    M, weights = mass_matrix_of(m, links), gravity_torques_of(m, links)
    for i, j in product(range(model.n), repeat=2):
        if j <= i:
            yield f"M[{i + 1},{j + 1}]", M[i][j], model.M[i, j]
    yield from _rows("g", [a + b for a, b in zip(weights, model.spring_torques, strict=True)], model.gravity)


def trace_form_is_the_rotational_energy(model: ClosedForm) -> Pairs:
    """1/2 trace(S J S^T) is 1/2 w . I w, link by link, with S of its angular velocity and its Euler matrix J."""
    scalars = model.scalars
    bodies = model.mechanism_with_masses.bodies
    for k, (body, velocity) in enumerate(zip(bodies, velocities(model.mechanism, model.state), strict=True), 1):
        trace = twice_trace_energy(euler_matrix(body.inertia, scalars), velocity.w, scalars)
        yield f"T[{k}]", trace.times(HALF), velocity.w.dot(body.inertia @ velocity.w).times(HALF)


def mass_matrix_is_symmetric(model: ClosedForm) -> Pairs:
    """The coefficient of qdd_j in tau_i is that of qdd_i in tau_j, both by Newton-Euler."""
    names = [coordinate(moving.name, 2) for moving in model.robot.coordinates]
    tau = model.newton_euler.tau
    for i, j in product(range(model.n), repeat=2):
        if j < i:
            yield f"M[{i + 1},{j + 1}] = M[{j + 1},{i + 1}]", tau[i].derivative(names[j]), tau[j].derivative(names[i])


def rate_less_twice_coriolis_is_skew(model: ClosedForm) -> Pairs:
    """N + N^T = 0 for N = Mdot - 2 C."""
    yield from skewness(model, model.coriolis_matrix)


def skewness(model: ClosedForm, C: Sequence[Sequence[Exact]]) -> Pairs:
    """N_ij = -N_ji for N = Mdot - 2 C."""
    Mdot = model.mass_matrix_rate
    N = [[Mdot[i][j] - C[i][j].times(2) for j in range(model.n)] for i in range(model.n)]
    for i, j in product(range(model.n), repeat=2):
        if j <= i:
            yield f"N[{i + 1},{j + 1}] = -N[{j + 1},{i + 1}]", N[i][j], -N[j][i]


def gravity_is_the_slope_of_the_potential(model: ClosedForm) -> Pairs:
    """dU/dq is the torque that Newton-Euler gives at rest."""
    yield from _rows("g", model.gravity, model.quantity("gravity_torque"))


def power_is_the_rate_of_energy(model: ClosedForm) -> Pairs:
    """d(T + U)/dt = qd . (tau - friction + Q), Q that of the loads."""
    power = model.ring.zero
    rows = zip(model.newton_euler.tau, model.friction, model.load_torques, model.qd, strict=True)
    for tau, friction, Q, qd in rows:
        power = power + (tau - friction + Q) * qd
    yield "power", model.time_derivative(model.kinetic_energy + model.potential_energy), power


def torque_is_the_regressor_times_the_parameters(model: ClosedForm) -> Pairs:
    """tau = Y pi + rotor qdd + friction - Q, with the ten inertial parameters of every link."""
    pi, Y = inertial_parameters(model.mechanism), model.quantity("regressor")
    drives = drive_torques(model.mechanism, model.state)
    for k, (row, total) in enumerate(zip(Y, drives, strict=True)):
        for y, parameter in zip(row, pi, strict=True):
            total = total + y * parameter
        yield f"tau[{k + 1}]", model.newton_euler.tau[k], total - model.load_torques[k]


TRACE_FORM: Formula = (
    *HALF_OF, Sym("trace"), Group((s.skew, Group((s.omega,)), s.euler, s.skew.T, Group((s.omega,)))), EQUALS,
    *HALF_OF, s.omega, DOT, s.inertia, s.omega,
)  # fmt: skip
"""The rotational energy in two ways."""
_M, _C, _TAU = s.M, s.C, s.tau
_Jv, _Jw = s.J.at("vi"), s.J.at("wi")
_LINK_SUMS: Prose = (
    (_M, EQUALS, Total("i"), Group((
        s.mass.at("i"), _Jv.T, _Jv, PLUS, _Jw.T, s.R.at("0i"), s.inertia.at("i"), s.R.at("0i").T, _Jw,
    ))),
    ", ", (s.g, EQUALS, MINUS, Total("i"), s.mass.at("i"), _Jv.T, s.gravity),
)  # fmt: skip
CLAIMS: dict[str, Law] = {
    "Newton-Euler = Euler-Lagrange": Law(
        newton_euler_is_lagrange, ("The torques by Newton-Euler are those by Euler-Lagrange",),
        ("Newton-Euler = Euler-Lagrange",),
    ),
    "d/dt dL/dqd - dL/dq = M qdd + c + g": Law(
        lagrange_gives_the_torques,
        (
            (*rate(by((s.L,), (Coordinates(1),))), MINUS, *by((s.L,), (Coordinates(0),)), EQUALS,
             _M, Coordinates(2), PLUS, Velocities((s.c,), (s.C, Coordinates(1))), PLUS, s.g),
            ", the torques without friction and loads",
        ),
    ),
    "M from the kinetic energy = M from the Jacobians": Law(
        energy_gives_the_mass_matrix, ((_M,), " from the kinetic energy is ", (_M,), " from the Jacobians")
    ),
    "M = sum m Jv^T Jv + Jw^T R I R^T Jw, g = -sum m Jv^T g0": Law(
        jacobians_in_base_axes_give_the_model,
        ((_M,), " and ", (s.g,), " by the sums over the links in base axes are those in link axes and from the energy"),
        _LINK_SUMS,
    ),
    "1/2 trace(S J S^T) = 1/2 w . I w, with the Euler matrix J": Law(
        trace_form_is_the_rotational_energy,
        (
            TRACE_FORM, " for every link, with the skew-symmetric matrix ", (s.skew, Group((s.omega,))),
            " and the Euler matrix ", (s.euler,),
        ),
        (TRACE_FORM, ", with the Euler matrix ", (s.euler,)),
    ),
    "M is symmetric": Law(mass_matrix_is_symmetric, ((_M, EQUALS, s.M.T),), ((_M,), " is symmetric")),
    "Mdot - 2 C is skew-symmetric (C by Christoffel symbols)": Law(
        rate_less_twice_coriolis_is_skew,
        ((s.M.dot, MINUS, TWO, _C), " is skew-symmetric, with ", (_C,), " by Christoffel symbols"),
    ),
    "g = dU/dq": Law(
        gravity_is_the_slope_of_the_potential,
        ((s.g, EQUALS, *by((s.U,), (Coordinates(0),))), ", from the Newton-Euler torques at rest"),
    ),
    "tau = Y pi, linear in the inertial parameters": Law(
        torque_is_the_regressor_times_the_parameters,
        ((_TAU, EQUALS, s.Y, s.pi), ", linear in the inertial parameters (and the drives)"),
        ((_TAU, EQUALS, s.Y, s.pi), ", linear in the inertial parameters"),
    ),
    "d(T + U)/dt = qd . (tau - friction)": Law(
        power_is_the_rate_of_energy,
        (
            (
                s.T.dot, PLUS, s.U.dot, EQUALS,
                Coordinates(1), DOT, Group((_TAU, MINUS, s.friction)),
            ),
            ", the power of the motors less that of friction",
        ),
    ),
}  # fmt: skip
UNDER_LOADS = {
    "tau = Y pi, linear in the inertial parameters": "tau = Y pi - Q, Q that of the loads",
    "d(T + U)/dt = qd . (tau - friction)": "d(T + U)/dt = qd . (tau - friction + Q)",
}
"""The laws of CLAIMS that loads change: Q are their generalised forces."""
_LAWS = CLAIMS | {
    UNDER_LOADS["tau = Y pi, linear in the inertial parameters"]: Law(
        torque_is_the_regressor_times_the_parameters,
        (
            (_TAU, EQUALS, s.Y, s.pi, MINUS, s.Q),
            ", linear in the inertial parameters (and the drives); ", (s.Q,), " is that of the loads",
        ),
    ),
    UNDER_LOADS["d(T + U)/dt = qd . (tau - friction)"]: Law(
        power_is_the_rate_of_energy,
        (
            (
                s.T.dot, PLUS, s.U.dot, EQUALS,
                Coordinates(1), DOT, Group((_TAU, MINUS, s.friction, PLUS, s.Q)),
            ),
            ", the power of the motors and the loads less that of friction",
        ),
    ),
}  # fmt: skip


def statement(proof: Proof) -> Prose:
    """What is claimed, in short and in symbols: the formula that a law begins with, or else all of it."""
    law = _LAWS.get(proof.claim)
    if law is None:
        return (proof.claim,)
    first, *rest = law.prose
    return law.short or ((first,) if isinstance(first, tuple) and rest and str(rest[0]).startswith(",") else law.prose)


def sentence(proof: Proof) -> Prose:
    """A proof in words, without the time it took, so that a page is always the same."""
    claim = _LAWS[proof.claim].prose if proof.claim in _LAWS else (proof.claim,)
    if proof.counterexample is not None:
        return "False: ", *claim, f"; {proof.counterexample}."
    if not proof.terms:
        return *claim, ": proved (both sides are zero)."
    return *claim, f": proved ({proof.terms} term{'s' if proof.terms > 1 else ''} on each side)."


def _rows(name: str, left: Sequence[Exact], right: Sequence[Exact]) -> Pairs:
    for k, (a, b) in enumerate(zip(left, right, strict=True), 1):
        yield f"{name}[{k}]", a, b
