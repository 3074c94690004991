"""How far torques are off at other states by what the model has no terms for.

Residuals on the log know it only in part. A filter takes away from both the torques and the model what friction does
where a joint turns back, and friction that grows with the load passes for constant where the load is nearly constant.
Three estimates stand for that:

- what a wider model, with friction that saturates early, grows with the square of the speed and with the load of the
  links, predicts differently when it is fitted to what is left
- what unfiltered residuals depend on the speed of their own joint, uniformly over its range
- what is left on the log, and that, as far as it is no white noise, as many times larger as torques vary more at other
  states than on the log
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.fitting.statistics import SINGULAR_RATIO, column_scales
from dynamis.apps.identification.judging.elsewhere import states_within
from dynamis.apps.identification.judging.look import EARLY, FEW
from dynamis.apps.identification.judging.residuals import Residuals
from dynamis.apps.identification.logs.samples import Samples
from dynamis.base.arrays import Array
from dynamis.motion.trajectories.trajectory import Motion

SPEEDS = 20
"""Parts of the range of speeds."""
ENOUGH = 8
"""Samples in such a part whose mean says something."""
LOOKED_AT = 20_000
"""Samples whose unfiltered torques are compared."""


def unmodelled(model: LinearModel, beta: Array, left: Residuals, runs: Sequence[Samples]) -> Array:
    """The RMS of such errors at random states in the ranges of the log [N m or N], per coordinate."""
    states = states_within((left.q, left.qd, left.qdd))
    torques, held_out = model.torques(beta, *states), np.sqrt((left.error**2).mean(axis=0))
    grown = np.maximum(torques.var(axis=0) / np.maximum(left.predicted.var(axis=0), 1e-300), 1.0)
    grown = np.where(held_out > 0, grown, 1.0)
    seen = held_out**2 * (1 + np.maximum(left.lag1, 0.0) * (grown - 1))
    weights = 1 / np.maximum(held_out, max(1e-9 * float(np.abs(left.tau).max(initial=0.0)), 1e-300))
    other = _of_other_friction(model, beta, states, runs, weights)
    return np.sqrt(seen + grown * _by_speed(model, beta, left) ** 2 + other**2)


def _by_speed(model: LinearModel, beta: Array, left: Residuals) -> Array:
    """The RMS over the range of speeds of the mean that unfiltered residuals have at a speed of the joint."""
    few = slice(None, None, max(1, len(left.q) // LOOKED_AT))
    qd = left.qd[few]
    errors = left.measured[few] - model.torques(beta, left.q[few], qd, left.qdd[few])
    found = np.zeros(qd.shape[1])
    for j, (v, error) in enumerate(zip(qd.T, errors.T, strict=True)):
        low, high = np.quantile(v, [0.02, 0.98])
        inside = (v >= low) & (v <= high)
        # No part reaches from one direction into the other.
        parts = np.floor(v[inside] / max((high - low) / SPEEDS, 1e-300))
        _, which, count = np.unique(parts, return_inverse=True, return_counts=True)
        mean = np.bincount(which, error[inside]) / count
        noise = (np.bincount(which, error[inside] ** 2) / count - mean**2) / count
        squares = (mean**2 - noise)[count >= ENOUGH]
        found[j] = np.sqrt(max(float(squares.mean()), 0.0)) if len(squares) else 0.0
    return found


def _of_other_friction(
    model: LinearModel, beta: Array, states: Motion, runs: Sequence[Samples], weights: Array
) -> Array:
    """The RMS at some states of what friction of other kinds, and parameters that adapt to it, add to the torques.

    What white noise alone would make of it is taken off.
    """
    every = max(1, sum(map(len, runs)) // FEW)
    some = [run.part(slice(None, None, every)) for run in runs]
    q, qd, qdd, tau = (np.concatenate([getattr(run, key) for run in some]) for key in ("q", "qd", "qdd", "tau"))
    dry, signs = (np.concatenate([run.filtered(x) for run in some]) for x in (model.dry_columns, np.sign))
    speeds = np.maximum(EARLY * qd.std(axis=0), 1e-300)
    here = _wider(model, beta, (q, qd, qdd), speeds, dry, signs)
    there = _wider(model, beta, states, speeds, None, np.sign(states[1]))
    size = len(model.base) + 3 * model.robot.n
    N, right = np.zeros((size, size)), np.zeros(size)
    rest = tau - model.torques(beta, q, qd, qdd, dry)
    places = [[*row, *range(len(model.base) + 3 * j, len(model.base) + 3 * j + 3)] for j, row in enumerate(model.rows)]
    for j, place in enumerate(places):
        X = here[j] * weights[j]
        N[np.ix_(place, place)] += X.T @ X
        right[place] += X.T @ (rest[:, j] * weights[j])
    scales = column_scales(np.diag(np.sqrt(np.diag(N))))
    C = np.linalg.pinv(N / np.outer(scales, scales), rcond=SINGULAR_RATIO, hermitian=True) / np.outer(scales, scales)
    x = C @ right
    squares = np.array([((X @ x[place]) ** 2).mean() for X, place in zip(there, places, strict=True)])
    noise = [np.einsum("ki,ij,kj->k", X, C[np.ix_(p, p)], X).mean() for X, p in zip(there, places, strict=True)]
    return np.sqrt(np.maximum(squares - noise, 0.0))


def _wider(
    model: LinearModel, beta: Array, motion: Motion, speeds: Array, dry: Array | None, signs: Array
) -> list[Array]:
    """Per coordinate its base columns and those of other friction."""
    columns: list[Array] = []
    qd = motion[1]
    for j, (Y, row) in enumerate(zip(model.base_columns(*motion, dry), model.rows, strict=True)):
        links = [at for at, i in enumerate(row) if model.base[i] < model.inertial]
        load = np.abs(Y[:, links] @ beta[[row[at] for at in links]]) * signs[:, j]
        columns.append(np.column_stack([Y, np.tanh(qd[:, j] / speeds[j]), qd[:, j] * np.abs(qd[:, j]), load]))
    return columns
