"""Is M(q) positive definite for all q? Proved, refuted by a counterexample, or left open after sampling.

The arguments, in the order in which they are tried; the first that decides is the answer.

| argument | joints | of | module |
|---|---|---|---|
| a square of det M is never zero | 2 | symbols, diagonal inertias | `by_minors` |
| every joint moves inertia of its own | any | symbols | `by_kinetic_energy` |
| can all squares of det M be zero? | 2 | symbols | `by_minors` |
| real zeros of det M | 2 | rationals | `by_one_coordinate` |
| det M > 0 on intervals | 2 | numbers | `by_one_coordinate` |
| the second, with links assumed to be bodies | any | symbols | `by_kinetic_energy` |
| the third, with links assumed to be bodies | 2 | symbols | `by_minors` |
| a counterexample at right angles | any | symbols | `counterexamples` |

All but those in numbers assume that masses and rotor inertias are >= 0 and inertias about the CoM positive
semidefinite, as those of bodies are; for links in numbers this is checked, exactly. A positive definite inertia of
a link in symbols is assumed only where nothing else decides, and the answer names those links.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from dynamis.compute.mechanics.dynamics.mass_matrix import mass_matrix
from dynamis.compute.mechanics.mechanism import mechanism, state_at
from dynamis.exact.closed_form.closed_form import ClosedForm
from dynamis.exact.closed_form.signs import positive_symbols
from dynamis.exact.positive_definite.by_kinetic_energy import by_kinetic_energy, own_inertias
from dynamis.exact.positive_definite.by_minors import by_all_squares, by_one_square, minors
from dynamis.exact.positive_definite.by_one_coordinate import by_one_coordinate
from dynamis.exact.positive_definite.counterexamples import at_right_angles, with_numbers
from dynamis.exact.positive_definite.physical_links import are_bodies
from dynamis.exact.positive_definite.verdict import RANDOM_SAMPLES, PositiveDefinite
from dynamis.scalars.exact.symbols import Symbol

__all__ = ["PositiveDefinite", "positive_definite"]

# Of the largest eigenvalue; some thousand times what rounding does to the others.
RELATIVE_ROUNDING = 1e-12


def positive_definite(model: ClosedForm) -> PositiveDefinite:
    """Whether M(q) > 0 for all q.

    >>> from dynamis import load
    >>> verdict = positive_definite(load("deluca-2r").equations())
    >>> verdict.method, verdict.proved, verdict.squares[0]
    ('sum of squares', True, (m1*m2, d1^2*d2^2))
    """
    positive = positive_symbols(model)
    bodies = are_bodies(model, positive)
    verdict = _of_bodies(model, positive) if bodies else None
    # With coupled joints M depends on the first coordinate, too, which these two arguments take for granted.
    independent = not model.robot.coupled
    if verdict is None and independent:
        verdict = by_one_coordinate(model)
    if verdict is None and bodies:
        verdict = _of_assumed_bodies(model, positive)
    if verdict is not None and verdict.method != "not decided":
        return verdict
    if independent and (refuted := at_right_angles(model, positive)) is not None:
        return PositiveDefinite(False, "counterexample", "", singular=refuted)
    return verdict or _sample_eigenvalues(model)


def _of_bodies(model: ClosedForm, positive: frozenset[Symbol]) -> PositiveDefinite | None:
    """The verdict if links are bodies, with no further assumption."""
    squares = minors(model, positive) if model.n == 2 else None
    if squares is not None and (verdict := by_one_square(model, positive, squares)) is not None:
        return verdict
    if (verdict := by_kinetic_energy(model, positive)) is not None:
        return verdict
    return by_all_squares(model, positive, squares) if squares is not None else None


def _of_assumed_bodies(model: ClosedForm, positive: frozenset[Symbol]) -> PositiveDefinite | None:
    """The verdict if links have mass and a positive definite inertia, where symbols do not show it."""
    if (verdict := by_kinetic_energy(model, positive, assume=True)) is not None:
        return verdict
    return by_all_squares(model, positive, minors(model, positive, assume=True)) if model.n == 2 else None


def _sample_eigenvalues(model: ClosedForm) -> PositiveDefinite:
    """By the smallest eigenvalue of M at random q, with the robot's values, random ones where it has none."""
    robot, rng = model.robot, np.random.default_rng(1)
    missing = [name for name in robot.missing_values if name in robot.used_parameters()]
    scalars = with_numbers(robot, {name: Fraction(float(rng.uniform(0.5, 2))) for name in missing})
    m = mechanism(robot, scalars)
    smallest, largest = np.inf, 0.0
    for _ in range(RANDOM_SAMPLES if robot.n else 0):
        M = mass_matrix(m, state_at(m, list(rng.uniform(-np.pi, np.pi, robot.n))))
        eigenvalues = np.linalg.eigvalsh(np.array(M))
        smallest, largest = min(smallest, float(eigenvalues[0])), max(largest, float(eigenvalues[-1]))
    source = f"with random values for {', '.join(missing)}" if missing else "with the values of the robot"
    joints = tuple(inertia.total for inertia in own_inertias(model))
    # Only an eigenvalue below zero by more than rounding decides; positive samples prove nothing.
    holds = False if smallest < -RELATIVE_ROUNDING * largest else None
    return PositiveDefinite(holds, "sampling", source, joints=joints, smallest=float(smallest))
