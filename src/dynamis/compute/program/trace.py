"""Traced scalars: an algorithm that runs on them leaves a graph of what it computed.

A `Node` is a number that is not known yet. Constants stay Python floats, so what is constant is
computed while tracing, and products with 0 and 1 never enter the graph. Equal nodes are the same
node (hash-consing), so common subexpressions are shared as they appear. Negations are moved
outward and meet in subtractions:

    a + (-b) = a - b      (-a) b = -(a b)      b - a = -(a - b) if a - b is there already

>>> trace = Trace()
>>> x, y = trace.input("x"), trace.input("y")
>>> x * y - y * x, x * 0.0, x * 1.0 is x
(0.0, 0.0, True)
"""

from __future__ import annotations

from math import nan, sqrt
from typing import Any

Scalar = Any
"""A float or a Node."""


class Node:
    """One value of a trace; `op` is "input", "constant" or one of `program.OPERATIONS`."""

    __slots__ = ("a", "b", "index", "op", "trace")

    def __init__(self, trace: Trace, index: int, op: str, a: Any, b: Any) -> None:
        self.trace, self.index, self.op, self.a, self.b = trace, index, op, a, b

    def __add__(self, other: Scalar) -> Scalar:
        if other.__class__ is not Node:
            if other == 0:
                return self
            other = self.trace.constant(other)
        if self.op == "neg":
            return other - self.a
        if other.op == "neg":
            return self - other.a
        if self.op == "*" and other.op == "*" and self.b is other.b and self.a.op == other.a.op == "constant":
            return self.b * (self.a.a + other.a.a)
        # (x - u) + (y + u) = x + y
        if self.op == "-" and other.op == "+":
            if self.b is other.b:
                return self.a + other.a
            if self.b is other.a:
                return self.a + other.b
        elif self.op == "+" and other.op == "-":
            if other.b is self.b:
                return other.a + self.a
            if other.b is self.a:
                return other.a + self.b
        elif self.op == other.op == "-":
            if self.b is other.a:
                return self.a - other.b
            if self.a is other.b:
                return other.a - self.b
        a, b = (self, other) if self.index <= other.index else (other, self)
        return self.trace.node("+", a, b)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        if other.__class__ is not Node:
            if other == 0:
                return self
            other = self.trace.constant(other)
        if self is other:
            return 0.0
        if other.op == "neg":
            return self + other.a
        if self.op == "neg":
            return -(self.a + other)
        if self.op == "*" and other.op == "*" and self.b is other.b and self.a.op == other.a.op == "constant":
            return self.b * (self.a.a - other.a.a)
        negative = self.trace.by_operation.get(("-", other.index, self.index))
        return self.trace.node("-", self, other) if negative is None else -negative

    def __rsub__(self, other: Scalar) -> Scalar:
        return -self if other == 0 else self.trace.constant(other) - self

    def __mul__(self, other: Scalar) -> Scalar:
        if other.__class__ is not Node:
            if other == 0:
                return 0.0
            if other == 1:
                return self
            if other < 0:
                return -(self * -other)
            if self.op == "neg":
                return -(self.a * other)
            if self.op == "*" and self.a.op == "constant":
                return self.b * (self.a.a * other)
            return self.trace.node("*", self.trace.constant(other), self)
        if self.op == "neg":
            return -(self.a * other)
        if other.op == "neg":
            return -(self * other.a)
        if self.op == "constant":
            return other * self.a
        if other.op == "constant":
            return self * other.a
        a, b = (self, other) if self.index <= other.index else (other, self)
        return self.trace.node("*", a, b)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        if other.__class__ is not Node:
            return self * (1.0 / other)
        if self is other:
            return 1.0
        if self.op == "neg":
            return -(self.a / other)
        if other.op == "neg":
            return -(self / other.a)
        return self.trace.node("/", self, other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        return 0.0 if other == 0 else self.trace.constant(other) / self

    def __neg__(self) -> Scalar:
        if self.op == "constant":
            return -self.a
        return self.a if self.op == "neg" else self.trace.node("neg", self)

    def __pow__(self, exponent: int) -> Scalar:
        result: Scalar = 1.0
        for _ in range(abs(exponent)):
            result = self * result
        return result if exponent >= 0 else 1.0 / result

    def __repr__(self) -> str:
        return f"<{self.op} {self.index}>"

    def __bool__(self) -> bool:
        raise TypeError("a traced value is not known; an algorithm may not branch on it")


class Trace:
    """The nodes in the order in which they were made: operands stand before what uses them."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.by_operation: dict[tuple[Any, ...], Node] = {}

    def node(self, op: str, a: Any, b: Any = None) -> Node:
        key = (op, a.index if a.__class__ is Node else a, b.index if b.__class__ is Node else b)
        node = self.by_operation.get(key)
        if node is None:
            node = self.by_operation[key] = Node(self, len(self.nodes), op, a, b)
            self.nodes.append(node)
        return node

    def input(self, name: str) -> Node:
        return self.node("input", name)

    def constant(self, value: float) -> Node:
        return self.node("constant", float(value))

    def sin(self, x: Scalar) -> Node:
        return self._odd("sin", x)

    def cos(self, x: Scalar) -> Node:
        return self.node("cos", x.a if x.op == "neg" else x)

    def sqrt(self, x: Scalar) -> Scalar:
        if x.__class__ is not Node:
            return sqrt(x) if x >= 0 else nan
        return self.node("sqrt", x)

    def sign(self, x: Scalar) -> Scalar:
        return self._odd("sign", x)

    def least(self, x: Node, y: Scalar) -> Node:
        """The smaller of two; NaN if x is."""
        return self.node("min", x, y if y.__class__ is Node else self.constant(y))

    def greatest(self, x: Node, y: Scalar) -> Node:
        """The larger of two; NaN if x is."""
        return self.node("max", x, y if y.__class__ is Node else self.constant(y))

    def nearest(self, x: Node) -> Scalar:
        """The nearest whole number, of two the even one."""
        return self._odd("round", x)

    def value(self, x: Node) -> Node:
        """-a as 0 - a, whose sign does not move outward."""
        return self.node("-", self.constant(0.0), x.a) if x.op == "neg" else x

    def _odd(self, op: str, x: Node) -> Any:
        return -self.node(op, x.a) if x.op == "neg" else self.node(op, x)
