"""Forward dynamics from the equations of motion: M qdd = tau - bias, by composite bodies and a factored M.

O(n^3), but with fewer operations than articulated bodies (`articulated_body`, O(n)) up to a dozen joints:
Walker and Orin's method 3. And the derivatives, which follow from tau(q, qd, qdd(q, qd, tau)) = tau:

    dqdd/dq = -M^-1 dtau/dq      dqdd/dqd = -M^-1 dtau/dqd      dqdd/dtau = M^-1

Source: M. W. Walker, D. E. Orin, Efficient dynamic computer simulation of robotic mechanisms, J. Dynamic
Systems, Measurement and Control 104, 1982; the derivatives: J. Carpentier, N. Mansard, Analytical derivatives
of rigid body dynamics algorithms, RSS 2018, section V.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dynamis.compute.mechanics.efficient.composite_body import mass_matrix
from dynamis.compute.mechanics.efficient.derivatives import Rows, inverse_dynamics_derivatives
from dynamis.compute.mechanics.efficient.factor import Factor, factor
from dynamis.compute.mechanics.efficient.inverse_dynamics import inverse_dynamics
from dynamis.compute.mechanics.mechanism import Mechanism, State, Wrench
from dynamis.scalars.vectors import S, Vector


def forward_dynamics(
    m: Mechanism[S],
    state: State[S],
    tau: Sequence[S],
    gravity: Vector[S] | None = None,
    loads: Sequence[Wrench[S] | None] = (),
) -> list[S]:
    """qdd [rad/s^2 or m/s^2] under the motors' tau, friction, rotors, gravity and loads; state.qdd is not read.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=1, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> forward_dynamics(m, state_at(m, [0.0, 0.0]), [30.0, 6.0])
    [0.0, 3.0]
    """
    bias = inverse_dynamics(m, replace(state, qdd=[m.zero] * m.joints), gravity, loads)
    left: list[Any] = [a - b for a, b in zip(tau, bias, strict=True)]
    return factor(m, mass_matrix(m, state)).solve(left)


def forward_dynamics_derivatives(
    m: Mechanism[S],
    state: State[S],
    gravity: Vector[S] | None = None,
    loads: Sequence[Wrench[S] | None] = (),
    load_rates: Sequence[Sequence[Wrench[S] | None]] = (),
) -> tuple[Rows[S], Rows[S], Rows[S]]:
    """dqdd/dq, dqdd/dqd and dqdd/dtau, each (n, n); state.qdd is the qdd that tau gives.

    `loads` and `load_rates` as for the derivatives of inverse dynamics.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism, state_at
    >>> arm = load("cartesian").with_values(m1=3, m2=2, g=10)
    >>> m = mechanism(arm, arm.floats())
    >>> forward_dynamics_derivatives(m, state_at(m, [0.0, 0.0]))[2]
    [[0.2, 0.0], [0.0, 0.5]]
    """
    M = factor(m, mass_matrix(m, state))
    by_q, by_qd = inverse_dynamics_derivatives(m, state, gravity, loads, load_rates)
    return _less(M, by_q), _less(M, by_qd), M.inverse()


def _less(M: Factor[S], rows: Rows[S]) -> Rows[S]:
    """-M^-1 times a matrix."""
    columns = [M.solve([-row[j] for row in rows]) for j in range(len(rows))]
    return [[column[i] for column in columns] for i in range(len(rows))]
