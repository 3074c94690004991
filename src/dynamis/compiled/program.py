"""The straight-line program: operations in order, inputs, outputs. What every backend starts from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from dynamis.compiled.trace import Node, Scalar

Operation = tuple[str, Any, Any]
"""(op, a, b): a and b are places of earlier operations; a name for "input", a float for "constant"."""


@dataclass(frozen=True)
class Program:
    """Operations, each of which uses only what stands before it, and where the outputs are.

    `inputs` and `outputs` are named arrays: every input scalar is (array, position), and an output
    array is the places of its entries in order.
    """

    operations: tuple[Operation, ...]
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, tuple[int, ...]], ...]

    @cached_property
    def digest(self) -> str:
        """A hash of all that the program computes."""
        lines = [f"{op} {a.hex() if isinstance(a, float) else a} {b}" for op, a, b in self.operations]
        return sha256("\n".join([*lines, repr(self.inputs), repr(self.outputs)]).encode()).hexdigest()

    def counts(self) -> Counter[str]:
        """How many operations of each kind: "*", "+" (and "-"), "/", "neg", "sin", "cos", "sqrt", "sign"."""
        found = Counter("+" if op == "-" else op for op, _, _ in self.operations)
        del found["input"], found["constant"]
        return found


def program(inputs: Sequence[tuple[str, int]], outputs: Sequence[tuple[str, Sequence[Scalar]]]) -> Program:
    """What the outputs need, depth first: a value is computed shortly before it is used.

    Input scalars are nodes whose name is "array:position".
    """
    operations: list[Operation] = []
    place: dict[int, int] = {}
    constants: dict[float, int] = {}

    def emit(op: str, a: Any, b: Any = None) -> int:
        operations.append((op, a, b))
        return len(operations) - 1

    def constant(value: float) -> int:
        if value not in constants:
            constants[value] = emit("constant", float(value))
        return constants[value]

    def visit(root: Node) -> int:
        stack = [root]
        while stack:
            node = stack[-1]
            if node.index in place:
                stack.pop()
                continue
            below = [x for x in (node.b, node.a) if x.__class__ is Node and x.index not in place]
            if below:
                stack += below
                continue
            stack.pop()
            if node.op == "constant":
                place[node.index] = constant(node.a)
            else:
                a = place[node.a.index] if node.a.__class__ is Node else node.a
                b = place[node.b.index] if node.b.__class__ is Node else None
                place[node.index] = emit(node.op, a, b)
        return place[root.index]

    found = [
        (name, tuple(visit(x) if x.__class__ is Node else constant(x) for x in entries)) for name, entries in outputs
    ]
    return Program(tuple(operations), tuple(inputs), tuple(found))
