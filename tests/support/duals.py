"""Dual numbers: a value and its derivatives, so that any algorithm gives exact derivatives of itself."""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, cos, sin
from typing import Any

import numpy as np

from dynamis.arrays import Array
from dynamis.mechanics.mechanism import State


@dataclass(frozen=True)
class Dual:
    """value + parts.e with e e = 0; `parts` has one derivative a variable."""

    value: float
    parts: Array

    def __add__(self, other: Any) -> Dual:
        b = self.lift(other)
        return Dual(self.value + b.value, self.parts + b.parts)

    def __sub__(self, other: Any) -> Dual:
        b = self.lift(other)
        return Dual(self.value - b.value, self.parts - b.parts)

    def __mul__(self, other: Any) -> Dual:
        b = self.lift(other)
        return Dual(self.value * b.value, self.parts * b.value + b.parts * self.value)

    def __truediv__(self, other: Any) -> Dual:
        b = self.lift(other)
        quotient = self.value / b.value
        return Dual(quotient, (self.parts - b.parts * quotient) / b.value)

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.parts)

    def __rsub__(self, other: Any) -> Dual:
        return self.lift(other) - self

    def __rtruediv__(self, other: Any) -> Dual:
        return self.lift(other) / self

    __radd__ = __add__
    __rmul__ = __mul__

    def lift(self, other: Any) -> Dual:
        return other if isinstance(other, Dual) else Dual(other, np.zeros_like(self.parts))


def dual_state(q: Array, qd: Array, qdd: Array) -> State[Any]:
    """A state whose 2 n variables are q and qd."""
    n = len(q)
    one = np.eye(2 * n)
    return State(
        [Dual(x, one[i]) for i, x in enumerate(q.tolist())],
        [Dual(cos(x), -sin(x) * one[i]) for i, x in enumerate(q.tolist())],
        [Dual(sin(x), cos(x) * one[i]) for i, x in enumerate(q.tolist())],
        [Dual(v, one[n + i]) for i, v in enumerate(qd.tolist())],
        [Dual(a, 0 * one[i]) for i, a in enumerate(qdd.tolist())],
        [Dual(copysign(1.0, v) if v else 0.0, 0 * one[i]) for i, v in enumerate(qd.tolist())],
    )


def derivatives(results: Any, n: int) -> tuple[Array, Array]:
    """Of a list of scalars: by q and by qd, one row a scalar."""
    rows = [x.parts if isinstance(x, Dual) else np.zeros(2 * n) for x in results]
    parts = np.reshape(rows, (len(rows), 2 * n))
    return parts[:, :n], parts[:, n:]
