"""Mass matrix, forward dynamics, Coriolis matrix, derivatives: random trees against Pinocchio and the plain path."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pinocchio as pin
from hypothesis import given, settings

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.dynamics import mass_matrix
from dynamis.compute.mechanics.dynamics.applied_loads import applied_wrench_rates, applied_wrenches
from dynamis.compute.mechanics.dynamics.newton_euler import newton_euler
from dynamis.compute.mechanics.efficient import articulated_body, common_frames, composite_body, forward_dynamics
from dynamis.compute.mechanics.efficient.coriolis_matrix import coriolis_matrix
from dynamis.compute.mechanics.efficient.derivatives import inverse_dynamics_derivatives
from dynamis.compute.mechanics.efficient.factor import cholesky, factor
from dynamis.compute.mechanics.efficient.gravity_torque import gravity_torque
from dynamis.compute.mechanics.efficient.inverse_dynamics import inverse_dynamics
from dynamis.compute.mechanics.mechanism import Mechanism, State, Wrench, mechanism, state_at
from dynamis.scalars.vectors import Vector
from tests.support import closeness
from tests.support.duals import derivatives, dual_state
from tests.support.pinocchio_trees import Reference
from tests.support.strategies import Case, robots

TREES = 60
# Relative to the norm of the expected array; what is seen is 1e-14.
TIGHT = 1e-12


def close(found: Any, expected: Any, scale: float | None = None) -> None:
    """Agree to TIGHT; a robot whose joints are all fixed has empty matrices."""
    closeness.close(np.reshape(found, np.shape(expected)), expected, scale, TIGHT)


def scalars(case: Case, **given: Array) -> tuple[Mechanism[float], State[float]]:
    """The robot and its state in floats; `given` replaces q, qd or qdd."""
    robot = case.robot()
    values = [given.get(name, getattr(case, name)).tolist() for name in ("q", "qd", "qdd")]
    m = mechanism(robot, robot.floats())
    return m, state_at(m, *values)


def surroundings(case: Case) -> tuple[Vector[float], list[Wrench[float] | None]]:
    """Gravity and loads, as the algorithms take them."""
    robot, (m, state) = case.robot(), scalars(case)
    return Vector(*case.acting_gravity.tolist()), applied_wrenches(robot, m, state, case.loads)


def sizes(case: Case) -> tuple[float, float]:
    """The size of what cancels where a joint's torque does not depend on q or qd: the largest wrench, M times qd."""
    (m, state), around = scalars(case), surroundings(case)
    wrenches = newton_euler(m, state, *around).wrenches
    M = mass_matrix.mass_matrix(m, state)
    return max(abs(x) for w in wrenches for v in (w.force, w.moment) for x in v), float(
        np.linalg.norm(M) * np.linalg.norm(case.qd)
    )


def depth_first(case: Case) -> Case:
    """The same tree with every branch numbered in one go, as Pinocchio's matrices need it."""

    def below(root: int | None) -> list[int]:
        found = [i for i, part in enumerate(case.parts) if part.parent == root]
        return [k for i in found for k in (i, *below(i))]

    order = below(None)
    new = {old: i for i, old in enumerate(order)}
    parts = [replace(case.parts[i], parent=new.get(case.parts[i].parent)) for i in order]  # type: ignore[arg-type]
    moved = {name: case.of_part(getattr(case, name))[order] for name in ("q", "qd", "qdd")}
    moving = [i for i, part in enumerate(parts) if part.moves]
    states = {name: values[moving] for name, values in moved.items()}
    return replace(case, parts=tuple(parts), tool_on=new[case.tool_on], **states)


def reference(case: Case) -> Reference:
    """Pinocchio's model, with the rotors as its armature."""
    found = Reference.of(case)
    found.model.armature = np.array([part.reflected for part in case.parts])
    return found


def square(matrix: Any, case: Case) -> Array:
    """The rows and columns of the moving joints."""
    return np.asarray(matrix)[np.ix_(case.moving, case.moving)]


