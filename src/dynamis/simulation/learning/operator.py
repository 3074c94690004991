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

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.quantities.arguments import Gravity
from dynamis.robot import Robot
from dynamis.simulation.controllers.law import Condition
from dynamis.simulation.learning.update import Update

MOST_UNKNOWNS = 20_000
"""Samples times joints; beyond it the norm is not computed, and poles and radius are at fewer instants."""
INSTANTS = 1000
"""Instants of a long motion at which poles and radius are computed."""
LANCZOS_STEPS = 60
"""The norm is then right to about 1e-3."""
TERMS = 8
"""Terms of the exponential series over a sample: the first left out is (rate Tc)^9 / 9!, 3e-6 for rate Tc = 1."""


@dataclass(frozen=True)
class LearningOperator:
    """What the linearised trials say; None where it was not computed.

    `loop` is the largest modulus of the PD loop's poles in samples, frozen along the motion; `norm` is ||T|| in the
    norm of K_D^-1; `radius` the spectral radius of T.
    """

    loop: float
    norm: float | None
    radius: float | None
    words: str = ""
    falls: bool = False
    """Whether the largest pole is real and beyond 1: not the samples but gravity or a load pulls the robot away."""

    @property
    def conditions(self) -> list[Condition]:
        """Each with its numbers."""
        stable = Condition(
            "the PD loop alone is stable at this period, |z| < 1 for its poles along the motion", self.loop < 1,
            f"The largest |z| is {self.loop:.5g}, each instant linearised on its own."
            + " Gravity or a load pulls away from the motion more than K_P holds." * self.falls,
        )  # fmt: skip
        monotone = Condition(
            "||T|| < 1 for the map T from a trial's torque error to the next one's, so that it decreases every trial",
            None if self.norm is None else self.norm < 1,
            self.words if self.norm is None else f"||T|| is {self.norm:.5g}, linearised along the motion. It is only "
            "sufficient.",
        )  # fmt: skip
        words = self.words if self.radius is None else f"It is {self.radius:.5g}, linearised along the motion."
        if self.radius == 1:
            words = (
                "It is 1: without ahead=1 the torque of a sample learns from an error that it does not act on. Over "
                "very many trials the error grows again, also where the first ones converge."
            )
        radius = Condition(
            "the spectral radius of T is below 1, so that the trials converge in the end",
            None if self.radius is None else self.radius < 1, words,
        )  # fmt: skip
        return [stable, monotone, radius]


