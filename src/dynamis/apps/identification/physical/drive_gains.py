"""Drive gains, torque over motor current, from logs of the arm with and without a payload that was weighed.

Currents alone tell the parameters of an arm up to a factor per joint; the known payload sets the scale. With the base
columns Y_b of the bare arm and Y_b K_p of the payload, the currents of joint j are

    i_j = Y_j (beta + K_p p) / k_j

with p = 0 in the logs without it. beta, the gains k and what is not known of p minimise the squared errors of the
currents, weighted by joint: noise of the currents does not bias the gains, as it does where k i = Y beta is fitted.

Source: M. Gautier, S. Briot, Global identification of joint drive gains and dynamic parameters of robots, ASME J.
Dynamic Systems, Measurement and Control 136(5), 2014, which solves it by total least squares.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.estimators import inverse_information, joint_weights, solve
from dynamis.apps.identification.fitting.factor import Factor
from dynamis.apps.identification.physical.pseudo_inertia import TEN
from dynamis.base.arrays import Array
from dynamis.base.errors import ArgumentError

GAUSS_NEWTON_ROUNDS = 30
"""Of Gauss and Newton; five suffice where the motion tells the gains."""


@dataclass(frozen=True)
class DriveGains:
    """Torque over current [N m/A or N/A], one per coordinate."""

    values: Array
    standard_errors: Array


def drive_gains(K: Array, bare: Factor, loaded: Factor, known: dict[int, float]) -> DriveGains:
    """The gains, from factors whose torques are currents [A].

    K: (rank, 10), the base columns of the payload's parameters
    known: entries of the ten that are known; the mass at least

    Standard errors are those of white residuals.
    """
    n, rank = bare.n, len(K)
    unknown = [k for k in range(TEN) if k not in known]
    held = K @ np.array([known.get(k, 0.0) for k in range(TEN)])
    x = _start(K[:, unknown], bare, loaded, held)
    scale = float(np.median(np.abs(x[-n:])))
    if not scale or (x[-n:] <= 1e-6 * scale).any():
        raise ArgumentError(
            f"the gain of joint {int(x[-n:].argmin()) + 1} comes out as {x[-n:].min():.3g} N m/A: its current has the "
            "wrong sign, or the motion does not tell it",
            key="gains",
        )
    weights = np.ones(n)
    for _ in range(GAUSS_NEWTON_ROUNDS):
        J, e = _jacobian(x, K[:, unknown], bare, loaded, held, weights)
        step = solve(J, e, np.zeros(len(x)))
        k = x[-n:]
        # A gain never changes by more than a half at a time, so that it keeps its sign.
        shrink = min(1.0, float((0.5 * k / np.maximum(np.abs(step[-n:]), 1e-300)).min()))
        x = x + shrink * step
        beta, p, k = x[:rank], x[rank : rank + len(unknown)], x[-n:]
        squares = _per_gain(bare, beta, k) + _per_gain(loaded, beta + held + K[:, unknown] @ p, k)
        rms = np.sqrt(squares / max(bare.samples + loaded.samples, 1))
        weights = 1 / np.maximum(rms, 1 / joint_weights(bare, np.zeros_like(beta)).max() * 1e-9)
        if np.abs(step[-n:] / k).max() < 1e-10:
            break
    # The rows of every joint are scaled to an error of 1.
    information, _ = _jacobian(x, K[:, unknown], bare, loaded, held, weights)
    errors = np.sqrt(np.maximum(np.diag(inverse_information(information)), 0.0))
    return DriveGains(x[-n:], errors[-n:])


def _start(K: Array, bare: Factor, loaded: Factor, held: Array) -> Array:
    """(beta, p, k) with Y (beta + K p) - k i = -Y held, by ordinary least squares."""
    rank, n = len(K), bare.n
    rows: list[Array] = []
    right: list[Array] = []
    for of, with_payload in ((bare, 0.0), (loaded, 1.0)):
        for j, row in enumerate(of.model.rows):
            Y = np.zeros((len(of.R[j]), rank))
            Y[:, list(row)] = of.left(j)
            gains = np.zeros((len(Y), n))
            gains[:, j] = -of.right(j)
            rows.append(np.hstack([Y, with_payload * (Y @ K), gains]))
            right.append(-with_payload * (Y @ held))
    A = np.vstack(rows)
    return solve(A, np.concatenate(right), np.zeros(len(A.T)))


def _jacobian(x: Array, K: Array, bare: Factor, loaded: Factor, held: Array, weights: Array) -> tuple[Array, Array]:
    """J and e of the step J dx = e of Gauss and Newton, the rows of every coordinate times its weight."""
    rank, n = len(K), bare.n
    beta, p, k = x[:rank], x[rank : rank + K.shape[1]], x[-n:]
    rows: list[Array] = []
    errors: list[Array] = []
    for of, with_payload in ((bare, 0.0), (loaded, 1.0)):
        now = beta + with_payload * (held + K @ p)
        for j, row in enumerate(of.model.rows):
            Y = np.zeros((len(of.R[j]), rank))
            Y[:, list(row)] = of.left(j) * weights[j] / k[j]
            gains = np.zeros((len(Y), n))
            gains[:, j] = -(Y @ now) / k[j]
            rows.append(np.hstack([Y, with_payload * (Y @ K), gains]))
            errors.append(of.right(j) * weights[j] - Y @ now)
    return np.vstack(rows), np.concatenate(errors)


def _per_gain(of: Factor, x: Array, k: Array) -> Array:
    """Squared errors of the currents."""
    return np.array([
        float(np.sum((of.left(j) @ x[list(row)] / k[j] - of.right(j)) ** 2)) for j, row in enumerate(of.model.rows)
    ])  # fmt: skip
