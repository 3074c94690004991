"""Dry friction: which joints slide, and which way, and which are held.

The friction of joint j is coulomb_j s_j with s_j in Sgn(qd_j). A joint that slides has s_j = +1 or -1, and the rates
are smooth; one that sticks has qd_j = 0 and the s_j that keeps it there,

    qdd_j(s) = 0        |s_j| <= 1

and breaks away when |s_j| would exceed 1. Accelerations are affine in s, qdd = a + B s. Which joints at rest stick is a
linear complementarity problem: each either sticks, or slides the way in which it accelerates. Murty's pivoting (the
first joint that contradicts its own mode changes it) ends for all matrices B of a friction that takes energy.

Axes may depend on each other: the motors and the pitch of a differential, or two motors once a stop holds the pitch. B
is then singular: the accelerations are unique, the s of the axes that stick are not. They stick as long as some s with
all |s_j| <= 1 holds them; reported is the s of least norm, or that of the smallest max |s_j| if the former exceeds 1.

A law that compensates the robot's own friction uses the same s. What acts is then the difference of both: where they
are equal, s_j has no effect, and friction cannot hold the joint.

Sources: F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts, 1996, chapter 5; K. G. Murty, Note on a
Bard-type scheme for solving the complementarity problem, Opsearch 11, 1974.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib import import_module

import numpy as np

from dynamis.base.arrays import Array

Accelerations = Callable[[float, Array, Array], Array]
"""Accelerations along the axes at a time, in a state x, with directions s."""
REST_SPEED = 1e-11
"""A joint that is slower than this [rad/s or m/s] is at rest: well below any tolerance, above rounding of qd."""
HOLD_SHARE = 1e-9
"""Friction can hold a joint if more than this share of it is left after compensation."""
CONVERGED_ERROR, ACCEPTED_ERROR = 1e-12, 1e-8
"""Errors of s, as accelerations relative to those of friction: below the first s is right; an error that no longer
shrinks is rounding if it is below the second."""
MAX_CORRECTIONS = 8
"""One suffices with the matrix of this state; more with that of an earlier one, or where motors reach their limits."""
MAX_RELINEARISATIONS = 12
"""Where motors are at their limits, accelerations are affine in s only piece by piece: one solution per piece."""
PROBE_STEP = 1e-3
"""The change of s in the differences that give B: small, so as not to leave a piece."""
SINGULAR_RATIO = 1e-9
"""Singular values of B below this share of the largest are zero: rounding of the differences leaves about 1e-12."""
MOST_KNOWN = 64
"""States whose s is kept: every trigger asks for it at the same few instants of a step."""
NO_HOLD = 2.0
"""The |s| that stands for a joint that friction cannot hold."""


class DryFriction:
    """The directions s of all axes, and those that stick. `axes` are those with Coulomb friction.

    `response` gives B of the joints that stick at a state x, where it is known from the mass matrix; else None.
    """

    def __init__(
        self, axes: Sequence[int], count: int, accelerations: Accelerations,
        response: Callable[[Array, list[int]], Array | None],
    ) -> None:  # fmt: skip
        self.axes = tuple(axes)
        self.s: Array = np.zeros(count)
        self.sticking: tuple[int, ...] = ()
        self._full: Array = np.zeros(count)
        self._accelerations, self._mass_response = accelerations, response
        self._inverse: Array | None = None
        self._null: Array = np.zeros((0, 0))
        self._last: Array | None = None
        self._known: dict[tuple[float, bytes], Array] = {}

    def directions(self, t: float, x: Array) -> Array:
        """s at a time: of the joints that stick, what holds them; beyond +-1 where nothing can."""
        if not self.sticking:
            return self.s
        key = (t, x.tobytes())
        if (known := self._known.get(key)) is not None:
            return known
        s = (self.s if self._last is None else self._last).copy()
        if self._inverse is None or not self._holds(t, x, s):
            B = self._mass_response(x, list(self.sticking))
            self._inverse = None
            if B is not None:
                self._inverse, self._null = _inverse(B)
            if self._inverse is None or not self._holds(t, x, s):
                s = (self.s if self._last is None else np.clip(self._last, -1.0, 1.0)).copy()
                self._solve_again(t, x, s)
        if self._null.size:
            s[list(self.sticking)] = _smallest(s[list(self.sticking)], self._null)
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._last = self._known[key] = s
        return s

    def _holds(self, t: float, x: Array, s: Array) -> bool:
        """Whether s could be made to hold all that stick with the matrix at hand; s is changed."""
        assert self._inverse is not None
        J, before = np.array(self.sticking), np.inf
        full = self._full[J]
        for _ in range(MAX_CORRECTIONS):
            a = self._accelerations(t, x, s)[J]
            error = float((np.abs(a) / full).max())
            if error <= CONVERGED_ERROR or (error >= before / 2 and error <= ACCEPTED_ERROR):
                return True
            if error >= before:
                return False
            before = error
            s[J] -= self._inverse @ a
        return before <= ACCEPTED_ERROR

    def _solve_again(self, t: float, x: Array, s: Array) -> None:
        """s with B as it is at s; where friction has lost its hold, |s| is NO_HOLD.

        Where B is zero, s has no effect: it may still hold further on, where a motor reaches its limit, or nowhere.
        """
        J = list(self.sticking)
        for _ in range(MAX_CORRECTIONS):
            a, B = self._response(t, x, s, J)
            loose = np.diag(B) > -HOLD_SHARE * self._full[J]
            inverse, self._null = _inverse(B)
            if loose.any():
                way = np.where(a < 0, -1.0, 1.0)
                if (s[J] == way)[loose].any():
                    s[np.array(J)[loose]] = NO_HOLD * way[loose]
                    self._null = self._null[:, :0]
                    return
                s[np.array(J)[loose]] = way[loose]
                continue
            if float((np.abs(a) / self._full[J]).max()) <= ACCEPTED_ERROR:
                return
            s[J] = np.clip(s[J] - inverse @ a, -NO_HOLD, NO_HOLD)

    def settle(self, t: float, x: Array, qd: Array, on_stops: Collection[int], full: Array) -> None:
        """Find the modes of all joints: those at rest (qd = 0) stick or begin to slide, the others slide as they move.

        Stops keep the joints `on_stops` from moving. `full` (n,) is d qdd_j / d s_j of the friction alone, without
        compensation.
        """
        self._last = self._inverse = None
        self._known.clear()
        self._null = np.zeros((0, 0))
        self._full = np.abs(full)
        joints = [j for j in self.axes if j not in on_stops]
        free = [j for j in joints if not qd[j]]
        self.s[:] = 0.0
        self.s[joints] = np.sign(qd[joints])
        stick: list[int] = []
        for _ in range(MAX_RELINEARISATIONS):
            before = self.s[free]
            a, B = self._response(t, x, self.s, free)
            a = a - B @ before
            firm = [k for k, j in enumerate(free) if B[k, k] < -HOLD_SHARE * self._full[j]]
            loose = [k for k in range(len(free)) if k not in firm]
            s = before.copy()
            stick = _murty(a, B, firm, s)
            # Friction that a law compensates wholly has no hold: its direction is that of the motion that begins.
            s[loose] = np.sign((a + B @ s)[loose])
            self.s[free] = s
            if np.abs(s - before).max(initial=0.0) <= ACCEPTED_ERROR:
                break
        self.sticking = tuple(free[k] for k in stick)

    def _response(self, t: float, x: Array, s: Array, joints: list[int]) -> tuple[Array, Array]:
        """a and B of these joints: qdd = a + B ds near s."""
        a = self._accelerations(t, x, s)[joints]
        B = np.zeros((len(joints), len(joints)))
        for k, j in enumerate(joints):
            other = s.copy()
            step = -PROBE_STEP if s[j] > 0 else PROBE_STEP
            other[j] += step
            B[:, k] = (self._accelerations(t, x, other)[joints] - a) / step
        return a, B


def _murty(a: Array, B: Array, joints: list[int], s: Array) -> list[int]:
    """Which of these joints stick; writes their s.

    With axes that depend on each other the pivots may repeat. Slightly more resistance makes B regular, and they end.
    """
    regular = B - SINGULAR_RATIO * np.diag(np.abs(np.diag(B)))
    stick: list[int] = []
    for matrix in (B, regular):
        stick, ended = _pivot(a, matrix, joints, s)
        if ended:
            break
    # A joint that cannot move because others stick is held as well: all share the load.
    for k in joints:
        more = sorted({*stick, k})
        if len(more) > len(stick) and _rank(B, more) == _rank(B, stick):
            stick = more
    if _rank(B, stick) < len(stick):
        _hold(a, B, stick, s)
    return stick


def _pivot(a: Array, B: Array, joints: list[int], s: Array) -> tuple[list[int], bool]:
    """Which of these joints stick, and whether the pivots have ended; writes their s."""
    stick, rounding = list(joints), -ACCEPTED_ERROR * np.abs(np.diag(B))
    if _rank(B, joints) == len(joints):
        rounding = 0 * rounding
    for _ in range(3 ** min(len(joints), 8) + len(joints)):
        _hold(a, B, stick, s)
        qdd = a + B @ s
        wrong = [k for k in joints if (abs(s[k]) > 1 if k in stick else s[k] * qdd[k] < rounding[k])]
        if not wrong:
            return stick, True
        k = wrong[0]
        if k in stick:
            stick.remove(k)
            s[k] = np.sign(s[k])
        else:
            stick = sorted([*stick, k])
    return stick, False


def _hold(a: Array, B: Array, stick: list[int], s: Array) -> None:
    """Write the s that hold these joints while the others keep theirs."""
    if stick:
        s[stick] = 0.0
        block, rest = B[np.ix_(stick, stick)], (a + B @ s)[stick]
        inverse, null = _inverse(block)
        s[stick] = _smallest(-(inverse @ rest), null) if null.size else -np.linalg.solve(block, rest)  # the more exact


def _rank(B: Array, joints: list[int]) -> int:
    return len(joints) - _inverse(B[np.ix_(joints, joints)])[1].shape[1]


def _inverse(B: Array) -> tuple[Array, Array]:
    """The pseudoinverse of B, and the directions of s (k, m) that have no effect."""
    U, sizes, V = np.linalg.svd(B)
    rank = int((sizes > SINGULAR_RATIO * sizes.max(initial=0.0)).sum())
    return V[:rank].T @ (U[:, :rank] / sizes[:rank]).T, V[rank:].T


def _smallest(s: Array, null: Array) -> Array:
    """s + null z of least norm; where that exceeds 1, the one of the smallest max |s| of all axes that z changes."""
    s = s - null @ (null.T @ s)
    shared = np.abs(null).max(axis=1, initial=0.0) > SINGULAR_RATIO
    if np.abs(s[shared]).max(initial=0.0) <= 1:
        return s
    N, r = null[shared], s[shared]
    if N.shape[1] == 1:  # max |r + N z| is least where two of its lines meet; 100 times faster than a linear program
        (i, j), n = np.triu_indices(len(r), 1), N[:, 0]
        up, down = np.abs(n[i] + n[j]) > SINGULAR_RATIO, np.abs(n[i] - n[j]) > SINGULAR_RATIO
        meet = np.concatenate([-(r[i] + r[j])[up] / (n[i] + n[j])[up], (r[j] - r[i])[down] / (n[i] - n[j])[down]])
        z = meet[[np.abs(r[:, None] + N * meet).max(axis=0).argmin()]]
    else:
        one, goal = np.ones((len(r), 1)), np.append(np.zeros(N.shape[1]), 1.0)
        bounds, ends = np.block([[N, -one], [-N, -one]]), np.concatenate([-r, r])
        z = import_module("scipy.optimize").linprog(goal, bounds, ends, bounds=(None, None)).x[:-1]
    return np.asarray(s + null @ z, np.float64)
