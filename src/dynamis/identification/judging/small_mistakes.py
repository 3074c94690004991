"""Small mistakes that the joints of a log tell of each other: wrong gains, and zeros that are off.

The torques of all joints share parameters, so that a mistake in one of them contradicts the others, whatever masses
were given. With a mistake of size d the torques are Y beta + c d,

    gain of joint j       c = Y_j beta, its own torque
    zero of joint i       c = -d(Y beta)/dq_i

and beta adapts to it: only the part of c that no parameters explain tells. With M = I - Q Q^T, where Q spans the
columns of Y, and the residual r,

    d = c^T M r / c^T M c        until it no longer changes (Gauss and Newton)

Two things keep what is no mistake from looking like one. The columns Y are joined by friction of other kinds: with the
square of the speed, saturating early, and growing with the torque of the joint, which is a quarter of what a harmonic
drive loses and would pass for a gain. And the standard error of d is that of stretches of the log: with u_b the sum of
(M c) (r - d M c) over the stretch b of B,

    error^2 = B / (B - 1) sum over b of u_b^2 / (c^T M c)^2

so that residuals that remember, and are different in different joints, count as what they are (Liang and Zeger,
Longitudinal data analysis using generalized linear models, Biometrika 73, 1986). What a model lacks may come back in
every stretch. It shows in how much more the joints leave together, S, than each when it is fitted by itself, S_0, for
every parameter that they share, nu in all: a mistake that is not much larger than such contradictions of which it
explains nothing is not sure. The error is therefore no less than (Birge, Phys. Rev. 40, 1932)

    error^2 >= (S - d^2 c^T M c - S_0) / (nu - 1) / c^T M c

Rows are weighted by what is left of every joint by itself: no gain changes that.

Single mistakes whose correction leaves nothing of the best one fit the log as well as it does: they are `alike`. The
best one is corrected before the next is looked for. If all gains are wrong by one factor, nothing contradicts anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dynamis.arrays import Array
from dynamis.identification.fitting.linear_model import LinearModel
from dynamis.identification.fitting.statistics import SINGULAR, column_scales
from dynamis.identification.judging.findings import Finding
from dynamis.identification.logs.samples import Samples

FEW = 600
"""Samples that are looked at."""
STRETCHES = 12
"""Stretches of the log that standard errors are of: fewer scatter, more are shorter than what residuals remember."""
MOST = 6
"""Mistakes that are corrected one after another."""
STEPS = 8
"""Of Gauss and Newton; two or three for what people do."""
NEAR = 0.3
"""A mistake is tried as the best one where its first step explains this part of what the best first step does."""
LEFT = 3.0
"""Standard errors of the best mistake that may be left when another one is corrected in its place."""
EARLY = 0.3
"""Of a typical speed: there the additional friction saturates."""


@dataclass(frozen=True)
class SmallMistakes:
    """What the joints of a log say of each other."""

    found: tuple[Finding, ...]
    """Those that are sure, the strongest first."""
    left: tuple[Finding, ...]
    """Gains and zeros of all coordinates as they look without these, as far as they change any torque."""


def small_mistakes(model: LinearModel, runs: Sequence[Samples]) -> SmallMistakes:
    """The mistakes that are sure, and how well all others are excluded."""
    look = Look.at(model, runs)
    found: list[Finding] = []
    steps = look.findings()
    for _ in range(MOST):
        best = look.best(steps)
        if best is None or any((one.kind, one.joint) == (best[1].kind, best[1].joint) for one in found):
            break
        look = best[0]
        found.append(best[1])
        steps = look.findings()
    return SmallMistakes(tuple(one for one in found if one.counts), tuple(steps))


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
    edges: NDArray[np.intp]
    """Where the stretches begin."""
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
            explained, _, _ = _alone(np.column_stack([own[j], friction[:, j, :2]]), tau[:, j])
            friction[:, j, 2] = np.abs(explained) * signs[:, j]
            _, left, rank = _alone(np.column_stack([own[j], friction[:, j]]), tau[:, j])
            weights[j] = 1 / max(np.sqrt(left / max(len(tau) - rank, 1)), floor)
            alone = alone[0] + left * weights[j] ** 2, alone[1] + rank
        edges = np.linspace(0, len(t), STRETCHES, endpoint=False).astype(np.intp)
        nothing, empty = np.zeros(n), np.empty((0, 0))
        look = cls(model, samples, dry, friction, weights, alone, edges, nothing, nothing, tuple(own), (), empty)
        return look.with_gains(nothing + 1)

    def with_zeros(self, zeros: Array) -> Look:
        """With other zeros."""
        s = self.samples
        own = self.model.base_columns(s.q - zeros, s.qd, s.qdd, self.dry)
        return replace(self, zeros=zeros, own=tuple(own)).with_gains(self.gains)

    def with_gains(self, gains: Array) -> Look:
        """With other gains."""
        both = (np.column_stack([Y, self.friction[:, j]]) for j, Y in enumerate(self.own))
        columns = tuple(X * size for X, size in zip(both, self.weights * gains, strict=True))
        N = np.zeros((self._places[-1][-1] + 1,) * 2)
        for X, place in zip(columns, self._places, strict=True):
            N[np.ix_(place, place)] += X.T @ X
        scales = column_scales(np.diag(np.sqrt(np.diag(N))))
        values, axes = np.linalg.eigh(N / np.outer(scales, scales))
        kept = values > SINGULAR * values.max(initial=0.0)
        inverse = axes[:, kept] / np.sqrt(values[kept]) / scales[:, None]
        return replace(self, gains=gains, columns=columns, inverse=inverse)

    @cached_property
    def _places(self) -> list[list[int]]:
        """For every coordinate the parameters of its columns."""
        count, more = len(self.model.base), self.friction.shape[2]
        return [[*row, *range(count + more * j, count + more * (j + 1))] for j, row in enumerate(self.model.rows)]

    def _parameters(self, torques: Array) -> Array:
        """What explains weighted torques (samples, n) best."""
        right = np.zeros(len(self.inverse))
        for j, (X, place) in enumerate(zip(self.columns, self._places, strict=True)):
            right[place] += X.T @ torques[:, j]
        return self.inverse @ (self.inverse.T @ right)

    def unexplained(self, torques: Array) -> Array:
        """M of weighted torques."""
        x = self._parameters(torques)
        return torques - np.column_stack([X @ x[place] for X, place in zip(self.columns, self._places, strict=True)])

    @cached_property
    def fitted(self) -> tuple[Array, Array, Array]:
        """beta, the weighted torques that it predicts, and what is left of them."""
        torques = self.samples.tau * self.weights
        beta = self._parameters(torques)[: len(self.model.base)]
        predicted = np.column_stack([
            X[:, : len(row)] @ beta[list(row)] for X, row in zip(self.columns, self.model.rows, strict=True)
        ])  # fmt: skip
        return beta, predicted, self.unexplained(torques)

    def findings(self) -> list[Finding]:
        """The gain and the zero of every coordinate, each by one step from what was corrected."""
        kinds = [(kind, j) for kind in ("gain", "zero") for j in range(self.model.robot.n)]
        return [one for kind, j in kinds if (one := self.finding(kind, j)) is not None]

    def finding(self, kind: str, joint: int) -> Finding | None:
        """A mistake by one step; None for a zero that no torque depends on."""
        beta, predicted, left = self.fitted
        unit = "rad" if self.model.robot.coordinates[joint].revolute else "m"
        own = np.eye(self.model.robot.n)[joint]
        if kind == "gain":
            c = predicted * own / self.gains
        else:
            s, little = self.samples, 1e-4 * own
            ahead, behind = (
                self.model.torques(beta, s.q - self.zeros + x, s.qd, s.qdd, self.dry) for x in (little, -little)
            )
            c = (behind - ahead) / 2e-4 * self.weights * self.gains
            if np.abs(c).max(initial=0.0) <= 1e-8 * np.abs(predicted).max(initial=0.0):
                return None
        told = self.unexplained(c)
        size2 = float((told**2).sum())
        if size2 <= 1e-12 * float((c**2).sum()):
            return Finding(kind, joint, 0.0, np.inf, unit)
        size = float((told * left).sum()) / size2
        scores = np.add.reduceat((told * (left - size * told)).sum(axis=1), self.edges)
        noise = STRETCHES / (STRETCHES - 1) * float((scores**2).sum()) / size2
        shared = self.alone[1] - self.inverse.shape[1]
        lacks = (float((left**2).sum()) - size**2 * size2 - self.alone[0]) / max(shared - 1, 1)
        error = float(np.sqrt(max(noise, lacks) / size2))
        return Finding(kind, joint, size, max(error, 1e-9), unit, size**2 * size2)

    def corrected(self, kind: str, joint: int) -> tuple[Look, Finding]:
        """Without a mistake; and that mistake whole, from what the log has."""
        look, own = self, np.eye(self.model.robot.n)[joint]
        step = look.finding(kind, joint)
        for _ in range(STEPS):
            if step is None or not np.isfinite(step.error):
                break
            # A step never changes a gain by more than a factor of 3, so that it keeps its sign.
            if kind == "gain":
                now = look.gains[joint]
                look = look.with_gains(look.gains + (np.clip(now + step.size, now / 3, 3 * now) - now) * own)
            else:
                look = look.with_zeros(look.zeros + np.clip(step.size, -0.3, 0.3) * own)
            small = abs(step.size) < 0.1 * step.error
            step = look.finding(kind, joint)
            if small:
                break
        assert step is not None
        size = look.gains[joint] - 1 if kind == "gain" else look.zeros[joint]
        return look, replace(step, size=float(size), explains=0.0)

    def best(self, steps: Sequence[Finding]) -> tuple[Look, Finding] | None:
        """The single mistake that explains most, if one is sure; with those that fit alike."""
        most = max((one.explains for one in steps if one.sure), default=np.inf)
        tried = [self.corrected(one.kind, one.joint) for one in steps if one.told and one.explains > NEAR * most]
        tried = [(look, whole) for look, whole in tried if whole.sure]
        if not tried:
            return None
        look, whole = min(tried, key=lambda one: float((one[0].fitted[2] ** 2).sum()))
        alike: list[Finding] = []
        for other, instead in tried:
            left = other.finding(whole.kind, whole.joint)
            if instead is not whole and instead.counts and left is not None and abs(left.size) < LEFT * left.error:
                alike.append(instead)
        return look, replace(whole, alike=tuple(alike))


def _alone(columns: Array, torque: Array) -> tuple[Array, float, int]:
    """What columns explain of a torque, the squares of what they do not, and their rank."""
    A = columns / column_scales(columns)
    x, _, rank, _ = np.linalg.lstsq(A, torque, rcond=1e-8)
    left = torque - A @ x
    return A @ x, float(left @ left), int(rank)
