"""Dry friction: which joints slide, and which way, and which are held.

The friction of joint j is coulomb_j s_j with s_j in Sgn(qd_j). A joint that slides has s_j = +1 or -1, and the rates
are smooth; one that sticks has qd_j = 0 and the s_j that keeps it there,

    qdd_j(s) = 0        |s_j| <= 1

and breaks away when |s_j| would exceed 1. Accelerations are affine in s, qdd = a + B s. Which joints at rest stick is a
linear complementarity problem: each either sticks, or slides the way in which it accelerates. Murty's pivoting (the
first joint that contradicts its own mode changes it) ends for all matrices B of a friction that takes energy.

A law that compensates the robot's own friction uses the same s. What acts is then the difference of both: where they
are equal, s_j has no effect, and friction cannot hold the joint.

Sources: F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts, 1996, chapter 5; K. G. Murty, Note on a
Bard-type scheme for solving the complementarity problem, Opsearch 11, 1974.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from dynamis.arrays import Array

Accelerations = Callable[[float, Array, Array], Array]
"""Accelerations along the axes at a time, in a state x, with directions s."""
REST_SPEED = 1e-11
"""A joint that is slower than this [rad/s or m/s] is at rest: well below any tolerance, above rounding of qd."""
HOLD_SHARE = 1e-9
"""Friction can hold a joint if more than this share of it is left after compensation."""
CONVERGED, ACCEPTED = 1e-12, 1e-8
"""Errors of s, as accelerations relative to those of friction: below the first s is right; an error that no longer
shrinks is rounding if it is below the second."""
MAX_CORRECTIONS = 8
"""One suffices with the matrix of this state; more with that of an earlier one, or where motors reach their limits."""
MAX_RELINEARISATIONS = 12
"""Where motors are at their limits, accelerations are affine in s only piece by piece: one solution per piece."""
PROBE_STEP = 1e-3
"""The change of s in the differences that give B: small, so as not to leave a piece."""
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
        self._accelerations, self._known_response = accelerations, response
        self._inverse: Array | None = None
        self._last: tuple[float, bytes, Array] | None = None

    def directions(self, t: float, x: Array) -> Array:
        """s at a time: of the joints that stick, what holds them; beyond +-1 where nothing can."""
        if not self.sticking:
            return self.s
        key = x.tobytes()
        if self._last is not None and self._last[:2] == (t, key):
            return self._last[2]
        s = (self.s if self._last is None else self._last[2]).copy()
        if self._inverse is None or not self._holds(t, x, s):
            B = self._known_response(x, list(self.sticking))
            self._inverse = None if B is None else np.asarray(np.linalg.pinv(B), np.float64)
            if self._inverse is None or not self._holds(t, x, s):
                s = (self.s if self._last is None else np.clip(self._last[2], -1.0, 1.0)).copy()
                self._solve_again(t, x, s)
        self._last = (t, key, s)
        return s

    def _holds(self, t: float, x: Array, s: Array) -> bool:
        """Whether s could be made to hold all that stick with the matrix at hand; s is changed."""
        assert self._inverse is not None
        J, before = list(self.sticking), np.inf
        for _ in range(MAX_CORRECTIONS):
            a = self._accelerations(t, x, s)[J]
            error = float((np.abs(a) / self._full[J]).max())
            if error <= CONVERGED or (error >= before / 2 and error <= ACCEPTED):
                return True
            if error >= before:
                return False
            before = error
            s[J] -= self._inverse @ a
        return before <= ACCEPTED

    def _solve_again(self, t: float, x: Array, s: Array) -> None:
        """s with B as it is at s; where friction has lost its hold, |s| is NO_HOLD.

        Where B is zero, s has no effect: it may still hold further on, where a motor reaches its limit, or nowhere.
        """
        J = list(self.sticking)
        for _ in range(MAX_CORRECTIONS):
            a, B = self._response(t, x, s, J)
            loose = np.diag(B) > -HOLD_SHARE * self._full[J]
            if loose.any():
                way = np.where(a < 0, -1.0, 1.0)
                if (s[J] == way)[loose].any():
                    s[np.array(J)[loose]] = NO_HOLD * way[loose]
                    return
                s[np.array(J)[loose]] = way[loose]
                continue
            if float((np.abs(a) / self._full[J]).max()) <= ACCEPTED:
                return
            s[J] = np.clip(s[J] - np.linalg.solve(B, a), -NO_HOLD, NO_HOLD)

    def settle(self, t: float, x: Array, qd: Array, on_stops: Collection[int], full: Array) -> None:
        """Find the modes of all joints: those at rest (qd = 0) stick or begin to slide, the others slide as they move.

        Joints `on_stops` are held by those. `full` (n,) is d qdd_j / d s_j of the friction alone, without compensation.
        """
        self._last = self._inverse = None
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
            held = [k for k, j in enumerate(free) if B[k, k] < -HOLD_SHARE * self._full[j]]
            loose = [k for k in range(len(free)) if k not in held]
            s = before.copy()
            stick = _murty(a, B, held, s)
            # Friction that a law compensates wholly has no hold: its direction is that of the motion that begins.
            s[loose] = np.sign((a + B @ s)[loose])
            self.s[free] = s
            if np.abs(s - before).max(initial=0.0) <= ACCEPTED:
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
    """Which of these joints stick; writes their s."""
    stick = list(joints)
    for _ in range(3 ** min(len(joints), 8) + len(joints)):
        if stick:
            rest = a + B @ np.where(np.isin(np.arange(len(a)), stick), 0.0, s)
            s[stick] = -np.linalg.solve(B[np.ix_(stick, stick)], rest[stick])
        qdd = a + B @ s
        wrong = [k for k in joints if (abs(s[k]) > 1 if k in stick else s[k] * qdd[k] < 0)]
        if not wrong:
            break
        k = wrong[0]
        if k in stick:
            stick.remove(k)
            s[k] = np.sign(s[k])
        else:
            stick = sorted([*stick, k])
    return stick
