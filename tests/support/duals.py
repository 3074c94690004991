"""Dual numbers: a value and its derivatives, so that any algorithm gives exact derivatives of itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import copysign, cos, sin
from typing import Any

import numpy as np

from dynamis.base.arrays import Array
from dynamis.compute.mechanics.mechanism import Mechanism, State, state_at
from dynamis.scalars.scalars import Scalars


@dataclass(frozen=True)
class Dual:
    """value + parts.e with e e = 0; `parts` has one derivative per variable."""

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


@dataclass(frozen=True)
class Duals(Scalars[Any]):
    """Dual numbers as scalars; constants of the model are floats."""

    def constant(self, value: Fraction) -> float:
        return float(value)

    def cos_sin(self, x: Dual, /) -> tuple[Dual, Dual]:
        c, s = cos(x.value), sin(x.value)
        return Dual(c, -s * x.parts), Dual(s, c * x.parts)

    def sign(self, x: Dual, /) -> Dual:
        return Dual(copysign(1.0, x.value) if x.value else 0.0, 0 * x.parts)


def dual_state(m: Mechanism[Any], q: Array, qd: Array, qdd: Array) -> State[Any]:
    """A state whose 2 n variables are q and qd."""
    n = len(q)
    one = np.eye(2 * n)
    return state_at(
        replace(m, scalars=Duals()),
        [Dual(x, one[i]) for i, x in enumerate(q.tolist())],
        [Dual(v, one[n + i]) for i, v in enumerate(qd.tolist())],
        [Dual(a, 0 * one[i]) for i, a in enumerate(qdd.tolist())],
    )


def derivatives(results: Any, n: int) -> tuple[Array, Array]:
    """The derivatives of a list of scalars by q and by qd, one row per scalar."""
    rows = [x.parts if isinstance(x, Dual) else np.zeros(2 * n) for x in results]
    parts = np.reshape(rows, (len(rows), 2 * n))
    return parts[:, :n], parts[:, n:]