@settings(max_examples=TREES)
@given(robots(friction=True))
def test_the_mass_matrix(case: Case) -> None:
    m, state = scalars(case)
    M = composite_body.mass_matrix(m, state)
    close(M, mass_matrix.mass_matrix(m, state))
    np.testing.assert_array_equal(M, np.transpose(M))
    close(common_frames.mass_matrix(m, state, span=2), M)
    case = depth_first(case)
    other = reference(case)
    upper = np.triu(pin.crba(other.model, other.data, other.q))
    close(composite_body.mass_matrix(*scalars(case)), square(upper + np.triu(upper, 1).T, case))


@settings(max_examples=TREES)
@given(robots(friction=True, loads=True))
def test_inverse_dynamics(case: Case) -> None:
    """In regrouped moments as with masses and CoMs; gravity's torque alone."""
    (m, state), around = scalars(case), surroundings(case)
    close(inverse_dynamics(m, state, *around), newton_euler(m, state, *around).tau, scale=sizes(case)[0])
    still = state_at(m, case.q.tolist(), [0.0] * m.n, [0.0] * m.n)
    held = newton_euler(m, still, around[0])
    size = max(abs(x) for w in held.wrenches for v in (w.force, w.moment) for x in v)
    close(gravity_torque(m, state, around[0]), held.tau, scale=size)


@settings(max_examples=TREES)
@given(robots(friction=True, loads=True, solid=True))
def test_forward_dynamics_undoes_inverse_dynamics(case: Case) -> None:
    (m, state), around = scalars(case), surroundings(case)
    tau = newton_euler(m, state, *around).tau
    M = np.reshape(mass_matrix.mass_matrix(m, state), (m.n, m.n))
    size = float(np.linalg.norm(tau) + np.linalg.norm(np.abs(M) @ np.abs(case.qdd)))
    for forward in (articulated_body.forward_dynamics, forward_dynamics.forward_dynamics):
        found = forward(m, state, tau, *around)
        # Compared as torques: an error of theirs grows by M^-1.
        close(M @ (np.array(found) - case.qdd), np.zeros(m.n), scale=size)


@settings(max_examples=TREES)
@given(robots(loads=True, solid=True))
def test_forward_dynamics(case: Case) -> None:
    other, around = reference(case), surroundings(case)
    m, state = scalars(case)
    tau = newton_euler(m, state, *around).tau
    still = pin.StdVec_Force()
    still.extend(other.applied())
    # Fixed joints are held still by what they need for it.
    needed = pin.rnea(other.model, other.data, other.q, other.v, other.a, still)
    needed[case.moving] = tau
    expected = pin.aba(other.model, other.data, other.q, other.v, needed, still)[case.moving]
    close(articulated_body.forward_dynamics(m, state, tau, *around), expected)


@settings(max_examples=TREES)
@given(robots(friction=True, loads=True))
def test_derivatives_of_inverse_dynamics(case: Case) -> None:
    """Newton-Euler on dual numbers, the loads too, gives the same."""
    robot, (m, state), (gravity, wrenches) = case.robot(), scalars(case), surroundings(case)
    rates = applied_wrench_rates(robot, m, state, case.loads)
    by_q, by_qd = inverse_dynamics_derivatives(m, state, gravity, wrenches, rates)
    duals: Any = dual_state(m, case.q, case.qd, case.qdd)
    loads: Any = applied_wrenches(robot, m, duals, case.loads)
    expected_q, expected_qd = derivatives(newton_euler(m, duals, gravity, loads).tau, m.n)
    terms = sizes(case)
    close(by_q, expected_q, scale=float(np.linalg.norm(expected_q)) + terms[0])
    close(by_qd, expected_qd, scale=float(np.linalg.norm(expected_qd)) + terms[1])


@settings(max_examples=TREES)
@given(robots())
def test_derivatives_as_pinocchio_has_them(case: Case) -> None:
    case = depth_first(case)
    other, (m, state) = reference(case), scalars(case)
    expected = pin.computeRNEADerivatives(other.model, other.data, other.q, other.v, other.a)
    by_q, by_qd = inverse_dynamics_derivatives(m, state)
    terms = sizes(case)
    close(by_q, square(expected[0], case), scale=float(np.linalg.norm(expected[0])) + terms[0])
    close(by_qd, square(expected[1], case), scale=float(np.linalg.norm(expected[1])) + terms[1])


