"""Signs that are wrong and columns that are exchanged, by what the joints of a log say of each other.

Each such log is put right and fitted again, on few samples. Where that leaves less than half of the error of a joint
and no more of the others, it is likely. No masses are needed; where a fit is good already nothing is tried.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dynamis.apps.identification.fitting.estimators import solve
from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.base.arrays import Array
from dynamis.motion.trajectories.trajectory import Motion

MAX_FITTED_SAMPLES = 200
"""Samples that are fitted again."""
MAX_PAIRED_JOINTS = 10
"""Joints beyond which pairs of them are too many to be tried."""
MIN_UNEXPLAINED_SHARE = 0.1
"""Of the variation of a torque, what a fit may leave before other ways are tried."""
Columns = tuple[NDArray[np.intp], Array]
"""The order of columns, and their signs."""
LIKELY_ERROR_RATIO, MAX_OTHER_ERROR_RATIO = 0.5, 1.1
"""A mistake is likely when without it the error of a joint is less than half, and that of no joint a tenth larger."""


def turned_joints(model: LinearModel, motion: Motion, tau: Array, shares: Array) -> list[str]:
    """The most likely mistake, in a sentence.

    shares: what the fit leaves of the variation of every torque
    """
    if shares.max(initial=0.0) < MIN_UNEXPLAINED_SHARE:
        return []
    every = slice(None, None, max(1, len(tau) // MAX_FITTED_SAMPLES))
    q, qd, qdd = (x[every] for x in motion)
    now = _fit_errors(model, (q, qd, qdd), tau[every])
    likely: list[tuple[float, str]] = []
    for text, (order, signs), (of_torques, torque_signs) in _ways(model):
        right = q[:, order] * signs, qd[:, order] * signs, qdd[:, order] * signs
        ratios = _fit_errors(model, right, tau[every][:, of_torques] * torque_signs) / now[of_torques]
        if ratios.min() < LIKELY_ERROR_RATIO and ratios.max() < MAX_OTHER_ERROR_RATIO:
            likely.append((float(np.log(ratios).mean()), f"{text} (an error falls to {ratios.min():.0%})"))
    return [f"the log fits much better {text}." for _, text in sorted(likely)[:1]]


def _fit_errors(model: LinearModel, motion: Motion, tau: Array) -> Array:
    """RMS errors of a fit, per coordinate."""
    floor = 1e-9 * max(float(np.abs(tau).max(initial=0.0)), 1e-300)
    sizes = np.maximum(tau.std(axis=0), floor)
    columns = model.base_columns(*motion)
    A = np.zeros((tau.size, len(model.base)))
    for j, row in enumerate(model.rows):
        A[j * len(tau) : (j + 1) * len(tau), list(row)] = columns[j] / sizes[j]
    nothing = np.zeros_like(A[0])
    beta = solve(A, (tau / sizes).T.ravel(), nothing)
    left = (tau.T - (A @ beta).reshape(len(sizes), -1) * sizes[:, None]).T
    return np.maximum(np.sqrt((left**2).mean(axis=0)), floor)


def _ways(model: LinearModel) -> Iterator[tuple[str, Columns, Columns]]:
    """In words, and what becomes of the columns of the positions and of the torques."""
    names, n = model.joint_names, model.robot.n
    same = np.arange(n), np.ones(n)
    for j in range(n):
        turned = np.arange(n), 1 - 2 * np.eye(n)[j]
        yield f"with {names[j]} turning the other way", turned, turned
        yield f"with the other sign of the torque of {names[j]}", same, turned
        yield f"with the other sign of the position of {names[j]}", turned, same
        for i in range(j if n <= MAX_PAIRED_JOINTS else 0):
            order = np.arange(n)
            order[[i, j]] = j, i
            exchanged = order, np.ones(n)
            yield f"with {names[i]} and {names[j]} in each other's place", exchanged, exchanged
            yield f"with the torques of {names[i]} and {names[j]} in each other's place", same, exchanged
            yield f"with the positions of {names[i]} and {names[j]} in each other's place", exchanged, same
