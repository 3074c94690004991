"""Periodic curves that are linear in their coefficients: q = B(t) X, with X (count, n) one column per joint.

    Fourier series   1, sin(k w t), cos(k w t) for k = 1 ... harmonics, w = 2 pi / period
    spline           2 harmonics + 1 quintic B-splines at equal distances: as many coefficients, four derivatives

How far a curve can be beyond its samples is known of both. With u the largest |q - c| at `points` instants of a period,
c any constant, it is nowhere beyond `overshoot(points)` times u:

    Fourier series   1 / cos(pi harmonics / points)           (a trigonometric polynomial)
    spline           1 / (1 - d^2 (d^2 - 1) / (6 s^2))        d = 5, s samples per piece

The first is due to Ehlich and Zeller. The second follows from |p''| <= d^2 (d^2 - 1) / 3 max|p| for a polynomial of
degree d on [-1, 1] (Markov) and from |p| <= samples + h^2/8 max|p''| between samples at distance h = 2/s.
Derivatives are curves of the same kind, so that it holds for velocities and accelerations too.

Source: J. Swevers, C. Ganseman, D. B. Tukel, J. De Schutter, H. Van Brussel, Optimal robot excitation and
identification, IEEE Trans. Robotics and Automation 13(5), 1997; H. Ehlich, K. Zeller, Schwankung von Polynomen zwischen
Gitterpunkten, Mathematische Zeitschrift 86, 1964.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from math import cos, pi
from typing import Any, Protocol

import numpy as np

from dynamis.base.arrays import Array
from dynamis.motion.trajectories.trajectory import Motion

SPLINE_DEGREE = 5
"""Of the splines: their accelerations are smooth, and so are torques."""

Matrices = tuple[Array, Array, Array]
"""B, dB/dt and d2B/dt2: (times, count) each."""


class Curve(Protocol):
    """A periodic curve."""

    @property
    def period(self) -> float:
        """[s]"""
        ...

    @property
    def level(self) -> Array:
        """The coefficients of the constant 1: (count,)."""
        ...

    def matrices(self, t: Array) -> Matrices:
        """At times t [s], of any size."""
        ...

    def overshoot(self, points: int) -> float:
        """How many times larger than at `points` equal steps of a period a curve can be between them."""
        ...


@dataclass(frozen=True)
class Fourier:
    """A Fourier series."""

    period: float
    harmonics: int

    @property
    def level(self) -> Array:
        """The constant term is 1, all others 0."""
        return np.eye(1 + 2 * self.harmonics)[0]

    def matrices(self, t: Array) -> Matrices:
        """
        >>> B, Bd, Bdd = Fourier(2.0, 1).matrices(np.array([0.5]))
        >>> B.round(12).tolist(), Bd.round(4).tolist()
        ([[1.0, 1.0, 0.0]], [[0.0, 0.0, -3.1416]])
        """
        w: Array = 2 * pi / self.period * np.arange(1.0, self.harmonics + 1)
        s, c = np.sin(np.outer(t, w)), np.cos(np.outer(t, w))
        one, zero = np.ones((len(t), 1)), np.zeros((len(t), 1))
        return np.hstack([one, s, c]), np.hstack([zero, w * c, -w * s]), np.hstack([zero, -w * w * s, -w * w * c])

    def overshoot(self, points: int) -> float:
        """By Ehlich and Zeller."""
        return 1 / cos(pi * self.harmonics / points)


@dataclass(frozen=True)
class Spline:
    """A periodic quintic spline with equal pieces."""

    period: float
    harmonics: int

    @property
    def pieces(self) -> int:
        """As many as a Fourier series has coefficients."""
        return 2 * self.harmonics + 1

    @property
    def level(self) -> Array:
        """B-splines add up to 1."""
        return np.ones(self.pieces)

    def matrices(self, t: Array) -> Matrices:
        """
        >>> B, Bd, Bdd = Spline(2.0, 3).matrices(np.array([0.3, 1.9]))
        >>> B.sum(axis=1).round(12).tolist(), bool(abs(Bdd.sum(axis=1)).max() < 1e-9)
        ([1.0, 1.0], True)
        """
        step = self.period / self.pieces
        u = np.mod(np.subtract.outer(t / step, np.arange(self.pieces)), self.pieces)
        turns = range(-(-(SPLINE_DEGREE + 1) // self.pieces))  # of few pieces a B-spline overlaps itself
        B, Bd, Bdd = (
            np.sum([_within(basis, u + self.pieces * k) for k in turns], axis=0) / step**order
            for order, basis in enumerate(self._basis)
        )
        return B, Bd, Bdd

    def overshoot(self, points: int) -> float:
        """By Markov's inequality; infinite where the points are too few to tell."""
        left = 1 - SPLINE_DEGREE**2 * (SPLINE_DEGREE**2 - 1) / 6 * (self.pieces / points) ** 2
        return 1 / left if left > 0 else np.inf

    @cached_property
    def _basis(self) -> list[Any]:
        """The B-spline with knots 0, 1, ..., 6 and its derivatives."""
        element = import_module("scipy.interpolate").BSpline.basis_element(np.arange(SPLINE_DEGREE + 2.0))
        return [element, element.derivative(1), element.derivative(2)]


def _within(basis: Any, u: Array) -> Array:
    """The B-spline, which is zero outside of its knots."""
    return np.where(u < SPLINE_DEGREE + 1, basis(np.minimum(u, SPLINE_DEGREE + 1.0)), 0.0)


def instants(curve: Curve, count: int) -> Array:
    """Equal steps of a period [s]."""
    return np.linspace(0.0, curve.period, count, endpoint=False)


def motion_of(X: Array, matrices: Matrices) -> Motion:
    """q, qd, qdd of coefficients X (count, n): (times, n) each."""
    B, Bd, Bdd = matrices
    return B @ X, Bd @ X, Bdd @ X


def smaller(curve: Curve, X: Array, share: float) -> Array:
    """A share of the motion about its mean."""
    # All B-splines have the same mean, and of a series it is the constant term.
    still = curve.level[:, None] * (curve.level @ X / curve.level.sum())
    return still + share * (X - still)


CURVES: dict[str, type[Fourier] | type[Spline]] = {"fourier": Fourier, "spline": Spline}
