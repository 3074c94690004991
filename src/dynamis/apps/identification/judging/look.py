"""A fit to few samples of a log with some gains and zeros corrected, and how its torques change with all of them.

With gains g and zeros z the torques are G Y(q - z) beta, weighted by what is left of every joint by itself: no gain
changes that. A small change of the gain of joint j or the zero of joint i moves them along

    c = Y_j beta, its own torque            c = -d(Y beta)/dq_i

and beta adapts to it: only the part M c that no parameters explain tells, where M = I - Q Q^T, and Q spans the columns
of Y. The columns are joined by friction of other kinds: with the square of the speed, saturating early, and growing
with the torque of the links at the joint, which is a quarter of what a harmonic drive loses and would pass for a gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from dynamis.apps.identification.fitting.linear_model import LinearModel
from dynamis.apps.identification.fitting.statistics import SINGULAR_RATIO, column_scales
from dynamis.apps.identification.judging.findings import Finding
from dynamis.apps.identification.logs.samples import Samples
from dynamis.base.arrays import Array

FEW = 600
"""Samples that are looked at."""
EARLY = 0.3
"""Of a typical speed: there the additional friction saturates."""
Kind = tuple[str, int]
"""gain or zero, and the coordinate."""


@dataclass(frozen=True)
class Look:
    """Samples of a log with some gains and zeros corrected, and the fit to them."""

    model: LinearModel
    samples: Samples
    dry: Array
    """The columns of dry friction, filtered as the torques were."""
    friction: Array
    """(samples, n, 3): friction that the model lacks."""
    weights: Array
    alone: tuple[float, int]
    """Weighted squares that the joints leave when each is fitted by itself, and how many parameters that takes."""
    gains: Array
    zeros: Array
    own: tuple[Array, ...]
    """Per coordinate its base columns."""
    columns: tuple[Array, ...]
    """Per coordinate its base columns and the friction, times its gain and weight."""
    inverse: Array
    """A root R of the inverse of the information: x = R R^T (columns^T torques)."""

    @classmethod
    def at(cls, model: LinearModel, runs: Sequence[Samples]) -> Look:
        """A look at some samples, with nothing corrected."""
        every = max(1, sum(map(len, runs)) // FEW)
        some = [run.part(slice(None, None, every)) for run in runs]
        t, q, qd, qdd, tau, measured = (
            np.concatenate([getattr(run, key) for run in some]) for key in ("t", "q", "qd", "qdd", "tau", "measured")
        )
        samples, n = Samples("", t, q, qd, qdd, tau, measured), model.robot.n
        dry = np.concatenate([run.filtered(model.dry_columns) for run in some])
        signs = np.concatenate([run.filtered(np.sign) for run in some])
        speeds = np.maximum(qd.std(axis=0), 1e-300)
        friction = np.stack([np.tanh(qd / (EARLY * speeds)), qd * np.abs(qd), 0 * qd], axis=-1)
        weights, alone, own = np.zeros(n), (0.0, 0), model.base_columns(q, qd, qdd, dry)
        floor = max(1e-9 * float(np.abs(tau).max(initial=0.0)), 1e-300)
        for j in range(n):
            x, _, _ = _alone(np.column_stack([own[j], friction[:, j, :2]]), tau[:, j])
            links = [at for at, i in enumerate(model.rows[j]) if model.base[i] < model.inertial]
            friction[:, j, 2] = np.abs(own[j][:, links] @ x[links]) * signs[:, j]
            _, left, rank = _alone(np.column_stack([own[j], friction[:, j]]), tau[:, j])
            weights[j] = 1 / max(np.sqrt(left / max(len(tau) - rank, 1)), floor)
            alone = alone[0] + left * weights[j] ** 2, alone[1] + rank
        nothing, empty = np.zeros(n), np.empty((0, 0))
        look = cls(model, samples, dry, friction, weights, alone, nothing, nothing, tuple(own), (), empty)
        return look.corrected(nothing + 1, nothing)

    def corrected(self, gains: Array, zeros: Array) -> Look:
        """With other gains and zeros."""
        s, own = self.samples, self.own
        if (zeros != self.zeros).any():
            own = tuple(self.model.base_columns(s.q - zeros, s.qd, s.qdd, self.dry))
        both = (np.column_stack([Y, self.friction[:, j]]) for j, Y in enumerate(own))
        columns = tuple(X * size for X, size in zip(both, self.weights * gains, strict=True))
        N = np.zeros((self._places[-1][-1] + 1,) * 2)
        for X, place in zip(columns, self._places, strict=True):
            N[np.ix_(place, place)] += X.T @ X
        scales = column_scales(np.diag(np.sqrt(np.diag(N))))
        values, axes = np.linalg.eigh(N / np.outer(scales, scales))
        kept = values > SINGULAR_RATIO * values.max(initial=0.0)
        inverse = axes[:, kept] / np.sqrt(values[kept]) / scales[:, None]
        return replace(self, gains=gains, zeros=zeros, own=own, columns=columns, inverse=inverse)

    def stepped(self, steps: Sequence[Finding]) -> Look:
        """With gains and zeros that change by so much."""
        gains, zeros = self.gains.copy(), self.zeros.copy()
        for x in steps:
            # A step never changes a gain by more than a factor of 3, so that it keeps its sign.
            if x.kind == "gain":
                gains[x.joint] = np.clip(gains[x.joint] + x.size, gains[x.joint] / 3, 3 * gains[x.joint])
            else:
                zeros[x.joint] += np.clip(x.size, -0.3, 0.3)
        return self.corrected(gains, zeros)

    @cached_property
    def _places(self) -> list[list[int]]:
        """For every coordinate the parameters of its columns."""
        count, more = len(self.model.base), self.friction.shape[2]
        return [[*row, *range(count + more * j, count + more * (j + 1))] for j, row in enumerate(self.model.rows)]

    def _parameters(self, torques: Array) -> Array:
        """What explains weighted torques (samples, n, ...) best."""
        right = np.zeros((len(self.inverse), *torques.shape[2:]))
        for j, (X, place) in enumerate(zip(self.columns, self._places, strict=True)):
            right[place] += X.T @ torques[:, j]
        return self.inverse @ (self.inverse.T @ right)

    def unexplained(self, torques: Array) -> Array:
        """M of weighted torques (samples, n, ...)."""
        x = self._parameters(torques)
        return torques - np.stack([X @ x[place] for X, place in zip(self.columns, self._places, strict=True)], axis=1)

    @cached_property
    def fitted(self) -> tuple[Array, Array, Array]:
        """beta, the weighted torques that it predicts, and what is left of them."""
        torques = self.samples.tau * self.weights
        beta = self._parameters(torques)[: len(self.model.base)]
        predicted = np.column_stack([
            X[:, : len(row)] @ beta[list(row)] for X, row in zip(self.columns, self.model.rows, strict=True)
        ])  # fmt: skip
        return beta, predicted, self.unexplained(torques)

    def slope(self, kind: str, joint: int) -> Array:
        """c (samples, n), weighted: how the torques change with a gain or zero; nothing for a zero that tells none."""
        beta, predicted, _ = self.fitted
        own = np.eye(self.model.robot.n)[joint]
        if kind == "gain":
            return predicted * own / self.gains
        s, little = self.samples, 1e-6
        moved = self.model.torques(beta, s.q - self.zeros + little * own, s.qd, s.qdd, self.dry)
        c = (predicted - moved * self.weights * self.gains) / little
        return c * (np.abs(c).max(initial=0.0) > 1e-8 * np.abs(predicted).max(initial=0.0))


def _alone(columns: Array, torque: Array) -> tuple[Array, float, int]:
    """The parameters that explain a torque best, the squares of what they do not explain, and the rank."""
    scales = column_scales(columns)
    A = columns / scales
    x, _, rank, _ = np.linalg.lstsq(A, torque, rcond=1e-8)
    left = torque - A @ x
    return x / scales, float(left @ left), int(rank)
