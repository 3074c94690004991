"""Least squares: ordinary, weighted by joint, robust against outliers, total, and with instrumental variables.

    ordinary       min |A x - b|^2                       every N m counts the same
    weighted       min sum over joints |A_j x - b_j|^2 / s_j^2     s_j the residual of joint j, iterated
    robust         weighted, and residuals beyond 1.345 s_j count by their size, not by its square (Huber 1964)
    total          min |[dA db]| with (A + dA) x = b + db     noise in every column as large as in the torques
    instrumental   Z^T A x = Z^T b     noise in the motion that Z does not share

Noise in the positions makes A noisy, and A^T A too large: least squares gives too small inertias, however many samples
there are. Here A is made from the even rows of the log and Z from the odd ones, and the other way round; noise that
differs from row to row is independent in the two, and Z^T A has none on average. What the controller feeds back of the
noise remains.

Directions that the samples do not tell keep the values of the robot as it was given.
Source: M. Gautier and P. Poignet, Extended Kalman filtering and weighted least squares dynamic identification of robot,
Control Engineering Practice 9(12), 2001; P. J. Huber, Robust estimation of a location parameter, 1964; A. Janot,
P.-O. Vandanjon, M. Gautier, A generic instrumental variable approach for industrial robot identification, IEEE Trans.
Control Systems Technology 22(1), 2014, whose instruments are simulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.factor import Factor, combine_factors, factor, triangle
from dynamis.apps.identification.fitting.statistics import column_scales, null_directions
from dynamis.apps.identification.logs.samples import Samples
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError

METHODS = ("weighted", "ordinary", "robust", "total", "instrumental")
HUBER_CONSTANT = 1.345
"""In units of the standard deviation: 95 % of the efficiency of least squares where there are no outliers."""
WELL_CONDITIONED = 1e6
"""Below it a triangular system is solved as it is: it loses six of sixteen digits at most."""
REWEIGHTING_ROUNDS = 3
"""Of reweighting by joint; the weights change by less than a percent after two."""


@dataclass(frozen=True)
class Estimate:
    """beta, and the weights 1/s_j that it was found with."""

    beta: Array
    weights: Array
    instrumental: bool = False

    def covariance(self, of: Factor, variances: Array) -> Array:
        """Of beta, for torques with these variances per coordinate [(N m)^2]: P (sum w^4 s^2 A^T A) P.

        P = (sum w^2 A^T A)^-1, or with instruments (sum w^2 Z^T A)^-1.
        """
        noisy, _ = of.stacked(self.weights**2 * np.sqrt(variances))
        if self.instrumental:
            return sandwich(_inverse(of.normal(self.weights)[0]), noisy)
        return sandwich(inverse_information(of.stacked(self.weights)[0]), noisy)


def sandwich(P: Array, noisy: Array) -> Array:
    """P (noisy^T noisy) P."""
    half = noisy @ P
    return half.T @ half


def inverse_information(A: Array) -> Array:
    """(A^T A)^-1; 0 along the directions that the samples do not tell."""
    scales = column_scales(A)
    values, told, _ = null_directions(A / scales)
    return (told.T / values[: len(told)] ** 2) @ told / np.outer(scales, scales)


def _inverse(N: Array) -> Array:
    """Of a symmetric matrix that is positive on average; 0 along the directions that the samples do not tell."""
    scales = np.sqrt(np.abs(np.diag(N)))
    scales = np.where(scales > 0, scales, 1.0)
    values, axes = np.linalg.eigh(N / np.outer(scales, scales))
    kept = values > 1e-12 * values.max(initial=0.0)  # rounding leaves 1e-16
    return (axes[:, kept] / values[kept]) @ axes[:, kept].T / np.outer(scales, scales)


def solve(A: Array, b: Array, start: Array) -> Array:
    """The least-squares solution nearest to `start` where A does not tell."""
    scales = column_scales(A)
    # The triangle of [A | b] has the same singular values and solutions in fewer rows.
    R = triangle([np.column_stack([A / scales, b - A @ start])])
    count = A.shape[1]
    if len(R) >= count and (np.diag(R)[:count] != 0).all():
        # The product of the norms bounds the condition number: where it is small no singular values are needed.
        inverse = np.linalg.inv(R[:count, :count])
        if np.linalg.norm(inverse) * np.linalg.norm(R[:count, :count]) < WELL_CONDITIONED:
            return start + inverse @ R[:count, -1] / scales
    U, values, Vt = np.linalg.svd(R[:, :-1], full_matrices=False)
    kept = values > 1e-10 * values.max(initial=0.0)
    return start + (Vt[kept].T / values[kept]) @ (U[:, kept].T @ R[:, -1]) / scales


def estimate(of: Factor, method: str, start: Array) -> Estimate:
    """beta of a factor by a method other than the robust one, which needs the samples."""
    weights = np.ones(of.n)
    A, b = of.stacked(weights)
    if method == "total":
        return Estimate(_total(A, b), weights)
    beta = solve(A, b, start)
    for _ in range(REWEIGHTING_ROUNDS if method != "ordinary" else 0):
        weights = joint_weights(of, beta)
        beta = solve(*of.stacked(weights), start)
    if method == "instrumental":
        N, r = of.normal(weights)
        return Estimate(start + _inverse(N) @ (r - N @ start), weights, True)
    return Estimate(beta, weights)


def joint_weights(of: Factor, beta: Array) -> Array:
    """1/s_j; a residual that is only rounding is taken as 1e-12 of the torque, so that no joint counts infinitely."""
    rms, size = of.rms(beta), of.torque_rms()
    floor = 1e-12 * max(float(size.max(initial=0.0)), 1e-300)
    return 1 / np.maximum(rms, floor)


def robust(of: Factor, runs: Sequence[Samples], start: Array, rounds: int = 8) -> tuple[Estimate, Factor]:
    """Huber's estimate, by iteratively reweighted least squares; and the factor with the last weights."""
    model, now = of.model, estimate(of, "weighted", start)
    weighted = of
    for _ in range(rounds):
        residuals = [run.tau - model.predicted(now.beta, run) for run in runs]
        spread = 1.4826 * np.median(np.abs(np.concatenate(residuals)), axis=0)  # of a normal distribution
        floor = 1e-12 * max(float(of.torque_rms().max(initial=0.0)), 1e-300)
        spread = np.maximum(spread, floor)
        parts = [
            factor(model, run, np.sqrt(np.minimum(1.0, HUBER_CONSTANT * spread / np.maximum(np.abs(r), floor))))
            for run, r in zip(runs, residuals, strict=True)
        ]
        weighted = combine_factors(parts)
        weights = 1 / spread
        beta = solve(*weighted.stacked(weights), start)
        moved = np.abs(beta - now.beta).max(initial=0.0)
        now = Estimate(beta, weights)
        if moved <= 1e-9 * max(np.abs(beta).max(initial=0.0), 1e-300):
            break
    return now, weighted


def _total(A: Array, b: Array) -> Array:
    """Golub and Van Loan 1980: the direction along which [A b] is least, columns scaled to the length of b."""
    scales, size = column_scales(A), max(float(np.linalg.norm(b)), 1e-300)
    _, _, Vt = np.linalg.svd(np.column_stack([A / scales, b / size]), full_matrices=True)
    last = Vt[-1]
    if abs(last[-1]) < 1e-12:
        raise ArgumentError(
            "total least squares has no solution for these samples: they do not tell all parameters; use weighted",
            key="method",
        )
    return -last[:-1] / last[-1] * size / scales
