"""What a motion tells of the parameters: the matrix W^T W of the base regressor, its criteria and their gradients.

W stacks the base regressor with drives (`LinearModel`) of S samples, (S n, p). Of M = W^T W / S a criterion is made
small:

    determinant   f = -log(det M) / p               G = df/dM = -M^-1 / p
    condition     f = log(cond W), smoothed         G = sum over eigenpairs (l, v) of M of df/dl v v^T

    balanced      f = -log(det M) / p + 0.6 log(cond W), smoothed

The largest and the smallest eigenvalue have corners where two of them meet; p-norms of l and of 1/l do not:

    2 k f = log(sum l^k) + log(sum l^-k)            at least log(cond W), and near it for a large k

Then df/dW = 2 W G / S, and the gradient with respect to q, qd and qdd of every sample is the pullback of the regressor:
one program in reverse mode, some twice the operations of the regressor itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.base.arrays import Array
from dynamis.compute.backends.backend import backend_for
from dynamis.compute.program.derivatives import pullback
from dynamis.compute.program.program import Program
from dynamis.compute.program.signature import Operand, Signature
from dynamis.motion.trajectories.trajectory import Motion

RELATIVE_RIDGE = 1e-14
"""Added to M relative to its trace: a motion that tells nothing of a parameter has a criterion, too."""
SIGN_SMOOTHING = 0.02
"""The sign of Coulomb friction is tanh(qd / v) for the gradient; v relative to the limit of the velocity."""


@dataclass(frozen=True)
class Information:
    """The base regressor of a model as programs; `directions` (p, r) are those of the parameters that count."""

    model: LinearModel
    directions: Array

    @cached_property
    def inertial(self) -> list[int]:
        """The base columns of links."""
        return [k for k in self.model.base if k < self.model.inertial]

    @cached_property
    def _programs(self) -> tuple[Any, Any]:
        """The base columns of the regressor, and their pullback."""
        of: Program = self.model.robot.engine.function("regressor").program
        width = self.model.inertial
        places = tuple(of.results[0][j * width + k] for j in range(self.model.robot.n) for k in self.inertial)
        base = Program(of.operations, Signature(of.inputs, (Operand("Y", (len(places),)),)), (places,))
        backend, owner = backend_for(), self.model.robot.name
        functions = backend.function("base_regressor", base, owner), None
        if places:
            functions = functions[0], backend.function("base_regressor.pullback", pullback(base, (0, 1, 2)), owner)
        return functions

    def columns(self, motion: Motion) -> Array:
        """W (S, n, p): links, then drives."""
        q, qd, qdd = motion
        shape = (*q.shape, len(self.inertial))
        Y = np.reshape(self._programs[0](q, qd, qdd), shape) if self.inertial else np.zeros(shape)
        D = self.model.drive_columns(q, qd, qdd)[:, :, [k for k, _ in self._drives]]
        return np.concatenate([Y, D], axis=2)

    def pull(self, motion: Motion, W_bar: Array) -> Motion:
        """The gradient with respect to q, qd and qdd of sum(W_bar * W), for constant W_bar (S, n, p)."""
        q, qd, qdd = motion
        links = len(self.inertial)
        back: Sequence[Array] = [np.zeros_like(q)] * 3
        if links:
            back = self._programs[1](q, qd, qdd, W_bar[:, :, :links].reshape(len(q), -1))
        q_bar, qd_bar, qdd_bar = (np.array(x) for x in back)
        A = self.model.A
        rates = qd @ A.T
        for i, (_, drive) in enumerate(self._drives):
            if drive.kind == "offset":
                continue
            share = W_bar[:, :, links + i] @ A[drive.joint]
            if drive.kind == "rotor":
                qdd_bar += np.outer(share, A[drive.joint])
                continue
            if drive.kind == "spring":
                q_bar += np.outer(share, A[drive.joint])
                continue
            slope = 1.0 if drive.kind == "viscous" else _slope(rates[:, drive.joint], drive.speed)
            qd_bar += np.outer(share * slope, A[drive.joint])
        return q_bar, qd_bar, qdd_bar

    def value(self, motion: Motion, criterion: str, power: int) -> tuple[float, Motion]:
        """A criterion, the smaller the better, and its gradient with respect to q, qd and qdd."""
        W = self.columns(motion)
        S, n, p = W.shape
        flat = W.reshape(S * n, p) @ self.directions
        f, G = CRITERIA[criterion](flat.T @ flat / S, power)
        W_bar = (flat @ G) @ self.directions.T * (2 / S)
        return f, self.pull(motion, W_bar.reshape(S, n, p))

    def figures(self, motion: Motion) -> tuple[float, float]:
        """The condition number of W, and log det(W^T W), in SI units."""
        W = self.columns(motion)
        flat = W.reshape(-1, W.shape[2]) @ self.directions
        values = np.maximum(np.linalg.svd(np.linalg.qr(flat, mode="r"), compute_uv=False), 1e-300)
        return float(values[0] / values[-1]), float(2 * np.log(values).sum())

    @cached_property
    def _drives(self) -> list[tuple[int, Any]]:
        """The base columns of drives: (place among the drives, drive)."""
        places = [k - self.model.inertial for k in self.model.base if k >= self.model.inertial]
        return [(k, self.model.drives[k]) for k in places]


def information(model: LinearModel, velocity: Array, states: Motion) -> Information:
    """The information of a model about what can be told at all in `states`, those that the limits allow.

    velocity: limits of every joint, for the smooth sign of Coulomb friction
    """
    speeds = SIGN_SMOOTHING * np.where(np.isfinite(velocity) & (velocity > 0), velocity, 1.0)
    drives = tuple(replace(x, speed=float(speeds[x.joint])) if x.kind == "coulomb" else x for x in model.drives)
    whole = Information(replace(model, drives=drives), np.eye(len(model.base)))
    W = whole.columns(states)
    flat = W.reshape(-1, W.shape[2])
    sizes = np.linalg.norm(flat, axis=0)
    moving = sizes > 1e-9 * sizes.max(initial=1e-300)
    _, values, Vt = np.linalg.svd(np.linalg.qr(flat[:, moving] / sizes[moving], mode="r"))
    told = int((values > 1e-9 * values.max(initial=0.0)).sum())
    if told == len(model.base):
        return whole
    # Directions in units of the columns, with the scale taken out again: an orthonormal basis of them.
    span = np.zeros((len(model.base), told))
    span[moving] = Vt[:told].T * sizes[moving][:, None]
    return replace(whole, directions=np.linalg.qr(span)[0])


def determinant(M: Array, power: int) -> tuple[float, Array]:
    """-log(det M) / p, and its gradient.

    >>> f, G = determinant(np.diag([1.0, 4.0]), 1)
    >>> round(f, 4), G.round(4).tolist()
    (-0.6931, [[-0.5, 0.0], [0.0, -0.125]])
    """
    values, V = _eigen(M)
    return float(-np.log(values).mean()), (V * (-1 / values / len(values))) @ V.T


def condition(M: Array, power: int) -> tuple[float, Array]:
    """log(cond W) as p-norms of the eigenvalues of M = W^T W, and its gradient.

    >>> round(float(np.exp(condition(np.diag([1.0, 2.0, 100.0]), 16)[0])), 4)
    10.0
    """
    values, V = _eigen(M)
    top, low = (values / values[-1]) ** power, (values[0] / values) ** power
    f = (np.log(top.sum()) + np.log(low.sum())) / (2 * power) + 0.5 * np.log(values[-1] / values[0])
    slopes = (top / top.sum() - low / low.sum()) / (2 * values)
    return float(f), (V * slopes) @ V.T


CONDITION_WEIGHT = 0.6
"""A D-optimal motion of a Panda has the condition number 151; with this weight 83, and standard errors 9 % larger."""


def balanced_criterion(M: Array, power: int) -> tuple[float, Array]:
    """`determinant` + 0.6 `condition`, and its gradient."""
    (f, G), (g, H) = determinant(M, power), condition(M, power)
    return f + CONDITION_WEIGHT * g, G + CONDITION_WEIGHT * H


CRITERIA = {"balanced": balanced_criterion, "determinant": determinant, "condition": condition}


def _eigen(M: Array) -> tuple[Array, Array]:
    values, V = np.linalg.eigh(M)
    return np.maximum(values, 0.0) + max(RELATIVE_RIDGE * float(values.sum()), 1e-300), V


def _slope(v: Array, speed: float) -> Array:
    """d tanh(v / speed) / dv."""
    return (1 - np.tanh(v / speed) ** 2) / speed
