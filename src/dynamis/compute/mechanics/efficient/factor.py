"""The mass matrix factored: M = L^T D L along the branches of the tree, M = L L^T, its inverse, M x = b.

M_ij = 0 where neither joint carries the other. Elimination from the tips to the base (last row first) makes
no entry of these different from 0, so L has the zeros of M and a branch costs nothing to the others:

    for i from n to 1, for j that carries i:  a = M_ij / M_ii;  M_jk -= a M_ik (k carries or is j);  L_ij = a

needs n d^2 / 2 operations in a tree of depth d instead of n^3 / 6. D is what is left on the diagonal, L has
ones there. Cholesky's L, from the first row on, is the one that books and libraries call so.

Source: R. Featherstone, Rigid Body Dynamics Algorithms, 2008, section 6.5 (LTDL), and Efficient factorization
of the joint-space inertia matrix for branched kinematic trees, Int. J. Robotics Research 24(6), 2005.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from dynamis.compute.mechanics.mechanism import Mechanism
from dynamis.scalars.scalars import Scalars
from dynamis.scalars.vectors import S


@dataclass(frozen=True, slots=True)
class Factor(Generic[S]):
    """M = L^T D L. `carriers[i]`: the joints that carry joint i, nearest first; L has ones on its diagonal."""

    carriers: Sequence[Sequence[int]]
    L: Sequence[Sequence[S]]
    per_D: Sequence[S]
    zero: S
    one: S

    def half_solve(self, b: Sequence[S]) -> list[Any]:
        """y with L^T y = b; b.M^-1 b is the sum of y_i^2 / D_i."""
        y: list[Any] = list(b)
        for i in reversed(range(len(y))):
            for j in self.carriers[i]:
                y[j] = y[j] - self.L[i][j] * y[i]
        return y

    def solve(self, b: Sequence[S]) -> list[S]:
        """x with M x = b."""
        x = [y * per_D for y, per_D in zip(self.half_solve(b), self.per_D, strict=True)]
        for i, carriers in enumerate(self.carriers):
            for j in carriers:
                x[i] = x[i] - self.L[i][j] * x[j]
        return x

    def inverse(self) -> list[list[S]]:
        """M^-1, symmetric to the last bit."""
        n = len(self.per_D)
        entries = [[self.zero] * n for _ in range(n)]
        for j in range(n):
            y = self.half_solve([self.one if i == j else self.zero for i in range(n)])
            x = [a * per_D for a, per_D in zip(y, self.per_D, strict=True)]
            for i in range(j + 1):
                for k in self.carriers[i]:
                    x[i] = x[i] - self.L[i][k] * x[k]
                entries[i][j] = entries[j][i] = x[i]
        return entries


def factor(m: Mechanism[S], M: Sequence[Sequence[S]]) -> Factor[S]:
    """M = L^T D L of a mechanism's mass matrix.

    >>> from dynamis import load
    >>> from dynamis.compute.mechanics.mechanism import mechanism
    >>> arm = load("bar-2r")
    >>> factor(mechanism(arm, arm.floats()), [[4.0, 2.0], [2.0, 2.0]]).solve([6.0, 4.0])
    [1.0, 1.0]
    """
    return _factor(M, carriers(m), m.zero, m.one)


def dense_factor(M: Sequence[Sequence[S]], zero: S, one: S) -> Factor[S]:
    """M = L^T D L of any symmetric positive definite matrix.

    >>> dense_factor([[4.0, 2.0], [2.0, 2.0]], 0.0, 1.0).inverse()
    [[0.5, -0.5], [-0.5, 1.0]]
    """
    return _factor(M, [list(reversed(range(i))) for i in range(len(M))], zero, one)


def _factor(M: Sequence[Sequence[S]], carriers: Sequence[Sequence[int]], zero: S, one: S) -> Factor[S]:
    n = len(M)
    left: list[list[Any]] = [list(row) for row in M]
    L = [[zero] * n for _ in range(n)]
    per_D: list[S] = [one] * n
    for i in reversed(range(n)):
        per_D[i] = one / left[i][i]  # type: ignore[operator]
        for place, j in enumerate(carriers[i]):
            L[i][j] = left[i][j] * per_D[i]
            for k in carriers[i][place:]:
                left[j][k] = left[j][k] - L[i][j] * left[i][k]
    return Factor(carriers, L, per_D, zero, one)


def carriers(m: Mechanism[S]) -> list[list[int]]:
    """Per coordinate, those before it with which M = L^T D L has an entry in L, the last first.

    Without couplings these are the joints that carry it. With couplings two coordinates meet where one of their joints
    carries another, and elimination of a coordinate joins all that it meets.
    """
    joints = carrying_joints(m)
    if m.coupling is None:
        return joints
    meets: list[set[int]] = [set() for _ in range(m.n)]
    rows = [{k for k, _ in row} for row in m.coupling.rows]
    for j, on in enumerate(joints):
        together = [rows[j], *(rows[j] | rows[i] for i in on)]
        for group in together:
            for k in group:
                meets[k] |= {i for i in group if i < k}
    for k in reversed(range(m.n)):
        for i in meets[k]:
            meets[i] |= {j for j in meets[k] if j < i}
    return [sorted(on, reverse=True) for on in meets]


def carrying_joints(m: Mechanism[S]) -> list[list[int]]:
    """Per moving joint, those that carry it, from the nearest to the base."""
    lists: list[list[int]] = []
    for body in m.bodies:
        if body.joint is None:
            continue
        on: list[int] = []
        p = body.parent
        while p is not None:
            if (j := m.bodies[p].joint) is not None:
                on.append(j)
            p = m.bodies[p].parent
        lists.append(on)
    return lists


def cholesky(M: Sequence[Sequence[S]], scalars: Scalars[S]) -> list[list[S]]:
    """The lower L with M = L L^T (A.-L. Cholesky, 1910; column by column).

    >>> from dynamis.scalars.floats import Floats
    >>> cholesky([[4.0, 2.0], [2.0, 2.0]], Floats({}))
    [[2.0, 0.0], [1.0, 1.0]]
    """
    n = len(M)
    L: list[list[Any]] = [[scalars.zero] * n for _ in range(n)]
    for j in range(n):
        left: list[Any] = [M[i][j] for i in range(n)]
        for i in range(j, n):
            for k in range(j):
                left[i] = left[i] - L[i][k] * L[j][k]
        L[j][j] = scalars.sqrt(left[j])
        per: Any = scalars.one / L[j][j]  # type: ignore[operator]
        for i in range(j + 1, n):
            L[i][j] = left[i] * per
    return L
