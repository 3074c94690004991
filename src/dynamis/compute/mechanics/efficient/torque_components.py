"""What the motors' torques are made of: inertial, centrifugal, Coriolis, gravity, friction, rotor, loads, springs.

    tau_i = sum_j M_ij qdd_j                    inertial (the links')
          + Gamma_ijj qd_j^2                    centrifugal, of every joint j
          + 2 Gamma_ijk qd_j qd_k               Coriolis, of every pair j < k
          - (u_i.m g + w_i.(h x g))             gravity
          + damping qd_i + coulomb sign(qd_i)   friction, with what else a joint has of it
          + rotor qdd_i                         rotor
          - (u_i.f + w_i.n)                     the loads
          + stiffness (q_i - rest)              the springs of joints, of a robot that has any

with M, Gamma, u and w of `christoffel`. Every part is computed by itself; that they add up to the torque of inverse
dynamics is a law, which the tests hold, and no definition.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dynamis.compute.mechanics.coupling import Coupling, coordinates_of, project_to_coordinates
from dynamis.compute.mechanics.efficient.christoffel import Twist, coefficients, unit_twists
from dynamis.compute.mechanics.efficient.gravity_torque import joint_gravity
from dynamis.compute.mechanics.efficient.regrouping.regrouped import regroup_mechanism
from dynamis.compute.mechanics.friction import friction, springs
from dynamis.compute.mechanics.mechanism import Mechanism, State, Wrench
from dynamis.scalars.vectors import S, Vector

SINGLE = ("inertial", "gravity", "friction", "rotor", "applied")
"""The parts of which every joint has one; they come before the centrifugal and the Coriolis ones."""
SPRINGS = "springs"
"""One more after `SINGLE`, of a robot with springs."""


def pairs(n: int) -> list[tuple[int, int]]:
    """The pairs j < k of n joints, in the order of the Coriolis parts."""
    return [(j, k) for j in range(n) for k in range(j + 1, n)]


def component_names(n: int, springs: bool = False) -> list[str]:
    """The parts in their order, joints counted from 1, of a robot with or without `springs`.

    >>> component_names(2)
    ['inertial', 'gravity', 'friction', 'rotor', 'applied', 'centrifugal 1', 'centrifugal 2', 'Coriolis 1,2']
    """
    centrifugal = [f"centrifugal {j + 1}" for j in range(n)]
    return [*SINGLE, *([SPRINGS] if springs else []), *centrifugal, *(f"Coriolis {j + 1},{k + 1}" for j, k in pairs(n))]


def torque_components(
    m: Mechanism[S],
    state: State[S],
    gravity: Vector[S] | None = None,
    loads: Sequence[Wrench[S] | None] = (),
) -> tuple[list[list[S]], list[S], list[S], list[S]]:
    """The parts of every joint's torque, (n, 5 + n + n (n - 1) / 2), one more with springs [N m or N], in the order of
    `component_names`; the sums of its centrifugal and of its Coriolis parts, and the sum of all, (n) each.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> parts, centrifugal, coriolis, total = torque_components(m, state_at(m, [0.0, 0.0], [0.0, 0.0], [0.0, 3.0]))
    >>> parts[0][:2], parts[1][:2], total
    ([0.0, 30.0], [6.0, 0.0], [30.0, 6.0])
    """
    x = regroup_mechanism(m, state)
    m, state = x.m, x.state
    twists, carried = unit_twists(m, x.joints), x.composites()
    symbols = coefficients(m, twists, carried)
    weight = joint_gravity(x, carried, m.gravity if gravity is None else gravity)
    applied = _load_torques(m, twists, x.loads(loads))
    taken, sprung = springs(m, state), "stiffness" in m.force_terms
    qd = coordinates_of(m.coupling, state.qd)
    speeds: Any = {(j, k): qd[j] * qd[k] for j in range(m.n) for k in range(j, m.n)}
    gamma = _of_coordinates(symbols.gamma, m.coupling)
    rows: list[list[Any]] = []
    for i, body in enumerate(m.moving):
        inertial = sum((a * b for a, b in zip(symbols.M[i], state.qdd, strict=True)), m.zero)
        single = [inertial, weight[i], friction(body, state), body.rotor * state.qdd[i], applied[i]]
        single += [taken[i]] if sprung else []
        squares = [gamma.get((i, j, j), m.zero) * speeds[j, j] for j in range(m.n)]
        products = [_twice(gamma, i, j, k, m.zero) * speeds[j, k] for j, k in pairs(m.n)]
        rows.append([*single, *squares, *products])
    parts, first = project_to_coordinates(m.coupling, rows), len(SINGLE) + sprung
    centrifugal = [sum(row[first : first + m.n], m.zero) for row in parts]
    coriolis = [sum(row[first + m.n :], m.zero) for row in parts]
    total = [sum(row[:first], m.zero) + a + b for row, a, b in zip(parts, centrifugal, coriolis, strict=True)]
    return parts, centrifugal, coriolis, total


def _load_torques(
    m: Mechanism[S], twists: Sequence[dict[int, Twist[S]]], loads: Sequence[Wrench[S] | None]
) -> list[Any]:
    tau: list[Any] = [m.zero] * m.joints
    for on, load in zip(twists, loads, strict=True):
        if load is not None:
            for j, x in on.items():
                tau[j] = tau[j] - (x.u.dot(load.force) + x.w.dot(load.moment))
    return tau


def _of_coordinates(
    gamma: dict[tuple[int, int, int], Any], coupling: Coupling[S] | None
) -> dict[tuple[int, int, int], Any]:
    """Gamma_jkl with coordinates k <= l, for joints j: the sum of Gamma_jab A_ak A_bl over the joints a and b."""
    if coupling is None:
        return gamma
    totals: dict[tuple[int, int, int], Any] = {}
    for (j, a, b), value in gamma.items():
        for first, second in ((a, b), (b, a))[: 1 + (a != b)]:
            for k, x in coupling.rows[first]:
                for l, y in coupling.rows[second]:  # noqa: E741
                    if k <= l:
                        term = value * (x * y)
                        totals[j, k, l] = totals[j, k, l] + term if (j, k, l) in totals else term
    return totals


def _twice(gamma: dict[tuple[int, int, int], Any], i: int, j: int, k: int, zero: Any) -> Any:
    """2 Gamma_ijk; in a tree the joint that carries the other one may have the larger number."""
    symbol = gamma.get((i, j, k), gamma.get((i, k, j), zero))
    return symbol + symbol
