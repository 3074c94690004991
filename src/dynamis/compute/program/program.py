"""The straight-line program: operations in order, inputs, outputs. What every backend starts from."""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from dynamis.compute.program.fusion import Operation, fuse_products
from dynamis.compute.program.signature import Operand, Signature
from dynamis.compute.program.trace import Node, Scalar

OPERATIONS = {
    "+": (2, "a + b"),
    "-": (2, "a - b"),
    "*": (2, "a b"),
    "/": (2, "a / b; infinity or NaN for b = 0"),
    "neg": (1, "-a"),
    "sin": (1, "the sine of a, in radians"),
    "cos": (1, "the cosine of a, in radians"),
    "sqrt": (1, "the square root of a; NaN for a < 0"),
    "sign": (1, "-1, 0 or 1; NaN for NaN"),
    "min": (2, "b where b < a, else a: NaN if a is, and a if b is"),
    "max": (2, "b where b > a, else a: NaN if a is, and a if b is"),
    "round": (1, "the nearest whole number, of two the even one: NumPy's rint"),
}
"""All that a program computes with, besides "input" and "constant": arity and meaning. A backend has every one."""
FUSED = {"fma": "a b + c", "fms": "a b - c", "fnma": "c - a b"}
"""Three operands and one rounding each: in `Program.fused` alone, for the backends that ask for it."""
STORE_INSTRUCTIONS = 4
"""Instructions for an entry of an output: its part of a transposition, of the addresses and of the stores."""
SCALAR_PRODUCT, LARGE_MATRIX_ROWS = 11, 16
"""Operations of a scalar product of six factors each, and the rows from which a matrix of such is made in a loop."""
LONG_RUN = 64
"""Zeros side by side that are filled at once: below, a store for every four or eight of them costs no more."""


@dataclass(frozen=True)
class Program:
    """Operations, each of which uses only what stands before it; what it takes and returns; where the results are.

    `results` has for every output of the signature the places of its entries, row by row.
    """

    operations: tuple[Operation, ...]
    signature: Signature
    results: tuple[tuple[int, ...], ...]

    @property
    def inputs(self) -> tuple[Operand, ...]:
        return self.signature.inputs

    @property
    def outputs(self) -> tuple[Operand, ...]:
        return self.signature.outputs

    @cached_property
    def digest(self) -> str:
        """A hash of all that the program computes; names of entries and units do not change it."""
        operands = [(x.name, x.shape) for x in (*self.inputs, *self.outputs)]
        # Version 0 writes equal values alike, floats with 17 digits, in a fifth of the time of text.
        return sha256(marshal.dumps((self.operations, operands, self.results), 0)).hexdigest()

    @cached_property
    def length(self) -> int:
        """Instructions of straight-line machine code, about: what it costs to compile grows with them.

        Every entry of an output is an operation of its own kind, but for long runs of zeros and for scalar products in
        large symmetric matrices, which a loop makes.
        """
        stored = sum(len(places) - sum(end - first for first, end in self.zeros(places)) for places in self.results)
        products = self._scalar_products()
        return len(self.operations) - SCALAR_PRODUCT * products + STORE_INSTRUCTIONS * (stored - 2 * products)

    def _scalar_products(self) -> int:
        """The entries above the diagonal of a large symmetric matrix that are scalar products, about."""
        shape = self.outputs[0].shape if len(self.outputs) == 1 else ()
        if len(shape) != 2 or shape[0] != shape[1] or shape[0] < LARGE_MATRIX_ROWS:
            return 0
        (places,), n = self.results, shape[0]
        above = (places[i * n + j] for i in range(n) for j in range(i + 1, n) if places[i * n + j] == places[j * n + i])
        return sum(self._is_sum(x) and all(map(self._is_sum, self.operations[x][1:3])) for x in above)

    def _is_sum(self, place: int) -> bool:
        return self.operations[place][0] == "+"

    def zeros(self, places: Sequence[int]) -> list[tuple[int, int]]:
        """The long runs of zeros among the entries of an output: where each begins, and where it has ended."""
        runs: list[tuple[int, int]] = []
        first = 0
        for k, place in enumerate((*places, None)):
            if place is not None and _is_zero(self.operations[place]):
                continue
            if k - first >= LONG_RUN:
                runs.append((first, k))
            first = k + 1
        return runs

    def counts(self) -> Counter[str]:
        """How many operations of each kind of `OPERATIONS`; "-" counts as "+"."""
        counts = Counter("+" if op == "-" else op for op, *_ in self.operations)
        del counts["input"], counts["constant"]
        return counts

    def evaluate(
        self,
        entry: Callable[[str, int], Any],
        operations: Mapping[str, Callable[..., Any]],
        constant: Callable[[float], Any],
    ) -> list[list[Any]]:
        """The entries of every output, row by row, in values of any kind: operation after operation.

        `entry` gives an entry of an input by its name and place, `operations` the functions of `OPERATIONS`.
        """
        values: list[Any] = []
        for op, a, b, _ in self.operations:
            if op == "input":
                name, place = a.split(":")
                values.append(entry(name, int(place)))
            elif op == "constant":
                values.append(constant(a))
            else:
                values.append(operations[op](values[a]) if b is None else operations[op](values[a], values[b]))
        return [[values[k] for k in places] for places in self.results]

    @cached_property
    def fused(self) -> Program:
        """The same with the products that are only added or subtracted fused with the sums.

        That it is done here, and not by a compiler, makes every backend round alike (`FUSED`). A program that is fused
        stays as it is.
        """
        if any(op in FUSED for op, *_ in self.operations):
            return self
        operations, results = fuse_products(self.operations, self.results)
        return Program(operations, self.signature, results)


def _is_zero(operation: Operation) -> bool:
    """Whether it is the constant whose bits are all zero."""
    return operation[0] == "constant" and operation[1].hex() == "0x0.0p+0"


def program(inputs: Sequence[Operand], outputs: Sequence[tuple[Operand, Sequence[Scalar]]]) -> Program:
    """The program of these outputs, each with its entries row by row: a value is computed shortly before it is used.

    Input scalars are nodes whose name is "array:position".
    """
    operations: list[Operation] = []
    place: dict[int, int] = {}
    constants: dict[float, int] = {}

    def emit(op: str, a: Any, b: Any = None) -> int:
        operations.append((op, a, b, None))
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

    results = tuple(tuple(visit(x) if x.__class__ is Node else constant(x) for x in entries) for _, entries in outputs)
    return Program(tuple(operations), Signature(tuple(inputs), tuple(operand for operand, _ in outputs)), results)