def learning_operator(
    model: Robot, goal: tuple[Array, Array, Array], tau: Array, kp: Array, kd: Array, update: Update,
    gravity: Gravity = True,
) -> LearningOperator:  # fmt: skip
    """T of a model without loads along the motion `goal`, whose torques are `tau`, (count, n) each."""
    n, count = model.n, len(tau)
    some: Any = slice(None, None, max(1, count // INSTANTS) if n * count > MOST_UNKNOWNS else 1)
    A, B = _sampled(model, (goal[0][some], goal[1][some], tau[some]), update.period, gravity)
    K = np.concatenate([np.diag(kp), np.diag(kd)], axis=1)
    L = np.concatenate([np.diag(update.lp), np.diag(update.ld)], axis=1)
    F = A - B @ K
    poles = np.linalg.eigvals(F).ravel()
    largest: Any = poles[np.abs(poles).argmax()]
    loop = float(np.abs(largest))
    falls = bool(loop >= 1 and np.real(largest) > 0.9 * loop)
    radius = None
    if update.cutoff is None and update.ahead < 2:
        # T is block triangular: its eigenvalues are those of its diagonal.
        own = np.eye(n) - L @ B if update.ahead else np.eye(n)
        radius = float(np.abs(np.linalg.eigvals(own)).max())
    if n * count > MOST_UNKNOWNS:
        skipped = f"{count:,} samples of {n} joints are more than the limit ({MOST_UNKNOWNS:,} torques)."
        return LearningOperator(loop, None, radius, skipped, falls)
    if loop >= 1.5:
        return LearningOperator(loop, None, radius, "It is not defined where the PD loop itself is not stable.", falls)
    norm = max(_norm(F, B, L, 1 / np.sqrt(np.maximum(kd, 1e-12 * max(1.0, float(kd.max())))), update), radius or 0.0)
    words = "It is not computed with a filter, or with more than one sample ahead."
    return LearningOperator(loop, norm, radius, words, falls)


def _sampled(model: Robot, states: Any, period: float, gravity: Gravity) -> tuple[Array, Array]:
    """A (k, 2n, 2n) and B (k, 2n, n) over one period of held torque."""
    derivatives = model.forward_dynamics_derivatives(*states, gravity=gravity)
    k, n = derivatives.dqdd_dq.shape[:2]
    rates = np.zeros((k, 3 * n, 3 * n))
    rates[:, :n, n : 2 * n] = np.eye(n)
    rates[:, n : 2 * n] = np.concatenate([derivatives.dqdd_dq, derivatives.dqdd_dqd, derivatives.dqdd_dtau], axis=2)
    step = np.eye(3 * n) + np.zeros_like(rates)
    for term in range(TERMS, 0, -1):
        step = np.eye(3 * n) + period / term * rates @ step
    return step[:, : 2 * n, : 2 * n], step[:, : 2 * n, 2 * n :]


def _norm(F: Array, B: Array, L: Array, weights: Array, update: Update) -> float:
    """||W T W^-1||, W = diag(weights) at every sample, from below."""
    sparse: Any = import_module("scipy.sparse")
    linalg: Any = import_module("scipy.sparse.linalg")
    count, n = len(B), B.shape[2]
    size, rows = count * n, np.arange(count)
    inputs: Any = sparse.bsr_array((B, rows, np.arange(count + 1)), shape=(2 * size, size)).tocsc()
    # x(1) .. x(count): x(i+1) - F_i x(i) = B_i du(i)
    backward: Any = sparse.bsr_array(
        (-F[1:], rows[:-1], np.maximum(np.arange(-1, count), 0)), shape=(2 * size, 2 * size)
    )
    whole: Any = (sparse.eye_array(2 * size) + backward).tocsc()
    solver: Any = linalg.splu(whole, permc_spec="NATURAL", diag_pivot_thresh=0.0)
    reads = update.reads

    def learned(x: Array) -> Array:
        full = np.concatenate([np.zeros((1, 2 * n)), x.reshape(count, 2 * n)])
        return update.filtered(full[reads] @ L.T)

    def learned_adjoint(v: Array) -> Array:
        full = np.zeros((count + 1, 2 * n))
        np.add.at(full, reads, update.filtered(v) @ L)
        return full[1:].ravel()

    def product(v: Array) -> Array:
        du = v.reshape(count, n) / weights
        return ((du - learned(solver.solve(inputs @ du.ravel()))) * weights).ravel()

    def adjoint(v: Array) -> Array:
        w = v.reshape(count, n) * weights
        back = inputs.T @ solver.solve(learned_adjoint(w), trans="T")
        return ((w - back.reshape(count, n)) / weights).ravel()

    return float(np.sqrt(_largest(lambda v: adjoint(product(v)), size)))


def _largest(product: Callable[[Array], Array], size: int) -> float:
    """The largest eigenvalue of a symmetric product, from below, by Lanczos' method with full reorthogonalisation.

    ARPACK (`svds`) stops by the error of the vector, which does not converge where singular values cluster, as those of
    a learning operator do near 1 (8000 iterations were not enough for a Cartesian robot); the value converges at once.
    """
    start = np.random.default_rng(0).standard_normal(size)
    basis: list[Array] = [start / np.linalg.norm(start)]
    diagonal, beside = list[float](), list[float]()
    for _ in range(min(LANCZOS_STEPS, size)):
        w = product(basis[-1])
        diagonal.append(float(w @ basis[-1]))
        known = np.array(basis)
        for _ in range(2):
            w = w - known.T @ (known @ w)
        beside.append(float(np.linalg.norm(w)))
        if beside[-1] <= 1e-12 * abs(diagonal[0]):
            break
        basis.append(w / beside[-1])
    return float(import_module("scipy.linalg").eigvalsh_tridiagonal(diagonal, beside[: len(diagonal) - 1]).max())
