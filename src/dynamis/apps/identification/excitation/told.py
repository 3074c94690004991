"""How well a motion tells every parameter: predicted standard errors, and why some are badly told.

With noise of standard deviation s_j on the torque of coordinate j the least-squares estimate weighted by joint has the
covariance (sum_j W_j^T W_j / s_j^2)^-1. A standard error is large because the parameter makes little torque, or
because others make torques that look alike: alone it would be `inflation` times smaller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.base.arrays import Array
from dynamis.base.errors import name_list

TORQUE_NOISE = 0.05
"""Of the torques, relative to the RMS torque of every joint: that of motor currents."""
MAX_RELATIVE_ERROR = 0.1
"""A parameter with a larger relative standard error is told badly."""
COLLINEAR_INFLATION = 3.0
"""An inflation from which the reason of a large standard error is that other parameters look alike."""
MAX_INFLATION = 10.0
"""An inflation from which a parameter is told badly, whatever its size."""
_KINDS = ("mass", *("first moment",) * 3, *("inertia",) * 6)


@dataclass(frozen=True)
class ToldParameters:
    """One value per base parameter."""

    errors: Array
    """Standard errors with this noise; infinite for what is not told."""
    relative: Array
    """Over the largest parameter of its kind in the same link; NaN where the robot has none of them."""
    inflation: Array
    """How many times smaller the standard error would be if the other parameters were known."""
    joint: Array
    """The coordinate whose torque tells most, from 0."""
    rms: Array
    """The torque that the parameter makes there, RMS [N m or N]."""
    reasons: tuple[str, ...]
    """Why a parameter is told badly; empty where it is not."""


def told_parameters(model: LinearModel, W: Array, noise: Array, samples: float, held: str) -> ToldParameters:
    """What W (S, n, p) of a motion tells with noise (n) on each of `samples` samples; `held` says what cannot move."""
    S, _, p = W.shape
    parts = W.reshape(S, -1, p) / np.where(noise > 0, noise, 1.0)[:, None]
    A = parts.reshape(-1, p) * np.sqrt(samples / S)
    sizes = np.linalg.norm(A, axis=0)
    scaled = A / np.where(sizes > 0, sizes, 1.0)
    _, values, Vt = np.linalg.svd(np.linalg.qr(scaled, mode="r"))
    kept = values > 1e-9 * values.max(initial=0.0)
    covariance = (Vt[kept].T / values[kept] ** 2) @ Vt[kept]
    free = ((Vt[~kept] ** 2).sum(axis=0) > 1e-6) | (sizes == 0)
    inflation = np.where(free, np.inf, np.sqrt(np.maximum(np.diag(covariance), 0.0)))
    errors = np.where(free, np.inf, inflation / np.where(sizes > 0, sizes, 1.0))
    beta = model.K @ model.parameters()
    relative = errors / _scales(model, beta)
    per_joint = np.sqrt((parts**2).mean(axis=0)).T
    joint = per_joint.argmax(axis=1)
    rms = np.abs(beta) * per_joint.max(axis=1) * noise[joint]
    reasons: list[str] = []
    for i in range(p):
        alike = _alike(model, covariance, i)
        if free[i]:
            reasons.append(f"is not told{f', as {held}' if held else ''}")
        elif not (relative[i] > MAX_RELATIVE_ERROR or inflation[i] > MAX_INFLATION):
            reasons.append("")
        elif inflation[i] >= COLLINEAR_INFLATION and alike:
            times = f"{inflation[i]:.2g}" if inflation[i] < 10 else f"{inflation[i]:.0f}"
            reasons.append(f"looks like {alike} ({times} times the error that it would have alone)")
        else:
            one = model.robot.coordinates[int(joint[i])]
            reasons.append(f"makes little torque, {rms[i]:.2g} {one.unit} RMS in {one.name}")
    return ToldParameters(errors, relative, inflation, joint, rms, tuple(reasons))


def _scales(model: LinearModel, beta: Array) -> Array:
    """The largest of masses, first moments or inertias of the same link, the drive parameter itself; NaN for none."""
    groups = [(k // 10, _KINDS[k % 10]) if k < model.inertial else (k, "drive") for k in model.base]
    sizes = [max(abs(b) for b, other in zip(beta, groups, strict=True) if other == own) for own in groups]
    return np.array([size if size > 0 else np.nan for size in sizes])


def _alike(model: LinearModel, covariance: Array, i: int) -> str:
    """The parameters whose estimates are correlated most with that of parameter i."""
    sizes = np.sqrt(np.maximum(np.diag(covariance), 1e-300))
    correlation = np.abs(covariance[i] / sizes / sizes[i])
    correlation[i] = 0.0
    order = [int(k) for k in np.argsort(-correlation)[:2] if correlation[k] > 0.5]
    return name_list(model.names[k] for k in order)