@settings(max_examples=TREES)
@given(robots())
def test_the_coriolis_matrix(case: Case) -> None:
    """C qd are the velocity torques, C + C^T is dM/dt, and C is Pinocchio's."""
    m, state = scalars(case)
    C = np.reshape(coriolis_matrix(m, state), (m.n, m.n))
    still = state_at(m, case.q.tolist(), case.qd.tolist(), [0.0] * m.n)
    close(C @ case.qd, newton_euler(m, still, m.null).tau)
    duals: Any = dual_state(m, case.q, case.qd, case.qdd)
    M = composite_body.mass_matrix(m, duals)
    rates, _ = derivatives([entry for row in M for entry in row], m.n)
    close(C + C.T, (rates @ case.qd).reshape(m.n, m.n))
    case = depth_first(case)
    other = reference(case)
    expected = pin.computeCoriolisMatrix(other.model, other.data, other.q, other.v)
    close(coriolis_matrix(*scalars(case)), square(expected, case))


def above(case: Case, i: int | None) -> set[int]:
    """A link and those that carry it."""
    return set() if i is None else {i, *above(case, case.parts[i].parent)}


@settings(max_examples=TREES)
@given(robots(friction=True, solid=True))
def test_factors_and_the_inverse(case: Case) -> None:
    m, state = scalars(case)
    M = np.reshape(composite_body.mass_matrix(m, state), (m.n, m.n))
    factored = factor(m, M.tolist())
    L, D = np.reshape(factored.L, M.shape) + np.eye(m.n), np.diag(1 / np.array(factored.per_D))
    close(L.T @ D @ L, M)
    # Zeros of branches stay; others, as of a slide along the axis before it, fill up.
    apart = ~np.array([[i in above(case, j) or j in above(case, i) for j in case.moving] for i in case.moving], bool)
    apart = apart.reshape(M.shape)
    assert np.all(M[apart] == 0)
    assert np.all(L[apart] == 0)
    lower = np.reshape(cholesky(M.tolist(), m.scalars), M.shape)
    close(lower @ lower.T, M)
    np.testing.assert_array_equal(lower, np.tril(lower))
    inverse = np.reshape(factored.inverse(), M.shape)
    np.testing.assert_array_equal(inverse, inverse.T)
    condition = float(np.linalg.cond(M)) if m.n else 1.0
    close(inverse @ M, np.eye(m.n), scale=condition)
    close(M @ factored.solve(case.qd.tolist()), case.qd, scale=float(np.linalg.norm(case.qd)) * condition)


@settings(max_examples=TREES)
@given(robots(solid=True, kinds=("revolute", "prismatic")))
def test_derivatives_of_forward_dynamics(case: Case) -> None:
    """Pinocchio's, compared as torques: M dqdd/dq; for Pinocchio no joint is fixed here."""
    case = depth_first(case)
    other, (m, state) = reference(case), scalars(case)
    tau = pin.rnea(other.model, other.data, other.q, other.v, other.a)
    pin.computeABADerivatives(other.model, other.data, other.q, other.v, tau)
    inverse = pin.computeMinverse(other.model, other.data, other.q)
    inverse = np.triu(inverse) + np.triu(inverse, 1).T
    M = np.array(mass_matrix.mass_matrix(m, state))
    found = [np.array(x) for x in forward_dynamics.forward_dynamics_derivatives(m, state)]
    expected = (other.data.ddq_dq, other.data.ddq_dv, inverse)
    for ours, theirs, size in zip(found, expected, (*sizes(case), 1.0), strict=True):
        product = M @ theirs
        scale = float(np.linalg.norm(np.abs(M) @ np.abs(theirs)) + np.linalg.norm(product)) + size
        close(M @ ours, product, scale=scale)
