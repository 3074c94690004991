"""The learning operator of iterative learning control (ILC): from the torques of one trial to those of the next.

It is linearised along the motion and tells whether learning converges.

About the motion the sampled loop is x(i+1) = (A_i - B_i [K_P K_D]) x(i) + B_i du(i), x(0) = 0, where x are the
deviations of q and qd and du those of the torques from what the motion needs. A trial after, with the law of learning,

    du_{k+1} = T du_k,    T du = du - Q [L_P L_D] x

The error decreases monotonically if ||T|| < 1, and in the end if the spectral radius of T is below 1. T is never
written down: x is the solution of a sparse block-bidiagonal system, so a product with T or T^T costs as a trial does.

Source: D. A. Bristow, M. Tharayil, A. G. Alleyne, A survey of iterative learning control, IEEE Control Systems 26,
2006 (the lifted system).
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.quantities.arguments import Gravity
from dynamis.robot import Robot
from dynamis.simulation.controllers.law import Condition
from dynamis.simulation.learning.sampled import sampled_model
from dynamis.simulation.learning.update import Update

MOST_UNKNOWNS = 20_000
"""Samples times joints; beyond it the norm is not computed, and poles and radius are at fewer instants."""
POLE_INSTANTS = 1000
"""Instants of a long motion at which poles and radius are computed."""
NORM_TOLERANCE, DENSE_SIZE = 1e-3, 50
"""The relative error of ||T||^2, and the number of torques below which it is computed as a dense matrix."""


@dataclass(frozen=True)
class LearningOperator:
    """What the linearised trials say, in numbers (None where not computed) and as conditions.

    `loop` is the largest modulus of the PD loop's poles in samples, frozen along the motion; `norm` is ||T|| in the
    norm of K_D^-1; `radius` the spectral radius of T.
    """

    loop: float
    norm: float | None
    radius: float | None
    conditions: tuple[Condition, ...]


def learning_operator(
    model: Robot, goal: tuple[Array, Array, Array], tau: Array, K: Array, update: Update, gravity: Gravity = True
) -> LearningOperator:
    """T of a model without loads along the motion `goal`, whose torques are `tau`, (count, n) each; K is [K_P K_D]."""
    n, count = model.n, len(tau)
    some = slice(None, None, max(1, count // POLE_INSTANTS) if n * count > MOST_UNKNOWNS else 1)
    A, B = sampled_model(model, (goal[0][some], goal[1][some], tau[some]), update.period, gravity)
    F = A - B @ K
    poles: Any = np.linalg.eigvals(F).ravel()
    largest = poles[np.abs(poles).argmax()]
    loop = float(np.abs(largest))
    falls = loop >= 1 and largest.real > 0.9 * loop
    radius, norm = None, None
    if update.cutoff is None and update.ahead < 2:
        # T is block triangular: its eigenvalues are those of its diagonal.
        own = np.eye(n) - update.L @ B if update.ahead else np.eye(n)
        radius = float(np.abs(np.linalg.eigvals(own)).max())
    if n * count <= MOST_UNKNOWNS and loop < 1.5:
        norm = max(_norm(F, B, update, np.sqrt(np.diagonal(K[:, n:]))), radius or 0.0)

    stable = f"The largest |z| is {loop:.5g}, each instant linearised on its own."
    if loop >= 1:
        slow = f"samples every {update.period:g} s are too slow for it; less gain, mainly K_D, or a shorter period"
        pulled = "gravity or a load pulls away more than K_P holds; more K_P, and K_D with it"
        stable = f"The largest |z| of the PD loop is {loop:.5g}: {pulled if falls else slow}."
    if norm is not None:
        grows = ": a part of the torque error may grow by this factor per trial" * (norm >= 1)
        monotone = f"||T|| is {norm:.4g}, linearised along the motion{grows}. It is only sufficient."
    elif loop >= 1.5:
        monotone = "It is not defined where the PD loop itself is not stable."
    else:
        monotone = f"{count:,} samples of {n} joints are more than the limit ({MOST_UNKNOWNS:,} torques)."
    if radius is None:
        ends = "It is not computed with a filter, or with more than one sample ahead."
    elif radius == 1:
        ends = (
            "The spectral radius is 1: every sample learns from the error that it starts with, not from the one that "
            "it makes, which adds up over many trials; ahead=1 learns from the next sample."
        )
    else:
        high = f": the gain of learning is too high; {2 / (1 + radius):.3g} times the gain is the bound"
        ends = f"The spectral radius is {radius:.5g}, linearised along the motion{high if radius > 1 else ''}."
    conditions = (
        Condition("the PD loop alone is stable at this period, |z| < 1 for its poles", loop < 1, stable),
        Condition(
            "||T|| < 1 for the map T from a trial's torque error to the next one's, so that it decreases every trial",
            None if norm is None else norm < 1, monotone,
        ),
        Condition(
            "the spectral radius of T is below 1, so that the trials converge in the end",
            None if radius is None else radius < 1, ends,
        ),
    )  # fmt: skip
    return LearningOperator(loop, norm, radius, conditions)


def _norm(F: Array, B: Array, update: Update, weights: Array) -> float:
    """||W^-1 T W||, W = diag(weights) at every sample, from below."""
    sparse: Any = import_module("scipy.sparse")
    count, n = len(B), int(B.shape[2])
    size, rows = count * n, np.arange(count)

    def blocks(values: Array, columns: Any, starts: Any, shape: tuple[int, int]) -> Any:
        return sparse.bsr_array((values, columns, starts), shape=shape).tocsc()

    # x(1) .. x(count): x(i+1) - F_i x(i) = B_i du(i), x(0) = 0
    inputs = blocks(B * weights, rows, np.arange(count + 1), (2 * size, size))
    backward = blocks(-F[1:], rows[:-1], np.maximum(np.arange(-1, count), 0), (2 * size, 2 * size))
    loop: Any = import_module("scipy.sparse.linalg").splu(
        (sparse.eye_array(2 * size) + backward).tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0.0
    )
    acts = update.reads > 0
    gains = np.repeat((update.L / weights[:, None])[None], acts.sum(), axis=0)
    learned = blocks(gains, update.reads[acts] - 1, np.concatenate([[0], np.cumsum(acts)]), (size, 2 * size))

    def filtered(v: Array) -> Array:
        return update.filtered(v.reshape(count, n)).ravel()

    def squared(v: Array) -> Array:
        """T^T T v"""
        w = v - filtered(learned @ loop.solve(inputs @ v))
        return w - inputs.T @ loop.solve(learned.T @ filtered(w), trans="T")

    if size < DENSE_SIZE:
        return float(np.linalg.norm(np.array([squared(row) for row in np.eye(size)]), 2)) ** 0.5
    linalg: Any = import_module("scipy.sparse.linalg")
    start = np.random.default_rng(0).standard_normal(size)
    product = linalg.LinearOperator((size, size), matvec=squared, dtype=np.float64)
    return (
        float(linalg.eigsh(product, 1, which="LA", v0=start, tol=NORM_TOLERANCE, return_eigenvectors=False)[0]) ** 0.5
    )
