"""Derivatives of programs, which are programs again: backward, forward and transposed.

A program y = f(x) with Jacobian J(x) has

    pullback      (x, w) -> J^T w      reverse mode: the gradient of w . f
    pushforward   (x, v) -> J v        forward mode: how y changes along v
    transpose     (x, w) -> A^T w      of a program y = A(x) v that is linear in v

each in some of its inputs. A pullback takes some two to four times the operations of its program, however many inputs
it has (Griewank and Walther, Evaluating Derivatives, ch. 3), and far fewer than the matrix J. All three can be
differentiated again. The derivative of a sign and of a rounded number is zero: dry friction counts as constant.

Vectors w and v are flat: a matrix of outputs has its entries row by row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from dynamis.compute.program.program import OPERATIONS, Program, program
from dynamis.compute.program.signature import Operand
from dynamis.compute.program.trace import Node, Scalar, Trace
from dynamis.compute.program.traced_scalars import TracedScalars
from dynamis.scalars.floats import Floats

FLAT = ("sign", "round")
"""Operations that are constant wherever they have a derivative."""


def pullback(of: Program, inputs: Sequence[int]) -> Program:
    """J^T w in these inputs: the arguments are those of the program and one w per output."""
    trace, outputs, active = _retrace_program(of, inputs)
    names = _Names(of)
    weights = [Operand(names.new(f"{x.name}_bar"), (x.count,)) for x in of.outputs]
    adjoint: dict[int, Scalar] = {}
    for operand, entries in zip(weights, outputs, strict=True):
        for k, value in enumerate(entries):
            if _is_in(value, active):
                adjoint[value.index] = adjoint.get(value.index, 0.0) + trace.input(f"{operand.name}:{k}")
    for node in sorted(active.values(), key=lambda x: -x.index):
        w = adjoint.get(node.index, 0.0)
        for operand, share in _shares(trace, node, active) if w.__class__ is Node else ():
            adjoint[operand.index] = adjoint.get(operand.index, 0.0) + share(w)
    results = [
        (
            Operand(names.new(f"{x.name}_bar"), (x.count,)),
            [adjoint.get(trace.input(f"{x.name}:{k}").index, 0.0) for k in range(x.count)],
        )
        for x in (of.inputs[place] for place in inputs)
    ]
    return program([*of.inputs, *weights], results)


def pushforward(of: Program, inputs: Sequence[int]) -> Program:
    """J v in these inputs: the arguments are those of the program and one v per input."""
    trace, outputs, active = _retrace_program(of, inputs)
    names = _Names(of)
    directions = [Operand(names.new(f"{of.inputs[k].name}_dot"), of.inputs[k].shape) for k in inputs]
    tangent: dict[int, Scalar] = {}
    for place, direction in zip(inputs, directions, strict=True):
        for k in range(direction.count):
            node = trace.input(f"{of.inputs[place].name}:{k}")
            tangent[node.index] = trace.input(f"{direction.name}:{k}")
    for node in sorted(active.values(), key=lambda x: x.index):
        if node.op != "input":
            tangent[node.index] = sum(
                (share(tangent[operand.index]) for operand, share in _shares(trace, node, active)), 0.0
            )
    results = [
        (
            Operand(names.new(f"{x.name}_dot"), x.shape),
            [tangent[y.index] if _is_in(y, active) else 0.0 for y in entries],
        )
        for x, entries in zip(of.outputs, outputs, strict=True)
    ]
    return program([*of.inputs, *directions], results)


def transpose(of: Program, inputs: Sequence[int]) -> Program:
    """A^T w of a program that is linear in these inputs together: the arguments are the others and one w per output."""
    back = pullback(of, inputs)
    others = [x for k, x in enumerate(back.inputs) if k not in inputs]
    return Program(back.operations, type(back.signature)(tuple(others), back.outputs), back.results)


def _retrace_program(of: Program, inputs: Sequence[int]) -> tuple[Trace, list[list[Scalar]], dict[int, Node]]:
    """The program in a new trace: its outputs, and the nodes that depend on these inputs in a differentiable way."""
    trace = Trace()
    scalars = TracedScalars(Floats({}), trace)
    operations = {op: partial(_apply_operation, scalars, op) for op in OPERATIONS}
    outputs = of.evaluate(lambda name, k: trace.input(f"{name}:{k}"), operations, float)
    names = {of.inputs[k].name for k in inputs}
    active: dict[int, Node] = {}
    for node in trace.nodes:
        moving = node.op == "input" and node.a.partition(":")[0] in names
        if moving or (node.op not in FLAT and (_is_in(node.a, active) or _is_in(node.b, active))):
            active[node.index] = node
    return trace, outputs, active


def _shares(trace: Trace, node: Node, active: dict[int, Node]) -> Iterator[tuple[Node, Callable[[Scalar], Scalar]]]:
    """The operands that move, each with the product by the derivative of the node with respect to it."""
    a, b = node.a, node.b
    if _is_in(a, active):
        yield a, _by_first(trace, node, a, b)
    if _is_in(b, active):
        yield b, _by_second(trace, node, a, b)


def _by_first(trace: Trace, node: Node, a: Any, b: Any) -> Callable[[Scalar], Scalar]:
    match node.op:
        case "*":
            return lambda w: w * _value(b)
        case "/":
            return lambda w: w / _value(b)
        case "neg":
            return lambda w: -w
        case "sin":
            return lambda w: w * trace.cos(a)
        case "cos":
            return lambda w: -(w * trace.sin(a))
        case "sqrt":
            return lambda w: 0.5 * w / node
        case "min" | "max":
            return lambda w: w * (1.0 - _second_is_taken(trace, node, a, b))
        case _:
            return lambda w: w


def _by_second(trace: Trace, node: Node, a: Any, b: Any) -> Callable[[Scalar], Scalar]:
    match node.op:
        case "*":
            return lambda w: w * _value(a)
        case "/":
            return lambda w: -(w / b * node)
        case "-":
            return lambda w: -w
        case "min" | "max":
            return lambda w: w * _second_is_taken(trace, node, a, b)
        case _:
            return lambda w: w


def _second_is_taken(trace: Trace, node: Node, a: Any, b: Any) -> Scalar:
    """1 where min or max is its second operand, else 0."""
    difference = a - b if node.op == "min" else b - a
    return trace.greatest(trace.sign(difference), 0.0)


def _value(x: Node) -> Scalar:
    """A constant as its number."""
    return x.a if x.op == "constant" else x


def _is_in(x: Any, active: dict[int, Node]) -> bool:
    return x.__class__ is Node and x.index in active


def _apply_operation(scalars: TracedScalars, op: str, a: Scalar, b: Scalar = None) -> Scalar:
    """An operation of a program, on numbers and nodes."""
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b
        case "neg":
            return -a
        case "cos" | "sin":
            return scalars.cos_sin(a)[op == "sin"]
        case "sqrt" | "sign":
            return getattr(scalars, op)(a)
        case "min":
            return scalars.least(a, b)
        case "max":
            return scalars.greatest(a, b)
        case _:
            return scalars.nearest(a)


class _Names:
    """Names of operands that no other has."""

    def __init__(self, of: Program) -> None:
        self._taken = {x.name for x in of.inputs}

    def new(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name
