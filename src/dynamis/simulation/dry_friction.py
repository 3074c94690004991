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
from numpy.typing import NDArray

Array = NDArray[np.float64]
Accelerations = Callable[[float, Array, Array], Array]
"""qdd (n,) at a time, in a state x, with directions s (n,)."""
STILL = 1e-11
"""A joint that is slower than this [rad/s or m/s] is at rest."""
HOLDS = 1e-9
"""Friction holds a joint if what is left after compensation is more than this share of it."""
EXACT, GOOD = 1e-12, 1e-8
"""A correction of s below the first is the last; one that does not shrink is rounding if it is below the second."""
CORRECTIONS = 8
"""One is enough with the matrix of this state, some with that of one just before. Where a motor comes to its limit none
may do, because accelerations are affine in s only piece by piece; the matrix is found anew then."""


class DryFriction:
    """The directions s (n,) of all joints, and those that stick. `joints` have Coulomb friction.

    `response` gives B of the joints that stick at a state x, where it is known from the mass matrix; else None.
    """

    def __init__(
        self, joints: Sequence[int], n: int, accelerations: Accelerations,
        response: Callable[[Array, list[int]], Array | None],
    ) -> None:  # fmt: skip
        self.joints = tuple(joints)
        self._known_response = response
        self._inverse: Array | None = None
        self.s: Array = np.zeros(n)
        self.sticking: tuple[int, ...] = ()
        self._accelerations = accelerations
        self._last: tuple[float, bytes, Array] | None = None

    def directions(self, t: float, x: Array) -> Array:
        """s at a time: of the joints that stick, what holds them."""
        if not self.sticking:
            return self.s
        key = x.tobytes()
        if self._last is not None and self._last[:2] == (t, key):
            return self._last[2]
        J = list(self.sticking)
        s = (self.s if self._last is None else self._last[2]).copy()
        for known in (True, False):
            if self._inverse is not None and self._holds(t, x, s):
                break
            B = self._known_response(x, J) if known else None
            self._inverse = np.asarray(np.linalg.pinv(self._response(t, x, s, J)[1] if B is None else B), np.float64)
        else:
            self._holds(t, x, s)
        self._last = (t, key, s)
        return s

    def _holds(self, t: float, x: Array, s: Array) -> bool:
        """Whether s could be made to hold all that stick with the matrix at hand; s is changed."""
        assert self._inverse is not None
        J, before = list(self.sticking), np.inf
        for _ in range(CORRECTIONS):
            change = self._inverse @ self._accelerations(t, x, s)[J]
            s[J] -= change
            size = float(np.abs(change).max()) / (1.0 + float(np.abs(s[J]).max()))
            if size <= EXACT or (size >= before / 2 and size <= GOOD):
                return True
            if size >= before:
                return False
            before = size
        return False

    def settle(self, t: float, x: Array, qd: Array, on_stops: Collection[int], full: Array) -> None:
        """Find the modes of all joints: those at rest (qd = 0) stick or begin to slide, the others slide as they move.

        Joints `on_stops` are held by those. `full` (n,) is d qdd_j / d s_j of the friction alone, without compensation.
        """
        self._last = self._inverse = None
        joints = [j for j in self.joints if j not in on_stops]
        free = [j for j in joints if not qd[j]]
        self.s[:] = 0.0
        self.s[joints] = np.sign(qd[joints])
        a, B = self._response(t, x, self.s, free)
        held = [k for k, j in enumerate(free) if B[k, k] < -HOLDS * abs(full[j])]
        others = [k for k in range(len(free)) if k not in held]
        s = np.zeros(len(free))
        stick = _murty(a, B, held, s)
        # Friction that a law compensates wholly has no hold: its direction is that of the motion that begins.
        s[others] = np.sign((a + B @ s)[others])
        self.s[free] = s
        self.sticking = tuple(free[k] for k in stick)

    def _response(self, t: float, x: Array, s: Array, joints: list[int]) -> tuple[Array, Array]:
        """a and B of these joints: qdd = a + B ds near s."""
        a = self._accelerations(t, x, s)[joints]
        B = np.zeros((len(joints), len(joints)))
        for k, j in enumerate(joints):
            other = s.copy()
            step = -1.0 if s[j] > 0 else 1.0
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
