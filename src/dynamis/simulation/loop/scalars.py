"""The functions that a closed loop uses beside + - * /, for floats and for traced scalars."""

from __future__ import annotations

import math
from typing import Any, Protocol

from dynamis.program.trace import Node, Trace

Scalar = Any


class Functions(Protocol):
    """Of one kind of scalars."""

    def sin(self, x: Scalar) -> Scalar: ...
    def cos(self, x: Scalar) -> Scalar: ...
    def sqrt(self, x: Scalar) -> Scalar: ...
    def sign(self, x: Scalar) -> Scalar: ...
    def least(self, x: Scalar, y: Scalar) -> Scalar: ...
    def greatest(self, x: Scalar, y: Scalar) -> Scalar: ...
    def nearest(self, x: Scalar) -> Scalar: ...


class FloatFunctions:
    """Of Python's floats; where the arguments leave their range the result is NaN, as in machine code."""

    def sin(self, x: float) -> float:
        return math.sin(x) if math.isfinite(x) else math.nan

    def cos(self, x: float) -> float:
        return math.cos(x) if math.isfinite(x) else math.nan

    def sqrt(self, x: float) -> float:
        return math.sqrt(x) if x >= 0 else math.nan

    def sign(self, x: float) -> float:
        return math.copysign(1.0, x) if x else 0.0

    def least(self, x: float, y: float) -> float:
        return y if x > y else x

    def greatest(self, x: float, y: float) -> float:
        return y if x < y else x

    def nearest(self, x: float) -> float:
        return math.copysign(float(round(x)), x) if math.isfinite(x) else x


FLOATS = FloatFunctions()


class TracedFunctions:
    """Of traced scalars, some of which may be known: those are floats."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def sin(self, x: Scalar) -> Scalar:
        return self.trace.sin(x) if isinstance(x, Node) else FLOATS.sin(x)

    def cos(self, x: Scalar) -> Scalar:
        return self.trace.cos(x) if isinstance(x, Node) else FLOATS.cos(x)

    def sqrt(self, x: Scalar) -> Scalar:
        return self.trace.sqrt(x) if isinstance(x, Node) else FLOATS.sqrt(x)

    def sign(self, x: Scalar) -> Scalar:
        return self.trace.sign(x) if isinstance(x, Node) else FLOATS.sign(x)

    def least(self, x: Scalar, y: Scalar) -> Scalar:
        return self.trace.least(self._node(x), y) if _open(x, y) else FLOATS.least(x, y)

    def greatest(self, x: Scalar, y: Scalar) -> Scalar:
        return self.trace.greatest(self._node(x), y) if _open(x, y) else FLOATS.greatest(x, y)

    def nearest(self, x: Scalar) -> Scalar:
        return self.trace.nearest(x) if isinstance(x, Node) else FLOATS.nearest(x)

    def _node(self, x: Scalar) -> Node:
        return x if isinstance(x, Node) else self.trace.constant(x)


def _open(x: Scalar, y: Scalar) -> bool:
    return isinstance(x, Node) or isinstance(y, Node)
