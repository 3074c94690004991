"""Traced scalars: an algorithm that runs on them leaves a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dynamis.base.expressions.expression import Expression
from dynamis.compute.program.exponential import exponential_decay
from dynamis.compute.program.trace import Node, Trace
from dynamis.scalars.floats import Floats
from dynamis.scalars.scalars import Scalars, evaluate

Traced = Any
"""A node of the trace, or a float where the value is known."""


@dataclass(frozen=True)
class TracedScalars(Scalars[Traced]):
    """Floats where a value is known, else nodes of `trace`; `inputs` are the parameters that are nodes.

    >>> from dynamis.base.expressions.parser import parse
    >>> trace = Trace()
    >>> traced = TracedScalars(Floats({"l": parse("2")}), trace, {"m": trace.input("m")})
    >>> evaluate(parse("l^2"), traced), evaluate(parse("m*l^2"), traced)
    (4.0, <* 2>)
    """

    floats: Floats
    trace: Trace
    inputs: Mapping[str, Traced] = field(default_factory=dict[str, Traced])

    @property
    def zero(self) -> float:
        return 0.0

    @property
    def one(self) -> float:
        return 1.0

    def constant(self, value: Fraction) -> float:
        return self.floats.constant(value)

    def pi(self) -> float:
        return self.floats.pi()

    def parameter(self, name: str) -> Traced:
        if name in self.inputs:
            return self.inputs[name]
        if name not in self.floats.values:
            return self.floats.parameter(name)  # raises: no value
        return evaluate(self.floats.values[name], self)

    def cos_sin_of(self, angle: Expression) -> tuple[Traced, Traced]:
        value = evaluate(angle, self)
        return self.cos_sin(value) if isinstance(value, Node) else self.floats.cos_sin_of(angle)

    def sqrt_of(self, argument: Expression) -> Traced:
        value = evaluate(argument, self)
        return self.sqrt(value) if isinstance(value, Node) else self.floats.sqrt_of(argument)

    def cos_sin(self, x: Traced, /) -> tuple[Traced, Traced]:
        return (self.trace.cos(x), self.trace.sin(x)) if isinstance(x, Node) else self.floats.cos_sin(x)

    def sqrt(self, x: Traced, /) -> Traced:
        return self.trace.sqrt(x) if isinstance(x, Node) else self.floats.sqrt(x)

    def decay(self, x: Traced, /) -> Traced:
        return exponential_decay(x, self.trace) if isinstance(x, Node) else self.floats.decay(x)

    def sign(self, x: Traced, /) -> Traced:
        return self.trace.sign(x) if isinstance(x, Node) else self.floats.sign(x)

    def least(self, x: Traced, y: Traced, /) -> Traced:
        return self.trace.least(self._node(x), y) if _is_traced(x, y) else self.floats.least(x, y)

    def greatest(self, x: Traced, y: Traced, /) -> Traced:
        return self.trace.greatest(self._node(x), y) if _is_traced(x, y) else self.floats.greatest(x, y)

    def nearest(self, x: Traced, /) -> Traced:
        return self.trace.nearest(x) if isinstance(x, Node) else self.floats.nearest(x)

    def value(self, x: Traced, /) -> Traced:
        return self.trace.value(x) if isinstance(x, Node) else x

    def _node(self, x: Traced) -> Node:
        return x if isinstance(x, Node) else self.trace.constant(x)


def _is_traced(x: Traced, y: Traced) -> bool:
    return isinstance(x, Node) or isinstance(y, Node)
